#pragma once
#include "../standin/Sim.h"
