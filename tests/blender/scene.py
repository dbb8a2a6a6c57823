"""The test scene: a soft monkey, a cloth with pinned points, an animated collider, a floor, and wind."""
import bpy


def build(last):
    """In an empty file."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 1, last, 24
    bpy.ops.mesh.primitive_monkey_add(size=0.8, location=(0, 0, 1.1), rotation=(0.3, 0, 0.2))
    monkey = bpy.context.object
    monkey.name = "Monkey"
    monkey.verve.kind = "SOFT"
    monkey.verve.soft_preset = "foam"
    monkey.verve.geometry__spacing = 0.14
    monkey.modifiers.new("Smooth", "SUBSURF")
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=18, y_subdivisions=18, size=1.2, location=(1.4, 0, 1.6))
    cloth = bpy.context.object
    cloth.name = "Cloth"
    cloth.verve.kind = "CLOTH"
    pins = cloth.vertex_groups.new(name="pins")
    pins.add([v.index for v in cloth.data.vertices if v.co.y > 0.59], 1.0, "REPLACE")
    cloth.verve.pin_group = "pins"
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.25, location=(1.4, -0.1, 0.9), segments=24, ring_count=12)
    ball = bpy.context.object
    ball.name = "Ball"
    ball.verve.kind = "COLLIDER"
    ball.verve.collider__thickness = 0.02
    ball.keyframe_insert("location", frame=1)
    ball.location.z = 1.35
    ball.keyframe_insert("location", frame=last)
    bpy.ops.mesh.primitive_plane_add(size=8)
    bpy.context.object.name = "Floor"
    bpy.context.object.verve.kind = "COLLIDER"
    bpy.ops.object.effector_add(type="WIND", location=(-2, 0, 1), rotation=(0, 1.57, 0))
    bpy.context.object.field.strength = 2.0
    return scene, monkey, cloth, ball
