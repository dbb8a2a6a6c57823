#include "simulation/Islands.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <thread>

#include "base/Parallel.h"
#include "mesh/UnionFind.h"

namespace verve {

bool Islands::possible(const Scene& scene, const System& system) {
  const IntegratorSettings& integrator = scene.integrator;
  const bool needs_state_only =
      (integrator.type == IntegratorType::avf || integrator.type == IntegratorType::backward_euler) &&
      integrator.order == 2 && !integrator.project_momentum;
  const bool coupled = !system.terms.empty() || !system.constraints.empty() || scene.contact.wall ||
                       scene.collide_skins || scene.contact.rule != ContactRule::exact ||
                       scene.energy_target.kind != EnergyTargetSettings::Kind::none;
  // Each island looks for colliders by itself, which is dear where their meshes are larger than all bodies.
  std::size_t triangles = 0;
  for (const ColliderSpec& collider : scene.colliders)
    if (collider.mesh) triangles += collider.mesh->triangles.size();
  return scene.bodies.size() > 1 && needs_state_only && !coupled && triangles <= std::size_t(system.points());
}

Islands::Islands(const Scene& scene, const System& system)
    : scene_(scene), system_(system), frame_of_scene_(scene), numbers_(scene, system) {
  frame_of_scene_.bodies.clear();
  frame_of_scene_.pins.clear(), frame_of_scene_.targets.clear(), frame_of_scene_.pushes.clear();
  first_point_.push_back(0);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    first_point_.push_back(first_point_.back() + int(body.rest.size()));
    body_of_point_.insert(body_of_point_.end(), body.rest.size(), int(b));
    half_thickness_.push_back(body.radius.empty()
                                  ? 0.5 * scene.contact.thickness
                                  : *std::max_element(body.radius.begin(), body.radius.end()));
  }
}

Eigen::AlignedBox3d Islands::box(const Vector& x, int body) const {
  Eigen::AlignedBox3d box;
  for (int i = first_point_[std::size_t(body)]; i < first_point_[std::size_t(body) + 1]; ++i)
    box.extend(Vec3(point(x, i)));
  return box;
}

double Islands::reach(const State& state, int body, double frame) const {
  double fastest = 0.0;
  for (int i = first_point_[std::size_t(body)]; i < first_point_[std::size_t(body) + 1]; ++i)
    fastest = std::max(fastest, point(state.v, i).norm());
  return 1.5 * frame * (fastest + frame * scene_.gravity.norm());
}

std::vector<Islands::Group> Islands::joined(const std::vector<Group>& groups,
                                            const std::vector<std::array<int, 2>>& pairs) const {
  UnionFind sets(int(scene_.bodies.size()));
  for (const Group& group : groups)
    for (int b : group) sets.join(group.front(), b);
  for (const auto& pair : pairs) sets.join(pair[0], pair[1]);
  std::map<int, Group> found;
  for (int b = 0; b < int(scene_.bodies.size()); ++b) found[sets.find(b)].push_back(b);
  std::vector<Group> out;
  for (auto& group : found) out.push_back(std::move(group.second));
  return out;
}

std::vector<Islands::Group> Islands::groups(const State& state, double frame) const {
  const int bodies = int(scene_.bodies.size());
  std::vector<Group> single;
  for (int b = 0; b < bodies; ++b) single.push_back({b});
  std::vector<std::array<int, 2>> pairs;
  // What contact remembers with energy or friction is of bodies that touch.
  for (const ContactMemory& m : state.contact.memories) {
    const std::array<int, 2> sides = numbers_.bodies_of(m.key, body_of_point_);
    if (sides[0] >= 0 && sides[0] != sides[1] && (m.booked.held || !m.bristle.stretch.isZero(0.0)))
      pairs.push_back(sides);
  }
  if (scene_.contact.between) {
    std::vector<Eigen::AlignedBox3d> reached;
    for (int b = 0; b < bodies; ++b) {
      const Eigen::AlignedBox3d now = box(state.x, b);
      const Vec3 margin = Vec3::Constant(reach(state, b, frame) + half_thickness_[std::size_t(b)]);
      reached.emplace_back(Vec3(now.min() - margin), Vec3(now.max() + margin));
    }
    for (int a = 0; a < bodies; ++a)
      for (int b = a + 1; b < bodies; ++b)
        if (reached[std::size_t(a)].intersects(reached[std::size_t(b)])) pairs.push_back({a, b});
  }
  return joined(single, pairs);
}

bool Islands::join_met(const State& before, const State& after, double frame,
                       std::vector<Group>& groups) const {
  if (!scene_.contact.between) return false;
  const int bodies = int(scene_.bodies.size());
  std::vector<Eigen::AlignedBox3d> swept;
  std::vector<int> farther, group_of(std::size_t(bodies), 0);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (int b : groups[g]) group_of[std::size_t(b)] = int(g);
  for (int b = 0; b < bodies; ++b) {
    const Eigen::AlignedBox3d way = box(before.x, b).merged(box(after.x, b));
    const Vec3 margin = Vec3::Constant(half_thickness_[std::size_t(b)]);
    swept.emplace_back(Vec3(way.min() - margin), Vec3(way.max() + margin));
    double gone = 0.0;
    for (int i = first_point_[std::size_t(b)]; i < first_point_[std::size_t(b) + 1]; ++i)
      gone = std::max(gone, (point(after.x, i) - point(before.x, i)).norm());
    if (!(gone <= reach(before, b, frame))) farther.push_back(b);
  }
  std::vector<std::array<int, 2>> pairs;
  for (int a : farther)
    for (int b = 0; b < bodies; ++b)
      if (group_of[std::size_t(a)] != group_of[std::size_t(b)] &&
          swept[std::size_t(a)].intersects(swept[std::size_t(b)]))
        pairs.push_back({a, b});
  if (pairs.empty()) return false;
  groups = joined(groups, pairs);
  return true;
}

