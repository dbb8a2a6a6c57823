# verve_link_metis(TARGET FOLDER): METIS so that the plugin finds it on machines that do not have it. An archive that was
# compiled with -fPIC goes into the plugin; otherwise the shared library is put into FOLDER, where the plugin is,
# and found there by $ORIGIN before any other.
set(VERVE_METIS_ARCHIVE "" CACHE FILEPATH "A libmetis.a compiled with -fPIC, to be linked into the Houdini plugin")

function(verve_link_metis target folder)
  if(VERVE_METIS_ARCHIVE)
    target_link_libraries(${target} PRIVATE ${VERVE_METIS_ARCHIVE})
    return()
  endif()
  target_link_libraries(${target} PRIVATE ${METIS_LIBRARY})
  if(NOT UNIX OR APPLE)
    return()
  endif()
  set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
  target_link_options(${target} PRIVATE -Wl,--no-as-needed)
  # The name that the plugin will ask for is the library's own, not that of the file which the linker was given.
  execute_process(COMMAND ${CMAKE_READELF} -d ${METIS_LIBRARY} OUTPUT_VARIABLE dynamic RESULT_VARIABLE failed)
  if(failed OR NOT dynamic MATCHES "SONAME[^[]*.([^]]+)")
    message(FATAL_ERROR "${METIS_LIBRARY} does not say its name; give a VERVE_METIS_ARCHIVE instead")
  endif()
  set(name ${CMAKE_MATCH_1})
  file(REAL_PATH ${METIS_LIBRARY} library)
  configure_file(${library} ${folder}/${name} COPYONLY)
endfunction()
