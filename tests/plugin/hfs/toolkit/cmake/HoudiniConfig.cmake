# Stands in for $HFS/toolkit/cmake, so that the houdini preset can be tried without Houdini:
#   HFS=$PWD/tests/plugin/hfs cmake --preset houdini && cmake --build --preset houdini && cmake --install build/houdini
find_package(TBB REQUIRED)
add_library(Houdini INTERFACE)
target_include_directories(Houdini SYSTEM INTERFACE ${CMAKE_CURRENT_LIST_DIR}/../../../hdk)
target_link_libraries(Houdini INTERFACE TBB::tbb)

function(houdini_configure_target target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "INSTDIR" "")
  set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${ARG_INSTDIR}")
endfunction()
