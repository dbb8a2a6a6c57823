#include "scene/ScenePainted.h"

#include <Eigen/Geometry>

#include "base/Error.h"
#include "mesh/MeshGeometry.h"

namespace verve {

std::shared_ptr<const Painted> painted_by(const PointFrames& frames, const Body& body,
                                          const Transform& transform, const Vec3& scale, const Scene& scene,
                                          const std::string& place) {
  if (frames.stiffness.empty() && frames.rest_scale.empty() && frames.damping.empty() &&
      frames.friction.empty() && frames.rest.empty())
    return nullptr;
  auto painted = std::make_shared<Painted>();
  for (int frame : frames.number) painted->time.push_back(scene.frame_time(frame));
  painted->stiffness = frames.stiffness, painted->rest_scale = frames.rest_scale;
  painted->damping = frames.damping, painted->friction = frames.friction;
  painted->rest = frames.rest;
  const auto refuse = [&](std::size_t f, const std::string& what) {
    throw Error("'" + place + ".geometry.animation': frame " + std::to_string(frames.number[f]) + ": " +
                what);
  };
  for (std::size_t f = 0; f < painted->rest_scale.size(); ++f)
    for (std::size_t i = 0; i < painted->rest_scale[f].size(); ++i)
      if (!(painted->rest_scale[f][i] > 0.0))
        refuse(f, "the attribute 'restscale' is 0 at point " + std::to_string(i) + "; it must be above 0");
  for (std::size_t f = 0; f < painted->rest.size(); ++f) {
    std::vector<Vec3>& rest = painted->rest[f];
    for (Vec3& p : rest) p = transform.apply(p.cwiseProduct(scale));
    const auto at = [&](int i) -> const Vec3& { return rest[std::size_t(i)]; };
    for (std::size_t t = 0; t < body.tets.size(); ++t)
      if (const auto& tet = body.tets[t]; !(tet_volume(at(tet[0]), at(tet[1]), at(tet[2]), at(tet[3])) > 0.0))
        refuse(f, "'rest' leaves tet " + std::to_string(t) + " without volume or turns it inside out");
    for (std::size_t t = 0; t < body.membrane.size(); ++t)
      if (const auto& c = body.membrane[t]; !((at(c[1]) - at(c[0])).cross(at(c[2]) - at(c[0])).norm() > 0.0))
        refuse(f, "'rest' leaves triangle " + std::to_string(t) + " without area");
    for (const auto& [a, b] : body.springs)
      if (at(a) == at(b))
        refuse(f, "'rest' has points " + std::to_string(a) + " and " + std::to_string(b) + " at one place");
  }
  return painted;
}

}  // namespace verve
