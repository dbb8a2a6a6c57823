// Two things that penalty layers keep apart.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "asynchronous/LayerSurface.h"
#include "asynchronous/Particles.h"
#include "asynchronous/ShapeMotion.h"
#include "contact/ContactMemory.h"
#include "contact/SimplexDistance.h"

namespace verve {

/// What one layer of a pair remembers, where it damps or rubs. Both go by how far the two have moved: the
/// impulses of other potentials make velocities jump to and fro, also of what rests, and what went by the
/// velocity of an instant would take energy for ever and let stuck bodies creep.
struct LayerMemory {
  /// Friction is a spring along the surface, as stiff as the layer, that is let go where it would pull harder
  /// than friction holds.
  BristleMemory bristle;
  double stiffness = 0.0;  ///< N/m
  bool inside = false;     ///< the gap was within the layer at the last tick
  double time = 0.0;       ///< of it, s
  Vec3 before[4];          ///< the corners then
  /// The mean velocity of the one against the other since they are inside, for not longer than `window` (s).
  Vec3 drift = Vec3::Zero();
  double age = 0.0, window = 0.0;

  double energy() const { return 0.5 * stiffness * bristle.stretch.squaredNorm(); }
  /// Lets go of what is stretched, outside of the layer.
  void release(Particles& particles) {
    particles.dissipated += energy();
    bristle = {};
    inside = false;
    age = 0.0;
  }
};

/// The kinds that layers know, in the order in which impulses at the same time act.
constexpr std::array<PairKind, 3> layer_kinds{PairKind::point_triangle, PairKind::edge_edge,
                                              PairKind::point_collider};

/// A point and a triangle, two edges, or a point and a collider that is an exact shape. The corners and edges
/// of other colliders are among those of bodies.
struct LayerPair {
  PairKind kind = PairKind::point_triangle;
  int a = 0, b = 0;  ///< the parts: numbers of vertices, edges, triangles or colliders
  int corner[4] = {};
  LayerRule rule;
  const ShapeMotion* shape = nullptr;
  double radius = 0.0;        ///< of what is round around the corners of one of them, m
  double inverse_mass = 0.0;  ///< the largest that contact between them may feel, 1/kg

  /// Names it, whatever else is known: impulses at the same time act in this order.
  std::uint64_t key() const {
    const auto first = std::find(layer_kinds.begin(), layer_kinds.end(), kind) - layer_kinds.begin();
    return std::uint64_t(first) << 62 | std::uint64_t(a) << 31 | std::uint64_t(b);
  }
  int corners() const { return kind == PairKind::point_collider ? 1 : 4; }
  int split() const { return kind == PairKind::edge_edge ? 2 : 1; }

  /// How near they are at a time, with particles where they are then.
  struct Look {
    Vec3 x[4];
    SimplexDistance near;
  };
  Look look(const Particles& particles, double time) const;

  /// The energy of all layers at a look, J.
  double energy(const Look& look) const;

  /// Whether its layers need memories.
  bool remembers(const LayerSettings& settings) const {
    return settings.damping > 0.0 || rule.static_friction > 0.0;
  }

  /// Gives the impulse of `h` seconds of layer l, with what it damps and rubs since the last tick.
  void kick(const Look& look, int l, double time, double h, const LayerSettings& settings,
            LayerMemory* memory, Particles& particles) const;

  /// A time until which their gap stays above `least`, given the particles' promises about their velocities:
  /// until then a slab of that thickness lies between them.
  double safe_until(const Look& look, double least, double time, double until,
                    const Particles& particles) const;

  /// How many ticks layer l has in a span.
  std::int64_t ticks(int l, const Span& span, const LayerSettings& settings) const;

 private:
  /// Since the layer's last tick.
  struct Motion {
    Vec3 way;   ///< of the first against the second, with the weights of now, m
    Vec3 drag;  ///< velocity of a shape's surface, m/s
    double seconds;
  };
  void stretch(const Look& look, const Motion& motion, double depth, LayerMemory& memory,
               Particles& particles) const;
  void damp(const Look& look, const Motion& motion, double depth, double delta, const LayerMemory& memory,
            Particles& particles) const;
};

/// The pair of two parts; false when they cannot meet.
bool make_pair(const LayerSurface& surface, const std::vector<ShapeMotion>& shapes,
               const Particles& particles, PairKind kind, int a, int b, LayerPair& pair);

}  // namespace verve
