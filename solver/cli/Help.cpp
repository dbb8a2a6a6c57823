#include "cli/Help.h"

#include <cstdio>

#include "base/Error.h"
#include "base/Text.h"
#include "energy/Fabrics.h"
#include "parameters/Parameters.h"

namespace verve {
namespace {

struct Topic {
  const char *name, *about, *text;
};

const Topic topics[] = {
    {"start", "from a mesh of your own to a page",
     R"(Two commands: let your mesh fall on a floor, and look at what it did.

  verve run mine.obj
  verve view out/mine                 then open out/mine/view.html in a browser

Closed surfaces are filled with tets, open ones are cloth. The scene that was made is out/mine/mine.json: change
it and run it, or change a key on the way: verve run out/mine/mine.json --set bodies[0].material.young=1e4.
`verve info mine.obj` tells what the solver thinks of a mesh; output.surface=skin caches your surface, with its
attributes and UVs, instead of the tets.
)"},
    {"scene", "what a scene file looks like",
     R"(A scene is one JSON file; SI units, y is up. `verve params` lists every key with default and unit.

  { "frames": [1, 300], "fps": 30, "gravity": [0, -9.81, 0],
    "integrator": { "type": "avf" }, "damping": { "delta": 0.004 },
    "bodies": [ { "geometry": { "shape": "box", "size": [0.5, 0.5, 0.5], "cells": [4, 4, 4] },
                  "material": { "young": 20000, "poisson": 0.3 }, "mass": 1,
                  "transform": { "translate": [0, 1, 0] } } ],
    "colliders": [ { "shape": "plane", "normal": [0, 1, 0], "offset": 0, "stiffness": 2000 } ] }

Any key can be changed for one run: --set damping.delta=0.01 --set bodies[0].mass=3.
)"},
    {"fabrics", "membranes by name, and where their numbers are from",
     R"(A sheet, or a surface file, is a membrane unless its material says otherwise: "material": { "fabric": "silk" }.
Single numbers beside the fabric take the place of its own; warp, weft, shear and bend describe any other cloth,
young, poisson and thickness a sheet that is alike in all directions; limit (0.05) keeps it from stretching on.

)"},
    {"integrators", "which one to choose",
     R"(avf                 lively, never explodes, keeps the energy exactly, whatever the material. The default.
hp                  symplectic: keeps momenta exactly and the energy on average; for small steps.
backward_euler, bdf2, bathe
                    calm to dead: they lose energy by themselves.
implicit_midpoint, newmark
                    lively until they explode; there to compare.
symplectic_euler    explicit: cheap steps, many substeps.
asynchronous        every element at its own pace.

`verve help integrator` lists the keys.
)"},
    {"quality", "preview, final, exact: what each keeps",
     R"(preview   the look: motion, bounce and rest as you will see them; energy to a few thousandths.
final     the energy to 1e-4 over the shot, and the motion with it. The default.
exact     the energy to 1e-9: to compare integrators, and to see what damping alone takes.

  verve run drop.json --quality preview

It stands for solver.tolerance (1e-2, 1e-4, 1e-9) and for how finely steps inside a frame follow impacts and turns.
A scene that gives solver.tolerance itself keeps that one. report.csv's ledger_error shows what was kept.
)"},
    {"files", "what a run writes, and what can be read",
     R"(A run writes into its folder (--out):
  NAME.$F4.bgeo.sc    the frames; output.format chooses bgeo geo usda pc2 mdd vtu obj instead
  scene.json          the scene as run, every default filled in: `verve run` takes it again
  report.csv          energies, work, dissipation, momenta, iterations; a row a frame
  checkpoint.verve    everything that --resume needs

Surfaces are read from .obj .ply .stl .off .geo .bgeo .bgeo.sc .vtu .usda, tets from .msh .node/.ele .mesh
.vtk .vtu and Houdini's. `verve convert` goes between all of them.
)"},
    {"wedges", "variants of a scene, side by side",
     R"(  verve wedge drop.json --vary damping.delta=0.001,0.01,0.1 --vary substeps=1,2 --out out/wedges

runs all six combinations, as many at a time as there are cores, each into a folder of its own with its scene
(wedge.json), cache, report.csv and log.txt. A wedge that fails fails alone; its folder and the table say why.
At the end there are wedges.csv (a row a wedge) and view.html, which shows them side by side or overlaid.
Stopped with Ctrl-C or killed, the same line with --resume goes on. Values may be lists: gravity=[0,0,0],[0,-9.81,0].
)"},
    {"farm", "Slurm, PDG and others",
     R"(A simulation is one ordered task: its frames cannot be shared out, but wedges can.

  verve wedge drop.json --vary substeps=1,2,4 --out /shared/wedges --slurm --threads 4 --sbatch=--partition=night
  verve wedge --status /shared/wedges

submits one array job with a task a wedge. Requeued tasks go on from their checkpoint and end with the same
bytes as an unbroken run. --threads limits the cores of a run; --alf prints ALF_PROGRESS nn%, and --pdg a
PDG_RESULT line for every file once it is on the disk. SIGTERM saves and stops (exit code 130).
)"},
    {"page", "looking at runs",
     R"(  verve view out/drop                             writes out/drop/view.html
  verve view out/soft out/stiff --out both.html   several runs side by side, or overlaid (O)
  verve view out/drop --png drop.png --frame 30   a picture, without GPU or display

The page is one file and needs no network: send it to anyone. Space plays, arrows step, C colours by speed,
stress, strain and contact, W shows the wireframe, ? lists the other keys. Energies, momenta and iterations
are plotted in step with the frame; a click in a plot goes there.
)"},
    {"exit", "exit codes",
     R"(0    done
1    the simulation failed, or the disk did: one line says why and which frames were saved; of wedges: one failed
2    wrong words, keys, values or files: one line names the nearest right one; nothing was written
130  interrupted by Ctrl-C or SIGTERM: saved, go on with --resume
)"},
};

void print_fabrics() {
  std::printf("%-8s %8s %8s %8s %8s %9s %9s\n%-8s %8s %8s %8s %8s %9s %9s\n", "", "density", "warp", "weft",
              "shear", "bend", "bend_weft", "", "kg/m^2", "N/m", "N/m", "N/m", "N m", "N m");
  for (const Fabric& f : fabrics())
    std::printf("%-8s %8g %8g %8g %8g %9g %9g\n         %s\n", f.name, f.density, f.warp, f.weft, f.shear,
                f.bend, f.bend_weft, f.source);
}

/// bodies[0].mass and bodies.0.mass are explained as bodies[].mass is.
std::string without_numbers(const std::string& path) {
  std::string plain;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(path[i]));
    if (!digit) plain += path[i];
    if (digit && !plain.empty() && plain.back() == '.') plain.back() = '[', plain += ']';
  }
  return plain;
}

}  // namespace

