#pragma once

enum OP_OpTypeId { OBJ_OPTYPE_ID, SOP_OPTYPE_ID, DOP_OPTYPE_ID };
