"""The code that the assets Verve Tet Cage and Verve Embed hand to a wrangle, run."""
import os
import random
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path[:0] = [HERE]
import vex

OTLS = os.path.join(HERE, "..", "..", "..", "otls", "verve.hda", "verve_8_8Sop_1")


def code_of(asset, **values):
    with open(OTLS + asset + "/PythonCook", encoding="utf-8") as file:
        code = re.search(r'CODE = """(.*?)"""', file.read(), re.S).group(1)
    for name, value in values.items():
        code = code.replace('chf("%s")' % name, repr(float(value)))
    return code


def box(low, high, open_side=None):
    """Triangles that face out; `open_side` (axis, 0 or 1) is left out."""
    points = [[(low, high)[i >> k & 1][k] for k in range(3)] for i in range(8)]
    triangles = []
    for axis in range(3):
        for end in (0, 1):
            if (axis, end) == open_side:
                continue
            a, b = (axis + 1) % 3, (axis + 2) % 3
            corner = [(end << axis) + (i << a) + (j << b) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
            if end == 0:
                corner.reverse()
            triangles += [[corner[0], corner[1], corner[2]], [corner[0], corner[2], corner[3]]]
    return points, triangles


def merged(*surfaces):
    points, triangles = [], []
    for p, t in surfaces:
        triangles += [[i + len(points) for i in one] for one in t]
        points += p
    return points, triangles


def determinant(a, b, c, d):
    u, v, w = ([p[k] - a[k] for k in range(3)] for p in (b, c, d))
    return (u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0]))


class Cage:
    programs = {}

    def __init__(self, surface, size, most=1e6):
        if (size, most) not in Cage.programs:
            Cage.programs[size, most] = vex.Program(code_of("tetcage", size=size, maxcells=most))
        points, triangles = surface
        out = Cage.programs[size, most].run([{}, {"points": {"P": points}, "triangles": triangles}])
        self.error = " ".join(out["error"][0]) if "error" in out else ""
        self.points = [[float(v) for v in p] for p in out.get("point", [])]
        self.tets = [[int(v) for v in t] for t in out.get("tet", [])]
        self.details = {name: [float(v) for v in values] for name, *values in out.get("detail", [])}

    def volumes(self):
        return [-determinant(*(self.points[i] for i in t)) / 6 for t in self.tets]


class TetCage(unittest.TestCase):
    def test_tets_are_wound_as_houdini_has_them_and_fill_the_body(self):
        cage = Cage(box((0, 0, 0), (2, 1.5, 1)), 0.25)
        self.assertTrue(all(abs(v - 0.25 ** 3 / 6) < 1e-6 for v in cage.volumes()))
        self.assertGreaterEqual(sum(cage.volumes()), 2 * 1.5 * 1)
        self.assertLessEqual(sum(cage.volumes()), 3 * 2.5 * 2, "no more than a layer of cells around it")
        self.assertEqual(len(set(map(tuple, cage.points))), len(cage.points), "cells share their corners")

    def test_the_inside_is_filled_and_what_lies_between_bodies_is_not(self):
        # Between them a ray along x meets one wall only, since the second body is open there.
        cage = Cage(merged(box((0, 0, 0), (1.5, 1.5, 1.5)), box((4, 0, 0), (5.5, 1.5, 1.5), (0, 0))), 0.25)
        middle = lambda x: [t for t in cage.tets if max(abs(cage.points[i][k] - (x, 0.75, 0.75)[k]) for i in t for k in range(3)) < 0.4]
        self.assertTrue(middle(0.75) and middle(4.75))
        self.assertFalse(middle(2.75))
        self.assertTrue(all(p[0] < 2.1 or p[0] > 3.4 for p in cage.points))

    def test_a_hole_does_not_empty_it(self):
        whole = Cage(box((0, 0, 0), (2, 2, 2)), 0.25)
        for side in ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)):
            holed = Cage(box((0, 0, 0), (2, 2, 2), side), 0.25)
            # What lies deep inside is still there: one ray of three goes through the hole.
            deep = lambda cage: {tuple(sorted(tuple(cage.points[i]) for i in t)) for t in cage.tets
                                 if all(0.45 < v < 1.55 for i in t for v in cage.points[i])}
            self.assertTrue(deep(whole))
            self.assertEqual(deep(holed), deep(whole), side)

    def test_too_many_cells_are_refused(self):
        self.assertIn("raise Size or Most Cells", Cage(box((0, 0, 0), (2, 2, 2)), 0.25, 100).error)


class Embed(unittest.TestCase):
    program = None

    def embed(self, surface, cage, moved, speed=(0.0, 0.0, 0.0)):
        Embed.program = Embed.program or vex.Program(code_of("embed"))
        return Embed.program.run([{"points": {"P": surface}}, {"points": {"P": cage.points}, "details": cage.details},
                                  {"points": {"P": moved, "v": [speed] * len(moved)}}])

    def test_the_surface_goes_along_with_the_cage(self):
        cage = Cage(box((0, 0, 0), (2, 1.5, 1)), 0.25)
        numbers = random.Random(7)
        surface = [[numbers.uniform(0, s) for s in (2, 1.5, 1)] for _ in range(400)] + [[0, 0, 0], [2, 1.5, 1]]
        matrix = [[1.1, 0.3, -0.2], [-0.4, 0.9, 0.1], [0.2, -0.1, 1.3]]
        affine = lambda p: [sum(m * v for m, v in zip(row, p)) + 5 for row in matrix]
        for move in (list, affine):  # as it stands, and stretched, sheared and away
            out = self.embed(surface, cage, [move(p) for p in cage.points], (1.0, 2.0, 3.0))
            self.assertEqual(len(out["P"]), len(surface))
            for (number, *place), point in zip(out["P"], surface):
                self.assertEqual(surface[int(number)], point)
                for got, wanted in zip(place, move(point)):
                    self.assertAlmostEqual(float(got), wanted, delta=4e-6)  # some roundings at 8 m
            for _, *speed in out["v"]:
                for got, wanted in zip(speed, (1, 2, 3)):
                    self.assertAlmostEqual(float(got), wanted, delta=1e-6)
        self.assertEqual(dict((name, int(count)) for name, count in out["read"])["cage_points"], 1, "read once for all points")

    def test_no_point_goes_further_than_the_corners_around_it(self):
        cage = Cage(box((0, 0, 0), (2, 1.5, 1)), 0.25)
        numbers = random.Random(11)
        surface = [[numbers.uniform(0, s) for s in (2, 1.5, 1)] for _ in range(400)]
        moved = [[v + numbers.uniform(0, 1) for v in p] for p in cage.points]
        for (_, *place), point in zip(self.embed(surface, cage, moved)["P"], surface):
            for got, start in zip(place, point):
                self.assertTrue(-1e-6 < float(got) - start < 1 + 1e-6)

    def test_a_point_outside_is_named(self):
        cage = Cage(merged(box((0, 0, 0), (1, 1, 1)), box((4, 0, 0), (5, 1, 1))), 0.25)
        out = self.embed([[0.5, 0.5, 0.5], [2.6, 0.5, 0.5]], cage, cage.points)
        self.assertIn("point 1 of the surface lies outside", " ".join(out["error"][0]))


if __name__ == "__main__":
    unittest.main()
