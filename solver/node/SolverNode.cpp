#include "node/SolverNode.h"

#include <cmath>

#include "node/NodeExport.h"
#include "node/NodeGuides.h"

namespace verve {

void SolverNode::reset() {
  cache_.clear();
  simulation_.reset();
  stale_from_.reset();
  suspect_from_.reset();
}

void SolverNode::suspect(int frame) {
  suspect_from_ = std::min(frame, suspect_from_.value_or(frame));
}

const NodeInputs& SolverNode::inputs_at(int frame, const NodeInputs& now, const Source& source) {
  if (frame == now.frame) return now;
  for (const NodeInputs& known : recent_)
    if (known.frame == frame) return known;
  recent_.emplace_back(source(frame), frame == start_);
  if (recent_.size() > 2) recent_.pop_front();
  return recent_.back();
}

/// The first known frame of a range that the inputs would no longer give; the one after when all are good.
int SolverNode::first_changed(int from, int until, const NodeInputs& now, const Source& source) {
  int f = from;
  while (f <= until && inputs_at(f, now, source).all == cache_.inputs(f)) ++f;
  return f;
}

/// Finds out which of the frames known so far still are what the inputs would give, and forgets the others.
/// Only the frame at hand is compared at first; the earlier ones when that has changed, or when its settings
/// differ from those of the frame before, as animated parameters do. Frames that are kept although they are
/// stale are looked at again: what changed may have been taken back. Suspected ones are compared up to the
/// frame at hand, and the later ones when their turn comes.
void SolverNode::revise(const NodeInputs& now, const Source& source) {
  if (cache_.empty()) return suspect_from_.reset();
  const int last = cache_.last(), known = std::min(now.frame, last);
  const auto differs = [&](int f) { return inputs_at(f, now, source).all != cache_.inputs(f); };
  bool changed = cache_.knows(now.frame) && cache_.inputs(now.frame) != now.all;
  if (!cache_.knows(now.frame) && (!simulation_ || simulation_->frame() != last ||
                                   simulation_->inputs().settings.fingerprint != now.settings.fingerprint))
    changed = differs(last);
  const bool suspected = suspect_from_ && *suspect_from_ <= known;
  if (!changed && !stale_from_ && !suspected) return;
  if (now.settings.keep_stale) {
    if (!suspected && stale_from_ && (*stale_from_ > known ? !changed : differs(*stale_from_))) return;
    const int first = first_changed(start_, last, now, source);
    stale_from_ = first <= last ? std::optional<int>(first) : std::nullopt;
    return suspect_from_.reset();
  }
  // Those before the suspected ones have been looked at since the last edit.
  const int from = suspect_from_ && !stale_from_ ? std::max(start_, std::min(known, *suspect_from_)) : start_;
  const int first = first_changed(from, known, now, source);
  if (suspected && (first <= known || known == last))
    suspect_from_.reset();
  else if (suspected)
    suspect_from_ = known + 1;
  if (first == start_ && first <= known) return reset();
  if (first <= known) cache_.forget_from(first);
  if (first <= known || (stale_from_ && *stale_from_ <= known)) stale_from_.reset();
}

void SolverNode::simulate_to(int frame, const NodeInputs& now, const Source& source,
                             const Interrupt& interrupt) {
  const double limit = now.settings.cache_bytes;
  if (cache_.empty()) {
    NodeInputs start = inputs_at(start_, now, source);
    const std::uint64_t inputs = start.all;
    simulation_ = std::make_unique<NodeSimulation>(std::move(start));
    cache_.put(start_, inputs, simulation_->state(), limit);
  }
  if (!simulation_) simulation_ = std::make_unique<NodeSimulation>(inputs_at(start_, now, source));
  if (cache_.find(frame)) return;
  const int from = cache_.nearest(frame);
  if (simulation_->frame() != from)
    simulation_->restore(inputs_at(from, now, source), cache_.find(from)->state);
  for (int f = from + 1; f <= frame; ++f) {
    const auto ask = [&](double share) {
      return interrupt && interrupt((f - 1 - from + share) / (frame - from));
    };
    NodeInputs next = inputs_at(f, now, source);
    const std::uint64_t inputs = next.all;
    try {
      simulation_->advance(std::move(next), ask);
    } catch (...) {
      simulation_.reset();  // what it was built for is not what the cache has
      throw;
    }
    cache_.put(f, inputs, simulation_->state(), limit);
  }
}

NodeResult SolverNode::cook(double frame, const Source& source, const Interrupt& interrupt) {
  const int whole = int(std::floor(frame));
  recent_.clear();
  const NodeFrame host = source(whole);
  if (host.settings.disk.load) return show_from_disk(frame, source, host);
  const int start = host.settings.start_frame;
  if (start != start_ || host.settings.reset != reset_) {
    reset();
    start_ = start;
    reset_ = host.settings.reset;
  }
  const int shown = std::max(whole, start);
  const NodeInputs now = shown == whole ? NodeInputs(host, whole == start) : NodeInputs(source(start), true);
  revise(now, source);
  simulate_to(shown, now, source, interrupt);

  NodeResult result;
  const NodeState* state = cache_.find(shown);
  result.report = state->report;
  const double part = whole < start ? 0.0 : frame - whole;
  NodeState mixed;
  if (part > 0.0) {
    mixed = *state;  // what follows may drop it from the cache
    simulate_to(shown + 1, now, source, interrupt);
    const State& next = cache_.find(shown + 1)->state;
    mixed.state.x += part * (next.x - mixed.state.x);
    mixed.state.v += part * (next.v - mixed.state.v);
    state = &mixed;
  }
  result.geometry = export_node(*simulation_, now, *state);
  if (now.settings.guides != "none") result.guides = guide_lines(now, *state, simulation_->geometry_point());
  result.stale = stale_from_ && shown >= *stale_from_;
  result.warnings = simulation_->warnings();
  result.notes = simulation_->notes();
  if (result.stale) {
    result.warnings.push_back(
        "the cached frames are stale: parameters or inputs have changed since they were simulated; press "
        "Reset "
        "Simulation to make them anew");
    result.geometry.add<std::int32_t>(Owner::Detail, "stale")[0] = 1;
  }
  if (result.report.inverted > 0)
    result.warnings.push_back(std::to_string(result.report.inverted) +
                              " tetrahedra are inside out; the primitive attribute 'inverted' marks them");
  return result;
}

std::string SolverNode::save() const {
  return cache_.empty() ? std::string() : save(cache_.last());
}

std::string SolverNode::save(int frame) const {
  return to_bytes({cache_.inputs(frame), frame, cache_.find(frame)->state});
}

void SolverNode::load(const std::string& bytes, const NodeFrame& start, const Source& source) {
  Checkpoint checkpoint;
  try {
    checkpoint = checkpoint_from(bytes);
  } catch (const Error& error) {
    throw Error(std::string("the saved state ") + error.what());
  }
  NodeInputs at(source(checkpoint.frame), checkpoint.frame == start.settings.start_frame);
  if (at.all != checkpoint.fingerprint)
    throw Error("the saved state of frame " + std::to_string(checkpoint.frame) +
                " belongs to other inputs or parameters; reset the simulation to begin anew");
  reset();
  start_ = start.settings.start_frame;
  reset_ = start.settings.reset;
  NodeInputs first(start, true);
  const std::uint64_t first_inputs = first.all;
  const double limit = start.settings.cache_bytes;
  simulation_ = std::make_unique<NodeSimulation>(std::move(first));
  cache_.put(start_, first_inputs, simulation_->state(), limit);
  if (checkpoint.frame == start_) return;
  simulation_->restore(std::move(at), checkpoint.state);
  cache_.put(checkpoint.frame, checkpoint.fingerprint, simulation_->state(), limit);
}

}  // namespace verve
