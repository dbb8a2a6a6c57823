"""Blender itself is killed in the middle of a bake: the program ends, and the file goes on from the checkpoint.

blender -b --python check_crash.py -- FOLDER begin     dies by itself
blender -b FOLDER/crash.blend --python check_crash.py -- FOLDER end
"""
import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import installed
import scene as test_scene
from verve_blender import baking, files
from verve_blender.operators import call_program

FOLDER, part = sys.argv[sys.argv.index("--") + 1:]
FOLDER, LAST = pathlib.Path(FOLDER), 25


def check(condition, what):
    print(("ok: " if condition else "FAILED: ") + what, flush=True)
    if not condition:
        sys.exit(1)


if part == "begin":
    bpy.ops.wm.read_homefile(use_empty=True)
    scene, _, cloth, _ = test_scene.build(LAST)
    scene.verve.folder = "//crash"
    bpy.ops.wm.save_as_mainfile(filepath=str(FOLDER / "crash.blend"))
    bake = baking.Bake(scene)
    while bake.step() and files.read_head(bake.run / "bake.Cloth.pc2")[1] < 12:
        time.sleep(0.01)
    (FOLDER / "crash.pid").write_text(str(bake.process.pid))
    check(bake.state == "running", "killed while it bakes: " + bake.message)
    os.kill(os.getpid(), signal.SIGKILL)

scene = bpy.context.scene
pid = int((FOLDER / "crash.pid").read_text())
for attempt in range(100):
    state = pathlib.Path(f"/proc/{pid}/stat")
    if not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] == "Z":
        break
    time.sleep(0.1)
else:
    check(False, "the program ends without Blender")
run = baking.cache_folder(scene) / "run"
there = files.read_head(run / "bake.Cloth.pc2")[1]
check(baking.has_checkpoint(scene) and 12 <= there < LAST, f"{there} frames were left, to go on from")
bpy.ops.verve.bake(resume=True)
check(baking.said[scene.name][0] == "baked", "it goes on after the crash")
call_program(scene, "run", str(baking.cache_folder(scene) / "scene.json"), "--out",
             str(FOLDER / "unbroken"), "--quiet")
for name in ("Cloth", "Monkey"):
    one, other = (folder / f"bake.{name}.pc2" for folder in (run, FOLDER / "unbroken"))
    check(one.read_bytes() == other.read_bytes(), f"{name} is what an unbroken bake gives, to the byte")
print("the crash is over")
