// A page about a mesh for people: sizes, quality, and whatever is wrong with it.
#pragma once

#include <string>

#include "mesh/TetMesh.h"
#include "mesh/TriangleMesh.h"

namespace verve {

/// Lines of text; a defect gets a line with its count and first offender, and none when it is not there. Any
/// mesh will do, also one that the solver would refuse.
std::string summarize(const TetMesh& mesh);
std::string summarize(const TriangleMesh& mesh);

}  // namespace verve
