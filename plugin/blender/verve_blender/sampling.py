# SPDX-License-Identifier: MIT
"""From Blender's scene to a scene file: what every object looks like at every frame, before its Verve modifier."""
import json
import re

import bpy
import numpy as np

from . import files, table
from .properties import MODIFIER


class Problem(Exception):
    """Something that the artist can put right; its sentence is shown in the panel."""


def bodies_of(scene):
    return [o for o in scene.objects if o.verve.kind in ("SOFT", "CLOTH", "ROPE")]


def colliders_of(scene):
    return [o for o in scene.objects if o.verve.kind == "COLLIDER"]


def safe_name(name):
    """As a file may be called, in whatever script."""
    return re.sub(r"[^\w-]", "_", name)


def type_of(thing):
    word = {"FONT": "text", "META": "metaball"}.get(thing.type, thing.type.lower())
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


class Sample:
    """What was seen of an object: topology at the first frame, points in metres and matrices at every frame."""

    def __init__(self, thing):
        self.called, self.name = thing.name, safe_name(thing.name)
        self.points, self.matrices = [], []
        self.cells, self.groups, self.uv = [], {}, None
        settings = thing.verve
        for name in (settings.pin_group, settings.target_group, settings.stiffness_group, settings.damping_group,
                     settings.friction_group):
            if name and settings.kind != "COLLIDER" and name not in thing.vertex_groups:
                raise Problem(f"{thing.name}: there is no vertex group '{name}'")

    @property
    def thing(self):
        found = bpy.data.objects.get(self.called)
        if found is None:
            raise Problem(f"{self.called}: the object is no longer there")
        return found

    def look(self, depsgraph, metres):
        evaluated = self.thing.evaluated_get(depsgraph)
        if not evaluated.is_evaluated:
            raise Problem(f"{self.thing.name}: is disabled in viewports, or its collection is, so that Blender does not "
                          "move it; hide it by its eye instead, or let it be no part of the simulation")
        try:
            mesh = evaluated.to_mesh()
        except RuntimeError:
            raise Problem(f"{self.thing.name}: has no mesh to simulate; it is {type_of(self.thing)}") from None
        try:
            local = np.empty(3 * len(mesh.vertices), np.float32)
            mesh.vertices.foreach_get("co", local)
            matrix = np.array(evaluated.matrix_world, float)
            world = (local.reshape(-1, 3).astype(float) @ matrix[:3, :3].T + matrix[:3, 3]) * metres
            broken = np.flatnonzero(~np.isfinite(world).all(axis=1))
            if len(broken):
                raise Problem(f"{self.thing.name}: point {broken[0]} has a position that is not a number at frame "
                              f"{bpy.context.scene.frame_current}")
            if self.points and len(world) != len(self.points[0]):
                raise Problem(f"{self.thing.name}: has {len(world)} points at frame {bpy.context.scene.frame_current}, but "
                              f"{len(self.points[0])} at the first; its modifiers must keep the topology")
            if not self.points:
                self.read_topology(mesh, np.linalg.det(matrix[:3, :3]) < 0)
            self.points.append(world)
            self.matrices.append(matrix)
        finally:
            evaluated.to_mesh_clear()

    def read_topology(self, mesh, mirrored):
        """A mirrored object's faces turn round in the world."""
        if not len(mesh.vertices):
            raise Problem(f"{self.thing.name}: its mesh has no points")
        if self.thing.verve.kind == "ROPE":
            self.cells = chains([tuple(edge.vertices) for edge in mesh.edges])
            if not self.cells:
                raise Problem(f"{self.thing.name}: a rope needs edges, and its mesh has none")
        else:
            turn = slice(None, None, -1 if mirrored else 1)
            self.cells = [np.array(polygon.vertices[:])[turn] for polygon in mesh.polygons]
            if not self.cells:
                raise Problem(f"{self.thing.name}: has no faces; make it a rope, or give it some")
            if mesh.uv_layers.active:
                flat = np.empty(2 * len(mesh.loops), np.float32)
                mesh.uv_layers.active.data.foreach_get("uv", flat)
                corners = [i for polygon in mesh.polygons for i in polygon.loop_indices[turn]]
                self.uv = flat.reshape(-1, 2)[corners].astype(float)
        for index, group in enumerate(self.thing.vertex_groups):
            weights = np.full(len(mesh.vertices), -1.0)
            for vertex in mesh.vertices:
                for entry in vertex.groups:
                    if entry.group == index:
                        weights[vertex.index] = entry.weight
            self.groups[group.name] = weights

    def moves(self):
        return any((points != self.points[0]).any() for points in self.points)

    def group(self, name):
        """Weights, -1 outside of the group; None if no group is asked for."""
        return self.groups[name] if name else None

    def attributes(self):
        settings, found = self.thing.verve, {}
        for key, name in (("stiffness", settings.stiffness_group), ("dampingratio", settings.damping_group),
                          ("friction", settings.friction_group)):
            weights = self.group(name)
            if weights is not None:
                found[key] = np.where(weights < 0, 1.0, np.maximum(weights, 1e-3 if key == "stiffness" else 0.0))
        pins, targets = self.group(settings.pin_group), self.group(settings.target_group)
        if pins is not None:
            found["pintoanimation"] = (pins >= 0.5).astype(float)
            if not found["pintoanimation"].any():
                raise Problem(f"{self.thing.name}: no point of '{settings.pin_group}' has a weight of a half or more")
        if targets is not None:
            usual = table.rows["bodies[].targets[].stiffness"]["default"]  # what a weight of 1 is to the solver
            found["targetweight"] = np.maximum(targets, 0.0) * settings.target__stiffness / usual
        return found


