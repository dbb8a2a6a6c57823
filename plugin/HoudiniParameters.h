// The dialog of both nodes, and its values.
#pragma once

#include <PRM/PRM_Callback.h>
#include <PRM/PRM_Template.h>
#include <SYS/SYS_Types.h>
#include <UT/UT_Options.h>

#include "node/NodeSettings.h"

class OP_Parameters;

namespace verve {

/// The templates that the parameter table gives, made once for each node; the SOP's buttons Reset Simulation
/// and Save to Disk call `reset` and `save`.
PRM_Template* sop_templates(PRM_Callback reset, PRM_Callback save);
PRM_Template* dop_templates();

/// Beside the DOP's own: whether the lines are shown that its parameter Guides asks for.
PRM_Template* guide_templates();
bool shows_guides(const UT_Options& options);

/// The values at a time, as the node evaluates them.
NodeValues values_at(const OP_Parameters& node, fpreal time);

/// The values that a DOP data's options hold; those without an option have their default.
NodeValues values_of(const UT_Options& options);

}  // namespace verve
