#include "asynchronous/LayerContacts.h"

#include <algorithm>

#include "base/Error.h"
#include "base/Text.h"

namespace verve {
namespace {

/// Over how many steps of the slowest elements damping averages the velocity.
constexpr double elements_in_window = 4.0;

}  // namespace

LayerContacts::LayerContacts(const ContactInput& input, int points) : surface_(input, points) {
  parts_meet_ = input.settings.self || input.settings.between;
  for (std::size_t c = 0; c < surface_.colliders.size(); ++c) {
    parts_meet_ |= !surface_.corners[c].empty();
    if (!surface_.colliders[c].mesh) shape_colliders_.push_back(int(c));
  }
}

void LayerContacts::begin_step(const Span& span, double longest, const ContactState& state,
                               Particles& particles) {
  span_ = span;
  window_ = elements_in_window * longest;
  memories_.clear();
  for (const ContactMemory& m : state.memories) {
    LayerPair pair;
    pair.kind = m.key.kind, pair.a = m.key.a, pair.b = m.key.b;
    LayerMemory& memory = memories_[{pair.key(), m.key.layer}];
    memory.bristle = m.bristle, memory.time = span.start;
  }
  events_ = deepest_ = 0;
  shapes_.clear();
  particles.resize(surface_.particles);
  for (std::size_t c = 0; c < surface_.colliders.size(); ++c) {
    const ColliderSpec& spec = surface_.colliders[c];
    shapes_.emplace_back(spec, span);
    const int first = surface_.first_particle[c];
    if (first < 0) continue;
    for (const double time : {span.start, span.end()}) {
      deformed_ = surface_.corners[c];
      if (spec.deform) spec.deform(time, deformed_);
      if (deformed_.size() != surface_.corners[c].size())
        throw SimulationError("collider '" + spec.name + "' changes its number of points at " +
                              shortest(time) + " s; a deforming collider must keep its points and triangles");
      const Eigen::Isometry3d pose = spec.pose ? spec.pose(time) : Eigen::Isometry3d::Identity();
      for (std::size_t k = 0; k < deformed_.size(); ++k) {
        const int i = first + int(k);
        const Vec3 place = pose * deformed_[k];
        if (time == span.start) {
          particles.x[i] = place;
          particles.time[i] = time;
          particles.inverse_mass[i] = 0.0;
          particles.fall[i] = Vec3::Zero();
        } else {
          particles.v[i] = (place - particles.x[i]) / span.length;
        }
      }
    }
  }
  vertex_tree_ = edge_tree_ = triangle_tree_ = {};
}

void LayerContacts::end_step(ContactState& state) const {
  state.memories.clear();
  for (const auto& [name, memory] : memories_) {
    if (memory.bristle.empty()) continue;
    constexpr std::uint64_t part = (std::uint64_t(1) << 31) - 1;
    const auto [key, layer] = name;
    ContactMemory m;
    m.key = {layer_kinds[std::size_t(key >> 62)], -1, -1, int(key >> 31 & part), int(key & part), layer};
    m.bristle = memory.bristle;
    state.memories.push_back(m);
  }
}

LayerMemory* LayerContacts::memory_of(const LayerPair& pair, int layer, double last, Particles& particles) {
  if (!pair.remembers(surface_.settings)) return nullptr;
  LayerMemory& memory = memories_[{pair.key(), layer}];
  if (memory.time != last) memory.release(particles);  // it has slept since
  memory.window = window_;
  return &memory;
}

LayerContacts::Box LayerContacts::particle_box(int i, double time, double until,
                                               const Particles& particles) const {
  const Vec3 p = particles.at(i, time);
  Box box(p);
  // Half of the widest layer on either side, and of what wakes it early.
  double pad = 0.5 * (1.0 + wake_margin) * surface_.widest;
  if (const int vertex = surface_.vertex_of[i]; vertex >= 0)
    pad += surface_.round(surface_.vertices.owner[vertex]);
  if (const double left = until - time; left > 0.0) {
    // A parabola lies within the corners of its control polygon.
    const Vec3 halfway = p + 0.5 * left * particles.course_at(i, time);
    box.extend(halfway);
    box.extend(Vec3(halfway + 0.5 * left * particles.course_at(i, until)));
    pad += left * stray_[i];
  }
  box.min().array() -= pad;
  box.max().array() += pad;
  return box;
}

void LayerContacts::set_boxes(double time, double until, const Particles& particles) {
  if (!parts_meet_) return;
  const auto fill = [&](const auto& parts, GrowingTree& tree) {
    std::vector<Box> boxes(parts.corners.size());
    parallel_pieces(parts.size(), 1024, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) boxes[i] = part_box(parts.corners[i], time, until, particles);
    });
    tree.reset(std::move(boxes));
  };
  fill(surface_.vertices, vertex_tree_);
  fill(surface_.edges, edge_tree_);
  fill(surface_.triangles, triangle_tree_);
}

