// The node that hosts show to artists: any frame, in any order, with whatever inputs and parameters it has
// now.
#pragma once

#include <list>

#include "node/NodeCache.h"

namespace verve {

/// What a cook gives back.
struct NodeResult {
  /// The points and primitives of the input with the attributes that the node writes, and no others: P, v,
  /// rest, stress, energydensity, contact, inverted, and the ledger on the detail.
  Geometry geometry;
  Geometry guides;  ///< lines beside it, if they are asked for
  FrameReport report;
  bool stale = false;  ///< made with inputs or parameters that have changed since
  std::string file;    ///< that it was loaded from; empty: it was simulated
  std::vector<std::string> warnings;
  std::vector<std::string> notes;
};

/// Owns the simulation and its cached frames. Frames are simulated in order from the start frame, whatever
/// the order in which they are asked for; the same frame always comes out the same to the bit.
class SolverNode {
 public:
  /// The host's inputs and parameters at a frame. Called for the frame that is cooked and for every frame
  /// that has to be simulated or looked at again before it.
  using Source = std::function<NodeFrame(int frame)>;
  using Interrupt = NodeSimulation::Interrupt;

  /// Throws an Error for inputs that do not fit, SimulationError for frames that cannot be solved, Cancelled
  /// when interrupted; the frames made until then stay. Frames before the start show the start. Between two
  /// frames positions lie on the straight line from one to the other.
  NodeResult cook(double frame, const Source& source, const Interrupt& interrupt = {});

  /// Says that inputs or parameters may have changed at this frame and later ones: they are looked at again,
  /// each once, before frames from there on are shown or gone on from.
  void suspect(int frame);

  /// What Save to Disk did.
  struct Saved {
    int first = 0, last = 0;  ///< frames that are on the disk now, from the start frame on
    int from = 0;             ///< the first of them that was written this time
    bool interrupted = false;
  };
  /// Writes the frames from the start to the end, as the parameters at frame `at` say, each as soon as it is
  /// simulated, and checkpoints. Frames that an earlier call left and that the inputs would still give stay
  /// as they are: the rest follows, from memory or from the checkpoint, and is what an unbroken call would
  /// have written, to the byte. With NodeSettings::Disk::load, cook() shows them.
  Saved save_to_disk(int at, const Source& source, const Interrupt& interrupt = {});

  void reset();
  const NodeCache& cache() const { return cache_; }

  /// The state of the last simulated frame, to be saved and loaded by the host; empty when there is none.
  std::string save() const;
  /// The same of any frame that is kept.
  std::string save(int frame) const;
  /// Goes on from such bytes. `start` are the inputs at the start frame, `at` those at the saved one. Throws
  /// an Error for bytes that are damaged or belong to other inputs or parameters.
  void load(const std::string& bytes, const NodeFrame& start, const Source& source);

 private:
  NodeResult show_from_disk(double frame, const Source& source, const NodeFrame& host);
  void revise(const NodeInputs& now, const Source& source);
  void simulate_to(int frame, const NodeInputs& now, const Source& source, const Interrupt& interrupt);
  const NodeInputs& inputs_at(int frame, const NodeInputs& now, const Source& source);
  int first_changed(int from, int until, const NodeInputs& now, const Source& source);

  NodeCache cache_;
  std::unique_ptr<NodeSimulation> simulation_;
  int start_ = 0, reset_ = 0;
  std::list<NodeInputs> recent_;     ///< of this cook, the last two: what was compared is gone on from next
  std::optional<int> suspect_from_;  ///< the first frame that suspect() wants looked at
  std::optional<int> stale_from_;    ///< the first known frame that the inputs would no longer give
};

}  // namespace verve
