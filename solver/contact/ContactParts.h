// What meets in contact: the skins of bodies and the colliders, how near they meet, and where they are in a
// step.
#pragma once

#include "contact/ContactInput.h"
#include "contact/Skin.h"

namespace verve {

class PairWalls;

/// What the ways in which pairs meet have in common (see PairType).
class ContactParts {
 public:
  /// `mass` has a value per degree of freedom. What is wrong but can be lived with is added to `warnings`.
  ContactParts(ContactInput input, const Vector& mass, const Vec3& gravity,
               std::vector<std::string>& warnings);

  ContactInput input;
  std::vector<Collider> colliders;
  std::vector<Skin> skins;
  Vector mass;  ///< by degree of freedom, kg
  double gravity, total_mass;
  const PairWalls* walls = nullptr;  ///< between bodies; null where only springs hold them apart

  // The step that begins at x0.
  double time = 0.0, h = 0.0;
  double begun = 0.0;  ///< of the run
  bool still = false;  ///< steps look for rest: as Contacts::stand_still()
  Vector x0;
  /// A step begins: colliders and skins go to their places.
  void begin_step(const Vector& x, const Vector& v, double from, double seconds);
  void set_end(const Vector& x) {
    for (Skin& skin : skins) skin.set_end(x);
  }
  /// How far a point at most goes during the step, with what gravity adds, unless it is pushed.
  double reach(double speed) const { return 1.5 * std::abs(h) * (speed + std::abs(h) * gravity); }
  /// Where a skin may be during the step.
  Eigen::AlignedBox3d reached(int skin, double thickness) const;
  double skin_reach(int skin) const { return skin_reach_[std::size_t(skin)]; }
  /// What is left of the overlap that a contact began the run with.
  double eased(const Contact& contact, double at_time) const;
  /// What its gap is above that of the geometry.
  double shift(const Contact& contact, double at_time) const {
    return eased(contact, at_time) + contact.offset - contact.radius;
  }

  int collider_count() const { return int(colliders.size()); }
  int skin_count() const { return int(skins.size()); }
  const Collider& collider(const ContactKey& key) const { return colliders[std::size_t(key.collider)]; }
  const Skin& skin(const ContactKey& key) const { return skins[std::size_t(key.skin)]; }
  /// The skin that a point of a body belongs to, or -1.
  int skin_of_point(int i) const { return skin_of_point_[std::size_t(i)]; }

  // Edges of bodies are numbered over all skins.
  struct BodyEdge {
    int skin, edge;
  };
  BodyEdge body_edge(int number) const;
  int edge_number(int skin, int edge) const { return first_edge_[std::size_t(skin)] + edge; }
  std::array<int, 2> edge_points(int number) const;

  /// The carried point of a number, or null for a point of a body.
  const CarriedPoint* carried(int i) const {
    const int points = int(mass.size() / 3);
    return i < points ? nullptr : &input.carried[std::size_t(i - points)];
  }
  Vec3 place_of(int i, const Vector& x) const;
  /// A value by point of the bodies; 1 where there are none.
  double multiplier(const std::vector<double>& by_point, int i) const;

  /// What a point brings to its distance from colliders.
  double radius_of(int i) const { return input.radius.empty() ? 0.0 : multiplier(input.radius, i); }
  /// The largest of a skin's points, at colliders and between bodies.
  double skin_radius(int skin) const { return skin_radius_[std::size_t(skin)]; }
  double skin_half_thickness(int skin) const { return skin_half_thickness_[std::size_t(skin)]; }
  /// What the ends of a body's edge bring to its thickness, at a collider or between bodies; the larger one.
  double edge_radius(const std::array<int, 2>& ends, bool at_collider) const;
  /// The thickness of a contact where it is: between bodies, or of a collider's corner or edge with a body.
  double thickness_between(const Contact& contact) const;
  double thickness_at_collider(const Contact& contact) const;

  /// Whether springs hold two bodies (or a body and a collider's corners, numbered after the bodies) apart:
  /// where no walls do.
  bool by_springs(int owner, int other) const;
  bool meets_collider(int i, int collider) const;
  /// The parts of a skin that a point or a collider meets; null: all.
  const MetTriangles* met_by_point(int i, int skin) const;
  const MetTriangles* met_by_collider(int collider, int skin) const;

 private:
  /// Which triangles of a skin each kind of point meets, and then each collider; empty: all.
  std::vector<MetTriangles> met_triangles(const Skin& skin) const;

  std::vector<int> skin_of_point_;
  std::vector<int> first_edge_{0};  ///< of each skin, and the number of all
  std::vector<double> skin_radius_, skin_half_thickness_, skin_reach_;
  std::vector<std::vector<MetTriangles>> met_;  ///< by skin, and then by kind of point and by collider
};

}  // namespace verve
