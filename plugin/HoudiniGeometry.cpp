#include "HoudiniGeometry.h"

#include <GA/GA_AIFStringTuple.h>
#include <GA/GA_AIFTuple.h>
#include <GA/GA_Iterator.h>
#include <GEO/GEO_PrimPoly.h>
#include <GEO/GEO_PrimType.h>
#include <UT/UT_StringHolder.h>
#include <UT/UT_Vector3.h>

#include <map>

#include "base/Error.h"

namespace verve {
namespace {

/// What the solver reads; everything else stays with the detail.
const char* const numeric[] = {
    "stiffness",      "dampingratio",       "massdensity",     "mass",    "friction", "v",
    "rest",           "collisionstiffness", "targetweight",    "targetP", "force",    "stopped",
    "pintoanimation", "disableexternal",    "dynamicfriction", "id",      "pscale",   "restlength",
    "disableself"};
/// What it reads as words.
const char* const texts[] = {"name", "collisiongroup", "collisionignore"};

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

void read_primitives(const GU_Detail& detail, Geometry& geometry, std::vector<std::string>& warnings) {
  std::map<std::string, int> passed_over;
  std::vector<int> points;
  for (GA_Iterator it(detail.getPrimitiveRange()); !it.atEnd(); ++it) {
    const GEO_Primitive* prim = detail.getGEOPrimitive(*it);
    PrimitiveType type = PrimitiveType::Polyline;
    points.clear();
    if (prim->getTypeId() == GEO_PRIMPOLY) {
      if (static_cast<const GEO_PrimPoly*>(prim)->isClosed()) type = PrimitiveType::Polygon;
      for (GA_Size i = 0; i < prim->getVertexCount(); ++i) points.push_back(int(prim->getPointIndex(i)));
    } else if (prim->getTypeId() == GEO_PRIMTETRAHEDRON) {
      type = PrimitiveType::Tetrahedron;
      for (GA_Size i = 0; i < 4; ++i) points.push_back(int(prim->getPointIndex(i)));
    } else {
      ++passed_over[UT_StringHolder(prim->getTypeName()).toStdString()];
    }
    geometry.add_primitive(type, points);
  }
  // Houdini winds both the other way round.
  reorder_vertices(geometry, reversed_vertices(geometry));
  for (const auto& [name, count] : passed_over)
    warnings.push_back(std::to_string(count) + " primitives of type " + name +
                       " are passed over; convert them to polygons or tetrahedra to simulate them");
}

void read_numbers(const GU_Detail& detail, Geometry& geometry, Owner owner, const char* name,
                  const std::vector<GA_Offset>& at) {
  const GA_Attribute* attribute = detail.findAttribute(houdini_owner(owner), name);
  if (!attribute) return;
  const GA_AIFTuple* tuple = attribute->getAIFTuple();
  if (!tuple) {
    if (attribute->getAIFStringTuple()) geometry.add_strings(owner, name);  // for the error that names it
    return;
  }
  const int size = attribute->getTupleSize();
  auto& values = geometry.add<double>(owner, name, size);
  for (std::size_t i = 0; i < at.size(); ++i)
    tuple->get(attribute, at[i], &values[i * std::size_t(size)], size);
}

void read_text(const GU_Detail& detail, Geometry& geometry, const char* name,
               const std::vector<GA_Offset>& at) {
  const GA_Attribute* attribute = detail.findAttribute(GA_ATTRIB_POINT, name);
  if (!attribute) return;
  const GA_AIFStringTuple* strings = attribute->getAIFStringTuple();
  if (!strings) return read_numbers(detail, geometry, Owner::Point, name, at);
  StringValues& values = geometry.add_strings(Owner::Point, name);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const char* text = strings->getString(attribute, at[i]);
    if (text) values.indices[i] = values.index_of(text);
  }
}

GA_Attribute* add_attribute(GU_Detail& detail, Owner owner, const Attribute& a) {
  const GA_AttributeOwner where = houdini_owner(owner);
  GA_Attribute* attribute = a.as<std::int32_t>() ? detail.addIntTuple(where, a.name.c_str(), a.tuple_size)
                                                 : detail.addFloatTuple(where, a.name.c_str(), a.tuple_size);
  if (!attribute || !attribute->getAIFTuple() || attribute->getTupleSize() < a.tuple_size)
    throw Error("the attribute '" + a.name + "' is there already with another type; rename or delete it");
  if (a.type_info == "vector") attribute->setTypeInfo(GA_TYPE_VECTOR);
  if (a.type_info == "point") attribute->setTypeInfo(GA_TYPE_POINT);
  return attribute;
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
  for (std::size_t i = 0; i < points.size(); ++i) {
    UT_Vector3D p(detail.getPos3(points[i]));
    if (transform) p *= *transform;
    for (int k = 0; k < 3; ++k) positions[3 * i + std::size_t(k)] = p(k);
  }
  read_primitives(detail, geometry, warnings);
  for (const char* name : numeric) {
    read_numbers(detail, geometry, Owner::Point, name, points);
    read_numbers(detail, geometry, Owner::Primitive, name, primitives);
    read_numbers(detail, geometry, Owner::Detail, name, whole);
  }
  for (const char* name : texts) read_text(detail, geometry, name, points);
  return geometry;
}

void write_detail(const Geometry& from, GU_Detail& detail, const UT_DMatrix4* to_local) {
  for (std::size_t o = 0; o < kOwners; ++o) {
    const Owner owner = Owner(o);
    if (from.attributes[o].empty()) continue;
    const std::vector<GA_Offset> at = offsets(detail, owner);
    for (const Attribute& a : from.attributes[o]) {
      const bool positions = owner == Owner::Point && a.name == "P";
      GA_Attribute* attribute = positions ? detail.getP() : add_attribute(detail, owner, a);
      const auto size = std::size_t(a.tuple_size);
      std::vector<fpreal64> values(size);
      for (std::size_t i = 0; i < at.size(); ++i) {
        for (std::size_t k = 0; k < size; ++k) values[k] = a.number(i * size + k);
        if (positions && to_local) {
          UT_Vector3D p(values[0], values[1], values[2]);
          p *= *to_local;
          for (int k = 0; k < 3; ++k) values[std::size_t(k)] = p(k);
        }
        attribute->getAIFTuple()->set(attribute, at[i], values.data(), a.tuple_size);
      }
      attribute->bumpDataId();
    }
  }
}

}  // namespace verve
