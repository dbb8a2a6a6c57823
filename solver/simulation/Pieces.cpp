#include "simulation/Pieces.h"

#include "mesh/UnionFind.h"

namespace verve {

std::vector<int> parts_of(const Body& body) {
  UnionFind sets(int(body.rest.size()));
  std::vector<char> joined(body.rest.size());
  const auto join = [&](const auto& elements) {
    for (const auto& element : elements)
      for (int i : element) {
        sets.join(element[0], i);
        joined[std::size_t(i)] = 1;
      }
  };
  join(body.tets);
  join(body.quadratic);
  join(body.springs);
  join(body.membrane);
  join(body.surface);
  join(body.lines);
  std::vector<int> part(body.rest.size(), 0);
  int parts = 0;
  for (int i = 0; i < int(part.size()); ++i)
    if (joined[std::size_t(i)]) {
      const int lowest = sets.find(i);
      part[std::size_t(i)] = lowest == i ? parts++ : part[std::size_t(lowest)];
    }
  return part;
}

std::vector<int> bodies_of_pieces(const Scene& scene, const System& system) {
  std::vector<int> body(std::size_t(system.pieces));
  std::size_t point = 0;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b)
    for (std::size_t i = 0; i < scene.bodies[b].rest.size(); ++i)
      body[std::size_t(system.piece[point++])] = int(b);
  return body;
}

}  // namespace verve
