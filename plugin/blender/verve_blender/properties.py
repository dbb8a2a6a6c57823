# SPDX-License-Identifier: MIT
"""The settings that a .blend keeps: of the scene and of each object. What was baked lies in the cache's folder."""
import struct

import bpy

from . import table

MODIFIER = "Verve"
kinds = [("NONE", "None", "Not simulated"),
         ("SOFT", "Soft Body", "Filled with tets that carry the mesh along"),
         ("CLOTH", "Cloth", "The mesh is a sheet"),
         ("ROPE", "Rope", "The edges of the mesh are ropes"),
         ("COLLIDER", "Collider", "What the others meet; it moves as it is animated")]

object_paths = ["bodies[].geometry.spacing", "bodies[].material.model", "bodies[].material.limit", "bodies[].settle",
                "bodies[].sag_free", "bodies[].targets[].stiffness", "colliders[].stiffness", "colliders[].friction",
                "colliders[].thickness"]


applying = []  # while presets set numbers these are not the artist's own


def apply_preset(settings, _context):
    """Shows the numbers that the chosen word stands for."""
    values = table.preset_of(settings)
    applying.append(settings)
    for name, path in table.numbers_of(settings).items():
        if path in values:
            setattr(settings, name, values[path])
    applying.pop()


def single(number):
    return struct.unpack("f", struct.pack("f", number))[0]


def change_number(settings, _context):
    """Numbers that are no longer those of the preset are the artist's own."""
    values = table.preset_of(settings)
    numbers = table.numbers_of(settings).items()
    if not applying and any(path in values and getattr(settings, name) != single(values[path]) for name, path in numbers):
        if settings.kind == "SOFT":
            settings.soft_preset = "custom"
        else:
            settings.cloth_preset = "woven"


def change_kind(settings, context):
    apply_preset(settings, context)
    add_modifier(settings.id_data)


def preset_menu(presets, own, name, default):
    items = [(word, word.capitalize(), "Sets the numbers below") for word in presets]
    return bpy.props.EnumProperty(items=items + own, name=name, default=default, update=apply_preset, options=set())


def add_modifier(thing):
    """Bodies play their cache through a modifier after those that deform the mesh and before those that smooth or
    thicken it; artists may move it: what stands before it is what is simulated."""
    body = thing.verve.kind in ("SOFT", "CLOTH", "ROPE")
    modifier = thing.modifiers.get(MODIFIER)
    if not body or thing.type != "MESH":
        if modifier:
            thing.modifiers.remove(modifier)
        return
    if modifier:
        return
    place = len(thing.modifiers)
    while place and thing.modifiers[place - 1].type in ("SUBSURF", "MULTIRES", "SOLIDIFY", "BEVEL"):
        place -= 1
    modifier = thing.modifiers.new(MODIFIER, "MESH_CACHE")
    modifier.cache_format = "PC2"
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
    modifier.show_viewport = modifier.show_render = False
    while list(thing.modifiers).index(modifier) > place:
        with bpy.context.temp_override(object=thing, active_object=thing):
            bpy.ops.object.modifier_move_up(modifier=MODIFIER)


def group_property(name, text):
    return bpy.props.StringProperty(name=name, description=text, options=set())


def object_annotations():
    notes = {
        "kind": bpy.props.EnumProperty(items=kinds, name="Verve", default="NONE", update=change_kind, options=set()),
        "soft_preset": preset_menu(table.soft_presets, [("custom", "Custom", "As set below")], "Material", "foam"),
        "cloth_preset": preset_menu(
            table.fabrics, [("woven", "Custom: Woven", "By its stiffness along warp and weft, which follow the UV map"),
                            ("sheet", "Custom: Sheet", "By Young's modulus and thickness, alike in all directions")],
            "Fabric", "cotton"),
        "pin_group": group_property("Pins", "Points of a weight of a half and more follow the animation"),
        "target_group": group_property("Targets", "Points are drawn to the animation, by weight"),
        "stiffness_group": group_property("Stiffness", "Multiplies stiffness; points outside of the group keep it"),
        "damping_group": group_property("Damping", "Multiplies damping"),
        "friction_group": group_property("Friction", "Multiplies friction"),
    }
    for path in object_paths:
        menu = table.soft_models if path.endswith("material.model") else None
        notes[table.identifier(path).replace("targets[]__", "target__")] = table.make_property(path, menu)
    for group in table.numbers.values():
        for name, path in group.items():
            notes[name] = table.make_property(path, name=name, update=change_number)
    return notes


def scene_annotations():
    # From 4.5 on Blender wants to be told that a path may begin with "//"; earlier ones do not know the word.
    path_options = {"PATH_SUPPORTS_BLEND_RELATIVE"} if bpy.app.version >= (4, 5, 0) else set()
    notes = {
        "folder": bpy.props.StringProperty(name="Cache", subtype="DIR_PATH", default="//verve_cache", options=path_options,
                                           description="Where bakes are kept, beside the .blend"),
        "damping_by": bpy.props.EnumProperty(
            name="Damping", default="HALF_LIFE", description="How damping is said", options=set(),
            items=[("NONE", "None", "Nothing is lost"), ("HALF_LIFE", "Half-Life", "Seconds in which swings halve"),
                   ("DELTA", "Delta", "Rayleigh's delta")]),
        "quality": bpy.props.EnumProperty(
            name="Quality", options=set(), default=table.rows["quality"]["default"], description=table.rows["quality"]["help"],
            items=[(word, word.capitalize(), "") for word in table.rows["quality"]["menu"]]),
        "program": bpy.props.StringProperty(name="Program", subtype="FILE_PATH", default="", options=path_options,
                                            description="The verve program; empty: the one in the add-on"),
    }
    notes["substeps"] = table.make_property("node.substeps")  # 0 is auto, as in Houdini
    for path in ("substeps_max", *table.scene_paths()):
        notes[table.identifier(path)] = table.make_property(path)
    return notes


class VerveObject(bpy.types.PropertyGroup):
    __annotations__ = object_annotations()


class VerveScene(bpy.types.PropertyGroup):
    __annotations__ = scene_annotations()


def register():
    bpy.utils.register_class(VerveObject)
    bpy.utils.register_class(VerveScene)
    bpy.types.Object.verve = bpy.props.PointerProperty(type=VerveObject)
    bpy.types.Scene.verve = bpy.props.PointerProperty(type=VerveScene)


def unregister():
    del bpy.types.Scene.verve, bpy.types.Object.verve
    bpy.utils.unregister_class(VerveScene)
    bpy.utils.unregister_class(VerveObject)
