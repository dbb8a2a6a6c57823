// The part of SolverNode that writes frames to the disk and shows them.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "node/NodeDisk.h"
#include "node/SolverNode.h"

namespace verve {
namespace {

std::string range(const std::map<int, std::uint64_t>& frames) {
  if (frames.empty()) return "nothing was written there";
  return "there are frames " + std::to_string(frames.begin()->first) + " to " +
         std::to_string(frames.rbegin()->first);
}

Geometry read_frame(const NodeDisk& disk, int frame, const Geometry& input) {
  Geometry loaded = disk.read_frame(frame);
  if (loaded.point_count != input.point_count || loaded.vertex_points != input.vertex_points ||
      loaded.primitive_starts != input.primitive_starts)
    throw Error(disk.frame_file(frame) + " has " + std::to_string(loaded.point_count) + " points and " +
                std::to_string(loaded.primitive_count()) +
                " primitives that are not those of the first input (" + std::to_string(input.point_count) +
                " and " + std::to_string(input.primitive_count()) +
                "); save to the disk again, or wire in the geometry that it was made of");
  return loaded;
}

}  // namespace

/// Each frame is compared with what its inputs are now; those before it when they are shown themselves.
NodeResult SolverNode::show_from_disk(double frame, const Source& source, const NodeFrame& host) {
  const NodeDisk disk(host.settings);
  const int start = host.settings.start_frame, whole = int(std::floor(frame)), shown = std::max(whole, start);
  const std::map<int, std::uint64_t> frames = disk.frames();
  const auto known = frames.find(shown);
  if (known == frames.end())
    throw Error("frame " + std::to_string(shown) + " is not on the disk (" + disk.frame_file(shown) +
                "): " + range(frames) + "; press Save to Disk, or switch Load from Disk off");
  const NodeInputs now = shown == whole ? NodeInputs(host, whole == start) : NodeInputs(source(start), true);
  NodeResult result;
  result.file = disk.frame_file(shown);
  result.geometry = read_frame(disk, shown, *now.geometry);
  const double part = whole < start ? 0.0 : frame - whole;
  if (part > 0.0 && frames.count(shown + 1)) {
    const Geometry next = read_frame(disk, shown + 1, *now.geometry);
    for (const char* name : {"P", "v"}) {
      const Attribute *earlier = result.geometry.find(Owner::Point, name),
                      *later = next.find(Owner::Point, name);
      if (!earlier || !later) continue;
      std::vector<double> between(earlier->size());
      for (std::size_t i = 0; i < between.size(); ++i)
        between[i] = earlier->number(i) + part * (later->number(i) - earlier->number(i));
      result.geometry.add<double>(Owner::Point, name, 3, earlier->type_info) = between;
    }
  }
  if (known->second != now.all) {
    result.stale = true;
    result.warnings.push_back(
        result.file +
        " is stale: parameters or inputs of this frame have changed since it was saved; press "
        "Save to Disk to make it anew");
    result.geometry.add<std::int32_t>(Owner::Detail, "stale")[0] = 1;
  }
  return result;
}

SolverNode::Saved SolverNode::save_to_disk(int at, const Source& source, const Interrupt& interrupt) {
  NodeFrame host = source(at);
  const int start = host.settings.start_frame, end = host.settings.disk.end_frame;
  if (end < start)
    throw Error("End Frame is " + std::to_string(end) + ", before the Start Frame " + std::to_string(start));
  // What is cooked here is to be simulated, whatever the node shows.
  const Source simulated = [&](int f) {
    NodeFrame frame = source(f);
    frame.settings.disk.load = false;
    return frame;
  };
  const NodeDisk disk(host.settings);
  // As many frames from the start as the inputs would still give.
  std::map<int, std::uint64_t> frames = disk.frames();
  int next = start;
  recent_.clear();
  for (; next <= end && frames.count(next) && std::filesystem::exists(disk.frame_file(next)); ++next) {
    if (interrupt && interrupt(0.0)) throw Cancelled();
    if (NodeInputs(simulated(next), next == start).all != frames[next]) break;
  }
  Saved saved{start, next - 1, next, false};
  if (next > end) return saved;
  if (next > start && !cache_.knows(next - 1)) {
    // Not in memory: the checkpoint may be of any of them.
    next = start;
    try {
      const Checkpoint checkpoint = read_checkpoint(disk.checkpoint_file());
      if (checkpoint.frame < saved.from && checkpoint.frame >= start) {
        load(to_bytes(checkpoint), simulated(start), simulated);
        next = checkpoint.frame + 1;
      }
    } catch (const Error&) {
      // missing, damaged, or of other inputs: everything begins anew
    }
  }
  frames.erase(frames.lower_bound(next), frames.end());
  disk.write_frames(frames);
  saved.from = next;
  saved.last = next - 1;
  disk.forget_from(next);
  const auto keep = [&] {
    disk.write_frames(frames);
    if (saved.last >= start && cache_.find(saved.last))
      write_checkpoint(disk.checkpoint_file(), checkpoint_from(save(saved.last)));
  };
  const int every = host.settings.disk.checkpoint_every;
  try {
    for (int f = next; f <= end; ++f) {
      const auto ask = [&](double share) {
        return interrupt && interrupt((f - next + share) / (end - next + 1));
      };
      if (ask(0.0)) throw Cancelled();
      const NodeResult result = cook(f, simulated, ask);
      if (result.stale)
        throw Error("the frames in memory are stale; press Reset Simulation before Save to Disk");
      disk.write_frame(f, result.geometry);
      frames[f] = cache_.inputs(f);
      saved.last = f;
      if (every > 0 && (f - start + 1) % every == 0) keep();
    }
  } catch (const Cancelled&) {
    saved.interrupted = true;
  } catch (...) {
    keep();
    throw;
  }
  keep();
  return saved;
}

}  // namespace verve
