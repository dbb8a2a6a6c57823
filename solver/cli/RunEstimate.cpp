#include "cli/RunEstimate.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace verve {
namespace {

/// Of a tet, triangle or spring, a frame, on one thread of a server of 2023: the mean of a dozen meshes that
/// fall on a floor. Calm scenes take a third of it, violent ones three times as much.
constexpr double seconds_an_element = 25e-6;

bool goes_by_stability(const IntegratorSettings& settings) {
  return settings.type == IntegratorType::asynchronous || settings.type == IntegratorType::symplectic_euler;
}

}  // namespace

std::string run_estimate(const Scene& scene, int frames, int threads) {
  if (goes_by_stability(scene.integrator)) return "";
  double elements = 0;
  for (const Body& body : scene.bodies)
    elements += double(body.tets.size() + body.springs.size() + body.membrane.size());
  const double seconds = seconds_an_element * elements * frames / std::pow(std::max(1, threads), 0.7);
  if (seconds < 60) return "";
  const double minutes = seconds / 60;
  char text[240];
  std::snprintf(text, sizeof text,
                "%.0f elements for %d frames: this may take about %.0f %s; fewer --frames or larger "
                "elements (a body's geometry.spacing or cells) shorten it",
                elements, frames, minutes < 120 ? std::ceil(minutes) : minutes / 60,
                minutes < 120 ? "minutes" : "hours");
  return text;
}

}  // namespace verve
