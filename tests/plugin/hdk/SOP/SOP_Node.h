#pragma once
#include "../standin/Sop.h"
