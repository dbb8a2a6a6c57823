"""Run inside Blender with the add-on installed: bakes, cancels, resumes, and compares with the command line.

blender -b --python check_addon.py -- FOLDER
"""
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import numpy as np
import scene as test_scene
from verve_blender import baking, files, looks, sampling, table

FOLDER = pathlib.Path(sys.argv[sys.argv.index("--") + 1])
LAST = 20


def world_points(thing):
    """As shown, without what stands after the Verve modifier."""
    names = [m.name for m in thing.modifiers]
    after = list(thing.modifiers)[names.index("Verve") + 1:]
    shown = [m.show_viewport for m in after]
    for m in after:
        m.show_viewport = False
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    points = np.array([evaluated.matrix_world @ v.co for v in mesh.vertices])
    for m, value in zip(after, shown):
        m.show_viewport = value
    return points


def check(condition, what):
    print(("ok: " if condition else "FAILED: ") + what, flush=True)
    if not condition:
        sys.exit(1)


bpy.ops.wm.read_homefile(use_empty=True)
scene, monkey, cloth, ball = test_scene.build(LAST)
check([m.type for m in monkey.modifiers] == ["MESH_CACHE", "SUBSURF"], "the cache is played before the smoothing")
check(scene.verve.bl_rna.properties["integrator__type"].description == table.rows["integrator.type"]["help"],
      "the panel's tooltips are the table's")

# A problem is told in one sentence, and nothing is changed.
scene.verve.folder = "//verve_cache"
check(bpy.data.filepath == "" and baking.has_checkpoint(scene) is False, "an unsaved file has no cache")
try:
    bpy.ops.verve.bake()
    check(False, "baking an unsaved file is refused")
except RuntimeError as error:
    check("save the .blend first" in str(error) and "save the .blend first" in baking.said[scene.name][0],
          "baking an unsaved file is refused in the panel")
bpy.ops.wm.save_as_mainfile(filepath=str(FOLDER / "test.blend"))
cloth.verve.pin_group = "pinz"
try:
    bpy.ops.verve.bake()
    check(False, "a group that is not there is refused")
except RuntimeError:
    check(baking.said[scene.name][0] == "Cloth: there is no vertex group 'pinz'", "a group that is not there is named")
cloth.verve.pin_group = "pins"
check(not baking.running and scene.frame_current == 1, "a refused bake leaves nothing behind")
cloth.verve.cloth_preset = "silk"
cloth.data.vertices[7].co.x = float("nan")
try:
    bpy.ops.verve.bake()
    check(False, "a broken mesh is refused")
except RuntimeError:
    check(baking.said[scene.name][0] == "Cloth: point 7 has a position that is not a number at frame 1",
          "a broken mesh is refused")
cloth.data.vertices[7].co.x = cloth.data.vertices[6].co.x
try:
    bpy.ops.verve.bake()
    check(False, "a mesh that the solver cannot take is refused")
except RuntimeError:
    check(baking.said[scene.name][0].startswith("Cloth: triangle 12 (points 6 7 26) is flat"), "the solver's own sentence is shown: " + baking.said[scene.name][0])
cloth.data.vertices[7].co.x = cloth.data.vertices[6].co.x + 1.2 / 18

# Bake, cancel in the middle, resume. On a busy machine the program may be done before Blender looks again.
for attempt in range(5):
    bake = baking.Bake(scene)
    while bake.step() and files.read_head(bake.run / "bake.Cloth.pc2")[1] < 5:
        time.sleep(0.01)
    bake.step()
    if bake.state == "running":
        break
check(bake.state == "running" and "left" in bake.message, "progress is told: " + bake.message)
scene.frame_set(4)
check(np.abs(world_points(monkey)[:, 2].mean() - 1.1) > 0.01, "results show while it runs")
bake.cancel()
check(bake.state == "cancelled" and not baking.running, "it is cancelled at once")
bake.wait()
partial = files.read_head(bake.run / "bake.Cloth.pc2")[1]
check(5 <= partial < LAST and baking.has_checkpoint(scene), f"cancelled at frame {partial}, to be resumed")

# A program that dies does not leave the scene stuck.
dying = FOLDER / "dying.sh"
dying.write_text("#!/bin/sh\nkill -9 $$\n")
dying.chmod(0o755)
scene.verve.program = str(dying)
bake = baking.Bake(scene, resume=True)
while bake.step():
    time.sleep(0.01)
