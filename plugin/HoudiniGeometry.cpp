#include "HoudiniGeometry.h"

#include <GA/GA_Attribute.h>
#include <GA/GA_Handle.h>
#include <GA/GA_Iterator.h>
#include <GA/GA_Range.h>
#include <GA/GA_Types.h>
#include <GEO/GEO_PrimPoly.h>
#include <GEO/GEO_PrimType.h>
#include <GEO/GEO_Primitive.h>
#include <UT/UT_StringHolder.h>
#include <UT/UT_Vector3.h>
#include <UT/UT_VectorTypes.h>

#include <map>
#include <set>

#include "base/Error.h"
#include "parameters/Attributes.h"

namespace verve {
namespace {

/// What the solver reads, by the table of attributes; everything else stays with the detail.
struct ReadNames {
  std::set<std::string> numbers, texts, primitive_texts;
  /// Of the numbers those that go to world space with the points.
  std::set<std::string> places, directions;

  ReadNames() {
    for (const AttributeEntry& entry : attributes()) {
      if (entry.door == AttributeDoor::written) continue;
      if (entry.is_text())
        (entry.owner == "primitive" ? primitive_texts : texts).insert(entry.name);
      else
        numbers.insert(entry.name);
      if (entry.form == AttributeForm::place) places.insert(entry.name);
      if (entry.form == AttributeForm::direction) directions.insert(entry.name);
    }
  }
};

const ReadNames& read_names() {
  static const ReadNames names;
  return names;
}

GA_AttributeOwner houdini_owner(Owner owner) {
  switch (owner) {
    case Owner::Point:
      return GA_ATTRIB_POINT;
    case Owner::Vertex:
      return GA_ATTRIB_VERTEX;
    case Owner::Primitive:
      return GA_ATTRIB_PRIMITIVE;
    case Owner::Detail:
      break;
  }
  return GA_ATTRIB_DETAIL;
}

/// The offset of each point or primitive by its number; the detail's single one.
std::vector<GA_Offset> offsets(const GU_Detail& detail, Owner owner) {
  std::vector<GA_Offset> result;
  if (owner == Owner::Point)
    for (GA_Iterator it(detail.getPointRange()); !it.atEnd(); ++it) result.push_back(*it);
  else if (owner == Owner::Primitive)
    for (GA_Iterator it(detail.getPrimitiveRange()); !it.atEnd(); ++it) result.push_back(*it);
  else
    result.push_back(GA_Offset(0));
  return result;
}

/// What makes polygons of such primitives.
std::string converter(const std::string& type) {
  if (type.rfind("Packed", 0) == 0 || type == "AlembicRef")
    return "put an Unpack SOP (to polygons) before this node";
  if (type == "VDB") return "put a Convert VDB SOP (to polygons) before this node";
  if (type == "Volume")
    return "put a Convert HeightField SOP (of a height field) or a Convert Volume SOP before this node";
  return "convert them to polygons or tetrahedra to simulate them";
}

/// Gives back the offset of each vertex, in the order that they have before they are turned round.
std::vector<GA_Offset> read_primitives(const GU_Detail& detail, Geometry& geometry,
                                       std::vector<std::string>& warnings) {
  std::map<std::string, int> passed_over;
  std::vector<GA_Offset> vertices;
  std::vector<int> points;
  for (GA_Iterator it(detail.getPrimitiveRange()); !it.atEnd(); ++it) {
    const GEO_Primitive* prim = detail.getGEOPrimitive(*it);
    PrimitiveType type = PrimitiveType::Polyline;
    points.clear();
    if (prim->getTypeId() == GEO_PRIMPOLY) {
      if (static_cast<const GEO_PrimPoly*>(prim)->isClosed()) type = PrimitiveType::Polygon;
    } else if (prim->getTypeId() == GEO_PRIMTETRAHEDRON) {
      type = PrimitiveType::Tetrahedron;
    } else {
      ++passed_over[UT_StringHolder(prim->getTypeName()).toStdString()];
      geometry.add_primitive(type, points);
      continue;
    }
    for (GA_Size i = 0; i < prim->getVertexCount(); ++i) {
      points.push_back(int(prim->getPointIndex(i)));
      vertices.push_back(prim->getVertexOffset(i));
    }
    geometry.add_primitive(type, points);
  }
  for (const auto& [name, count] : passed_over)
    warnings.push_back(std::to_string(count) + " primitives of type " + name + " are passed over; " +
                       converter(name));
  return vertices;
}

/// Takes a position or a direction from one space to another.
void turn(double* values, const UT_DMatrix4& transform, bool position) {
  UT_Vector3D p(values[0], values[1], values[2]);
  if (position)
    p *= transform;
  else
    p.rowVecMult3(transform);
  for (int k = 0; k < 3; ++k) values[k] = p(k);
}

void read_numbers(const GU_Detail& detail, Geometry& geometry, Owner owner, const std::string& name,
                  const std::vector<GA_Offset>& at, const UT_DMatrix4* transform) {
  const GA_Attribute* attribute = detail.findAttribute(houdini_owner(owner), name.c_str());
  if (!attribute) return;
  const GA_ROHandleD handle(attribute);
  if (!handle.isValid()) {
    if (GA_ROHandleS(attribute).isValid()) geometry.add_strings(owner, name);  // for the error that names it
    return;
  }
  const int size = attribute->getTupleSize();
  auto& values = geometry.add<double>(owner, name, size);
  for (std::size_t i = 0; i < at.size(); ++i)
    for (int k = 0; k < size; ++k) values[i * std::size_t(size) + std::size_t(k)] = handle.get(at[i], k);
  const bool place = read_names().places.count(name);
  if (transform && size == 3 && (place || read_names().directions.count(name)))
    for (std::size_t i = 0; i < at.size(); ++i) turn(&values[3 * i], *transform, place);
}

void read_text(const GU_Detail& detail, Geometry& geometry, Owner owner, const std::string& name,
               const std::vector<GA_Offset>& at) {
  const GA_Attribute* attribute = detail.findAttribute(houdini_owner(owner), name.c_str());
  if (!attribute) return;
  const GA_ROHandleS handle(attribute);
  if (!handle.isValid()) return read_numbers(detail, geometry, owner, name, at, nullptr);
  StringValues& values = geometry.add_strings(owner, name);
  for (std::size_t i = 0; i < at.size(); ++i)
    values.indices[i] = values.index_of(UT_StringHolder(handle.get(at[i])).toStdString());
}

GA_RWHandleD add_attribute(GU_Detail& detail, Owner owner, const Attribute& a) {
  const GA_AttributeOwner where = houdini_owner(owner);
  const GA_RWHandleD handle(a.as<std::int32_t>() ? detail.addIntTuple(where, a.name.c_str(), a.tuple_size)
                                                 : detail.addFloatTuple(where, a.name.c_str(), a.tuple_size));
  if (!handle.isValid() || handle.getTupleSize() < a.tuple_size)
    throw Error("the attribute '" + a.name + "' is there already with another type; rename or delete it");
  if (a.type_info == "vector") handle.getAttribute()->setTypeInfo(GA_TYPE_VECTOR);
  if (a.type_info == "point") handle.getAttribute()->setTypeInfo(GA_TYPE_POINT);
  if (a.type_info == "color") handle.getAttribute()->setTypeInfo(GA_TYPE_COLOR);
  return handle;
}

}  // namespace

Geometry read_detail(const GU_Detail& detail, std::vector<std::string>& warnings,
                     const UT_DMatrix4* transform) {
  Geometry geometry;
  geometry.point_count = int(detail.getNumPoints());
  const std::vector<GA_Offset> points = offsets(detail, Owner::Point),
                               primitives = offsets(detail, Owner::Primitive),
                               whole = offsets(detail, Owner::Detail);
  auto& positions = geometry.add<double>(Owner::Point, "P", 3, "point");
  const GA_ROHandleD p(detail.getP());  // with all the digits that they have, 64 bits or 32
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int k = 0; k < 3; ++k) positions[3 * i + std::size_t(k)] = p.get(points[i], k);
    if (transform) turn(&positions[3 * i], *transform, true);
  }
  const std::vector<GA_Offset> vertices = read_primitives(detail, geometry, warnings);
  read_numbers(detail, geometry, Owner::Vertex, "uv", vertices, nullptr);
  // Houdini winds polygons and tetrahedra the other way round.
  reorder_vertices(geometry, reversed_vertices(geometry));
  const ReadNames& names = read_names();
  for (const std::string& name : names.numbers) {
    read_numbers(detail, geometry, Owner::Point, name, points, transform);
    read_numbers(detail, geometry, Owner::Primitive, name, primitives, transform);
    read_numbers(detail, geometry, Owner::Detail, name, whole, transform);
  }
  for (const std::string& name : names.texts) read_text(detail, geometry, Owner::Point, name, points);
  for (const std::string& name : names.primitive_texts)
    read_text(detail, geometry, Owner::Primitive, name, primitives);
  return geometry;
}

