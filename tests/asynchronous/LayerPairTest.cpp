// The impulse of a layer is the slope of its energy, and certificates keep their word.
#include "asynchronous/LayerPair.h"

#include <gtest/gtest.h>

#include <random>

#include "contact/Shape.h"

namespace verve {
namespace {

/// Four particles at random, about as far apart as the rule's layer is thick.
struct Fixture {
  Particles particles;
  LayerRule rule{{LayerSpacing::resting, 1.0, 3.0}, 0.0, 0.0};
  LayerPair pair;
  std::mt19937 engine;

  Fixture(PairKind kind, unsigned seed) : engine(seed) {
    particles.resize(4);
    for (int i = 0; i < 4; ++i) {
      particles.x[i] = vector();
      particles.inverse_mass[i] = 1.0 + 0.3 * i;
      pair.corner[i] = i;
    }
    if (kind == PairKind::edge_edge && seed % 2)  // nearly parallel, where the force fades
      particles.x[3] = particles.x[2] + particles.x[1] - particles.x[0] + 0.1 * vector();
    pair.kind = kind;
    pair.rule = rule;
    pair.inverse_mass = 3.0;
  }
  Vec3 vector() {
    std::uniform_real_distribution<double> number(-0.5, 0.5);
    const double x = number(engine), y = number(engine);
    return {x, y, number(engine)};
  }
  /// The energy of the layers from 1 to `layers` only.
  double energy(int layers) const {
    const LayerPair::Look look = pair.look(particles, 0.0);
    double sum = 0.0;
    for (int l = 1; l <= layers; ++l) {
      const double depth = std::max(0.0, rule.law.outer(l) - look.near.distance);
      sum += 0.5 * rule.law.stiffness(l) * depth * depth;
    }
    return pair.kind == PairKind::edge_edge ? edge_fade(look.x).value * sum : sum;
  }
};

ColliderSpec collider(const char* name, std::unique_ptr<Shape> shape,
                      std::function<Eigen::Isometry3d(double)> pose = nullptr) {
  ColliderSpec spec;
  spec.name = name;
  spec.shape = std::move(shape);
  spec.pose = std::move(pose);
  return spec;
}

TEST(LayerPair, ImpulsesAreTheSlopeOfTheEnergy) {
  const ColliderSpec ball = collider("ball", sphere_shape({0.1, -0.7, 0.2}, 0.4));
  const ShapeMotion shape(ball, {0.0, 1.0});
  for (const PairKind kind : layer_kinds)
    for (unsigned seed = 1; seed <= 40; ++seed) {
      Fixture f(kind, seed);
      if (kind == PairKind::point_collider) f.pair.shape = &shape;
      const LayerPair::Look look = f.pair.look(f.particles, 0.0);
      const int layers = std::min(3, f.rule.law.reached(look.near.distance));
      if (layers == 0 || look.near.distance <= 0.02) continue;
      const double h = 0.01;
      Particles kicked = f.particles;
      for (int l = 1; l <= layers; ++l) f.pair.kick(look, l, 0.0, h, {}, nullptr, kicked);
      for (int i = 0; i < f.pair.corners(); ++i)
        for (int c = 0; c < 3; ++c) {
          const double d = 1e-6;
          Fixture low = f, high = f;
          low.particles.x[i][c] -= d, high.particles.x[i][c] += d;
          const double slope = (high.energy(layers) - low.energy(layers)) / (2 * d);
          const double impulse = kicked.v[i][c] / f.particles.inverse_mass[i];
          EXPECT_NEAR(impulse, -h * slope, 1e-6 * h * f.rule.law.stiffness(layers))
              << int(kind) << " seed " << seed;
        }
      // Neither force nor torque in all, where both are free.
      if (kind == PairKind::point_collider) continue;
      Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
      for (int i = 0; i < 4; ++i) {
        force += kicked.v[i] / f.particles.inverse_mass[i];
        torque += f.particles.x[i].cross(kicked.v[i] / f.particles.inverse_mass[i]);
      }
      EXPECT_LT(force.norm() + torque.norm(), 1e-13 * f.rule.law.stiffness(layers));
    }
}

/// Where friction holds, its impulse is the slope of the energy that it stores; beyond, it pulls with
/// friction times the press, and what it takes is never negative.
TEST(LayerPair, FrictionHoldsLikeASpringAndSlidesByItsCone) {
  const ColliderSpec ball = collider("ball", sphere_shape({0.1, -0.7, 0.2}, 0.4));
  const ShapeMotion shape(ball, {0.0, 1.0});
  const double h = 0.01, slip = 1e-5;
  int slid = 0;
  for (const PairKind kind : layer_kinds)
    for (unsigned seed = 1; seed <= 40; ++seed)
      for (const double friction : {1e3, 1e-6}) {
        Fixture f(kind, seed);
        f.pair.rule.static_friction = f.pair.rule.dynamic_friction = friction;
        if (kind == PairKind::point_collider) f.pair.shape = &shape;
        const LayerPair::Look look = f.pair.look(f.particles, 0.0);
        if (look.near.distance <= 0.02 || look.near.distance > 0.9) continue;
        LayerMemory first;
        f.pair.kick(look, 1, 0.0, h, {}, &first, f.particles);
        for (Vec3& v : f.particles.v) v.setZero();
        for (int i = 0; i < 4; ++i) f.particles.x[i] += slip * f.vector(), f.particles.time[i] = h;
        /// After a second tick with the particles where they are; their velocities are the impulse.
        const auto kicked = [&](Particles& particles, LayerMemory* memory) {
          f.pair.kick(f.pair.look(particles, h), 1, h, h, {}, memory, particles);
        };
        Particles with = f.particles, without = f.particles;
        LayerMemory held = first;
        with.dissipated = 0.0;
        kicked(with, &held);
        kicked(without, nullptr);
        const double stiffness = f.rule.law.stiffness(1);
        EXPECT_GE(with.dissipated, -1e-12 * stiffness * slip * slip);
        if (held.bristle.slides) {
          ++slid;
          const LayerPair::Look now = f.pair.look(f.particles, h);
          const double fade = kind == PairKind::edge_edge ? edge_fade(now.x).value : 1.0;
          EXPECT_NEAR(held.bristle.stretch.norm(),
                      friction * fade * (f.rule.law.outer(1) - now.near.distance), 1e-9 * slip);
          continue;
        }
        // Where edges fade they are pushed along the surface too, and friction's damper acts.
        if (kind == PairKind::edge_edge && seed % 2) continue;
        EXPECT_LT(with.dissipated, 1e-3 * held.energy());
        for (int i = 0; i < f.pair.corners(); ++i)
          for (int c = 0; c < 3; ++c) {
            double energy[2];
            for (const int side : {0, 1}) {
              Particles moved = f.particles;
              moved.x[i][c] += (side ? 1e-3 : -1e-3) * slip;
              LayerMemory memory = first;
              kicked(moved, &memory);
              energy[side] = memory.energy();
            }
            const double slope = (energy[1] - energy[0]) / (2e-3 * slip);
            const double impulse = (with.v[i][c] - without.v[i][c]) / f.particles.inverse_mass[i];
            EXPECT_NEAR(impulse, -h * slope, 1e-3 * h * stiffness * slip) << int(kind) << " seed " << seed;
          }
      }
  EXPECT_GT(slid, 20);
}

/// Velocities that change at random within what was promised never close the gap before the certificate ends,
/// also while loads turn the courses.
TEST(LayerPair, CertificatesHold) {
  const ColliderSpec solids[] = {
      collider("box", box_shape({0.5, 0.4, 0.6}),
               [](double t) {
                 Eigen::Isometry3d pose(Eigen::Translation3d(0.3 * t, -1.2 + 0.5 * t, 0));
                 pose.linear() = Eigen::AngleAxisd(0.8 * t, Vec3(1, 2, 3).normalized()).toRotationMatrix();
                 return pose;
               }),
      collider("bowl", sphere_shape({0, 0, 0}, 1.2, true)),
      collider("plane", plane_shape(Vec3::UnitY(), -1.0))};
  int tight = 0, looked = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const PairKind kind = layer_kinds[seed % 3];
    Fixture f(kind, seed);
    const ShapeMotion shape(solids[seed / 3 % 3], {0.0, 1.0});
    if (kind == PairKind::point_collider) f.pair.shape = &shape;
    for (int i = 0; i < 4; ++i) {
      f.particles.v[i] = f.particles.course[i] = 2.0 * f.vector();
      f.particles.stray_squared[i] = 0.2 * 0.2;
      if (seed % 2) f.particles.fall[i] = 4.0 * f.vector();
    }
    LayerPair::Look look = f.pair.look(f.particles, 0.0);
    if (look.near.distance < 0.05) continue;
    const double least = 0.5 * look.near.distance;
    const double safe = std::min(1.0, f.pair.safe_until(look, least, 0.0, 1.0, f.particles));
    ASSERT_GT(safe, 0.0);
    ++looked;
    for (int k = 1; k <= 50; ++k) {
      const double time = safe * k / 50;
      EXPECT_GE(f.pair.look(f.particles, time).near.distance, least - 1e-12) << int(kind) << " seed " << seed;
      for (int i = 0; i < 4; ++i) {
        f.particles.advance(i, time);
        f.particles.v[i] = f.particles.course_at(i, time) + 0.2 * f.vector().normalized();
      }
    }
    tight += f.pair.look(f.particles, safe).near.distance < 1.5 * least;
  }
  EXPECT_GT(looked, 200);
  EXPECT_GT(tight, looked / 8) << "certificates end needlessly early";
}

}  // namespace
}  // namespace verve
