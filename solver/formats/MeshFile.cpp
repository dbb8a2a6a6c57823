#include "formats/MeshFile.h"

namespace verve {

void add_polygon(MeshFile& file, const std::vector<int>& corners) {
  for (std::size_t c = 2; c < corners.size(); ++c)
    file.triangles.push_back({corners[0], corners[c - 1], corners[c]});
}

}  // namespace verve
