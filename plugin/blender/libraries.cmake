# Puts the shared libraries that the program needs beside it, but for those that every Linux with Blender has.
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${PROGRAM} RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR missing
     POST_EXCLUDE_REGEXES "/(libc|libm|libdl|librt|libpthread|libstdc\\+\\+|libgcc_s|ld-linux[^/]*)\\.so")
if(missing)
  message(FATAL_ERROR "${PROGRAM}: cannot find ${missing}")
endif()
foreach(library ${found})
  get_filename_component(name ${library} NAME)
  file(REAL_PATH ${library} real)
  configure_file(${real} ${TO}/${name} COPYONLY)
endforeach()
