#pragma once
#include "../standin/Ga.h"
