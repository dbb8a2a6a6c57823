// What the lines of a node's second input say, in Vellum's words.
#pragma once

#include "geometry/Geometry.h"
#include "node/NodeInputs.h"

namespace verve {

/// What a line of the second input is for.
enum class LineKind { joins, joins_pieces, pins, nothing };

/// By Vellum's words; without one, lines join. A pin or an attachment of a single point holds it. Distances
/// within a piece are what its material does here.
LineKind kind_of(const std::string& type, int points);

/// What a line says about its springs. Its functions throw an Error that names the primitive.
class LinkAttributes {
 public:
  explicit LinkAttributes(const Geometry& geometry);

  std::string type(int i) const { return type_ ? type_->text(std::size_t(i)) : ""; }
  bool sews(int i) const { return type(i) == "stitch"; }
  /// 0: it holds exactly. As Vellum does it, so do springs that are stiffer than anything.
  double stiffness(int i) const;
  double damping_ratio(int i) const;
  /// Below 0, as in Vellum, nothing breaks.
  double breaks(int i) const { return breaks_ ? breaks_->number(std::size_t(i)) : -1.0; }
  Link::BreaksBy breaks_by(int i) const;
  /// s; below 0, as without it, never.
  double release(int i) const { return release_ ? release_->number(std::size_t(i)) : -1.0; }

 private:
  const Attribute *type_, *breaks_by_;
  const Attribute *stiffness_, *damping_, *breaks_, *release_;
};

}  // namespace verve
