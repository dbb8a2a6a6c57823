// From a surface or a formula to tets.
#pragma once

#include <string>
#include <vector>

#include "mesh/Implicit.h"
#include "mesh/TetMesh.h"
#include "mesh/TriangleMesh.h"

namespace verve {

struct MeshingOptions {
  double spacing = 0;  ///< metres; the longest edges of the tets at the surface, and everywhere when uniform
  int coarsening = 0;  ///< deep inside, tets may be this many times twice as large (0: uniform, at most 8)
  bool thicken = false;  ///< of surfaces: the tets reach out of parts that are too thin for the spacing
};

/// What an artist should know about how it went.
struct MeshingReport {
  std::vector<std::string> warnings;  ///< sentences, the gravest first; none when all is well
  int pieces = 0;                     ///< parts of the result that no face joins
  double vanished = 0;                ///< share of the surface that was too thin for the spacing and is gone
  int first_vanished = -1;            ///< a triangle of it; -1 for solids without triangles
  double thickened = 0;               ///< share of the surface where tets reach out of it
};

/// Fills a surface. It may be open, intersect itself, overlap, be made of many pieces and be dirty: what is
/// repaired is told in the report. Throws an Error when nothing can be filled.
TetMesh mesh_surface(const TriangleMesh& surface, const MeshingOptions& options, MeshingReport& report);

/// Fills a solid that is given by a field.
TetMesh mesh_solid(const Implicit& solid, const MeshingOptions& options);
/// And tells of parts that were too thin; a solid is expected to be of one piece.
TetMesh mesh_solid(const Implicit& solid, const MeshingOptions& options, MeshingReport& report);

}  // namespace verve