std::vector<LayerContacts::Near> LayerContacts::find_near(
    double time, const Particles& particles,
    FunctionRef<bool(const LayerPair&, const LayerPair::Look&)> keep) const {
  // Lists of pieces are put together in their order: the same pairs in the same order at every number of
  // threads.
  std::vector<std::vector<Near>> pieces;
  const auto search = [&](int count, const auto& partners_of) {
    constexpr int grain = 256;
    const std::size_t first = pieces.size();
    pieces.resize(first + std::size_t(count + grain - 1) / grain);
    parallel_pieces(count, grain, [&](int begin, int end) {
      for (int i = begin; i < end; ++i)
        partners_of(i, [&](PairKind kind, int a, int b) {
          Near near;
          if (!make_pair(surface_, shapes_, particles, kind, a, b, near.pair)) return;
          near.look = near.pair.look(particles, time);
          if (keep(near.pair, near.look)) pieces[first + std::size_t(begin / grain)].push_back(near);
        });
    });
  };
  for (int c : shape_colliders_)
    search(surface_.vertices.size(),
           [&](int i, const auto& visit) { visit(PairKind::point_collider, i, c); });
  if (parts_meet_) {
    search(surface_.triangles.size(), [&](int t, const auto& visit) {
      vertex_tree_.overlapping(triangle_tree_.box(t), [&](int i) { visit(PairKind::point_triangle, i, t); });
    });
    search(surface_.edges.size(), [&](int e, const auto& visit) {
      edge_tree_.overlapping(edge_tree_.box(e), [&](int f) {
        if (f > e) visit(PairKind::edge_edge, e, f);
      });
    });
  }
  std::vector<Near> found;
  for (const std::vector<Near>& piece : pieces) found.insert(found.end(), piece.begin(), piece.end());
  return found;
}

LayerLevels LayerContacts::kick_all(double time, double share, Particles& particles) {
  set_boxes(time, time, particles);
  std::vector<Near> touching =
      find_near(time, particles, [](const LayerPair& pair, const LayerPair::Look& look) {
        return look.near.distance < pair.rule.law.thickness;
      });
  std::sort(touching.begin(), touching.end(),
            [](const Near& a, const Near& b) { return a.pair.key() < b.pair.key(); });
  LayerLevels levels;
  levels.touching = int(touching.size());
  for (const auto& [pair, look] : touching) {
    const int reached = pair.rule.law.reached(look.near.distance);
    if (reached > most_layers) fail_closed(pair, time);
    levels.energy += pair.energy(look);
    for (int l = 1; l <= reached; ++l) {
      const std::int64_t ticks = pair.ticks(l, span_, surface_.settings);
      LayerMemory* const memory =
          memory_of(pair, l, span_.tick(time == span_.start ? 0 : ticks - 1, ticks), particles);
      pair.kick(look, l, time, share * span_.length / double(ticks), surface_.settings, memory, particles);
      if (memory) levels.energy += memory->energy();
    }
    events_ += reached;
    deepest_ = std::max(deepest_, reached);
    levels.nearest = std::min(levels.nearest, look.near.distance);
    levels.points.insert(levels.points.end(), pair.corner, pair.corner + pair.corners());
  }
  for (auto& [name, memory] : memories_)
    if (memory.time != time) memory.release(particles);
  std::sort(levels.points.begin(), levels.points.end());
  levels.points.erase(std::unique(levels.points.begin(), levels.points.end()), levels.points.end());
  return levels;
}

}  // namespace verve
