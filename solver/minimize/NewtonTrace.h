// What Newton's method did, one record an event: for engineers who ask why a step took so long.
#pragma once

#include <functional>
#include <string>

namespace verve {

struct NewtonRecord {
  enum class Event {
    start,    ///< the first evaluation of a step
    step,     ///< an accepted iteration
    refresh,  ///< lagged parts were brought up to date
    close,    ///< the energy balance was closed along the chord
    foresee,  ///< the Hessian learnt what a full step would meet: another direction follows
    stuck,    ///< a line search found no decrease
    end,      ///< the minimisation ended here
  };
  Event event = Event::start;
  int iteration = 0;
  double norm = 0.0, energy = 0.0;  ///< of the residual, after the event
  double length = 0.0;              ///< of the accepted step, as a share of Newton's
  double filter = 0.0;              ///< that the Hessian was filtered with
  int evaluations = 0;              ///< in the line search

  // Filled in by whoever knows.
  double time = 0.0, h = 0.0;  ///< the step's start and length, s
  int contacts = 0,
      changed = 0;        ///< that push now, and those that began, ended, stuck or slipped since the last
  std::string refreshed;  ///< the terms that a refresh changed
};

using NewtonTrace = std::function<void(const NewtonRecord&)>;

}  // namespace verve
