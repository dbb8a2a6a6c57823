#include "contact/Contact.h"

#include <algorithm>

namespace verve {
namespace {

PathPotential scaled(const PathPotential& p, double k) {
  return {k * p.value, k * p.slope, k * p.curvature};
}

}  // namespace

PathPotential Contact::potential(double s) const {
  if (law == Law::attached) return {rigidity() * s * s, 2.0 * rigidity() * s, 2.0 * rigidity()};
  return scaled(spring(s), rigidity());
}

PathPotential Contact::along(const Chord& chord, double b) const {
  if (chord.average) {
    const double k = chord.average_weight() * rigidity(), a = start;
    if (law == Law::attached) return {0.5 * k * (b - a) * (b + 3.0 * a), k * (a + b), k};
    return scaled(spring_path(a, b), k);
  }
  PathPotential sum;
  for (const Sample& j : chord.samples) {
    const PathPotential p = potential(start + j.s * (b - start));
    sum.value += j.w * p.value;
    sum.slope += j.w * j.s * p.slope;
    sum.curvature += j.w * j.s * j.s * p.curvature;
  }
  return sum;
}

double Contact::force(const Chord& chord, double b) const {
  const double ends = along(chord, b).slope / chord.average_weight();
  return chord.average ? ends : ends + chord.start_share * potential(start).slope;
}

double Contact::curvature(const Chord& chord, double b) const {
  if (!chord.average || law != Law::spring || push < 0.0 || share == 0.0) return along(chord, b).curvature;
  return chord.average_weight() * rigidity() * spring_path_secant(start, b, push / rigidity());
}

void Contact::follow_push(const Chord& chord, double from, double to) {
  push = std::max(0.0, -force(chord, from) - curvature(chord, from) / chord.average_weight() * (to - from));
}

bool Contact::foresee(const Chord& chord, double from, double to) {
  constexpr double small = 0.3;
  if (law != Law::spring || to >= from) return false;
  const double there = -force(chord, to);
  const double foreseen = -force(chord, from) + curvature(chord, from) / chord.average_weight() * (from - to);
  if (!(foreseen < small * there)) return false;
  push = there;
  return true;
}

Vec3 Contact::bristle(const Vec3& at) const {
  const Vec3 e = stretch + at - before - slide;
  return e - normal.dot(e) * normal;
}

Contact::Friction Contact::friction(const Vec3& at) const {
  const double limit = bristle_limit();
  if (!(limit > 0.0)) return {};
  const Vec3 e = bristle(at);
  const double length = e.norm();
  const Mat3 tangent = Mat3::Identity() - normal * normal.transpose();
  const double k = rigidity();
  if (length <= limit) return {0.5 * k * length * length, k * e, k * tangent};
  const double yield = k * limit;
  const Vec3 along = e / length;
  // The exact Hessian has no curvature along the slip, and Newton's method overshoots in directions that
  // turn. With the dual in the place of one `along` it is semi-definite for |dual| <= 1 and exact where they
  // agree.
  const Vec3 w = dual - normal.dot(dual) * normal;
  return {yield * (length - 0.5 * limit), yield * along,
          yield / length * (tangent - 0.5 * (w * along.transpose() + along * w.transpose()))};
}

void Contact::follow_slip(const Vec3& from, const Vec3& to) {
  const double limit = bristle_limit();
  if (!(limit > 0.0)) {
    dual.setZero();
    return;
  }
  const Vec3 e = bristle(from), f = bristle(to);
  const double length = e.norm();
  dual = length <= limit ? Vec3(f / limit) : Vec3((f - e.dot(f - e) / length * dual) / length);
  const double size = dual.norm();
  if (size > 1.0) dual /= size;
}

}  // namespace verve
