# Puts the package together: the Python part as it is, the stubs with what a scene may say.
file(MAKE_DIRECTORY ${TO})
configure_file(${FROM}/__init__.py ${TO}/__init__.py COPYONLY)
file(TOUCH ${TO}/py.typed)
execute_process(COMMAND ${VERVE} params --python OUTPUT_VARIABLE SCENE RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "verve params --python failed")
endif()
configure_file(${FROM}/module.pyi ${TO}/__init__.pyi @ONLY)
