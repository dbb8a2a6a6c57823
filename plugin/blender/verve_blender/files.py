# SPDX-License-Identifier: MIT
"""The two kinds of files that pass between Blender and the solver: .vtu in, .pc2 both ways."""
import base64
import struct

import numpy as np

POLYGON, POLY_LINE = 7, 4
HEAD = struct.Struct("<12siiffi")


def write_vtu(path, points, cells, cell_type, attributes):
    """`cells` are arrays of corners; `attributes` have a number for each point."""
    def array(name, kind, values, components=1):
        data = np.ascontiguousarray(values).tobytes()
        text = base64.b64encode(struct.pack("<I", len(data)) + data).decode()
        return (f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" format="binary">'
                f"{text}</DataArray>\n")
    corners = np.concatenate(cells).astype("<i8") if cells else np.zeros(0, "<i8")
    ends = np.cumsum([len(cell) for cell in cells]).astype("<i8")
    with open(path, "w", encoding="ascii") as file:
        file.write('<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian" '
                   'header_type="UInt32">\n<UnstructuredGrid>\n'
                   f'<Piece NumberOfPoints="{len(points)}" NumberOfCells="{len(cells)}">\n<Points>\n'
                   + array("Points", "Float64", points.astype("<f8"), 3) + "</Points>\n<Cells>\n"
                   + array("connectivity", "Int64", corners) + array("offsets", "Int64", ends)
                   + array("types", "UInt8", np.full(len(cells), cell_type, np.uint8)) + "</Cells>\n<PointData>\n"
                   + "".join(array(name, "Float64", np.asarray(values, "<f8")) for name, values in attributes.items())
                   + "</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n")


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