def chains(edges):
    """Edges as poly lines, cut where more than two meet."""
    near = {}
    for a, b in edges:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    left, lines = {frozenset(edge) for edge in edges}, []
    starts = [p for p in near if len(near[p]) != 2] + list(near)
    for start in starts:
        for second in near[start]:
            if frozenset((start, second)) not in left:
                continue
            line = [start, second]
            left.discard(frozenset(line))
            while len(near[line[-1]]) == 2:
                following = [p for p in near[line[-1]] if frozenset((line[-1], p)) in left]
                if not following:
                    break
                left.discard(frozenset((line[-1], following[0])))
                line.append(following[0])
            lines.append(np.array(line))
    return lines


class Hidden:
    """While it lives, bodies are seen as they come to their Verve modifier."""

    def __init__(self, things):
        self.shown = []
        for thing in things:
            modifiers = list(thing.modifiers)
            names = [m.name for m in modifiers]
            for modifier in modifiers[names.index(MODIFIER):] if MODIFIER in names else ():
                self.shown.append((thing.name, modifier.name, modifier.show_viewport))
        self.hide()

    def there(self):
        for thing, modifier, shown in self.shown:
            found = bpy.data.objects.get(thing)
            if found and modifier in found.modifiers:
                yield found.modifiers[modifier], shown

    def hide(self):
        """Again before each look: what an artist undoes may have shown them."""
        for modifier, _ in self.there():
            modifier.show_viewport = False

    def restore(self):
        for modifier, shown in self.there():
            modifier.show_viewport = shown
        self.shown = []


def field_wind(scene, metres):
    """Velocity, and gusts of turbulence, of the scene's force fields; what is of another type is named."""
    velocity, gust, size, seed, others = np.zeros(3), 0.0, 1.0, 0, []
    for thing in scene.objects:
        field = thing.field
        if not field or field.type == "NONE":
            continue
        if field.type == "WIND":
            velocity += np.array(thing.matrix_world)[:3, 2] * field.strength * metres
        elif field.type == "TURBULENCE":
            gust, size, seed = field.strength * metres, max(field.size, 1e-3) * metres, field.seed
        else:
            others.append(f"{thing.name}: a force field of type {field.type.lower()} has no effect")
    return velocity, gust, size, seed, others