scene.verve.program = ""
check(bake.state == "failed" and not baking.running, "a killed program is told: " + bake.message)

bpy.ops.verve.bake(resume=True)
check(baking.said[scene.name][0] == "baked", "resumed to the end")
run = baking.cache_folder(scene) / "run"

# The command line bakes the same scene file; played back vertices are its own.
subprocess.run([baking.program(scene), "run", str(baking.cache_folder(scene) / "scene.json"), "--out",
                str(FOLDER / "command"), "--quiet"], check=True, stderr=subprocess.DEVNULL)
worst = 0.0
for thing in (monkey, cloth):
    points, count = files.read_head(FOLDER / "command" / f"bake.{thing.name}.pc2")
    check(count == LAST and points == len(thing.data.vertices), f"{thing.name}: every frame of every point is there")
    frames = files.read_frames(FOLDER / "command" / f"bake.{thing.name}.pc2", 0, count, points)
    for frame in range(1, LAST + 1):
        scene.frame_set(frame)
        worst = max(worst, np.abs(world_points(thing) - frames[frame - 1]).max())
check(worst < 1e-6, f"played back as the command line has it, to {worst:.2g} m")

scene.frame_set(LAST)
pinned = [v.index for v in cloth.data.vertices if v.groups]
check(len(pinned) == 19 and np.abs(world_points(cloth)[pinned, 2] - 1.6).max() < 1e-6, "pins hold")
check(world_points(cloth)[:, 2].min() < 1.5, "the rest of the cloth hangs")
drift = world_points(cloth)[:, 0].mean() - 1.4  # all else is the same to the left and to the right
check(drift > 0.005, f"the wind blows it to the right by {drift:.3f}")
check(world_points(monkey)[:, 2].min() > -0.05 and world_points(monkey)[:, 2].mean() < 0.7, "the monkey lies on the floor")
ball_frames = files.read_frames(baking.cache_folder(scene) / "Ball.animation.pc2", 0, LAST, len(ball.data.vertices))
check(abs(ball_frames[-1][:, 2].mean() - ball_frames[0][:, 2].mean() - 0.45) < 1e-5, "the collider's animation is baked in")

# Looks.
bpy.ops.verve.colour(quantity="stress")
colours = np.empty(4 * len(monkey.data.vertices), np.float32)
monkey.data.color_attributes["Verve"].data.foreach_get("color", colours)
check(np.ptp(colours.reshape(-1, 4)[:, 0]) > 0.2, "stress is a colour attribute")
touched = looks.read_quantity(scene, LAST, "contact")
check(0 < touched.sum() < len(touched), "contact is known")
bpy.context.view_layer.objects.active = monkey
monkey.modifiers["Smooth"].show_viewport = False
bpy.ops.verve.select_intersecting()
monkey.modifiers["Smooth"].show_viewport = True
bpy.ops.verve.page()
check((run / "view.html").exists(), "the page of the bake is written")
bpy.ops.verve.export(filepath=str(FOLDER / "bake.usda"))
bpy.ops.verve.export(filepath=str(FOLDER / "bake.obj"))
check((FOLDER / "bake.usda").exists() and (FOLDER / f"bake.{LAST:04d}.obj").exists(), "exported to USD and OBJ")

# Shape keys move a copy without the cache.
bpy.context.view_layer.objects.active = cloth
scene.frame_set(9)
shown = world_points(cloth)
bpy.ops.verve.shape_keys()
check(len(cloth.data.shape_keys.key_blocks) == LAST + 1, "a shape key a frame")
scene.frame_set(9)
check(np.abs(world_points(cloth) - shown).max() < 1e-6, "shape keys show the same")
cloth.shape_key_clear()
cloth.modifiers["Verve"].show_viewport = cloth.modifiers["Verve"].show_render = True
scene.frame_set(LAST)
np.save(FOLDER / "last.npy", np.concatenate([world_points(monkey), world_points(cloth)]))
bpy.ops.wm.save_as_mainfile(filepath=str(FOLDER / "test.blend"))
check((FOLDER / "test.blend").stat().st_size < 3e6, "the .blend holds settings, not frames")
print("all is well")
