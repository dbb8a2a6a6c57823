#pragma once

#include "../SYS/SYS_Visibility.h"

/// The version functions that Houdini looks for; here there are none.
