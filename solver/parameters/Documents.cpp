#include "parameters/Documents.h"

#include "parameters/Attributes.h"
#include "parameters/Dialog.h"
#include "parameters/NodeParameters.h"

namespace verve {
namespace {

/// A default as an artist reads it.
std::string shown_default(const DialogEntry& entry) {
  std::string text = entry.fallback;
  if (text.size() > 1 && text.front() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.replace(at, 1, "\\|");
  return text;
}

const char* const look_table = R"(== Which integrator when ==

AVF:
    Lively and never explodes. Keeps the energy exactly, whatever the material: Quadrature and Correction `auto`
    choose Simpson's rule where that is exact, else a gauss rule with a local correction. Begin here.

HP:
    Lively; keeps momenta exactly and energy on average. For small steps or gentle motion. Alpha 0 and 1 are
    explicit and need many substeps.

Asynchronous:
    Every element at its own step, with penalty layers that nothing passes. For hard contact of thin things.

Backward Euler, BDF2, Bathe:
    Calm to dead: they lose energy by themselves, the more the larger the step. For things that shall
    settle.
)";

const char* const sop_text = R"(@inputs

Geometry:
    Tetrahedra become soft bodies, polygons cloth, poly lines rods. What hangs together is one piece;
    polygons whose points all belong to tetrahedra are carried along by them. The topology has to stay the
    same.
Constraints and Targets:
    Points that match those of the first input by number or `id`: their P is where pins and targets are, and
    their pintoanimation, stopped and targetweight come first. Each line between two points is a constraint
    that keeps their distance, or welds them when they stand at the same place; meant for up to some
    hundreds. With the primitive attribute stiffness (N/m, below 1e10) it is a spring instead, of which there may be
    thousands: stitches and attachments with dampingratio, that break beyond breakthreshold (N; with breaktype
    stretchdistance m, with stretchratio a share of their length). Vellum's constraints of one point (pin, attach)
    hold it where the second input has it, or with a stiffness draw it there: so points are attached to animated
    geometry.
Collision Geometry:
    Polygons or tetrahedra, still or animated with constant topology. Closed surfaces are solid, open ones
    repel on both sides.

== Example network ==

# [Node:sop/solidconform] or a File SOP with tetrahedra.
# _Verve Configure_ to set materials and pins.
# _Verve Solver_ with the floor in its third input.
# _Save to Disk_ in the tab Cache, then _Load from Disk_: frames that no longer fit their inputs are told. Or a _File
  Cache_ below it. A simulation is one ordered task: cache it in one job, and wedges side by side.
)";

const char* const dop_text = R"(== Use ==

Wire it as the solver of objects that have Geometry data with tetrahedra, polygons or poly lines. Objects
that affect them by collide relationships are colliders with their Geometry. Gravity and other forces of the
network act on every point, as they are when the step begins. Constraints and targets come from the
geometry data that Constraint Geometry names, where the object has such data: its points match those of the
Geometry by number or `id`; P (or targetP) is where pins and targets are, and each line is a constraint, as in
the second input of the SOP. It may change with every step. One solve is one step of the network, cut
into Substeps. The state lies in the data _VerveState_ of each object: it is copied, cached and saved with
the object, so that caches and .sim checkpoints go on exactly. Parameters of the SOP that a DOP network has
itself (Start Frame, Time Scale, Gravity, its cache) are not shown.

== Example network ==

# _Empty Object_, then _SOP Geometry_ with the path of tetrahedra, polygons or poly lines.
# _Apply Data_, with _Verve Solver_ in its second input.
# _Merge_, with a _Static Object_ to the left, so that it affects what is right of it.
# _Gravity_ and other forces, then the output of the network.
)";

}  // namespace

const char* const readme_begin = "<!-- parameters: verve params --markdown -->";
const char* const readme_end = "<!-- /parameters -->";

std::string markdown_table() {
  std::string out =
      "| node | scene key | default | unit | attribute | what it does |\n|---|---|---|---|---|---|\n";
  for (const DialogEntry& entry : dialog_entries()) {
    const Parameter& p = *entry.parameter;
    if (entry.hidden) continue;
    out += "| `" + entry.parm + "` | " + (p.of_node() ? "" : "`" + p.path + "`") + " | " +
           shown_default(entry) + " | " + p.unit + " | " +
           (p.attribute.empty() ? "" : "`" + p.attribute + "`") + " | " + escaped(p.help) + " |\n";
  }
  return out + "\n" + attribute_markdown();
}

std::string help_card(const std::string& context) {
  const bool sop = context == "sop";
  std::string out = "= Verve Solver =\n\n#type: node\n#context: " + context +
                    "\n#internal: " + (sop ? "verve::solver" : "verve_solver") +
                    "\n#icon: verve_solver\n#tags: simulation, soft body, " +
                    "cloth, fem\n\n\"\"\"Soft bodies, cloth and rods that keep their energy.\"\"\"\n\n";
  out +=
      "Motion stays lively at one step a frame and never explodes; it loses no energy that you did not ask "
      "it to lose, "
      "and damping looks the same at every time step.\n\n";
  out += look_table;
  out += "\n";
  out += sop ? sop_text : dop_text;
  out += "\n@parameters\n";
  std::string tab;
  if (sop) out += "\nReset Simulation:\n    #id: resimulate\n    Forget all cached frames and begin anew.\n";
  for (const DialogEntry& entry : dialog_entries()) {
    if (!entry.shown_in(context)) continue;
    const Parameter& p = *entry.parameter;
    if (entry.tab != tab) out += "\n== " + (tab = entry.tab) + " ==\n";
    if (entry.parm == "cachefolder")
      out += std::string("\nSave to Disk:\n    #id: savetodisk\n    ") + save_to_disk_help() + "\n";
    out += "\n" + entry.label + ":\n    #id: " + entry.parm + "\n    " + p.help;
    if (!p.unit.empty()) out += " In " + p.unit + ".";
    if (!p.attribute.empty()) out += " The attribute `" + p.attribute + "` goes with it.";
    out += "\n";
    const std::vector<std::string> labels = entry.menu_labels();
    for (std::size_t i = 0; i < p.menu.size(); ++i)
      out += "\n    " + labels[i] + ":\n        `" + p.menu[i] + "`\n";
  }
  out += "\n";
  out += attribute_help();
  return out;
}

}  // namespace verve
