#pragma once

#include "GU_Detail.h"

class GOP_Guide : public GU_Detail {};
