# What `cmake --install` leaves: bin/verve, its help and completions, the library with its headers; and the Debian package
# of it all. The Blender add-on and the Python module add themselves in their own folders.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
install(TARGETS verve_program DESTINATION ${CMAKE_INSTALL_BINDIR})

install(TARGETS verve EXPORT verve DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/solver/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/verve FILES_MATCHING PATTERN "*.h"
        PATTERN cli EXCLUDE PATTERN viewer EXCLUDE PATTERN wedge EXCLUDE)
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/verve)
install(EXPORT verve NAMESPACE verve:: DESTINATION ${config} FILE verveTargets.cmake)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/verveConfig.cmake.in ${CMAKE_BINARY_DIR}/verveConfig.cmake
                              INSTALL_DESTINATION ${config})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/verveConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/verveConfig.cmake ${CMAKE_BINARY_DIR}/verveConfigVersion.cmake DESTINATION ${config})

# The program writes its own help and completions, so that they cannot be of another version.
set(texts ${CMAKE_BINARY_DIR}/texts)
add_custom_command(
  OUTPUT ${texts}/verve.1
  COMMAND ${CMAKE_COMMAND} -DVERVE=$<TARGET_FILE:verve_program> -DTO=${texts} -DVERSION=${PROJECT_VERSION}
          -P ${CMAKE_CURRENT_LIST_DIR}/texts.cmake
  DEPENDS verve_program ${CMAKE_CURRENT_LIST_DIR}/texts.cmake)
add_custom_target(verve_texts ALL DEPENDS ${texts}/verve.1)
install(FILES ${texts}/verve.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${texts}/help.txt ${texts}/parameters.txt ${texts}/parameters.json ${PROJECT_SOURCE_DIR}/README.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples FILES_MATCHING PATTERN "*.json"
        PATTERN "*.obj" PATTERN "*.mesh" PATTERN "*.py" PATTERN papers EXCLUDE PATTERN houdini EXCLUDE)
install(FILES ${texts}/bash/verve DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${texts}/zsh/_verve DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${texts}/fish/verve.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# `cpack` in the build folder makes verve_0.2_amd64.deb.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME verve)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_PACKAGE_CONTACT "Verve <verve@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Deformable-body solver that keeps its energy")
set(CPACK_PACKAGE_DESCRIPTION "Simulates soft bodies, cloth and ropes from scene files, from Python and from Blender.\n"
    "The add-on for Blender is /usr/share/verve/verve_blender.zip.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE amd64)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-numpy, blender, libeigen3-dev, libtbb-dev, libmetis-dev, libblosc-dev, zlib1g-dev, libopenblas-dev")
set(CPACK_DEBIAN_FILE_NAME ${CPACK_PACKAGE_NAME}_${CPACK_PACKAGE_VERSION}_amd64.deb)
include(CPack)
