// Which of the energies whose rest shape may change an energy is.
#pragma once

#include "energy/Energy.h"
#include "energy/SheetRest.h"

namespace verve {

/// Linear tets; springs between two points; corners of ropes; the stretch or the bending of sheets.
enum class RestKind { tets, springs, corners, sheets };

/// By the number of its constants, see Energy::constants(); it must have some.
inline RestKind rest_kind(const Energy& energy) {
  switch (energy.constants()) {
    case 12:
      return RestKind::tets;
    case 4:
      return RestKind::corners;
    case SheetRest::constants:
      return RestKind::sheets;
    default:
      return RestKind::springs;
  }
}

}  // namespace verve
