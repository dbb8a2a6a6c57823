"""Reads a .vtu with meshio and compares it with what was written.

python3 check_vtu.py EXPECTED.json FRAME FILE.vtu    (EXPECTED.json as for check_point_cache.py). Exits 1 if it differs.
"""
import json
import sys

import meshio
import numpy

expected_file, frame, path = sys.argv[1:]
mesh = meshio.read(path)
expected = numpy.array(json.load(open(expected_file))[frame], dtype=numpy.float32).reshape(-1, 3)
counts = {block.type: len(block.data) for block in mesh.cells}
print(counts, sorted(mesh.point_data), sorted(mesh.cell_data))
same = numpy.array_equal(mesh.points, expected)
complete = counts.get("tetra") == 1 and counts.get("triangle") == 1 and "v" in mesh.point_data and "stress" in mesh.cell_data
sys.exit(0 if same and complete else 1)
