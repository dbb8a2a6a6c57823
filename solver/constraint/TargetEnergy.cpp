#include "constraint/TargetEnergy.h"

namespace verve {
namespace {

/// Where a point's distance vector to its anchor stands at s on the chord.
template <class Spring>
Vec3 offset(const Spring& t, const Chord& chord, const Vector& x, double s) {
  const Vec3 end = point(x, t.point) - t.end;
  if (s == 1.0 || !chord.has_start()) return end;
  const Vec3 start = point(chord.x0, t.point) - t.start;
  return start + s * (end - start);
}

/// The motion relative to the anchor over the whole chord.
template <class Spring>
Vec3 slip(const Spring& t, const Chord& chord, const Vector& x) {
  return offset(t, chord, x, 1.0) - offset(t, chord, x, 0.0);
}

}  // namespace

void TargetEnergy::begin_step(const std::vector<Target>& start, const std::vector<Target>& end, double h) {
  h_ = h;
  targets_.clear();
  auto before = start.begin();
  for (const Target& t : end) {
    while (before != start.end() && before->point < t.point) ++before;
    const bool continues = before != start.end() && before->point == t.point;
    targets_.push_back(
        {t.point, t.stiffness, t.damping, continues ? before->position : t.position, t.position});
  }
}

double TargetEnergy::evaluate(const Chord& chord, const Vector& x, Vector* gradient) const {
  double sum = 0.0;
  for (const Spring& t : targets_) {
    Vec3 force = Vec3::Zero();
    for (const Sample& j : chord.samples) {
      const Vec3 r = offset(t, chord, x, j.s);
      sum += 0.5 * j.w * t.stiffness * r.squaredNorm();
      force += j.w * j.s * t.stiffness * r;
    }
    if (t.damping != 0.0 && chord.has_start()) {
      const Vec3 d = slip(t, chord, x);
      const double c = chord.average_weight() * t.damping / h_;
      sum += 0.5 * c * d.squaredNorm();
      force += c * d;
    }
    if (gradient) point(*gradient, t.point) += force;
  }
  return sum;
}

void TargetEnergy::add_hessian(const Chord& chord, const Vector&, double, BlockMatrix& hessian) const {
  double weight = 0.0;
  for (const Sample& j : chord.samples) weight += j.w * j.s * j.s;
  for (const Spring& t : targets_) {
    const double k =
        weight * t.stiffness + (chord.has_start() ? chord.average_weight() * t.damping / h_ : 0.0);
    double* block = &hessian.values[9 * std::size_t(hessian.pattern->diagonal[t.point])];
    for (int d : {0, 4, 8}) block[d] += k;
  }
}

void TargetEnergy::add_start_gradient(const Vector& x, Vector& gradient) const {
  for (const Spring& t : targets_) point(gradient, t.point) += t.stiffness * (point(x, t.point) - t.start);
}

double TargetEnergy::start_energy(const Vector& x) const {
  double sum = 0.0;
  for (const Spring& t : targets_) sum += 0.5 * t.stiffness * (point(x, t.point) - t.start).squaredNorm();
  return sum;
}

double TargetEnergy::end_energy(const Vector& x) const {
  double sum = 0.0;
  for (const Spring& t : targets_) sum += 0.5 * t.stiffness * (point(x, t.point) - t.end).squaredNorm();
  return sum;
}

double TargetEnergy::work(const Chord& chord, const Vector& x) const {
  double sum = 0.0;
  for (const Spring& t : targets_) {
    Vec3 pull = chord.start_share * t.stiffness * offset(t, chord, x, 0.0);  // averaged along the chord
    for (const Sample& j : chord.samples)
      pull += j.w * j.s / chord.average_weight() * t.stiffness * offset(t, chord, x, j.s);
    pull += t.damping / h_ * slip(t, chord, x);
    sum -= pull.dot(t.end - t.start);
  }
  return sum;
}

double TargetEnergy::dissipated(const Chord& chord, const Vector& x) const {
  double sum = 0.0;
  for (const Spring& t : targets_) sum += t.damping / h_ * slip(t, chord, x).squaredNorm();
  return sum;
}

}  // namespace verve
