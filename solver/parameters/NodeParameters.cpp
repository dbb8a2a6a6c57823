#include "parameters/NodeParameters.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "energy/Fabrics.h"
#include "parameters/Entry.h"
#include "parameters/MaterialPresets.h"

namespace verve {
namespace {

using Kind = ParameterKind;

/// What the layout says beyond the table.
struct Line {
  const char* tab;
  const char* parm;
  const char* path;
  const char* fallback = "";
  const char* when = "";
  const char* label = "";  ///< where the table's would not be clear beside others
  bool hidden = false;
};

const Line layout[] = {
    {"", "reset", "node.reset", "", "", "", true},
    {"", "startframe", "node.startframe"},
    {"", "timescale", "node.timescale"},
    {"", "substeps", "node.substeps"},
    {"", "substepsmax", "substeps_max", "", "substeps == 0"},
    {"", "settle", "bodies[].settle"},
    {"", "sagfree", "bodies[].sag_free"},

    {"Quick", "softpreset", "node.softpreset"},
    {"Quick", "fabric", "node.fabric", "", "clothmodel == membrane"},
    {"Quick", "dampingby", "node.dampingby"},
    {"Quick", "delta", "damping.delta", "", "dampingby == delta"},
    {"Quick", "ratio", "damping.ratio", "0.05", "dampingby == ratio"},
    {"Quick", "halflife", "damping.half_life", "0.5", "dampingby == half_life"},
    {"Quick", "restitution", "damping.restitution", "0.8", "dampingby == restitution"},
    {"Quick", "frequency", "damping.frequency", "2", "dampingby != delta"},
    {"Quick", "quality", "quality"},

    {"Material", "tetmodel", "node.tetmodel"},
    {"Material", "young", "bodies[].material.young", "1", "softpreset == custom"},
    {"Material", "youngexp", "node.youngexp", "", "softpreset == custom"},
    {"Material", "poisson", "bodies[].material.poisson", "0.4", "softpreset == custom"},
    {"Material", "tetdensity", "node.tetdensity", "", "softpreset == custom"},
    {"Material", "clothmodel", "node.clothmodel"},
    {"Material", "warp", "bodies[].material.warp", "800", "fabric == custom"},
    {"Material", "weft", "bodies[].material.weft", "500", "fabric == custom"},
    {"Material", "shear", "bodies[].material.shear", "40", "fabric == custom"},
    {"Material", "bendwarp", "node.bendwarp", "", "fabric == custom"},
    {"Material", "bendweft", "bodies[].material.bend_weft", "0.000005", "fabric == custom"},
    {"Material", "stretchlimit", "bodies[].material.limit", "0", "clothmodel == membrane", "Stretch Limit"},
    {"Material", "weftlimit", "node.weftlimit", "", "clothmodel == membrane"},
    {"Material", "rodmodel", "node.rodmodel"},
    {"Material", "ropestretch", "node.ropestretch", "", "rodmodel == rope"},
    {"Material", "ropebend", "node.ropebend", "", "rodmodel == rope"},
    {"Material", "springmodel", "node.springmodel"},
    {"Material", "stretchstiffness", "node.stretchstiffness"},
    {"Material", "bendstiffness", "bodies[].material.bend", "10", "", "Bend Stiffness"},
    {"Material", "clothdensity", "node.clothdensity"},
    {"Material", "roddensity", "node.roddensity"},

    {"Material", "restscale", "node.restscale"},
    {"Material", "stiffnessscale", "node.stiffnessscale"},
    {"Material", "yield", "node.yield"},
    {"Material", "hardening", "node.hardening", "", "yield != 0"},
    {"Material", "bendyield", "node.bendyield"},
    {"Material", "bendhardening", "node.bendhardening", "", "bendyield != 0"},
    {"Material", "creep", "node.creep"},

    {"Damping", "eta", "damping.eta"},
    {"Damping", "dampingmodel", "damping.model", "", "", "Damping Model"},

    {"Collisions", "groundplane", "node.groundplane"},
    {"Collisions", "groundheight", "node.groundheight", "", "groundplane == 1"},
    {"Collisions", "collisionstiffness", "colliders[].stiffness", "", "", "Collision Stiffness"},
    {"Collisions", "thickness", "colliders[].thickness"},
    {"Collisions", "friction", "colliders[].friction"},
    {"Collisions", "dynamicscale", "node.dynamicscale"},
    {"Collisions", "dobodycollisions", "contact.bodies"},
    {"Collisions", "doselfcollisions", "contact.self"},
    {"Collisions", "bodystiffness", "contact.stiffness", "", "", "Body Stiffness"},
    {"Collisions", "bodythickness", "contact.thickness", "", "", "Body Thickness"},
    {"Collisions", "bodyfriction", "contact.friction", "", "", "Body Friction"},
    {"Collisions", "ease", "contact.ease"},
    {"Collisions", "wall", "contact.wall"},
    {"Collisions", "contactrule", "contact.rule", "", "", "Contact Rule"},

    {"Forces", "gravity", "gravity"},
    {"Forces", "targetstiffness", "bodies[].targets[].stiffness", "", "", "Target Stiffness"},
    {"Forces", "targetdamping", "bodies[].targets[].damping", "", "", "Target Damping"},
    {"Forces", "doair", "node.doair"},
    {"Forces", "wind", "wind.velocity", "", "doair == on", "Wind"},
    {"Forces", "gust", "wind.gust", "", "doair == on"},
    {"Forces", "gustsize", "wind.size", "", "doair == on"},
    {"Forces", "gustseed", "wind.seed", "", "doair == on", "Gust Seed"},
    {"Forces", "airdensity", "air.density", "", "doair == on", "Air Density"},
    {"Forces", "dragnormal", "air.drag_normal", "", "doair == on"},
    {"Forces", "dragtangent", "air.drag_tangent", "", "doair == on"},
    {"Forces", "dopressure", "node.dopressure"},
    {"Forces", "pressure", "node.pressure", "", "dopressure == constant"},
    {"Forces", "gasamount", "node.gasamount", "", "dopressure != constant"},
    {"Forces", "gasoutside", "bodies[].pressure.outside", "101325", "dopressure != constant",
     "Outside Pressure"},
    {"Forces", "constraintdata", "node.constraintdata"},

    {"Output", "colorby", "node.colorby"},
    {"Output", "colorto", "node.colorto"},
    {"Output", "dostress", "node.dostress"},
    {"Output", "docontact", "node.docontact"},
    {"Output", "doledger", "node.doledger"},
    {"Output", "guides", "node.guides"},

    {"Cache", "loadfromdisk", "node.loadfromdisk"},
    {"Cache", "cachefolder", "node.cachefolder"},
    {"Cache", "cachename", "node.cachename"},
    {"Cache", "cacheversion", "node.cacheversion"},
    {"Cache", "endframe", "node.endframe"},
    {"Cache", "checkpointevery", "output.checkpoint_every"},
    {"Cache", "cachesize", "node.cachesize"},
    {"Cache", "onchange", "node.onchange"},

    {"Advanced", "integrator", "integrator.type", "", "", "Integrator"},
    {"Advanced", "alpha", "integrator.alpha", "", "integrator == hp"},
    {"Advanced", "quadrature", "integrator.quadrature", "", "integrator == avf"},
    {"Advanced", "correction", "integrator.correction", "", "integrator == avf"},
    {"Advanced", "momentum", "integrator.momentum", "", "integrator == avf"},
    {"Advanced", "order", "integrator.order"},
    {"Advanced", "tolerance", "node.tolerance"},
    {"Advanced", "niter", "solver.max_iterations"},
    {"Advanced", "linearsolver", "solver.linear", "", "", "Linear Solver"},
};

const std::map<std::string, std::string> folder_tabs = {
    {"integrator", "Advanced"}, {"solver", "Advanced"}, {"damping", "Damping"}, {"contact", "Collisions"}};

DialogEntry entry_of(const Line& line) {
  const Parameter* p = find_parameter(line.path);
  const std::string label = *line.label ? line.label : p->label;
  const std::string fallback = *line.fallback ? line.fallback : p->fallback;
  return {line.parm, label, line.tab, p, fallback, line.when, line.hidden};
}

/// A key of the scene that a dialog can show although the layout does not know it. Nodes are not given skins.
bool fits_dialog(const Parameter& p) {
  const bool listed = p.path.find("[]") != std::string::npos;
  const bool shown = p.kind != Kind::object && p.kind != Kind::list && p.kind != Kind::other &&
                     p.kind != Kind::numbers && p.kind != Kind::scale;
  const bool too_large =
      p.kind == Kind::integer && p.high > 2147483647.0 && p.high < 1e300;  // for a dialog's integers
  return shown && !listed && !too_large && !p.of_node() && !p.fallback.empty() && p.folder() != "output" &&
         p.path != "frames" && p.path != "fps" && p.path != "substeps" && p.path != "contact.surface";
}

std::string parm_of(const std::string& path) {
  std::string parm = path;
  for (char& c : parm)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return parm;
}

std::vector<DialogEntry> make_entries() {
  std::vector<DialogEntry> entries;
  for (const Line& line : layout) entries.push_back(entry_of(line));
  for (const Parameter& p : parameters()) {
    const auto known = [&](const DialogEntry& e) { return e.parameter == &p; };
    if (!fits_dialog(p) || std::any_of(entries.begin(), entries.end(), known)) continue;
    const auto tab = folder_tabs.find(p.folder());
    DialogEntry entry{parm_of(p.path),
                      p.label,
                      tab == folder_tabs.end() ? "Advanced" : tab->second,
                      &p,
                      p.fallback,
                      "",
                      false};
    auto at = entries.end();
    while (at != entries.begin() && (at - 1)->tab != entry.tab) --at;
    entries.insert(at, std::move(entry));
  }
  return entries;
}

}  // namespace

std::vector<Parameter> node_parameters() {
  return {
      Entry("node.reset", "Reset Count", Kind::integer, "0",
            "Grows with every press of Reset Simulation; a new value begins the simulation anew.")
          .from(0),
      Entry("node.startframe", "Start Frame", Kind::integer, "1",
            "The frame whose input the simulation begins with; earlier frames show it unchanged."),
      Entry("node.timescale", "Time Scale", Kind::number, "1",
            "Simulated seconds a second: 0.5 is slow motion. The motion itself stays the same.")
          .above(0)
          .to(100),
      Entry("node.substeps", "Substeps", Kind::integer, "0",
            "Steps a frame. 0 takes as many as the motion needs: more at an impact and in fast turns than in "
            "flight or at "
            "rest, so that bounce and damping do not depend on the frame rate.")
          .from(0)
          .to(100000),
      Entry("node.tolerance", "Tolerance", Kind::number, "0",
            "Largest residual of a step, as a share of the energy's root; a thousand avf steps stay within "
            "it. 0 is "
            "what Quality says: 1e-2, 1e-4 or 1e-9.")
          .from(0)
          .to(1),
      Entry("node.tetmodel", "Tet Model", Kind::menu, "\"stable_neo_hookean\"",
            "Of tetrahedra: stable_neo_hookean suits flesh and finds back to its shape from any squash, "
            "neo_hookean "
            "and mooney_rivlin resist inversion, stvk is the papers' and stays inside out after a squash.")
          .among({"stable_neo_hookean", "neo_hookean", "mooney_rivlin", "stvk"}),
      Entry("node.softpreset", "Soft Body", Kind::menu, "\"custom\"",
            "What tetrahedra are like: sets their stiffness, Poisson's ratio and density; custom takes those "
            "of "
            "the tab Material.")
          .among(preset_names(soft_presets(), {"custom"})),
      Entry("node.youngexp", "Times", Kind::menu, "\"5\"",
            "Young's modulus is its value times this power of ten: jelly is of 10^3 to 10^4, foam 10^5, "
            "rubber 10^6 Pa.")
          .among({"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}),
      Entry("node.tetdensity", "Tet Density", Kind::number, "100", "Mass of tetrahedra by volume.")
          .above(0)
          .in("kg/m^3")
          .by("massdensity"),
      Entry("node.clothmodel", "Cloth Model", Kind::menu, "\"membrane\"",
            "Of polygons: membrane is a fabric in SI units, the same on every mesh; springs are those along "
            "the mesh's "
            "edges.")
          .among({"membrane", "springs"}),
      Entry("node.fabric", "Fabric", Kind::menu, "\"cotton\"",
            "Stretch, bend and density of membranes; custom takes the numbers below.")
          .among(preset_names(fabrics(), {"custom"})),
      Entry("node.bendwarp", "Bend Warp", Kind::number, "0.00001",
            "Flexural rigidity of a custom fabric along the warp.")
          .from(0)
          .in("N m")
          .by("stiffness"),
      Entry("node.weftlimit", "Weft Limit", Kind::number, "0",
            "The same across the warp; 0: as Stretch Limit.")
          .from(0)
          .to(10),
      Entry("node.rodmodel", "Rod Model", Kind::menu, "\"springs\"",
            "Of poly lines: a rope is told in SI units and looks the same however finely it is divided; "
            "springs "
            "are those of the Spring Model.")
          .among({"springs", "rope"}),
      Entry("node.ropestretch", "Rope Stretch", Kind::number, "1000",
            "How a rope resists being stretched: Young's modulus times the area of its section.")
          .above(0)
          .in("N")
          .by("stiffness"),
      Entry("node.ropebend", "Rope Bend", Kind::number, "0.0001",
            "How a rope resists being bent: Young's modulus times the second moment of its section.")
          .from(0)
          .in("N m^2")
          .by("stiffness"),
      Entry("node.springmodel", "Spring Model", Kind::menu, "\"springs\"",
            "Of rods and cloth that are springs: springs are quartic and keep their energy exactly, "
            "hookean_springs are linear.")
          .among({"springs", "hookean_springs"}),
      Entry("node.stretchstiffness", "Stretch Stiffness", Kind::number, "200",
            "Of the springs along edges: N/m^3, of hookean_springs N/m.")
          .above(0)
          .by("stiffness"),
      Entry("node.clothdensity", "Cloth Density", Kind::number, "0.1",
            "Mass of polygons by area; a fabric has its own.")
          .above(0)
          .in("kg/m^2")
          .by("massdensity"),
      Entry("node.roddensity", "Rod Density", Kind::number, "0.1", "Mass of poly lines by length.")
          .above(0)
          .in("kg/m")
          .by("massdensity"),
      Entry("node.restscale", "Rest Scale", Kind::number, "1",
            "Lengths at rest as a share of what they are: key it to grow or shrink; the masses stay.")
          .above(0)
          .to(100)
          .by("restscale"),
      Entry("node.stiffnessscale", "Stiffness Scale", Kind::number, "1",
            "Stiffness as a share of what it is: key it to soften or harden; the energy that brings is work.")
          .above(0)
          .to(1000),
      Entry("node.yield", "Yield Stress", Kind::number, "0",
            "Of tetrahedra: von Mises' stress beyond which the shape begins to flow and stays so. 0: never.")
          .from(0)
          .in("Pa"),
      Entry("node.hardening", "Hardening", Kind::number, "0",
            "By how much the yield stress rises for a plastic strain of 1.")
          .from(0)
          .in("Pa"),
      Entry("node.bendyield", "Bend Yield", Kind::number, "0",
            "Of membranes and rods: the curvature beyond which a bend stays. 0: never.")
          .from(0)
          .in("1/m"),
      Entry("node.bendhardening", "Bend Hardening", Kind::number, "0",
            "By how much the bend yield rises for a plastic curvature of 1/m.")
          .from(0)
          .in("1/m"),
      Entry("node.creep", "Creep", Kind::number, "0",
            "The rate at which what is beyond either yield flows away, whatever the step. 0: at once.")
          .from(0)
          .in("1/s"),
      Entry("node.dampingby", "Damping By", Kind::menu, "\"delta\"",
            "How damping is said: delta is Rayleigh's; ratio, half_life and restitution say what swings at "
            "Frequency look like.")
          .among({"delta", "ratio", "half_life", "restitution"}),
      Entry("node.groundplane", "Ground Plane", Kind::toggle, "false",
            "A floor without end, y up, beside the colliders that are wired in."),
      Entry("node.groundheight", "Ground Height", Kind::number, "0", "Of the ground plane.").in("m"),
      Entry("node.dynamicscale", "Dynamic Scale", Kind::number, "1",
            "Friction while sliding, as a share of that while sticking.")
          .from(0)
          .to(1)
          .by("dynamicfriction"),
      Entry("node.doair", "Air", Kind::menu, "\"off\"",
            "Whether bodies move through air: its drag slows them, and wind blows on cloth and on the "
            "surface of "
            "tetrahedra.")
          .among({"off", "on"}),
      Entry("node.dopressure", "Pressure", Kind::menu, "\"off\"",
            "What closed surfaces hold: constant is a reservoir at Pressure, isothermal and adiabatic are "
            "gases that "
            "follow their volume. Pieces that are not closed hold nothing.")
          .among({"off", "constant", "isothermal", "adiabatic"}),
      Entry("node.pressure", "Pressure Inside", Kind::number, "100", "Of the reservoir, over that outside.")
          .in("Pa"),
      Entry("node.gasamount", "Gas Amount", Kind::number, "1",
            "Of a gas: its volume at the pressure outside over the volume at rest; more is pumped up.")
          .from(0),
      Entry("node.colorby", "Color By", Kind::menu, "\"none\"",
            "Write the point attribute Cd, from blue through white to red: stress and energydensity by size, "
            "contact where something is touched, pins where points are held (white: drawn to a target).")
          .among({"none", "stress", "energydensity", "contact", "pins"}),
      Entry("node.colorto", "Color To", Kind::number, "0",
            "The stress (Pa of tets) or energydensity (J/m^3) that is red; 0: the frame's largest.")
          .from(0),
      Entry("node.dostress", "Stress and Energy", Kind::toggle, "true",
            "Write stress (Pa of tets, N/m of membranes, N of springs), energydensity (J/m^3 of tets, J/m^2 "
            "of membranes, J/m of springs) and the "
            "primitive attribute inverted."),
      Entry("node.docontact", "Contact Marker", Kind::toggle, "true",
            "Write the point attribute contact: 1 where a point touches something."),
      Entry("node.doledger", "Ledger", Kind::toggle, "true",
            "Write the frame's energies, work and losses as detail attributes."),
      Entry(
          "node.guides", "Guides", Kind::menu, "\"none\"",
          "Lines in the viewport beside the geometry: pins are crosses at held points and lines from points "
          "to their "
          "targets, contact marks what is touched, thickness shows how far around colliders contact begins.")
          .among({"none", "pins", "contact", "thickness", "all"}),
      Entry("node.loadfromdisk", "Load from Disk", Kind::toggle, "false",
            "Show the frames that Save to Disk has written and simulate nothing. Frames whose inputs or "
            "parameters are "
            "others now are shown with a warning and stale = 1."),
      Entry("node.cachefolder", "Folder", Kind::text, "\"$HIP/geo/$OS\"",
            "Save to Disk writes Folder/vVERSION/NAME_vVERSION.0001.bgeo and so on, with what the solver "
            "makes of the "
            "points; beside them a checkpoint, from which it goes on when it was interrupted."),
      Entry("node.cachename", "Name", Kind::text, "\"$OS\"", "Of the files on the disk."),
      Entry("node.cacheversion", "Version", Kind::integer, "1", "Of the files on the disk; others stay.")
          .from(1)
          .to(9999),
      Entry("node.endframe", "End Frame", Kind::integer, "240", "The last frame that Save to Disk writes."),
      Entry("node.constraintdata", "Constraint Geometry", Kind::text, "\"ConstraintGeometry\"",
            "Of the DOP: the data of the object that holds constraints and targets, as Vellum has it; the "
            "SOP has "
            "its second input instead."),
      Entry("node.cachesize", "Cache Limit", Kind::number, "4096",
            "Memory for cached frames. Beyond it every other frame is dropped and made again when asked for.")
          .from(0)
          .in("MB"),
      Entry("node.onchange", "On Change", Kind::menu, "\"resimulate\"",
            "What happens to cached frames when a parameter or an input has changed: resimulate makes them "
            "anew; "
            "keep shows them with a warning and stale = 1 until Reset Simulation.")
          .among({"resimulate", "keep"}),
  };
}

bool DialogEntry::shown_in(const std::string& context) const {
  // A DOP network has its own frames, cache and gravity; a SOP has its second input.
  static const std::map<std::string, std::string> only = {
      {"startframe", "sop"}, {"timescale", "sop"},      {"gravity", "sop"},      {"cachesize", "sop"},
      {"onchange", "sop"},   {"constraintdata", "dop"}, {"loadfromdisk", "sop"}, {"cachefolder", "sop"},
      {"cachename", "sop"},  {"cacheversion", "sop"},   {"endframe", "sop"},     {"checkpointevery", "sop"}};
  const auto found = only.find(parm);
  return !hidden && (found == only.end() || found->second == context);
}

std::vector<std::string> DialogEntry::menu_labels() const {
  static const std::map<std::string, std::string> looks = {
      {"avf", "AVF: lively, keeps its energy, never explodes"},
      {"hp", "HP: lively, keeps momenta; for small steps"},
      {"asynchronous", "Asynchronous: every element at its own step"},
      {"backward_euler", "Backward Euler: calm, loses energy"},
      {"bdf2", "BDF2: calm, loses energy more slowly"},
      {"bathe", "Bathe: calm, loses the fast motion only"},
      {"implicit_midpoint", "Implicit Midpoint: to compare, may explode"},
      {"newmark", "Newmark: to compare, may explode"},
      {"symplectic_euler", "Symplectic Euler: explicit, needs small steps"}};
  std::vector<std::string> labels;
  for (const std::string& word : parameter->menu) {
    const auto look = looks.find(word);
    const bool integrator = parameter->path == "integrator.type";
    std::string label = integrator && look != looks.end() ? look->second : word;
    if (parameter->path == "node.youngexp") label = "x 10^" + word;
    if (label == word) {
      std::replace(label.begin(), label.end(), '_', ' ');
      label[0] = char(std::toupper(static_cast<unsigned char>(label[0])));
    }
    labels.push_back(label);
  }
  return labels;
}

const std::vector<DialogEntry>& dialog_entries() {
  static const std::vector<DialogEntry> entries = make_entries();
  return entries;
}

}  // namespace verve
