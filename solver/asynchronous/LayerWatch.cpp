// The part of LayerContacts that keeps watch between common ticks: promises, certificates, and layers that
// wake and fall asleep.
#include <algorithm>

#include "asynchronous/LayerContacts.h"
#include "base/Error.h"
#include "base/Text.h"

namespace verve {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double spacing(const LayerLaw& law, int l) {
  return law.outer(l) - law.outer(l + 1);
}

}  // namespace

void LayerContacts::start(Particles& particles) {
  stray_.assign(particles.size(), 0.0);
  begin_window(span_.start, particles);
}

void LayerContacts::promise(int i, double stray, Particles& particles) {
  stray_[i] = stray;
  particles.course[i] = particles.steady(i);
  particles.stray_squared[i] = stray * stray;
}

void LayerContacts::begin_window(double time, Particles& particles) {
  // Windows are so short that nothing goes farther than a good part of an edge.
  const double reach = 0.5 * std::max(surface_.mean_edge, surface_.widest);
  double fastest = 0.0;
  for (const auto& vertex : surface_.vertices.corners)
    fastest = std::max(fastest, particles.velocity_at(vertex[0], time).norm());
  if (!std::isfinite(fastest)) throw SimulationError("the motion blew up at " + shortest(time) + " s");
  const double length = std::max(span_.length / 4096, reach / std::max(fastest, reach / span_.length));
  window_end_ = std::min(span_.end(), time + length);
  if (window_end_ > span_.end() - 1e-3 * length) window_end_ = span_.end();
  for (const auto& vertex : surface_.vertices.corners) {
    const int i = vertex[0];
    promise(i, particles.inverse_mass[i] > 0.0 ? std::max(stray_[i], 0.1 * reach / length) : 0.0, particles);
  }
  particles.strayed.clear();
  set_boxes(time, window_end_, particles);
  watched_.clear();
  index_.clear();
  queue_.clear();
  const auto found = find_near(time, particles, [&](const LayerPair& pair, const LayerPair::Look& look) {
    return may_touch(pair, look, time, particles);
  });
  for (const auto& [pair, look] : found) watch(pair, look, time, particles);
}

void LayerContacts::consider(PairKind kind, int a, int b, double time, Particles& particles) {
  LayerPair pair;
  if (!make_pair(surface_, shapes_, particles, kind, a, b, pair)) return;
  const LayerPair::Look look = pair.look(particles, time);
  if (const auto found = index_.find(pair.key()); found != index_.end())
    certify(found->second, look, time, particles);
  else if (may_touch(pair, look, time, particles))
    watch(pair, look, time, particles);
}

bool LayerContacts::may_touch(const LayerPair& pair, const LayerPair::Look& look, double time,
                              const Particles& particles) const {
  const LayerLaw& law = pair.rule.law;
  const double wake = law.thickness + wake_margin * spacing(law, 1);
  return !(look.near.distance > wake) ||
         pair.safe_until(look, wake, time, window_end_, particles) < window_end_;
}

void LayerContacts::watch(const LayerPair& pair, const LayerPair::Look& look, double time,
                          Particles& particles) {
  const int watched = int(watched_.size());
  index_.emplace(pair.key(), watched);
  watched_.push_back({pair, 0, infinity, infinity, {}});
  certify(watched, look, time, particles);
}

void LayerContacts::certify(int watched, const LayerPair::Look& look, double time, Particles& particles) {
  Watched& w = watched_[watched];
  const LayerLaw& law = w.pair.rule.law;
  const double gap = look.near.distance;
  ++events_;
  if (!(gap > 0.0)) fail_closed(w.pair, time);
  for (; gap <= law.outer(w.awake + 1) + wake_margin * spacing(law, w.awake + 1); ++w.awake) {
    if (w.awake >= most_layers) fail_closed(w.pair, time);
    if (int(w.layers.size()) == w.awake) {
      w.layers.emplace_back();
      w.layers.back().ticks = w.pair.ticks(w.awake + 1, span_, surface_.settings);
    }
    Layer& layer = w.layers[w.awake];
    layer.tick = span_.tick_after(time, layer.ticks) - 1;
    layer.memory = memory_of(w.pair, w.awake + 1, span_.tick(layer.tick, layer.ticks), particles);
    tick_next(watched, w.awake + 1);
  }
  const int next = w.awake + 1;
  const double least = law.outer(next) + 0.5 * wake_margin * spacing(law, next);
  w.fails = w.pair.safe_until(look, least, time, window_end_, particles);
  queue_certificate(watched);
}

void LayerContacts::queue_certificate(int watched) {
  Watched& w = watched_[watched];
  // A certificate that was put off stays in the queue where it was, and is put back when its time comes.
  if (!(w.fails < window_end_ && w.fails < w.queued)) return;
  w.queued = w.fails;
  push(watched, 0, w.queued);
}

void LayerContacts::push(int watched, int layer, double time) {
  queue_.push_back({time, watched_[watched].pair.key(), layer, watched});
  std::push_heap(queue_.begin(), queue_.end());
}

