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
    "bodies[].material.mu": 200.0, "bodies[].material.bend": 10.0, "bodies[].density": 100.0,
    "bodies[].geometry.spacing": 0.2, "damping.half_life": 0.5, "damping.frequency": 2.0,
}
soft_models = ("stable_neo_hookean", "neo_hookean", "mooney_rivlin", "stvk")
LARGEST = 3.0e38


def identifier(path):
    """A path as the name of a property."""
    return path.replace("bodies[].", "").replace("colliders[].", "collider.").replace(".", "__")


def make_property(path, menu=None):
    """Name, range, default and tooltip are the table's."""
    row = rows[path]
    default = row.get("default", defaults.get(path))
    about = {"name": row["label"], "description": row["help"] + (f" In {row['unit']}" if "unit" in row else "")}
    low, high = row.get("min", row.get("above", -LARGEST)), row.get("max", LARGEST)
    kind = row["kind"]
    if kind == "number":
        if "above" in row:
            low = max(low, 1e-12)
        return bpy.props.FloatProperty(default=default, min=low, max=high, precision=4, **about)
    if kind == "integer":
        whole = 2**31 - 1
        return bpy.props.IntProperty(default=int(default), min=int(max(low, -whole)), max=int(min(high, whole)), **about)
    if kind == "toggle":
        return bpy.props.BoolProperty(default=bool(default), **about)
    if kind == "menu":
        words = menu or row["menu"]
        items = [(word, word.replace("_", " ").capitalize(), row["help"]) for word in words]
        return bpy.props.EnumProperty(items=items, default=default, **about)
    raise TypeError(f"{path}: no property for a {kind}")


def scene_paths():
    """What a scene may say outside of lists that a panel can show: all that the add-on does not fill in itself."""
    own = ("output", "wind", "air")
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
