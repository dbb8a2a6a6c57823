"""Run in a window of Blender with the add-on installed: the bake as artists start it, cancelled by Esc and resumed.

xvfb-run blender --enable-event-simulate --python check_window.py -- FOLDER
"""
import pathlib
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import installed
import numpy as np
import scene as test_scene

FOLDER = pathlib.Path(sys.argv[sys.argv.index("--") + 1])
LAST = 40


def check(condition, what):
    print(("ok: " if condition else "FAILED: ") + what, flush=True)
    if not condition:
        raise RuntimeError(what)


def window():
    return bpy.context.window_manager.windows[0]


def within(kind):
    area = next(a for a in window().screen.areas if a.type == kind)
    region = next(r for r in area.regions if r.type == "WINDOW")
    return bpy.context.temp_override(window=window(), area=area, region=region)


def press(key):
    for value in ("PRESS", "RELEASE"):
        window().event_simulate(type=key, value=value, x=100, y=300)


def picture(name):
    """What the X server shows: Blender's own screenshots are black under it from 4.3 on. Its file is in the format of xwd."""
    bpy.ops.wm.redraw_timer(type="DRAW_WIN_SWAP", iterations=1)
    raw = (FOLDER / "Xvfb_screen0").read_bytes()
    head = np.frombuffer(raw, ">u4", 25)
    size, width, height, pitch, colours = (int(head[i]) for i in (0, 4, 5, 12, 19))
    rows = np.frombuffer(raw, np.uint8, height * pitch, size + 12 * colours).reshape(height, pitch)
    pixels = rows[::-1, :4 * width].reshape(-1, 4)[:, [2, 1, 0, 3]] / 255.0
    pixels[:, 3] = 1.0
    check(len(np.unique(pixels[:, 0])) > 20, f"there is something to see: {name}")
    image = bpy.data.images.new(name, width, height)
    image.pixels.foreach_set(pixels.ravel().astype(np.float32))
    image.filepath_raw, image.file_format = str(FOLDER / f"{name}.png"), "PNG"
    image.save()
    bpy.data.images.remove(image)