void LayerContacts::tick_next(int watched, int l) {
  Layer& layer = watched_[watched].layers[l - 1];
  layer.next = ++layer.tick < layer.ticks ? span_.tick(layer.tick, layer.ticks) : infinity;
  if (layer.next <= window_end_) push(watched, l, layer.next);
}

double LayerContacts::next() {
  while (!queue_.empty()) {
    const Event event = queue_.front();
    Watched& w = watched_[event.watched];
    const bool due = event.layer == 0
                         ? event.time == w.fails
                         : event.layer <= w.awake && event.time == w.layers[event.layer - 1].next;
    if (due) break;
    std::pop_heap(queue_.begin(), queue_.end());
    queue_.pop_back();
    if (event.layer == 0 && event.time == w.queued) {
      w.queued = infinity;
      queue_certificate(event.watched);
    }
  }
  if (!queue_.empty() && queue_.front().time <= window_end_) return queue_.front().time;
  return window_end_ < span_.end() ? window_end_ : infinity;
}

void LayerContacts::process(Particles& particles) {
  if (queue_.empty() || queue_.front().time > window_end_) {
    begin_window(window_end_, particles);
    return;
  }
  std::pop_heap(queue_.begin(), queue_.end());
  const Event event = queue_.back();
  queue_.pop_back();
  Watched& w = watched_[event.watched];
  const LayerPair::Look look = w.pair.look(particles, event.time);
  if (event.layer == 0) {
    w.queued = infinity;
    certify(event.watched, look, event.time, particles);
    return;
  }
  ++events_;
  const LayerLaw& law = w.pair.rule.law;
  const int l = event.layer;
  const double gap = look.near.distance, outer = law.outer(l);
  if (gap < outer) {
    if (!(gap > 0.0)) fail_closed(w.pair, event.time);
    deepest_ = std::max(deepest_, l);
    w.pair.kick(look, l, event.time, span_.length / double(w.layers[l - 1].ticks), surface_.settings,
                w.layers[l - 1].memory, particles);
    tick_next(event.watched, l);
    return;
  }
  if (LayerMemory* const memory = w.layers[l - 1].memory) memory->release(particles);
  if (gap > outer + sleep_margin * spacing(law, l)) {
    w.awake = l - 1;
    certify(event.watched, look, event.time, particles);
  } else {
    tick_next(event.watched, l);
  }
}

void LayerContacts::settle(double time, Particles& particles) {
  while (!particles.strayed.empty()) {
    renewed_.swap(particles.strayed);
    particles.strayed.clear();
    for (int i : renewed_) {
      if (!particles.v[i].allFinite())
        throw SimulationError(
            "the motion blew up at " + shortest(time) +
            " s: velocities are no longer numbers; lower integrator.safety or contact.safety");
      if ((particles.steady(i) - particles.course[i]).squaredNorm() <= particles.stray_squared[i]) continue;
      promise(i, 1.5 * stray_[i], particles);
      const int vertex = surface_.vertex_of[i];
      for (int c : shape_colliders_) consider(PairKind::point_collider, vertex, c, time, particles);
      if (!parts_meet_) continue;
      vertex_tree_.grow(vertex, particle_box(i, time, window_end_, particles));
      triangle_tree_.overlapping(vertex_tree_.box(vertex), [&](int t) {
        consider(PairKind::point_triangle, vertex, t, time, particles);
      });
      for (int t : surface_.triangles_of[i]) {
        triangle_tree_.grow(t, part_box(surface_.triangles.corners[t], time, window_end_, particles));
        vertex_tree_.overlapping(triangle_tree_.box(t),
                                 [&](int j) { consider(PairKind::point_triangle, j, t, time, particles); });
      }
      for (int e : surface_.edges_of[i]) {
        edge_tree_.grow(e, part_box(surface_.edges.corners[e], time, window_end_, particles));
        edge_tree_.overlapping(edge_tree_.box(e), [&](int f) {
          if (f != e) consider(PairKind::edge_edge, std::min(e, f), std::max(e, f), time, particles);
        });
      }
    }
    renewed_.clear();
  }
}

void LayerContacts::fail_closed(const LayerPair& pair, double time) const {
  const auto name = [&](int owner, int particle) {
    const bool own = particle < surface_.system_points;
    return surface_.names[owner] + (own ? " (point " + std::to_string(particle) + ")" : "");
  };
  const bool edges = pair.kind == PairKind::edge_edge, shape = pair.kind == PairKind::point_collider;
  const int a = edges ? surface_.edges.owner[pair.a] : surface_.vertices.owner[pair.a];
  const int b = shape   ? surface_.bodies + pair.b
                : edges ? surface_.edges.owner[pair.b]
                        : surface_.triangles.owner[pair.b];
  throw SimulationError(
      "at " + shortest(time) + " s " + name(a, pair.corner[0]) + " and " +
      (shape ? surface_.names[b] : name(b, pair.corner[edges ? 2 : 1])) +
      " are pressed together by something that does not give way, deeper than " +
      std::to_string(most_layers) +
      " penalty layers; look at pins and moving colliders there, or raise the contact's stiffness");
}

}  // namespace verve
