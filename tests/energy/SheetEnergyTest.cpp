#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "FiniteDifference.h"
#include "energy/BendingEnergy.h"
#include "energy/MembraneEnergy.h"
#include "energy/SheetRest.h"
#include "mesh/Shapes.h"

namespace verve {
namespace {

Vector stacked(const std::vector<Vec3>& points) {
  Vector x(3 * Eigen::Index(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) point(x, int(i)) = points[i];
  return x;
}

/// A sheet or a dome of uneven triangles, of a material without symmetry that changes from triangle to
/// triangle.
struct Sheet {
  Vector rest;
  std::vector<std::array<int, 3>> triangles;
  std::vector<SheetMaterial> material;

  explicit Sheet(bool dome) {
    TriangleMesh mesh = make_sheet({1, .8}, {4, 3});
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
      Vec3& p = mesh.points[i];
      p[0] += 0.04 * std::sin(5.0 * double(i)), p[2] += 0.04 * std::cos(7.0 * double(i));
      if (dome) p[1] = 0.3 - 0.5 * p[0] * p[0] - 0.3 * p[2] * p[2] + 0.2 * p[0] * p[2];
    }
    rest = stacked(mesh.points);
    triangles = mesh.triangles;
    for (std::size_t e = 0; e < triangles.size(); ++e) {
      SheetMaterial m;
      m.stretch = woven_law(30.0 + double(e), 20.0, 7.0, 0.3);
      m.bend = woven_law(0.3 + 0.01 * double(e), 0.2, 0.1, 0.25);
      m.warp_limit = 0.05 + 0.001 * double(e), m.weft_limit = 0.08;
      m.density = 0.2;
      m.warp = Vec3(1, 0.1, 0.4);
      material.push_back(m);
    }
  }
  Vector shape(double seed, double amount = 0.1) const {
    Vector x = rest;
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] += amount * std::sin(seed * double(i + 1));
    return x;
  }
};

std::unique_ptr<Energy> make(const std::string& kind, const Sheet& s, int parts = 1) {
  const Partition partition = partition_points(s.rest, parts);
  if (kind == "membrane") return make_membrane_energy(s.rest, s.triangles, s.material, partition);
  if (kind == "limit") return make_strain_limit(s.rest, s.triangles, s.material, partition);
  std::vector<std::unique_ptr<Energy>> all;
  append_bending(s.rest, s.triangles, s.material, partition, all);
  EXPECT_EQ(all.size(), 1u);
  return std::move(all[0]);
}

/// A membrane, or bending, whose rest shape and law are no longer what they were made with.
std::unique_ptr<Energy> make_changed(const std::string& kind, const Sheet& s) {
  const Partition partition = partition_points(s.rest, 2);
  std::vector<std::unique_ptr<Energy>> all;
  if (kind == "membrane")
    all.push_back(make_membrane_energy(s.rest, s.triangles, s.material, partition));
  else
    append_bending(s.rest, s.triangles, s.material, partition, all, std::vector<char>(s.triangles.size(), 1));
  EXPECT_EQ(all.size(), 1u);
  std::vector<double> constants(std::size_t(all[0]->elements() * all[0]->constants()));
  all[0]->get_constants(constants.data());
  for (std::size_t i = 0; i < constants.size(); ++i)
    constants[i] = (i % 8 < 3 ? constants[i] + 0.1 * std::sin(double(i)) : 1.3 * constants[i]);
  all[0]->set_constants(constants.data());
  return std::move(all[0]);
}

TEST(ChangedSheet, DerivativesMatchFiniteDifferencesAndTheEnergyStays) {
  for (const char* kind : {"membrane", "bending"}) {
    const Sheet sheet{false};
    const auto energy = make_changed(kind, sheet);
    test::check_derivatives(*energy, {{}, {{1.0, 1.0}}}, sheet.shape(1.0));
    const Chord chord{sheet.shape(8.0), {{0.5, 2.0 / 3.0}, {1.0, 1.0 / 12.0}}, 1.0 / 6.0, true};
    test::check_derivatives(*energy, chord, sheet.shape(1.0));
    const Vector x = sheet.shape(1.0);
    Vector force = Vector::Zero(x.size()), start = force;
    energy->evaluate(chord, x, &force);
    energy->at(chord.x0, &start);
    force = force / chord.average_weight() + chord.start_share * start;
    const double before = energy->at(chord.x0), after = energy->at(x);
    EXPECT_NEAR(force.dot(x - chord.x0), after - before, 1e-12 * (before + after)) << kind;
  }
}

TEST(ChangedSheet, KnowsItsPresentShapeAndIsAtRestInIt) {
  const Sheet sheet{false};
  const auto energy = make_changed("membrane", sheet);
  const Vector x = sheet.shape(3.0);
  std::vector<double> constants(std::size_t(energy->elements() * 8)),
      present(std::size_t(energy->elements() * 3));
  energy->get_constants(constants.data());
  dynamic_cast<const SheetRest&>(*energy).present(x, present.data());
  for (int e = 0; e < energy->elements(); ++e) std::copy_n(&present[3 * e], 3, &constants[8 * e]);
  energy->set_constants(constants.data());
  Vector force = Vector::Zero(x.size());
  EXPECT_EQ(energy->at(x, &force), 0.0);
  EXPECT_EQ(force.norm(), 0.0);
}

class EverySheet : public testing::TestWithParam<std::string> {
 protected:
  Sheet sheet{GetParam() == "shell"};
};

TEST_P(EverySheet, DerivativesMatchFiniteDifferences) {
  for (double seed : {1.0, 2.0})
    for (int parts : {1, 3}) {
      const auto energy = make(GetParam(), sheet, parts);
      test::check_derivatives(*energy, {{}, {{1.0, 1.0}}}, sheet.shape(seed));
      test::check_derivatives(*energy, {sheet.shape(seed + 7), {{0.5, 0.7}, {1.0, 0.1}}}, sheet.shape(seed));
      test::check_derivatives(*energy,
                              {sheet.shape(seed + 7), {{0.5, 2.0 / 3.0}, {1.0, 1.0 / 12.0}}, 1.0 / 6.0, true},
                              sheet.shape(seed));
    }
}

TEST_P(EverySheet, AveragingRuleKeepsTheEnergy) {
  const auto energy = make(GetParam(), sheet);
  for (double seed : {1.0, 2.0, 3.0, 4.0}) {
    const Chord chord{
        sheet.shape(seed + 7, 0.03 * seed), {{0.5, 2.0 / 3.0}, {1.0, 1.0 / 12.0}}, 1.0 / 6.0, true};
    const Vector x = sheet.shape(seed);
    Vector force = Vector::Zero(x.size()), start = force;
    energy->evaluate(chord, x, &force);
    energy->at(chord.x0, &start);
    force = force / chord.average_weight() + chord.start_share * start;
    const double before = energy->at(chord.x0), after = energy->at(x);
    EXPECT_NEAR(force.dot(x - chord.x0), after - before, 1e-12 * (before + after));
  }
}

TEST_P(EverySheet, HasNoForceAtRestAndNoneOfRigidMotion) {
  const auto energy = make(GetParam(), sheet);
  Vector moved = sheet.rest, force = Vector::Zero(moved.size()), scale = force;
  const Mat3 turn = Eigen::AngleAxisd(1.3, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  for (int i = 0; i < int(moved.size() / 3); ++i)
    point(moved, i) = turn * point(sheet.rest, i) + Vec3(3, -1, 2);
  energy->at(sheet.shape(1.0), &scale);
  EXPECT_LT(energy->at(moved, &force), 1e-12 * energy->at(sheet.shape(1.0)));
  EXPECT_LT(force.norm(), 1e-12 * scale.norm());
}

TEST_P(EverySheet, FilteredHessianIsDefiniteWithTheMass) {
  const auto energy = make(GetParam(), sheet);
  const auto pattern = test::attach_pattern(*energy, int(sheet.rest.size() / 3));
  const Vector x = 0.6 * sheet.shape(1.0);  // compressed: it wants to buckle
  BlockMatrix filtered(pattern);
  energy->add_hessian({{}, {{1.0, 1.0}}}, x, 1.0, filtered);
  Eigen::MatrixXd h = test::dense(filtered);
  Vector mass = Vector::Zero(x.size());
  for (std::size_t e = 0; e < sheet.triangles.size(); ++e) {
    const auto corner = [&](int a) -> Vec3 { return point(sheet.rest, sheet.triangles[e][a]); };
    const double area = sheet_frame({corner(0), corner(1), corner(2)}, Vec3::UnitX()).area;
    for (int i : sheet.triangles[e]) point(mass, i).array() += sheet.material[e].density * area / 3.0;
  }
  const double size = h.norm();
  h.diagonal() += mass;
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(h).eigenvalues().minCoeff(), -1e-14 * size);
  if (GetParam() != "membrane") return;
  BlockMatrix exact(pattern);
  energy->add_hessian({{}, {{1.0, 1.0}}}, x, 0.0, exact);
  h = test::dense(exact);
  h.diagonal() += mass;
  EXPECT_LT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(h).eigenvalues().minCoeff(), 0.0);
}

