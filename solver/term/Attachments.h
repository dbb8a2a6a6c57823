// Springs that attach points to other points, to scene geometry and to places: thousands of them as one term.
#pragma once

#include <limits>

#include "system/Term.h"
#include "term/Carrier.h"

namespace verve {

/// One spring, from a point to another end. Points are numbered over all bodies.
struct Attachment {
  int point = 0;
  /// The other end: points and their weights, which add up to 1; or a collider by its number, nearest to the
  /// point where the run begins; or else a place in the world.
  std::array<int, 3> to = {-1, -1, -1};
  Vec3 weights = Vec3::Zero();
  int collider = -1;
  Vec3 place = Vec3::Zero();
  /// The point may go along the collider's surface and is drawn back to it only.
  bool slides = false;
  double length = -1.0;      ///< of the spring at rest, m; below 0: the distance where it begins to hold
  double stiffness = 100.0;  ///< N/m
  double damping = 0.0;      ///< N s/m, along the spring (all ways where its length is 0)
  double breaks = std::numeric_limits<double>::infinity();  ///< N
  double from = -std::numeric_limits<double>::infinity(),
         until = std::numeric_limits<double>::infinity();  ///< s
};

/// How many numbers the term remembers of each spring; all of them are 0 where one does not yet hold.
constexpr std::size_t attachment_numbers = 14;

struct AttachmentList {
  std::vector<Attachment> springs;
};

/// With the distance d of the ends a spring has the energy k/2 d^2, k/(8 l^2) (d^2 - l^2)^2 where it has a
/// length l (so that averaging schemes keep it exactly), k/2 (n.d)^2 where it slides. One that breaks or is
/// let go takes with it what it holds, which is booked as dissipated; what moving ends bring in, and a new
/// hold, is work. `x` is where the run begins.
std::unique_ptr<Term> make_attachments(const AttachmentList& list, const std::vector<ColliderSpec>& colliders,
                                       const Vector& x, const Vector& mass);

}  // namespace verve
