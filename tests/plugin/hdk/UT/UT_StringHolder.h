#pragma once
#include "../standin/Ut.h"
