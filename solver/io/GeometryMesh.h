// Between bare meshes and geometry with attributes.
#pragma once

#include "geometry/Geometry.h"
#include "io/MeshFile.h"

namespace verve {

/// Points, tets, and polygons as fans of triangles; poly lines and attributes are passed over.
MeshFile mesh_of(const Geometry& geometry);

/// Tets and triangles with P in double precision.
Geometry geometry_of(const MeshFile& mesh);

/// Reads any file of a mesh, surface or geometry, with whatever attributes the format has. What had to be
/// left out is appended to `warnings`, with the file's name.
Geometry load_geometry(const std::string& path, std::vector<std::string>& warnings);

/// What points may say about the body that is made of them. A list is empty when its attribute is not there.
struct PointAttributes {
  std::vector<double> stiffness;    ///< multiplies the material's, averaged over the points of an element
  std::vector<double> massdensity;  ///< multiplies the density, likewise
  std::vector<double> mass;         ///< kg a point, instead of what the density gives
  std::vector<Vec3> v;              ///< m/s at the start
  std::vector<int> pinned;          ///< the points whose pintoanimation is not zero
};

/// Throws an Error that names the attribute and point for text, wrong sizes, and numbers that make no sense.
PointAttributes point_attributes(const Geometry& geometry);

}  // namespace verve
