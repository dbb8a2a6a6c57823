"""The Python of assets, shelf and examples, run against the stand-in in hou.py. Houdini itself runs tests/houdini."""
import os
import re
import sys
import unittest
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "..", "examples", "houdini")]
import hou
import networks


def block():
    geometry = hou.Geometry([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    geometry.groups = {"pole": [0, 2], "tip": [3]}
    return geometry


def upstream(node, found=None):
    found = [] if found is None else found
    for source in node.inputs():
        if source is not None and source not in found:
            found.append(source)
            upstream(source, found)
    return found


class Examples(unittest.TestCase):
    def setUp(self):
        hou._objects._children.clear()

    def kinds(self, solver):
        return [n.kind for n in upstream(solver)]

    def test_stairs(self):
        for surface in (None, "hare.obj"):
            solver = networks.soft_body_on_stairs(surface=surface)
            self.assertIn("testgeometry_rubbertoy" if surface is None else "file", self.kinds(solver))
            self.assertIn("verve::tetcage", self.kinds(solver))
            self.assertEqual(len(solver.inputs()[2].inputs()), 5)
            shown = [n for n in solver.parent().children() if n.displayed]
            self.assertEqual([n.kind for n in shown], ["verve::embed"])
            self.assertEqual(shown[0].inputs()[2], solver)

    def test_flag(self):
        solver = networks.flag()
        pole = next(n for n in upstream(solver) if n.kind == "xform")
        self.assertEqual(set(pole.expressions), {"tx", "ry"})
        configure = solver.inputs()[0]
        self.assertEqual(configure.values["pingroup"], "pole")

    def test_twisted_bar(self):
        solver = networks.twisted_bar()
        self.assertEqual(solver.values["gravityy"], 0.0)
        rest = [n.kind for n in upstream(solver)]
        self.assertLess(rest.index("attribwrangle"), rest.index("verve::configure"), "rest is kept before the twist")

    def test_jelly_on_the_ground(self):
        solver = networks.jelly_on_the_ground()
        self.assertEqual((solver.values["softpreset"], solver.values["groundplane"]), ("jelly", 1))
        self.assertEqual(self.kinds(solver), ["verve::tetcage", "box"])

    def test_balloon(self):
        solver = networks.balloon()
        self.assertEqual(self.kinds(solver), ["sphere"])
        self.assertEqual((solver.values["dopressure"], solver.values["gasamount"]), ("isothermal", 2.0))

    def test_torn_banner(self):
        solver = networks.torn_banner(cells=5)
        cloth, stitches = solver.inputs()
        self.assertEqual(stitches.inputs(), (cloth,), "the second input has the points of the first")
        self.assertEqual(cloth.values["pingroup"], "pole")
        self.assertIn("int rows = 5;", stitches.values["snippet"])
        written = re.findall(r'setprimattrib\(0, "(\w+)"', stitches.values["snippet"])
        with open(os.path.join(hou.ROOT, "solver", "node", "LinkAttributes.cpp"), encoding="utf-8") as file:
            read = file.read()
        for name in written:
            self.assertIn('"%s"' % name, read)
        self.assertEqual(sorted(written), ["breakthreshold", "breaktype", "dampingratio", "stiffness", "type"])

    def test_saved_to_disk(self):
        solver = networks.saved_to_disk("/tmp/frames")
        self.assertEqual([solver.values[n] for n in ("cachefolder", "cachename", "endframe", "checkpointevery")],
                         ["/tmp/frames", "jelly", 48, 12])
        self.assertIsNotNone(solver.parm("savetodisk"))
        self.assertIsNotNone(solver.parm("loadfromdisk"))

    def test_two_bodies_affect_each_other(self):
        network, solver = networks.dop_two_bodies()
        merge = next(n for n in network.children() if n.kind == "merge")
        self.assertEqual(merge.values["affectortype"], 2)
        self.assertEqual([n.inputs()[1] for n in merge.inputs()], [solver, solver], "one solver for both")
        paths = [n.values["soppath"] for n in network.children() if "soppath" in n.values]
        self.assertEqual(len(set(paths)), 2)

    def test_every_network_can_be_built_by_name(self):
        sys.modules.pop("build", None)
        import build
        made = {f.__name__ for f in build.BUILDERS.values()}
        public = {n for n, f in vars(networks).items() if callable(f) and not n.startswith("_")}
        self.assertEqual(made, public)

    def test_those_of_hython_are_the_networks_of_here(self):
        with open(os.path.join(hou.ROOT, "tests", "houdini", "test_nodes.py"), encoding="utf-8") as file:
            text = file.read()
        compile(text, "test_nodes.py", "exec")
        for name, arguments in re.findall(r"networks\.(\w+)\(([^()]*)\)", text):
            hou._objects._children.clear()
            given = eval("dict(%s)" % re.sub(r"\bfolder\b(?!=)", "'/tmp'", arguments))  # keywords only
            getattr(networks, name)(**given)
        self.assertEqual(set(re.findall(r"networks\.(\w+)\(", text)),
                         {n for n, f in vars(networks).items() if callable(f) and not n.startswith("_")} - {"damping_wedge"},
                         "each is cooked by a test for hython")

    def test_wedge(self):
        solver = networks.damping_wedge()
        self.assertEqual(solver.expressions["delta"], "@delta")
        cache = next(n for n in solver.parent().children() if n.kind == "filecache::2.0")
        self.assertEqual(cache.inputs(), (solver,))
        self.assertIn("`@wedgeindex`", cache.values["file"])
        tops = hou.node("/obj").node("wedges")
        wedge, fetch = tops.children()
        self.assertEqual(wedge.values["name1"], "delta")
        self.assertEqual(wedge.values["floatrange1"], (0.0, 0.03))
        self.assertEqual(fetch.values["roppath"], cache.path() + "/render")
        self.assertEqual(fetch.values["batchall"], 1, "a simulation is one task")

    def test_dop(self):
        network, solver = networks.dop_soft_body()
        merge = next(n for n in network.children() if n.kind == "merge")
        self.assertEqual([n.kind for n in merge.inputs()], ["staticobject", "applydata"], "the left one affects the right")
        self.assertEqual(merge.inputs()[1].inputs()[1], solver)
        output = next(n for n in network.children() if n.kind == "output")
        self.assertIn(merge, upstream(output))
        for soppath in [n.values["soppath"] for n in network.children() if "soppath" in n.values]:
            self.assertTrue(soppath.startswith("/obj/"), soppath)


class Shelf(unittest.TestCase):
    def test_tools_build_networks_from_what_is_selected(self):
        path = os.path.join(HERE, "..", "..", "..", "plugin", "houdini", "toolbar", "verve.shelf")
        tools = xml.etree.ElementTree.parse(path).getroot().findall("tool")
        self.assertEqual(len(tools), 2)
        for tool in tools:
            hou._objects._children.clear()
            parent = hou.node("/obj").createNode("geo", "made")
            chosen = parent.createNode("box")
            box = type("Box", (), {"minvec": lambda self: (0.0, 0.0, 0.0)})
            chosen.geo = type("Geo", (), {"boundingBox": lambda self: box()})()
            hou._selected[:] = [chosen]
            exec(compile(tool.find("script").text, tool.get("name"), "exec"), {})
            solver = next(n for n in parent.children() if n.kind == "verve::solver")
            self.assertIn(chosen, upstream(solver), tool.get("name"))
            self.assertEqual(len([n for n in parent.children() if n.displayed]), 1)


    def test_nothing_selected_is_said(self):
        path = os.path.join(HERE, "..", "..", "..", "plugin", "houdini", "toolbar", "verve.shelf")
        root = xml.etree.ElementTree.parse(path).getroot()
        self.assertEqual([m.get("name") for m in root.find("shelfSet").findall("memberToolshelf")],
                         [root.find("toolshelf").get("name")])
        for tool in root.findall("tool"):
            for nothing in ([], [object()]):
                hou._selected[:] = nothing
                hou.ui.said.clear()
                exec(compile(tool.find("script").text, tool.get("name"), "exec"), {})
                self.assertEqual(len(hou.ui.said), 1, tool.get("name"))
                self.assertIn("Select the SOP", hou.ui.said[0])


class Assets(unittest.TestCase):
    def test_they_are_found_in_the_viewer_too(self):
        for asset in hou.ASSETS:
            tool = xml.etree.ElementTree.fromstring(
                hou._read("otls", "verve.hda", hou.PREFIX + asset, "Tools.shelf").encode()).find("tool")
            self.assertEqual({c.get("name") for c in tool.findall("toolMenuContext")}, {"network", "viewer"}, asset)

    def test_fields_for_groups_have_menus(self):
        script = hou._read("otls", "verve.hda", hou.PREFIX + "configure", "DialogScript")
        fields = [block for block in script.split("    parm {")
                  if re.search(r'name +"\w+group"', block) and '"collisiongroup"' not in block]
        self.assertEqual(len(fields), 5)
        for field in fields:
            self.assertIn("generateInputGroupMenu(0, (hou.geometryType.Points,)", field)

    def test_there_are_four(self):
        self.assertEqual(sorted(hou.ASSETS), ["configure", "embed", "material", "tetcage"])

    def test_materials_differ_and_multiply(self):
        seen = set()
        for preset in ("rubber", "jelly", "flesh", "foam", "silk", "cotton", "denim", "wool", "leather", "paper", "rubber_sheet", "steel_rod"):
            out = hou.cook("material", [block()], preset=preset, density=2.0)
            plain = hou.cook("material", [block()], preset=preset)
            self.assertEqual(out.points["massdensity"][3], 2 * plain.points["massdensity"][3])
            values = tuple(plain.points[n][0] for n in ("stiffness", "massdensity", "dampingratio", "friction"))
            self.assertTrue(all(v > 0 for v in values), preset)
            seen.add(values)
        self.assertEqual(len(seen), 12)

    def test_configure_writes_what_the_solver_reads(self):
        source = block()
        source.addAttrib(hou.attribType.Point, "stiffness", 3.0)
        out = hou.cook("configure", [source], pingroup="pole", targetgroup="tip", targetweight=0.5, stiffness=2.0,
                       velocity=[1.0, 0.0, -1.0], externalgroup="tip", collisiongroup="skin", pscale=0.01)
        self.assertEqual(out.points["pintoanimation"], [1, 0, 1, 0])
        self.assertEqual(out.points["stopped"], [0, 0, 0, 0])
        self.assertEqual(out.points["targetweight"], [0.0, 0.0, 0.0, 0.5])
        self.assertEqual(out.points["stiffness"], [6.0] * 4)
        self.assertEqual(out.points["v"], [1.0, 0.0, -1.0] * 4)
        self.assertEqual(out.points["disableexternal"], [0, 0, 0, 1])
        self.assertEqual(out.points["collisiongroup"], ["skin"] * 4)
        self.assertEqual(out.points["pscale"], [0.01] * 4)
        self.assertEqual(out.points["rest"], out.points["P"])
        again = hou.cook("configure", [out])
        self.assertEqual(again.points["stiffness"], [6.0] * 4, "cooked twice it multiplies by 1")

    def test_cage_and_embed_hand_their_code_to_a_wrangle(self):
        hou.Verb.executed.clear()
        hou.cook("tetcage", [block()], size=0.25)
        name, parms, inputs = hou.Verb.executed.pop()
        self.assertEqual((name, parms["class"]), ("attribwrangle", 0))
        self.assertNotIn("chf(", parms["snippet"])
        self.assertIn("float size = 0.25;", parms["snippet"])
        cage = block()
        with self.assertRaisesRegex(hou.NodeError, "no cage"):
            hou.cook("embed", [block(), cage, block()])
        cage.detail["cage_points"] = []
        with self.assertRaisesRegex(hou.NodeError, "other points"):
            hou.cook("embed", [block(), cage, hou.Geometry([0.0, 0.0, 0.0])])
        hou.cook("embed", [block(), cage, block()])
        name, parms, inputs = hou.Verb.executed.pop()
        self.assertEqual((name, parms["class"], len(inputs)), ("attribwrangle", 0, 3))
        # Rays are asked with a group, as the reference has it; the array of corners is read once, outside of the loop.
        calls = re.findall(r"intersect_all\(([^;]*)\)", hou._read("otls", "verve.hda", hou.PREFIX + "tetcage", "PythonCook"))
        self.assertEqual([call.split(",")[1].strip() for call in calls], ['""'])
        self.assertLess(parms["snippet"].index('"cage_points"'), parms["snippet"].index("for (int pt"))
        # What one writes on the detail the other reads.
        cage_code = hou._read("otls", "verve.hda", hou.PREFIX + "tetcage", "PythonCook")
        written = re.findall(r'setdetailattrib\(0, "(\w+)"', cage_code)
        self.assertEqual(sorted(set(re.findall(r'detail\(1, "(\w+)"', parms["snippet"]))), sorted(written))


if __name__ == "__main__":
    unittest.main()
