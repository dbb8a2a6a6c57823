#include "node/NodeInputs.h"

#include <algorithm>
#include <map>

#include "base/Text.h"
#include "geometry/PolygonTriangles.h"
#include "geometry/TetSurface.h"
#include "mesh/UnionFind.h"

namespace verve {
namespace {

template <class T>
void add(Fingerprint& sum, const std::vector<T>& values) {
  const std::size_t size = values.size();
  sum.add(&size, sizeof size);
  if (size) sum.add(values.data(), size * sizeof(T));
}

void add_topology(Fingerprint& sum, const Geometry& geometry) {
  sum.add(&geometry.point_count, sizeof geometry.point_count);
  add(sum, geometry.vertex_points);
  add(sum, geometry.primitive_starts);
  add(sum, geometry.primitive_types);
}

/// Calls read() and names the input in its errors.
template <class Read>
auto of_input(const char* input, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(std::string(input) + ": " + error.what());
  }
}

/// For each point of the targets the point of the bodies that it belongs to, -1 for none.
std::vector<int> matches(const Geometry& targets, const Geometry& bodies) {
  const std::vector<double> from = point_numbers(targets, "id", 1), to = point_numbers(bodies, "id", 1);
  std::vector<int> match(std::size_t(targets.point_count), -1);
  if (from.empty() || to.empty()) {
    if (targets.point_count != bodies.point_count)
      throw Error("there are " + std::to_string(targets.point_count) + " points for " +
                  std::to_string(bodies.point_count) +
                  " of the first input; give both a point attribute 'id', or as many points");
    for (std::size_t i = 0; i < match.size(); ++i) match[i] = int(i);
    return match;
  }
  std::map<double, int> of_id;
  for (std::size_t i = 0; i < to.size(); ++i) of_id.emplace(to[i], int(i));
  for (std::size_t i = 0; i < match.size(); ++i) {
    const auto found = of_id.find(from[i]);
    if (found != of_id.end()) match[i] = found->second;
  }
  return match;
}

double mean(const std::vector<double>& values, const std::vector<int>& points) {
  if (values.empty()) return 1.0;
  double sum = 0.0;
  for (int i : points) sum += values[std::size_t(i)];
  return sum / double(points.size());
}

}  // namespace

double rounding_of(const Vector& x) {
  return 1e-6 * x.lpNorm<Eigen::Infinity>();
}

void measure(std::vector<Link>& links, const Vector& x) {
  if (links.empty()) return;
  const double rounding = rounding_of(x);
  for (Link& link : links) {
    if (link.length >= 0.0) continue;
    link.length = (point(x, link.points[0]) - point(x, link.points[1])).norm();
    if (link.length <= rounding) link.length = 0.0;
  }
}

NodeInputs::NodeInputs(const NodeFrame& in, bool start)
    : frame(in.frame), fps(in.fps), settings(in.settings), geometry(in.bodies) {
  if (!geometry || geometry->point_count == 0)
    throw Error("the first input has no points; wire in the geometry to simulate");
  of_input("first input", [&] {
    check(*geometry);
    attributes = point_attributes(*geometry);
  });
  of_input("second input", [&] { read_goals(in.targets.get()); });
  if (in.colliders) of_input("third input", [&] { read_colliders(*in.colliders); });

  Fingerprint shape, made, sum;
  add_topology(shape, *geometry);
  if (in.colliders) add_topology(shape, *in.colliders);
  topology = shape.value();

  made.add(&settings.fingerprint, sizeof settings.fingerprint);
  made.add(&fps, sizeof fps);
  attributes.add_build(made);
  for (const char* name : {"uv", "warp"})
    for (Owner owner : {Owner::Vertex, Owner::Point, Owner::Primitive})
      if (const Attribute* a = geometry->find(owner, name); a && !a->is_text() && !a->is_array())
        for (std::size_t i = 0; i < a->size(); ++i) {
          const double value = a->number(i);
          made.add(&value, sizeof value);
        }
  for (const Link& link : links) {
    made.add(link.points.data(), sizeof link.points);
    for (double value : {link.length, link.stiffness, link.damping}) made.add(&value, sizeof value);
  }
  CollisionRules{collider_kinds, {}}.add_to(made);
  for (const ColliderSpec& c : colliders) {
    for (double value : {c.stiffness, c.static_friction, c.dynamic_friction}) made.add(&value, sizeof value);
    add(made, c.point_stiffness), add(made, c.point_friction);
  }
  build = made.value();

  sum.add(&topology, sizeof topology);
  sum.add(&build, sizeof build);
  attributes.add_to(sum);
  for (const auto* goals : {&pins, &targets})
    for (const Goal& goal : *goals) {
      sum.add(&goal.point, sizeof goal.point);
      sum.add(goal.position.data(), sizeof(double) * 3);
      sum.add(&goal.weight, sizeof goal.weight);
    }
  for (const ColliderSpec& c : colliders) add(sum, c.mesh->points);
  if (start) {
    const Vector x = geometry->positions();
    sum.add(x.data(), sizeof(double) * std::size_t(x.size()));
    add(sum, attributes.v);
  }
  all = sum.value();
}

