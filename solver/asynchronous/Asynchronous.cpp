#include "asynchronous/Asynchronous.h"

#include <algorithm>
#include <queue>

#include "asynchronous/Clock.h"
#include "asynchronous/ElementClocks.h"
#include "asynchronous/LayerContacts.h"
#include "asynchronous/StartCheck.h"
#include "base/Error.h"
#include "base/Text.h"
#include "integrator/Stability.h"
#include "system/Boundary.h"

namespace verve {
namespace {

/// Targets tick at least this often (s): a body that they hold feels their impulses.
constexpr double longest_target_step = 0.002;
/// Events between two looks at the budget and at whether the run is cancelled.
constexpr std::int64_t look_interval = 50000;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A spring from a point to a place that moves evenly.
struct TargetSpring {
  Target start;
  Vec3 velocity;
};

class Asynchronous final : public Integrator {
 public:
  Asynchronous(System& system, const IntegratorSettings& settings, ParticleTrace trace)
      : system_(system), settings_(settings) {
    particles_.trace = std::move(trace);
    if (!system.constraints.empty())
      throw Error("integrator.type: asynchronous cannot hold constraints; choose avf or hp, or remove them");
    for (const auto& energy : system.elastic)
      if (energy->elements() == 0)
        throw Error(
            "integrator.type: asynchronous gives clocks to elements of up to four points, which quadratic "
            "tets are "
            "not; choose avf, or the body's 'element' linear");
    if (system.rest.size() == system.mass.size())
      clocks_ = std::make_unique<ElementClocks>(system, system.rest, settings.safety);
    if (system.contacts)
      throw Error("contact.rule: the asynchronous integrator keeps bodies apart by layers; choose that rule");
    if (system.layers) contacts_ = std::make_unique<LayerContacts>(*system.layers, system.points());
  }

  void check(const State& state) const override {
    if (contacts_) check_start(contacts_->surface(), system_.rest, state.x, state.time);
  }

  void watch(std::function<void(double)> look) override { look_ = std::move(look); }

  StepReport step(const Drivers& drivers, State& state, double h) override {
    begin(drivers, state, h);
    all_kick(span_.start);
    // What starts within a layer, or is caught or let go there by pins.
    if (levels_.energy != state.contact.energy) {
      state.ledger.work += levels_.energy - state.contact.energy;
      state.contact.energy = levels_.energy;
      if (state.ledger.open) record(measure(system_, state), state.ledger);
    }
    run();
    for (int i = 0; i < particles_.size(); ++i) particles_.advance(i, span_.end());
    all_kick(span_.end());
    return end(state);
  }

 private:
  /// Everything whose ticks come in groups, in the order in which they act when they tick together.
  enum Kind { elements, targets };
  struct Source {
    Kind kind;
    int group;
    std::int64_t ticks;
  };
  struct Event {
    double time;
    int source;
    std::int64_t tick;
    bool operator<(const Event& o) const { return time != o.time ? time > o.time : source > o.source; }
  };

  void begin(const Drivers& drivers, State& state, double h) {
    span_ = {state.time, h};
    if (!clocks_) clocks_ = std::make_unique<ElementClocks>(system_, state.x, settings_.safety);
    groups_ = &clocks_->groups(state.x, h);
    events_ = next_look_ = 0;

    force_.setZero(state.x.size());
    drivers.add_forces(span_.start + 0.5 * h, force_);
    const int points = system_.points();
    particles_.start = span_.start;
    particles_.resize(points);
    for (int i = 0; i < points; ++i) {
      particles_.x[i] = point(state.x, i);
      particles_.v[i] = point(state.v, i);
      particles_.time[i] = span_.start;
      particles_.inverse_mass[i] = 1.0 / system_.mass[3 * Eigen::Index(i)];
      particles_.fall[i] = particles_.inverse_mass[i] * (point(system_.weight, i) + point(force_, i));
    }
    particles_.work = particles_.dissipated = 0.0;
    particles_.strayed.clear();

    drivers.pins(span_.end(), pins_);
    change_held(system_, pins_, state);
    for (const Pin& pin : pins_) {
      particles_.v[pin.point] = (pin.position - particles_.x[pin.point]) / h;
      particles_.inverse_mass[pin.point] = 0.0;
      particles_.fall[pin.point] = Vec3::Zero();
      const Vec3 load = point(system_.weight, pin.point) + point(force_, pin.point);
      particles_.work -= load.dot(pin.position - particles_.x[pin.point]);  // what it takes to carry it
    }
    set_targets(drivers, state, h);
    list_sources();
    const double longest = groups_->empty() ? 0.0 : h / double(groups_->front().ticks());
    if (contacts_) contacts_->begin_step(span_, longest, state.contact, particles_);
  }

  void set_targets(const Drivers& drivers, State& state, double h) {
    std::vector<Target> start, finish;
    drivers.targets(span_.start, start);
    drivers.targets(span_.end(), finish);
    system_.targets.begin_step(start, finish, h);
    state.ledger.work += system_.targets.start_energy(state.x) - state.target_energy;
    targets_.clear();
    for (const Target& target : finish) {
      const auto before =
          std::lower_bound(start.begin(), start.end(), target,
                           [](const Target& a, const Target& b) { return a.point < b.point; });
      TargetSpring spring{target, Vec3::Zero()};
      if (before != start.end() && before->point == target.point) {
        spring.start.position = before->position;
        spring.velocity = (target.position - before->position) / h;
      }
      targets_.push_back(spring);
    }
  }

