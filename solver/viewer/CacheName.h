// Which files a name on the command line stands for.
#pragma once

#include <string>

namespace verve {

/// A cache to open with open_sequence().
struct CacheName {
  std::string path;  ///< a file, or FOLDER/NAME.$F4.ENDING
  double fps = 0;    ///< from the scene.json beside it; 0 when there is none
};

/// A file by its own name, or the cache in the folder of a run. An Error if there is nothing of that name.
CacheName find_cache(const std::string& file_or_folder);

}  // namespace verve
