#pragma once

#include "../GU/GOP_Guide.h"

#define SOP_Guide GOP_Guide
