#pragma once

enum SOP_ErrorCodes { SOP_ERR_INVALID_SRC, SOP_MESSAGE };
