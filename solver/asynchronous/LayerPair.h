// Two things that penalty layers keep apart.
#pragma once

#include <cstdint>
#include <limits>

#include "asynchronous/LayerSurface.h"
#include "asynchronous/Particles.h"
#include "asynchronous/ShapeMotion.h"
#include "contact/Nearness.h"

namespace verve {

/// A point and a triangle, two edges, or a point and an exact shape.
struct LayerPair {
  enum Kind { point_triangle, edge_edge, point_shape };

  Kind kind = point_triangle;
  int a = 0, b = 0;  ///< the parts: numbers of vertices, edges, triangles or colliders
  int corner[4] = {};
  LayerRule rule;
  const ShapeMotion* shape = nullptr;
  double radius = 0.0;        ///< of what is round around the corners of one of them, m
  double inverse_mass = 0.0;  ///< the largest that contact between them may feel, 1/kg

  /// Names it, whatever else is known: impulses at the same time act in this order.
  std::uint64_t key() const { return std::uint64_t(kind) << 62 | std::uint64_t(a) << 31 | std::uint64_t(b); }
  int corners() const { return kind == point_shape ? 1 : 4; }
  int split() const { return kind == edge_edge ? 2 : 1; }

  /// How near they are at a time, with particles where they are then.
  struct Look {
    Vec3 x[4];
    Nearness near;
  };
  Look look(const Particles& particles, double time) const;

  /// The energy of all layers at a look, J.
  double energy(const Look& look) const;

  /// Gives the impulse of `h` seconds of layer l, with what it damps and rubs.
  void kick(const Look& look, int l, double time, double h, const LayerSettings& settings,
            Particles& particles) const;

  /// A time until which their gap stays above `least`, given the particles' promises about their velocities:
  /// until then a slab of that thickness lies between them.
  double safe_until(const Look& look, double least, double time, double until,
                    const Particles& particles) const;

  /// Damping by the impulse `damper` a m/s of approach, and friction under the impulse `press`; `drag` is the
  /// velocity of a shape's surface.
  void rub(const Look& look, double press, double damper, const Vec3& drag, Particles& particles) const;

  /// How many ticks layer l has in a span.
  std::int64_t ticks(int l, const Span& span, const LayerSettings& settings) const;
};

/// The pair of two parts; false when they cannot meet.
bool make_pair(const LayerSurface& surface, const std::vector<ShapeMotion>& shapes,
               const Particles& particles, LayerPair::Kind kind, int a, int b, LayerPair& pair);

}  // namespace verve
