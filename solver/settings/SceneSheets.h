// The material of a membrane in a scene file.
#pragma once

#include <string>

#include "energy/SheetMaterial.h"
#include "parameters/SceneCheck.h"

namespace verve {

/// Reads a body's `material` (checked before) as that of a membrane and fills in what it leaves out, the
/// body's density as well unless it gives one, or its mass. `place` names the body in messages.
SheetMaterial read_sheet(Json& body, const std::string& place);

}  // namespace verve
