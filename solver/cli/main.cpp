// The `verve` program.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <new>

#include "base/Error.h"
#include "base/Text.h"
#include "cli/Commands.h"

namespace {

using namespace verve;

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

std::string unknown_option(int argc, char** argv, const CLI::App& app) {
  const CLI::App* command = &app;
  for (const CLI::App* sub : app.get_subcommands()) command = sub;
  std::vector<std::string> names;
  for (const CLI::Option* option : command->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    word = word.substr(0, word.find('='));
    if (word.size() < 3 || word.compare(0, 2, "--") != 0) continue;
    bool known = false;
    for (const std::string& name : names) known = known || word == name;
    if (!known) return "unknown option '" + word + "'" + suggestion(word, names);
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
#if defined(__GNUC__) && defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    std::fprintf(stderr,
                 "verve: this build needs a processor with AVX2; build with -DVERVE_ARCH= for older ones\n");
    return 1;
  }
#endif
  CLI::App app("Verve: soft bodies and cloth that keep their energy");
  app.set_version_flag("--version", "verve " VERVE_VERSION);
  app.footer(
      "Examples:\n"
      "  verve run examples/drop.json --out out/drop    simulate a scene into a cache\n"
      "  verve info out/drop                            what the cache holds\n"
      "  verve convert out/drop drop.usda               all of its frames in one file\n"
      "  verve params                                   everything that a scene may say");

  RunOptions run;
  CLI::App* run_app = app.add_subcommand("run", "Simulate a scene file into a cache");
  run_app->footer(
      "Examples:\n"
      "  verve run drop.json --out out/drop --frames 1-48\n"
      "  verve run drop.json --set substeps=2 --set bodies[0].mass=3 --set gravity=[0,-1.6,0]\n"
      "  verve run drop.json --out out/drop --resume    go on after Ctrl-C, a kill or a power cut");
  run_app->add_option("scene", run.scene, "Scene file (JSON)")->required();
  run_app->add_option("--out", run.out, "Folder for the cache; out/NAME if left out");
  run_app->add_option("--frames", run.frames,
                      "Frames to cache, such as 1-100; the run always begins at the scene's first");
  run_app->add_option("--threads", run.threads, "Most threads to use; all cores if left out")
      ->check(CLI::Range(0, 4096));
  run_app->add_option("--set", run.settings, "Change a key of the scene, such as damping.delta=0.01")
      ->allow_extra_args(false);
  run_app->add_flag("--resume", run.resume, "Go on from the last checkpoint in the folder");
  run_app->add_flag("--quiet", run.quiet, "No line a frame");

  std::string info;
  CLI::App* info_app = app.add_subcommand("info", "Tell what a scene, mesh, cache or checkpoint holds");
  info_app->footer(
      "Examples:\n"
      "  verve info drop.json\n"
      "  verve info out/drop                            the folder of a run\n"
      "  verve info out/drop/checkpoint.verve");
  info_app->add_option("file", info, "The file, or the folder of a run")->required();

  std::string in, out;
  CLI::App* convert_app = app.add_subcommand("convert", "Convert geometry or whole caches to another format");
  convert_app->footer(
      "Examples:\n"
      "  verve convert out/drop/drop.0001.bgeo.sc frame.obj\n"
      "  verve convert out/drop drop.usda               all frames in one file\n"
      "  verve convert drop.usda 'frames/drop.$F4.vtu'  one file a frame\n"
      "  verve convert bunny.msh bunny.bgeo.sc");
  convert_app->add_option("in", in, "A file, all frames as 'name.$F4.ending', or the folder of a run")
      ->required();
  convert_app
      ->add_option("out", out,
                   "The file to write, or 'name.$F4.ending' for one a frame; its ending says the format")
      ->required();

  MeshOptions mesh;
  CLI::App* mesh_app = app.add_subcommand("mesh", "Fill a surface with tets");
  mesh_app->footer("Example: verve mesh hare.obj hare.msh --size 0.05");
  mesh_app->add_option("surface", mesh.surface, "The surface, as dirty as it may be")->required();
  mesh_app->add_option("out", mesh.out, "The tet mesh to write")->required();
  mesh_app->add_option("--size", mesh.size, "Length of the tets' edges at the surface, in metres")
      ->required();
  mesh_app->add_option("--coarsen", mesh.coarsening, "Let tets deep inside be up to 2^N times as large");

  ViewOptions view;
  CLI::App* view_app = app.add_subcommand("view", "Draw a frame of a cached run");
  view_app->footer("Example: verve view out/drop --png drop.png --frame 30");
  view_app->add_option("run", view.run, "The folder of a run, or a cache")->required();
  view_app->add_option("--png", view.png, "The picture to write")->required();
  view_app->add_option("--frame", view.frame, "The frame to draw; the last if left out");
  view_app->add_option("--width", view.width, "Pixels")->check(CLI::Range(16, 8192));
  view_app->add_option("--height", view.height, "Pixels")->check(CLI::Range(16, 8192));

  std::string form;
  CLI::App* params_app = app.add_subcommand("params", "List everything that a scene may say");
  params_app->footer("Example: verve params --json");
  const auto as = [&](const char* word) { return [&form, word](std::int64_t) { form = word; }; };
  params_app->add_flag_function("--json", as("json"), "As JSON");
  params_app->add_flag_function("--markdown", as("markdown"),
                                "The node's parameters as the README shows them");
  params_app->add_flag_function("--dialog", as("dialog"), "The node's dialog script");
  params_app->add_flag_function("--sop-help", as("sop-help"), "The help card of the SOP");
  params_app->add_flag_function("--dop-help", as("dop-help"), "The help card of the DOP");

  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      std::fputs(app.help().c_str(), stderr);
      return 2;
    }
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::string message = unknown_command(argc, argv, app);
    if (message.empty()) message = unknown_option(argc, argv, app);
    if (message.empty()) message = error.what();
    std::fprintf(stderr, "verve: %s\n", message.c_str());
    return 2;
  }
  try {
    if (*run_app) return run_command(run);
    if (*info_app) return info_command(info);
    if (*convert_app) return convert_command(in, out);
    if (*view_app) return view_command(view);
    if (*mesh_app) return mesh_command(mesh);
    return params_command(form);
  } catch (const Error& error) {
    std::fprintf(stderr, "verve: %s\n", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "verve: out of memory\n");
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "verve: %s\n", error.what());
    return 1;
  }
}
