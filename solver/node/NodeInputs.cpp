#include "node/NodeInputs.h"

#include <algorithm>
#include <map>

#include "geometry/PolygonTriangles.h"
#include "geometry/TetSurface.h"
#include "mesh/UnionFind.h"
#include "node/LinkAttributes.h"

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
    for (double value :
         {link.length, link.stiffness, link.damping, link.breaks, double(link.breaks_by), link.release})
      made.add(&value, sizeof value);
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
    const auto take = [&](std::vector<int>& mine, const std::vector<int>& theirs, const char* name) {
      if (point_numbers(*source, name, 1).empty()) return;
      mine.clear();
      for (int i : theirs)
        if (match[std::size_t(i)] >= 0) mine.push_back(match[std::size_t(i)]);
      std::sort(mine.begin(), mine.end());
    };
    take(attributes.pinned, said.pinned, "pintoanimation");
    take(attributes.stopped, said.stopped, "stopped");
    read_links(*source, match, said.restlength);
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
  for (std::size_t i = 0; i < count; ++i) {
    double weight = attributes.targetweight.empty() ? 0.0 : attributes.targetweight[i];
    const auto soft = soft_pins_.find(int(i));
    if (soft != soft_pins_.end()) {
      if (settings.target_stiffness == 0.0)
        throw Error("soft pins are counted in Target Stiffness, which is 0; raise it");
      weight = std::max(weight, soft->second / settings.target_stiffness);
    }
    if (weight > 0.0) targets.push_back({int(i), places[i], weight});
  }
}

void NodeInputs::read_links(const Geometry& source, const std::vector<int>& match,
                            const std::vector<double>& lengths) {
  const LinkAttributes said(source);
  std::map<std::string, int> without_effect;
  int too_stiff_to_break = 0;
  UnionFind pieces(geometry->point_count);
  for (int p = 0; p < geometry->primitive_count(); ++p)
    for (int j = geometry->primitive_starts[std::size_t(p)];
         j < geometry->primitive_starts[std::size_t(p) + 1]; ++j)
      pieces.join(geometry->vertex_points[std::size_t(geometry->primitive_starts[std::size_t(p)])],
                  geometry->vertex_points[std::size_t(j)]);
  const auto joins_pieces = [&](int i) {
    for (int j = source.primitive_starts[std::size_t(i)]; j + 1 < source.primitive_starts[std::size_t(i) + 1];
         ++j) {
      const int a = match[std::size_t(source.vertex_points[std::size_t(j)])],
                b = match[std::size_t(source.vertex_points[std::size_t(j) + 1])];
      if (a >= 0 && b >= 0 && pieces.find(a) != pieces.find(b)) return true;
    }
    return false;
  };
  for (int i = 0; i < source.primitive_count(); ++i) {
    if (source.primitive_types[std::size_t(i)] != PrimitiveType::Polyline) continue;
    if (const std::string type = said.type(i); !type.empty()) {
      const LineKind kind = kind_of(
          type, source.primitive_starts[std::size_t(i) + 1] - source.primitive_starts[std::size_t(i)]);
      if (kind == LineKind::pins) pin(source, i, said.stiffness(i), match);
      const bool joins = kind == LineKind::joins || (kind == LineKind::joins_pieces && joins_pieces(i));
      if (!joins && kind != LineKind::pins) ++without_effect[type];
      if (!joins) continue;
    }
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
      Link link{{a, b}, length, said.stiffness(i), said.damping_ratio(i)};
      link.breaks = said.breaks(i);
      if (link.breaks >= 0.0) link.breaks_by = said.breaks_by(i);
      link.release = said.release(i);
      if ((link.breaks >= 0.0 || link.release >= 0.0) && link.stiffness == 0.0) ++too_stiff_to_break;
      links.push_back(link);
    }
  }
  std::sort(attributes.pinned.begin(), attributes.pinned.end());
  attributes.pinned.erase(std::unique(attributes.pinned.begin(), attributes.pinned.end()),
                          attributes.pinned.end());
  if (too_stiff_to_break)
    notes.push_back(
        "second input: " + std::to_string(too_stiff_to_break) +
        " constraints have a breakthreshold or a release but hold exactly, and do not let go; give them a "
        "stiffness (N/m) below 1e10");
  for (const auto& [type, count] : without_effect)
    notes.push_back("second input: " + std::to_string(count) + " constraints of type " + type +
                    " have no effect; materials are set on the node and by attributes of the first input");
}

void NodeInputs::pin(const Geometry& source, int primitive, double stiffness, const std::vector<int>& match) {
  const auto i = std::size_t(primitive);
  for (int j = source.primitive_starts[i]; j < source.primitive_starts[i + 1]; ++j) {
    const int p = match[std::size_t(source.vertex_points[std::size_t(j)])];
    if (p < 0)
      throw Error("primitive " + std::to_string(primitive) +
                  " pins a point whose 'id' no point of the first input has");
    if (stiffness > 0.0)
      soft_pins_[p] += stiffness;
    else
      attributes.pinned.push_back(p);
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
