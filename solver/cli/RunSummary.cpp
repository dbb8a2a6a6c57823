#include "cli/RunSummary.h"

#include <cmath>
#include <cstdio>

namespace verve {
namespace {

template <class... Args>
std::string print(const char* format, Args... args) {
  char text[320];
  std::snprintf(text, sizeof text, format, args...);
  return text;
}

std::string duration(double seconds) {
  if (seconds < 0.995) return print("%.0f ms", 1e3 * seconds);
  if (seconds < 119.5) return print("%.3g s", seconds);
  return print("%.0f min %02d s", std::floor(seconds / 60), int(std::fmod(seconds, 60)));
}

std::string length(double metres) {
  return metres < 0.001 ? print("%.2g um", 1e6 * metres)
         : metres < 1   ? print("%.2g mm", 1e3 * metres)
                        : print("%.2g m", metres);
}

}  // namespace

void RunSummary::add(const FrameReport& r) {
  if (frames_++ == 0) start_ = r.levels.total();
  seconds_ += r.seconds;
  halvings_ += r.halvings;
  bound_ += r.bound;
  if (r.passed > 0 && passed_points_ == 0) first_passed_ = r.frame;
  passed_points_ += r.passed;
  if (r.grown > 0.0 && grown_.value == 0.0) first_grown_ = r.frame;
  grown_.take(r.grown, r.frame);
  slowest_.take(r.seconds, r.frame);
  inverted_.take(r.inverted, r.frame);
  penetration_.take(r.penetration, r.frame);
  last_ = r;
}

std::vector<std::string> RunSummary::lines() const {
  std::vector<std::string> lines;
  if (frames_ == 0) return lines;
  lines.push_back(print("%d frames in %s; the slowest is frame %d with %s", frames_,
                        duration(seconds_).c_str(), slowest_.frame, duration(slowest_.value).c_str()));
  const double change = last_.levels.total() - start_;
  // Far below what a frame's tolerance allows: rounding, which nobody needs to read.
  const double nothing = 1e-10 * (std::abs(start_) + std::abs(last_.levels.total()));
  std::string energy = print("energy %.4g J, ", last_.levels.total());
  energy += std::abs(change) <= nothing
                ? "as at the start"
                : print("%.4g J %s than at the start", std::abs(change), change < 0 ? "less" : "more");
  if (std::abs(last_.ledger.dissipated) > nothing)
    energy += print(": damping, friction and contact took %.4g J", last_.ledger.dissipated);
  if (std::abs(last_.ledger.work) > nothing)
    energy += print(", outside work brought %.4g J", last_.ledger.work);
  lines.push_back(energy + print("; unaccounted for %.2g %%", 100 * last_.ledger_error()));
  if (penetration_.value > 0)
    lines.push_back(print("deepest point in a collider %s, at frame %d", length(penetration_.value).c_str(),
                          penetration_.frame));
  if (inverted_.value > 0)
    lines.push_back(print("at most %.0f tets turned inside out, at frame %d; %s at the end", inverted_.value,
                          inverted_.frame,
                          last_.inverted ? print("%d still are", last_.inverted).c_str() : "none is"));
  if (passed_points_ > 0)
    lines.push_back(
        print("warning: %d points went through a collider, first at frame %d: it is too thin or too soft "
              "(stiffness) for their speed",
              passed_points_, first_passed_));
  if (grown_.value > 0.0)
    lines.push_back(
        print("warning: energy grew by up to %.3g J (frame %d) that neither work nor contact put in, first "
              "at frame %d",
              grown_.value, grown_.frame, first_grown_));
  if (halvings_ > 0) lines.push_back(print("%d steps did not converge and were made in halves", halvings_));
  if (bound_ > 0)
    lines.push_back(
        print("in %d frames the motion asked for more steps than 'substeps' or 'substeps_max' allow: bounce "
              "and damping there are not those of shorter steps (\"substeps\": \"auto\" takes what it needs)",
              bound_));
  return lines;
}

}  // namespace verve
