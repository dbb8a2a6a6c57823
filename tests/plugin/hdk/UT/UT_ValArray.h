#pragma once

#include "UT_Array.h"

template <class T>
class UT_ValArray : public UT_Array<T> {};
typedef UT_ValArray<float> UT_FloatArray;
