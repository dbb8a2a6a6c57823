// What Houdini finds in its dso folder. The plugin itself lies beside it in ../lib: so the processor is asked
// before anything of the plugin runs, its static objects among them, and this file and Machine.cpp, which are
// compiled for every x86-64, share no inline function with it.
#include <SYS/SYS_Visibility.h>
#include <UT/UT_DSOVersion.h>
#include <dlfcn.h>

#include <cstdio>
#include <string>

#include "Machine.h"

class OP_OperatorTable;

namespace {

/// The plugin's function of that name; null, and once a sentence, when the plugin cannot be loaded.
void* function(const char* name) {
  static void* const plugin = [] {
    std::string why = verve::refusal();
    void* opened = nullptr;
    Dl_info here;
    if (why.empty() && dladdr(reinterpret_cast<const void*>(&function), &here)) {
      std::string folder = here.dli_fname;
      folder.erase(folder.find_last_of('/') + 1);
      opened = dlopen((folder + "../lib/" VERVE_PLUGIN).c_str(), RTLD_NOW | RTLD_LOCAL);
      if (!opened) why = std::string("Verve is not loaded: ") + dlerror();
    }
    if (!why.empty()) std::fprintf(stderr, "%s\n", why.c_str());
    return opened;
  }();
  return plugin ? dlsym(plugin, name) : nullptr;
}

}  // namespace

extern "C" SYS_VISIBILITY_EXPORT void newSopOperator(OP_OperatorTable* table) {
  if (void* found = function("verve_new_sop_operator"))
    reinterpret_cast<void (*)(OP_OperatorTable*)>(found)(table);
}

extern "C" SYS_VISIBILITY_EXPORT void initializeSIM(void*) {
  if (void* found = function("verve_initialize_sim")) reinterpret_cast<void (*)()>(found)();
}
