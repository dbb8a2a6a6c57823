"""Run inside Blender: plays point caches onto a mesh and compares every frame with what was written.

blender -b --factory-startup --python check_point_cache.py -- EXPECTED.json CACHE.pc2 CACHE.mdd
EXPECTED.json: {"<frame>": [x, y, z, x, y, z, ...], ...}. Exits 1 unless the error is zero.
"""
import json
import struct
import sys

import bpy


def as_float32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def worst_error(path, kind, expected):
    first = min(expected)
    mesh = bpy.data.meshes.new(kind)
    mesh.from_pydata([(0, 0, 0)] * (len(expected[first]) // 3), [], [])
    thing = bpy.data.objects.new(kind, mesh)
    bpy.context.collection.objects.link(thing)
    cache = thing.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = kind
    cache.filepath = path
    cache.frame_start = first
    cache.forward_axis = "POS_Y"
    cache.up_axis = "POS_Z"
    worst = 0
    for frame, positions in expected.items():
        bpy.context.scene.frame_set(frame)
        played = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
        found = [c for vertex in played.vertices for c in vertex.co]
        worst = max([worst] + [abs(a - as_float32(b)) for a, b in zip(found, positions)])
    return worst


expected_file, *caches = sys.argv[sys.argv.index("--") + 1:]
frames = {int(frame): positions for frame, positions in json.load(open(expected_file)).items()}
errors = [worst_error(path, path.rsplit(".", 1)[1].upper(), frames) for path in caches]
print("largest errors:", errors)
sys.exit(0 if errors and max(errors) == 0 else 1)
