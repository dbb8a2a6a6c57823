// What a node's parameters come to.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simulation/Import.h"
#include "term/Pressure.h"

namespace verve {

/// A value as a host has it: numbers (of toggles 0 or 1), or the word of a menu.
struct ParameterValue {
  std::vector<double> numbers;
  std::string text;
};
/// By the names of the dialog; what is left out has its default.
using NodeValues = std::map<std::string, ParameterValue>;

/// All that a node needs to know beside its inputs.
struct NodeSettings {
  Scene scene;  ///< without bodies and colliders: gravity, integrator, contact, substeps
  BodyMaterials materials;
  ColliderSpec collider;  ///< stiffness, thickness and friction before the colliders' own attributes
  bool ground = false;    ///< a floor at ground_height, m, with the settings of `collider`
  double ground_height = 0.0;
  double target_stiffness = 100.0, target_damping = 0.0;  ///< N/m and N s/m a point
  int start_frame = 1;
  double time_scale = 1.0;
  int reset = 0;
  bool settle = false, sag_free = false;  ///< every body
  bool keep_stale = false;
  double cache_bytes = 0.0;
  double rest_scale = 1.0, stiffness_scale = 1.0;    ///< of lengths at rest, and of the material's stiffness
  Plasticity plastic, bend_plastic;                  ///< of tets; of membranes and rods
  std::shared_ptr<const PressureSettings> pressure;  ///< in closed pieces of cloth; none: nothing
  struct Disk {
    bool load = false;         ///< show what was written and simulate nothing
    std::string folder, name;  ///< as in the dialog
    int version = 1;
    int end_frame = 240;        ///< the last to write
    int checkpoint_every = 10;  ///< frames; 0: only at the end
  } disk;
  std::string guides = "none";     ///< lines that show what the geometry does not
  std::string constraint_data;     ///< where a DOP object has what is the SOP's second input
  std::string colour_by = "none";  ///< what Cd shows
  double colour_to = 0.0;          ///< the value that is red; 0: the frame's largest
  bool stress = true, contact = true, ledger = true;
  std::uint64_t fingerprint = 0;  ///< of what shapes the result; not of the cache and output
};

/// Throws an Error that names the parameter for values out of range and unknown words.
NodeSettings node_settings(const NodeValues& values);

}  // namespace verve
