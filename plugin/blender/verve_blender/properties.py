# SPDX-License-Identifier: MIT
"""The settings that a .blend keeps: of the scene and of each object. What was baked lies in the cache's folder."""
import bpy

from . import table

MODIFIER = "Verve"
kinds = [("NONE", "None", "Not simulated"),
         ("SOFT", "Soft Body", "Filled with tets that carry the mesh along"),
         ("CLOTH", "Cloth", "The mesh is a sheet"),
         ("ROPE", "Rope", "The edges of the mesh are ropes"),
         ("COLLIDER", "Collider", "What the others meet; it moves as it is animated")]

# By look: Young's modulus (Pa), Poisson's ratio, density (kg/m^3); of sheets: stretch, bend, density (kg/m^2).
soft_presets = {"jelly": (8e3, 0.45, 1000.0), "flesh": (3e4, 0.47, 1000.0), "foam": (1e5, 0.2, 100.0),
                "rubber": (1e6, 0.48, 1100.0)}
cloth_presets = {"silk": (200.0, 0.2, 0.08), "cotton": (400.0, 2.0, 0.15), "denim": (1500.0, 20.0, 0.4),
                 "leather": (3000.0, 80.0, 0.8)}

object_paths = ["bodies[].geometry.spacing", "bodies[].material.model", "bodies[].material.young",
                "bodies[].material.poisson", "bodies[].material.mu", "bodies[].material.bend", "bodies[].density",
                "bodies[].targets[].stiffness", "colliders[].stiffness", "colliders[].friction", "colliders[].thickness"]


def apply_preset(settings, _context):
    soft = soft_presets.get(settings.soft_preset)
    if settings.kind == "SOFT" and soft:
        settings.material__young, settings.material__poisson, settings.density = soft
    sheet = cloth_presets.get(settings.cloth_preset)
    if settings.kind in ("CLOTH", "ROPE") and sheet:
        settings.material__mu, settings.material__bend, settings.density = sheet


def change_kind(settings, context):
    apply_preset(settings, context)
    add_modifier(settings.id_data)


def preset_menu(presets, name, default):
    items = [(word, word.capitalize(), "Sets stiffness and density") for word in presets]
    return bpy.props.EnumProperty(items=items + [("custom", "Custom", "As set below")], name=name, default=default,
                                  update=apply_preset)


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
    return bpy.props.StringProperty(name=name, description=text)


def object_annotations():
    notes = {
        "kind": bpy.props.EnumProperty(items=kinds, name="Verve", default="NONE", update=change_kind),
        "soft_preset": preset_menu(soft_presets, "Material", "foam"),
        "cloth_preset": preset_menu(cloth_presets, "Fabric", "cotton"),
        "pin_group": group_property("Pins", "Points of a weight of a half and more follow the animation"),
        "target_group": group_property("Targets", "Points are drawn to the animation, by weight"),
        "stiffness_group": group_property("Stiffness", "Multiplies stiffness; points outside of the group keep it"),
        "damping_group": group_property("Damping", "Multiplies damping"),
        "friction_group": group_property("Friction", "Multiplies friction"),
    }
    for path in object_paths:
        menu = table.soft_models if path.endswith("material.model") else None
        notes[table.identifier(path).replace("targets[]__", "target__")] = table.make_property(path, menu)
    return notes


def scene_annotations():
    notes = {
        "folder": bpy.props.StringProperty(name="Cache", subtype="DIR_PATH", default="//verve_cache",
                                           description="Where bakes are kept, beside the .blend"),
        "damping_by": bpy.props.EnumProperty(
            name="Damping", default="HALF_LIFE", description="How damping is said",
            items=[("NONE", "None", "Nothing is lost"), ("HALF_LIFE", "Half-Life", "Seconds in which swings halve"),
                   ("DELTA", "Delta", "Rayleigh's delta")]),
        "quality": bpy.props.EnumProperty(
            name="Quality", default=table.rows["quality"]["default"], description=table.rows["quality"]["help"],
            items=[(word, word.capitalize(), "") for word in table.rows["quality"]["menu"]]),
        "program": bpy.props.StringProperty(name="Program", subtype="FILE_PATH", default="",
                                            description="The verve program; empty: the one in the add-on"),
    }
    for path in table.scene_paths():
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
