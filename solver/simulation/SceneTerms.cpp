#include "simulation/SceneTerms.h"

#include "simulation/ContactNumbers.h"
#include "term/Air.h"
#include "term/Attachments.h"
#include "term/ClosedVolume.h"
#include "term/Pressure.h"

namespace verve {
namespace {

/// What the air meets of a body: a closed surface from one side.
void append_sails(const Body& body, int first, std::vector<AirTriangle>& sails) {
  std::vector<Vec3> rest(std::size_t(first), Vec3::Zero());
  rest.insert(rest.end(), body.rest.begin(), body.rest.end());
  const std::vector<std::array<int, 3>> surface = surface_of(body, first);
  std::vector<char> sealed(rest.size());
  for (const ClosedPiece& piece : closed_pieces(surface, rest).closed)
    for (const auto& triangle : piece)
      for (int p : triangle) sealed[std::size_t(p)] = 1;
  for (const auto& triangle : surface) {
    AirTriangle sail;
    sail.points = triangle;
    sail.one_sided = sealed[std::size_t(triangle[0])];
    const auto mean = [&](const auto& by_point, auto sum) {
      for (int p : triangle) sum += by_point[std::size_t(p - first)] / 3.0;
      return sum;
    };
    if (!body.drag_normal.empty()) sail.drag_normal = mean(body.drag_normal, 0.0);
    if (!body.drag_tangent.empty()) sail.drag_tangent = mean(body.drag_tangent, 0.0);
    if (!body.wind.empty()) sail.wind = mean(body.wind, Vec3(Vec3::Zero()));
    sails.push_back(sail);
  }
}

}  // namespace

void add_terms(const Scene& scene, const Vector& x, System& system) {
  int first = 0;
  std::vector<AirTriangle> sails;
  for (const Body& body : scene.bodies) {
    if (body.pressure)
      system.terms.push_back(
          make_pressure(body.name, *body.pressure, surface_of(body, first), system.rest, !body.tets.empty()));
    if (scene.air) append_sails(body, first, sails);
    first += int(body.rest.size());
  }
  if (!sails.empty()) system.terms.push_back(make_air(*scene.air, std::move(sails), system.mass));
  if (scene.attachments && !scene.attachments->springs.empty())
    system.terms.push_back(make_attachments(*scene.attachments, scene.colliders, x, system.mass));
}

}  // namespace verve
