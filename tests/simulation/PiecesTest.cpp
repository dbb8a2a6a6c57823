// A mesh of several parts behaves as that many bodies.
#include "simulation/Pieces.h"

#include <gtest/gtest.h>

#include "Scenes.h"

namespace verve {
namespace {

Body box(const std::string& name, double x, double speed) {
  Body body = make_soft_body(name, make_box({0.4, 0.4, 0.4}, {2, 2, 2}), TetModel::stable_neo_hookean,
                             lame_from_young(6e4, 0.3), 100.0);
  Transform place;
  place.translate = {x, 0, 0};
  place_body(body, place);
  set_in_motion(body, {speed, 0, 0}, {0, 0, 0});
  return body;
}

template <class Elements>
void append_elements(Elements& to, Elements from, int first) {
  for (auto& element : from)
    for (int& i : element) i += first;
  to.insert(to.end(), from.begin(), from.end());
}

template <class List>
void append_list(List& to, const List& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Both in one mesh.
Body joined(Body a, const Body& b) {
  const int first = int(a.rest.size());
  append_list(a.rest, b.rest), append_list(a.x, b.x), append_list(a.v, b.v), append_list(a.mass, b.mass);
  append_elements(a.tets, b.tets, first), append_elements(a.surface, b.surface, first);
  append_list(a.tet_material.mu, b.tet_material.mu);
  append_list(a.tet_material.lambda, b.tet_material.lambda);
  append_list(a.tet_material.density, b.tet_material.density);
  return a;
}

Scene collision(std::vector<Body> bodies) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = std::move(bodies);
  scene.contact.between = true;
  scene.contact.stiffness = 5000;
  scene.contact.thickness = 0.02;
  scene.integrator.newton.tolerance = 1e-10;
  return scene;
}

TEST(Pieces, PartsAreNumberedByTheirFirstPoints) {
  Body body = joined(box("two", -1, 0), box("", 1, 0));
  const std::vector<int> part = parts_of(body);
  const std::size_t half = part.size() / 2;
  for (std::size_t i = 0; i < part.size(); ++i) EXPECT_EQ(part[i], i < half ? 0 : 1) << i;
  // What nothing joins is no part of its own.
  body.rest.push_back({5, 5, 5});
  EXPECT_EQ(parts_of(body).back(), 0);
}

TEST(Pieces, PartsOfOneMeshMeetAsBodiesDo) {
  const Body a = box("a", -0.3, 2), b = box("b", 0.3, 0);
  // Parts of one body make their frames together, as two bodies do not always.
  Simulation two(collision({a, b}), Simulation::Begin::part), one(collision({joined(a, b)}));
  EXPECT_EQ(one.system().pieces, 2);
  EXPECT_EQ(one.system().piece, two.system().piece);
  int contacts = 0;
  for (int f = 0; f < 12; ++f) {
    contacts += two.advance().contacts;
    one.advance();
  }
  EXPECT_GT(contacts, 0);
  EXPECT_EQ((one.state().x - two.state().x).cwiseAbs().maxCoeff(), 0.0);
}

/// An energy target slows what a piece does beside flying and turning: parts that fly
/// apart go on doing so.
TEST(Pieces, AnEnergyTargetLeavesTheirFlightAlone) {
  Scene scene = collision({joined(box("two", -1, -3), box("", 1, 2))});
  scene.energy_target.kind = EnergyTargetSettings::Kind::decay;
  scene.energy_target.loss = 0.5;
  Simulation simulation(scene);
  for (int f = 0; f < 12; ++f) simulation.advance();
  const Vector& v = simulation.state().v;
  EXPECT_NEAR(v[0], -3.0, 1e-6);
  EXPECT_NEAR(v[v.size() - 3], 2.0, 1e-6);
}

}  // namespace
}  // namespace verve
