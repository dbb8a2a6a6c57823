"""Run inside Blender with the add-on installed: ropes, armatures, units, and what intersects.

blender -b --python check_kinds.py -- FOLDER
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import installed
import numpy as np
from verve_blender import baking, sampling

FOLDER = pathlib.Path(sys.argv[sys.argv.index("--") + 1])
LAST = 8


def check(condition, what):
    print(("ok: " if condition else "FAILED: ") + what, flush=True)
    if not condition:
        sys.exit(1)


def shown(thing):
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([evaluated.matrix_world @ v.co for v in evaluated.to_mesh().vertices])


bpy.ops.wm.read_homefile(use_empty=True)
scene = bpy.context.scene
scene.frame_start, scene.frame_end, scene.render.fps = 3, LAST, 24
scene.unit_settings.scale_length = 0.1  # a unit is a decimetre
scene.gravity = (0, 0, -98.1)           # in units, as Blender has it
scene.verve.folder = str(FOLDER / "kinds")

# A rope of edges, pinned at one end, one that falls freely, and one that is drawn to where it is.
for name, at in (("Hung", 0.0), ("Free", 30.0), ("Drawn", 90.0)):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([(i, at, 20) for i in range(11)], [(i, i + 1) for i in range(10)], [])
    rope = bpy.data.objects.new(name, mesh)
    scene.collection.objects.link(rope)
    rope.verve.kind = "ROPE"
hung, free = bpy.data.objects["Hung"], bpy.data.objects["Free"]
hung.vertex_groups.new(name="end").add([0], 1.0, "REPLACE")
hung.verve.pin_group = "end"
drawn = bpy.data.objects["Drawn"]
drawn.vertex_groups.new(name="all").add(list(range(11)), 1.0, "REPLACE")
drawn.verve.target_group = "all"
drawn.verve.target__stiffness = 1e4

# Materials by name, and by numbers in SI units that are the solver's own.
def said(thing):
    entry = {"geometry": {}}
    sampling.set_material(thing.verve, entry)
    return entry["material"], entry.get("density")


check(said(hung) == ({"model": "rope", "stretch": 1000, "bend": 1e-4}, 0.1), "ropes are said in SI units")
bpy.ops.mesh.primitive_grid_add(x_subdivisions=2, y_subdivisions=2)
cloth = bpy.context.object
cloth.verve.kind, cloth.verve.cloth_preset = "CLOTH", "denim"
check(said(cloth) == ({"fabric": "denim", "model": "membrane"}, None), "a fabric is said by its name")
check(abs(cloth.verve.material__warp - 1055) < 1e-3 and abs(cloth.verve.material__bend - 97e-6) < 1e-9 and
      abs(cloth.verve.cloth__density - 0.324) < 1e-6, "the panel shows its numbers")
cloth.verve.material__bend = 2e-5
material, density = said(cloth)
check(cloth.verve.cloth_preset == "woven" and material["bend"] == 2e-5 and material["weft"] == 226 and density == 0.324 and
      "fabric" not in material and material["poisson"] == 0.083, "a number of one's own makes it a custom fabric")
cloth.verve.cloth_preset, cloth.verve.sheet__young, cloth.verve.material__thickness = "sheet", 2e6, 5e-4
cloth.verve.material__limit = 0.1
check(said(cloth)[0] == {"model": "membrane", "young": 2e6, "poisson": 0.3, "thickness": 5e-4, "limit": 0.1},
      "a sheet is said by Young's modulus and thickness")
cloth.verve.kind, cloth.verve.soft_preset = "SOFT", "rubber"
check(said(cloth) == ({"young": 1e6, "poisson": 0.48, "model": "stable_neo_hookean"}, 1100), "rubber is the solver's rubber")
cloth.verve.density = 950
check(cloth.verve.soft_preset == "custom" and said(cloth)[1] == 950, "a density of one's own makes it custom")
bpy.data.objects.remove(cloth)

# A sheet whose pinned edge follows a bone.
bpy.ops.object.armature_add(location=(0, 60, 20))
armature = bpy.context.object
bone = armature.pose.bones["Bone"]
bone.keyframe_insert("location", frame=3)
bone.location = (0, 2, 0)
bone.keyframe_insert("location", frame=LAST)
bpy.ops.mesh.primitive_grid_add(x_subdivisions=6, y_subdivisions=6, size=10, location=(0, 60, 20))
sheet = bpy.context.object
sheet.name = "Sheet"
everything = list(range(len(sheet.data.vertices)))
edge = [v.index for v in sheet.data.vertices if v.co.x < -4.9]
sheet.vertex_groups.new(name="Bone").add(everything, 1.0, "REPLACE")
sheet.vertex_groups.new(name="edge").add(edge, 1.0, "REPLACE")
deform = sheet.modifiers.new("Armature", "ARMATURE")
deform.object = armature
sheet.verve.kind = "CLOTH"
sheet.verve.pin_group = "edge"
check([m.type for m in sheet.modifiers] == ["ARMATURE", "MESH_CACHE"], "the cache is played after the armature")
scene.frame_set(LAST)
expected = shown(sheet)[edge]
scene.frame_set(3)
start = shown(sheet)[edge]
check(np.abs(expected - start).max() > 1.0, "the bone moves the sheet")

# What modifiers build is what is simulated and met: a sheet that an array doubles, and a box whose copy catches a rope.
bpy.ops.mesh.primitive_grid_add(x_subdivisions=3, y_subdivisions=3, size=4, location=(0, 150, 20))
doubled = bpy.context.object
twice = doubled.modifiers.new("Twice", "ARRAY")
twice.relative_offset_displace = (1.5, 0, 0)
doubled.verve.kind = "CLOTH"
check([m.type for m in doubled.modifiers] == ["ARRAY", "MESH_CACHE"], "the cache is played after the array")
bpy.ops.mesh.primitive_cube_add(size=1, location=(-95, 120, 19))
box = bpy.context.object
box.scale = (12, 4, 1)
copy = box.modifiers.new("Copy", "ARRAY")
copy.use_relative_offset, copy.use_constant_offset = False, True
copy.constant_offset_displace = (100 / 12, 0, 0)
box.verve.kind = "COLLIDER"
mesh = bpy.data.meshes.new("Caught")
mesh.from_pydata([(i, 120, 20) for i in range(11)], [(i, i + 1) for i in range(10)], [])
caught = bpy.data.objects.new("Caught", mesh)
scene.collection.objects.link(caught)
caught.verve.kind = "ROPE"

bpy.ops.verve.bake()
check(baking.said[scene.name] == ["baked"], "ropes and a sheet on an armature are baked, and nothing else is to be said")
scene.frame_set(LAST)
check(np.abs(shown(sheet)[edge] - expected).max() < 1e-4, "pinned points follow the bone")
check(np.abs(shown(hung)[0] - (0, 0, 20)).max() < 1e-5 and shown(hung)[-1, 2] < 19, "the hung rope hangs from its pin")
# Free fall in units: g t^2 / 2 with g = 98.1 units/s^2; the steps are exact for a constant force.
fell = 20 - shown(free)[:, 2].mean()
time = (LAST - 3) / 24
check(abs(fell / (0.5 * 98.1 * time**2) - 1) < 1e-3, f"gravity and units are respected: fell by {fell:.4f} units")

sheets = shown(doubled)
check(len(sheets) == 2 * len(doubled.data.vertices) and np.abs(20 - sheets[:, 2] - fell).max() < 1e-2,
      f"both of the array's sheets fall as far: {20 - sheets[:, 2].max():.4f} units")
heights = []
for frame in range(3, LAST + 1):
    scene.frame_set(frame)
    heights.append(shown(caught)[:, 2].min())
check(19.2 < min(heights) < 19.7 and heights[-1] > 19.2,
      f"the copy of the box, whose top is at 19.5, throws a rope back: {min(heights):.3f}, then {heights[-1]:.3f}")

# Springs of 10 kN/m hold points of some grams: the sag is m g / k, and twice that on its way.
sag = 20 - shown(drawn)[:, 2].min()
weight = drawn.verve.rope__density * 1.0 * 9.81  # N, of a metre's rope with 11 points: no point has more than a tenth
check(abs(sag) < 2 * 0.1 * weight / 1e4 * 10 + 2e-6, f"the stiffness of targets counts: sag {sag:.2g} units")

# Points that intersect are those of the faces that are cut, and no others. The cube's sides lie between the plate's points: in
# their planes, whether an edge is cut hangs on rounding.
bpy.ops.mesh.primitive_cube_add(size=2, location=(5.3, 55.4, shown(sheet)[:, 2].mean()))
cube = bpy.context.object
cube.verve.kind = "COLLIDER"
bpy.ops.mesh.primitive_grid_add(x_subdivisions=10, y_subdivisions=10, size=10, location=(5, 55, cube.location.z))
plate = bpy.context.object
bpy.ops.verve.select_intersecting()
found = [v.index for v in plate.data.vertices if v.select]
far = [i for i in found if max(abs(plate.data.vertices[i].co.x), abs(plate.data.vertices[i].co.y)) > 2.1]
check(len(found) >= 8 and not far, f"{len(found)} points near the cut are selected")
# A strip that turns back and goes down through itself between its third and fourth rows; nothing else is near it.
path = [(-2, 0), (-1, 0), (0, 0), (1, 0), (2, 0), (2, 1), (1, 1.5), (0.45, 0.6), (0.45, -0.6), (0.45, -1.6)]
mesh = bpy.data.meshes.new("Strip")
mesh.from_pydata([(x, 200 + y, z) for x, z in path for y in (-0.5, 0.5)], [],
                 [(2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1) for i in range(len(path) - 1)])
strip = bpy.data.objects.new("Strip", mesh)
scene.collection.objects.link(strip)
for kind in ("NONE", "CLOTH"):  # what it is to the solver is not asked
    strip.verve.kind = kind
    bpy.context.view_layer.objects.active = strip
    bpy.ops.verve.select_intersecting()
    found = [v.index for v in strip.data.vertices if v.select]
    check(found == [4, 5, 6, 7, 14, 15, 16, 17], f"a strip of kind {kind} that cuts itself: {found}")
for i in (14, 15, 16, 17, 18, 19):  # drawn aside, so that it ends above itself
    strip.data.vertices[i].co.z += 2
bpy.ops.verve.select_intersecting()
check(not any(v.select for v in strip.data.vertices), "one that does not has no such points")
print("all kinds are well")
