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

/// The mean over each element's points of what is painted at a time.
template <class Elements>
std::function<void(double, std::vector<double>&)> map_of(std::shared_ptr<const PaintedCourse> painted,
                                                         const Elements& elements) {
  if (!painted) return {};
  return [painted, elements](double time, std::vector<double>& out) {
    const std::vector<double>& times = painted->time;
    const auto after = std::size_t(std::upper_bound(times.begin(), times.end(), time) - times.begin());
    const std::size_t to = std::min(after, times.size() - 1), from = after > 0 ? after - 1 : 0;
    const double share = to > from ? (time - times[from]) / (times[to] - times[from]) : 0.0;
    out.clear();
    for (const auto& element : elements) {
      double sum = 0.0;
      for (int p : element)
        sum += (1.0 - share) * painted->by_point[from][std::size_t(p)] +
               share * painted->by_point[to][std::size_t(p)];
      out.push_back(sum / double(element.size()));
    }
  };
}

void check(const Body& body, bool linear) {
  const std::string name = "body '" + body.name + "': ";
  if (body.plastic.any() && !linear && body.membrane.empty() && !is_rope(body))
    throw Error(name + "plastic is known of linear tets, membranes and ropes only; its shape would not stay");
  if (!body.corners.empty())
    throw Error(
        name +
        "plastic, sag_free, rest_scale and stiffness_scale are not known of the model 'rope' with a bend; "
        "choose springs, or leave them out");
  if (!linear && body.springs.empty() && body.membrane.empty())
    throw Error(name +
                "sag_free, rest_scale and stiffness_scale are known of linear tets, membranes and springs "
                "only; choose such a material, or leave them out");
  const auto limited = [](const SheetMaterial& m) { return m.warp_limit > 0.0 || m.weft_limit > 0.0; };
  if (!body.rest_scale.keys.empty() && std::any_of(body.sheet.begin(), body.sheet.end(), limited))
    throw Error(name + "a strain limit does not grow with rest_scale; leave one of them out");
}

}  // namespace

bool changes_shape(const Body& body) {
  return body.plastic.any() || body.sag_free || !body.rest_scale.keys.empty() ||
         !body.stiffness_scale.keys.empty() || body.painted_stiffness;
}

void add_rest_term(const Scene& scene, const CompiledEnergies& energies, System& system, State& state) {
  std::array<int, 4> tets{};
  std::array<int, 2> springs{};
  int triangles = 0;
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
      const auto add = [&](Energy* energy, int first, std::size_t count, bool plastic) -> ChangingElements& {
        changing.push_back(all);
        ChangingElements& c = changing.back();
        c.energy = energy, c.first = first, c.count = int(count), c.plastic = plastic && body.plastic.any();
        return c;
      };
      const auto& painted = body.painted_stiffness;
      if (linear)
        add(energies.tets[model], tets[model], body.tets.size(), true).stiffness_map =
            map_of(painted, body.tets);
      if (!body.membrane.empty()) {
        add(energies.membrane, triangles, body.membrane.size(), false).stiffness_map =
            map_of(painted, body.membrane);
        const std::vector<int>& element = energies.bends.element;
        std::vector<int> bends;
        std::vector<std::array<int, 3>> bent;
        for (std::size_t t = 0; t < body.membrane.size() && !element.empty(); ++t)
          if (const int e = element[std::size_t(triangles) + t]; e >= 0)
            bends.push_back(e), bent.push_back(body.membrane[t]);
        if (!bends.empty())
          add(energies.bends.energy, bends.front(), bends.size(), true).stiffness_map = map_of(painted, bent);
      }
      if (!body.springs.empty()) {
        ChangingElements& c = add(energies.springs[kind], springs[kind], body.springs.size(), is_rope(body));
        c.stiffness_map = map_of(painted, body.springs);
        if (c.plastic) c.arms = arms_of(body);
      }
    }
    tets[model] += linear ? int(body.tets.size()) : 0, springs[kind] += int(body.springs.size());
    triangles += int(body.membrane.size());
  }
  if (changing.empty()) return;
  auto term = std::make_unique<RestTerm>(std::move(changing));
  state.terms.resize(system.terms.size());
  state.terms.push_back(term->first_memory(state.time, false));
  system.terms.push_back(std::move(term));
}

}  // namespace verve
