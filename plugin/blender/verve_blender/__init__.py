# SPDX-License-Identifier: MIT
"""Verve in Blender: objects become soft bodies, cloth, ropes and colliders; `verve` bakes them as a process of its own."""
bl_info = {
    "name": "Verve",
    "author": "Verve",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "Properties > Physics",
    "description": "Soft bodies, cloth and ropes that keep their energy",
    "category": "Physics",
}

from . import baking, looks, operators, panels, properties

modules = (properties, operators, looks, panels)


def register():
    for module in modules:
        module.register()


def unregister():
    baking.stop_all()
    for module in reversed(modules):
        module.unregister()
