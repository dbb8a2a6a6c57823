// The DOP through the stand-in: objects, colliders, forces, copies, save and load.
#include <UT/UT_Interrupt.h>
#include <gtest/gtest.h>

#include <sstream>

#include "Dops.h"

namespace verve {
namespace {

using test::Dops;

TEST(Dop, IsRegisteredWithTheSameDialog) {
  Dops dops;
  const SIM_DopDescription* d = SIM_DataFactory::all().at("SIM_VerveSolver")->myDescription;
  ASSERT_TRUE(d);
  EXPECT_EQ(d->myOpName, "verve_solver");
  const PRM_Template* t = d->myTemplates;
  for (const char* name : {"resimulate", "reset", "startframe", "timescale", "substeps"})
    EXPECT_EQ((t++)->myParm.name, name);
  EXPECT_TRUE(d->myTemplates[0].myParm.invisible) << "the network has its own reset";
  EXPECT_FALSE(d->myTemplates[4].myParm.invisible);
}

TEST(Dop, FallsUnderTheNetworksForcesAndLandsOnAffectors) {
  Dops dops;
  ASSERT_EQ(dops.solve(true), SIM_Solver::SIM_SOLVER_SUCCESS);
  const std::vector<double> start = dops.positions();
  ASSERT_EQ(dops.solve(), SIM_Solver::SIM_SOLVER_SUCCESS);
  const double fall = .5 * 9.81 / 24 / 24;
  for (std::size_t i = 1; i < start.size(); i += 3) EXPECT_NEAR(dops.positions()[i], start[i] - fall, 1e-5);
  double touching = 0;
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(dops.solve(), SIM_Solver::SIM_SOLVER_SUCCESS)
        << (dops.solver->myErrors.empty() ? "" : dops.solver->myErrors[0]);
    for (double c : Dops::geometry(dops.object).myDetail->findAttribute(GA_ATTRIB_POINT, "contact")->myValues)
      touching += c;
  }
  EXPECT_GT(touching, 0);
  double lowest = 9;
  for (std::size_t i = 1; i < start.size(); i += 3) lowest = std::min(lowest, dops.positions()[i]);
  EXPECT_GT(lowest, -.6) << "the floor holds it";
  EXPECT_TRUE(Dops::geometry(dops.object).myDetail->findAttribute(GA_ATTRIB_POINT, "rest"));
}

TEST(Dop, ResumesExactlyFromCopiesAndStreams) {
  Dops dops;
  dops.solve(true);
  for (int i = 0; i < 8; ++i) dops.solve();
  // The cache keeps a copy of the object; a .sim file holds its bytes.
  SIM_Object kept(1);
  kept.makeEqual(dops.object);
  std::stringstream file;
  dops.object.saveToStream(file);
  const GU_Detail geometry = *Dops::geometry(dops.object).myDetail;
  const int step = dops.step;
  for (int i = 0; i < 6; ++i) dops.solve();
  const std::vector<double> end = dops.positions();

  Dops copied;
  copied.object.makeEqual(kept);
  copied.object.myAffectors = {&copied.floor};
  copied.step = step;
  for (int i = 0; i < 6; ++i) ASSERT_EQ(copied.solve(), SIM_Solver::SIM_SOLVER_SUCCESS);
  EXPECT_EQ(copied.positions(), end);

  Dops loaded;
  loaded.solve(true);
  UT_IStream stream(file);
  ASSERT_TRUE(loaded.object.loadFromStream(stream));
  *Dops::geometry(loaded.object).myDetail = geometry;
  loaded.step = step;
  for (int i = 0; i < 6; ++i) ASSERT_EQ(loaded.solve(), SIM_Solver::SIM_SOLVER_SUCCESS);
  EXPECT_EQ(loaded.positions(), end);
}

TEST(Dop, ADamagedStreamIsRefused) {
  Dops dops;
  dops.solve(true);
  std::stringstream file;
  dops.object.saveToStream(file);
  std::string bytes = file.str();
  std::istringstream cut(bytes.substr(0, bytes.size() / 2));
  UT_IStream cut_stream(cut);
  EXPECT_FALSE(dops.object.loadFromStream(cut_stream));
  bytes[bytes.size() / 2] ^= 1;
  std::istringstream wrong(bytes);
  UT_IStream wrong_stream(wrong);
  EXPECT_FALSE(dops.object.loadFromStream(wrong_stream));
}

TEST(Dop, ParametersAndErrorsAndTransforms) {
  Dops dops;
  dops.solver->myOptions.setOptionF("young", -1);
  EXPECT_EQ(dops.solve(true), SIM_Solver::SIM_SOLVER_FAIL);
  ASSERT_EQ(dops.solver->myErrors.size(), 1u);
  EXPECT_NE(dops.solver->myErrors[0].find("young"), std::string::npos);

  // An object that its transform places elsewhere moves in world space.
  Dops placed, plain;
  Dops::geometry(placed.object).myTransform.setTranslates(0, 0, .5);
  placed.solve(true), plain.solve(true);
  for (int i = 0; i < 3; ++i) placed.solve(), plain.solve();
  for (std::size_t i = 0; i < plain.positions().size(); ++i)
    EXPECT_NEAR(placed.positions()[i], plain.positions()[i], 1e-5);
}

TEST(Dop, ForcesAreAskedForAllPointsAtOnceOrOneByOne) {
  Dops at_once, one_by_one;
  SIM_TestGravity::theSets = 0;
  at_once.solve(true);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(at_once.solve(), SIM_Solver::SIM_SOLVER_SUCCESS);
  EXPECT_GE(SIM_TestGravity::theSets, 3);
  EXPECT_LE(SIM_TestGravity::theSets, 4) << "once a step, however many points there are";
  SIM_TestGravity::theRefusesSets = true;
  one_by_one.solve(true);
  for (int i = 0; i < 3; ++i) one_by_one.solve();
  SIM_TestGravity::theRefusesSets = false;
  EXPECT_EQ(at_once.positions(), one_by_one.positions());
}

TEST(Dop, GuidesShowWhatTheStepHasTouched) {
  Dops dops;
  ASSERT_TRUE(SIM_DataFactory::all().at("SIM_VerveSolver")->myDescription->myGuideTemplates);
  EXPECT_EQ(SIM_DataFactory::all().at("SIM_VerveSolver")->myDescription->myGuideTemplates->myParm.name,
            "showguide");
  dops.solver->myOptions.setOptionS("guides", "all");
  dops.solver->myOptions.setOptionF("thickness", .02);
  dops.solver->myGuideOptions.setOptionF("showguide", 1);
  dops.solve(true);
  double time = 0;
  const auto lines = [&](Dops& of) { return of.solver->guide(of.object, time).gdp()->getNumPrimitives(); };
  EXPECT_EQ(lines(dops), 5) << "the edges of the floor's two triangles";
  double touched = 0;
  for (int i = 0; i < 30 && touched == 0; ++i) {
    ASSERT_EQ(dops.solve(), SIM_Solver::SIM_SOLVER_SUCCESS);
    for (double c : Dops::geometry(dops.object).myDetail->findAttribute(GA_ATTRIB_POINT, "contact")->myValues)
      touched += c;
  }
  EXPECT_EQ(lines(dops), 5) << "of the same time";
  time = 1;
  ASSERT_GT(touched, 0);
  EXPECT_EQ(double(lines(dops)), 5 + 3 * touched) << "and a cross at each point that it holds";

  Dops copied;  // a frame that comes from the network's cache
  copied.solver->myGuideOptions.setOptionF("showguide", 1);
  copied.object.makeEqual(dops.object);
  EXPECT_EQ(lines(copied), lines(dops));
  copied.solver->myGuideOptions.setOptionF("showguide", 0);
  time += 1;
  EXPECT_EQ(lines(copied), 0);
  EXPECT_EQ(dops.solver->guide(dops.floor, time).gdp()->getNumPrimitives(), 0) << "it has no state";
}

TEST(Dop, AnInterruptedStepChangesNothing) {
  Dops dops, whole;
  dops.solve(true), whole.solve(true);
  dops.solve(), whole.solve();
  const std::vector<double> before = dops.positions();
  UT_AutoInterrupt::theCallsLeft = 0;
  EXPECT_EQ(dops.solve(), SIM_Solver::SIM_SOLVER_FAIL);
  UT_AutoInterrupt::theCallsLeft = -1;
  EXPECT_EQ(dops.positions(), before);
  --dops.step;
  dops.solve(), whole.solve();
  EXPECT_EQ(dops.positions(), whole.positions());
}

}  // namespace
}  // namespace verve
