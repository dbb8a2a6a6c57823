#pragma once

#include "../UT/UT_Error.h"

enum SIM_ErrorCodes { SIM_MESSAGE = 0 };
