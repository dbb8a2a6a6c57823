#include "parameters/Parameters.h"

#include "energy/Fabrics.h"
#include "parameters/Attributes.h"
#include "parameters/Entry.h"
#include "parameters/MaterialPresets.h"
#include "parameters/NodeParameters.h"

namespace verve {
namespace {

using Kind = ParameterKind;

std::vector<Parameter> table() {
  return {
      Entry("frames", "Frame Range", Kind::vector, "[1, 240]",
            "First and last frame; the scene as given is the first.")
          .of(2),
      Entry("fps", "Frames per Second", Kind::number, "24", "Frames a second of simulated time.")
          .above(0)
          .to(1e6)
          .in("1/s"),
      Entry("substeps", "Substeps", Kind::integer, "\"auto\"",
            "Steps a frame: a number, or auto for as many as the motion needs, more at an impact and in fast "
            "turns than "
            "in flight or at rest, so that bounce and damping do not depend on the frame rate. Explicit "
            "integrators and "
            "asynchronous take one then.")
          .from(1)
          .to(100000)
          .among({"auto"}),
      Entry("substeps_max", "Most Substeps", Kind::integer, "256",
            "The most that auto may take in a frame; the report says where that was too few.")
          .from(1)
          .to(256),
      Entry("quality", "Quality", Kind::menu, "\"final\"",
            "What a run keeps: preview keeps the look, final the energy to 1e-4 over the shot and the motion "
            "with it, "
            "exact the energy to 1e-9. Less takes fewer iterations, and steps at impacts and in turns, a "
            "frame.")
          .among({"preview", "final", "exact"}),
      Entry("gravity", "Gravity", Kind::vector, "[0, -9.81, 0]", "Acceleration of everything.")
          .of(3)
          .in("m/s^2"),

      Entry("integrator", "Integrator", Kind::object, "{}", "How time is stepped."),
      Entry("integrator.type", "Type", Kind::menu, "\"avf\"",
            "avf keeps the energy exactly and never explodes; hp is symplectic and keeps momenta; "
            "backward_euler is calm and dull; asynchronous gives every element a clock of its own and lets "
            "nothing pass "
            "through anything; the others are there to compare.")
          .among({"avf", "hp", "backward_euler", "implicit_midpoint", "newmark", "bdf2", "bathe",
                  "symplectic_euler", "asynchronous"}),
      Entry("integrator.quadrature", "Quadrature", Kind::menu, "\"auto\"",
            "How avf averages the force along a step: simpson is exact for stvk and springs, gauss rules "
            "suit other materials; auto takes what suits those of the scene.")
          .among({"auto", "simpson", "gauss2", "gauss3", "gauss4", "gauss5", "gauss6", "gauss7", "gauss8"}),
      Entry("integrator.correction", "Correction", Kind::menu, "\"auto\"",
            "local closes the energy balance of avf element by element, for materials that no quadrature "
            "integrates exactly; auto does so where it is needed and the quadrature is auto, too.")
          .among({"auto", "none", "local"}),
      Entry("integrator.alpha", "Alpha", Kind::number, "0.5",
            "Where along a step hp samples the force: 0 and 1 are explicit, 0.5 is the midpoint.")
          .from(0)
          .to(1),
      Entry(
          "integrator.order", "Order", Kind::integer, "2",
          "4 and 6 compose several steps of a symmetric scheme (avf, implicit_midpoint, newmark, hp at alpha "
          "0.5).")
          .from(2)
          .to(6),
      Entry("integrator.momentum", "Momentum", Kind::menu, "\"raw\"",
            "projected holds avf to exact linear and angular momentum as well.")
          .among({"raw", "projected"}),

      Entry("integrator.safety", "Safety", Kind::number, "0.1",
            "asynchronous: each element's step as a share of the largest that is stable for it; must be "
            "below 1.")
          .above(0),
      Entry("integrator.max_events", "Max Events", Kind::integer, "100000000000",
            "asynchronous: a step that takes more impulses and contact checks than this is given up.")
          .from(1)
          .to(1e15),

      Entry("solver", "Solver", Kind::object, "{}", "How the implicit steps are solved."),
      Entry("solver.tolerance", "Tolerance", Kind::number, "",
            "Instead of what quality says (1e-2, 1e-4 or 1e-9): the largest residual of a step, as a share "
            "of the "
            "energy's root; a thousand avf steps stay within it.")
          .above(0)
          .to(1),
      Entry("solver.max_iterations", "Max Iterations", Kind::integer, "200",
            "Newton iterations before a step is cut in two.")
          .from(1)
          .to(100000),
      Entry("solver.linear", "Linear Solver", Kind::menu, "\"auto\"",
            "direct factorises in double; iterative needs the least memory; auto chooses by size.")
          .among({"auto", "direct", "iterative"}),

      Entry("bodies", "Bodies", Kind::list, "", "The soft bodies, cloths and ropes."),
      Entry("bodies[].name", "Name", Kind::text, "", "What messages call it."),
      Entry("bodies[].geometry", "Geometry", Kind::object, "{}", "A shape with its sizes, or a file."),
      Entry("bodies[].geometry.shape", "Shape", Kind::menu, "",
            "bar and box are blocks of tets, rod a thin one, or a line if its material is springs; sphere, "
            "torus, hare, knot and blob are round "
            "solids of tets; sheet, disc and shell (a balloon) are cloth.")
          .among({"bar", "box", "sheet", "disc", "shell", "sphere", "torus", "rod", "hare", "knot", "blob"}),
      Entry("bodies[].geometry.file", "File", Kind::text, "",
            ("A tet mesh, a surface taken as cloth, or poly lines taken as rods; relative to the scene file. "
             "Points of Houdini and .vtu files may carry " +
             attribute_names(AttributeDoor::body) + ".")
                .c_str()),
      Entry("bodies[].geometry.size", "Size", Kind::other, "",
            "Lengths along the axes: three of a bar or box, two of a sheet; one of a blob.")
          .in("m"),
      Entry("bodies[].geometry.cells", "Cells", Kind::other, "",
            "Cells along the axes: three of a bar or box (6 tets each), two of a sheet, one of a rod; of a "
            "disc and "
            "a shell, rings from the middle or a pole outwards."),
      Entry("bodies[].geometry.radius", "Radius", Kind::number, "",
            "Of a sphere, shell or disc, or of a torus or knot to the middle of its tube.")
          .above(0)
          .in("m"),
      Entry("bodies[].geometry.tube", "Tube", Kind::number, "", "Radius of the tube of a torus or knot.")
          .above(0)
          .in("m"),
      Entry("bodies[].geometry.spacing", "Spacing", Kind::number, "",
            "Length of the tets' edges in round solids, and in surfaces that are to be filled.")
          .above(0)
          .in("m"),
      Entry("bodies[].geometry.length", "Length", Kind::number, "", "Of a rod.").above(0).in("m"),
      Entry("bodies[].geometry.thickness", "Thickness", Kind::number, "", "Of a rod, across.")
          .above(0)
          .in("m"),
      Entry("bodies[].geometry.height", "Height", Kind::number, "", "Of a hare, feet to ears.")
          .above(0)
          .in("m"),
      Entry("bodies[].geometry.fill", "Fill", Kind::toggle, "",
            "Fill a surface file with tets of `spacing` instead of taking it as cloth; the surface becomes "
            "the body's skin."),
      Entry(
          "bodies[].geometry.coarsening", "Coarsening", Kind::integer, "",
          "With fill: tets deep inside may be up to 2^N times as large as those at the surface; 0 makes all "
          "alike.")
          .from(0)
          .to(8),
      Entry("bodies[].geometry.thicken", "Thicken", Kind::toggle, "",
            "With fill: where the surface is too thin for tets of `spacing`, they reach out of it, so that "
            "limbs, handles and ears move by themselves; the skin stays as thin as it is."),
      Entry("bodies[].geometry.skin", "Skin", Kind::text, "",
            "A surface file that the tets carry along, with its attributes and UVs, in the place of the rest "
            "shape; relative to the scene file."),
      Entry("bodies[].geometry.animation", "Animation", Kind::text, "",
            "A cache of the file's points over the frames (.pc2, .mdd, .usda, or NAME.$F4 and an ending); "
            "points that are pinned or have a target follow it. What its points say of stiffness, restscale, "
            "dampingratio, friction, pintoanimation and rest counts frame by frame; what that does to the "
            "energy is work. Relative to the scene file."),
      Entry("bodies[].material", "Material", Kind::object, "{}", "What it is made of."),
      Entry(
          "bodies[].material.model", "Model", Kind::menu, "",
          "Of tets: stable_neo_hookean (flesh; finds back to its shape from any squash; the default), "
          "neo_hookean and mooney_rivlin (resist inversion), stvk (the papers'; stays inside out after a "
          "squash). "
          "Of cloth: membrane (a fabric or sheet in SI units that looks the same on every mesh), springs "
          "(quartic, "
          "exact energy, of the mesh's own), hookean_springs. Of lines: rope (in SI units), or the springs.")
          .among({"stvk", "neo_hookean", "stable_neo_hookean", "mooney_rivlin", "membrane", "springs",
                  "hookean_springs", "rope"}),
      Entry("bodies[].material.fabric", "Fabric", Kind::menu, "",
            "Of a membrane, instead of numbers: its stretch, bend and density; cotton if nothing is given. "
            "Single "
            "numbers beside it take the place of its own.")
          .among(preset_names(fabrics())),
      Entry("bodies[].material.mu", "Mu", Kind::number, "",
            "Shear modulus of tets (Pa); stretch stiffness of springs (N/m^3, of Hookean ones N/m).")
          .above(0)
          .by("stiffness"),
      Entry("bodies[].material.stretch", "Stretch", Kind::number, "",
            "Of a rope: how it resists being stretched, Young's modulus times the area of its section; 1000 "
            "if left out.")
          .above(0)
          .in("N")
          .by("stiffness"),
      Entry("bodies[].material.lambda", "Lambda", Kind::number, "",
            "Lame's other constant: resistance to change of volume.")
          .in("Pa")
          .by("stiffness"),
      Entry("bodies[].material.young", "Young's Modulus", Kind::number, "",
            "Stiffness, instead of mu and lambda; of a membrane or a rope with thickness.")
          .above(0)
          .in("Pa")
          .by("stiffness"),
      Entry("bodies[].material.poisson", "Poisson's Ratio", Kind::number, "",
            "How much it thins when pulled; with young.")
          .above(-1)
          .to(0.5),
      Entry("bodies[].material.thickness", "Thickness", Kind::number, "",
            "Of a membrane, with young; 0.001 if left out. Of a rope, with young: across; that of the rod if "
            "left out.")
          .above(0)
          .in("m"),
      Entry("bodies[].material.warp", "Warp", Kind::number, "",
            "Of a membrane, instead of young: how it resists being stretched along the warp, which goes "
            "along x in "
            "shapes, and in files where u grows in uv, or along the attribute warp.")
          .above(0)
          .in("N/m")
          .by("stiffness"),
      Entry("bodies[].material.weft", "Weft", Kind::number, "", "Across the warp; as warp if left out.")
          .above(0)
          .in("N/m")
          .by("stiffness"),
      Entry("bodies[].material.shear", "Shear", Kind::number, "",
            "Against shear between warp and weft; a tenth of their mean if left out.")
          .above(0)
          .in("N/m")
          .by("stiffness"),
      Entry("bodies[].material.bend", "Bend", Kind::number, "",
            "Of a membrane, the flexural rigidity in N m: of young and thickness if left out, with warp "
            "1e-5; 0 is "
            "allowed. Of a rope, Young's modulus times the second moment of its section in N m^2; 0.0001 if "
            "left out. Of springs, "
            "bending stiffness in the unit of mu.")
          .from(0)
          .by("stiffness"),
      Entry("bodies[].material.bend_weft", "Bend Weft", Kind::number, "",
            "Of a membrane, across the warp; as bend if left out.")
          .from(0)
          .in("N m")
          .by("stiffness"),
      Entry("bodies[].material.limit", "Limit", Kind::number, "",
            "Of a membrane: stretch, as a share of the length, that it hardly goes beyond; it stiffens from "
            "half of it "
            "on. 0, or left out: there is none.")
          .from(0)
          .to(10),
      Entry("bodies[].material.limit_weft", "Limit Weft", Kind::number, "",
            "Across the warp; as limit if left out.")
          .from(0)
          .to(10),
      Entry("bodies[].mass", "Mass", Kind::number, "", "Of the whole body.").above(0).in("kg"),
      Entry("bodies[].density", "Density", Kind::number, "",
            "Instead of mass: kg/m^3 of tets (default 100), kg/m^2 of cloth (default that of its fabric, or "
            "0.1).")
          .above(0)
          .by("massdensity"),
      Entry("bodies[].element", "Element", Kind::menu, "\"linear\"",
            "Of tets: quadratic gives every edge a point in its middle, so that thin and nearly "
            "incompressible bodies bend as "
            "they should on coarse meshes; eight times the points.")
          .among({"linear", "quadratic"}),
      Entry("bodies[].transform", "Transform", Kind::object, "{}",
            "Where the body is: scaled, rotated, then moved."),
      Entry("bodies[].transform.translate", "Translate", Kind::vector, "[0, 0, 0]", "Position.")
          .of(3)
          .in("m"),
      Entry("bodies[].transform.rotate", "Rotate", Kind::vector, "[0, 0, 0]",
            "Degrees about x, then y, then z.")
          .of(3)
          .in("deg"),
      Entry("bodies[].transform.scale", "Scale", Kind::scale, "1", "Of the rest shape."),
      Entry("bodies[].velocity", "Velocity", Kind::vector, "[0, 0, 0]", "At the start.")
          .of(3)
          .in("m/s")
          .by("v"),
      Entry("bodies[].angular_velocity", "Angular Velocity", Kind::vector, "[0, 0, 0]",
            "At the start, about the centre of mass.")
          .of(3)
          .in("rad/s"),
      Entry("bodies[].stretch", "Stretch", Kind::number, "1",
            "Start pulled along the body's x axis by this factor; the rest shape stays.")
          .above(0),
      Entry("bodies[].twist", "Twist", Kind::number, "0",
            "Start twisted about the body's x axis by this angle over its length.")
          .in("rad"),
      Entry("bodies[].settle", "Settle", Kind::toggle, "false",
            "Begin at rest under gravity, pins, targets, pressure and contact: the first frame is the "
            "settled shape."),
      Entry("bodies[].sag_free", "Sag-Free", Kind::toggle, "false",
            "The given shape is the rest under load: the rest shape of tets, the lengths and curvatures of "
            "membranes and ropes, or "
            "the lengths of springs are found so that the first frame is exactly the model and stays."),
      Entry("bodies[].plastic", "Plasticity", Kind::object, "",
            "What stays of large deformations of tets, and of sharp bends of membranes and ropes."),
      Entry("bodies[].plastic.yield", "Yield Stress", Kind::number, "",
            "Of tets von Mises' stress (Pa) beyond which the shape begins to flow and stays so; of membranes "
            "and ropes "
            "the curvature (1/m) beyond which a bend stays.")
          .above(0),
      Entry("bodies[].plastic.creep", "Creep", Kind::number, "",
            "The rate at which what is beyond yield flows away, whatever the step; at once if left out.")
          .from(0)
          .in("1/s"),
      Entry("bodies[].plastic.hardening", "Hardening", Kind::number, "0",
            "By how much the yield rises for each unit of what stayed: Pa for a strain of 1; 1/m for 1/m.")
          .from(0),
      Entry("bodies[].rest_scale", "Rest Scale", Kind::other, "",
            "{\"keys\": [[time, scale], ...]}: lengths at rest over time, linear between keys, to grow or "
            "shrink."),
      Entry("bodies[].stiffness_scale", "Stiffness Scale", Kind::other, "",
            "{\"keys\": [[time, scale], ...]}: the stiffness over time, linear between keys."),
      Entry("bodies[].pins", "Pins", Kind::list, "[]",
            "Points that are held, and moved if a motion is given."),
      Entry("bodies[].pins[].box", "Box", Kind::other, "",
            "Holds the points whose placed rest position lies in [[min], [max]].")
          .in("m"),
      Entry("bodies[].pins[].points", "Points", Kind::numbers, "", "Holds the points of these numbers.")
          .by("pintoanimation"),
      Entry("bodies[].pins[].motion", "Motion", Kind::other, "",
            "{\"keys\": [[time, {transform}], ...]} relative to the start, about the points' centre."),
      Entry("bodies[].pins[].from", "From", Kind::number, "", "Time at which the pins catch.").in("s"),
      Entry("bodies[].pins[].until", "Until", Kind::number, "", "Time after which they let go.").in("s"),
      Entry("bodies[].targets", "Targets", Kind::list, "[]",
            "Points that are drawn to where they start, or to where a motion takes that place."),
      Entry("bodies[].targets[].box", "Box", Kind::other, "", "As of pins.").in("m"),
      Entry("bodies[].targets[].points", "Points", Kind::numbers, "", "As of pins."),
      Entry("bodies[].targets[].motion", "Motion", Kind::other, "", "As of pins."),
      Entry("bodies[].targets[].from", "From", Kind::number, "", "Time at which they begin to pull.").in("s"),
      Entry("bodies[].targets[].until", "Until", Kind::number, "", "Time after which they let go.").in("s"),
      Entry("bodies[].targets[].stiffness", "Stiffness", Kind::number, "100", "Of the spring at each point.")
          .from(0)
          .in("N/m")
          .by("targetweight"),
      Entry("bodies[].targets[].damping", "Damping", Kind::number, "0",
            "Against motion relative to the target.")
          .from(0)
          .in("N s/m"),
      Entry("bodies[].forces", "Forces", Kind::list, "[]", "Steady outside forces."),
      Entry("bodies[].forces[].box", "Box", Kind::other, "",
            "On the points in the box; on all when neither box nor points is given.")
          .in("m"),
      Entry("bodies[].forces[].points", "Points", Kind::numbers, "", "On these points."),
      Entry("bodies[].forces[].force", "Force", Kind::vector, "[0, 0, 0]", "In all, shared out by mass.")
          .of(3)
          .in("N"),

      Entry("bodies[].pressure", "Pressure", Kind::object, "",
            "What the closed surface of a body holds pushes it outwards: a balloon, an airbag, a cushion. "
            "Each closed "
            "piece has an inside of its own."),
      Entry("bodies[].pressure.value", "Value", Kind::other, "",
            "Held by a reservoir, over that outside; a number, or {\"keys\": [[time, number], ...]}. Its "
            "work is booked.")
          .in("Pa"),
      Entry("bodies[].pressure.gas", "Gas", Kind::menu, "",
            "Instead of value: a gas that follows its volume, slowly with the outside's warmth (isothermal) "
            "or fast "
            "without (adiabatic, p V^1.4). It stores energy as a spring does.")
          .among({"isothermal", "adiabatic"}),
      Entry("bodies[].pressure.amount", "Amount", Kind::other, "",
            "Of gas: its volume at the pressure outside over the volume at rest; 1 if left out, more is "
            "pumped up; a "
            "number, or keys as of value."),
      Entry("bodies[].pressure.outside", "Outside", Kind::number, "",
            "With a gas: the pressure around; 101325, the atmosphere's, if left out. A smaller one makes a "
            "softer gas.")
          .above(0)
          .in("Pa"),

      Entry("damping", "Damping", Kind::object, "{}",
            "How much of the motion is lost; nothing unless asked for."),
      Entry(
          "damping.model", "Model", Kind::menu, "\"blend\"",
          "blend looks the same at every step; the others are the papers' forms and their parts, to compare.")
          .among({"blend", "split", "in_step", "in_step_chord", "hp", "hp_frozen"}),
      Entry("damping.eta", "Eta", Kind::number, "0", "Slows all motion alike, as air or water does.")
          .from(0)
          .to(1e6)
          .in("1/s"),
      Entry("damping.delta", "Delta", Kind::number, "0",
            "Rayleigh delta: slows the change of shape and leaves rigid motion alone.")
          .from(0)
          .to(1e6)
          .in("s")
          .by("dampingratio"),
      Entry("damping.bend_delta", "Bend Delta", Kind::number, "-1",
            "Rayleigh delta of the bending of cloth and ropes alone; -1: as delta.")
          .from(-1)
          .to(1e6)
          .in("s"),
      Entry("damping.ratio", "Damping Ratio", Kind::number, "",
            "Instead of delta: the damping ratio of swings at `frequency`; 1 no longer swings.")
          .from(0)
          .to(100),
      Entry("damping.half_life", "Half-Life", Kind::number, "",
            "Instead of delta: seconds in which swings at `frequency` lose half their size.")
          .above(0)
          .in("s"),
      Entry("damping.restitution", "Restitution", Kind::number, "",
            "Instead of delta: the share of its speed that a swing at `frequency` comes back with.")
          .above(0)
          .to(1),
      Entry("damping.frequency", "Frequency", Kind::number, "",
            "Of the swings that ratio, half_life or restitution speak of.")
          .above(0)
          .in("1/s"),

      Entry("damping.energy_loss", "Energy Loss", Kind::number, "",
            "Lose this share of the energy every second, whatever the material, on top of other damping.")
          .from(0)
          .to(1)
          .in("1/s"),
      Entry("damping.energy_target", "Energy Target", Kind::number, "",
            "Lead the energy of motion and shape to this value and hold it there.")
          .from(0)
          .in("J"),

      Entry("wind", "Wind", Kind::object, "",
            "Blows on cloth, and on the surface of tets, through the air's drag; points of files may carry a "
            "wind of their "
            "own beside it (wind)."),
      Entry("wind.velocity", "Velocity", Kind::vector, "[0, 0, 0]", "Where it blows, and how fast.")
          .of(3)
          .in("m/s")
          .by("wind"),
      Entry("wind.gust", "Gust", Kind::number, "0",
            "How strong gusts are: the root mean square of their speed. The wind carries them along; place "
            "and time alone "
            "decide, so every step sees the same.")
          .from(0)
          .in("m/s"),
      Entry("wind.size", "Gust Size", Kind::number, "1", "Across a gust.").above(0).in("m"),
      Entry("wind.seed", "Seed", Kind::integer, "0", "Others give other gusts of the same kind.")
          .from(0)
          .to(1e9),
      Entry("air", "Air", Kind::object, "",
            "What bodies move through: its drag slows them, and wind needs it. There is none where a scene "
            "names neither "
            "air nor wind."),
      Entry("air.density", "Density", Kind::number, "1.2", "Of air; water has 1000.").from(0).in("kg/m^3"),
      Entry("air.drag_normal", "Normal Drag", Kind::number, "1.2",
            "Drag coefficient across a surface; a plate has 1.2. Cloth and thin plates feel it from both "
            "sides, closed "
            "bodies from outside.")
          .from(0)
          .by("dragnormal"),
      Entry("air.drag_tangent", "Tangent Drag", Kind::number, "0.05", "Drag coefficient along a surface.")
          .from(0)
          .by("dragtangent"),

      Entry("attachments", "Attachments", Kind::list, "[]",
            "Springs that attach points to another body, a collider or a place, or sew edges together."),
      Entry("attachments[].body", "Body", Kind::other, "0", "Name or number of the body."),
      Entry("attachments[].points", "Points", Kind::numbers, "", "Points of the body, by number."),
      Entry("attachments[].box", "Box", Kind::other, "", "Or those in a box, as of pins.").in("m"),
      Entry("attachments[].to", "To", Kind::other, "",
            "The other end: the name of a body or collider, or [x, y, z]; or an object with body (and points "
            "or box), "
            "collider or place. Where each point starts if left out. Without points it is the nearest place "
            "of the "
            "surface; as many points are taken one by one; of others each point takes the nearest."),
      Entry("attachments[].slide", "Slide", Kind::toggle, "false",
            "Points may go along the surface of a collider and are drawn back to it only."),
      Entry("attachments[].length", "Length", Kind::number, "",
            "Of each spring at rest: 0 sews together; as where it begins to hold if left out.")
          .from(0)
          .in("m"),
      Entry("attachments[].stiffness", "Stiffness", Kind::number, "1000", "Of each spring.")
          .from(0)
          .in("N/m"),
      Entry("attachments[].damping", "Damping", Kind::number, "0", "Against the motion of its ends along it.")
          .from(0)
          .in("N s/m"),
      Entry("attachments[].break", "Break", Kind::number, "",
            "The force at which a spring breaks; never if left out.")
          .above(0)
          .in("N"),
      Entry("attachments[].from", "From", Kind::number, "", "Time at which they begin to hold.").in("s"),
      Entry("attachments[].until", "Until", Kind::number, "", "Time at which they let go.").in("s"),

      Entry("constraints", "Constraints", Kind::list, "[]",
            "Conditions that hold exactly, with the forces they take in report.csv."),
      Entry("constraints[].type", "Type", Kind::menu, "\"distance\"",
            "distance keeps points apart, plane and line hold them there, weld ties them to another body, "
            "rigid keeps them in their shape.")
          .among({"distance", "plane", "line", "weld", "rigid"}),
      Entry("constraints[].body", "Body", Kind::other, "0", "Name or number of the body."),
      Entry("constraints[].points", "Points", Kind::numbers, "", "Points of the body, by number."),
      Entry("constraints[].box", "Box", Kind::other, "", "Or those in a box, as of pins.").in("m"),
      Entry("constraints[].place", "Place", Kind::vector, "",
            "Of a distance, plane or line: a place in the world; of the last two, where each point starts if "
            "left out.")
          .of(3)
          .in("m"),
      Entry("constraints[].direction", "Direction", Kind::vector, "",
            "The normal of a plane, or along a line; up if left out.")
          .of(3),
      Entry("constraints[].length", "Length", Kind::number, "", "Of a distance; as at the start if left out.")
          .above(0)
          .in("m"),
      Entry(
          "constraints[].to", "To", Kind::object, "",
          "The other end of a distance or weld; a weld finds its place in that body if it names no points."),
      Entry("constraints[].to.body", "Body", Kind::other, "0", "Name or number of the other body."),
      Entry("constraints[].to.points", "Points", Kind::numbers, "", "Its points, by number."),
      Entry("constraints[].to.box", "Box", Kind::other, "", "Or those in a box.").in("m"),
      Entry("constraints[].to.weights", "Weights", Kind::numbers, "",
            "Of those points, adding up to 1: a weld ties the point to their mean."),

      Entry("contact", "Contact", Kind::object, "{}", "What happens where things meet."),
      Entry("contact.rule", "Rule", Kind::menu, "\"exact\"",
            "exact keeps the energy through every contact; paper is the AVF paper's rule, to compare; layers "
            "are nested "
            "penalty springs that nothing passes through, and what the asynchronous integrator always uses.")
          .among({"exact", "paper", "layers"}),
      Entry("contact.surface", "Surface", Kind::menu, "\"cage\"",
            "What bodies that carry a skin meet colliders with: the points of their tets, or those of the "
            "skin.")
          .among({"cage", "skin"}),
      Entry("contact.self", "Self Contact", Kind::toggle, "false", "Bodies meet themselves."),
      Entry("contact.bodies", "Body Contact", Kind::toggle, "true", "Bodies meet each other."),
      Entry("contact.stiffness", "Stiffness", Kind::number, "2000",
            "Of bodies against each other: a point at depth d has the energy k d^2.")
          .above(0)
          .in("N/m"),
      Entry("contact.thickness", "Thickness", Kind::number, "0.01",
            "How far from each other bodies begin to push apart.")
          .from(0)
          .in("m"),
      Entry("contact.friction", "Friction", Kind::number, "0", "Coulomb's coefficient between bodies.")
          .from(0)
          .by("friction"),
      Entry("contact.wall", "Wall", Kind::toggle, "false",
            "Nothing passes through: no point of a body a collider, no body another one or, with self, "
            "itself, and no "
            "blade or spike of a mesh or box a body. Behind the spring, which acts over the thickness, "
            "stands a wall that "
            "keeps the energy; without a thickness the wall alone repels, within a hundredth of a body's "
            "edges at "
            "colliders and a twentieth between bodies. What overlaps at the start is eased apart first. "
            "Needs rule exact "
            "and an implicit integrator; false: the papers' springs alone."),
      Entry("contact.law", "Layer Law", Kind::menu, "\"resting\"",
            "layers: resting thins them out as 1/l and suits gentle, lasting contact; impact as l^-1/4 and "
            "suits fast "
            "impacts.")
          .among({"resting", "impact"}),
      Entry("contact.safety", "Layer Safety", Kind::number, "0.05",
            "layers: a layer's step times its frequency. 0.02 keeps the energy within a percent over 100000 "
            "contacts; "
            "must be below 0.2.")
          .above(0),
      Entry("contact.damping", "Layer Damping", Kind::number, "0",
            "layers: slows approach and parting within the layers, as damping.delta does within bodies.")
          .from(0)
          .in("s"),
      Entry("contact.ease", "Ease", Kind::number, "0.5",
            "Seconds over which overlaps at the start are let go without a pop; layers take no overlaps.")
          .from(0)
          .in("s"),

      Entry("colliders", "Colliders", Kind::list, "[]", "Scene geometry that bodies bounce off."),
      Entry("colliders[].name", "Name", Kind::text, "", "What messages call it."),
      Entry("colliders[].shape", "Shape", Kind::menu, "", "Exact shapes.")
          .among({"plane", "sphere", "box", "capsule", "torus"}),
      Entry("colliders[].file", "File", Kind::text, "",
            "A triangle mesh, closed or open; relative to the scene file. NAME.$F4.bgeo.sc and the like, or "
            "a .usda with time samples, move it frame by frame. Points of Houdini and .vtu files may carry "
            "collisionstiffness (or stiffness) and friction, which multiply the collider's place by place."),
      Entry("colliders[].animation", "Animation", Kind::text, "",
            "A cache of the file's points over the frames (.pc2, .mdd, .usda, or NAME.$F4 and an ending) "
            "that moves them; relative to the scene file."),
      Entry("colliders[].normal", "Normal", Kind::vector, "", "Of a plane; solid where normal.x < offset.")
          .of(3),
      Entry("colliders[].offset", "Offset", Kind::number, "", "Of a plane along its normal.").in("m"),
      Entry("colliders[].center", "Center", Kind::vector, "", "Of a sphere.").of(3).in("m"),
      Entry("colliders[].radius", "Radius", Kind::number, "",
            "Of a sphere or capsule, or of a torus to the middle of its tube.")
          .above(0)
          .in("m"),
      Entry("colliders[].inside", "Inside", Kind::toggle, "", "Makes a sphere a bowl: solid outside."),
      Entry("colliders[].size", "Size", Kind::vector, "", "Of a box.").of(3).in("m"),
      Entry("colliders[].length", "Length", Kind::number, "",
            "Of a capsule along y, between the middles of its ends.")
          .above(0)
          .in("m"),
      Entry("colliders[].tube", "Tube", Kind::number, "", "Of a torus: the radius of its tube.")
          .above(0)
          .in("m"),
      Entry("colliders[].transform", "Transform", Kind::object, "{}", "Where the collider is."),
      Entry("colliders[].transform.translate", "Translate", Kind::vector, "[0, 0, 0]", "Position.")
          .of(3)
          .in("m"),
      Entry("colliders[].transform.rotate", "Rotate", Kind::vector, "[0, 0, 0]",
            "Degrees about x, then y, then z.")
          .of(3)
          .in("deg"),
      Entry("colliders[].transform.scale", "Scale", Kind::scale, "1", "Of its shape."),
      Entry("colliders[].motion", "Motion", Kind::other, "",
            "{\"keys\": [[time, {transform}], ...]} relative to the start, about its own centre."),
      Entry("colliders[].stiffness", "Stiffness", Kind::number, "2000",
            "Of the repulsion springs: a point at depth d has the energy k d^2.")
          .above(0)
          .in("N/m"),
      Entry("colliders[].friction", "Friction", Kind::number, "0", "Coulomb's coefficient while sticking.")
          .from(0)
          .by("friction"),
      Entry("colliders[].dynamic_friction", "Dynamic Friction", Kind::number, "",
            "While sliding; that of sticking if left out.")
          .from(0)
          .by("dynamicfriction"),
      Entry("colliders[].thickness", "Thickness", Kind::number, "0",
            "How far outside the surface contact begins.")
          .from(0)
          .in("m"),

      Entry("output", "Output", Kind::object, "{}", "What a run writes."),
      Entry("output.name", "Name", Kind::text, "",
            "Of the cache's files; the scene file's name if left out."),
      Entry("output.format", "Format", Kind::menu, "\"bgeo.sc\"", "Of the cache.")
          .among({"bgeo.sc", "bgeo", "geo", "usda", "pc2", "mdd", "vtu", "obj"}),
      Entry("output.surface", "Surface", Kind::menu, "\"cage\"",
            "What is cached of bodies that carry a skin: cage is their tets, skin the artist's surface.")
          .among({"cage", "skin"}),
      Entry("output.tets", "Tets", Kind::toggle, "false",
            "With surface skin: cache the tets as well, under the same name in the folder tets; the page of "
            "verve view switches between them."),
      Entry("output.points", "Point Caches", Kind::toggle, "false",
            "Beside the cache, a .pc2 for each body, called after it, with the points of its surface (of the "
            "skin if it has one). It grows with every frame, so that programs can play what is there while "
            "the run goes on."),
      Entry("output.quantities", "Quantities", Kind::toggle, "false",
            "Cache stress, energydensity and contact of every point as well."),
      Entry("output.every", "Every", Kind::integer, "1", "Cache every so many frames.").from(1).to(1000000),
      Entry("output.checkpoint_every", "Checkpoint Every", Kind::integer, "10",
            "Save the state every so many frames, so that a run can be resumed; 0: only when it ends or is "
            "interrupted.")
          .from(0)
          .to(1000000),
  };
}

}  // namespace

std::string Parameter::folder() const {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string Parameter::name() const {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? path : path.substr(dot + 1);
}

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> entries = [] {
    std::vector<Parameter> all = table();
    for (Parameter& p : node_parameters()) all.push_back(std::move(p));
    return all;
  }();
  return entries;
}

const Parameter* find_parameter(const std::string& path) {
  for (const Parameter& p : parameters())
    if (p.path == path) return &p;
  return nullptr;
}

std::vector<std::string> keys_under(const std::string& path) {
  std::vector<std::string> keys;
  for (const Parameter& p : parameters())
    if (p.folder() == path) keys.push_back(p.name());
  return keys;
}

}  // namespace verve
