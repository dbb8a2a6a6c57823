// Stands in for Houdini 21; a test may say that it is an earlier one.
#pragma once
#ifndef SYS_VERSION_MAJOR_INT
#define SYS_VERSION_MAJOR_INT 21
#endif
