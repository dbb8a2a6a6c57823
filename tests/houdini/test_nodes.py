"""Cooks the nodes inside Houdini. Run by ctest with hython; the plugin has to be installed."""
import math
import os
import sys
import tempfile
import unittest

import hou

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "examples", "houdini"))
import networks


def positions(node, frame):
    hou.setFrame(frame)
    return node.geometry().pointFloatAttribValues("P")


class Solver(unittest.TestCase):
    def setUp(self):
        hou.hipFile.clear(suppress_save_prompt=True)
        hou.setFps(24)

    def test_falls_and_lands_on_the_stairs(self):
        solver = networks.soft_body_on_stairs(size=0.2)
        lowest = min(positions(solver, 1)[1::3])
        self.assertLess(min(positions(solver, 20)[1::3]), lowest)
        geo = solver.geometry()
        for name in ("v", "rest", "stress", "energydensity", "contact"):
            self.assertIsNotNone(geo.findPointAttrib(name), name)
        self.assertLess(abs(geo.attribValue("ledger_error")), 1e-5)
        self.assertEqual(solver.errors(), ())

    def test_jelly_lands_on_the_ground_plane(self):
        solver = networks.jelly_on_the_ground()
        lowest = min(positions(solver, 20)[1::3])
        self.assertLess(lowest, -0.7)
        self.assertGreater(lowest, -0.95)
        self.assertEqual(solver.errors(), ())

    def test_any_order_gives_the_same_frame(self):
        solver = networks.twisted_bar()
        straight = positions(solver, 12)
        positions(solver, 4)
        self.assertEqual(positions(solver, 12), straight)
        solver.parm("resimulate").pressButton()
        self.assertEqual(positions(solver, 12), straight)

    def test_pins_follow_the_animation(self):
        solver = networks.flag(cells=8)
        hou.setFrame(15)
        group = solver.geometry().findPointGroup("pole")
        source = solver.inputs()[0].geometry()
        for point in group.points():
            gap = point.position() - source.point(point.number()).position()
            self.assertAlmostEqual(gap.length(), 0, places=5)

    def test_a_change_makes_frames_anew(self):
        solver = networks.twisted_bar()
        before = positions(solver, 8)
        solver.parm("young").set(2)
        solver.parm("youngexp").set("3")
        self.assertNotEqual(positions(solver, 8), before)

    def test_errors_are_on_the_node(self):
        solver = networks.twisted_bar()
        bad = solver.parent().createNode("attribwrangle")
        bad.parm("snippet").set("f@stiffness = -1;")
        bad.setInput(0, solver.inputs()[0])
        solver.setInput(0, bad)
        with self.assertRaises(hou.OperationFailed):
            solver.cook(force=True)
        self.assertIn("stiffness", solver.errors()[0])

    def test_a_balloon_holds_its_gas(self):
        solver = networks.balloon()
        span = lambda frame: max(positions(solver, frame)[0::3]) - min(positions(solver, frame)[0::3])
        start = span(1)
        self.assertGreater(span(12), 1.1 * start)
        self.assertEqual(solver.errors(), ())

    def test_stitches_break_in_the_wind(self):
        solver = networks.torn_banner(cells=8)
        half = len(positions(solver, 1)) // 2
        gap = lambda p: min(math.dist(p[i:i + 3], p[half + j:half + j + 3]) for i in range(0, half, 3) for j in range(0, half, 3))
        self.assertLess(gap(positions(solver, 1)), 0.1)
        self.assertGreater(gap(positions(solver, 48)), 0.3)

    def test_saves_to_disk_and_loads_what_it_saved(self):
        folder = tempfile.mkdtemp()
        solver = networks.saved_to_disk(folder=folder)
        solver.parm("endframe").set(12)
        made = positions(solver, 12)
        solver.parm("savetodisk").pressButton()
        self.assertTrue(os.path.exists(os.path.join(folder, "v1", "jelly_v1.0012.bgeo")))
        solver.parm("loadfromdisk").set(1)
        self.assertEqual(positions(solver, 12), made)
        self.assertEqual(solver.warnings(), ())
        solver.parm("groundheight").set(-0.7)
        positions(solver, 12)
        self.assertIn("stale", solver.warnings()[0])

    def test_an_edit_at_an_earlier_frame_is_noticed(self):
        solver = networks.jelly_on_the_ground()
        push = solver.parent().createNode("attribwrangle", "push")
        push.setInput(0, solver.inputs()[0])
        push.parm("snippet").set("if (@Frame == 3) v@force = set(ch('push'), 0, 0);")
        push.addSpareParmTuple(hou.FloatParmTemplate("push", "Push", 1))
        solver.setInput(0, push)
        before = positions(solver, 10)
        push.parm("push").set(50)
        self.assertNotEqual(positions(solver, 10), before)
        self.assertEqual(hou.frame(), 10)

    def test_a_change_of_the_output_simulates_nothing(self):
        solver = networks.jelly_on_the_ground()
        before = positions(solver, 10)
        solver.parm("colorby").set("stress")
        self.assertEqual(positions(solver, 10), before)
        self.assertIsNotNone(solver.geometry().findPointAttrib("Cd"))

    def test_two_dop_bodies_meet(self):
        network, solver = networks.dop_two_bodies()
        hou.setFrame(24)
        lowest = [min(network.simulation().findObject("body%d" % i).geometry().pointFloatAttribValues("P")[1::3])
                  for i in range(2)]
        self.assertGreater(lowest[0], -0.7)
        self.assertGreater(lowest[1], 0.2, "the upper one lies on the lower one")

    def test_dop_resumes_from_a_sim_file(self):
        network, solver = networks.dop_soft_body()
        hou.setFrame(10)
        straight = network.simulation().findObject("body").geometry().pointFloatAttribValues("P")
        folder = tempfile.mkdtemp()
        hou.setFrame(5)
        path = os.path.join(folder, "check.sim")
        hou.hscript("dopsave %s %s" % (network.path(), path))
        self.assertTrue(os.path.getsize(path) > 0)
        network.parm("initialstate").set(path)
        network.parm("startframe").set(5)
        network.parm("resimulate").pressButton()
        hou.setFrame(10)
        again = network.simulation().findObject("body").geometry().pointFloatAttribValues("P")
        self.assertEqual(again, straight)


if __name__ == "__main__":
    unittest.main()