void NodeInputs::read_goals(const Geometry* source) {
  std::vector<int> match;
  PointAttributes said;
  if (source) {
    check(*source);
    match = matches(*source, *geometry);
    said = point_attributes(*source);
    read_links(*source, match, said.restlength);
    const auto take = [&](std::vector<int>& mine, const std::vector<int>& theirs, const char* name) {
      if (point_numbers(*source, name, 1).empty()) return;
      mine.clear();
      for (int i : theirs)
        if (match[std::size_t(i)] >= 0) mine.push_back(match[std::size_t(i)]);
      std::sort(mine.begin(), mine.end());
    };
    take(attributes.pinned, said.pinned, "pintoanimation");
    take(attributes.stopped, said.stopped, "stopped");
    if (!said.targetweight.empty()) {
      attributes.targetweight.assign(std::size_t(geometry->point_count), 0.0);
      for (std::size_t i = 0; i < match.size(); ++i)
        if (match[i] >= 0) attributes.targetweight[std::size_t(match[i])] = said.targetweight[i];
    }
  }

  const auto count = std::size_t(geometry->point_count);
  std::vector<Vec3> places = attributes.targetP;
  if (places.empty()) {
    const Vector x = geometry->positions();
    for (std::size_t i = 0; i < count; ++i) places.push_back(point(x, int(i)));
  }
  if (source) {
    const Vector x = source->positions();
    for (std::size_t i = 0; i < match.size(); ++i)
      if (match[i] >= 0)
        places[std::size_t(match[i])] = said.targetP.empty() ? Vec3(point(x, int(i))) : said.targetP[i];
  }
  for (int i : attributes.pinned) {
    const Vec3& place = places[std::size_t(i)];
    if (!place.allFinite()) throw Error("pinned point " + std::to_string(i) + " is not at a finite place");
    pins.push_back({i, place, 1.0});
  }
  for (std::size_t i = 0; i < attributes.targetweight.size(); ++i)
    if (attributes.targetweight[i] > 0.0) targets.push_back({int(i), places[i], attributes.targetweight[i]});
}

namespace {

/// What a line of the second input says about its springs, in Vellum's words.
class LinkAttributes {
 public:
  explicit LinkAttributes(const Geometry& geometry)
      : type_(geometry.find(Owner::Primitive, "type")),
        stiffness_(number(geometry, "stiffness")),
        damping_(number(geometry, "dampingratio")) {
    if (type_ && (!type_->is_text() || type_->is_array())) type_ = nullptr;
  }

  bool sews(int i) const { return type_ && type_->text(std::size_t(i)) == "stitch"; }
  /// 0: it holds exactly. As Vellum does it, so do springs that are stiffer than anything.
  double stiffness(int i) const {
    const double k = at(stiffness_, i, "stiffness");
    return k < 1e10 ? k : 0.0;
  }
  double damping_ratio(int i) const { return at(damping_, i, "dampingratio"); }
  void check(int i) const {
    static const std::vector<std::string> known = {"distance", "stitch", "attach", "pin"};
    if (!type_) return;
    const std::string type = type_->text(std::size_t(i));
    if (!type.empty() && std::find(known.begin(), known.end(), type) == known.end())
      throw Error("primitive " + std::to_string(i) + " is a constraint of type '" + type +
                  "', which lines cannot be here" + suggestion(type, known));
  }