TEST_P(EverySheet, ElementsAddUpToTheWhole) {
  const auto energy = make(GetParam(), sheet, 2);
  const Vector x = sheet.shape(2.0);
  Vector whole = Vector::Zero(x.size()), sum = whole;
  energy->at(x, &whole);
  ASSERT_EQ(energy->elements(), int(sheet.triangles.size()));
  for (int e = 0; e < energy->elements(); ++e) {
    int points[Energy::max_stencil];
    const int size = energy->stencil(e, points), lanes[4] = {e, e, e, e};
    Pack3 q[Energy::max_stencil] = {}, g[Energy::max_stencil];
    for (int a = 0; a < size; ++a)
      for (int k = 0; k < 3; ++k) q[a][k] = point(x, points[a])[k];
    energy->element_gradients(lanes, q, g);
    for (int a = 0; a < size; ++a) point(sum, points[a]) += Vec3(g[a][0][1], g[a][1][1], g[a][2][1]);
  }
  EXPECT_LT((sum - whole).norm(), 1e-12 * whole.norm());
}

INSTANTIATE_TEST_SUITE_P(Kinds, EverySheet, testing::Values("membrane", "limit", "flat", "shell"),
                         [](const auto& info) { return info.param; });

TEST(Membrane, StressIsThatOfTheLaw) {
  // Pulled along the warp by 10 %: E11 = .105, nothing else.
  const Vector rest = stacked({{0, 0, 0}, {1, 0, 0}, {0, 0, -1}});
  SheetMaterial m;
  m.stretch = woven_law(40, 20, 5, 0);
  const auto energy = make_membrane_energy(rest, {{0, 1, 2}}, {m}, partition_points(rest, 1));
  Vector x = rest;
  x[3] = 1.1;
  EXPECT_NEAR(energy->at(x), 0.5 * 0.5 * 40 * 0.105 * 0.105, 1e-15);
}

