#pragma once

#include "../SYS/SYS_Version.h"

/// Earlier Houdinis count inputs by unsigned numbers and have no name for them.
#if SYS_VERSION_MAJOR_INT >= 21
using OP_InputIdx = int;
typedef OP_InputIdx StandinInputIdx;
#else
typedef unsigned StandinInputIdx;
#endif

enum OP_EventType {
  OP_NODE_PREDELETE,
  OP_NAME_CHANGED,
  OP_INPUT_CHANGED,
  OP_INPUT_REWIRED,
  OP_PARM_CHANGED,
  OP_FLAG_CHANGED
};
enum OP_OpTypeId { OBJ_OPTYPE_ID, SOP_OPTYPE_ID, DOP_OPTYPE_ID };