  void list_sources() {
    sources_.clear();
    for (std::size_t g = 0; g < groups_->size(); ++g)
      sources_.push_back({elements, int(g), (*groups_)[g].ticks()});
    if (!targets_.empty()) {
      std::int64_t ticks = ticks_for(span_.length, longest_target_step);
      if (!groups_->empty()) ticks = std::max(ticks, groups_->front().ticks());
      for (const TargetSpring& spring : targets_) {
        const double rate =
            std::sqrt(spring.start.stiffness / system_.mass[3 * Eigen::Index(spring.start.point)]);
        if (rate > 0.0) ticks = std::max(ticks, ticks_for(span_.length, 2.0 * settings_.safety / rate));
      }
      sources_.push_back({targets, 0, ticks});
    }
  }

  void run() {
    std::priority_queue<Event> queue;
    const auto push = [&](int source, std::int64_t tick) {
      const std::int64_t ticks = sources_[source].ticks;
      if (tick < ticks) queue.push({span_.tick(tick, ticks), source, tick});
    };
    for (std::size_t s = 0; s < sources_.size(); ++s) push(int(s), 1);
    if (contacts_) contacts_->start(particles_);
    while (true) {
      const double contact = contacts_ ? contacts_->next() : infinity;
      const double other = queue.empty() ? infinity : queue.top().time;
      const double time = std::min(contact, other);
      if (time == infinity) break;
      if (contact < other) {
        contacts_->process(particles_);
        count(0, time);
      } else {
        const Event event = queue.top();
        queue.pop();
        kick(sources_[event.source], event.time, 1.0);
        push(event.source, event.tick + 1);
      }
      if (contacts_) contacts_->settle(time, particles_);
    }
  }

  /// Half the impulses of all potentials at an end of the span, where all tick.
  void all_kick(double time) {
    for (const Source& source : sources_) kick(source, time, 0.5);
    if (contacts_) levels_ = contacts_->kick_all(time, 0.5, particles_);
  }

  void kick(const Source& source, double time, double share) {
    const double h = share * span_.length / double(source.ticks);
    switch (source.kind) {
      case elements: {
        const ElementGroup& group = (*groups_)[source.group];
        group.kick(time, h, particles_);
        count(group.elements(), time);
        break;
      }
      case targets:
        for (const TargetSpring& spring : targets_) pull(spring, time, h);
        count(int(targets_.size()), time);
        break;
    }
  }

  void pull(const TargetSpring& spring, double time, double h) {
    const Target& target = spring.start;
    const int i = target.point;
    particles_.advance(i, time);
    const Vec3 place = target.position + (time - span_.start) * spring.velocity;
    const Vec3 impulse = h * target.stiffness * (place - particles_.x[i]);
    particles_.kick(i, impulse);
    particles_.work += impulse.dot(spring.velocity);
    if (target.damping == 0.0 || particles_.inverse_mass[i] == 0.0) return;
    // The damper by itself makes the relative velocity decay exponentially, at any step.
    const double mass = 1.0 / particles_.inverse_mass[i];
    const Vec3 relative = particles_.v[i] - spring.velocity;
    const Vec3 taken = -mass * (1.0 - std::exp(-h * target.damping / mass)) * relative;
    particles_.work += taken.dot(spring.velocity);
    particles_.dissipated -= taken.dot(relative + 0.5 / mass * taken);
    particles_.kick(i, taken);
  }

  void count(std::int64_t events, double time) {
    events_ += events;
    const std::int64_t total = events_ + (contacts_ ? contacts_->events() : 0);
    if (total <= next_look_) return;
    next_look_ = std::min(total + look_interval, settings_.max_events);
    if (look_) look_(time);
    if (total > settings_.max_events)
      throw SimulationError("at " + shortest(time) + " s the step had taken " +
                            std::to_string(settings_.max_events) +
                            " events, as many as integrator.max_events allows; raise it, or look for extreme "
                            "stiffness, speed or thin layers");
  }

  StepReport end(State& state) {
    const Vector x0 = state.x;
    for (int i = 0; i < system_.points(); ++i) {
      point(state.x, i) = particles_.x[i];
      point(state.v, i) = particles_.v[i];
    }
    for (const Pin& pin : pins_) point(state.x, pin.point) = pin.position;
    state.ledger.work += particles_.work + force_.dot(state.x - x0);
    state.ledger.dissipated += particles_.dissipated;
    state.target_energy = system_.targets.end_energy(state.x);
    if (contacts_) {
      state.contact.energy = levels_.energy;
      state.contact.touching = levels_.touching;
      state.contact.touched.clear();
      for (int i : levels_.points)
        if (i < system_.points()) state.contact.touched.push_back(i);  // those beyond are the colliders'
      contacts_->end_step(state.contact);
      state.contact.deepest = levels_.touching ? contacts_->surface().widest - levels_.nearest : 0.0;
    }
    state.time = span_.end();
    const std::string problem = blow_up(system_, state, span_.length);
    if (!problem.empty()) throw SimulationError(problem + "; or lower integrator.safety");
    StepReport report;
    report.events = events_ + (contacts_ ? contacts_->events() : 0);
    report.deepest_layer = contacts_ ? contacts_->deepest() : 0;
    return report;
  }

  System& system_;
  IntegratorSettings settings_;
  std::unique_ptr<ElementClocks> clocks_;
  const std::vector<ElementGroup>* groups_ = nullptr;
  std::function<void(double)> look_;

  Span span_;
  Particles particles_;
  std::vector<Pin> pins_;
  std::vector<TargetSpring> targets_;
  Vector force_;  ///< of the outside but gravity
  std::vector<Source> sources_;
  std::unique_ptr<LayerContacts> contacts_;
  LayerLevels levels_;
  std::int64_t events_ = 0, next_look_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_asynchronous(System& system, const IntegratorSettings& settings,
                                              ParticleTrace trace) {
  return std::make_unique<Asynchronous>(system, settings, std::move(trace));
}

}  // namespace verve
