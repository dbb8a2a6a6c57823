"""Blocks of tets in any shape that a cube can be bent to, as .mesh files."""
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
