// What a run prescribes at one time, for ever; and points that stay where they are.
#pragma once

#include "system/State.h"

namespace verve {

class StillDrivers final : public Drivers {
 public:
  /// Points of pieces without `moves` are held at x.
  StillDrivers(const Drivers& of, double time, const System& system, const std::vector<char>& moves,
               const Vector& x);
  void pins(double, std::vector<Pin>& out) const override { out = pins_; }
  void targets(double, std::vector<Target>& out) const override { of_.targets(time_, out); }
  void add_forces(double, Vector& force) const override { of_.add_forces(time_, force); }

 private:
  const Drivers& of_;
  double time_;
  std::vector<Pin> pins_;
};

/// While it lives, contact and terms know that only rest is looked for.
class Standstill {
 public:
  explicit Standstill(System& system) : system_(system) { set(true); }
  ~Standstill() { set(false); }

 private:
  void set(bool still);
  System& system_;
};

}  // namespace verve
