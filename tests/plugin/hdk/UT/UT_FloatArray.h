#pragma once

#include "UT_ValArray.h"
