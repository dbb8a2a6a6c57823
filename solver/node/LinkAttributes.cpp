#include "node/LinkAttributes.h"

#include "base/Error.h"
#include "base/Text.h"

namespace verve {
namespace {

const Attribute* number(const Geometry& geometry, const char* name) {
  const Attribute* a = geometry.find(Owner::Primitive, name);
  return a && !a->is_text() && !a->is_array() && a->tuple_size == 1 ? a : nullptr;
}

const Attribute* words(const Geometry& geometry, const char* name) {
  const Attribute* a = geometry.find(Owner::Primitive, name);
  return a && a->is_text() && !a->is_array() ? a : nullptr;
}

double at(const Attribute* a, int i, const char* name) {
  const double value = a ? a->number(std::size_t(i)) : 0.0;
  if (!(value >= 0.0))
    throw Error("the attribute '" + std::string(name) + "' is " + shortest(value) + " at primitive " +
                std::to_string(i) + "; it must be at least 0");
  return value;
}

}  // namespace

LineKind kind_of(const std::string& type, int points) {
  if (type == "pin" || type == "pinorient") return LineKind::pins;
  if (type == "attach" || type == "attachnormal" || type == "ptprim")
    return points == 1 ? LineKind::pins : LineKind::joins;
  if (type == "distance") return LineKind::joins_pieces;
  return type.empty() || type == "stitch" || type == "branchstitch" || type == "weld" ? LineKind::joins
                                                                                      : LineKind::nothing;
}

LinkAttributes::LinkAttributes(const Geometry& geometry)
    : type_(words(geometry, "type")),
      breaks_by_(words(geometry, "breaktype")),
      stiffness_(number(geometry, "stiffness")),
      damping_(number(geometry, "dampingratio")),
      breaks_(number(geometry, "breakthreshold")),
      release_(number(geometry, "release")) {}

double LinkAttributes::stiffness(int i) const {
  const double k = at(stiffness_, i, "stiffness");
  return k < 1e10 ? k : 0.0;
}

double LinkAttributes::damping_ratio(int i) const {
  return at(damping_, i, "dampingratio");
}

Link::BreaksBy LinkAttributes::breaks_by(int i) const {
  const std::string word = breaks_by_ ? breaks_by_->text(std::size_t(i)) : "";
  if (word.empty() || word == "stretchstress") return Link::BreaksBy::force;
  if (word == "stretchdistance") return Link::BreaksBy::distance;
  if (word == "stretchratio") return Link::BreaksBy::ratio;
  throw Error("the attribute 'breaktype' is '" + word + "' at primitive " + std::to_string(i) +
              "; springs break by stretchstress (N), stretchdistance (m) or stretchratio");
}

}  // namespace verve