Island& Islands::island(const Group& group, int frame) {
  auto place = std::find_if(islands_.begin(), islands_.end(),
                            [&](const auto& island) { return island->bodies() == group; });
  if (place == islands_.end())
    place = islands_.insert(
        place, std::make_unique<Island>(scene_, frame_of_scene_, group,
                                        IslandMap{first_point_, body_of_point_, system_.piece, numbers_}));
  (*place)->last_used = frame;
  return **place;
}

void Islands::make(std::vector<Work>& work, int frame, const Drivers& drivers,
                   const IslandWatch& watch) const {
  // Shapes that are read from files frame by frame are read by one thread, and a trace is told in order.
  const bool alone = watch.trace || std::any_of(scene_.colliders.begin(), scene_.colliders.end(),
                                                [](const ColliderSpec& c) { return bool(c.deform); });
  // Hosts are asked on the thread that they called from; the others hear of it.
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> stop{false};
  IslandWatch own = watch;
  own.cancel = [&](double time) {
    if (std::this_thread::get_id() == caller && watch.cancel(time)) stop = true;
    return bool(stop);
  };
  if (watch.progress)
    own.progress = [&](double time) {
      if (std::this_thread::get_id() == caller) watch.progress(time);
    };
  std::vector<std::exception_ptr> failed(work.size());
  const auto make_one = [&](int k) {
    Work& w = work[std::size_t(k)];
    try {
      *w.report = w.island->advance(frame, std::move(w.state), drivers, own);
    } catch (...) {
      failed[std::size_t(k)] = std::current_exception();
    }
  };
  if (alone) {
    for (int k = 0; k < int(work.size()); ++k) make_one(k);
  } else {
    parallel_pieces(int(work.size()), 1, [&](int k, int) { isolated([&] { make_one(k); }); });
  }
  // The first that failed is told of, whichever came to its end first.
  for (const std::exception_ptr& problem : failed)
    if (problem) std::rethrow_exception(problem);
}

bool Islands::advance(int frame, const Drivers& drivers, const IslandWatch& watch, State& state,
                      FrameReport& report) {
  // The first frame tells of bad starts. Targets book their energy for all points at once.
  const double length = 1.0 / scene_.fps;
  if (system_.contacts && !state.contact.open) return false;
  std::vector<Target> targets;
  for (double time : {state.time, state.time + length}) {
    std::vector<Target> then;
    drivers.targets(time, then);
    targets.insert(targets.end(), then.begin(), then.end());
  }
  if (state.target_energy != 0.0 || !targets.empty()) return false;

  std::vector<Group> together = groups(state, length);
  std::map<Group, FrameReport> made;
  double booked = 0.0;
  for (const ContactMemory& m : state.contact.memories) booked += m.booked.held;
  for (;;) {
    if (together.size() < 2) return false;
    State after = state;
    after.held.clear();
    ContactState& contact = after.contact;
    contact.open = contact.open || system_.contacts;
    contact.energy = contact.deepest = contact.penetration = contact.reserve = 0.0;
    contact.touching = 0;
    contact.touched.clear(), contact.memories.clear(), contact.coupled.clear();
    after.steps.level = 0;
    std::vector<Work> work;
    for (const Group& group : together) {
      Island& part = island(group, frame);
      if (made.count(group)) continue;
      double share = &group == &together.front() && booked == 0.0 ? 1.0 : 0.0;
      for (const ContactMemory& m : state.contact.memories)
        share += m.booked.held && part.holds(m.key) ? 1.0 / booked : 0.0;
      work.push_back({&part, part.take(state, share * state.contact.reserve), &made[group]});
    }
    make(work, frame, drivers, watch);
    for (const Group& group : together) island(group, frame).give(state, length, after);
    if (join_met(state, after, length, together)) continue;

    std::sort(after.held.begin(), after.held.end());
    std::sort(contact.touched.begin(), contact.touched.end());
    std::sort(contact.memories.begin(), contact.memories.end(),
              [](const ContactMemory& a, const ContactMemory& b) { return a.key < b.key; });
    std::sort(contact.coupled.begin(), contact.coupled.end());
    state = std::move(after);
    for (const Group& group : together) {
      const FrameReport& own = made[group];
      report.steps.add(own.steps);
      report.halvings += own.halvings;
      report.substeps = std::max(report.substeps, own.substeps);
      report.finest = std::max(report.finest, own.finest);
      report.bound |= own.bound;
    }
    // Those that the bodies have left for good need no memory.
    constexpr int patience = 8;
    islands_.erase(std::remove_if(islands_.begin(), islands_.end(),
                                  [&](const auto& island) { return island->last_used < frame - patience; }),
                   islands_.end());
    return true;
  }
}

}  // namespace verve
