#include "simulation/ChangingBodies.h"

#include <algorithm>
#include <map>

#include "base/Error.h"
#include "term/RestTerm.h"

namespace verve {
namespace {

bool is_rope(const Body& body) {
  return !body.springs.empty() && !body.lines.empty() && body.tets.empty() && body.membrane.empty() &&
         body.surface.empty();
}

/// Of each spring of a rope the length at rest of the two links that it spans; 0 for the links themselves.
std::vector<double> arms_of(const Body& body) {
  std::map<int, std::vector<int>> next;
  for (const auto& [a, b] : body.lines) next[a].push_back(b), next[b].push_back(a);
  const auto pair = [](int a, int b) { return std::array<int, 2>{std::min(a, b), std::max(a, b)}; };
  std::map<std::array<int, 2>, double> given;
  for (std::size_t s = 0; s < body.spring_material.length.size(); ++s)
    given[pair(body.springs[s][0], body.springs[s][1])] = body.spring_material.length[s];
  const auto length = [&](int a, int b) {
    const auto found = given.find(pair(a, b));
    if (found != given.end() && found->second > 0.0) return found->second;
    return (body.rest[std::size_t(a)] - body.rest[std::size_t(b)]).norm();
  };
  std::vector<double> arms;
  for (const auto& [a, b] : body.springs) {
    arms.push_back(0.0);
    const std::vector<int>& beside = next[a];
    if (std::find(beside.begin(), beside.end(), b) != beside.end()) continue;
    for (int middle : beside)
      if (std::find(next[middle].begin(), next[middle].end(), b) != next[middle].end())
        arms.back() = length(a, middle) + length(middle, b);
  }
  return arms;
}

/// The mean over each element's points of what is painted at a time; else of what they have throughout.
template <class Elements>
ChangingElements::Map map_of(const Body& body, Painted::Map<double> Painted::*which,
                             const std::vector<double>& throughout, const Elements& elements) {
  const bool painted = body.painted && !((*body.painted).*which).empty();
  if (!painted && throughout.empty()) return {};
  const auto mean = [elements](const std::vector<double>& by_point, std::vector<double>& out) {
    out.clear();
    for (const auto& element : elements) {
      double sum = 0.0;
      for (int p : element) sum += by_point[std::size_t(p)];
      out.push_back(sum / double(element.size()));
    }
  };
  if (!painted) return [mean, throughout](double, std::vector<double>& out) { mean(throughout, out); };
  return [mean, which, maps = body.painted](double time, std::vector<double>& out) {
    std::vector<double> by_point;
    maps->at(time, (*maps).*which, by_point);
    mean(by_point, out);
  };
}

/// The tets that are compiled, see without_stiffness().
std::vector<std::array<int, 4>> stiff_tets(const Body& body) {
  std::vector<std::array<int, 4>> stiff;
  for (std::size_t e = 0; e < body.tets.size(); ++e)
    if (body.tet_material.mu[e] != 0.0) stiff.push_back(body.tets[e]);
  return stiff;
}

void check(const Body& body, bool linear) {
  const std::string name = "body '" + body.name + "': ";
  if (body.plastic.any() && body.links && body.corners.empty())
    throw Error(name + "plastic is of bends, but this rope has no 'bend'; give it one");
  if (body.plastic.any() && !knows_plasticity(body))
    throw Error(name + "plastic is known of linear tets, membranes and ropes only; its shape would not stay");
  if (!linear && body.springs.empty() && body.membrane.empty())
    throw Error(name +
                "sag_free, and what changes stiffness or rest shape, are known of linear tets, "
                "membranes, ropes and springs only; choose such a material, or leave them out");
  const bool painted_rest = body.painted && !body.painted->rest.empty();
  if (body.sag_free && painted_rest)
    throw Error(name +
                "sag_free finds a rest shape, but the frames of its animation have one, in 'rest'; "
                "leave one of them out");
  const auto limited = [](const SheetMaterial& m) { return m.warp_limit > 0.0 || m.weft_limit > 0.0; };
  const bool grows =
      !body.rest_scale.keys.empty() || painted_rest || (body.painted && !body.painted->rest_scale.empty());
  if (grows && std::any_of(body.sheet.begin(), body.sheet.end(), limited))
    throw Error(name + "a strain limit does not grow with the rest shape; leave one of them out");
}

}  // namespace

bool knows_plasticity(const Body& body) {
  if (!body.tets.empty()) return body.quadratic.empty();
  return !body.membrane.empty() || (is_rope(body) && !(body.links && body.corners.empty()));
}

bool changes_shape(const Body& body) {
  return body.plastic.any() || body.sag_free || !body.rest_scale.keys.empty() ||
         !body.stiffness_scale.keys.empty() || !body.growth.empty() ||
         (body.painted && !(body.painted->stiffness.empty() && body.painted->rest_scale.empty() &&
                            body.painted->rest.empty()));
}

void add_rest_term(const Scene& scene, const CompiledEnergies& energies, const Vector& rest, System& system,
                   State& state) {
  std::array<int, 4> tets{};
  std::array<int, 2> springs{};
  int triangles = 0, corners = 0, first_point = 0;
  std::vector<ChangingElements> changing;
  for (const Body& body : scene.bodies) {
    const auto course = [](const Course& of) -> std::function<double(double)> {
      if (of.keys.empty()) return {};
      return [of](double time) { return of.at(time); };
    };
    const bool linear = !body.tets.empty() && body.quadratic.empty();
    const auto model = std::size_t(body.tet_material.model), kind = std::size_t(body.spring_material.model);
    if (changes_shape(body)) {
      check(body, linear);
      ChangingElements all;
      all.rest_scale = course(body.rest_scale), all.stiffness_scale = course(body.stiffness_scale);
      all.law = {body.plastic.yield, body.plastic.creep, body.plastic.hardening};
      all.in_newtons = body.links;
      if (body.painted && !body.painted->rest.empty())
        all.rest_shape = [painted = body.painted, first_point](double time, Vector& x) {
          std::vector<Vec3> places;
          painted->at(time, painted->rest, places);
          for (std::size_t p = 0; p < places.size(); ++p) point(x, first_point + int(p)) = places[p];
        };
      const auto add = [&](Energy* energy, int first, const auto& elements,
                           bool plastic) -> ChangingElements& {
        changing.push_back(all);
        ChangingElements& c = changing.back();
        c.energy = energy, c.first = first, c.count = int(elements.size());
        c.plastic = plastic && body.plastic.any();
        c.stiffness_map = map_of(body, &Painted::stiffness, {}, elements);
        c.rest_map = map_of(body, &Painted::rest_scale, body.growth, elements);
        return c;
      };
      if (linear) add(energies.tets[model], tets[model], stiff_tets(body), true);
      if (!body.membrane.empty()) {
        add(energies.membrane, triangles, body.membrane, false);
        const std::vector<int>& element = energies.bends.element;
        std::vector<int> bends;
        std::vector<std::array<int, 3>> bent;
        for (std::size_t t = 0; t < body.membrane.size() && !element.empty(); ++t)
          if (const int e = element[std::size_t(triangles) + t]; e >= 0)
            bends.push_back(e), bent.push_back(body.membrane[t]);
        if (!bends.empty()) add(energies.bends.energy, bends.front(), bent, true);
      }
      if (!body.springs.empty()) {
        ChangingElements& c =
            add(energies.springs[kind], springs[kind], body.springs, is_rope(body) && !body.links);
        if (c.plastic) c.arms = arms_of(body);
      }
      if (!body.corners.empty()) add(energies.corners, corners, body.corners, true);
    }
    tets[model] += linear ? int(stiff_tets(body).size()) : 0, springs[kind] += int(body.springs.size());
    triangles += int(body.membrane.size()), corners += int(body.corners.size());
    first_point += int(body.rest.size());
  }
  if (changing.empty()) return;
  auto term = std::make_unique<RestTerm>(std::move(changing), rest);
  state.terms.resize(system.terms.size());
  state.terms.push_back(term->first_memory(state.time, false));
  system.terms.push_back(std::move(term));
}

}  // namespace verve
