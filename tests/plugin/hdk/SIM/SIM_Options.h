#pragma once

#include "../UT/UT_Options.h"

class SIM_Options : public UT_Options {};
