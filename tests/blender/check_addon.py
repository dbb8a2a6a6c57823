"""Run inside Blender with the add-on installed: bakes, cancels, resumes, and compares with the command line.

blender -b --python check_addon.py -- FOLDER
"""
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import installed
import numpy as np
import scene as test_scene
from verve_blender import baking, files, looks, sampling, table
from verve_blender.operators import call_program

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
told = " ".join(baking.said[scene.name][1:])
check("Monkey: point" in told and not re.search(r"\d\.\d{5}|\.geo", told), "what was noticed is told in short: " + told)
run = baking.cache_folder(scene) / "run"

# The command line bakes the same scene file; played back vertices are its own.
call_program(scene, "run", str(baking.cache_folder(scene) / "scene.json"), "--out",
             str(FOLDER / "command"), "--quiet")
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
values = looks.read_quantity(scene, LAST, "stress")
check(len(values) == len(monkey.data.vertices) + len(cloth.data.vertices), "it has a number for each point of each body")
order = np.argsort(values[:len(monkey.data.vertices)])
check(colours.reshape(-1, 4)[order[-1], 0] > 0.84 and colours.reshape(-1, 4)[order[0], 2] > 0.75,
      "where it is largest is red, where it is least is blue")
bpy.ops.verve.colour(quantity="energydensity")
energy = np.empty(4 * len(monkey.data.vertices), np.float32)
monkey.data.color_attributes["Verve"].data.foreach_get("color", energy)
check(np.abs(energy - colours).max() > 0.05 and len(monkey.data.color_attributes) == 1, "energy takes its place when asked for")
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
shown = np.concatenate([world_points(monkey), world_points(cloth)])
words = [line.split() for line in (FOLDER / f"bake.{LAST:04d}.obj").read_text().splitlines()]
points = np.array([word[1:] for word in words if word and word[0] == "v"], float)
check(len(list(FOLDER.glob("bake.*.obj"))) == LAST and points.shape == shown.shape and
      np.abs(points[:, [0, 2, 1]] * (1, -1, 1) - shown).max() < 1e-6, "an .obj has what is shown, y up")
check(sum(word[0] == "f" for word in words if word) == len(monkey.data.polygons) + 2 * len(cloth.data.polygons),
      "with the polygons of the soft body and the triangles of the cloth")
if bpy.app.build_options.usd:
    before = set(bpy.data.objects)
    bpy.ops.wm.usd_import(filepath=str(FOLDER / "bake.usda"), set_frame_range=False)
    new = [thing for thing in bpy.data.objects if thing not in before]
    for frame in (1, LAST):
        scene.frame_set(frame)
        expected = np.concatenate([world_points(monkey), world_points(cloth)])
        mesh = next(thing for thing in new if thing.type == "MESH")
        found = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
        points = np.array([found.matrix_world @ v.co for v in found.to_mesh().vertices])
        check(np.abs(points - expected).max() < 1e-6, f"Blender reads frame {frame} from the .usda as it is shown")
    for thing in new:
        bpy.data.objects.remove(thing)
else:
    text = (FOLDER / "bake.usda").read_text()
    check('upAxis = "Z"' in text and "metersPerUnit = 1" in text, "the .usda says that z is up, and metres")
    samples = re.search(r"point3f\[\] points\.timeSamples = \{(.*?)\n        \}", text, re.S)[1].strip().splitlines()
    check(len(samples) == LAST, "it has every frame")
    for frame in (1, LAST):
        scene.frame_set(frame)
        expected = np.concatenate([world_points(monkey), world_points(cloth)])
        time_of, line = samples[frame - 1].split(":", 1)
        points = np.array(re.findall(r"[^\s(),\[\]]+", line), float).reshape(-1, 3)
        check(float(time_of) == frame and np.abs(points - expected).max() < 1e-6, f"frame {frame} of it is what is shown")

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
