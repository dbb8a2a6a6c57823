#pragma once

#include <cstdint>

typedef double fpreal;
typedef double fpreal64;
typedef float fpreal32;
typedef std::int64_t exint;
typedef std::int64_t int64;