def story():
    """Gives the seconds after which it goes on."""
    from verve_blender import baking
    with within("VIEW_3D"):
        bpy.ops.wm.read_homefile(use_empty=True)
    yield 0.5
    with within("VIEW_3D"):
        scene, _, cloth, _ = test_scene.build(LAST)
        bpy.ops.wm.save_as_mainfile(filepath=str(FOLDER / "window.blend"))
        cloth.select_set(True)
        bpy.context.view_layer.objects.active = cloth
    yield 1.0  # the editor learns of the object when it is drawn
    with within("PROPERTIES"):
        bpy.context.area.spaces.active.context = "PHYSICS"
    yield 0.5
    cloth.verve.pin_group = "pinz"
    with within("VIEW_3D"):
        try:
            bpy.ops.verve.bake("INVOKE_DEFAULT")
        except RuntimeError:
            pass
    check(baking.said[scene.name] == ["Cloth: there is no vertex group 'pinz'"] and not baking.running,
          "what is wrong is a sentence")
    yield 0.5
    picture("sentence")
    cloth.verve.pin_group = "pins"
    with within("VIEW_3D"):
        check(bpy.ops.verve.bake("INVOKE_DEFAULT") == {"RUNNING_MODAL"}, "the bake runs beside Blender")
    bake = baking.running[scene.name]
    cache = baking.object_cache(bake.folder, cloth)
    while bake.state in ("sampling", "running") and baking.files.read_head(cache)[1] < 4:
        yield 0.02
    check(bake.state == "running" and bake.process.poll() is None, "frames are there while it runs: " + bake.message)
    scene.frame_set(4)
    picture("running")
    press("ESC")
    while scene.name in baking.running:
        yield 0.02
    check(bake.state == "cancelled", "Esc cancels it")
    bake.wait()
    check(files_of(bake, cloth) < LAST and baking.has_checkpoint(scene), "what is there is kept")
    with within("VIEW_3D"):
        bpy.ops.verve.bake("INVOKE_DEFAULT", resume=True)
    bake = baking.running[scene.name]
    while scene.name in baking.running:
        yield 0.1
    check(bake.state == "done" and files_of(bake, cloth) == LAST, "resumed to the end: " + bake.message)
    scene.frame_set(LAST)
    yield 0.3
    picture("baked")
    shown = cloth.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    check(np.ptp([v.co.z for v in shown.vertices]) > 0.3, "the cloth hangs in the viewport")

    # All scenes, with something undone in the middle: Blender then makes scenes and objects anew.
    last, first_name = LAST, scene.name
    other = bpy.data.scenes.new("Two")
    other.frame_start, other.frame_end = 5, 9
    mesh = bpy.data.meshes.new("Leaf")
    mesh.from_pydata([(0, 0, 0), (0.2, 0, 0), (0.2, 0.2, 0), (0, 0.2, 0)], [], [(0, 1, 2, 3)])
    leaf = bpy.data.objects.new("Leaf", mesh)
    other.collection.objects.link(leaf)
    leaf.verve.kind = "CLOTH"
    with within("VIEW_3D"):
        bpy.ops.verve.free()
        bpy.ops.ed.undo_push(message="before")
        bpy.ops.object.empty_add()
        bpy.ops.ed.undo_push(message="an empty")
        check(bpy.ops.verve.bake_all("INVOKE_DEFAULT") == {"RUNNING_MODAL"}, "all scenes are baked beside Blender")
    bake = baking.running[first_name]
    while bake.state in ("sampling", "running") and baking.files.read_head(cache)[1] < 3:
        yield 0.02
    check(bake.state == "running", "the first runs: " + bake.message)
    with within("VIEW_3D"):
        check(len(bpy.data.objects) == 7 and bpy.ops.ed.undo() == {"FINISHED"}, "something is undone")
    check(len(bpy.data.objects) == 6, "an object is gone")
    yield 0.05
    seen = set()
    while baking.running:
        seen |= set(baking.running)
        yield 0.02
    check("Two" in seen and bake.state == "done", "the other follows, whatever is undone: " + bake.message)
    check(baking.said[first_name][0] == "baked" and baking.said["Two"] == ["baked"], "both are baked")
    yield 0.3
    scene, cloth = bpy.data.scenes[first_name], bpy.data.objects["Cloth"]
    check(files_of(bake, cloth) == last, "with every frame")
    scene.frame_set(last)
    shown = cloth.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    check(np.ptp([v.co.z for v in shown.vertices]) > 0.1, "and shown, though its modifier was made anew")
    with within("VIEW_3D"):
        bpy.ops.ed.undo()
        bpy.ops.ed.redo()
    yield 0.3
    cloth = bpy.data.objects["Cloth"]
    check(cloth.modifiers["Verve"].filepath and cloth.modifiers["Verve"].show_viewport, "a bake is a step that is redone")

    # Esc ends them all.
    with within("VIEW_3D"):
        bpy.ops.verve.bake_all("INVOKE_DEFAULT")
    yield 0.1
    press("ESC")
    while baking.running:
        yield 0.02
    yield 0.5
    check(not baking.running and baking.said[first_name][0].startswith("cancelled"), "Esc ends all of them")


def files_of(bake, thing):
    from verve_blender import files
    return files.read_head(bake.run / f"bake.{thing.name}.pc2")[1]


told, began = story(), time.monotonic()


def go_on():
    try:
        if time.monotonic() - began > 900:
            raise RuntimeError("it takes too long")
        return next(told)
    except StopIteration:
        print("the window is well", flush=True)
    except BaseException:
        traceback.print_exc()
    bpy.ops.wm.quit_blender()
    return None


bpy.app.timers.register(go_on, first_interval=0.5, persistent=True)