void write_detail(const Geometry& from, GU_Detail& detail, const UT_DMatrix4* to_local,
                  const DetailStart& start) {
  for (std::size_t o = 0; o < kOwners; ++o) {
    const Owner owner = Owner(o);
    if (from.attributes[o].empty()) continue;
    const std::vector<GA_Offset> at = offsets(detail, owner);
    const std::size_t first = owner == Owner::Point       ? start.point
                              : owner == Owner::Primitive ? start.primitive
                                                          : 0;
    for (const Attribute& a : from.attributes[o]) {
      const bool positions = owner == Owner::Point && a.name == "P";
      const bool turned = to_local && owner == Owner::Point && (positions || a.type_info == "vector");
      const GA_RWHandleD handle = positions ? GA_RWHandleD(detail.getP()) : add_attribute(detail, owner, a);
      const auto size = std::size_t(a.tuple_size);
      std::vector<double> values(size);
      for (std::size_t i = 0; i < at.size(); ++i) {
        for (std::size_t k = 0; k < size; ++k) values[k] = a.number((first + i) * size + k);
        if (turned) turn(values.data(), *to_local, positions);
        for (std::size_t k = 0; k < size; ++k) handle.set(at[i], int(k), values[k]);
      }
      handle.getAttribute()->bumpDataId();
    }
  }
}

void append_lines(const Geometry& lines, GU_Detail& detail) {
  for (int i = 0; i + 1 < lines.point_count; i += 2) {
    const GEO_PrimPoly* line = GEO_PrimPoly::build(&detail, 2, true);
    for (int k = 0; k < 2; ++k) {
      const Vec3 p = lines.position(i + k);
      detail.setPos3(line->getPointOffset(k), UT_Vector3(float(p[0]), float(p[1]), float(p[2])));
    }
  }
}

}  // namespace verve
