#include "simulation/Island.h"

#include <algorithm>

namespace verve {

/// What drives the whole, as its points are numbered in the island.
class Island::PartOfDrivers final : public Drivers {
 public:
  PartOfDrivers(const Island& island, const Drivers& whole) : island_(island), whole_(whole) {}

  void pins(double time, std::vector<Pin>& out) const override {
    whole_.pins(time, out);
    keep_own(out);
  }
  void targets(double time, std::vector<Target>& out) const override {
    whole_.targets(time, out);
    keep_own(out);
  }
  void add_forces(double time, Vector& force) const override {
    Vector all = Vector::Zero(3 * Eigen::Index(island_.map_.body_of_point.size()));
    whole_.add_forces(time, all);
    for (std::size_t i = 0; i < island_.point_.size(); ++i)
      point(force, int(i)) += point(all, island_.point_[i]);
  }

 private:
  template <class T>
  void keep_own(std::vector<T>& list) const {
    std::size_t kept = 0;
    for (T& entry : list) {
      const int own = island_.local_point(entry.point);
      if (own < 0) continue;
      entry.point = own;
      list[kept++] = entry;
    }
    list.resize(kept);
  }

  const Island& island_;
  const Drivers& whole_;
};

Island::Island(const Scene& whole, Scene scene, std::vector<int> bodies, IslandMap map)
    : bodies_(std::move(bodies)), map_(map), first_of_body_(whole.bodies.size(), -1) {
  for (int b : bodies_) {
    first_of_body_[std::size_t(b)] = int(point_.size());
    for (int i = map_.first_point[std::size_t(b)]; i < map_.first_point[std::size_t(b) + 1]; ++i) {
      if (piece_.empty() || map_.piece[std::size_t(i)] > piece_.back())
        piece_.push_back(map_.piece[std::size_t(i)]);
      point_.push_back(i);
    }
    scene.bodies.push_back(whole.bodies[std::size_t(b)]);
  }
  for (int s = 0; s < map_.numbers.skins(); ++s)
    if (std::binary_search(bodies_.begin(), bodies_.end(), map_.numbers.body[std::size_t(s)]))
      skin_.push_back(s);
  simulation_ = std::make_unique<Simulation>(std::move(scene), Simulation::Begin::part);
  numbers_ = std::make_unique<ContactNumbers>(simulation_->scene(), simulation_->system());
}

bool Island::holds(const ContactKey& key) const {
  for (int b : map_.numbers.bodies_of(key, map_.body_of_point))
    if (b >= 0 && first_of_body_[std::size_t(b)] < 0) return false;
  return true;
}

StepMemory Island::own_steps(const StepMemory& whole) const {
  StepMemory own;
  own.level = whole.level;
  const std::size_t pieces = std::size_t(map_.piece.back()) + 1;
  if (whole.push.size() < 2 * pieces) return own;
  for (int p : piece_)
    for (int k : {0, 1}) own.push.push_back(whole.push[2 * std::size_t(p) + std::size_t(k)]);
  if (whole.push.size() < 3 * pieces) return own;
  own.level = 0;
  for (int p : piece_) own.level = std::max(own.level, int(whole.push[2 * pieces + std::size_t(p)][0]));
  return own;
}

State Island::take(const State& whole, double reserve) const {
  const auto gather = [this](const Vector& from) {
    Vector to(from.size() == 0 ? 0 : 3 * Eigen::Index(point_.size()));
    for (std::size_t i = 0; i < point_.size() && to.size() != 0; ++i)
      point(to, int(i)) = point(from, point_[i]);
    return to;
  };
  State s;
  s.time = whole.time;
  s.x = gather(whole.x), s.v = gather(whole.v);
  s.x_before = gather(whole.x_before), s.v_before = gather(whole.v_before);
  s.h_before = whole.h_before;
  for (int i : whole.held)
    if (const int own = local_point(i); own >= 0) s.held.push_back(own);
  s.ledger = whole.ledger;

  ContactState& contact = s.contact;
  contact.open = whole.contact.open;
  contact.begun = whole.contact.begun;
  contact.reserve = reserve;
  const auto own_point = [this](int i) { return local_point(i); };
  const auto own_skin = [this](int s) {
    return int(std::lower_bound(skin_.begin(), skin_.end(), s) - skin_.begin());
  };
  for (const ContactMemory& m : whole.contact.memories)
    if (holds(m.key)) {
      contact.memories.push_back(m);
      contact.memories.back().key = renumbered(m.key, map_.numbers, *numbers_, own_point, own_skin);
    }
  for (const auto& pair : whole.contact.coupled) {
    const int a = local_point(pair[0]), b = local_point(pair[1]);
    if (a >= 0 && b >= 0) contact.coupled.push_back({a, b});
  }

  s.steps = own_steps(whole.steps);
  return s;
}

void Island::give(const State& before, double frame, State& whole) const {
  const State& own = simulation_->state();
  for (std::size_t i = 0; i < point_.size(); ++i) {
    const int at = int(i);
    point(whole.x, point_[i]) = point(own.x, at);
    point(whole.v, point_[i]) = point(own.v, at);
  }
  // The last steps of the islands were of different lengths: what is remembered of each is the chord's
  // velocity.
  if (own.h_before != 0.0) {
    whole.x_before.resize(whole.x.size());
    whole.h_before = frame;
    for (std::size_t i = 0; i < point_.size(); ++i) {
      const Vec3 x = point(own.x, int(i)), chord = x - Vec3(point(own.x_before, int(i)));
      point(whole.x_before, point_[i]) = x - frame / own.h_before * chord;
    }
  }
  for (int i : own.held) whole.held.push_back(point_[std::size_t(i)]);

  whole.ledger.largest = std::max(whole.ledger.largest, own.ledger.largest);
  whole.ledger.dissipated += own.ledger.dissipated - before.ledger.dissipated;
  whole.ledger.work += own.ledger.work - before.ledger.work;
  whole.ledger.projected += own.ledger.projected - before.ledger.projected;
  whole.ledger.booked += own.ledger.booked - before.ledger.booked;

  const ContactState& c = own.contact;
  whole.contact.energy += c.energy;
  whole.contact.touching += c.touching;
  whole.contact.deepest = std::max(whole.contact.deepest, c.deepest);
  whole.contact.penetration = std::max(whole.contact.penetration, c.penetration);
  whole.contact.reserve += c.reserve;
  for (int i : c.touched) whole.contact.touched.push_back(point_[std::size_t(i)]);
  const auto point_of_whole = [this](int i) { return point_[std::size_t(i)]; };
  const auto skin_of_whole = [this](int s) { return skin_[std::size_t(s)]; };
  for (const ContactMemory& m : c.memories) {
    whole.contact.memories.push_back(m);
    whole.contact.memories.back().key =
        renumbered(m.key, *numbers_, map_.numbers, point_of_whole, skin_of_whole);
  }
  for (const auto& pair : c.coupled)
    whole.contact.coupled.push_back({point_[std::size_t(pair[0])], point_[std::size_t(pair[1])]});

  const std::size_t pieces = std::size_t(map_.piece.back()) + 1;
  StepMemory& steps = whole.steps;
  steps.push.resize(3 * pieces, Vec3::Zero());
  steps.level = std::max(steps.level, own.steps.level);
  for (std::size_t k = 0; k < piece_.size(); ++k) {
    const auto p = std::size_t(piece_[k]);
    for (std::size_t i : {0, 1})
      steps.push[2 * p + i] = own.steps.push.empty() ? Vec3(Vec3::Zero()) : own.steps.push[2 * k + i];
    steps.push[2 * pieces + p] = Vec3(own.steps.level, 0.0, 0.0);
  }
}

FrameReport Island::advance(int frame, State state, const Drivers& drivers, const IslandWatch& watch) {
  simulation_->drive(std::make_unique<PartOfDrivers>(*this, drivers));
  simulation_->ask(watch.cancel);
  simulation_->show(watch.progress);
  simulation_->trace(watch.trace);
  simulation_->restore(frame, std::move(state));
  return simulation_->advance();
}

}  // namespace verve
