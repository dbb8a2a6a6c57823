# SPDX-License-Identifier: MIT
"""A bake: frames are sampled one by one, then the program runs, and what it has written is played at once."""
import os
import pathlib
import re
import shutil
import subprocess
import time

import bpy
import numpy as np

from . import files, sampling
from .properties import MODIFIER
from .sampling import Problem

NAME = "bake"
running = {}  # bakes by the name of their scene
said = {}     # the last sentences by the name of the scene
wrong = set()  # scenes whose first sentence is a problem


def refuse(name, sentence):
    """Tells a problem in the scene's panel."""
    said[name] = [sentence]
    wrong.add(name)


def program(scene):
    chosen = bpy.path.abspath(scene.verve.program) if scene.verve.program else ""
    inside = pathlib.Path(__file__).parent / "bin" / "verve"
    found = chosen or (str(inside) if inside.exists() else shutil.which("verve"))
    if not found or not os.path.exists(found):
        raise Problem(f"{found or 'verve'}: the program is not there; choose it in the panel")
    if not os.access(found, os.X_OK) and not chosen:  # an artist's own files are left alone
        try:
            os.chmod(found, 0o755)  # add-ons are unpacked without it
        except OSError:
            pass
    if not os.access(found, os.X_OK):
        raise Problem(f"{found}: the program may not be run; make it executable")
    return found


