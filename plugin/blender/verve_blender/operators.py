# SPDX-License-Identifier: MIT
"""What the panel's buttons do."""
import glob
import pathlib
import subprocess
import time

import bpy

from . import baking, files, sampling
from .properties import MODIFIER
from .sampling import Problem


def redraw(context):
    """What is told is no property of Blender's, so that it does not see a change."""
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            area.tag_redraw()


class Asked:
    """An operator whose problems are shown in the panel and below."""
    bl_options = {"REGISTER", "UNDO"}

    def execute(self, context):
        try:
            done = self.do(context)
        except Problem as problem:
            baking.refuse(context.scene.name, str(problem))
            redraw(context)
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        if isinstance(done, str):
            self.report({"INFO"}, done)
        return {"FINISHED"}


class Bakes(Asked):
    """Bakes one scene after the other: at once without a window, beside Blender in one."""
    bl_options = {"UNDO"}  # nobody bakes anew to change a setting of the operator's

    def names(self, context):
        """Of the scenes to bake; scenes themselves may go while others are baked."""
        return [context.scene.name]

    def begin(self, name):
        """The scene's bake, or None and a sentence in its panel."""
        try:
            return baking.Bake(bpy.data.scenes[name], getattr(self, "resume", False))
        except KeyError:
            self.problems.append(f"{name}: the scene is no longer there")
        except Problem as problem:
            baking.refuse(name, str(problem))
            self.refuse(name, str(problem))
        return None

    def refuse(self, name, sentence):
        self.problems.append(f"{name}: {sentence}" if self.many else sentence)

    def do(self, context):
        names, self.problems = self.names(context), []
        self.many = len(names) > 1
        for name in names:
            bake = self.begin(name)
            if bake:
                baking.follow_to_the_end(bake)
                if bake.state != "done":
                    self.refuse(name, bake.message)
        return self.sum_up(names)

    def sum_up(self, names):
        if self.problems:
            raise Problem("; ".join(self.problems))
        return f"baked {len(names)} scenes" if self.many else "baked"

    def invoke(self, context, _event):
        if bpy.app.background:
            return self.execute(context)
        try:
            self.all = self.names(context)
        except Problem as problem:
            self.report({"ERROR"}, str(problem))
            return {"CANCELLED"}
        self.left, self.problems, self.bake, self.many = list(self.all), [], None, len(self.all) > 1
        if not self.go_on():
            redraw(context)
            self.report({"ERROR"}, "; ".join(self.problems))
            return {"CANCELLED"}
        self.timer = context.window_manager.event_timer_add(0.1, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def go_on(self):
        """Begins the next bake that can be begun."""
        while self.left:
            self.bake = self.begin(self.left.pop(0))
            if self.bake:
                return True
        return False

    def modal(self, context, event):
        if event.type == "ESC" and self.bake.state in ("sampling", "running"):
            self.bake.cancel()
        elif event.type == "TIMER":
            begin = time.monotonic()
            while self.bake.step() and self.bake.state == "sampling" and time.monotonic() - begin < 0.1:
                pass  # many frames are quickly looked at; the window stays alive
        elif self.bake.state in ("sampling", "running"):
            return {"PASS_THROUGH"}
        which = f"{self.bake.name}: " if self.many else ""
        context.workspace.status_text_set(f"Verve: {which}{self.bake.message} (Esc cancels)")
        context.window_manager.progress_update(100 * self.bake.share)
        redraw(context)
        if self.bake.state in ("sampling", "running"):
            return {"PASS_THROUGH"}
        if self.bake.state == "failed":
            self.refuse(self.bake.name, self.bake.message)
        if self.bake.state != "cancelled" and self.go_on():
            return {"PASS_THROUGH"}
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)
        if self.problems:
            self.report({"ERROR"}, "; ".join(self.problems))
        return {"FINISHED"}  # also of a part: frames are shown, and undoing what came before must not hide them

    def cancel(self, _context):
        if self.bake:
            self.bake.cancel()


class VERVE_OT_bake(Bakes, bpy.types.Operator):
    """Simulate the scene's soft bodies, cloth and ropes into the cache; Esc cancels"""
    bl_idname, bl_label = "verve.bake", "Bake"
    resume: bpy.props.BoolProperty(name="Resume", description="Go on from where the last bake ended")


class VERVE_OT_bake_all(Bakes, bpy.types.Operator):
    """Bake every scene of the file that has something to bake, one after the other; Esc cancels"""
    bl_idname, bl_label = "verve.bake_all", "Bake All Scenes"

    def names(self, context):
        found = [scene.name for scene in bpy.data.scenes if sampling.bodies_of(scene)]
        if not found:
            raise Problem("no scene has a soft body, cloth or rope; choose what they are in the physics tab")
        return found


class VERVE_OT_cancel(Asked, bpy.types.Operator):
    """Stop the bake; what is there is kept, and it can be resumed"""
    bl_idname, bl_label = "verve.cancel", "Cancel"

    def do(self, context):
        if context.scene.name in baking.running:
            baking.running[context.scene.name].cancel()


class VERVE_OT_free(Asked, bpy.types.Operator):
    """Remove the cache"""
    bl_idname, bl_label = "verve.free", "Free Bake"

    def do(self, context):
        baking.free(context.scene)


class VERVE_OT_shape_keys(Asked, bpy.types.Operator):
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


class VERVE_OT_export(Asked, bpy.types.Operator):
    """Write the baked surfaces in metres to USD (.usda, all frames, z up) or OBJ (a file a frame, y up as its readers expect)"""
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
        if path.suffix == ".usda":
            files.change_lines(out, files.say_z_up)
        else:
            for frame in path.parent.glob(glob.escape(path.stem) + ".[0-9]*.obj"):
                files.change_lines(frame, files.turn_y_up)
        return f"written to {out}"


class VERVE_OT_page(Asked, bpy.types.Operator):
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
