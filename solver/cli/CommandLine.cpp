#include "cli/CommandLine.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "base/Text.h"

namespace verve {
namespace {

/// The first word that is no command, so that the nearest one can be named.
std::string unknown_command(int argc, char** argv, const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands(nullptr)) names.push_back(sub->get_name());
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.empty() || word[0] == '-') continue;
    for (const std::string& name : names)
      if (word == name) return {};
    return "unknown command '" + word + "'" + suggestion(word, names);
  }
  return {};
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames())
      if (!option->get_group().empty()) names.push_back("--" + name);
  return names;
}

std::string unknown_option(int argc, char** argv, const CLI::App& app) {
  const CLI::App* command = &app;
  for (const CLI::App* sub : app.get_subcommands()) command = sub;
  const std::vector<std::string> names = options_of(*command);
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    word = word.substr(0, word.find('='));
    if (word.size() < 3 || word.compare(0, 2, "--") != 0) continue;
    if (std::find(names.begin(), names.end(), word) == names.end())
      return "unknown option '" + word + "'" + suggestion(word, names);
  }
  return {};
}

void add_run(CLI::App& app, RunOptions& run) {
  CLI::App* c = app.add_subcommand("run", "Simulate a scene file into a cache");
  c->footer(
      "Examples:\n"
      "  verve run drop.json --out out/drop --frames 1-48\n"
      "  verve run mine.obj                             a mesh of your own falls on a floor; makes its "
      "scene\n"
      "  verve run drop.json --set substeps=2 --set bodies[0].mass=3 --set gravity=[0,-1.6,0]\n"
      "  verve run drop.json --out out/drop --resume    go on after Ctrl-C, a kill or a power cut");
  c->add_option("scene", run.scene, "Scene file (JSON), or a mesh to make one for")->required();
  c->add_option("--out", run.out, "Folder for the cache; out/NAME if left out");
  c->add_option("--frames", run.frames,
                "Frames to cache, such as 1-100; the run always begins at the scene's first");
  c->add_option("--threads", run.threads, "Most threads to use; all cores if left out")
      ->check(CLI::Range(0, 4096));
  c->add_option("--set", run.settings, "Change a key of the scene, such as damping.delta=0.01")
      ->allow_extra_args(false);
  c->add_option("--quality", run.quality, "preview, final or exact; the same as --set quality=...");
  c->add_flag("--resume", run.resume, "Go on from the last checkpoint in the folder");
  c->add_option("--up", run.up, "Of a mesh without a scene: the axis that points upwards, y or z")
      ->check(CLI::IsMember({"y", "z"}));
  c->add_flag("--settle", run.settle, "Begin with every body at rest under its load (bodies[].settle)");
  c->add_flag("--overwrite", run.overwrite, "Take the place of another run's frames in the folder");
  c->add_option("--trace", run.trace, "Write a row for every event of Newton's method to FILE (CSV)")
      ->option_text("FILE");
  c->add_flag("--quiet", run.quiet, "Neither a progress bar nor a line a frame");
  c->add_flag("--alf", run.alf, "Print ALF_PROGRESS nn% for farms that look for it");
  c->add_flag("--pdg", run.pdg, "Print a PDG_RESULT line for every file of the cache");
  c->add_flag("--with-parent", run.with_parent, "Stop when the process that started this one ends")
      ->group("");
}

void add_wedge(CLI::App& app, WedgeOptions& wedge) {
  CLI::App* c = app.add_subcommand("wedge", "Run variants of a scene side by side, here or on a farm");
  c->footer(
      "Examples:\n"
      "  verve wedge drop.json --vary damping.delta=0.001,0.01,0.1 --vary substeps=1,2 --out out/wedges\n"
      "  verve wedge drop.json --vary bodies[0].material.young=1e4,1e5 --out out/wedges --slurm\n"
      "  verve wedge --status out/wedges                how far they are; wedges.csv and view.html");
  c->add_option("scene", wedge.scene, "Scene file (JSON)");
  c->add_option("--vary", wedge.vary, "A key and its values: key.path=a,b,c; all combinations are run")
      ->allow_extra_args(false);
  c->add_option("--out", wedge.out, "Folder for the wedges, a folder each");
  c->add_option("--set", wedge.settings, "Change a key of the scene for all wedges")->allow_extra_args(false);
  c->add_option("--threads", wedge.threads,
                "Cores to use in all; with --slurm, of each wedge. All cores if left out (Slurm: 1)")
      ->check(CLI::Range(0, 4096));
  c->add_option("--jobs", wedge.jobs, "Most wedges at a time; as many as there are cores if left out")
      ->check(CLI::Range(1, 4096));
  c->add_flag("--resume", wedge.resume, "Go on with wedges that were stopped");
  c->add_flag("--slurm", wedge.slurm, "Submit them to Slurm as one array job, a task each");
  c->add_option("--sbatch", wedge.sbatch, "An option to pass to sbatch, such as --sbatch=--partition=night")
      ->allow_extra_args(false);
  c->add_option("--status", wedge.status, "Tell how the wedges in this folder fare");
  c->add_option("--task", wedge.task, "Run this wedge of the folder given with --status")->group("");
  c->add_flag("--quiet", wedge.quiet, "No line a wedge");
}

