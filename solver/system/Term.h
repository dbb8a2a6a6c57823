// One summand of the function that an implicit step minimises.
#pragma once

#include <array>
#include <vector>

#include "energy/Energy.h"

namespace verve {

class Drivers;
struct State;

/// What a term remembers from one step to the next; part of a run's State. Its numbers are the term's own
/// affair.
using TermMemory = std::vector<double>;

/// What a term books over a step, J.
struct TermBooks {
  double work = 0.0;        ///< brought in from outside
  double dissipated = 0.0;  ///< taken out of the motion
};

/// An effect beside elastic energies, contact, damping and constraints, which stand in System by themselves:
/// pressure, air, attachments. A term lives as long as its System. What it keeps of a step is valid from
/// begin() to end(); whatever a later step depends on belongs into its memory, since steps are tried, thrown
/// away and tried again.
class Term {
 public:
  virtual ~Term() = default;

  /// What it is called in traces and messages.
  virtual const char* name() const = 0;

  /// Appends the pairs of points whose motion it couples, and learns the pattern that has them.
  virtual void append_pairs(std::vector<std::array<int, 2>>& pairs) const { (void)pairs; }
  virtual void attach(const BlockPattern& pattern) { (void)pattern; }

  /// A step of h seconds begins at `state`, whose own memory of this term may be changed through `memory`.
  /// Books what changes at the step's start without any motion.
  virtual TermBooks begin(const Drivers& drivers, const State& state, double h, TermMemory& memory) {
    (void)drivers, (void)state, (void)h, (void)memory;
    return {};
  }

  /// Its share of the step's sum: a function whose gradient in x is chord.average_weight() times the gradient
  /// of the term on average along the chord, the rule's share at the start included. Adds its gradient in x
  /// unless that is null.
  virtual double evaluate(const Chord& chord, const Vector& x, Vector* gradient) const = 0;
  /// Adds the Hessian of the same; positive semi-definite with `filter` 1.
  virtual void add_hessian(const Chord& chord, const Vector& x, double filter,
                           BlockMatrix& hessian) const = 0;
  /// Adds the force at a state, less its sign, for explicit steps and first guesses.
  virtual void add_explicit_gradient(const Vector& x, const Vector& v, Vector& gradient) const = 0;

  /// Brings what evaluate() holds lagged up to date with x. True when that changed it.
  virtual bool refresh(const Chord& chord, const Vector& x) {
    (void)chord, (void)x;
    return false;
  }

  /// The step led to x, where the force that acted was evaluated last: books what it brought in and took out,
  /// and remembers what the next one needs.
  virtual TermBooks end(const Chord& chord, const Vector& x, TermMemory& memory) {
    (void)chord, (void)x, (void)memory;
    return {};
  }

  /// While it is true, steps look for rest: time stands still, and nothing may flow or break for good.
  virtual void stand_still(bool still) { (void)still; }

  /// Makes the system what it was with this memory, should the term have changed it since. Called before a
  /// state's energies are taken.
  virtual void recall(const TermMemory& memory) { (void)memory; }
  /// The energy that it stores, J; part of the elastic one.
  virtual double energy(const Vector& x, const TermMemory& memory) const {
    (void)x, (void)memory;
    return 0.0;
  }
  /// Whether steps may run backwards through it, as parts of those of order 4 and 6 do.
  virtual bool reversible() const { return true; }
  /// Whether its forces come from outside the bodies, so that momenta change by them.
  virtual bool from_outside() const { return true; }
};

}  // namespace verve
