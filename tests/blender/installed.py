"""To be imported before the add-on: lets tests import it by its short name. Extensions, which add-ons are from Blender 4.2
on, are packages below bl_ext."""
import importlib
import sys

import bpy

name = next(name for name in bpy.context.preferences.addons.keys() if name.split(".")[-1] == "verve_blender")
sys.modules.setdefault("verve_blender", importlib.import_module(name))
