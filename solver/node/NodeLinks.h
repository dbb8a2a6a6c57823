// The second input's lines as constraints and springs of a scene.
#pragma once

#include "node/NodeInputs.h"
#include "system/Term.h"

namespace verve {

/// Lines between points of the geometry, where these began, and the system's point that each of them is.
struct NodeLinks {
  const std::vector<Link>& links;
  const Vector& start;
  const std::vector<int>& system_point;  ///< -1: not simulated
};

/// What lines without a stiffness ask for. Throws an Error that names a point which is not simulated.
std::vector<Constraint> constraints_of(const NodeLinks& of);
/// What the others ask for; null: there are none.
std::shared_ptr<const AttachmentList> springs_of(const NodeLinks& of, const Scene& scene);
/// The ends of welds stand at one place, also where rounding kept them apart. Those further apart stay there:
/// that the weld does not hold is for the constraints to say.
void join_welds(Scene& scene, double rounding);

/// What the springs among the lines `now` remember, from those among the lines `before` with the same ends;
/// new ones begin to hold.
TermMemory carried_springs(const std::vector<Link>& before, const std::vector<Link>& now,
                           const TermMemory& memory);

}  // namespace verve
