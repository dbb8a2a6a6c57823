// Several objects in one DOP network: they meet both ways, come and go, and are resumed.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "Dops.h"

namespace verve {
namespace {

using test::Dops;

/// Two blocks that fly at each other along x, 0.1 m apart, with nothing else around.
struct Pair : Dops {
  Pair() : second(3) {
    object.mySubData.erase(SIM_FORCES_DATANAME);
    const auto place = [](SIM_Object& o, double x, double speed) {
      auto detail = std::make_shared<GU_Detail>(test::houdini_block());
      for (std::size_t i = 0; i < detail->getP()->myValues.size(); i += 3)
        detail->getP()->myValues[i] = float(detail->getP()->myValues[i] + x);
      GA_Attribute* v = detail->addFloatTuple(GA_ATTRIB_POINT, "v", 3);
      for (std::size_t i = 0; i < v->myValues.size(); i += 3) v->myValues[i] = speed;
      geometry(o).myDetail = detail;
    };
    place(object, -.55, 1);
    place(second, .55, -1);
    solver->myOptions.setOptionF("substeps", 1);
    object.myAffectors = {&object, &second};
    second.myAffectors = {&object, &second};
  }
  SIM_Solver::SIM_Result go(bool begin = false) {
    const std::vector<SIM_Object*> both = {&second, &object};
    return solve(both, begin ? both : std::vector<SIM_Object*>{});
  }
  static double mean(SIM_Object& o, const char* name, std::size_t k = 0) {
    const auto& values = geometry(o).myDetail->findAttribute(GA_ATTRIB_POINT, name)->myValues;
    double sum = 0;
    for (std::size_t i = k; i < values.size(); i += 3) sum += values[i];
    return sum / double(values.size() / 3);
  }
  static double momentum(SIM_Object& o) {
    const GU_Detail& detail = *geometry(o).myDetail;
    NodeFrame frame;
    std::vector<std::string> warnings;
    frame.settings = node_settings({});
    frame.bodies = std::make_shared<Geometry>(read_detail(detail, warnings));
    const std::vector<double> masses = StepNode::point_masses(frame);
    double sum = 0;
    for (std::size_t i = 0; i < masses.size(); ++i)
      sum += masses[i] * detail.findAttribute(GA_ATTRIB_POINT, "v")->myValues[3 * i];
    return sum;
  }
  SIM_Object second;
};

TEST(DopMeet, TwoObjectsPushEachOtherBothWays) {
  Pair pair;
  ASSERT_EQ(pair.go(true), SIM_Solver::SIM_SOLVER_SUCCESS);
  double touching[2] = {0, 0};
  for (int i = 0; i < 12; ++i) {
    ASSERT_EQ(pair.go(), SIM_Solver::SIM_SOLVER_SUCCESS) << pair.solver->myErrors.at(0);
    int n = 0;
    for (SIM_Object* o : {&pair.object, &pair.second})
      for (double c : Dops::geometry(*o).myDetail->findAttribute(GA_ATTRIB_POINT, "contact")->myValues)
        touching[n++ / 20] += c;
    // Equal masses at opposite speeds: no momentum in all. 40 points of 0.3 kg whose v are rounded by 6e-8
    // m/s at most in each step may add up to 7e-7 kg m/s a step.
    EXPECT_NEAR(Pair::momentum(pair.object) + Pair::momentum(pair.second), 0, 7e-7 * (i + 1)) << i;
  }
  EXPECT_LT(Pair::mean(pair.object, "v"), -.1) << "it has turned round";
  EXPECT_GT(Pair::mean(pair.second, "v"), .1) << "and so has the other";
  EXPECT_GT(touching[0], 0);
  EXPECT_GT(touching[1], 0);
  EXPECT_LT(Pair::mean(pair.object, "P"), Pair::mean(pair.second, "P"));
}

TEST(DopMeet, OneThatAffectsTheOtherOneWayIsACollider) {
  Pair pair;
  pair.second.myAffectors = {&pair.second};
  for (double& v : Dops::geometry(pair.second).myDetail->findAttribute(GA_ATTRIB_POINT, "v")->myValues) v = 0;
  ASSERT_EQ(pair.solve({&pair.second}, {&pair.second}), SIM_Solver::SIM_SOLVER_SUCCESS);
  ASSERT_EQ(pair.solve({&pair.object}, {&pair.object}), SIM_Solver::SIM_SOLVER_SUCCESS);
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(pair.solve({&pair.second}, {}), SIM_Solver::SIM_SOLVER_SUCCESS);
    ASSERT_EQ(pair.solve({&pair.object}, {}), SIM_Solver::SIM_SOLVER_SUCCESS) << pair.solver->myErrors.at(0);
  }
  EXPECT_EQ(Pair::mean(pair.second, "v"), 0) << "nothing moves it";
  EXPECT_LT(Pair::mean(pair.object, "v"), -.1) << "and the other comes back from it";
}

TEST(DopMeet, AnObjectThatComesLaterJoins) {
  Pair pair;
  pair.object.myAffectors = {&pair.object};
  ASSERT_EQ(pair.solve({&pair.object}, {&pair.object}), SIM_Solver::SIM_SOLVER_SUCCESS);
  pair.solve({&pair.object}, {});
  const double before = Pair::mean(pair.object, "P");
  pair.object.myAffectors = {&pair.object, &pair.second};
  ASSERT_EQ(pair.solve({&pair.object, &pair.second}, {&pair.second}), SIM_Solver::SIM_SOLVER_SUCCESS)
      << pair.solver->myErrors.at(0);
  EXPECT_GT(Pair::mean(pair.object, "P"), before + .5 / 24) << "the first one does not wait";
  for (int i = 0; i < 12; ++i) ASSERT_EQ(pair.go(), SIM_Solver::SIM_SOLVER_SUCCESS);
  EXPECT_LT(Pair::mean(pair.object, "v"), -.1);
  EXPECT_GT(Pair::mean(pair.second, "v"), .1);
}

TEST(DopMeet, ResumesFromCopiesAndStreams) {
  Pair pair;
  pair.go(true);
  for (int i = 0; i < 4; ++i) pair.go();
  SIM_Object kept[2] = {SIM_Object(1), SIM_Object(3)};
  kept[0].makeEqual(pair.object), kept[1].makeEqual(pair.second);
  std::stringstream file;
  pair.object.saveToStream(file);
  for (int i = 0; i < 6; ++i) pair.go();
  const auto end = pair.positions();
  Pair copied;
  copied.object.makeEqual(kept[0]), copied.second.makeEqual(kept[1]);
  for (int i = 0; i < 6; ++i) ASSERT_EQ(copied.go(), SIM_Solver::SIM_SOLVER_SUCCESS);
  EXPECT_EQ(copied.positions(), end);

  Pair loaded;
  loaded.go(true);
  UT_IStream stream(file);
  ASSERT_TRUE(loaded.object.loadFromStream(stream));
  *Dops::geometry(loaded.object).myDetail = *Dops::geometry(kept[0]).myDetail;
  *Dops::geometry(loaded.second).myDetail = *Dops::geometry(kept[1]).myDetail;
  for (int i = 0; i < 6; ++i) ASSERT_EQ(loaded.go(), SIM_Solver::SIM_SOLVER_SUCCESS);
  EXPECT_EQ(loaded.positions(), end);
}

TEST(DopMeet, PinsOfOneObjectStayItsOwn) {
  Pair pair;
  auto* data = static_cast<SIM_GeometryCopy*>(
      pair.second.createNamedSubData("ConstraintGeometry", "SIM_GeometryCopy", 0));
  data->myDetail = std::make_shared<GU_Detail>(*Dops::geometry(pair.second).myDetail);
  GA_Attribute* pin = data->myDetail->addIntTuple(GA_ATTRIB_POINT, "pintoanimation", 1);
  for (double& p : pin->myValues) p = 1;
  const std::vector<double> held = Dops::geometry(pair.second).myDetail->getP()->myValues;
  pair.go(true);
  for (int i = 0; i < 4; ++i)
    ASSERT_EQ(pair.go(), SIM_Solver::SIM_SOLVER_SUCCESS) << pair.solver->myErrors.at(0);
  EXPECT_EQ(Dops::geometry(pair.second).myDetail->getP()->myValues, held);
  EXPECT_NE(pair.positions()[0], held[0]);
  data->myDetail->setPoints({0, 0, 0});
  EXPECT_EQ(pair.go(), SIM_Solver::SIM_SOLVER_FAIL);
  EXPECT_NE(pair.solver->myErrors.at(0).find("object 3"), std::string::npos) << pair.solver->myErrors[0];
}

TEST(DopState, EveryStepSaysThatTheStateHasChanged) {
  Dops dops;
  dops.solve(true);
  const auto count = [&] { return dops.object.mySubData.at("VerveState")->myModifications; };
  for (int i = 0; i < 3; ++i) {
    const int before = count();
    dops.solve();
    EXPECT_GT(count(), before) << i;
  }
}

TEST(DopForces, ForcesAndWindOfPopNodesCountForOneStep) {
  Dops plain, pushed;
  for (Dops* d : {&plain, &pushed}) {
    d->object.mySubData.erase(SIM_FORCES_DATANAME);
    d->object.myAffectors.clear();
    d->solve(true);
  }

  GU_Detail& detail = *Dops::geometry(pushed.object).myDetail;
  GA_Attribute* resist = detail.addFloatTuple(GA_ATTRIB_POINT, "airresist", 1);
  GA_Attribute* wind = detail.addFloatTuple(GA_ATTRIB_POINT, "targetv", 3);
  for (double& r : resist->myValues) r = 1e6;  // so much that every point moves with the wind at once
  for (std::size_t i = 2; i < wind->myValues.size(); i += 3) wind->myValues[i] = .25;
  pushed.solve();
  const auto& v = Dops::geometry(pushed.object).myDetail->findAttribute(GA_ATTRIB_POINT, "v")->myValues;
  for (std::size_t i = 2; i < v.size(); i += 3) EXPECT_NEAR(v[i], .25, 1e-4);

  GA_Attribute* force = Dops::geometry(plain.object).myDetail->addFloatTuple(GA_ATTRIB_POINT, "force", 3);
  for (std::size_t i = 2; i < force->myValues.size(); i += 3) force->myValues[i] = 1;
  plain.solve();
  const GU_Detail after = *Dops::geometry(plain.object).myDetail;
  for (double f : after.findAttribute(GA_ATTRIB_POINT, "force")->myValues) EXPECT_EQ(f, 0);
  // 20 points with 1 N each push 6.25 kg for 1/24 s.
  double momentum = 0;
  const auto& moved = after.findAttribute(GA_ATTRIB_POINT, "v")->myValues;
  NodeFrame frame;
  std::vector<std::string> warnings;
  frame.settings = node_settings({});
  frame.bodies = std::make_shared<Geometry>(read_detail(after, warnings));
  const std::vector<double> masses = StepNode::point_masses(frame);
  for (std::size_t i = 0; i < masses.size(); ++i) momentum += masses[i] * moved[3 * i + 2];
  EXPECT_NEAR(momentum, 20 / 24., 1e-5);
}

}  // namespace
}  // namespace verve
