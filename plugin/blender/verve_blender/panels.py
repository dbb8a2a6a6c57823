# SPDX-License-Identifier: MIT
"""The panels in the physics tab: what the object is, how it looks, the bake; the solver's settings under Advanced."""
import blf
import bpy

from . import baking, table


class InPhysics:
    bl_space_type, bl_region_type, bl_context = "PROPERTIES", "WINDOW", "physics"

    @classmethod
    def poll(cls, context):
        return context.object is not None


def draw_sentences(layout, context):
    """What the last bake or button said, in lines that stand close; what went wrong stands out."""
    sentences = baking.said.get(context.scene.name, ())
    if not sentences:
        return
    column = layout.box().column(align=True)
    column.alert = context.scene.name in baking.wrong
    sign = "ERROR" if column.alert else "INFO"
    for sentence in sentences:
        for i, line in enumerate(wrapped(sentence, context)):
            row = column.row()
            row.scale_y = 0.75
            row.label(text=line, icon=sign if i == 0 else "BLANK1")
        column.alert, sign = False, "INFO"
        column.separator(factor=0.5)


class VERVE_PT_object(InPhysics, bpy.types.Panel):
    bl_label = "Verve"

    def draw(self, context):
        layout, settings = self.layout, context.object.verve
        layout.use_property_split = True
        draw_sentences(layout, context)
        layout.prop(settings, "kind")
        shown = {"SOFT": ("soft_preset", "geometry__spacing"), "CLOTH": ("cloth_preset",),
                 "COLLIDER": ("collider__friction", "collider__thickness", "collider__stiffness")}
        for name in shown.get(settings.kind, ()):
            layout.prop(settings, name)


class OfBodies(InPhysics):
    bl_parent_id, bl_options = "VERVE_PT_object", {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.verve.kind in ("SOFT", "CLOTH", "ROPE")


class VERVE_PT_material(OfBodies, bpy.types.Panel):
    bl_label = "Material in Numbers"

    def draw(self, context):
        layout, settings = self.layout, context.object.verve
        layout.use_property_split = True
        more = {"SOFT": ("material__model", "settle", "sag_free"), "CLOTH": ("material__limit", "settle", "sag_free"),
                "ROPE": ("settle",)}
        for name in (*table.numbers_of(settings), *more[settings.kind]):
            layout.prop(settings, name)


class VERVE_PT_groups(OfBodies, bpy.types.Panel):
    bl_label = "Vertex Groups"

    def draw(self, context):
        layout, thing = self.layout, context.object
        layout.use_property_split = True
        for name in ("pin_group", "target_group", "stiffness_group", "damping_group", "friction_group"):
            layout.prop_search(thing.verve, name, thing, "vertex_groups")
        layout.prop(thing.verve, "target__stiffness", text="Target Stiffness (N/m)")


# Nearer at hand than the rest of the table, and in plainer words.
by_look = {"contact__self": "Self Contact", "contact__wall": "Nothing Passes Through"}


class VERVE_PT_bake(InPhysics, bpy.types.Panel):
    bl_label, bl_parent_id = "Bake", "VERVE_PT_object"

    def draw(self, context):
        layout, scene = self.layout, context.scene
        layout.use_property_split = True
        settings = scene.verve
        layout.prop(settings, "quality")
        for name, text in by_look.items():
            layout.prop(settings, name, text=text)
        layout.prop(settings, "damping_by")
        shown = {"HALF_LIFE": ("damping__half_life", "damping__frequency"), "DELTA": ("damping__delta",)}
        for name in shown.get(settings.damping_by, ()):
            layout.prop(settings, name)
        layout.prop(settings, "folder")
        bake = baking.running.get(scene.name)
        if bake:
            if hasattr(layout, "progress"):  # Blender 4.0 and later
                layout.progress(text=bake.message, factor=bake.share)
            else:
                layout.label(text=f"{100 * bake.share:.0f}%: {bake.message}")
            layout.operator("verve.cancel")
        else:
            row = layout.row(align=True)
            row.scale_y = 1.4
            row.operator("verve.bake").resume = False
            if baking.has_checkpoint(scene):
                row.operator("verve.bake", text="Resume").resume = True
                row.operator("verve.free")
            layout.operator("verve.bake_all")
        column = layout.column(align=True)
        for operator in ("verve.shape_keys", "verve.export", "verve.page", "verve.select_intersecting"):
            column.operator(operator)
        column.operator_menu_enum("verve.colour", "quantity")


def wrapped(text, context):
    """Lines as wide as the panel, less its margins and the sign in front."""
    preferences = context.preferences
    scale = preferences.system.ui_scale
    blf.size(0, preferences.ui_styles[0].widget.points * scale)
    room = max(context.region.width - 105 * scale, 50 * scale)
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and blf.dimensions(0, longer)[0] > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


class VERVE_PT_advanced(InPhysics, bpy.types.Panel):
    bl_label, bl_parent_id, bl_options = "Advanced", "VERVE_PT_object", {"DEFAULT_CLOSED"}

    def draw(self, context):
        layout, settings = self.layout, context.scene.verve
        layout.use_property_split = True
        folder = None
        layout.prop(settings, "substeps", text="Substeps (0: Auto)")
        layout.prop(settings, "substeps_max")
        for path in table.scene_paths():
            if path in ("damping.half_life", "damping.frequency", "damping.delta") or table.identifier(path) in by_look:
                continue
            if path.split(".")[0] != folder:
                folder = path.split(".")[0]
                layout.label(text=table.rows[folder]["label"])
            layout.prop(settings, table.identifier(path))
        layout.prop(settings, "program")


classes = (VERVE_PT_object, VERVE_PT_material, VERVE_PT_groups, VERVE_PT_bake, VERVE_PT_advanced)


def register():
    for one in classes:
        bpy.utils.register_class(one)


def unregister():
    for one in reversed(classes):
        bpy.utils.unregister_class(one)
