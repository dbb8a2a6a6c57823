// The DOP through the stand-in: objects, colliders, forces, copies, save and load.
#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "Network.h"
#include "SIM_VerveSolver.h"
#include "SIM_VerveState.h"

#include <SIM/SIM_Engine.h>
#include <SIM/SIM_Force.h>
#include <SIM/SIM_GeometryCopy.h>
#include <SIM/SIM_Object.h>
#include <SIM/SIM_ObjectArray.h>

class SIM_TestGravity : public SIM_Force {
 public:
  using SIM_Force::SIM_Force;

 protected:
  void getForceSubclass(const SIM_Object&, const UT_Vector3&, const UT_Vector3&, const UT_Vector3&,
                        const fpreal mass, UT_Vector3& force, UT_Vector3&) const override {
    force.assign(0, float(-9.81 * mass), 0);
  }
  DECLARE_DATAFACTORY(SIM_TestGravity, SIM_Force, "Gravity", nullptr)
};
class SIM_TestFolder : public SIM_Data {
 public:
  using SIM_Data::SIM_Data;
  DECLARE_DATAFACTORY(SIM_TestFolder, SIM_Data, "Folder", nullptr)
};

namespace verve {
namespace {

/// A DOP network with one soft object, gravity, and a floor that rises.
struct Dops {
  Dops() : object(1), floor(2) {
    initializeSIM(nullptr);
    SIM_GeometryCopy::createDataFactory();
    SIM_TestGravity::createDataFactory();
    SIM_TestFolder::createDataFactory();
    solver.reset(
        static_cast<SIM_SingleSolver*>(SIM_DataFactory::all().at("SIM_VerveSolver")->myMake(nullptr)));
    geometry(object).myDetail = std::make_shared<GU_Detail>(test::houdini_block());
    object.createNamedSubData(SIM_FORCES_DATANAME, "SIM_TestFolder", 0)
        ->createNamedSubData("gravity", "SIM_TestGravity", 0);
    object.myAffectors = {&object, &floor};
  }
  static SIM_GeometryCopy& geometry(SIM_Object& o) {
    return *SIM_DATA_CREATE(o, SIM_GEOMETRY_DATANAME, SIM_GeometryCopy, SIM_DATA_RETURN_EXISTING);
  }
  SIM_Solver::SIM_Result solve(bool begin = false) {
    geometry(floor).myDetail = std::make_shared<GU_Detail>(test::houdini_floor(0));
    geometry(floor).myTransform.setTranslates(0, -.3 + .01 * step++, 0);
    SIM_ObjectArray feedback;
    return solver->solveSingleObject(engine, object, feedback, SIM_Time(1 / 24.), begin);
  }
  std::vector<double> positions() { return geometry(object).myDetail->getP()->myValues; }

