# The CMake functions of this project. Other files use only these and target_*.

add_custom_target(pruner-headers) # Every generated header.

# pruner_tablegen(<file.td> <output> <mlir-tblgen arguments>...)
# Generates one header; call pruner_tablegen_target(<name>) afterwards.
macro(pruner_tablegen td output)
  set(LLVM_TARGET_DEFINITIONS ${td})
  mlir_tablegen(${output} ${ARGN})
endmacro()

function(pruner_tablegen_target name)
  add_public_tablegen_target(${name})
  add_dependencies(pruner-headers ${name})
endfunction()

# pruner_precompile(<target> <libraries>...)
# Precompiles MLIR's headers for targets that link MLIR. Reading a single one
# takes seconds, the precompiled header milliseconds. Files still include what
# they use; a build with PRUNER_PRECOMPILE_HEADERS=OFF proves it.
function(pruner_precompile target)
  if(PRUNER_PRECOMPILE_HEADERS AND "MLIR" IN_LIST ARGN)
    target_precompile_headers(${target} REUSE_FROM PrunerPrecompiledHeaders)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE") # -fPIE is incompatible with the components' -fPIC.
      set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${target} PRIVATE -fPIC)
    endif()
  endif()
endfunction()
if(PRUNER_PRECOMPILE_HEADERS)
  add_library(PrunerPrecompiledHeaders OBJECT
    "${CMAKE_SOURCE_DIR}/cmake/precompiled/MLIR.cpp")
  target_compile_options(PrunerPrecompiledHeaders PRIVATE -fno-exceptions)
  target_precompile_headers(PrunerPrecompiledHeaders PRIVATE
    "${CMAKE_SOURCE_DIR}/cmake/precompiled/MLIR.h")
endif()

# pruner_component(<name> <sources>... [LINK <libraries>...])
# Adds a static library Pruner<Name> for one directory of lib/. It is built after
# all generated headers.
function(pruner_component name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_dependencies(${name} pruner-headers)
  target_compile_options(${name} PRIVATE -fno-exceptions)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  pruner_precompile(${name} ${ARG_LINK})
endfunction()

# pruner_tool(<name> <sources>... [LINK <libraries>...] [LINKS <names>...] [NO_INSTALL])
# Links the library of command lines, too. LINKS: other names of the program, as symbolic links next to it.
function(pruner_tool name)
  cmake_parse_arguments(ARG "NO_INSTALL" "" "LINK;LINKS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  add_dependencies(${name} pruner-headers)
  target_compile_options(${name} PRIVATE -fno-exceptions)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} PrunerCommandLine)
  pruner_precompile(${name} ${ARG_LINK})
  foreach(link ${ARG_LINKS})
    add_custom_command(TARGET ${name} POST_BUILD
      COMMAND "${CMAKE_COMMAND}" -E create_symlink "$<TARGET_FILE_NAME:${name}>"
              "$<TARGET_FILE_DIR:${name}>/${link}"
      VERBATIM)
  endforeach()
  if(NOT ARG_NO_INSTALL)
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    foreach(link ${ARG_LINKS})
      install(PROGRAMS "$<TARGET_FILE_DIR:${name}>/${link}"
              DESTINATION ${CMAKE_INSTALL_BINDIR})
    endforeach()
  endif()
endfunction()

# The factor of all time limits of tests.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(PRUNER_TEST_SLOWDOWN 3)
else()
  set(PRUNER_TEST_SLOWDOWN 1)
endif()

# pruner_unittest(<name> <sources>... [LINK <libraries>...] [FULL] [ALONE] [THREADS])
# Adds a gtest executable as one ctest. FULL: not part of the quick suite. ALONE:
# no other test runs at the same time, because it has deadlines, measures times,
# or uses all cores. THREADS: the preset `tsan` builds and runs it.
function(pruner_unittest name)
  cmake_parse_arguments(ARG "FULL;ALONE;THREADS" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  add_dependencies(${name} pruner-headers)
  target_compile_options(${name} PRIVATE -fno-exceptions)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main)
  pruner_precompile(${name} ${ARG_LINK})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/test/unit")
  add_test(NAME ${name} COMMAND ${name})
  math(EXPR timeout "600 * ${PRUNER_TEST_SLOWDOWN}")
  set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout})
  if(ARG_ALONE)
    set_tests_properties(${name} PROPERTIES RUN_SERIAL TRUE)
  endif()
  set(labels "full")
  if(NOT ARG_FULL)
    list(APPEND labels "quick")
  endif()
  if(ARG_THREADS)
    list(APPEND labels "threads")
    set_property(GLOBAL APPEND PROPERTY PRUNER_THREAD_TESTS ${name})
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}")
  set_property(GLOBAL APPEND PROPERTY PRUNER_TEST_TARGETS ${name})
endfunction()