def plain(value):
    """A number as it was typed: Blender keeps seven digits of it."""
    return float(f"{value:.7g}")


def set_material(settings, entry):
    """Material and density as a scene file says them: presets by the solver's own numbers."""
    values = {"bodies[].material.fabric": settings.cloth_preset}
    if settings.kind != "CLOTH" or settings.cloth_preset not in table.fabrics:
        values = table.preset_of(settings)
    if not values:
        values = {path: plain(getattr(settings, name)) for name, path in table.numbers_of(settings).items()}
    for path, value in values.items():
        table.put(entry, path.replace("bodies[].", ""), value)
    material = entry["material"]
    if settings.kind == "SOFT":
        material["model"] = settings.material__model
    elif settings.kind == "CLOTH":
        material["model"] = "membrane"
        if settings.material__limit:
            material["limit"] = plain(settings.material__limit)
    else:
        material["model"] = "rope"


def scene_settings(scene):
    """What the panel says outside of objects, as a scene file has it."""
    settings, out = scene.verve, {}
    looks = {"NONE": (), "HALF_LIFE": ("damping.half_life", "damping.frequency"), "DELTA": ("damping.delta",)}
    by_look = set(sum(looks.values(), ()))
    for path in table.scene_paths():
        if path not in by_look or path in looks[settings.damping_by]:
            value = getattr(settings, table.identifier(path))
            value = plain(value) if isinstance(value, float) else value
            if value != table.rows[path].get("default"):
                table.put(out, path, value)
    out["quality"] = settings.quality
    out["substeps_max"] = settings.substeps_max
    if settings.substeps:
        out["substeps"] = settings.substeps
    return out


def write_scene(scene, samples, folder, name):
    """Writes the scene file and the geometry that it names; gives back what the artist should know."""
    metres, first, last = scene.unit_settings.scale_length, scene.frame_start, scene.frame_end
    velocity, gust, size, seed, notes = field_wind(scene, metres)
    out = {"frames": [first, last], "fps": scene.render.fps / scene.render.fps_base,
           "gravity": [g * metres for g in scene.gravity] if scene.use_gravity else [0, 0, 0],
           **scene_settings(scene), "bodies": [], "colliders": [],
           "output": {"name": name, "surface": "skin", "points": True, "quantities": True, "checkpoint_every": 10}}
    if velocity.any() or gust:
        out["wind"] = {"velocity": velocity.tolist(), "gust": gust, "size": size, "seed": seed}
    for sample in samples:
        settings, body = sample.thing.verve, sample.thing.verve.kind != "COLLIDER"
        file = f"{sample.name}.geo"
        attributes = sample.attributes() if body else {}
        files.write_geo(folder / file, sample.points[0], sample.cells, settings.kind != "ROPE", attributes, sample.uv)
        entry = {"name": sample.name}
        geometry = entry.setdefault("geometry", {}) if body else entry
        geometry["file"] = file
        follows = not body or "pintoanimation" in attributes or "targetweight" in attributes
        if follows and sample.moves():
            geometry["animation"] = f"{sample.name}.animation.pc2"
            files.write_pc2(folder / geometry["animation"], sample.points, first)
        if not body:
            entry.update(stiffness=settings.collider__stiffness, friction=settings.collider__friction,
                         thickness=settings.collider__thickness * metres)
            out["colliders"].append(entry)
            continue
        if settings.kind == "SOFT":
            geometry.update(fill=True, spacing=settings.geometry__spacing * metres)
        set_material(settings, entry)
        for key in ("settle", "sag_free"):
            if getattr(settings, key):
                entry[key] = True
        out["bodies"].append(entry)
    (folder / "scene.json").write_text(json.dumps(out, indent=1))
    return notes
