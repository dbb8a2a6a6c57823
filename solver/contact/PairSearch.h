// Finds the parts of surfaces that may meet: points and triangles, edges and edges.
#pragma once

#include <cstdint>
#include <vector>

#include "base/Parallel.h"
#include "contact/ContactState.h"
#include "contact/PairGeometry.h"
#include "mesh/BoxTree.h"

namespace verve {

/// The parts of surfaces by numbers of points; `owner` is the body or collider that each belongs to.
struct PairParts {
  template <std::size_t N>
  struct Part {
    std::array<int, N> point;
    int owner;
  };
  std::vector<Part<1>> points;
  std::vector<Part<2>> edges;
  std::vector<Part<3>> triangles;
};

/// Two parts that may meet. The key has the pair's kind and the numbers of both parts, colliders' edges after
/// bodies'.
struct PairFound {
  ContactKey key;
  std::array<int, 4> point;
  int first_owner, second_owner;

  PairKind kind() const { return key.kind; }
  std::uint64_t number() const {
    return (std::uint64_t(std::uint32_t(key.a)) << 32 | std::uint32_t(key.b)) ^
           (std::uint64_t(key.kind == PairKind::edge_edge) << 63);
  }
};

class PairSearch {
 public:
  /// Bodies meet each other, themselves and colliders; colliders' points and edges meet bodies only. Points
  /// of all have one numbering; `rest` tells where they are at first.
  PairSearch(PairParts bodies, PairParts colliders, const std::vector<Vec3>& rest);

  /// All pairs of different points, one of them at least of a body, whose boxes (those of their points) come
  /// nearer to each other than `reach`, ascending by key. `meet` says which are wanted.
  void find(const std::vector<Eigen::AlignedBox3d>& boxes, double reach,
            FunctionRef<bool(const PairFound&)> meet, std::vector<PairFound>& out);

  /// Calls visit(edge, its owner, triangle, its owner), by points, for edges of bodies and colliders that
  /// cross triangles of bodies, with the points at `places`.
  void for_each_crossing(
      const std::vector<Vec3>& places,
      FunctionRef<void(const std::array<int, 2>&, int, const std::array<int, 3>&, int)> visit);

  const PairParts& bodies() const { return bodies_; }
  const PairParts& colliders() const { return colliders_; }

 private:
  PairParts bodies_, colliders_;
  BoxTree edges_, triangles_;
  std::vector<std::vector<PairFound>> pieces_;
};

}  // namespace verve
