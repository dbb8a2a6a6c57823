#include "viewer/FrameQuantities.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "base/Parallel.h"
#include "energy/MooneyRivlin.h"
#include "energy/NeoHookean.h"
#include "energy/StVK.h"
#include "energy/StableNeoHookean.h"
#include "simulation/Bodies.h"

namespace verve {
namespace {

constexpr int kGrain = 2048;

TetModel model_of(const std::string& word) {
  return word == "neo_hookean"          ? TetModel::neo_hookean
         : word == "stable_neo_hookean" ? TetModel::stable_neo_hookean
         : word == "mooney_rivlin"      ? TetModel::mooney_rivlin
                                        : TetModel::stvk;
}

/// P of the density at F, see energy/Material.h.
template <class Model>
Mat3 piola(const Mat3& f, double mu, double lambda) {
  const Mat3 c = f.transpose() * f, e = 0.5 * (c - Mat3::Identity());
  const Density d = Model::at({e.trace(), e.squaredNorm(), f.determinant()}, mu, lambda);
  Mat3 cofactor;
  cofactor << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
  return 2.0 * d.linear[0] * f - 2.0 * d.c2[0] * f * c + d.g1[0] * cofactor;
}

/// Von Mises' measure of the stress in a tet as it stands; 0 where that is not a number (inside out).
double von_mises(TetModel model, const Mat3& f, double mu, double lambda) {
  const Mat3 p = model == TetModel::stvk                 ? piola<StVK>(f, mu, lambda)
                 : model == TetModel::neo_hookean        ? piola<NeoHookean>(f, mu, lambda)
                 : model == TetModel::stable_neo_hookean ? piola<StableNeoHookean>(f, mu, lambda)
                                                         : piola<MooneyRivlin>(f, mu, lambda);
  const Mat3 cauchy = p * f.transpose() / std::abs(f.determinant());
  const Mat3 shear = cauchy - cauchy.trace() / 3.0 * Mat3::Identity();
  const double measure = std::sqrt(1.5) * shear.norm();
  return std::isfinite(measure) ? measure : 0.0;
}

Mat3 edges(const Vector& x, const int* tet) {
  Mat3 m;
  for (int k = 0; k < 3; ++k) m.col(k) = x.segment<3>(3 * tet[k + 1]) - x.segment<3>(3 * tet[0]);
  return m;
}

Vector numbers(const Attribute& attribute) {
  Vector values(Eigen::Index(attribute.size()));
  for (Eigen::Index i = 0; i < values.size(); ++i) values[i] = attribute.number(std::size_t(i));
  return values;
}

bool has(const std::vector<Quantity>& quantities, const char* name) {
  return std::any_of(quantities.begin(), quantities.end(), [&](const Quantity& q) { return q.name == name; });
}

const char* unit_of(const std::string& attribute) {
  return attribute == "stress" ? "Pa" : attribute == "energydensity" ? "J/m³" : "";
}

}  // namespace

FrameQuantities::FrameQuantities(const Json& scene, const std::vector<ColliderSpec>& colliders) {
  if (scene.contains("bodies"))
    for (const Json& body : scene["bodies"]) {
      const Json& m = body["material"];
      if (!body.contains("name") || (!m.contains("young") && !m.contains("mu"))) continue;
      const Lame lame = m.contains("young") ? lame_from_young(m["young"], m.value("poisson", 0.4))
                                            : Lame{m["mu"], m.value("lambda", m["mu"].get<double>())};
      materials_.push_back({body["name"], model_of(m.value("model", "stvk")), lame.mu, lame.lambda});
    }
  for (const ColliderSpec& spec : colliders) colliders_.push_back(std::make_unique<Collider>(spec));
}

std::vector<Quantity> FrameQuantities::at(const Geometry& frame, double time) {
  std::vector<Quantity> all;
  const auto count = std::size_t(frame.point_count);
  if (const Attribute* v = frame.find(Owner::Point, "v"); v && v->tuple_size == 3 && !v->is_text()) {
    Quantity speed{"speed", "m/s", std::vector<float>(count)};
    const Vector values = numbers(*v);
    for (std::size_t i = 0; i < count; ++i)
      speed.values[i] = float(values.segment<3>(3 * Eigen::Index(i)).norm());
    all.push_back(std::move(speed));
  }
  for (const Attribute& a : frame.attributes[int(Owner::Point)]) {
    if (a.tuple_size != 1 || a.is_text() || a.is_array() || a.name == "mass" || a.name == "id") continue;
    Quantity q{a.name, unit_of(a.name), std::vector<float>(count)};
    for (std::size_t i = 0; i < count; ++i) q.values[i] = float(a.number(i));
    all.push_back(std::move(q));
  }
  const Vector x = frame.positions();
  add_strains(frame, x, all);
  if (!colliders_.empty() && !has(all, "contact")) all.push_back({"contact", "m deep", contact(x, time)});
  return all;
}

std::vector<float> FrameQuantities::contact(const Vector& x, double time) {
  for (auto& collider : colliders_) collider->begin_step(time, time);
  const int count = int(x.size() / 3);
  std::vector<float> depth(static_cast<std::size_t>(count));
  parallel_pieces(count, kGrain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      for (const auto& collider : colliders_)
        depth[std::size_t(i)] =
            std::max(depth[std::size_t(i)], float(-collider->clearance(x.segment<3>(3 * i), 0.0)));
  });
  return depth;
}

