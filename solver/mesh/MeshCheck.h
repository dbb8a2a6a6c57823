// What is wrong with a mesh: counted, with the first offender, and refused when the solver cannot run on it.
#pragma once

#include <array>
#include <string>

#include "mesh/TetMesh.h"
#include "mesh/TriangleMesh.h"

namespace verve {

/// The offender of a defect is an element (tet or triangle) or a point, by its number from 0.
enum class Defect {
  not_finite,      ///< point: a coordinate is NaN or infinite
  out_of_range,    ///< element: uses a point that does not exist
  repeated_point,  ///< element: uses a point twice
  degenerate,      ///< element: a tet without volume, a triangle without area
  inverted,        ///< tet: negative volume
  duplicate,       ///< element: has the same points as an earlier one
  unreferenced,    ///< point: no element uses it
};
constexpr int defect_kinds = 7;

/// A few words for a kind of defect, such as "zero volume or area".
const char* describe(Defect kind);
/// Whether the offender is a point; it is an element otherwise.
bool offender_is_point(Defect kind);

struct MeshReport {
  struct Entry {
    int count = 0;
    int first = -1;  ///< lowest offender, -1 for none
    void add(int offender);
  };
  int points = 0;
  int elements = 0;
  std::array<Entry, defect_kinds> defects;

  const Entry& operator[](Defect kind) const { return defects[int(kind)]; }
  bool clean() const;
};

/// Elements with a fault of an earlier kind are left out of the later ones, as their shape means nothing.
MeshReport check(const TetMesh& mesh);
MeshReport check(const TriangleMesh& mesh);

/// Throws an Error that names the first offender when the solver cannot run on the mesh: empty, or any of the
/// defects above. `name` is what the artist calls it: a file or a body.
void require_usable(const TetMesh& mesh, const std::string& name);
void require_usable(const TriangleMesh& mesh, const std::string& name);

/// How many tets have positive and how many have negative volume.
struct Orientation {
  int positive = 0;
  int negative = 0;
  bool mixed() const { return positive > 0 && negative > 0; }
};
Orientation orientation(const TetMesh& mesh);

/// Turns every tet of negative volume round; says how they were before. A mesh that was mixed is worth a
/// warning: some of its tets may overlap.
Orientation orient(TetMesh& mesh);

/// Drops the points that no element uses; returns how many they were.
int remove_unreferenced(TetMesh& mesh);
int remove_unreferenced(TriangleMesh& mesh);

}  // namespace verve
