"""Run by Blender: draws the frames of a run side by side on one floor, with Cycles on the CPU.

blender -b --factory-startup --python render.py -- OUT.png CELL FLOOR FRAME.obj...
CELL: pixels of a frame. FLOOR: its height (m), or none.
"""
import sys

import bpy
from mathutils import Matrix, Vector

FORWARD = Vector((-0.45, -0.3, -1.0)).normalized()  # as the built-in rasteriser looks; y is up
RIGHT = FORWARD.cross(Vector((0, 1, 0))).normalized()
UP = RIGHT.cross(FORWARD)


def read_obj(path):
    points, faces = [], []
    with open(path) as file:
        for line in file:
            words = line.split()
            if words[:1] == ["v"]:
                points.append(Vector(map(float, words[1:4])))
            elif words[:1] == ["f"]:
                faces.append([int(word.split("/")[0]) - 1 for word in words[1:]])
    return points, faces


def material(name, colour):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value = 0.6
    return made


def add_mesh(points, faces, paint):
    mesh = bpy.data.meshes.new("body")
    mesh.from_pydata(points, [], faces)
    mesh.materials.append(paint)
    bpy.context.collection.objects.link(bpy.data.objects.new("body", mesh))


def placed(direction, up, place):
    """The matrix of an object that looks along its own -z."""
    side = direction.cross(up).normalized()
    axes = Matrix((side, side.cross(direction), -direction)).transposed().to_4x4()
    axes.translation = place
    return axes


def main(out, cell, floor, *files):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    frames = [read_obj(file) for file in files]
    spans = [[axis.dot(p) for points, _ in frames for p in points] for axis in (RIGHT, UP, FORWARD)]
    low, high = [min(s) for s in spans], [max(s) for s in spans]
    size = 1.12 * max(high[0] - low[0], high[1] - low[1])  # of a cell, in metres
    orange = material("body", (0.8, 0.3, 0.09))
    for i, (points, faces) in enumerate(frames):
        add_mesh([p + i * size * RIGHT for p in points], faces, orange)
    across, upward = (low[0] + high[0] + (len(frames) - 1) * size) / 2, (low[1] + high[1]) / 2
    middle = across * RIGHT + upward * UP + (low[2] + high[2]) / 2 * FORWARD
    if floor != "none":
        corners = [middle + 60 * size * (a * RIGHT + b * RIGHT.cross(Vector((0, 1, 0))))
                   for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        add_mesh([Vector((c.x, float(floor), c.z)) for c in corners], [(0, 1, 2, 3)],
                 material("floor", (0.35, 0.37, 0.42)))
    scene = bpy.context.scene
    camera = bpy.data.cameras.new("camera")
    camera.type, camera.ortho_scale, camera.clip_end = "ORTHO", size * len(frames), 1000 * size
    scene.camera = bpy.data.objects.new("camera", camera)
    scene.camera.matrix_world = placed(FORWARD, Vector((0, 1, 0)), middle - 20 * size * FORWARD)
    sun = bpy.data.lights.new("sun", "SUN")
    sun.energy, sun.angle = 2.2, 0.05
    light = bpy.data.objects.new("sun", sun)
    light.matrix_world = placed((0.6 * FORWARD - Vector((0, 1, 0)) - 0.5 * RIGHT).normalized(), UP, middle)
    for thing in (scene.camera, light):
        bpy.context.collection.objects.link(thing)
    scene.world = bpy.data.worlds.new("world")
    scene.world.use_nodes = True
    sky = scene.world.node_tree.nodes["Background"].inputs
    sky["Color"].default_value, sky["Strength"].default_value = (0.85, 0.87, 0.92, 1), 0.45
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.max_bounces = "CPU", 16, 2
    scene.cycles.use_denoising = False  # Debian builds Blender without the denoiser
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x, scene.render.resolution_y = int(cell) * len(frames), int(cell)
    scene.render.threads_mode, scene.render.threads = "FIXED", 2
    scene.render.filepath = out
    bpy.ops.render.render(write_still=True)


main(*sys.argv[sys.argv.index("--") + 1:])
