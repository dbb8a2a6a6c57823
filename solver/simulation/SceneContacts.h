// What of a scene meets in contact, and by which rules.
#pragma once

#include "simulation/Scene.h"

namespace verve {

/// A multiplier of every body's points in their order; empty when no body has any.
std::vector<double> multipliers(const Scene& scene, std::vector<double> Body::*list);

/// Gives the system its contacts, or what penalty layers are made of, if anything meets. Throws an Error
/// where the points' radii do not suit the rule.
void add_contacts(const Scene& scene, System& system);

}  // namespace verve
