# SPDX-License-Identifier: MIT
"""What the panel's buttons do."""
import pathlib
import subprocess
import time

import bpy

from . import baking, files, sampling
from .properties import MODIFIER
from .sampling import Problem


class Asked(bpy.types.Operator):
    """An operator whose problems are shown in the panel and below."""
    bl_options = {"REGISTER"}

    def execute(self, context):
        try:
            done = self.do(context)
        except Problem as problem:
            baking.said[context.scene.name] = [str(problem)]
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        if isinstance(done, str):
            self.report({"INFO"}, done)
        return {"FINISHED"}


class VERVE_OT_bake(Asked):
    """Simulate the scene's soft bodies, cloth and ropes into the cache; Esc cancels"""
    bl_idname, bl_label = "verve.bake", "Bake"
    resume: bpy.props.BoolProperty(name="Resume", description="Go on from where the last bake ended")

    def do(self, context):
        bake = baking.bake_to_the_end(context.scene, self.resume)
        if bake.state != "done":
            raise Problem(bake.message)
        return bake.message

    def invoke(self, context, _event):
        if bpy.app.background:
            return self.execute(context)
        try:
            self.bake = baking.Bake(context.scene, self.resume)
        except Problem as problem:
            baking.said[context.scene.name] = [str(problem)]
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        self.timer = context.window_manager.event_timer_add(0.1, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC" and self.bake.state in ("sampling", "running"):
            self.bake.cancel()
        elif event.type == "TIMER":
            begin = time.monotonic()
            while self.bake.step() and self.bake.state == "sampling" and time.monotonic() - begin < 0.1:
                pass  # many frames are quickly looked at; the window stays alive
        elif self.bake.state in ("sampling", "running"):
            return {"PASS_THROUGH"}
        context.workspace.status_text_set(f"Verve: {self.bake.message} (Esc cancels)")
        context.window_manager.progress_update(100 * self.bake.share)
        for area in context.screen.areas:
            area.tag_redraw()
        if self.bake.state in ("sampling", "running"):
            return {"PASS_THROUGH"}
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        if self.bake.state == "failed":
            self.report({"ERROR"}, self.bake.message)
        return {"FINISHED"} if self.bake.state == "done" else {"CANCELLED"}

    def cancel(self, _context):
        self.bake.cancel()


class VERVE_OT_cancel(Asked):
    """Stop the bake; what is there is kept, and it can be resumed"""
    bl_idname, bl_label = "verve.cancel", "Cancel"

    def do(self, context):
        if context.scene.name in baking.running:
            baking.running[context.scene.name].cancel()


class VERVE_OT_free(Asked):
    """Remove the cache"""
    bl_idname, bl_label = "verve.free", "Free Bake"

    def do(self, context):
        baking.free(context.scene)


class VERVE_OT_bake_all(Asked):
    """Bake every scene of the file that has something to bake, one after the other"""
    bl_idname, bl_label = "verve.bake_all", "Bake All Scenes"

    def do(self, context):
        for scene in bpy.data.scenes:
            if not sampling.bodies_of(scene):
                continue
            with context.temp_override(scene=scene, view_layer=scene.view_layers[0]):
                bake = baking.bake_to_the_end(scene)
            if bake.state != "done":
                raise Problem(f"{scene.name}: {bake.message}")


class VERVE_OT_shape_keys(Asked):
    """Turn the active object's cache into shape keys, one a frame, and leave the cache"""
    bl_idname, bl_label = "verve.shape_keys", "Bake to Shape Keys"

    def do(self, context):
        thing, scene = context.object, context.scene
        path = baking.object_cache(baking.cache_folder(scene), thing) if thing else None
        points, count = files.read_head(path) if path else (0, 0)
        if not count:
            raise Problem("the active object has no bake")
        if points != len(thing.data.vertices):
            raise Problem(f"{thing.name}: {points} points were baked but its mesh has {len(thing.data.vertices)}; apply the "
                          "modifiers before Verve's first")
        if not thing.data.shape_keys:
            thing.shape_key_add(name="Basis")
        frames = files.read_frames(path, 0, count, points)
        for i in range(count):
            key = thing.shape_key_add(name=f"verve {scene.frame_start + i}", from_mix=False)
            key.data.foreach_set("co", frames[i].ravel())
            for frame, value in ((i - 1, 0.0), (i, 1.0), (i + 1, 0.0)):
                key.value = value
                key.keyframe_insert("value", frame=scene.frame_start + frame)
        modifier = thing.modifiers.get(MODIFIER)
        if modifier:
            modifier.show_viewport = modifier.show_render = False
        return f"{count} shape keys"


def call_program(scene, *words):
    program = baking.program(scene)
    done = subprocess.run([program, *words], capture_output=True, text=True, env=baking.surroundings(program))
    if done.returncode:
        raise Problem(done.stderr.strip().split("\n")[-1].replace("verve: ", "", 1))


class VERVE_OT_export(Asked):
    """Write the baked surfaces to USD (.usda, all frames) or OBJ (a file a frame)"""
    bl_idname, bl_label = "verve.export", "Export Bake"
    filepath: bpy.props.StringProperty(subtype="FILE_PATH")

    def invoke(self, context, _event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def do(self, context):
        run = baking.cache_folder(context.scene) / "run"
        if not run.exists():
            raise Problem("there is no bake to export")
        path = pathlib.Path(bpy.path.abspath(self.filepath))
        if path.suffix not in (".usda", ".obj"):
            raise Problem(f"{path.name}: the name must end in .usda or .obj")
        out = path if path.suffix == ".usda" else path.with_name(path.stem + ".$F4.obj")
        call_program(context.scene, "convert", str(run), str(out))
        return f"written to {out}"


class VERVE_OT_page(Asked):
    """Open a page of the bake in the browser: play it, colour it, plot its energies"""
    bl_idname, bl_label = "verve.page", "Energy and Playback Page"

    def do(self, context):
        run = baking.cache_folder(context.scene) / "run"
        if not run.exists():
            raise Problem("there is no bake to look at")
        call_program(context.scene, "view", str(run))
        if not bpy.app.background:
            bpy.ops.wm.url_open(url=(run / "view.html").as_uri())
        return str(run / "view.html")


classes = (VERVE_OT_bake, VERVE_OT_cancel, VERVE_OT_free, VERVE_OT_bake_all, VERVE_OT_shape_keys, VERVE_OT_export,
           VERVE_OT_page)


def register():
    for one in classes:
        bpy.utils.register_class(one)


def unregister():
    for one in reversed(classes):
        bpy.utils.unregister_class(one)
