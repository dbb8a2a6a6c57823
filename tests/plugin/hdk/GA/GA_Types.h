#pragma once

#include "../SYS/SYS_Types.h"

typedef int64 GA_Size;
typedef int64 GA_Index;
typedef int64 GA_Offset;

enum GA_AttributeOwner { GA_ATTRIB_VERTEX, GA_ATTRIB_POINT, GA_ATTRIB_PRIMITIVE, GA_ATTRIB_GLOBAL };
constexpr GA_AttributeOwner GA_ATTRIB_DETAIL = GA_ATTRIB_GLOBAL;
enum GA_TypeInfo { GA_TYPE_VOID, GA_TYPE_POINT, GA_TYPE_VECTOR, GA_TYPE_COLOR };

/// Offsets are not indices: this is the offset of the first point and primitive.
constexpr GA_Offset theFirstOffset = 7;
