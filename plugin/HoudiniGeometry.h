// Between Houdini's details and Verve's geometry.
#pragma once

#include <GU/GU_Detail.h>
#include <UT/UT_Matrix4.h>
#include <UT/UT_VectorTypes.h>

#include <string>
#include <vector>

#include "geometry/Geometry.h"

namespace verve {

/// Points, primitives and the attributes that the solver knows. Every primitive keeps its number: what is
/// neither polygon nor tetrahedron becomes one without points, and is told in `warnings`. With `transform`
/// positions, velocities and forces are taken to world space.
Geometry read_detail(const GU_Detail& detail, std::vector<std::string>& warnings,
                     const UT_DMatrix4* transform = nullptr);

/// Where the points and primitives of a detail begin among those of a geometry.
struct DetailStart {
  std::size_t point = 0, primitive = 0;
};

/// Writes every attribute of `from` to the detail, which has its points and primitives from `start` on, and
/// bumps the data IDs of what it wrote. With `to_local` positions and vectors are taken there from world
/// space.
void write_detail(const Geometry& from, GU_Detail& detail, const UT_DMatrix4* to_local = nullptr,
                  const DetailStart& start = {});

/// Adds open polygons of two points each, with points of their own, for lines of the geometry.
void append_lines(const Geometry& lines, GU_Detail& detail);

}  // namespace verve