void add_view(CLI::App& app, ViewOptions& view) {
  CLI::App* c =
      app.add_subcommand("view", "Make a page of cached runs to open in a browser, or a picture of a frame");
  c->footer(
      "Examples:\n"
      "  verve view out/drop                            writes out/drop/view.html\n"
      "  verve view out/soft out/stiff --out both.html  runs side by side or overlaid\n"
      "  verve view out/drop --png drop.png --frame 30  draws a frame, without GPU or display");
  c->add_option("run", view.runs, "Folders of runs, or caches")->required();
  c->add_option("--out", view.out, "The page to write; view.html in the first folder if left out");
  c->add_option("--every", view.every, "Take every so many frames into the page")
      ->check(CLI::Range(1, 1000000));
  c->add_option("--png", view.png, "The picture to write, a .png, instead of a page");
  c->add_option("--frame", view.frames,
                "The frame of the picture; several are set side by side. The last if left out")
      ->allow_extra_args(false);
  c->add_option("--width", view.width, "Pixels of each frame in the picture")->check(CLI::Range(16, 8192));
  c->add_option("--height", view.height, "Pixels of each frame in the picture")->check(CLI::Range(16, 8192));
  c->add_flag("--close", view.close, "Frame what the picture shows, not all that moves during the run");
}

void add_files(CLI::App& app, CommandLine& line) {
  CLI::App* info = app.add_subcommand("info", "Tell what a scene, mesh, cache or checkpoint holds");
  info->footer(
      "Examples:\n"
      "  verve info drop.json\n"
      "  verve info out/drop                            the folder of a run\n"
      "  verve info out/drop/checkpoint.verve");
  info->add_option("file", line.file, "The file, or the folder of a run")->required();

  CLI::App* convert = app.add_subcommand("convert", "Convert geometry or whole caches to another format");
  convert->footer(
      "Examples:\n"
      "  verve convert out/drop/drop.0001.bgeo.sc frame.obj\n"
      "  verve convert out/drop drop.usda               all frames in one file\n"
      "  verve convert drop.usda 'frames/drop.$F4.vtu'  one file a frame\n"
      "  verve convert bunny.msh bunny.bgeo.sc");
  convert->add_option("in", line.in, "A file, all frames as 'name.$F4.ending', or the folder of a run")
      ->required();
  convert
      ->add_option("out", line.out,
                   "The file to write, or 'name.$F4.ending' for one a frame; its ending says the format")
      ->required();

  CLI::App* mesh = app.add_subcommand("mesh", "Fill a surface with tets");
  mesh->footer("Example: verve mesh hare.obj hare.msh --size 0.05");
  mesh->add_option("surface", line.mesh.surface, "The surface, as dirty as it may be")->required();
  mesh->add_option("out", line.mesh.out, "The tet mesh to write")->required();
  mesh->add_option("--size", line.mesh.size, "Length of the tets' edges at the surface, in metres")
      ->required();
  mesh->add_option("--coarsen", line.mesh.coarsening, "Let tets deep inside be up to 2^N times as large");
}

void add_help(CLI::App& app, CommandLine& line) {
  CLI::App* params = app.add_subcommand("params", "List everything that a scene may say");
  params->footer("Example: verve params --json");
  const auto as = [&](const char* word) { return [&line, word](std::int64_t) { line.form = word; }; };
  params->add_flag_function("--json", as("json"), "As JSON");
  params->add_flag_function("--markdown", as("markdown"),
                            "The node's parameters as solver/parameters/README.md has them");
  params->add_flag_function("--python", as("python"), "As typed dictionaries of Python");
  params->add_flag_function("--dialog", as("dialog"), "The node's dialog script");
  params->add_flag_function("--sop-help", as("sop-help"), "The help card of the SOP");
  params->add_flag_function("--dop-help", as("dop-help"), "The help card of the DOP");

  CLI::App* help = app.add_subcommand("help", "Explain a command, a topic, or a key of scenes");
  help->footer(
      "Examples:\n"
      "  verve help                                     the topics\n"
      "  verve help integrators\n"
      "  verve help damping.delta");
  help->add_option("topic", line.topic, "What to explain; the list of topics if left out");

  CLI::App* completion =
      app.add_subcommand("completion", "Print a script that completes commands in a shell");
  completion->footer(
      "Examples:\n"
      "  source <(verve completion bash)                in ~/.bashrc; zsh alike in ~/.zshrc\n"
      "  verve completion fish > ~/.config/fish/completions/verve.fish");
  completion->add_option("shell", line.shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
}

void set_up(CLI::App& app, CommandLine& line) {
  app.set_version_flag("--version", "verve " VERVE_VERSION);
  app.footer(
      "Examples:\n"
      "  verve run examples/drop.json --out out/drop    simulate a scene into a cache\n"
      "  verve run mine.obj                             the same with a mesh of your own\n"
      "  verve view out/drop                            a page to look at it in a browser\n"
      "  verve convert out/drop drop.usda               all of its frames in one file\n"
      "  verve help                                     what else is explained");
  add_run(app, line.run);
  add_view(app, line.view);
  add_wedge(app, line.wedge);
  add_files(app, line);
  add_help(app, line);
  for (const CLI::App* sub : app.get_subcommands(nullptr))
    line.commands.push_back({sub->get_name(), sub->get_description(), sub->help("verve"), options_of(*sub)});
}

const char* const kTitle = "Verve: soft bodies and cloth that keep their energy";

}  // namespace

CommandLine::CommandLine(int argc, char** argv) {
  CLI::App app(kTitle, "verve");
  app.require_subcommand(0, 1);  // so that verve help run is not two commands
  set_up(app, *this);
  try {
    app.parse(argc, argv);
    if (!app.get_subcommands().empty()) {
      command = app.get_subcommands()[0]->get_name();
      return;
    }
    std::fputs(app.help().c_str(), stderr);
    exit = 2;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      exit = app.exit(error);
      return;
    }
    std::string message = unknown_command(argc, argv, app);
    if (message.empty()) message = unknown_option(argc, argv, app);
    if (message.empty()) message = error.what();
    std::fprintf(stderr, "verve: %s\n", message.c_str());
    exit = 2;
  }
}

}  // namespace verve
