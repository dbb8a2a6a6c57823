"""Run inside Blender with the add-on installed: meshes as artists bring them, and what they do with a bake.

blender -b --python check_artist.py -- FOLDER
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bpy
import installed
import numpy as np
from verve_blender import baking, sampling

FOLDER = pathlib.Path(sys.argv[sys.argv.index("--") + 1])
LAST = 12


def check(condition, what):
    print(("ok: " if condition else "FAILED: ") + what, flush=True)
    if not condition:
        sys.exit(1)


def refused(sentence, operator=bpy.ops.verve.bake, **words):
    try:
        operator(**words)
        check(False, "refused: " + sentence)
    except RuntimeError:
        said = baking.said[scene.name]
        check(said == [sentence] and scene.name in baking.wrong, "refused: " + said[0])


def shown(thing, frame, part=0.0):
    scene.frame_set(frame, subframe=part)
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([evaluated.matrix_world @ v.co for v in evaluated.to_mesh().vertices])


def deform(thing, name, at, lift):
    """Lets a bone lift the object from the first frame to the last."""
    bpy.ops.object.armature_add(location=at)
    armature = bpy.context.object
    bone = armature.pose.bones["Bone"]
    bone.keyframe_insert("location", frame=1)
    bone.location = (0, lift, 0)  # along the bone, which points up
    bone.keyframe_insert("location", frame=LAST)
    thing.vertex_groups.new(name="Bone").add(list(range(len(thing.data.vertices))), 1.0, "REPLACE")
    modifier = thing.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    if thing.verve.kind != "COLLIDER":
        bpy.context.view_layer.objects.active = thing
        with bpy.context.temp_override(object=thing, active_object=thing):
            bpy.ops.object.modifier_move_to_index(modifier="Armature", index=0)


def grid(name, at, size=0.5, count=5):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=count, y_subdivisions=count, size=size, location=at)
    bpy.context.object.name = name
    return bpy.context.object


def cube(name, at, size):
    bpy.ops.mesh.primitive_cube_add(size=size, location=at)
    bpy.context.object.name = name
    bpy.context.object.verve.kind, bpy.context.object.verve.collider__thickness = "COLLIDER", 0.02
    return bpy.context.object


bpy.ops.wm.read_homefile(use_empty=True)
scene = bpy.context.scene
scene.frame_start, scene.frame_end, scene.render.fps = 1, LAST, 24
scene.verve.folder = str(FOLDER / "artist")
refused("no object is a soft body, cloth or rope; choose what they are in the physics tab")

# A curve is no mesh, and says so; a flat object has no way back into its own space.
bpy.ops.curve.primitive_bezier_curve_add()
curve = bpy.context.object
curve.name = "Path"
curve.verve.kind = "ROPE"
refused("Path: is a curve; make it a mesh first (Object > Convert)")
bpy.data.objects.remove(curve)
# What is hidden by its eye still moves in Blender, what is disabled in viewports does not.
bpy.ops.object.empty_add()
bpy.context.object.verve.kind = "COLLIDER"
bpy.context.object.name = "Nothing"
tent = grid("Tent", (0, 0, 0))
tent.verve.kind = "CLOTH"
refused("Nothing: has no mesh to simulate; it is an empty")
bpy.data.objects.remove(bpy.data.objects["Nothing"])
tent.hide_viewport = True
refused("Tent: is disabled in viewports, or its collection is, so that Blender does not move it; hide it by its eye instead, "
        "or let it be no part of the simulation")
tent.hide_viewport = False
tent.hide_set(True)
# A program of the artist's own choice is run if it may be, and never changed.
text = FOLDER / "program.txt"
text.write_text("no program")
text.chmod(0o644)
scene.verve.program = str(text)
refused(f"{text}: the program may not be run; make it executable")
check(text.stat().st_mode & 0o777 == 0o644, "a file that was chosen stays as it is")
text.chmod(0o755)
refused(f"{text}: is no program of this system: Exec format error")
scene.verve.program = ""
tent.verve.kind, tent.verve.geometry__spacing = "SOFT", 50
refused("Tent: meshing: nothing is thick enough for the spacing 50; choose a smaller spacing (the shape is 0.5 long, in the "
        "units of its file) or check that the shape encloses a volume")
bpy.data.objects.remove(tent)
gone = grid("Gone", (0, 0, 0))
gone.verve.kind = "CLOTH"
gone.scale = (0, 0, 0)
refused("Gone: its scale is 0 at frame 1; nothing of it can be shown there")
bpy.data.objects.remove(gone)

# A panel that nobody has touched says nothing but what is chosen by look: no air where no wind was asked for.
check(set(sampling.scene_settings(scene)) == {"damping", "quality", "substeps_max"}, "what is as usual is left to the solver")

# Names in any script, cloth that falls onto cubes of which one is mirrored, and one that an armature lifts.
falling = [grid("\u732b", (0, 0, 1)), grid("\u72ac", (3, 0, 1)), grid("\u00dcber/Tuch", (6, 0, 1))]
for thing in falling:
    thing.verve.kind = "CLOTH"
plain, mirrored, lifted = cube("Plain", (0, 0, 0.4), 1), cube("Mirrored", (3, 0, 0.4), 1), cube("Lifted", (6, 0, 0), 1)
mirrored.scale.x = -1
deform(lifted, "Lifted", (6, 0, -0.5), 0.45)
# A cloth that targets draw along with an armature, one that is mirrored itself, woven along its uv.
led = grid("Led", (9, 0, 1))
led.verve.kind = "CLOTH"
deform(led, "Led", (9, 0, 0), 0.5)
led.vertex_groups.new(name="all").add(list(range(len(led.data.vertices))), 1.0, "REPLACE")
led.verve.target_group, led.verve.target__stiffness = "all", 1e4
turned = grid("Turned", (12, 0, 1))
turned.scale.y = -2
turned.verve.kind = "CLOTH"
scene.verve.substeps, scene.verve.contact__self, scene.verve.air__density = 4, True, 2.0
bpy.ops.verve.bake()
check(baking.said[scene.name][0] == "baked" and scene.name not in baking.wrong, "baked: " + str(baking.said[scene.name]))
written = json.loads((baking.cache_folder(scene) / "scene.json").read_text())
check(written["substeps"] == 4 and written["contact"]["self"] and written["air"]["density"] == 2.0,
      "what the panel says is in the scene file")
check((baking.cache_folder(scene) / "\u732b.pc2").exists() and (baking.cache_folder(scene) / "\u00dcber_Tuch.pc2").exists(),
      "files are called as the objects are")

heights = [shown(thing, LAST)[:, 2].min() for thing in falling]
check(abs(heights[0] - heights[1]) < 1e-6, f"a mirrored collider is as solid as any: {heights[0]:.4f}, {heights[1]:.4f}")
lowest = [min(shown(thing, frame)[:, 2].min() for frame in range(1, LAST + 1)) for thing in falling]
check(lowest[1] > 0.88, f"and nothing sinks into it: {lowest[1]:.4f} above the top at 0.9")
top = shown(lifted, LAST)[:, 2].max()
check(abs(top - 0.95) < 1e-5 and heights[2] > top - 0.02, f"what the armature lifts to {top:.3f} lifts the cloth to {heights[2]:.3f}")
led_to = shown(led, LAST)[:, 2].mean()
led.modifiers["Verve"].show_viewport = False
wanted = shown(led, LAST)[:, 2].mean()
led.modifiers["Verve"].show_viewport = True
check(abs(wanted - 1.5) < 1e-5 and abs(led_to - wanted) < 0.02, f"targets follow the armature to {wanted:.3f}: {led_to:.3f}")
check(shown(turned, LAST)[:, 2].max() < 0.9, "a mirrored cloth falls")
# Its faces turn round in the world: what is written winds as what is seen there.
sample = sampling.Sample(turned)
scene.frame_set(1)
sample.look(bpy.context.evaluated_depsgraph_get(), 1.0)
first = sample.points[0][sample.cells[0]]
normal = np.cross(first[1] - first[0], first[2] - first[0])
seen = turned.matrix_world.to_3x3().inverted().transposed() @ turned.data.polygons[0].normal
check(np.dot(normal, seen) > 0, "with faces that look as they look in Blender")

# Between frames it is half-way: motion blur asks for that.
one, other, between = shown(falling[0], 5), shown(falling[0], 6), shown(falling[0], 5, 0.5)
check(np.abs(one - other).max() > 0.01 and np.abs(between - (one + other) / 2).max() < 1e-6, "between two frames it is half-way")

# What was baked with other settings is not gone on with, and stays to be seen.
scene.verve.substeps = 5
refused("run/checkpoint.verve belongs to a different scene or different settings; press Bake to begin anew", resume=True)
check(np.abs(shown(falling[0], 6) - other).max() < 1e-6, "a refused resume leaves the frames")

# Colours where Blender's mesh has the points; another mesh is named.
doubled = led.modifiers.new("Twice", "ARRAY")
with bpy.context.temp_override(object=led, active_object=led):
    bpy.ops.object.modifier_move_to_index(modifier="Twice", index=0)
scene.frame_end = 3
bpy.ops.verve.bake()
scene.frame_set(3)
bpy.ops.verve.colour(quantity="stress")
check("Verve" in turned.data.color_attributes and "Verve" not in led.data.color_attributes, "what cannot be coloured is left out")
bpy.context.view_layer.objects.active = led
refused("Led: 72 points were baked but its mesh has 36; apply the modifiers before Verve's first", bpy.ops.verve.shape_keys)
refused("bake.xyz: the name must end in .usda or .obj", bpy.ops.verve.export, filepath=str(FOLDER / "bake.xyz"))
scene.frame_set(9)
refused("frame 9 is not baked", bpy.ops.verve.colour, quantity="energydensity")
bpy.ops.verve.free()
refused("there is no bake to export", bpy.ops.verve.export, filepath=str(FOLDER / "bake.usda"))
refused("there is no bake to look at", bpy.ops.verve.page)
print("artists are well")
