#include "integrator/StillDrivers.h"

#include "contact/Contacts.h"

namespace verve {

StillDrivers::StillDrivers(const Drivers& of, double time, const System& system,
                           const std::vector<char>& moves, const Vector& x)
    : of_(of), time_(time) {
  std::vector<Pin> given;
  of.pins(time, given);
  auto pin = given.begin();
  for (int i = 0; i < system.points(); ++i) {
    while (pin != given.end() && pin->point < i) ++pin;
    if (pin != given.end() && pin->point == i)
      pins_.push_back(*pin);
    else if (!moves[std::size_t(system.piece[std::size_t(i)])])
      pins_.push_back({i, point(x, i)});
  }
}

void Standstill::set(bool still) {
  if (system_.contacts) system_.contacts->stand_still(still);
  for (const auto& term : system_.terms) term->stand_still(still);
}

}  // namespace verve