 private:
  static const Attribute* number(const Geometry& geometry, const char* name) {
    const Attribute* a = geometry.find(Owner::Primitive, name);
    return a && !a->is_text() && !a->is_array() && a->tuple_size == 1 ? a : nullptr;
  }
  static double at(const Attribute* a, int i, const char* name) {
    const double value = a ? a->number(std::size_t(i)) : 0.0;
    if (!(value >= 0.0))
      throw Error("the attribute '" + std::string(name) + "' is " + shortest(value) + " at primitive " +
                  std::to_string(i) + "; it must be at least 0");
    return value;
  }

  const Attribute* type_;
  const Attribute *stiffness_, *damping_;
};

}  // namespace

void NodeInputs::read_links(const Geometry& source, const std::vector<int>& match,
                            const std::vector<double>& lengths) {
  const LinkAttributes said(source);
  for (int i = 0; i < source.primitive_count(); ++i) {
    if (source.primitive_types[std::size_t(i)] != PrimitiveType::Polyline) continue;
    said.check(i);
    const int begin = source.primitive_starts[std::size_t(i)],
              last = source.primitive_starts[std::size_t(i) + 1] - 1;
    const double given = lengths.empty() ? 0.0 : lengths[std::size_t(i)];
    const double length = given > 0.0 ? given / std::max(1, last - begin) : said.sews(i) ? 0.0 : -1.0;
    for (int j = begin; j < last; ++j) {
      const int a = match[std::size_t(source.vertex_points[std::size_t(j)])],
                b = match[std::size_t(source.vertex_points[std::size_t(j) + 1])];
      if (a < 0 || b < 0)
        throw Error("primitive " + std::to_string(i) +
                    " constrains a point whose 'id' no point of the first input has");
      if (a == b)
        throw Error("primitive " + std::to_string(i) + " constrains point " + std::to_string(a) +
                    " to itself");
      links.push_back({{a, b}, length, said.stiffness(i), said.damping_ratio(i)});
    }
  }
}

void NodeInputs::read_colliders(const Geometry& source) {
  check(source);
  std::vector<std::array<int, 3>> triangles = polygon_triangles(source);
  for (const auto& t : tet_surface(source)) triangles.push_back(t);
  UnionFind sets(source.point_count);
  for (const auto& t : triangles) sets.join(t[0], t[1]), sets.join(t[0], t[2]);
  std::map<int, std::vector<std::array<int, 3>>> pieces;  // by their lowest point
  for (const auto& t : triangles) pieces[sets.find(t[0])].push_back(t);

  const Vector x = source.positions();
  const ColliderAttributes attributes_of = collider_attributes(source);
  const auto& [stiffness, friction, dynamic] = attributes_of;
  const CollisionRules rules = collision_rules(source);
  const Attribute* names = source.find(Owner::Point, "name");
  std::vector<int> local(std::size_t(source.point_count), -1);
  for (auto& [lowest, list] : pieces) {
    std::vector<int> points;
    auto mesh = std::make_shared<TriangleMesh>();
    for (auto& t : list)
      for (int& p : t) {
        int& number = local[std::size_t(p)];
        if (number < 0) {
          number = int(points.size());
          points.push_back(p);
          mesh->points.push_back(point(x, p));
        }
        p = number;
      }
    mesh->triangles = std::move(list);
    ColliderSpec spec = settings.collider;
    const bool named = names && names->is_text() && !names->is_array();
    spec.name = named ? names->text(std::size_t(lowest)) : "collider" + std::to_string(colliders.size());
    spec.mesh = std::move(mesh);
    for (int p : points) {
      if (!stiffness.empty()) spec.point_stiffness.push_back(stiffness[std::size_t(p)]);
      if (!friction.empty()) spec.point_friction.push_back(friction[std::size_t(p)]);
    }
    spec.dynamic_friction *= mean(dynamic, points);
    colliders.push_back(std::move(spec));
    if (rules.of_point.empty()) continue;
    collider_kinds.push_back(rules.at(lowest));
    for (int p : points)
      if (!(rules.at(p) == collider_kinds.back()))
        throw Error("points " + std::to_string(lowest) + " and " + std::to_string(p) +
                    " hang together, but their 'collisiongroup' or 'collisionignore' differ; give each "
                    "connected piece one of them");
  }
}

}  // namespace verve
