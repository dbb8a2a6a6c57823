#pragma once

#include "UT_ValArray.h"
#include "UT_Vector3.h"

typedef UT_ValArray<UT_Vector3> UT_Vector3Array;
