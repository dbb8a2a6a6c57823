// What load/Load.cpp calls once it knows that this machine can run the plugin.
#pragma once

#include <SYS/SYS_Visibility.h>

class OP_OperatorTable;

extern "C" SYS_VISIBILITY_EXPORT void verve_new_sop_operator(OP_OperatorTable* table);
extern "C" SYS_VISIBILITY_EXPORT void verve_initialize_sim();
