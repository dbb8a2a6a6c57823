// verve view: a look at a cached run.
#include <cstdio>
#include <filesystem>

#include "base/Error.h"
#include "cli/Commands.h"
#include "io/GeometryFile.h"
#include "io/SequenceFile.h"
#include "viewer/CacheName.h"
#include "viewer/Page.h"
#include "viewer/Picture.h"
#include "viewer/Png.h"
#include "viewer/RunScene.h"

namespace verve {

namespace {

namespace fs = std::filesystem;

/// Where in the sequence a frame of this number is.
std::size_t place_of(const FrameSource& frames, int number, const std::string& run) {
  for (std::size_t i = 0; i < frames.count(); ++i)
    if (frames.frame(i) == number) return i;
  throw Error(run + ": has no frame " + std::to_string(number) + "; it has " +
              std::to_string(frames.frame(0)) + " to " + std::to_string(frames.frame(frames.count() - 1)));
}

/// One frame, or several side by side.
int draw_pictures(const std::string& run, const ViewOptions& options) {
  const CacheName cache = find_cache(run);
  const auto frames = open_sequence(cache.path, nullptr, cache.fps);
  if (frames->count() == 0) throw Error(run + ": holds no frames");
  std::vector<std::size_t> wanted;
  for (int number : options.frames) wanted.push_back(place_of(*frames, number, run));
  if (wanted.empty()) wanted.push_back(frames->count() - 1);
  // Several frames are framed together. A single one is framed as others of its run are, unless it shall be
  // seen from close by: a few tell where it takes place.
  PictureExtent extent;
  for (std::size_t i : wanted) extent.include(frames->read(i));
  if (wanted.size() == 1 && !options.close)
    for (std::size_t k = 0; k <= 8; ++k) extent.include(frames->read(k * (frames->count() - 1) / 8));
  if (extent.empty()) throw Error(run + ": has no points to show");
  const RunScene scene(run);
  const Geometry first = frames->read(0);
  std::vector<Picture> pictures;
  for (std::size_t i : wanted) {
    std::vector<ColliderSurface> colliders;
    for (std::size_t c = 0; c < scene.colliders.size(); ++c)
      colliders.push_back(collider_surface(scene.json["colliders"][c], scene.colliders[c],
                                           (frames->frame(i) - scene.first_frame) / frames->fps()));
    pictures.push_back(
        draw_picture(frames->read(i), first, colliders, extent, options.width, options.height));
  }
  write_png(options.png, joined(pictures));
  std::string numbers;
  for (std::size_t i : wanted) numbers += " " + std::to_string(frames->frame(i));
  std::printf("%s: frame%s%s\n", options.png.c_str(), wanted.size() == 1 ? "" : "s", numbers.c_str());
  return 0;
}

/// What tells runs apart: their folders' names, or their whole paths where those are the same.
std::vector<std::string> labels_of(const std::vector<std::string>& runs) {
  std::vector<std::string> labels;
  for (const std::string& run : runs) {
    const fs::path whole = fs::absolute(run).lexically_normal();
    labels.push_back((whole.has_filename() ? whole : whole.parent_path()).filename().string());
  }
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (labels[i] == labels[j]) labels[i] = runs[i], labels[j] = runs[j];
  return labels;
}

}  // namespace

int view_command(const ViewOptions& options) {
  if (!options.png.empty()) {
    if (geometry_ending(options.png) != "png")
      throw Error("--png " + options.png + ": only PNG pictures are written; give a name that ends in .png");
    if (options.runs.size() != 1) throw Error("a picture shows one run; give one folder with --png");
    return draw_pictures(options.runs[0], options);
  }
  if (!options.frames.empty()) throw Error("--frame goes with --png; the page has all frames");
  if (options.close) throw Error("--close goes with --png; in the page the wheel brings things closer");
  require_page();
  const std::vector<std::string> labels = labels_of(options.runs);
  std::vector<PageRun> runs;
  for (std::size_t i = 0; i < labels.size(); ++i)
    runs.push_back(pack_run(options.runs[i], labels[i], options.every));
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (auto tets = pack_tets(options.runs[i], labels[i], options.every, i)) runs.push_back(std::move(*tets));
  std::string title = labels[0];
  if (labels.size() > 1) title += " and " + std::to_string(labels.size() - 1) + " more";
  const fs::path first(options.runs[0]);
  const fs::path folder = fs::is_directory(first) ? first : first.parent_path();
  const std::string out = options.out.empty() ? (folder / "view.html").string() : options.out;
  write_page(out, title, runs);
  std::printf("%s: %zu run%s, %.1f MB; open it in a browser\n", out.c_str(), labels.size(),
              labels.size() == 1 ? "" : "s", double(fs::file_size(out)) / 1e6);
  return 0;
}

}  // namespace verve
