# The page that `verve view` writes: its parts are bundled into one C++ source, VERVE_PAGE_SOURCE. Without node and npm (or
# without a network for their packages) the program is built all the same, and `verve view` says what is missing.
set(page_parts ${CMAKE_CURRENT_LIST_DIR})
set(page_folder ${CMAKE_BINARY_DIR}/page)
file(MAKE_DIRECTORY ${page_folder})
find_program(VERVE_NODE NAMES node nodejs)
find_program(VERVE_NPM npm)

set(page_ready FALSE)
if(VERVE_NODE AND VERVE_NPM)
  file(SHA256 ${page_parts}/package-lock.json page_wanted)
  set(page_present "")
  if(EXISTS ${page_folder}/installed)
    file(READ ${page_folder}/installed page_present)
  endif()
  if(page_wanted STREQUAL page_present)
    set(page_ready TRUE)
  else()
    configure_file(${page_parts}/package.json ${page_folder}/package.json COPYONLY)
    configure_file(${page_parts}/package-lock.json ${page_folder}/package-lock.json COPYONLY)
    message(STATUS "Installing the page's npm packages")
    execute_process(COMMAND ${VERVE_NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline
                    WORKING_DIRECTORY ${page_folder} RESULT_VARIABLE page_result OUTPUT_QUIET ERROR_VARIABLE page_error)
    if(page_result EQUAL 0)
      file(WRITE ${page_folder}/installed ${page_wanted})
      set(page_ready TRUE)
    else()
      message(WARNING "The page's npm packages could not be installed:\n${page_error}")
    endif()
  endif()
endif()

if(page_ready)
  set(VERVE_PAGE_SOURCE ${page_folder}/PageTemplate.cpp)
  file(GLOB page_sources CONFIGURE_DEPENDS ${page_parts}/*.js ${page_parts}/*.mjs ${page_parts}/*.css ${page_parts}/*.html)
  add_custom_command(OUTPUT ${VERVE_PAGE_SOURCE}
                     COMMAND ${VERVE_NODE} ${page_parts}/build.mjs ${VERVE_PAGE_SOURCE}
                     WORKING_DIRECTORY ${page_folder} DEPENDS ${page_sources} ${page_folder}/installed
                     COMMENT "Bundling the page" VERBATIM)
else()
  message(WARNING "The program is built without its page (verve view without --png): that needs node, npm and their packages")
  set(VERVE_PAGE_SOURCE ${page_folder}/NoPage.cpp)
  file(CONFIGURE OUTPUT ${VERVE_PAGE_SOURCE} CONTENT
       "#include \"viewer/Page.h\"\nconst char verve::page_template[] = \"\";\n")
endif()
