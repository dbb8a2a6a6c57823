# SPDX-License-Identifier: MIT
"""Stress, energy and contact as colours, and what intersects as a selection; only when asked for."""
import json
import pathlib
import tempfile

import bpy
import numpy as np
from mathutils.bvhtree import BVHTree

from . import baking, sampling
from .operators import Asked, call_program
from .sampling import Problem

quantities = [("stress", "Stress", "Von Mises' stress of tets (Pa), tension of cloth (N/m) and ropes (N)"),
              ("energydensity", "Energy", "Stored energy by volume, area or length"),
              ("contact", "Contact", "Where something is touched")]


def read_quantity(scene, frame, name):
    """A number for each point of all bodies, in their order."""
    source = baking.cache_folder(scene) / "run" / f"{baking.NAME}.{frame:04d}.bgeo.sc"
    if not source.exists():
        raise Problem(f"frame {frame} is not baked")
    with tempfile.TemporaryDirectory() as folder:
        text = pathlib.Path(folder) / "frame.geo"
        call_program(scene, "convert", str(source), str(text))
        file = json.loads(text.read_text())
    pairs = lambda flat: dict(zip(flat[::2], flat[1::2]))
    for head, values in pairs(pairs(file)["attributes"])["pointattributes"]:
        if pairs(head)["name"] == name:
            numbers = pairs(pairs(values)["values"])
            rows = numbers.get("arrays") or [[row[0] for row in numbers["tuples"]]]
            return np.array(rows[0], float)
    raise Problem(f"frame {frame} has no {name}; bake it anew")


def colours(values):
    """Blue to red through white by size."""
    share = np.clip(values / (np.percentile(values, 99) or 1.0), 0, 1)[:, None]
    low, middle, high = np.array([0.1, 0.25, 0.8, 1]), np.array([0.95, 0.95, 0.9, 1]), np.array([0.85, 0.1, 0.05, 1])
    return np.where(share < 0.5, low + (middle - low) * 2 * share, middle + (high - middle) * (2 * share - 1))


class VERVE_OT_colour(Asked, bpy.types.Operator):
    """Colour the baked objects by what they feel at this frame, as the colour attribute "Verve" """
    bl_idname, bl_label = "verve.colour", "Colour By"
    quantity: bpy.props.EnumProperty(items=quantities, name="Quantity")

    def do(self, context):
        values = read_quantity(context.scene, context.scene.frame_current, self.quantity)
        begin, others = 0, []
        for thing in sampling.bodies_of(context.scene):
            count, _ = baking.files.read_head(baking.object_cache(baking.cache_folder(context.scene), thing))
            mine = values[begin:begin + count]
            begin += count
            if count != len(thing.data.vertices):
                others.append(thing.name)
                continue
            attribute = thing.data.color_attributes.get("Verve") or thing.data.color_attributes.new(
                "Verve", "FLOAT_COLOR", "POINT")
            attribute.data.foreach_set("color", colours(mine).ravel())
            thing.data.color_attributes.active_color = attribute
        for window in context.window_manager.windows:
            for area in window.screen.areas:
                if area.type == "VIEW_3D":
                    area.spaces.active.shading.color_type = "VERTEX"
        if others:
            return f"not coloured, since modifiers before Verve's make other points: {', '.join(others)}"


class VERVE_OT_select(Asked, bpy.types.Operator):
    """Select the points of the active object whose faces cut through another simulated object, a collider or each other"""
    bl_idname, bl_label = "verve.select_intersecting", "Select Intersecting"

    def do(self, context):
        thing, depsgraph = context.object, context.evaluated_depsgraph_get()

        def tree(of):
            mesh = of.evaluated_get(depsgraph).to_mesh()
            points = [of.matrix_world @ v.co for v in mesh.vertices]
            return BVHTree.FromPolygons(points, [tuple(p.vertices) for p in mesh.polygons]), mesh

        if thing is None or thing.type != "MESH":
            raise Problem("choose a mesh first")
        mine, mesh = tree(thing)
        if len(mesh.vertices) != len(thing.data.vertices):
            raise Problem(f"{thing.name}: its modifiers change the number of points, so that none can be selected")
        corners = [set(polygon.vertices) for polygon in mesh.polygons]
        touched = {a for a, b in mine.overlap(mine) if not corners[a] & corners[b]}
        for other in sampling.bodies_of(context.scene) + sampling.colliders_of(context.scene):
            if other != thing:
                touched |= {a for a, _ in mine.overlap(tree(other)[0])}
        points = {i for face in touched for i in mesh.polygons[face].vertices}
        mode = thing.mode
        if mode == "EDIT":
            bpy.ops.object.mode_set(mode="OBJECT")  # a mesh that is being edited keeps its selection elsewhere
        for part in (thing.data.polygons, thing.data.edges):
            part.foreach_set("select", [False] * len(part))
        thing.data.vertices.foreach_set("select", [i in points for i in range(len(thing.data.vertices))])
        if mode == "EDIT":
            bpy.ops.object.mode_set(mode=mode)
        return f"{len(points)} points intersect"


def register():
    bpy.utils.register_class(VERVE_OT_colour)
    bpy.utils.register_class(VERVE_OT_select)


def unregister():
    bpy.utils.unregister_class(VERVE_OT_select)
    bpy.utils.unregister_class(VERVE_OT_colour)
