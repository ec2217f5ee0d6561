# The identity of the code generator. A record with this identity was made by the
# code generator of this build.
#
# Components marked "generates" in lib/Components.json determine the code of a
# scheduled task. Schedule and Search only choose schedules, Verification and
# Worker only check and run code, so they are not marked.

# pruner_generator_identity(<target>)
# Gives <target> a header GeneratorIdentity.inc with PRUNER_GENERATOR_IDENTITY,
# a hash of the sources of those components and of LLVM's version: 32 hex digits
# that depend neither on the directory nor on the machine. It is recomputed when a
# source is changed, added or removed.
function(pruner_generator_identity target)
  set(patterns)
  pruner_list_components(components generates)
  foreach(component ${components})
    string(REGEX REPLACE "=.*" "" component "${component}")
    foreach(base lib include/pruner)
      foreach(extension h cpp td)
        list(APPEND patterns "${CMAKE_SOURCE_DIR}/${base}/${component}/*.${extension}")
      endforeach()
    endforeach()
  endforeach()
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE "${CMAKE_SOURCE_DIR}" ${patterns})
  list(SORT files)
  list(REMOVE_DUPLICATES files)
  string(REPLACE ";" "\n" lines "${files}")
  set(list "${CMAKE_CURRENT_BINARY_DIR}/GeneratorSources.txt")
  file(CONFIGURE OUTPUT "${list}" CONTENT "${lines}\n" @ONLY)
  set(header "${CMAKE_CURRENT_BINARY_DIR}/GeneratorIdentity.inc")
  set(script "${CMAKE_SOURCE_DIR}/cmake/scripts/GeneratorIdentity.cmake")
  list(TRANSFORM files PREPEND "${CMAKE_SOURCE_DIR}/")
  # The stamp records that the header is current. An equal header keeps its time.
  add_custom_command(OUTPUT "${header}.stamp" BYPRODUCTS "${header}"
    COMMAND ${CMAKE_COMMAND} -D "SOURCE=${CMAKE_SOURCE_DIR}" -D "LLVM=${LLVM_PACKAGE_VERSION}"
            -D "LIST=${list}" -D "OUTPUT=${header}" -P "${script}"
    COMMAND ${CMAKE_COMMAND} -E touch "${header}.stamp"
    DEPENDS ${files} "${list}" "${script}"
    COMMENT "Hashing the sources of the code generator" VERBATIM)
  add_custom_target(${target}Identity DEPENDS "${header}.stamp")
  add_dependencies(${target} ${target}Identity)
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
endfunction()

# pruner_commit(<target>)
# Gives <target> a header Commit.inc with PRUNER_COMMIT, the first digits of the
# commit of the source tree. It is read again after each commit. Only this target,
# which should be small, is then compiled again. -DPRUNER_COMMIT=<digits> names the
# commit of a source tree without Git.
set(PRUNER_COMMIT "" CACHE STRING "Commit of this source tree; empty: ask Git")
function(pruner_commit target)
  set(header "${CMAKE_CURRENT_BINARY_DIR}/Commit.inc")
  set(script "${CMAKE_SOURCE_DIR}/cmake/scripts/Commit.cmake")
  # Each commit and checkout appends to this file.
  execute_process(
    COMMAND git -C "${CMAKE_SOURCE_DIR}" rev-parse --path-format=absolute --git-path logs/HEAD
    OUTPUT_VARIABLE log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT EXISTS "${log}" OR NOT EXISTS "${CMAKE_SOURCE_DIR}/.git")
    set(log)
  endif()
  add_custom_command(OUTPUT "${header}.stamp" BYPRODUCTS "${header}"
    COMMAND ${CMAKE_COMMAND} -D "SOURCE=${CMAKE_SOURCE_DIR}" -D "COMMIT=${PRUNER_COMMIT}"
            -D "OUTPUT=${header}" -P "${script}"
    COMMAND ${CMAKE_COMMAND} -E touch "${header}.stamp"
    DEPENDS ${log} "${script}"
    COMMENT "Reading the commit" VERBATIM)
  add_custom_target(${target}Commit DEPENDS "${header}.stamp")
  add_dependencies(${target} ${target}Commit)
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
endfunction()