  SIM_Engine engine;
  SIM_Object object, floor;
  std::unique_ptr<SIM_SingleSolver> solver;
  int step = 0;
};

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

/// The object's constraint data at a step: its left end is pinned and rises, and a line holds two points.
void constrain(Dops& dops, const char* name) {
  auto* data = static_cast<SIM_GeometryCopy*>(dops.object.createNamedSubData(name, "SIM_GeometryCopy", 0));
  data->myDetail = std::make_shared<GU_Detail>();
  data->myDetail->setPoints(test::positions(test::houdini_block()));
  test::pin_left(*data->myDetail);
  test::shift(*data->myDetail, .02 * dops.step);
  data->myDetail->addPrimitive(GEO_PRIMPOLY, {4, 15}, false);
}

TEST(Dop, ConstraintsAndTargetsComeFromTheObjectsData) {
  Dops dops, other;
  other.solver->myOptions.setOptionS("constraintdata", "Strings");
  std::stringstream file;
  GU_Detail geometry;
  int step = 0;
  const auto between = [](const std::vector<double>& p) {
    return std::hypot(p[12] - p[45], p[13] - p[46], p[14] - p[47]);
  };
  for (int i = 0; i < 12; ++i) {
    constrain(dops, "ConstraintGeometry");
    constrain(other, "Strings");
    ASSERT_EQ(dops.solve(i == 0), SIM_Solver::SIM_SOLVER_SUCCESS) << dops.solver->myErrors.at(0);
    ASSERT_EQ(other.solve(i == 0), SIM_Solver::SIM_SOLVER_SUCCESS);
    EXPECT_EQ(other.positions(), dops.positions()) << i;
    if (i == 5) {
      dops.object.saveToStream(file);
      geometry = *Dops::geometry(dops.object).myDetail;
      step = dops.step;
    }
  }
  GU_Detail start = test::houdini_block();
  const std::vector<double> first = test::positions(start), last = dops.positions();
  EXPECT_NEAR(last[1], first[1] + .02 * 11, 1e-6) << "the pin follows the data";
  EXPECT_NEAR(between(last), between(first), 1e-6) << "the line keeps its length";
  Dops free;
  for (int i = 0; i < 12; ++i) free.solve(i == 0);
  EXPECT_GT(std::abs(between(free.positions()) - between(first)), 1e-5) << "which it would not by itself";

  Dops loaded;
  constrain(loaded, "ConstraintGeometry");
  loaded.solve(true);
  UT_IStream stream(file);
  ASSERT_TRUE(loaded.object.loadFromStream(stream));
  *Dops::geometry(loaded.object).myDetail = geometry;
  for (loaded.step = step; loaded.step < 12;) {
    constrain(loaded, "ConstraintGeometry");
    ASSERT_EQ(loaded.solve(), SIM_Solver::SIM_SOLVER_SUCCESS);
  }
  EXPECT_EQ(loaded.positions(), last) << "the length is that of the start, not of the load";
}

/// Two blocks that touch at a corner, at the origin; half of the left one is pinned, and every point has an
/// id.
GU_Detail two_blocks() {
  const std::vector<double> block = test::positions(test::houdini_block());
  const auto count = GA_Index(block.size() / 3);
  std::vector<double> both;
  for (double side : {-1., 1.})
    for (std::size_t i = 0; i < block.size(); ++i) both.push_back(block[i] + side * (i % 3 ? .125 : .5));
  GU_Detail detail;
  detail.setPoints(both);
  const GU_Detail one = test::houdini_block();
  for (GA_Index first : {GA_Index(0), count})
    for (GA_Iterator it(one.getPrimitiveRange()); !it.atEnd(); ++it) {
      std::vector<GA_Index> points = one.getGEOPrimitive(*it)->myPoints;
      for (GA_Index& p : points) p += first;
      detail.addPrimitive(GEO_PRIMTETRAHEDRON, points);
    }
  test::pin_left(detail);
  GA_Attribute* id = detail.addIntTuple(GA_ATTRIB_POINT, "id", 1);
  for (std::size_t i = 0; i < id->myValues.size(); ++i) id->myValues[i] = double(100 + i);
  return detail;
}

/// A line between the two points at the origin, which it finds by their ids: they are one place, so it welds.
void weld(Dops& dops, const std::array<std::size_t, 2>& points) {
  auto* data = static_cast<SIM_GeometryCopy*>(
      dops.object.createNamedSubData("ConstraintGeometry", "SIM_GeometryCopy", 0));
  data->myDetail = std::make_shared<GU_Detail>();
  data->myDetail->setPoints({0, 0, 0, 0, 0, 0});
  data->myDetail->addIntTuple(GA_ATTRIB_POINT, "id", 1)->myValues = {100. + double(points[0]),
                                                                     100. + double(points[1])};
  data->myDetail->addPrimitive(GEO_PRIMPOLY, {0, 1}, false);
}

TEST(Dop, AWeldHoldsTwoBodiesTogetherAlsoAfterALoad) {
  const GU_Detail start = two_blocks();
  std::array<std::size_t, 2> corner = {};
  std::size_t found = 0;
  for (std::size_t i = 0; i < test::positions(start).size() / 3; ++i) {
    const double* p = &test::positions(start)[3 * i];
    if (p[0] == 0 && p[1] == 0 && p[2] == 0) corner.at(found++) = i;
  }
  ASSERT_EQ(found, 2u);
  const auto apart = [&](Dops& dops) {
    const std::vector<double> p = dops.positions();
    const double *a = &p[3 * corner[0]], *b = &p[3 * corner[1]];
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  };
  const auto make = [&](Dops& dops) {
    Dops::geometry(dops.object).myDetail = std::make_shared<GU_Detail>(start);
    dops.object.myAffectors.clear();
  };

  Dops dops, loose;
  make(dops), make(loose);
  std::stringstream file;
  GU_Detail geometry;
  for (int i = 0; i < 12; ++i) {
    weld(dops, corner);
    ASSERT_EQ(dops.solve(i == 0), SIM_Solver::SIM_SOLVER_SUCCESS) << dops.solver->myErrors.at(0);
    ASSERT_EQ(loose.solve(i == 0), SIM_Solver::SIM_SOLVER_SUCCESS);
    EXPECT_LT(apart(dops), 1e-8) << i;
    if (i == 5) {
      dops.object.saveToStream(file);
      geometry = *Dops::geometry(dops.object).myDetail;
    }
  }
  EXPECT_LT(dops.positions()[3 * corner[0] + 1], -.01) << "the second block pulls the first one down";
  EXPECT_GT(apart(loose), .1) << "without the weld it falls";

  Dops loaded;
  make(loaded);
  weld(loaded, corner);
  loaded.solve(true);
  UT_IStream stream(file);
  ASSERT_TRUE(loaded.object.loadFromStream(stream));
  *Dops::geometry(loaded.object).myDetail = geometry;
  for (int i = 6; i < 12; ++i) {
    weld(loaded, corner);
    ASSERT_EQ(loaded.solve(), SIM_Solver::SIM_SOLVER_SUCCESS) << loaded.solver->myErrors.at(0);
    EXPECT_LT(apart(loaded), 1e-8) << i;
  }
  EXPECT_EQ(loaded.positions(), dops.positions());
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
