// Constraints that come to the DOP as data of the object: pins, lines and welds.
#include <GA/GA_Iterator.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "Dops.h"

namespace verve {
namespace {

using test::Dops;

/// The object's constraint data at a step: its left end is pinned and rises, and a line holds two points.
void constrain(Dops& dops, const char* name) {
  auto* data = static_cast<SIM_GeometryCopy*>(dops.object.createNamedSubData(name, "SIM_GeometryCopy", 0));
  data->myDetail = std::make_shared<GU_Detail>();
  data->myDetail->setPoints(test::positions(test::houdini_block()));
  test::pin_left(*data->myDetail);
  test::shift(*data->myDetail, .02 * dops.step);
  data->myDetail->addPrimitive(GEO_PRIMPOLY, {4, 15}, false);
}

TEST(DopConstraints, ConstraintsAndTargetsComeFromTheObjectsData) {
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

/// With a gap of some roundings between the points that are welded.
class Weld : public ::testing::TestWithParam<double> {};

TEST_P(Weld, HoldsTwoBodiesTogetherAlsoAfterALoad) {
  GU_Detail start = two_blocks();
  std::array<std::size_t, 2> corner = {};
  std::size_t found = 0;
  const std::vector<double> places = test::positions(start);
  for (std::size_t i = 0; i < places.size() / 3; ++i) {
    const double* p = &places[3 * i];
    if (p[0] == 0 && p[1] == 0 && p[2] == 0) corner.at(found++) = i;
  }
  ASSERT_EQ(found, 2u);
  start.getP()->myValues[3 * corner[1] + 1] = float(GetParam());
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

INSTANTIATE_TEST_SUITE_P(DopConstraints, Weld, ::testing::Values(0., 1e-8, 3e-7));

}  // namespace
}  // namespace verve
