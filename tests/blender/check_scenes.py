"""Run inside Blender with the add-on installed: all scenes of a file baked one after the other, each by its own settings.

blender -b --python check_scenes.py -- FOLDER
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import installed
import numpy as np
from verve_blender import baking, files
from verve_blender.operators import call_program

FOLDER = pathlib.Path(sys.argv[sys.argv.index("--") + 1])


def check(condition, what):
    print(("ok: " if condition else "FAILED: ") + what, flush=True)
    if not condition:
        sys.exit(1)


def sheet(scene, name, at):
    count = 7
    points = [(at + 0.1 * i, 0.1 * j, 0) for i in range(count) for j in range(count)]
    faces = [(i * count + j, (i + 1) * count + j, (i + 1) * count + j + 1, i * count + j + 1)
             for i in range(count - 1) for j in range(count - 1)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    thing = bpy.data.objects.new(name, mesh)
    scene.collection.objects.link(thing)
    thing.verve.kind = "CLOTH"
    return thing


def shown(scene, thing, frame):
    scene.frame_set(frame)
    with bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0]):
        evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        return np.array([evaluated.matrix_world @ v.co for v in evaluated.to_mesh().vertices])


def fresh(name, gravity, first, last, rate):
    scene = bpy.data.scenes.get(name) or bpy.data.scenes.new(name)
    scene.frame_start, scene.frame_end, scene.render.fps = first, last, rate
    scene.frame_set(first)
    scene.gravity = (0, 0, -gravity)
    scene.verve.folder = str(FOLDER / "scenes")
    return scene


bpy.ops.wm.read_homefile(use_empty=True)
check(bpy.ops.verve.bake_all.poll(), "there is a button")
try:
    bpy.ops.verve.bake_all()
    check(False, "a file without bodies is refused")
except RuntimeError as error:
    check("no scene has a soft body, cloth or rope" in str(error), "a file without bodies is refused")

here = fresh(bpy.context.scene.name, 9.81, 1, 7, 24)
moon = fresh("Moon", 1.62, 10, 22, 30)
bad = fresh("Bad", 9.81, 1, 3, 24)
empty = fresh("Empty", 9.81, 1, 3, 24)
check([scene.name for scene in bpy.data.scenes] == ["Bad", "Empty", "Moon", here.name], "the bad one is the first")
stone, leaf = sheet(here, "Stone", 0), sheet(here, "Leaf", 2)
# In the scene that is not shown: what an array makes of a sheet, and one whose pins follow an animation.
feather, flag = sheet(moon, "Feather", 0), sheet(moon, "Flag", 4)
twice = feather.modifiers.new("Twice", "ARRAY")
twice.relative_offset_displace = (1.5, 0, 0)
with bpy.context.temp_override(object=feather, active_object=feather):
    bpy.ops.object.modifier_move_up(modifier="Twice")
check([m.type for m in feather.modifiers] == ["ARRAY", "MESH_CACHE"], "the array stands before the cache")
flag.vertex_groups.new(name="pole").add(list(range(7)), 1.0, "REPLACE")
flag.verve.pin_group = "pole"
flag.keyframe_insert("location", frame=10)
flag.location.z = 0.2
flag.keyframe_insert("location", frame=22)
moon.frame_set(10)
sheet(bad, "Torn", 0).verve.pin_group = "nowhere"

try:
    bpy.ops.verve.bake_all()
    check(False, "the bad scene is told")
except RuntimeError as error:
    check("Bad: Torn: there is no vertex group 'nowhere'" in str(error), "the bad scene is told by its name")
check(baking.said["Bad"][0] == "Torn: there is no vertex group 'nowhere'", "and in its own panel")
check(baking.said["Moon"] == ["baked"] and not baking.running, "the others are baked all the same: " + str(baking.said["Moon"]))
check(not baking.cache_folder(empty).exists(), "a scene without bodies has no cache")
check(bpy.context.scene == here, "the scene that is shown stays")

# Each has its own gravity, frames and rate. Falling freely, sheets have g t^2 / 2 behind them.
for scene, things in ((here, (stone, leaf)), (moon, (feather,))):
    seconds = (scene.frame_end - scene.frame_start) / scene.render.fps
    expected = 0.5 * -scene.gravity[2] * seconds**2
    for thing in things:
        fell = -shown(scene, thing, scene.frame_end)[:, 2]
        check(np.abs(fell / expected - 1).max() < 1e-3, f"{thing.name} fell by {fell.mean():.4f} m of {expected:.4f}")
check(len(shown(moon, feather, 22)) == 2 * len(feather.data.vertices), "the array is of the scene that was baked")
check(np.abs(shown(moon, flag, 22)[:7, 2] - 0.2).max() < 1e-5, "pins follow the animation of their own scene")

# Played back as the command line has it.
worst = 0.0
for scene, things in ((here, (stone, leaf)), (moon, (feather, flag))):
    call_program(scene, "run", str(baking.cache_folder(scene) / "scene.json"), "--out",
                 str(FOLDER / "scenes_command" / scene.name), "--quiet")
    for thing in things:
        path = FOLDER / "scenes_command" / scene.name / f"bake.{thing.name}.pc2"
        points, count = files.read_head(path)
        check(count == scene.frame_end - scene.frame_start + 1, f"{thing.name} has every frame")
        for i, frame in enumerate(files.read_frames(path, 0, count, points)):
            worst = max(worst, np.abs(shown(scene, thing, scene.frame_start + i) - frame).max())
check(worst < 1e-6, f"both scenes play what the command line bakes, to {worst:.2g} m")

bad.objects["Torn"].verve.pin_group = ""
check(bpy.ops.verve.bake_all() == {"FINISHED"}, "put right, all are baked")
check(baking.said["Bad"] == ["baked"] and baking.cache_folder(bad).exists(), "the bad one too")

# What two scenes share is said, and two caches are never one.
bad.collection.objects.link(stone)
bpy.ops.verve.bake()
check("Stone: is in the scene Bad too, and plays the last bake of either" in baking.said[here.name], "a shared body is said")
bad.collection.objects.unlink(stone)
bad.name = "Mo/on"
moon.name = "Mo:on"
try:
    bpy.ops.verve.bake_all()
    check(False, "scenes that would share a cache are refused")
except RuntimeError as error:
    check("are called nearly alike and would share a cache" in str(error), "scenes that would share a cache are refused")
bad.name, moon.name = "Bad", "Moon"

# A scene or an object that goes in the middle of a bake ends it with a sentence.
for gone in ("object", "scene"):
    bake = baking.Bake(moon)
    bake.step()
    if gone == "object":
        bpy.data.objects.remove(feather)
    else:
        bpy.data.scenes.remove(moon)
    while bake.step():
        pass
    check(bake.state == "failed" and not baking.running and bake.message == {
        "object": "Feather: the object is no longer there", "scene": "Moon: the scene is no longer there"}[gone], bake.message)
print("all scenes are well")
