"""Run inside Blender on the saved file: it plays without the bake being made again, and Free Bake gives the mesh back.

blender -b FOLDER/test.blend --python check_reopened.py -- FOLDER
"""
import pathlib
import sys

import bpy
import numpy as np

FOLDER = pathlib.Path(sys.argv[sys.argv.index("--") + 1])
scene = bpy.context.scene


def shown():
    scene.frame_set(scene.frame_end)
    found = []
    for name in ("Monkey", "Cloth"):
        thing = bpy.data.objects[name]
        if "Smooth" in thing.modifiers:
            thing.modifiers["Smooth"].show_viewport = False
        evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        found.append([evaluated.matrix_world @ v.co for v in evaluated.to_mesh().vertices])
    return np.concatenate(found)


error = np.abs(shown() - np.load(FOLDER / "last.npy")).max()
print("reopened: largest error", error)
bpy.ops.verve.free()
left = (FOLDER / "verve_cache" / "Scene").exists()
rest = shown()[:len(bpy.data.objects["Monkey"].data.vertices), 2].mean()
print("freed: folder left", left, "mean height", rest)
sys.exit(0 if error < 1e-6 and not left and rest > 1.0 else 1)
