// What the members of Simulation do: for Python's help and, by package.cmake, for the type stubs.
#pragma once

namespace verve::docs {

// clang-format off: a line each, so that CMake can read them
constexpr const char* advance =
    "Steps to the next frame, with the interpreter's lock released, and gives its report. Ctrl-C and "
    "cancel() stop it.";
constexpr const char* report = "The present frame's energies, momenta and counts: a row of report.csv.";
constexpr const char* cancel =
    "May be called from any thread: advance() throws Cancelled and the state stays as it was.";
constexpr const char* frame = "The frame that it is at.";
constexpr const char* frames = "The scene's first and last frame. Stepping on beyond the last is allowed.";
constexpr const char* time = "Seconds since the first frame.";
constexpr const char* fps = "Frames a second.";
constexpr const char* positions =
    "(points, 3), m. A view that cannot be written to. It changes with every frame.";
constexpr const char* velocities = "(points, 3), m/s. A view as positions is.";
constexpr const char* bodies = "Names of the bodies, in the order of their points.";
constexpr const char* warnings = "What was noticed about the scene that does not stop it.";
constexpr const char* scene_json = "The scene as JSON with every default filled in.";
constexpr const char* body_positions = "The part of positions that is the body's: a view, too.";
constexpr const char* tets = "(n, 4) corners among the points of the body.";
constexpr const char* triangles = "(n, 3) corners among the points of the body: its surface.";
constexpr const char* skin =
    "The points that show a body: those of the surface that it was filled from, or its own.";
constexpr const char* quantities =
    "stress (Pa of tets, N/m of cloth, N of ropes), energydensity and contact of every point.";
constexpr const char* save = "Writes a checkpoint.";
constexpr const char* restore = "Goes to a checkpoint of the same scene and settings.";
constexpr const char* write = "Writes the frame as geometry. The ending of the path says the format.";
// clang-format on

}  // namespace verve::docs
