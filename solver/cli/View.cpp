// verve view: a look at a cached run.
#include <cstdio>

#include "base/Error.h"
#include "cli/CacheName.h"
#include "cli/Commands.h"
#include "cli/Picture.h"
#include "io/SequenceFile.h"

namespace verve {

int view_command(const ViewOptions& options) {
  const CacheName cache = find_cache(options.run);
  const auto frames = open_sequence(cache.path, nullptr, cache.fps);
  if (frames->count() == 0) throw Error(options.run + ": holds no frames");
  std::size_t wanted = frames->count() - 1;
  if (options.frame) {
    wanted = 0;
    while (wanted < frames->count() && frames->frame(wanted) != *options.frame) ++wanted;
    if (wanted == frames->count())
      throw Error(options.run + ": has no frame " + std::to_string(*options.frame) + "; it has " +
                  std::to_string(frames->frame(0)) + " to " +
                  std::to_string(frames->frame(frames->count() - 1)));
  }
  // A few frames tell where the run takes place.
  Eigen::AlignedBox3d bounds;
  for (std::size_t k = 0; k <= 8; ++k) {
    const Geometry geometry = frames->read(k * (frames->count() - 1) / 8);
    for (int i = 0; i < geometry.point_count; ++i) bounds.extend(geometry.position(i));
  }
  if (bounds.isEmpty()) throw Error(options.run + ": has no points to show");
  write_picture(options.png, frames->read(wanted), bounds, options.width, options.height);
  std::printf("%s: frame %d\n", options.png.c_str(), frames->frame(wanted));
  return 0;
}

}  // namespace verve
