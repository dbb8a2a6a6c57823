// From meshes and material constants to bodies.
#pragma once

#include "mesh/SpringNet.h"
#include "mesh/TetMesh.h"
#include "simulation/PointAttributes.h"
#include "simulation/Scene.h"

namespace verve {

/// Lamé's constants.
struct Lame {
  double mu, lambda;  ///< Pa
};
/// From Young's modulus (Pa) and Poisson's ratio. Throws an Error for ratios outside (-1, 0.5).
Lame lame_from_young(double young, double poisson);

/// The model that scenes and nodes call `name` (checked before).
TetModel tet_model(const std::string& name);

/// Throws an Error that names the body when the material would set energy free without end.
void require_bounded(TetModel model, const Lame& lame, const std::string& name);

/// What the points of a body multiply while it is put together: an element takes the mean of its points', or
/// 1 where there are none.
struct PointFactors {
  std::vector<double> stiffness, density;
};

/// A body at rest without any elements or mass, and what gives it some; points and lengths are those at rest.
Body at_rest(const std::string& name, const std::vector<Vec3>& points);
void add_tets(Body& body, const std::vector<std::array<int, 4>>& tets, TetModel model, Lame lame,
              double density, const PointFactors& factors = {});
/// `warp` has where the warp goes in each triangle; empty: along material.warp.
void add_membrane(Body& body, const std::vector<std::array<int, 3>>& triangles, const SheetMaterial& material,
                  const std::vector<Vec3>& warp = {}, const PointFactors& factors = {});
/// A surface of springs; `density` in kg/m^2, shared out by the area of the triangles around a point.
void add_spring_sheet(Body& body, const std::vector<std::array<int, 3>>& triangles, SpringModel model,
                      double stretch, double bend, double density, const PointFactors& factors = {});
/// The springs of a net.
void add_springs(Body& body, const SpringNet& net, SpringModel model, double stretch, double bend,
                 const PointFactors& factors = {});
/// The mass of lines, by their lengths; `density` in kg/m.
void add_lines(Body& body, const std::vector<std::vector<int>>& lines, double density,
               const PointFactors& factors = {});

/// What the body's points say besides, in its order of points: masses, velocities, and what they multiply
/// later.
void give_attributes(Body& body, const PointAttributes& attributes);

/// A soft body at rest, of one material; `density` in kg/m^3. Throws an Error that names the body and the
/// element when the mesh cannot be used.
Body make_soft_body(const std::string& name, const TetMesh& mesh, TetModel model, Lame lame, double density,
                    const PointFactors& factors = {});

/// A sheet of springs at rest.
Body make_cloth(const std::string& name, const TriangleMesh& mesh, SpringModel model, double stretch,
                double bend, double density, const PointFactors& factors = {});

/// Says how many tets of the body have no stiffness, since it was painted away; empty when all have some.
/// They keep their mass, and nothing else comes of them.
std::string without_stiffness(const Body& body);

/// A membrane at rest, of one material.
Body make_membrane(const std::string& name, const TriangleMesh& mesh, const SheetMaterial& material,
                   const std::vector<Vec3>& warp = {}, const PointFactors& factors = {});

/// Sets the density such that the body weighs `mass` kg in all.
void set_mass(Body& body, double mass);

/// Makes everything resist `by` times as much.
void scale_stiffness(Body& body, double by);
/// Makes the shape without stress `by` times as large; masses stay.
void scale_rest(Body& body, double by);
/// Gives every point its mass in kg; tets take the mean change of theirs as density.
void set_masses(Body& body, const std::vector<double>& mass);

/// Pulls the body along its x axis by `stretch` and twists it about it by `twist` radians over its length,
/// about the middle of its bounds; the rest shape stays.
void deform(Body& body, double stretch, double twist);
/// Moves rest shape and start alike; a scale changes the rest shape but not the masses' sum per volume or
/// area.
void place_body(Body& body, const Transform& transform);
/// Adds a velocity and a spin (rad/s) about the centre of mass.
void set_in_motion(Body& body, const Vec3& velocity, const Vec3& spin);

}  // namespace verve
