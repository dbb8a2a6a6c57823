# SPDX-License-Identifier: MIT
"""The parameter table of the solver, as `verve params --json` prints it, and Blender's properties made from it."""
import json
import pathlib

import bpy

here = pathlib.Path(__file__).parent
rows = {row["path"]: row for row in json.loads((here / "parameters.json").read_text())}

# What the table leaves open because it depends on the body.
defaults = {
    "bodies[].material.model": "stable_neo_hookean", "bodies[].material.young": 1e5, "bodies[].material.poisson": 0.4,
    "bodies[].density": 100.0,
    "bodies[].material.thickness": 1e-3, "bodies[].material.limit": 0.0, "bodies[].geometry.spacing": 0.2,
    "damping.half_life": 0.5, "damping.frequency": 2.0,
}
soft_presets, fabrics = rows["node.softpreset"]["presets"], rows["bodies[].material.fabric"]["presets"]
defaults.update({path: value for path, value in fabrics["cotton"].items() if path not in defaults})
# The numbers below the menus of materials: properties and what they are in the table. Of cloth there are two ways.
numbers = {
    "SOFT": {name: f"bodies[].{path}" for name, path in (
        ("material__young", "material.young"), ("material__poisson", "material.poisson"), ("density", "density"))},
    "woven": {name: f"bodies[].{path}" for name, path in (
        ("cloth__density", "density"), ("material__warp", "material.warp"), ("material__weft", "material.weft"),
        ("material__shear", "material.shear"), ("material__bend", "material.bend"),
        ("material__bend_weft", "material.bend_weft"), ("cloth__poisson", "material.poisson"))},
    "sheet": {name: f"bodies[].{path}" for name, path in (
        ("cloth__density", "density"), ("sheet__young", "material.young"), ("sheet__poisson", "material.poisson"),
        ("material__thickness", "material.thickness"))},
    "ROPE": {name: f"bodies[].{path}" for name, path in (
        ("rope__density", "density"), ("rope__stretch", "material.stretch"), ("rope__bend", "material.bend"))},
}
own_defaults = {"cloth__density": fabrics["cotton"]["bodies[].density"], "sheet__young": 1e6, "sheet__poisson": 0.3,
                "material__bend": fabrics["cotton"]["bodies[].material.bend"], "cloth__poisson": 0.0, "rope__density": 0.1,
                "rope__stretch": 1000.0, "rope__bend": 1e-4}
units = {"density": "kg/m^3", "cloth__density": "kg/m^2", "rope__density": "kg/m", "material__bend": "N m", "rope__bend": "N m^2"}
# In units of the scene, which Blender shows as the artist has chosen; all else is in the units of the table.
lengths = ("bodies[].geometry.spacing", "colliders[].thickness")
spelled = {"avf": "AVF", "hp": "HP", "bdf2": "BDF2", "stvk": "StVK"}
soft_models = ("stable_neo_hookean", "neo_hookean", "mooney_rivlin", "stvk")
LARGEST = 3.0e38


def identifier(path):
    """A path as the name of a property."""
    return path.replace("bodies[].", "").replace("colliders[].", "collider.").replace(".", "__")


def numbers_of(settings):
    """The properties that say what the object is made of, with their places in the table."""
    kind = settings.kind
    return numbers.get(("sheet" if settings.cloth_preset == "sheet" else "woven") if kind == "CLOTH" else kind, {})


def preset_of(settings):
    """What a menu of materials stands for, by the paths of the table; empty for numbers of the artist's own."""
    if settings.kind == "SOFT":
        return soft_presets.get(settings.soft_preset, {})
    return fabrics.get(settings.cloth_preset, {}) if settings.kind == "CLOTH" else {}


def make_property(path, menu=None, name=None, update=None):
    """Label, unit, range, default and tooltip are the table's."""
    row = rows[path]
    default = own_defaults.get(name, row.get("default", defaults.get(path)))
    unit = units.get(name, row.get("unit")) if path not in lengths else None
    about = {"name": row["label"] + (f" ({unit})" if unit else ""), "description": row["help"], "update": update,
             "options": set()}  # nothing here can be animated
    low, high = row.get("min", row.get("above", -LARGEST)), row.get("max", LARGEST)
    kind = row["kind"]
    if kind == "number":
        if "above" in row:
            low = max(low, 1e-12)
        size = abs(default)  # flexural rigidities are millionths of a newton metre, moduli millions of pascals
        digits = 6 if 0 < size < 1e-3 else 4 if size < 0.05 else 3 if size < 10 else 1
        if path in lengths:
            about["unit"] = "LENGTH"
        return bpy.props.FloatProperty(default=default, min=low, max=high, precision=digits, **about)
    if kind == "integer":
        whole = 2**31 - 1
        return bpy.props.IntProperty(default=int(default), min=int(max(low, -whole)), max=int(min(high, whole)), **about)
    if kind == "toggle":
        return bpy.props.BoolProperty(default=bool(default), **about)
    if kind == "menu":
        words = menu or row["menu"]
        items = [(word, spelled.get(word, word.replace("_", " ").capitalize()), row["help"]) for word in words]
        return bpy.props.EnumProperty(items=items, default=default, **about)
    raise TypeError(f"{path}: no property for a {kind}")


def scene_paths():
    """What a scene may say outside of lists that a panel can show: all that the add-on does not fill in itself."""
    own = ("output", "wind")
    for path, row in rows.items():
        simple = row["kind"] in ("number", "integer", "toggle", "menu") and "[]" not in path
        fits = row["kind"] != "integer" or row.get("max", 0) < 2**31
        if (simple and fits and "." in path and not path.startswith("node.") and path.split(".")[0] not in own
                and ("default" in row or path in defaults)):
            yield path


def put(scene, path, value):
    """Sets the value at a path such as damping.eta in nested dicts."""
    *folders, key = path.split(".")
    for folder in folders:
        scene = scene.setdefault(folder, {})
    scene[key] = value
