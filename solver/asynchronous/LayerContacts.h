// Finds what may meet, and wakes the penalty layers that have to act.
#pragma once

#include <functional>
#include <map>
#include <unordered_map>

#include "asynchronous/GrowingTree.h"
#include "asynchronous/LayerPair.h"
#include "base/Parallel.h"
#include "contact/ContactState.h"

namespace verve {

/// What layers did at a common tick of all clocks.
struct LayerLevels {
  double energy = 0.0;                                       ///< J
  int touching = 0;                                          ///< pairs
  std::vector<int> points;                                   ///< particles of them, ascending
  double nearest = std::numeric_limits<double>::infinity();  ///< gap, m
};

/// In principle every layer of every pair ticks all the time, and gives no impulse while the pair's gap is
/// wider than the layer. This class only leaves out ticks that are certain to be of that kind, so that what
/// it keeps track of never changes the motion, not by a bit:
/// - every particle promises to keep its velocity near its course, a free flight; kicks that break the
/// promise are noticed at once;
/// - boxes around what the promises allow within a window of time find the pairs that may meet (broad phase);
/// - a pair has one certificate, for its first layer that sleeps: a slab of that thickness parts the two
/// until a time that
///   follows from the promises. When it fails the layer wakes, or gets another slab;
/// - a layer that ticks with the gap wide open falls asleep again, with all those below it.
class LayerContacts {
 public:
  LayerContacts(const ContactInput& input, int points);

  const LayerSurface& surface() const { return surface_; }

  /// Places the colliders' particles after those of the system, moves colliders over the span, and takes up
  /// what friction holds at its start. `longest` is the longest step of the bodies' elements.
  void begin_step(const Span& span, double longest, const ContactState& state, Particles& particles);
  /// What friction holds at the span's end.
  void end_step(ContactState& state) const;

  /// The impulses of all layers at the span's start or end, times `share`.
  LayerLevels kick_all(double time, double share, Particles& particles);

  /// Begins to keep watch at the span's start.
  void start(Particles& particles);
  /// When the next event is due; infinite when there is none before the span's end.
  double next();
  /// Deals with it.
  void process(Particles& particles);
  /// Renews the promises of particles that strayed at a time.
  void settle(double time, Particles& particles);

  /// Since begin_step(): certificates and ticks, and the deepest layer that gave an impulse.
  std::int64_t events() const { return events_; }
  int deepest() const { return deepest_; }

 private:
  struct Layer {
    double next = std::numeric_limits<double>::infinity();
    std::int64_t tick = 0, ticks = 0;
    LayerMemory* memory = nullptr;
  };
  struct Watched {
    LayerPair pair;
    int awake = 0;                                            ///< layers 1 to this one tick
    double fails = std::numeric_limits<double>::infinity();   ///< the certificate
    double queued = std::numeric_limits<double>::infinity();  ///< for it, not later than it fails
    std::vector<Layer> layers;
  };
  struct Event {
    double time;
    std::uint64_t key;
    int layer;  ///< 0: the certificate
    int watched;
    bool operator<(const Event& o) const {
      if (time != o.time) return time > o.time;
      if (key != o.key) return key > o.key;
      return layer > o.layer;
    }
  };
  using Box = Eigen::AlignedBox3d;
  /// Pairs that need more layers than this are being crushed by something that does not give way.
  static constexpr int most_layers = 2000;
  /// How much wider than a layer the gap may be while it is awake already, or still, as a share of its
  /// distance to the next.
  static constexpr double wake_margin = 0.25, sleep_margin = 0.5;

  void begin_window(double time, Particles& particles);
  void promise(int particle, double stray, Particles& particles);
  Box particle_box(int particle, double time, double until, const Particles& particles) const;
  template <class Corners>
  Box part_box(const Corners& corners, double time, double until, const Particles& particles) const;
  void set_boxes(double time, double until, const Particles& particles);
  /// All pairs to keep, of those whose boxes overlap and of points with shapes.
  struct Near {
    LayerPair pair;
    LayerPair::Look look;
  };
  std::vector<Near> find_near(double time, const Particles& particles,
                              FunctionRef<bool(const LayerPair&, const LayerPair::Look&)> keep) const;

  /// Whether promises allow that the pair reaches its first layer within the window.
  bool may_touch(const LayerPair& pair, const LayerPair::Look& look, double time,
                 const Particles& particles) const;
  void watch(const LayerPair& pair, const LayerPair::Look& look, double time, Particles& particles);
  void consider(PairKind kind, int a, int b, double time, Particles& particles);
  void certify(int watched, const LayerPair::Look& look, double time, Particles& particles);
  /// Of a layer whose tick before was at `last`; null for those that need none.
  LayerMemory* memory_of(const LayerPair& pair, int layer, double last, Particles& particles);
  void queue_certificate(int watched);
  void push(int watched, int layer, double time);
  void tick_next(int watched, int layer);
  [[noreturn]] void fail_closed(const LayerPair& pair, double time) const;

  LayerSurface surface_;
  bool parts_meet_;  ///< there are pairs other than those with shapes
  std::vector<ShapeMotion> shapes_;
  std::vector<int> shape_colliders_;  ///< colliders that are exact shapes
  Span span_;
  std::vector<Vec3> deformed_;

  double window_end_ = 0.0;
  std::vector<double> stray_;  ///< by particle, m/s
  GrowingTree vertex_tree_, edge_tree_, triangle_tree_;
  std::vector<Watched> watched_;
  std::unordered_map<std::uint64_t, int> index_;
  std::vector<Event> queue_;
  std::map<std::pair<std::uint64_t, int>, LayerMemory> memories_;  ///< by pair and layer
  double window_ = 0.0;                                            ///< of memories, s
  std::vector<int> renewed_;
  std::int64_t events_ = 0;
  int deepest_ = 0;
};

template <class Corners>
LayerContacts::Box LayerContacts::part_box(const Corners& corners, double time, double until,
                                           const Particles& particles) const {
  Box box;
  for (int i : corners) box.extend(particle_box(i, time, until, particles));
  return box;
}

}  // namespace verve