std::vector<std::string> help_topics() {
  std::vector<std::string> names;
  for (const Topic& topic : topics) names.push_back(topic.name);
  return names;
}

int help_command(const std::string& topic, const std::vector<CommandWords>& commands) {
  if (topic.empty()) {
    std::printf("verve help TOPIC explains one of these, or any key of a scene, such as damping.delta:\n\n");
    for (const Topic& t : topics) std::printf("  %-12s %s\n", t.name, t.about);
    std::printf("\nand the commands:\n\n");
    for (const CommandWords& c : commands) std::printf("  %-12s %s\n", c.name.c_str(), c.about.c_str());
    return 0;
  }
  for (const CommandWords& c : commands)
    if (c.name == topic) return std::printf("%s", c.help.c_str()), 0;
  for (const Topic& t : topics)
    if (topic == t.name) {
      std::printf("%s", t.text);
      if (topic == "fabrics") print_fabrics();
      return 0;
    }
  const std::string path = without_numbers(topic);
  bool found = false;
  for (const Parameter& p : parameters())
    if (p.path == path || p.path.rfind(path + ".", 0) == 0 || p.path.rfind(path + "[]", 0) == 0) {
      print_parameter(p);
      found = true;
    }
  // A key may be given by its last word; several may have it.
  if (!found)
    for (const Parameter& p : parameters())
      if (p.name() == path) {
        print_parameter(p);
        found = true;
      }
  if (found) return 0;
  // Topics and commands before keys, which may also be given by their last word.
  std::vector<std::string> known = help_topics();
  for (const CommandWords& c : commands) known.push_back(c.name);
  for (const Parameter& p : parameters()) known.insert(known.end(), {p.path, p.name()});
  std::string near = nearest(topic, known);
  if (!is_close(topic, near)) throw Error("there is no help on '" + topic + "'; verve help lists the topics");
  for (const Parameter& p : parameters())
    if (p.name() == near) {
      near = p.path;
      break;
    }
  throw Error("there is no help on '" + topic + "'; did you mean '" + near + "'?");
}

}  // namespace verve