void FrameQuantities::add_strains(const Geometry& frame, const Vector& x, std::vector<Quantity>& out) const {
  const Attribute* rest_attribute = frame.find(Owner::Point, "rest");
  if (!rest_attribute || rest_attribute->tuple_size != 3 || rest_attribute->is_text()) return;
  const Vector rest = numbers(*rest_attribute);
  const Attribute* names = frame.find(Owner::Point, "name");
  const bool wants_stress = !has(out, "stress") && !materials_.empty();
  const auto count = std::size_t(frame.point_count);
  std::vector<int> tets;  // primitives
  std::vector<float> strain(count), stress(count), around(count);
  for (int p = 0; p < frame.primitive_count(); ++p) {
    const int begin = frame.primitive_starts[p], end = frame.primitive_starts[p + 1];
    if (frame.primitive_types[p] == PrimitiveType::Tetrahedron) {
      tets.push_back(p);
      continue;
    }
    for (int v = begin; v < end; ++v) {  // cloth and ropes: how much longer their edges are
      const int next = v + 1 < end ? v + 1 : frame.primitive_types[p] == PrimitiveType::Polygon ? begin : v;
      const int a = frame.vertex_points[v], b = frame.vertex_points[next];
      const double length = (rest.segment<3>(3 * a) - rest.segment<3>(3 * b)).norm();
      if (!(length > 0.0)) continue;
      const float change = float(std::abs((x.segment<3>(3 * a) - x.segment<3>(3 * b)).norm() / length - 1.0));
      for (int point : {a, b}) strain[std::size_t(point)] = std::max(strain[std::size_t(point)], change);
    }
  }
  std::vector<std::array<float, 2>> of_tet(tets.size());  // strain and stress
  parallel_pieces(int(tets.size()), kGrain, [&](int begin, int end) {
    for (int t = begin; t < end; ++t) {
      const int* corners = &frame.vertex_points[frame.primitive_starts[tets[std::size_t(t)]]];
      const Mat3 f = edges(x, corners) * edges(rest, corners).inverse();
      Eigen::SelfAdjointEigenSolver<Mat3> stretches;
      stretches.computeDirect(f.transpose() * f, Eigen::EigenvaluesOnly);
      const double strained =
          (stretches.eigenvalues().cwiseMax(0.0).cwiseSqrt().array() - 1.0).abs().maxCoeff();
      float shear = 0.0f;
      if (wants_stress) {
        const std::string body = names && names->is_text() ? names->text(std::size_t(corners[0])) : "";
        for (const Material& m : materials_)
          if (m.body == body || materials_.size() == 1) shear = float(von_mises(m.model, f, m.mu, m.lambda));
      }
      of_tet[std::size_t(t)] = {float(strained), shear};
    }
  });
  for (std::size_t t = 0; t < tets.size(); ++t)
    for (int k = 0; k < 4; ++k) {
      const auto point = std::size_t(frame.vertex_points[frame.primitive_starts[tets[t]] + k]);
      strain[point] += of_tet[t][0], stress[point] += of_tet[t][1], around[point] += 1.0f;
    }
  for (std::size_t i = 0; i < count; ++i)
    if (around[i] > 0.0f) strain[i] /= around[i], stress[i] /= around[i];
  if (wants_stress && !tets.empty()) out.push_back({"stress", "Pa", std::move(stress)});
  if (!has(out, "strain")) out.push_back({"strain", "", std::move(strain)});
}

}  // namespace verve
