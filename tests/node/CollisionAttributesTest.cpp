// Who meets whom and how near: pscale, collisiongroup, collisionignore, disableself.
#include <gtest/gtest.h>

#include "NodeScenes.h"
#include "geometry/Merge.h"

namespace verve {
namespace {

using test::Host, test::number, test::word;

Geometry floor_at(double height, const std::string& group = "") {
  Geometry geometry = test::sheet(1, 4, height);
  if (!group.empty()) {
    StringValues& names = geometry.add_strings(Owner::Point, "collisiongroup");
    for (int& i : names.indices) i = names.index_of(group);
  }
  return geometry;
}

void fill(Geometry& geometry, const char* name, double value) {
  for (float& v : geometry.add<float>(Owner::Point, name)) v = float(value);
}
void fill(Geometry& geometry, const char* name, const std::string& text) {
  StringValues& values = geometry.add_strings(Owner::Point, name);
  for (int& i : values.indices) i = values.index_of(text);
}

/// The mean height of the points whose number lies in a range.
double height(const Geometry& geometry, int begin, int end) {
  double sum = 0.0;
  for (int i = begin; i < end; ++i) sum += geometry.position(i)[1];
  return sum / (end - begin);
}

/// A block above a pinned one, 0.1 m apart.
Geometry two_blocks() {
  Geometry geometry = test::block(), upper = test::block();
  fill(geometry, "pintoanimation", 1);
  fill(upper, "pintoanimation", 0);
  test::move(upper, {0, .35, 0});
  append(geometry, upper);
  return geometry;
}

TEST(Pscale, AddsToTheThicknessOfColliders) {
  Host thin, thick;
  thin.bodies = [](int) {
    Geometry geometry = test::block();
    fill(geometry, "pscale", .125);
    return geometry;
  };
  thin.colliders = thick.colliders = [](int) { return floor_at(-.4); };
  thick.values = [](int) { return NodeValues{{"thickness", number(.125)}}; };
  SolverNode a, b;
  // It falls 0.15 m until it touches: 4.2 frames.
  int contacts = 0;
  for (int f = 1; f <= 12; ++f) contacts += a.cook(f, thin.source()).report.contacts;
  EXPECT_GT(contacts, 0);
  const NodeResult touching = a.cook(12, thin.source());
  EXPECT_LT((touching.geometry.positions() - b.cook(12, thick.source()).geometry.positions()).norm(), 1e-6);
  EXPECT_LT(std::abs(touching.report.ledger_error()), 1e-7);
}

TEST(Pscale, IsOfEachPointByItself) {
  Host host;
  host.bodies = [](int) {
    Geometry geometry = test::block();
    auto& radius = geometry.add<float>(Owner::Point, "pscale");
    for (int i = 0; i < geometry.point_count; ++i)
      radius[std::size_t(i)] = geometry.position(i)[0] < -.4 ? .1f : 0;
    return geometry;
  };
  host.colliders = [](int) { return floor_at(-.15); };
  host.values = [](int) { return NodeValues{{"delta", number(.05)}, {"eta", number(5)}}; };
  SolverNode node;
  const Geometry rested = node.cook(60, host.source()).geometry;
  double left = 1, right = 1;
  for (int i = 0; i < rested.point_count; ++i) {
    double& lowest = rested.position(i)[0] < -.4 ? left : right;
    if (std::abs(rested.position(i)[0]) > .4) lowest = std::min(lowest, rested.position(i)[1]);
  }
  // Springs of 2 k d under the weight of 6.25 kg give way by less than this at every point.
  const double sunk = 6.25 * 9.81 / (2 * 2000);
  EXPECT_NEAR(left, -.05, sunk);
  EXPECT_NEAR(right, -.15, sunk);
}

TEST(Pscale, TakesThePlaceOfTheThicknessBetweenBodies) {
  Host radii, thick;
  radii.bodies = [](int) {
    Geometry geometry = two_blocks();
    fill(geometry, "pscale", .03125);  // a float has it to the last bit: impacts multiply every difference
    return geometry;
  };
  thick.bodies = [](int) { return two_blocks(); };
  // Positions are those of the same motion as far as steps are solved.
  radii.values = [](int) { return NodeValues{{"tolerance", number(1e-10)}}; };
  thick.values = [](int) {
    return NodeValues{{"tolerance", number(1e-10)}, {"bodythickness", number(.0625)}};
  };
  SolverNode a, b;
  const NodeResult met = a.cook(10, radii.source());
  EXPECT_GT(met.report.contacts, 0);
  EXPECT_LT((met.geometry.positions() - b.cook(10, thick.source()).geometry.positions()).norm(), 1e-6);
}

TEST(CollisionGroups, OfCollidersAreIgnored) {
  for (const bool ignoring : {true, false}) {
    Host host;
    host.bodies = [=](int) {
      Geometry geometry = test::block();
      if (ignoring) fill(geometry, "collisionignore", "nobody external/up*");
      return geometry;
    };
    host.colliders = [](int) {
      Geometry geometry = floor_at(-.5, "upper");
      append(geometry, floor_at(-1.0, "lower"));
      return geometry;
    };
    SolverNode node;
    double y = 1;  // the lowest that it gets; it bounces
    for (int f = 1; f <= 20; ++f) {
      const Geometry now = node.cook(f, host.source()).geometry;
      y = std::min(y, height(now, 0, now.point_count));
    }
    if (ignoring) {
      EXPECT_LT(y, -.6);
      EXPECT_GT(y, -1.0) << "the lower one still holds it";
    } else {
      EXPECT_GT(y, -.5);
    }
  }
}

/// Contacts over the first frames of two blocks that meet, or of anything else.
int contacts_of(const std::function<Geometry()>& bodies, const NodeValues& values = {}) {
  Host host;
  host.bodies = [&](int) { return bodies(); };
  host.values = [&](int) { return values; };
  SolverNode node;
  int sum = 0;
  for (int f = 1; f <= 10; ++f) sum += node.cook(f, host.source()).report.contacts;
  return sum;
}

TEST(CollisionGroups, OfBodiesAreIgnoredAndDisableselfIgnoresAll) {
  const int half = test::block().point_count;
  const auto named = [&](Geometry& geometry, const char* attribute, const char* lower, const char* upper) {
    StringValues& values = geometry.add_strings(Owner::Point, attribute);
    for (int i = 0; i < geometry.point_count; ++i)
      values.indices[std::size_t(i)] = values.index_of(i < half ? lower : upper);
  };
  const auto with = [&](const char* lower, const char* upper) {
    return contacts_of([&] {
      Geometry geometry = two_blocks();
      named(geometry, "collisiongroup", "a", "b");
      named(geometry, "collisionignore", lower, upper);
      return geometry;
    });
  };
  const int plain = contacts_of(two_blocks);
  EXPECT_GT(plain, 0);
  EXPECT_EQ(with("", ""), plain) << "a name alone";
  EXPECT_EQ(with("", "a"), 0);
  EXPECT_EQ(with("b", ""), 0) << "either may ignore the other";
  EXPECT_EQ(contacts_of([&] {
              Geometry geometry = two_blocks();
              auto& loner = geometry.add<std::int32_t>(Owner::Point, "disableself");
              for (int i = half; i < 2 * half; ++i) loner[std::size_t(i)] = 1;
              return geometry;
            }),
            0);
}

/// A bar along z, 0.05 m above a bar along x: only edges of them can meet.
Geometry bar_above() {
  Geometry geometry = test::block({1, 1, 1}, {.1, .1, 1});
  test::move(geometry, {0, .15, 0});
  return geometry;
}
Geometry bar_below() {
  return test::block({1, 1, 1}, {1, .1, .1});
}
constexpr int corners = 8;
/// Both as bodies, the lower one held.
Geometry crossed() {
  Geometry geometry = bar_below(), upper = bar_above();
  fill(geometry, "pintoanimation", 1);
  fill(upper, "pintoanimation", 0);
  append(geometry, upper);
  return geometry;
}

/// The lowest that the last points of the bodies come within half a second, in which they could fall 1.2 m.
double lowest(Host host, int points = corners) {
  SolverNode node;
  double y = 1;
  for (int f = 1; f <= 12; ++f) {
    const Geometry now = node.cook(f, host.source()).geometry;
    y = std::min(y, height(now, now.point_count - points, now.point_count));
  }
  return y;
}
Host bodies_of(const std::function<Geometry()>& make) {
  Host host;
  host.bodies = [make](int) { return make(); };
  return host;
}

TEST(CollisionGroups, CountForEdgesOfBodies) {
  const auto with = [](const char* attribute, double lower, double upper) {
    return lowest(bodies_of([=] {
      Geometry geometry = crossed();
      auto& values = geometry.add<float>(Owner::Point, attribute);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i < corners ? lower : upper);
      return geometry;
    }));
  };
  const auto ignoring = [](const char* lower, const char* upper) {
    return lowest(bodies_of([=] {
      Geometry geometry = crossed();
      const auto fill_both = [&](const char* attribute, const char* below, const char* above) {
        StringValues& values = geometry.add_strings(Owner::Point, attribute);
        for (std::size_t i = 0; i < std::size_t(geometry.point_count); ++i)
          values.indices[i] = values.index_of(i < corners ? below : above);
      };
      fill_both("collisiongroup", "below", "above");
      fill_both("collisionignore", lower, upper);
      return geometry;
    }));
  };
  EXPECT_GT(lowest(bodies_of(crossed)), .07);
  EXPECT_GT(ignoring("nobody", "below?"), .07);
  EXPECT_LT(ignoring("", "be*"), -.5);
  EXPECT_LT(ignoring("above", ""), -.5);
  EXPECT_GT(with("disableself", 0, 0), .07);
  EXPECT_LT(with("disableself", 0, 1), -.5);
  EXPECT_LT(with("disableself", 1, 0), -.5);
}

TEST(CollisionGroups, CountForEdgesOfColliders) {
  const auto with = [](const char* group, const std::function<void(Geometry&)>& change) {
    Host host = bodies_of([=] {
      Geometry geometry = bar_above();
      change(geometry);
      return geometry;
    });
    host.colliders = [=](int) {
      Geometry geometry = bar_below();
      if (*group) fill(geometry, "collisiongroup", std::string(group));
      return geometry;
    };
    return lowest(host);
  };
  const auto ignore = [](const char* names) {
    return [=](Geometry& geometry) { fill(geometry, "collisionignore", std::string(names)); };
  };
  EXPECT_GT(with("", [](Geometry&) {}), .07);
  EXPECT_LT(with("", [](Geometry& geometry) { fill(geometry, "disableexternal", 1); }), -.5);
  EXPECT_LT(with("bar", ignore("external/b*")), -.5);
  EXPECT_LT(with("", ignore("external/*")), -.5) << "all colliders";
  EXPECT_GT(with("bar", ignore("bar *")), .07) << "those are names of bodies";
  EXPECT_GT(with("bar", ignore("external/floor")), .07);
}

TEST(Pscale, MakesEdgesThick) {
  const auto with = [](double lower, double upper) {
    Host host = bodies_of([=] {
      Geometry geometry = crossed();
      auto& radius = geometry.add<float>(Owner::Point, "pscale");
      for (std::size_t i = 0; i < radius.size(); ++i) radius[i] = float(i < corners ? lower : upper);
      return geometry;
    });
    SolverNode node;
    return node.cook(8, host.source()).geometry.positions();
  };
  Host thick = bodies_of(crossed);
  thick.values = [](int) { return NodeValues{{"bodythickness", number(.0625)}}; };
  SolverNode node;
  const Vector expected = node.cook(8, thick.source()).geometry.positions();
  EXPECT_LT((with(.03125, .03125) - expected).norm(), 1e-6);
  EXPECT_LT((with(.0625, 0) - expected).norm(), 1e-6) << "each side brings its own";
  EXPECT_GT((with(0, 0) - expected).norm(), .01);

  Host at_collider = bodies_of([] {
    Geometry geometry = bar_above();
    fill(geometry, "pscale", .0625);
    return geometry;
  });
  Host beside = bodies_of(bar_above);
  at_collider.colliders = beside.colliders = [](int) { return bar_below(); };
  beside.values = [](int) { return NodeValues{{"thickness", number(.0625)}}; };
  SolverNode a, b;
  EXPECT_LT(
      (a.cook(8, at_collider.source()).geometry.positions() - b.cook(8, beside.source()).geometry.positions())
          .norm(),
      1e-6);
}

TEST(CollisionGroups, MayIgnoreThemselvesAndStillMeetOthers) {
  for (const char* way : {"group", "disableself"}) {
    Host host = bodies_of([=] {
      Geometry geometry = crossed();
      if (std::string(way) == "group") {
        fill(geometry, "collisiongroup", std::string("bars"));
        fill(geometry, "collisionignore", std::string("bars"));
      } else {
        fill(geometry, "disableself", 1);
      }
      return geometry;
    });
    host.colliders = [](int) { return floor_at(-.3); };
    const double y = lowest(host);
    EXPECT_LT(y, -.1) << way << ": through the other bar";
    EXPECT_GT(y, -.3) << way << ": but not through the floor";
  }
}

TEST(CollisionGroups, OfPartOfASurfaceOpenOnlyThatPart) {
  const int block_points = test::block({1, 1, 1}, {.25, .25, .25}).point_count;
  const auto over = [&](double x) {
    return lowest(bodies_of([=] {
                    Geometry geometry = test::sheet(8, 2);
                    fill(geometry, "pintoanimation", 1);
                    test::mark_left(geometry, "disableself", -.1);
                    Geometry block = test::block({1, 1, 1}, {.25, .25, .25});
                    fill(block, "pintoanimation", 0);
                    test::move(block, {x, .2, .06});
                    append(geometry, block);
                    return geometry;
                  }),
                  block_points);
  };
  EXPECT_LT(over(-.5), -.3);
  EXPECT_GT(over(.5), .05);
}

TEST(CollisionGroups, AreHonouredByPenaltyLayers) {
  const auto with = [](const std::function<void(Geometry&)>& change) {
    Host host = bodies_of([=] {
      Geometry geometry = test::block();
      fill(geometry, "stiffness", .1);
      change(geometry);
      return geometry;
    });
    host.colliders = [](int) { return test::sheet(1, 4, -.25); };
    host.values = [](int) { return NodeValues{{"integrator", word("asynchronous")}}; };
    return lowest(host, test::block().point_count);
  };
  EXPECT_GT(with([](Geometry&) {}), -.25);
  EXPECT_LT(with([](Geometry& geometry) { fill(geometry, "collisionignore", std::string("external/*")); }),
            -.5);
  EXPECT_LT(with([](Geometry& geometry) { fill(geometry, "disableexternal", 1); }), -.5);
}

TEST(CollisionGroups, OfOneColliderMustBeOne) {
  Host host;
  host.colliders = [](int) {
    Geometry geometry = floor_at(-1, "floor");
    StringValues& names = std::get<StringValues>(geometry.find(Owner::Point, "collisiongroup")->values);
    names.indices[2] = names.index_of("wall");
    return geometry;
  };
  SolverNode node;
  try {
    node.cook(1, host.source());
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("third input: points 0 and 2 hang together"), std::string::npos)
        << error.what();
  }
}

