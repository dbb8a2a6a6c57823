// verve view: a look at a cached run.
#include <cstdio>
#include <filesystem>

#include "base/Error.h"
#include "cli/CacheName.h"
#include "cli/Commands.h"
#include "cli/Page.h"
#include "cli/Picture.h"
#include "io/SequenceFile.h"

namespace verve {

namespace {

namespace fs = std::filesystem;

int draw_picture(const std::string& run, const ViewOptions& options) {
  const CacheName cache = find_cache(run);
  const auto frames = open_sequence(cache.path, nullptr, cache.fps);
  if (frames->count() == 0) throw Error(run + ": holds no frames");
  std::size_t wanted = frames->count() - 1;
  if (options.frame) {
    wanted = 0;
    while (wanted < frames->count() && frames->frame(wanted) != *options.frame) ++wanted;
    if (wanted == frames->count())
      throw Error(run + ": has no frame " + std::to_string(*options.frame) + "; it has " +
                  std::to_string(frames->frame(0)) + " to " +
                  std::to_string(frames->frame(frames->count() - 1)));
  }
  // A few frames tell where the run takes place.
  Eigen::AlignedBox3d bounds;
  for (std::size_t k = 0; k <= 8; ++k) {
    const Geometry geometry = frames->read(k * (frames->count() - 1) / 8);
    for (int i = 0; i < geometry.point_count; ++i) bounds.extend(geometry.position(i));
  }
  if (bounds.isEmpty()) throw Error(run + ": has no points to show");
  write_picture(options.png, frames->read(wanted), bounds, options.width, options.height);
  std::printf("%s: frame %d\n", options.png.c_str(), frames->frame(wanted));
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
    if (options.runs.size() != 1) throw Error("a picture shows one run; give one folder with --png");
    return draw_picture(options.runs[0], options);
  }
  if (options.frame) throw Error("--frame goes with --png; the page has all frames");
  require_page();
  const std::vector<std::string> labels = labels_of(options.runs);
  std::vector<PageRun> runs;
  for (std::size_t i = 0; i < labels.size(); ++i)
    runs.push_back(pack_run(options.runs[i], labels[i], options.every));
  std::string title = labels[0];
  if (labels.size() > 1) title += " and " + std::to_string(labels.size() - 1) + " more";
  const fs::path first(options.runs[0]);
  const fs::path folder = fs::is_directory(first) ? first : first.parent_path();
  const std::string out = options.out.empty() ? (folder / "view.html").string() : options.out;
  write_page(out, title, runs);
  std::printf("%s: %zu run%s, %.1f MB; open it in a browser\n", out.c_str(), runs.size(),
              runs.size() == 1 ? "" : "s", double(fs::file_size(out)) / 1e6);
  return 0;
}

}  // namespace verve
