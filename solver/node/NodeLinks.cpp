#include "node/NodeLinks.h"

#include <cmath>
#include <map>

#include "mesh/UnionFind.h"
#include "term/Attachments.h"

namespace verve {
namespace {

/// The force of a spring where it breaks; by how much longer it is than at rest, or by what share, or that
/// force.
double breaking_force(const Link& link, double length) {
  if (link.breaks_by == Link::BreaksBy::force) return link.breaks;
  const double longer = link.breaks_by == Link::BreaksBy::ratio ? link.breaks * length : link.breaks;
  const double d = length + longer;
  // Of springs with a length the energy is k/(8 l^2) (d^2 - l^2)^2, see term/Attachments.h.
  return length > 0.0 ? link.stiffness * d * (d * d - length * length) / (2.0 * length * length)
                      : link.stiffness * d;
}

}  // namespace

std::vector<Constraint> constraints_of(const NodeLinks& of) {
  std::vector<Constraint> result;
  std::vector<Link> links = of.links;
  measure(links, of.start);
  for (const Link& link : links) {
    if (link.stiffness > 0.0) continue;  // of attachments()
    const auto [a, b] = link.points;
    Constraint c;
    c.points = {of.system_point[std::size_t(a)], of.system_point[std::size_t(b)]};
    if (c.points[0] < 0 || c.points[1] < 0)
      throw Error("second input: a line constrains point " + std::to_string(c.points[0] < 0 ? a : b) +
                  ", which is not simulated");
    c.length = link.length;
    if (c.length == 0.0) {
      c.kind = Constraint::Kind::weld;
      c.weights = {1.0};
    }
    result.push_back(c);
  }
  return result;
}

std::shared_ptr<const AttachmentList> springs_of(const NodeLinks& of, const Scene& scene) {
  auto list = std::make_shared<AttachmentList>();
  std::vector<double> mass;
  for (const Body& body : scene.bodies) mass.insert(mass.end(), body.mass.begin(), body.mass.end());
  for (const Link& link : of.links) {
    if (link.stiffness == 0.0) continue;
    const int a = of.system_point[std::size_t(link.points[0])],
              b = of.system_point[std::size_t(link.points[1])];
    if (a < 0 || b < 0)
      throw Error("second input: a line constrains point " + std::to_string(link.points[a < 0 ? 0 : 1]) +
                  ", which is not simulated");
    Attachment spring;
    spring.point = a;
    spring.to = {b, -1, -1};
    spring.weights = Vec3::UnitX();
    spring.stiffness = link.stiffness;
    const double ma = mass[std::size_t(a)], mb = mass[std::size_t(b)];
    spring.damping = 2.0 * link.damping * std::sqrt(link.stiffness * ma * mb / (ma + mb));
    spring.length = link.length;
    if (link.length < 0.0)
      spring.length = (point(of.start, link.points[0]) - point(of.start, link.points[1])).norm();
    if (spring.length <= rounding_of(of.start)) spring.length = 0.0;
    if (link.breaks >= 0.0) spring.breaks = breaking_force(link, spring.length);
    if (link.release >= 0.0) spring.until = link.release;
    list->springs.push_back(spring);
  }
  return list->springs.empty() ? nullptr : list;
}

void join_welds(Scene& scene, double rounding) {
  std::vector<Vec3*> x;
  for (Body& body : scene.bodies)
    for (Vec3& p : body.x) x.push_back(&p);
  UnionFind sets(int(x.size()));
  std::vector<int> ends;
  for (const Constraint& c : scene.constraints) {
    const int a = c.points[0], b = c.points[1];
    if (c.kind != Constraint::Kind::weld || (*x[std::size_t(a)] - *x[std::size_t(b)]).norm() > rounding)
      continue;
    sets.join(a, b);
    ends.insert(ends.end(), {a, b});
  }
  for (int p : ends) *x[std::size_t(p)] = *x[std::size_t(sets.find(p))];
}

TermMemory carried_springs(const std::vector<Link>& before, const std::vector<Link>& now,
                           const TermMemory& memory) {
  const auto springs = [](const std::vector<Link>& links) {
    std::vector<std::array<int, 2>> ends;
    for (const Link& link : links)
      if (link.stiffness > 0.0) ends.push_back(link.points);
    return ends;
  };
  std::multimap<std::array<int, 2>, std::size_t> number;
  std::size_t count = 0;
  for (const auto& ends : springs(before)) number.emplace(ends, count++);
  TermMemory result;
  for (const auto& ends : springs(now)) {
    const auto found = number.find(ends);
    const bool known = found != number.end() && attachment_numbers * (found->second + 1) <= memory.size();
    if (known)
      result.insert(result.end(), memory.begin() + std::ptrdiff_t(attachment_numbers * found->second),
                    memory.begin() + std::ptrdiff_t(attachment_numbers * (found->second + 1)));
    else
      result.resize(result.size() + attachment_numbers, 0.0);
    if (found != number.end()) number.erase(found);
  }
  return result;
}

}  // namespace verve