TEST(CollisionGroups, AreMergedWhereTheyMeetTheSame) {
  CollisionRules rules;
  for (int i = 0; i < 100; ++i) {
    rules.kinds.push_back({"g" + std::to_string(i), "", false, false});
    rules.of_point.push_back(i);
  }
  std::vector<CollisionKind> colliders(5);
  colliders[4] = {"wall", "g7", false, false};
  EXPECT_TRUE(collision_matrix(rules, std::vector<CollisionKind>(5)).all()) << "nobody ignores anybody";
  rules.kinds[3].ignore = "g1? external/w*";  // ten others and a collider
  const CollisionMatrix some = collision_matrix(rules, colliders);
  EXPECT_EQ(some.kinds.size(), 4u) << "3, those it ignores, the one that the wall ignores, and the others";
  for (int a = 0; a < 100; ++a) {
    for (int b = 0; b < 100; ++b) {
      const bool apart = (a == 3 && b >= 10 && b < 20) || (b == 3 && a >= 10 && a < 20);
      EXPECT_EQ(some.meet(a, b), !apart) << a << " " << b;
    }
    EXPECT_TRUE(some.meets_collider(a, 0));
    EXPECT_EQ(some.meets_collider(a, 4), a != 3 && a != 7) << a;
  }
  for (int i = 0; i < 100; ++i) rules.kinds[std::size_t(i)].ignore = "g" + std::to_string((i + 1) % 100);
  const CollisionMatrix ring = collision_matrix(rules, {});
  for (int a = 0; a < 100; ++a)
    for (int b = 0; b < 100; ++b)
      EXPECT_EQ(ring.meet(a, b), b != (a + 1) % 100 && a != (b + 1) % 100) << a << " " << b;
}

}  // namespace
}  // namespace verve
