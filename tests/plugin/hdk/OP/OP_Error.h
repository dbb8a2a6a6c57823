#pragma once

#include "../UT/UT_Error.h"

typedef UT_ErrorSeverity OP_ERROR;
