// Contact as one more term of a step: finds what may meet, repels it, rubs it, and keeps the books.
#pragma once

#include "contact/Collider.h"
#include "contact/Contact.h"

namespace verve {

enum class ContactRule {
  exact,  ///< repulsion springs that keep the energy under an averaging integrator
  paper,  ///< the AVF paper's: springs to planes found at the step's start, removed when separated and leaving
};

struct ContactSettings {
  ContactRule rule = ContactRule::exact;
  double ease = 0.5;  ///< seconds over which overlaps at the run's start are eased out
};

/// Everything that contact is made of. Lists by point may be empty: all ones.
struct ContactInput {
  ContactSettings settings;
  std::vector<ColliderSpec> colliders;
  std::vector<int> points;  ///< those that meet colliders, ascending; empty: all
  std::vector<double> stiffness, friction;  ///< factors by point of the bodies
  std::vector<unsigned> group;              ///< bits by point of the bodies
};

/// What contact adds to the ledger.
struct ContactBooks {
  double work = 0.0, dissipated = 0.0;  ///< J
};

class Contacts final : public Energy {
 public:
  /// `mass` has a value per degree of freedom.
  Contacts(ContactInput input, const Vector& mass, const Vec3& gravity);

  /// Finds what may touch during the step from `time` over h seconds.
  ContactBooks begin_step(const Vector& x, const Vector& v, double time, double h, ContactState& state);
  /// Books the step that led to x, and remembers what the next one needs.
  ContactBooks end_step(const Chord& chord, const Vector& x, ContactState& state) const;

  /// Looks at the true geometry with the step's end at x. True when that changed the forces at x. Directions are
  /// left alone after some rounds, so that a point that rests in a crease of a mesh does not make them flip for ever.
  bool update_correction(const Chord& chord, const Vector& x) override;

  void append_pairs(std::vector<std::array<int, 2>>&) const override {}
  void attach(const BlockPattern&) override {}
  double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const override;
  void add_hessian(const Chord& chord, const Vector& x, double filter, BlockMatrix& hessian) const override;
  /// Adds the forces at the step's start, for schemes that do not average.
  void add_start_gradient(Vector& gradient) const;
  /// The same with friction as it will be at x, for schemes that know no other force than this.
  void add_explicit_gradient(const Vector& x, Vector& gradient) const;

  const std::vector<Contact>& contacts() const { return contacts_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  struct Found {
    int collider;
    double gap;
  };
  Contact make_contact(int point, int collider) const;
  bool is_listed(const ContactKey& key) const;
  void look(Contact& contact, const Chord& chord, const Vector& x, bool turn) const;
  double eased(const Contact& contact, double time) const;

  ContactInput input_;
  std::vector<Collider> colliders_;
  Vector mass_;
  double gravity_;

  double time_ = 0.0, h_ = 0.0, begun_ = 0.0;
  Vector x0_;
  std::vector<Contact> contacts_;  ///< the first `sorted_` ascending by key
  std::size_t sorted_ = 0;
  std::vector<double> clearance_;  ///< how far each listed point may go before it meets something unlisted
  std::vector<std::vector<Found>> found_;
  std::vector<double> change_, size_;
  int rounds_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace verve
