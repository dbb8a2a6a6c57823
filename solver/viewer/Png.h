// Pictures as PNG files.
#pragma once

#include <string>

#include "viewer/Picture.h"

namespace verve {

void write_png(const std::string& path, const Picture& picture);

}  // namespace verve