TEST(Bending, FlatSheetsTellSmallBendsFromRounding) {
  // The energy is a sum of squares: a bend a million times smaller has a trillionth of it.
  const Sheet sheet(false);
  const auto energy = make("flat", sheet);
  const Vector bend = sheet.shape(1.0) - sheet.rest;
  const double large = energy->at(sheet.rest + bend);
  for (double by : {1e-3, 1e-6, 1e-9})
    EXPECT_NEAR(energy->at(sheet.rest + by * bend), by * by * large, 1e-5 * by * by * large) << by;
}

TEST_P(EverySheet, SimpsonsRuleSuitsIt) {
  EXPECT_TRUE(make(GetParam(), sheet)->quartic());
}

/// Wherever they lie, a cylinder's triangles cost D/2 k^2 by area. Those at a border know less of it.
TEST(Bending, CylindersHaveTheirCurvatureOnAnyMesh) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> jitter(-0.25, 0.25);
  for (bool irregular : {false, true}) {
    const int n = 24;
    TriangleMesh mesh = make_sheet({1, 1}, {n, n});
    if (irregular)
      for (Vec3& p : mesh.points)
        if (std::abs(p[0]) < 0.499 && std::abs(p[2]) < 0.499)
          p += Vec3(jitter(random), 0, jitter(random)) / n;
    const Vector rest = stacked(mesh.points);
    Vector x = rest;
    const double k = 2.0;
    for (int i = 0; i < int(rest.size() / 3); ++i) {
      const double s = point(rest, i)[0];
      point(x, i) = Vec3(std::sin(k * s) / k, (1 - std::cos(k * s)) / k, point(rest, i)[2]);
    }
    std::vector<SheetMaterial> material(mesh.triangles.size());
    double area = 0.0;
    for (std::size_t e = 0; e < material.size(); ++e) {
      const auto corner = [&](int a) -> Vec3 { return point(rest, mesh.triangles[e][a]); };
      if ((corner(0) + corner(1) + corner(2)).cwiseAbs().maxCoeff() > 3 * 0.35) continue;
      material[e].bend = isotropic_law(0.01 * (1 - 0.3 * 0.3), 0.3);  // D = .01
      area += sheet_frame({corner(0), corner(1), corner(2)}, Vec3::UnitX()).area;
    }
    std::vector<std::unique_ptr<Energy>> all;
    append_bending(rest, mesh.triangles, material, partition_points(rest, 1), all);
    ASSERT_EQ(all.size(), 1u);
    const double wanted = 0.5 * 0.01 * k * k * area;
    EXPECT_NEAR(all[0]->at(x), wanted, 0.01 * wanted) << irregular;
  }
}

}  // namespace
}  // namespace verve
