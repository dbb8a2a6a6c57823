# SPDX-License-Identifier: MIT
"""The two kinds of files that pass between Blender and the solver: .geo in, .pc2 both ways."""
import json
import struct

import numpy as np

HEAD = struct.Struct("<12siiffi")


def write_geo(path, points, cells, closed, attributes, uv=None):
    """`cells` are arrays of corners, of polygons if `closed` and of open lines if not; `attributes` have a number for each
    point, `uv` two for each corner."""
    def attribute(name, kind, values, size):
        values = np.asarray(values, float).reshape(-1, size).tolist() if size > 1 else [np.asarray(values, float).tolist()]
        return [["scope", "public", "type", "numeric", "name", name, "options", {"type": {"type": "string", "value": kind}}],
                ["size", size, "storage", "fpreal64", "defaults", ["size", 1, "storage", "fpreal64", "values", [0]],
                 "values", ["size", size, "storage", "fpreal64", "tuples" if size > 1 else "arrays", values]]]

    def turned(cell):  # Houdini winds the other way round
        return np.concatenate([cell[:1], cell[:0:-1]]) if closed else cell

    corners = np.concatenate([turned(cell) for cell in cells])
    vertices = []
    if uv is not None:
        places = np.cumsum([0] + [len(cell) for cell in cells])
        order = np.concatenate([turned(np.arange(a, b)) for a, b in zip(places, places[1:])])
        vertices = [attribute("uv", "texturecoord", np.column_stack([uv[order], np.zeros(len(uv))]), 3)]
    sizes = [n for cell in cells for n in (len(cell), 1)]
    file = ["fileversion", "18.5.351", "hasindex", False, "pointcount", len(points), "vertexcount", len(corners),
            "primitivecount", len(cells), "info", {"software": "Verve for Blender"},
            "topology", ["pointref", ["indices", corners.tolist()]],
            "attributes", ["vertexattributes", vertices, "pointattributes",
                           [attribute("P", "point", points, 3)]
                           + [attribute(name, "", values, 1) for name, values in attributes.items()]],
            "primitives", [[["type", "Polygon_run" if closed else "PolygonCurve_run"],
                            ["startvertex", 0, "nprimitives", len(cells), "nvertices_rle", sizes]]]]
    with open(path, "w", encoding="ascii") as out:
        json.dump(file, out)


def write_pc2(path, frames, first):
    """Frames of points (n, 3) from frame `first` on."""
    with open(path, "wb") as file:
        file.write(HEAD.pack(b"POINTCACHE2\0", 1, len(frames[0]), first, 1, len(frames)))
        for points in frames:
            file.write(points.astype("<f4").tobytes())


def read_head(path):
    """Points and whole frames of a .pc2 that may be growing; (0, 0) if it is not there yet."""
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD.size)
    except OSError:
        return 0, 0
    if len(head) < HEAD.size:
        return 0, 0
    _, _, points, _, _, frames = HEAD.unpack(head)
    return points, frames


def read_frames(path, begin, end, points):
    with open(path, "rb") as file:
        file.seek(HEAD.size + begin * points * 12)
        return np.frombuffer(file.read((end - begin) * points * 12), "<f4").reshape(-1, points, 3)


class GrowingCache:
    """A .pc2 whose header counts the frames that are there, so that Blender plays it while it grows."""

    def __init__(self, path, points, first):
        self.path, self.points, self.count = path, points, 0
        with open(path, "wb") as file:
            file.write(HEAD.pack(b"POINTCACHE2\0", 1, points, first, 1, 0))

    def append(self, frames):
        with open(self.path, "r+b") as file:
            file.seek(0, 2)
            for points in frames:
                file.write(points.astype("<f4").tobytes())
            self.count += len(frames)
            file.seek(HEAD.size - 4)
            file.write(struct.pack("<i", self.count))
