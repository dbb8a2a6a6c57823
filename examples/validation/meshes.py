"""Blocks of tets in any shape that a cube can be bent to, as .mesh files, and rings of cloth as .vtu files."""
import math
from dataclasses import dataclass
from itertools import permutations


@dataclass(frozen=True)
class Block:
    """A block of cells, six tets each, mirrored from cell to cell as the program's own. `place` bends the unit cube."""
    cells: tuple

    def place(self, u, v, w):
        raise NotImplementedError

    round = False  # whether u = 1 is u = 0
    suffix = ".mesh"

    def write(self, path):
        nx, ny, nz = self.cells
        columns = nx if self.round else nx + 1
        points = [self.place(i / nx, j / ny, k / nz) for i in range(columns) for j in range(ny + 1) for k in range(nz + 1)]

        def index(i, j, k):
            return (i % columns * (ny + 1) + j) * (nz + 1) + k
        tets = []
        for i in range(nx):
            for j in range(ny):
                for k in range(nz):
                    for walk in permutations(range(3)):
                        mirrored = (i % 2, j % 2, k % 2)
                        at = [c + m for c, m in zip((i, j, k), mirrored)]
                        tet = [index(*at)]
                        for axis in walk:
                            at[axis] += -1 if mirrored[axis] else 1
                            tet.append(index(*at))
                        tets.append(upright(tet, points))
        lines = ["MeshVersionFormatted 2", "Dimension 3", "Vertices", str(len(points))]
        lines += [f"{x!r} {y!r} {z!r} 0" for x, y, z in points]
        lines += ["Tetrahedra", str(len(tets))] + [" ".join(str(p + 1) for p in t) + " 0" for t in tets] + ["End"]
        path.write_text("\n".join(lines) + "\n")


def upright(tet, points):
    """The tet with a positive volume."""
    o, a, b, c = (points[i] for i in tet)
    x, y, z = ([q - p for p, q in zip(o, corner)] for corner in (a, b, c))
    volume = (x[0] * (y[1] * z[2] - y[2] * z[1]) - x[1] * (y[0] * z[2] - y[2] * z[0]) + x[2] * (y[0] * z[1] - y[1] * z[0]))
    return tet if volume > 0 else [tet[0], tet[2], tet[1], tet[3]]


@dataclass(frozen=True)
class Beam(Block):
    """Turek and Hron's: 0.35 x 0.02 m on a cylinder's arc around (0.2, 0.2), thick along z."""
    thick: float

    def place(self, u, v, w):
        y = 0.02 * (v - 0.5)
        arc = math.sqrt(0.05 ** 2 - y * y)
        return 0.2 + arc + u * (0.4 - arc), 0.2 + y, self.thick * (w - 0.5)


@dataclass(frozen=True)
class Cook(Block):
    """Cook's membrane: (0, 0), (48, 44), (48, 60), (0, 44)."""
    thick: float

    def place(self, u, v, w):
        return 48 * u, 44 * u + v * (44 - 28 * u), self.thick * (w - 0.5)


@dataclass(frozen=True)
class Ring(Block):
    """Around z, of a square section."""
    radius: float
    thick: float
    round = True

    def place(self, u, v, w):
        r = self.radius + self.thick * (v - 0.5)
        return r * math.cos(2 * math.pi * u), r * math.sin(2 * math.pi * u), self.thick * (w - 0.5)


@dataclass(frozen=True)
class Annulus:
    """A ring of cloth around y, held where it lies on a disc: its points lie on circles, each with `sides` more than the
    one before it. Two of those circles are half a spacing inside and outside the disc's edge. It starts with small waves."""
    rings: int
    sides: int
    inner: float
    outer: float
    kind: int  # of waves

    suffix = ".vtu"

    def circles(self):
        """[(radius, points)] from inside."""
        h = (self.outer - self.inner) / (self.rings + 0.5)
        radii = [self.inner + (k - 0.5) * h for k in range(self.rings + 2)]
        first = round(2 * math.pi * radii[0] / (h * self.sides))
        return [(r, self.sides * (first + k)) for k, r in enumerate(radii)]

    def held(self):
        return list(range(sum(count for _, count in self.circles()[:2])))

    def points(self):
        return [(r * math.cos(2 * math.pi * j / n), 0.0, r * math.sin(2 * math.pi * j / n))
                for r, n in self.circles() for j in range(n)]

    def triangles(self):
        found, first = [], 0
        counts = [n for _, n in self.circles()]
        for a, b in zip(counts, counts[1:]):
            i = j = 0
            while i < a or j < b:
                if j == b or (i < a and (i + 1) * b < (j + 1) * a):
                    found.append((first + i % a, first + (i + 1) % a, first + a + j % b))
                    i += 1
                else:
                    found.append((first + i % a, first + a + (j + 1) % b, first + a + j % b))
                    j += 1
            first += a
        return found

    def waves(self, p):
        """Of 2 mm in all shapes from two to eight folds."""
        share = (math.hypot(p[0], p[2]) - self.inner) / (self.outer - self.inner)
        angle = math.atan2(p[2], p[0])
        return 0.002 * share ** 2 * sum(math.cos(k * angle + 1.7 * self.kind * k * k) for k in range(2, 9))

    def write(self, path):
        rest, triangles, held = self.points(), self.triangles(), set(self.held())
        start = [p if i in held else (p[0], self.waves(p), p[2]) for i, p in enumerate(rest)]

        def array(kind, name, rows, components=1):
            text = "\n".join(" ".join(repr(v) for v in row) for row in rows)
            return f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" format="ascii">\n{text}\n</DataArray>'
        path.write_text(f"""<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian"><UnstructuredGrid>
<Piece NumberOfPoints="{len(rest)}" NumberOfCells="{len(triangles)}">
<Points>{array("Float64", "points", start, 3)}</Points>
<PointData>{array("Float64", "rest", rest, 3)}</PointData>
<Cells>{array("Int64", "connectivity", triangles)}
{array("Int64", "offsets", [(3 * i + 3,) for i in range(len(triangles))])}
{array("UInt8", "types", [(5,)] * len(triangles))}</Cells>
</Piece></UnstructuredGrid></VTKFile>
""")
