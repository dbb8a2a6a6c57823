#include "damping/StepDamping.h"

#include <algorithm>

#include "base/PhaseTimes.h"
namespace verve {

StepDamping::StepDamping(const System& system, const DampingSettings& settings,
                         std::shared_ptr<StrainFlow> filter)
    : system_(system), settings_(settings), filter_(std::move(filter)) {
  const DampingModel model = settings.model;
  const bool rayleigh = model == DampingModel::in_step || model == DampingModel::in_step_chord;
  active_ =
      model != DampingModel::split && (settings.deltas().largest() > 0.0 || (rayleigh && settings.eta > 0.0));
  nonlinear_ = model == DampingModel::hp;
  if (!active_) return;
  const Eigen::Index n = system.mass.size();
  for (Vector* v : {&lag_, &place_, &dx_, &force_, &turn_, &turn_change_, &last_change_})
    *v = Vector::Zero(n);
  if (!nonlinear_) matrix_ = BlockMatrix(system.pattern);
}

void StepDamping::begin(const Chord& chord, const Vector& v0, double h, const StepDampingUse& use) {
  const InPhase phase(Phase::damping, InPhase::whole);
  const DampingModel model = settings_.model;
  const bool paper_hp = model == DampingModel::hp || model == DampingModel::hp_frozen;
  use_ = use;
  refreshes_ = 0;
  impulse_ = use.variational && paper_hp;
  h_ = h;
  x0_ = chord.x0;
  v0_ = v0;
  weight_ = impulse_ ? h * h : chord.average_weight();
  rate_ = (model == DampingModel::in_step ? 2.0 : 1.0) / h;
  shares_ =
      model == DampingModel::blend ? settings_.shares(h) : DampingShares{0.0, settings_.deltas(), 0.0, 0.0};
  strain_delta_ = shares_.in_step;
  has_matrix_ = strain_delta_.largest() > 0.0 || model != DampingModel::blend;
  if (nonlinear_) return;
  const bool at_start = model == DampingModel::in_step || model == DampingModel::hp_frozen;
  place_ = at_start ? x0_ : x0_ + use.place * h * v0;
  const bool only_strain = model == DampingModel::blend || settings_.eta == 0.0;
  heavy_ = !at_start && only_strain && strain_delta_.largest() > 0.5 * h;
  turn_.setZero();
  if (has_matrix_ && !heavy_) assemble(place_);
  lag_.setZero();
  if (model == DampingModel::in_step) matrix_.multiply(v0_, lag_);
}

bool StepDamping::filter(const Vector& half_way, const std::vector<int>& held) {
  const InPhase phase(Phase::damping, InPhase::whole);
  half_way_ = half_way;
  if (!filter_->advance(place_, shares_.filter, h_, held, half_way_, lag_)) return false;
  lag_ *= shares_.filter_weight / h_;
  return true;
}

bool StepDamping::refuse_filter(const Vector& x) {
  if (!filtered() || lag_.dot(x - x0_) <= 0.0) return false;
  lag_.setZero();
  return true;
}

void StepDamping::assemble(const Vector& x) {
  if (matrix_.pattern != system_.pattern)
    matrix_ = BlockMatrix(system_.pattern);  // contacts couple other points now
  std::fill(matrix_.values.begin(), matrix_.values.end(), 0.0);
  if (settings_.model == DampingModel::in_step) {
    // The filter lets an element lean on its mass; a large weight makes that share nothing.
    constexpr double large = 1e9;
    const Chord end{{}, {{1.0, large}}};
    for (const auto& energy : system_.elastic) energy->add_hessian(end, x, 1.0, matrix_);
    for (double& value : matrix_.values) value *= strain_delta_.stretch / large;
  } else {
    for (const auto& energy : system_.elastic)
      energy->add_strain_change_hessian(x, x, strain_delta_.of(*energy), settings_.multipliers(), 1.0,
                                        matrix_);
  }
  const bool rayleigh =
      settings_.model == DampingModel::in_step || settings_.model == DampingModel::in_step_chord;
  if (!rayleigh || settings_.eta == 0.0) return;
  const Vector& multiplier = settings_.multipliers();
  for (int i = 0; i < system_.points(); ++i) {
    const double m =
        settings_.eta * system_.mass[3 * Eigen::Index(i)] * (multiplier.size() ? multiplier[i] : 1.0);
    for (int d : {0, 4, 8}) matrix_.values[9 * std::size_t(matrix_.pattern->diagonal[i]) + d] += m;
  }
}

void StepDamping::strain_force(const Vector& x, Vector& out) const {
  out.setZero();
  for (const auto& energy : system_.elastic)
    energy->strain_change(x0_, x, strain_delta_.of(*energy) / h_, settings_.multipliers(), &out);
}

void StepDamping::force(const Vector& x, Vector& out) {
  if (nonlinear_ || heavy_) {
    strain_force(x, out);
    if (heavy_) out += turn_ - lag_;
    return;
  }
  if (!has_matrix_) {
    out = -lag_;
    return;
  }
  dx_ = rate_ * (x - x0_);
  matrix_.multiply(dx_, out);
  out -= lag_;
}

double StepDamping::evaluate(const Vector& x, Vector& gradient) {
  force(x, force_);
  gradient += weight_ * force_;
  if (!nonlinear_ && !heavy_) return 0.5 * weight_ * (force_ - lag_).dot(x - x0_);
  double sum = heavy_ ? (turn_ - lag_).dot(x - x0_) : 0.0;
  for (const auto& energy : system_.elastic)
    sum += energy->strain_change(x0_, x, strain_delta_.of(*energy) / h_, settings_.multipliers(), nullptr);
  return weight_ * sum;
}

void StepDamping::add_hessian(const Vector& x, double filter, BlockMatrix& hessian) const {
  if (nonlinear_ || heavy_) {
    for (const auto& energy : system_.elastic)
      energy->add_strain_change_hessian(x0_, x, weight_ * strain_delta_.of(*energy) / h_,
                                        settings_.multipliers(), filter, hessian);
    return;
  }
  if (!has_matrix_) return;
  const double w = weight_ * rate_;
  if (matrix_.pattern == hessian.pattern) {
    for (std::size_t k = 0; k < matrix_.values.size(); ++k) hessian.values[k] += w * matrix_.values[k];
    return;
  }
  // Contacts have coupled more points since the step began.
  const BlockPattern& pattern = *matrix_.pattern;
  for (int i = 0; i < pattern.rows(); ++i)
    for (int k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k) {
      const int at = hessian.pattern->find(i, pattern.column[k]);
      for (int d = 0; d < 9; ++d)
        hessian.values[9 * std::size_t(at) + d] += w * matrix_.values[9 * std::size_t(k) + d];
    }
}

bool StepDamping::refresh(const Vector& x) {
  const InPhase phase(Phase::damping, InPhase::whole);
  const DampingModel model = settings_.model;
  if (model != DampingModel::blend && model != DampingModel::in_step_chord) return false;
  // Heavy damping would hold a turning body to the place foreseen for it.
  constexpr int enough = 20;
  if (!use_.variational && !(heavy_ && refreshes_ < enough)) return false;
  ++refreshes_;
  place_ = x0_ + use_.place * (x - x0_);
  assemble(place_);
  if (heavy_) refresh_turn(x);
  return true;
}

void StepDamping::refresh_turn(const Vector& x) {
  dx_ = (x - x0_) / h_;
  matrix_.multiply(dx_, turn_change_);
  strain_force(x, force_);
  turn_change_ -= force_ + turn_;
  const double difference = (turn_change_ - last_change_).squaredNorm();
  if (refreshes_ == 1)
    relaxation_ = 1.0;
  else if (difference > 0.0)
    relaxation_ *= -last_change_.dot(turn_change_ - last_change_) / difference;
  relaxation_ = std::min(std::max(relaxation_, 0.1), 2.0);
  turn_ += relaxation_ * turn_change_;
  last_change_.swap(turn_change_);
}

void StepDamping::add_average_gradient(const Vector& x, Vector& gradient) {
  if (impulse_) return;
  force(x, force_);
  gradient += force_;
}

void StepDamping::add_impulse_gradient(const Vector& x, Vector& gradient) {
  if (!impulse_) return;
  force(x, force_);
  gradient += force_;
}

double StepDamping::dissipated(const Vector& x) {
  force(x, force_);
  return force_.dot(x - x0_);
}

}  // namespace verve
