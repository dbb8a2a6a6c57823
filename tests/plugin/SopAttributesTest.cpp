// What the solver reads of its inputs comes to it from Houdini's details, on the elements that it looks at.
#include <GA/GA_Iterator.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "Network.h"
#include "parameters/Attributes.h"

namespace verve {
namespace {

namespace fs = std::filesystem;
using test::Network;

/// The names that the solver's table has, and those that its sources ask a geometry for.
std::set<std::string> names_of_the_solver() {
  const std::regex asks(
      "(?:find\\(Owner::\\w+|point_numbers\\(\\*?\\w+|point_multipliers\\(\\w+|bounded\\(\\w+|"
      "vectors\\(\\w+|points_where\\(\\w+|texts\\(\\w+|words\\(\\w+|numbers?\\(\\w+), \"(\\w+)\"");
  std::set<std::string> names;
  for (const AttributeEntry& entry : attributes())
    if (entry.door != AttributeDoor::written) names.insert(entry.name);
  const fs::path solver = fs::path(VERVE_SOURCE) / "solver";
  for (const char* room : {"simulation", "geometry", "node"})
    for (const auto& entry : fs::directory_iterator(solver / room)) {
      std::ifstream file(entry.path());
      std::stringstream text;
      text << file.rdbuf();
      const std::string code = text.str();
      for (std::sregex_iterator it(code.begin(), code.end(), asks), end; it != end; ++it)
        names.insert((*it)[1]);
    }
  return names;
}

TEST(SopAttributes, AllThatTheSolverLooksForIsRead) {
  const std::set<std::string> texts = {"name", "collisiongroup", "collisionignore", "type", "breaktype"};
  const std::set<std::string> names = names_of_the_solver();
  EXPECT_GT(names.size(), 25u);
  for (const char* known : {"breakthreshold", "warp", "uv", "targetweight", "restlength"})
    EXPECT_TRUE(names.count(known)) << known << " is not found";
  for (const std::string& name : names) {
    if (name == "P") continue;
    GU_Detail detail = test::houdini_floor(0);
    for (GA_AttributeOwner owner : {GA_ATTRIB_POINT, GA_ATTRIB_VERTEX, GA_ATTRIB_PRIMITIVE}) {
      if (texts.count(name))
        detail.addStringTuple(owner, name, 1);
      else
        detail.addFloatTuple(owner, name, 3);
    }
    std::vector<std::string> warnings;
    const Geometry read = read_detail(detail, warnings);
    bool found = false;
    for (const auto& list : read.attributes)
      for (const Attribute& a : list) found = found || a.name == name;
    EXPECT_TRUE(found) << name;
  }
}

TEST(SopAttributes, VertexUvsTurnRoundWithTheWinding) {
  GU_Detail detail;
  detail.setPoints({0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 2, 0, 0});
  detail.addPrimitive(GEO_PRIMSPHERE, {0});
  detail.addPrimitive(GEO_PRIMPOLY, {0, 1, 2, 3});
  detail.addPrimitive(GEO_PRIMPOLY, {1, 4, 2});
  GA_Attribute* uv = detail.addFloatTuple(GA_ATTRIB_VERTEX, "uv", 3);
  std::size_t vertex = 0;
  for (int point : {0, 0, 1, 2, 3, 1, 4, 2})
    for (std::size_t k = 0; k < 3; ++k)
      uv->myValues[3 * vertex + k] = detail.getP()->myValues[std::size_t(3 * point) + k], vertex += k == 2;
  std::vector<std::string> warnings;
  const Geometry read = read_detail(detail, warnings);
  const Attribute* values = read.find(Owner::Vertex, "uv");
  ASSERT_TRUE(values);
  ASSERT_EQ(values->size(), 3 * read.vertex_points.size());
  EXPECT_NE(read.vertex_points[1], 1) << "the other way round";
  for (std::size_t j = 0; j < read.vertex_points.size(); ++j)
    for (int k = 0; k < 3; ++k)
      EXPECT_EQ(values->number(3 * j + std::size_t(k)), read.position(read.vertex_points[j])[k]) << j;
}

TEST(SopAttributes, DirectionsAndPlacesGoToWorldSpace) {
  GU_Detail detail = test::houdini_floor(0);
  for (const char* name : {"v", "wind", "targetP", "rest"})
    for (double& value : detail.addFloatTuple(GA_ATTRIB_POINT, name, 3)->myValues) value = 1;
  UT_DMatrix4 turned;  // a quarter turn about z, and then away along x
  turned.m[0][0] = turned.m[1][1] = 0;
  turned.m[0][1] = 1, turned.m[1][0] = -1, turned.m[3][0] = 5;
  std::vector<std::string> warnings;
  const Geometry read = read_detail(detail, warnings, &turned);
  const auto first = [&](const char* name) {
    const Attribute* a = read.find(Owner::Point, name);
    return Vec3(a->number(0), a->number(1), a->number(2));
  };
  EXPECT_EQ(first("v"), Vec3(-1, 1, 1));
  EXPECT_EQ(first("wind"), Vec3(-1, 1, 1));
  EXPECT_EQ(first("targetP"), Vec3(4, 1, 1));
  EXPECT_EQ(first("rest"), Vec3(1, 1, 1)) << "shapes have no place";
}

/// Two blocks, the upper of which is pinned; stitches hold the lower one to it.
GU_Detail hanging(int) {
  GU_Detail detail = test::houdini_block();
  const std::vector<double> block = test::positions(detail);
  std::vector<double> both = block;
  for (std::size_t i = 0; i < block.size(); ++i) both.push_back(block[i] - (i % 3 == 1 ? .4 : 0));
  const auto count = GA_Index(block.size() / 3);
  GU_Detail two;
  two.setPoints(both);
  for (GA_Index first : {GA_Index(0), count})
    for (GA_Iterator it(detail.getPrimitiveRange()); !it.atEnd(); ++it) {
      std::vector<GA_Index> points = detail.getGEOPrimitive(*it)->myPoints;
      for (GA_Index& p : points) p += first;
      two.addPrimitive(GEO_PRIMTETRAHEDRON, points);
    }
  GA_Attribute* pin = two.addIntTuple(GA_ATTRIB_POINT, "pintoanimation", 1);
  for (std::size_t i = 0; i < std::size_t(count); ++i) pin->myValues[i] = 1;
  return two;
}

/// Where the lower block is after half a second; the weight that the stitches carry is 6.25 kg.
double height(double threshold, const char* type) {
  const auto stitches = [=](int frame) {
    GU_Detail two = hanging(frame), detail;
    detail.setPoints(test::positions(two));
    const GA_Index count = two.getNumPoints() / 2;
    for (GA_Index i = 0; i < count; ++i) detail.addPrimitive(GEO_PRIMPOLY, {i, i + count}, false);
    const auto lines = std::size_t(detail.getNumPrimitives());
    detail.addStringTuple(GA_ATTRIB_PRIMITIVE, "type", 1)->myStrings.assign(lines, "attach");
    detail.addFloatTuple(GA_ATTRIB_PRIMITIVE, "stiffness", 1)->myValues.assign(lines, 2000);
    detail.addFloatTuple(GA_ATTRIB_PRIMITIVE, "breakthreshold", 1)->myValues.assign(lines, threshold);
    detail.addStringTuple(GA_ATTRIB_PRIMITIVE, "breaktype", 1)->myStrings.assign(lines, type);
    return detail;
  };
  Network net(hanging, {}, stitches);
  const GU_Detail out = net.cook(13);
  EXPECT_TRUE(net.solver->myErrors.empty()) << net.solver->myErrors.at(0);
  double sum = 0;
  const auto& places = out.getP()->myValues;
  for (std::size_t i = places.size() / 2 + 1; i < places.size(); i += 3) sum += places[i];
  return sum / (double(places.size()) / 6);
}

TEST(SopAttributes, StitchesBreakAtWhatTheirPrimitivesSay) {
  // 3 N hang on each of 20 stitches of 2000 N/m, twice that while it swings: 3 mm, which is 0.8 % of 0.4 m.
  const double held = height(-1, "stretchstress");
  EXPECT_GT(held, -.45);
  EXPECT_EQ(height(1000, "stretchstress"), held);
  EXPECT_EQ(height(.1, "stretchdistance"), held);
  EXPECT_LT(height(.5, "stretchstress"), held - .5);
  EXPECT_LT(height(.0002, "stretchdistance"), held - .5);
  EXPECT_LT(height(.0005, "stretchratio"), held - .5);
}

}  // namespace
}  // namespace verve
