"""A soft monkey, a curtain in a gusty wind and a ball that pushes it: baked by the add-on, and rendered.

blender -b --addons verve_blender --python examples/blender/monkey.py -- OUT [FRAME...]
"""
import pathlib
import sys

import bpy

words = sys.argv[sys.argv.index("--") + 1:]
out, frames = pathlib.Path(words[0]).resolve(), [int(word) for word in words[1:]] or [12, 24, 40]
bpy.ops.wm.read_homefile(use_empty=True)
scene = bpy.context.scene
scene.frame_start, scene.frame_end = 1, max(frames)


def paint(thing, colour):
    material = bpy.data.materials.new(thing.name)
    material.use_nodes = True
    material.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*colour, 1)
    thing.data.materials.append(material)


bpy.ops.mesh.primitive_monkey_add(size=1.0, location=(-0.6, 0, 1.2), rotation=(-0.3, 0, 0.3))
monkey = bpy.context.object
monkey.modifiers.new("Smooth", "SUBSURF")
monkey.verve.kind, monkey.verve.soft_preset, monkey.verve.geometry__spacing = "SOFT", "foam", 0.08
paint(monkey, (0.8, 0.25, 0.1))
bpy.ops.mesh.primitive_grid_add(x_subdivisions=30, y_subdivisions=30, size=1.6, location=(1.1, 0.3, 1.2), rotation=(1.5708, 0, 0))
curtain = bpy.context.object
curtain.name = "Curtain"
curtain.vertex_groups.new(name="pins").add([v.index for v in curtain.data.vertices if v.co.y > 0.79], 1.0, "REPLACE")
curtain.verve.kind, curtain.verve.cloth_preset, curtain.verve.pin_group = "CLOTH", "cotton", "pins"
bpy.ops.object.shade_smooth()
paint(curtain, (0.1, 0.35, 0.7))
bpy.ops.mesh.primitive_uv_sphere_add(radius=0.3, location=(1.1, 1.3, 0.9))
ball = bpy.context.object
ball.verve.kind, ball.verve.collider__thickness = "COLLIDER", 0.02  # no less than what faces cut off between their points
ball.keyframe_insert("location", frame=1)
ball.location.y = -0.1
ball.keyframe_insert("location", frame=scene.frame_end)
bpy.ops.object.shade_smooth()
paint(ball, (0.6, 0.6, 0.1))
bpy.ops.mesh.primitive_plane_add(size=12)
bpy.context.object.verve.kind, bpy.context.object.verve.collider__thickness = "COLLIDER", 0.02
paint(bpy.context.object, (0.5, 0.5, 0.5))
bpy.ops.object.effector_add(type="WIND", location=(1, 3, 1), rotation=(1.5708, 0, 0))
bpy.context.object.field.strength = 1.0
bpy.ops.object.effector_add(type="TURBULENCE")
bpy.context.object.field.strength, bpy.context.object.field.size = 1.0, 0.6

out.mkdir(parents=True, exist_ok=True)
bpy.ops.wm.save_as_mainfile(filepath=str(out / "monkey.blend"))
bpy.ops.verve.bake()

bpy.ops.object.camera_add(location=(0.4, -6.2, 1.4), rotation=(1.48, 0, 0.03))
scene.camera = bpy.context.object
for place, turn, energy, size in (((-2.5, -3, 4), (0.75, 0, -0.7), 350, 1.5), ((4, 1.5, 3), (0.9, 0, 1.9), 150, 3)):
    bpy.ops.object.light_add(type="AREA", location=place, rotation=turn)
    bpy.context.object.data.energy, bpy.context.object.data.size = energy, size
scene.world = bpy.data.worlds.new("World")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.05, 0.07, 0.1, 1)
scene.view_settings.view_transform = "Standard"
scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 40, False
scene.render.resolution_x, scene.render.resolution_y = 640, 360
for frame in frames:
    scene.frame_set(frame)
    scene.render.filepath = str(out / f"monkey.{frame:04d}.png")
    bpy.ops.render.render(write_still=True)
bpy.ops.wm.save_mainfile()
