// The SOP through the stand-in: attributes in, frames out equal to the core's, in any order.
#include <OP/OP_NodeInfoParms.h>
#include <UT/UT_Interrupt.h>
#include <gtest/gtest.h>

#include <set>

#include "Network.h"
#include "node/NodeExport.h"
#include "parameters/NodeParameters.h"

namespace verve {
namespace {

using test::Network;

GU_Detail pinned(int) {
  GU_Detail detail = test::houdini_block();
  test::pin_left(detail);
  return detail;
}

/// The same frame from the core alone.
Geometry from_core(const std::function<GU_Detail(int)>& bodies, int frame, const NodeValues& values = {},
                   const std::function<GU_Detail(int)>& colliders = {}) {
  SolverNode node;
  std::vector<std::string> warnings;
  return node
      .cook(frame,
            [&](int f) {
              NodeFrame in;
              in.frame = f;
              in.settings = node_settings(values);
              in.bodies = std::make_shared<Geometry>(read_detail(bodies(f), warnings));
              if (colliders) in.colliders = std::make_shared<Geometry>(read_detail(colliders(f), warnings));
              return in;
            })
      .geometry;
}

void expect_equal(const GU_Detail& detail, const Geometry& geometry) {
  for (const Attribute& a : geometry.attributes[std::size_t(Owner::Point)]) {
    const GA_Attribute* there = detail.findAttribute(GA_ATTRIB_POINT, a.name);
    ASSERT_TRUE(there) << a.name;
    ASSERT_EQ(there->myValues.size(), a.size()) << a.name;
    for (std::size_t i = 0; i < a.size(); ++i)
      ASSERT_EQ(there->myValues[i], there->stored(a.number(i))) << a.name << " " << i;
  }
}

TEST(Sop, IsRegisteredWithItsDialogAndInputs) {
  Network net(pinned);
  const OP_Operator& op = *net.table.myOperators.at(0);
  EXPECT_EQ(op.myName.toStdString(), "verve::solver");
  EXPECT_EQ(op.myMin, 1u);
  EXPECT_EQ(op.myMax, 3u);
  EXPECT_STREQ(net.solver->inputLabel(2), "Collision Geometry");
  EXPECT_EQ(net.solver->myTemplates.size(), dialog_entries().size() + 2) << "and two buttons";
  EXPECT_TRUE(net.solver->mySopFlags.getManagesDataIDs());
}

TEST(Sop, GivesTheFramesOfTheCore) {
  Network net(pinned);
  expect_equal(net.cook(8), from_core(pinned, 8));
  EXPECT_TRUE(net.solver->myErrors.empty());
  EXPECT_TRUE(net.solver->flags().getTimeDep());
}

TEST(Sop, ParametersReachTheCore) {
  Network net(pinned);
  net.solver->setFloat("young", 0, 0, 5000);
  net.solver->setString("hp", "integrator");
  net.solver->setFloat("alpha", 0, 0, .25);
  net.solver->setInt("substeps", 0, 0, 2);
  const NodeValues values = {{"young", {{5000}, ""}},
                             {"youngexp", {{}, "0"}},
                             {"integrator", {{}, "hp"}},
                             {"alpha", {{.25}, ""}},
                             {"substeps", {{2}, ""}}};
  expect_equal(net.cook(6), from_core(pinned, 6, values));
}

TEST(Sop, StartFrameTimeScaleAndCacheLimitReachTheCore) {
  Network net(pinned);
  net.solver->setInt("startframe", 0, 0, 4);
  net.solver->setFloat("timescale", 0, 0, .5);
  const NodeValues values = {{"startframe", {{4}, ""}}, {"timescale", {{.5}, ""}}};
  EXPECT_EQ(test::positions(net.cook(2)), test::positions(pinned(2))) << "before it begins";
  expect_equal(net.cook(9), from_core(pinned, 9, values));

  Network small(pinned);
  small.solver->setFloat("cachesize", 0, 0, .02);
  const std::vector<double> third = test::positions(small.cook(3)), last = test::positions(small.cook(40));
  const NodeCache& cache = small.solver->solver().cache();
  EXPECT_LT(cache.kept(), 40u);
  EXPECT_LE(double(cache.bytes()), .02 * 1048576) << "and no more";
  EXPECT_EQ(test::positions(small.cook(3)), third);
  EXPECT_EQ(test::positions(small.cook(40)), last);
}

TEST(Sop, ScrubsSkipsAndCooksOutOfOrder) {
  Network net(pinned);
  const std::vector<double> nine = test::positions(net.cook(9)), three = test::positions(net.cook(3));
  EXPECT_EQ(test::positions(net.cook(9)), nine);
  EXPECT_EQ(test::positions(net.cook(3)), three);
  EXPECT_EQ(test::positions(net.cook(9)), nine);
  Network other(pinned);
  for (int f : {2, 7, 4, 9}) other.cook(f);
  EXPECT_EQ(test::positions(other.cook(9)), nine);
  EXPECT_NE(nine, three);
}

TEST(Sop, MakesFramesAnewOrSaysThatTheyAreStale) {
  Network net(pinned);
  const std::vector<double> before = test::positions(net.cook(6));
  net.solver->setFloat("young", 0, 0, 3000);
  EXPECT_EQ(test::positions(net.cook(6)), [] {
    Network fresh(pinned);
    fresh.solver->setFloat("young", 0, 0, 3000);
    return test::positions(fresh.cook(6));
  }());
  net.solver->setString("keep", "onchange");
  net.solver->setFloat("young", 0, 0, 100000);
  const GU_Detail stale = net.cook(6);
  EXPECT_NE(test::positions(stale), before);
  EXPECT_EQ(test::at(stale, GA_ATTRIB_DETAIL, "stale"), 1);
  ASSERT_FALSE(net.solver->myWarnings.empty());
  EXPECT_NE(net.solver->myWarnings.back().find("stale"), std::string::npos);

  // Reset Simulation, through the button's own callback.
  for (const PRM_Template* t : net.solver->myTemplates)
    if (t->myParm.name == "resimulate") {
      PRM_Callback call = t->myCallback;
      EXPECT_TRUE(call.isNotNull());
      call(net.solver, 0, 0, t);
    }
  EXPECT_EQ(test::positions(net.cook(6)), before);
  EXPECT_TRUE(net.solver->myWarnings.empty());
}

TEST(Sop, AnimatedPinsAndCollidersAreReadEveryFrame) {
  const auto bodies = [](int frame) {
    GU_Detail detail = test::houdini_block();
    if (frame > 3) test::pin_left(detail);
    test::shift(detail, .01 * frame);
    return detail;
  };
  const auto floor = [](int frame) { return test::houdini_floor(-.4 + .04 * frame); };
  Network net(bodies, floor);
  const GU_Detail end = net.cook(14);
  expect_equal(end, from_core(bodies, 14, {}, floor));
  EXPECT_EQ(test::positions(end)[1], test::positions(bodies(14))[1])
      << "the pinned corner follows the animation";
  EXPECT_EQ(net.third->myCooked.size(), 15u) << "each frame of the colliders once, and back to the present";
  double touching = 0;
  for (int f = 5; f < 14; ++f) {
    const GU_Detail detail = net.cook(f);
    for (double c : detail.findAttribute(GA_ATTRIB_POINT, "contact")->myValues) touching += c;
  }
  EXPECT_GT(touching, 0);
}

TEST(Sop, AnimatedParametersAreEvaluatedAtTheirFrame) {
  Network net(pinned);
  net.solver->myValues["young"].number = [](int, fpreal time) { return 5000 + 50000 * time; };
  const std::vector<double> skipped = test::positions(net.cook(7));
  Network steady(pinned);
  steady.solver->myValues["young"].number = net.solver->myValues["young"].number;
  for (int f = 1; f < 7; ++f) steady.cook(f);
  EXPECT_EQ(test::positions(steady.cook(7)), skipped);
}

TEST(Sop, SaysErrorsAndWarningsOnTheNode) {
  Network negative([](int) {
    GU_Detail detail = test::houdini_block();
    test::set_everywhere(detail, "stiffness", -1);
    return detail;
  });
  negative.cook(2);
  ASSERT_EQ(negative.solver->myErrors.size(), 1u);
  EXPECT_NE(negative.solver->myErrors[0].find("'stiffness' is -1 at point 0"), std::string::npos)
      << negative.solver->myErrors[0];

  Network text([](int) {
    GU_Detail detail = test::houdini_block();
    detail.addStringTuple(GA_ATTRIB_POINT, "mass", 1);
    return detail;
  });
  text.cook(1);
  ASSERT_EQ(text.solver->myErrors.size(), 1u);
  EXPECT_NE(text.solver->myErrors[0].find("mass"), std::string::npos);

  Network sphere([](int) {
    GU_Detail detail = test::houdini_block();
    detail.addPrimitive(GEO_PRIMSPHERE, {0});
    return detail;
  });
  const GU_Detail out = sphere.cook(3);
  EXPECT_TRUE(sphere.solver->myErrors.empty());
  ASSERT_EQ(sphere.solver->myWarnings.size(), 1u);
  EXPECT_NE(sphere.solver->myWarnings[0].find("1 primitives of type Sphere"), std::string::npos);
  EXPECT_EQ(out.findAttribute(GA_ATTRIB_PRIMITIVE, "inverted")->myValues.size(),
            std::size_t(out.getNumPrimitives()));

  // Colliders that are not polygons get a word that helps.
  for (const auto& [type, advice] : {std::pair{GEO_PRIMVDB, "Convert VDB"},
                                     {GEO_PRIMVOLUME, "HeightField"},
                                     {GEO_NUM_INTERNAL_PRIM_TYPES, "Unpack"}}) {
    Network volume([](int) { return test::houdini_block(); },
                   [type = type](int) {
                     GU_Detail detail = test::houdini_floor(-1);
                     detail.addPrimitive(type, {0});
                     return detail;
                   });
    volume.cook(2);
    EXPECT_TRUE(volume.solver->myErrors.empty());
    ASSERT_EQ(volume.solver->myWarnings.size(), 1u);
    EXPECT_NE(volume.solver->myWarnings[0].find(advice), std::string::npos) << volume.solver->myWarnings[0];
  }

  Network clash([](int) {
    GU_Detail detail = test::houdini_block();
    detail.addStringTuple(GA_ATTRIB_POINT, "stress", 1);
    return detail;
  });
  clash.cook(1);
  ASSERT_EQ(clash.solver->myErrors.size(), 1u);
  EXPECT_NE(clash.solver->myErrors[0].find("'stress'"), std::string::npos);
}

TEST(Sop, CanBeInterruptedAndGoesOn) {
  // Each frame is asked about before its step and in every iteration.
  Network whole(pinned);
  UT_AutoInterrupt::thePercents.clear();
  whole.cook(9);
  const std::vector<int> percents = UT_AutoInterrupt::thePercents;
  EXPECT_TRUE(std::is_sorted(percents.begin(), percents.end()));
  const auto fifth = std::find(percents.begin(), percents.end(), 50);
  ASSERT_NE(fifth, percents.end());
  const int before = int(fifth - percents.begin());
  ASSERT_EQ(percents.at(std::size_t(before) + 1), 50) << "there is one from within the step";

  for (int within : {0, 1}) {
    Network net(pinned);
    UT_AutoInterrupt::theCallsLeft = before + within;
    net.cook(9);
    UT_AutoInterrupt::theCallsLeft = -1;
    EXPECT_TRUE(net.solver->myWarnings.empty());
    ASSERT_EQ(net.solver->myErrors.size(), 1u);
    EXPECT_NE(net.solver->myErrors[0].find("interrupted at frame 5"), std::string::npos)
        << net.solver->myErrors[0];
    EXPECT_EQ(net.solver->myGdh.gdp()->getNumPoints(), 0) << "never the input as it was";
    expect_equal(net.cook(9), from_core(pinned, 9));
  }
}

TEST(Sop, CooksTheAsynchronousIntegratorAndShowsItsProgress) {
  Network net([](int) { return test::houdini_block(); }, [](int) { return test::houdini_floor(-.2); });
  net.solver->setString("asynchronous", "integrator");
  double touching = 0;
  for (int f = 1; f <= 8; ++f) {
    const GU_Detail out = net.cook(f);
    ASSERT_TRUE(net.solver->myErrors.empty()) << net.solver->myErrors[0];
    for (double c : out.findAttribute(GA_ATTRIB_POINT, "contact")->myValues) touching += c;
  }
  EXPECT_GT(touching, 0) << "it has fallen 0.075 m onto the floor";
  UT_AutoInterrupt::thePercents.clear();
  net.solver->setFloat("integrator_safety", 0, 0, .0002);
  net.cook(2);
  const std::vector<int>& percents = UT_AutoInterrupt::thePercents;
  EXPECT_TRUE(std::is_sorted(percents.begin(), percents.end()));
  EXPECT_GT(std::set<int>(percents.begin(), percents.end()).size(), 3u) << "of one frame";
}

TEST(Sop, BumpsDataIdsOfWhatItWrites) {
  Network net(pinned);
  const GU_Detail out = net.cook(3);
  EXPECT_GT(out.getP()->getDataId(), 0);
  EXPECT_GT(out.findAttribute(GA_ATTRIB_POINT, "v")->getDataId(), 0);
  EXPECT_EQ(out.findAttribute(GA_ATTRIB_POINT, "pintoanimation")->getDataId(), 0);
  EXPECT_EQ(out.findAttribute(GA_ATTRIB_POINT, "v")->myType, GA_TYPE_VECTOR);
}

TEST(Sop, TellsTheLedgerInTheNodeInfo) {
  Network net(pinned);
  net.cook(5);
  OP_Context context;
  OP_NodeInfoParms info;
  net.solver->getNodeSpecificInfoText(context, info);
  for (const char* word : {"Frame 5", "Ledger error", "Contacts", "Cached frames   1 to 5"})
    EXPECT_NE(info.myText.find(word), std::string::npos) << info.myText;
}

TEST(Translation, TurnsTheWindingRound) {
  std::vector<std::string> warnings;
  const Geometry block = read_detail(test::houdini_block(), warnings);
  EXPECT_TRUE(warnings.empty());
  for (int i = 0; i < block.primitive_count(); ++i) {
    const int* p = &block.vertex_points[std::size_t(4 * i)];
    Mat3 edges;
    for (int k = 0; k < 3; ++k) edges.col(k) = block.position(p[k + 1]) - block.position(p[0]);
    EXPECT_GT(edges.col(0).dot(edges.col(1).cross(edges.col(2))), 0);
  }
}

}  // namespace
}  // namespace verve
