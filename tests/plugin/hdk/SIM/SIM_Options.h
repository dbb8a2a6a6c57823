#pragma once

#include "../UT/UT_Options.h"

typedef UT_Options SIM_Options;
