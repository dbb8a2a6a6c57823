#pragma once
#include "../standin/Op.h"