def surroundings(program):
    """The environment in which the program finds the libraries that came with it."""
    libraries = pathlib.Path(program).parent / "lib"
    found = dict(os.environ)
    if libraries.is_dir() and libraries.parent.parent == pathlib.Path(__file__).parent:
        found["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, (str(libraries), found.get("LD_LIBRARY_PATH"))))
    return found


def cache_folder(scene):
    if scene.verve.folder.startswith("//") and not bpy.data.filepath:
        raise Problem("save the .blend first, or choose a folder for the cache")
    return pathlib.Path(bpy.path.abspath(scene.verve.folder)) / sampling.safe_name(scene.name)


def object_cache(folder, thing):
    return folder / f"{sampling.safe_name(thing.name)}.pc2"


class Bake:
    """Call step() until it gives False; it never waits. Afterwards `state` is done, failed or cancelled. Scenes and objects
    are kept by name: Blender makes them anew when an artist undoes something meanwhile."""

    def __init__(self, scene, resume=False):
        if scene.name in running:
            raise Problem("this scene is being baked already")
        self.name, self.resume = scene.name, resume
        self.state, self.message, self.share, self.left = "sampling", "", 0.0, ""
        self.process, self.hidden, self.plays = None, None, {}
        bodies = sampling.bodies_of(scene)
        if not bodies:
            raise Problem("no object is a soft body, cloth or rope; choose what they are in the physics tab")
        for thing in bodies:
            if thing.type != "MESH":
                raise Problem(f"{thing.name}: is {sampling.type_of(thing)}; make it a mesh first (Object > Convert)")
        names = [sampling.safe_name(o.name) for o in bodies + sampling.colliders_of(scene)]
        for name in names:
            if names.count(name) > 1:
                raise Problem(f"two objects are called nearly alike ('{name}'); the cache needs a name for each")
        for other in bpy.data.scenes:
            if other != scene and sampling.bodies_of(other) and cache_folder(other) == cache_folder(scene):
                raise Problem(f"the scenes {scene.name} and {other.name} are called nearly alike and would share a cache; "
                              "choose another folder for one")
        self.samples = [sampling.Sample(o) for o in bodies + sampling.colliders_of(scene)]
        self.program, self.folder = program(scene), cache_folder(scene)
        self.run = self.folder / "run"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise Problem(f"{self.folder}: cannot make this folder: {problem.strerror}") from None
        self.next_frame, self.came_from = scene.frame_start, scene.frame_current
        for thing in bodies:
            from .properties import add_modifier
            add_modifier(thing)
        self.hidden = sampling.Hidden(bodies)
        running[scene.name] = self
        said.pop(scene.name, None)
        wrong.discard(scene.name)

    @property
    def scene(self):
        found = bpy.data.scenes.get(self.name)
        if found is None:
            raise Problem(f"{self.name}: the scene is no longer there")
        return found

    # Phases

    def step(self):
        try:
            if self.state == "sampling":
                self.sample()
            elif self.state == "running":
                self.follow()
        except Problem as problem:
            self.fail(str(problem))
        except OSError as problem:
            self.fail(f"{problem.filename or self.folder}: {problem.strerror}")
        except Exception as problem:  # nothing may leave the scene half changed
            self.fail(f"{type(problem).__name__}: {problem}")
            raise
        return self.state in ("sampling", "running")

    def sample(self):
        self.hidden.hide()
        self.scene.frame_set(self.next_frame)
        # It need not be the scene that is shown.
        with bpy.context.temp_override(scene=self.scene, view_layer=self.scene.view_layers[0]):
            depsgraph = bpy.context.evaluated_depsgraph_get()
            for sample in self.samples:
                sample.look(depsgraph, self.scene.unit_settings.scale_length)
        self.next_frame += 1
        count = self.scene.frame_end - self.scene.frame_start + 1
        self.message = f"looking at frame {self.next_frame - 1}"
        self.share = 0.1 * (self.next_frame - self.scene.frame_start) / count
        if self.next_frame <= self.scene.frame_end:
            return
        self.end_sampling()
        if not self.resume and self.run.exists():
            shutil.rmtree(self.run)
        notes = sampling.write_scene(self.scene, self.samples, self.folder, NAME)
        for thing in (sample.thing for sample in self.samples):
            others = [other.name for other in thing.users_scene if other.name != self.name]
            if others and thing.verve.kind != "COLLIDER":
                notes.append(f"{thing.name}: is in the scene {others[0]} too, and plays the last bake of either")
        said[self.name] = notes
        for sample in self.samples:
            if sample.thing.verve.kind != "COLLIDER":
                self.play(sample)
        self.start()

    def end_sampling(self):
        if self.hidden:
            self.hidden.restore()
            self.hidden = None
            if self.name in bpy.data.scenes:
                self.scene.frame_set(self.came_from)

    def start(self):
        command = [self.program, "run", str(self.folder / "scene.json"), "--out", str(self.run), "--with-parent"]
        if self.resume:
            command.append("--resume")
        with open(self.folder / "log.txt", "wb") as log, open(self.folder / "errors.txt", "wb") as errors:
            try:
                self.process = subprocess.Popen(command, stdout=log, stderr=errors, stdin=subprocess.DEVNULL,
                                                env=surroundings(self.program))
            except OSError as problem:
                raise Problem(f"{self.program}: is no program of this system: {problem.strerror}") from None
        self.state = "running"

    def play(self, sample):
        """Prepares the modifier that shows the object's cache."""
        thing, path = sample.thing, object_cache(self.folder, sample.thing)
        cache = files.GrowingCache(path, len(sample.points[0]), self.scene.frame_start)
        metres = self.scene.unit_settings.scale_length
        for frame, matrix in enumerate(sample.matrices, self.scene.frame_start):
            if abs(np.linalg.det(matrix)) < 1e-30:
                raise Problem(f"{sample.called}: its scale is 0 at frame {frame}; nothing of it can be shown there")
        back = [np.linalg.inv(m) @ np.diag([1 / metres, 1 / metres, 1 / metres, 1]) for m in sample.matrices]
        self.plays[sample.name] = (sample, cache, back)
        self.show(sample, path, False)

    def show(self, sample, path, visible):
        """Until there are frames it is not visible."""
        modifier = sample.thing.modifiers.get(MODIFIER)
        if not modifier:
            raise Problem(f"{sample.called}: its modifier '{MODIFIER}' was removed while it was baked")
        relative = bool(bpy.data.filepath) and self.scene.verve.folder.startswith("//")
        modifier.filepath = bpy.path.relpath(str(path)) if relative else str(path)
        modifier.frame_start = self.scene.frame_start
        modifier.interpolation = "LINEAR"  # between frames, as motion blur asks for
        modifier.show_viewport = modifier.show_render = visible

    def follow(self):
        ended = self.process.poll()
        self.take_frames()
        lines = re.findall(r"frame (-?\d+)/(-?\d+).*?(\S+) left", (self.folder / "log.txt").read_text(errors="replace"))
        if lines:
            frame, last, self.left = int(lines[-1][0]), int(lines[-1][1]), lines[-1][2]
            count = max(1, last - self.scene.frame_start)
            self.share = 0.1 + 0.9 * (frame - self.scene.frame_start) / count
            self.message = f"frame {frame} of {last}, {self.left} left"
        if ended is None:
            return
        errors = [line[len("verve: "):] for line in (self.folder / "errors.txt").read_text(errors="replace").split("\n")
                  if line.startswith("verve: ")]
        warnings = [line[len("warning: "):] for line in errors if line.startswith("warning: ")]
        warnings = [line for line in warnings if "output.surface" not in line]  # of the add-on's own making
        errors = [line for line in errors if not line.startswith("warning: ")]
        said[self.name] = said.get(self.name, []) + [self.in_words_of_the_scene(line) for line in warnings]
        if ended == 0:
            self.state, self.message, self.share = "done", "baked", 1.0
            self.close()
        else:
            self.fail(self.in_words_of_the_scene(errors[-1]) if errors else
                      f"the program ended with {ended}; see {self.folder / 'log.txt'}")

    def in_words_of_the_scene(self, sentence):
        """Objects by their names in the place of the files that were written of them, and numbers without a tail."""
        sentence = re.sub(r"\b\d+\.\d{5,}\b", lambda found: f"{float(found[0]):.4g}", sentence)
        sentence = sentence.replace(f"{self.folder / 'scene.json'}: ", "").replace(f"{self.folder}{os.sep}", "")
        sentence = sentence.replace("run without --resume to begin anew", "press Bake to begin anew")
        for sample in self.samples:
            sentence = re.sub(rf"(^|\W){re.escape(sample.name)}\.(geo|animation\.pc2)\b",
                              lambda found: found[1] + sample.called, sentence)
        return sentence

    def take_frames(self):
        """Copies what the run has written into the objects' own space."""
        for name, (sample, cache, back) in self.plays.items():
            source = self.run / f"{NAME}.{name}.pc2"
            points, count = files.read_head(source)
            if count <= cache.count or points != cache.points:
                continue
            begin = cache.count
            world = files.read_frames(source, begin, count, points).astype(float)
            cache.append([w @ m[:3, :3].T + m[:3, 3] for w, m in zip(world, back[begin:count])])
            self.show(sample, cache.path, True)

    # Ends

    def cancel(self):
        """At once; the program saves what it has and ends by itself."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
        self.state, self.message = "cancelled", "cancelled; it can be resumed"
        self.close()

    def wait(self, seconds=60):
        """For those that want to be sure that the program has ended."""
        if self.process:
            self.process.wait(seconds)
            self.take_frames()

    def fail(self, sentence):
        self.state, self.message = "failed", sentence
        if self.process and self.process.poll() is None:
            self.process.terminate()
        wrong.add(self.name)
        self.close()

    def close(self):
        self.end_sampling()
        running.pop(self.name, None)
        said[self.name] = [self.message] + said.get(self.name, [])


def follow_to_the_end(bake):
    """Without a window there is nothing else to do meanwhile."""
    while bake.step():
        if bake.state == "running":
            time.sleep(0.02)


def free(scene):
    """Removes the cache; the modifiers show the meshes as they were made."""
    if scene.name in running:
        running[scene.name].cancel()
        time.sleep(0)
    folder = cache_folder(scene)
    if (folder / "scene.json").exists():
        shutil.rmtree(folder)
    for thing in sampling.bodies_of(scene):
        modifier = thing.modifiers.get(MODIFIER)
        if modifier:
            modifier.show_viewport = modifier.show_render = False
            modifier.filepath = ""


def has_checkpoint(scene):
    try:
        return (cache_folder(scene) / "run" / "checkpoint.verve").exists()
    except Problem:
        return False


def stop_all():
    for bake in list(running.values()):
        bake.cancel()
