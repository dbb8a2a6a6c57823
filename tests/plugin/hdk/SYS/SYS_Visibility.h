#pragma once

#define SYS_VISIBILITY_EXPORT __attribute__((visibility("default")))
