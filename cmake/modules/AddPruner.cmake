# The CMake words of this project. Elsewhere only these and target_* are used.

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

# pruner_room(<name> <sources>... [LINK <libraries>...])
# One directory of lib/ = one static library Pruner<Name>. Generated headers
# come first, whatever the parallelism.
function(pruner_room name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_dependencies(${name} pruner-headers)
  target_compile_options(${name} PRIVATE -fno-exceptions)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
endfunction()

# pruner_tool(<name> <sources>... [LINK <libraries>...] [NO_INSTALL])
function(pruner_tool name)
  cmake_parse_arguments(ARG "NO_INSTALL" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  add_dependencies(${name} pruner-headers)
  target_compile_options(${name} PRIVATE -fno-exceptions)
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  if(NOT ARG_NO_INSTALL)
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endfunction()

# pruner_unittest(<name> <sources>... [LINK <libraries>...] [FULL])
# One gtest executable = one ctest. FULL keeps it out of the quick suite.
function(pruner_unittest name)
  cmake_parse_arguments(ARG "FULL" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  add_dependencies(${name} pruner-headers)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/test/unit")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600)
  if(ARG_FULL)
    set_tests_properties(${name} PROPERTIES LABELS "full")
  else()
    set_tests_properties(${name} PROPERTIES LABELS "quick;full")
  endif()
  set_property(GLOBAL APPEND PROPERTY PRUNER_TEST_TARGETS ${name})
endfunction()
