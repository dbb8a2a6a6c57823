#pragma once

#include "../SYS/SYS_Version.h"

/// Earlier Houdinis count inputs by unsigned numbers and have no name for them.
#if SYS_VERSION_MAJOR_INT >= 21
using OP_InputIdx = int;
typedef OP_InputIdx StandinInputIdx;
#else
typedef unsigned StandinInputIdx;
#endif
