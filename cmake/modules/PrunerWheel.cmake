# The content of the Python wheel with tools (setup.py): programs, one library with
# LLVM and MLIR inside, weights and C headers, in relocatable positions.
# tools/setup/build-wheel.sh builds the wheel.

set(PRUNER_WHEEL_SYSROOT "" CACHE PATH
    "For the wheel: link against the glibc in this directory, see tools/setup/make-sysroot.sh")

# pruner_wheel_linker(<archives> <missing>)
# Adds the target ld.lld, a tool like the others. Appends the archives that it is
# made of, and what this machine lacks.
function(pruner_wheel_linker archives_variable missing_variable)
  set(archives ${${archives_variable}})
  set(missing ${${missing_variable}})
  # The headers are next to LLVM's own, not in the directory of its package.
  find_path(PRUNER_LLD_INCLUDE lld/Common/Driver.h
            HINTS "${LLVM_LIBRARY_DIR}/../include" ${LLVM_INCLUDE_DIRS} NO_CMAKE_FIND_ROOT_PATH)
  if(NOT PRUNER_LLD_INCLUDE)
    list(APPEND missing lld/Common/Driver.h)
  endif()
  foreach(library lldELF lldCommon)
    find_library(PRUNER_STATIC_${library} NAMES lib${library}.a HINTS "${LLVM_LIBRARY_DIR}")
    if(PRUNER_STATIC_${library})
      list(PREPEND archives "${PRUNER_STATIC_${library}}")
    else()
      list(APPEND missing lib${library}.a)
    endif()
  endforeach()
  add_library(ld.lld OBJECT EXCLUDE_FROM_ALL "${CMAKE_SOURCE_DIR}/cmake/static/Linker.cpp")
  target_include_directories(ld.lld SYSTEM PRIVATE "${PRUNER_LLD_INCLUDE}")
  target_compile_options(ld.lld PRIVATE -fno-exceptions)
  set(${archives_variable} ${archives} PARENT_SCOPE)
  set(${missing_variable} ${missing} PARENT_SCOPE)
endfunction()

# pruner_wheel_library(ARCHIVES <files>... TOOLS <tools>...)
# The target PrunerWheel: libPrunerC with the tools and everything that they use.
function(pruner_wheel_library)
  set(exports "${CMAKE_SOURCE_DIR}/cmake/static/exports.map")
  get_target_property(abi PrunerC SOVERSION)
  add_library(PrunerWheel SHARED EXCLUDE_FROM_ALL "$<TARGET_OBJECTS:PrunerC>")
  pruner_static_link(PrunerWheel LIKE PrunerC ${ARGN})
  target_compile_definitions(PrunerWheel PRIVATE PRUNER_SHARED)
  # -z defs: LLD would otherwise accept symbols that nothing defines. The linker
  # must keep the tools' sections, and not export the symbols of their bounds.
  # libgcc_s is on every system, and the static one requires a newer glibc.
  target_link_options(PrunerWheel PRIVATE
    -shared-libgcc -Wl,-z,defs -Wl,-z,nostart-stop-gc
    -Wl,-z,start-stop-visibility=hidden "-Wl,--version-script=${exports}")
  set_target_properties(PrunerWheel PROPERTIES
    OUTPUT_NAME PrunerC SOVERSION ${abi} LINK_DEPENDS "${exports}"
    CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "" INSTALL_RPATH_USE_LINK_PATH OFF
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/wheel/lib")
endfunction()

# pruner_wheel_program(<tool>)
# The target wheel-<tool>: an executable that starts a tool in PrunerWheel.
function(pruner_wheel_program tool)
  set(program wheel-${tool})
  add_executable(${program} EXCLUDE_FROM_ALL "${CMAKE_SOURCE_DIR}/cmake/static/Program.c")
  target_compile_definitions(${program} PRIVATE PRUNER_TOOL_NAME="${tool}")
  target_link_libraries(${program} PRIVATE PrunerWheel)
  target_link_options(${program} PRIVATE -Wl,--build-id=none -Wl,-s)
  # The tool's own name would take its place among the names that Ninja builds.
  set_target_properties(${program} PROPERTIES
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../lib" INSTALL_RPATH_USE_LINK_PATH OFF
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/wheel/bin")
  install(PROGRAMS "$<TARGET_FILE:${program}>" DESTINATION bin RENAME ${tool}
          COMPONENT wheel EXCLUDE_FROM_ALL)
endfunction()

# pruner_wheel_old_glibc(<targets>...)
# Links the content against the glibc in PRUNER_WHEEL_SYSROOT. The
# object files stay the same: the linker adds the versions of glibc's symbols.
function(pruner_wheel_old_glibc)
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=crtbeginS.o
                  OUTPUT_VARIABLE crt OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(gcc "${crt}" DIRECTORY)
  file(REAL_PATH "${gcc}" gcc)
  foreach(target ${ARGN})
    target_link_options(${target} PRIVATE
      "--sysroot=${PRUNER_WHEEL_SYSROOT}" "--gcc-install-dir=${gcc}")
  endforeach()
  target_sources(PrunerWheel PRIVATE "${CMAKE_SOURCE_DIR}/cmake/static/OldGlibc.c")
  foreach(function exp exp2 log log2 pow)
    target_link_options(PrunerWheel PRIVATE "-Wl,--wrap=${function}")
  endforeach()
  target_link_libraries(PrunerWheel PRIVATE -lpthread -ldl)
endfunction()

# pruner_install_wheel(<tools>...)
# The target `pruner-wheel` builds the content, and `cmake --install <build>
# --component wheel` installs it. Other installations do not include it.
function(pruner_install_wheel)
  pruner_static_inputs(archives missing)
  pruner_wheel_linker(archives missing)
  if(missing)
    message(STATUS "No Python wheel: this machine lacks ${missing}")
    add_custom_target(pruner-wheel
      COMMAND "${CMAKE_COMMAND}" -E echo "The wheel needs ${missing} (tools/setup/install-packages.sh)"
      COMMAND "${CMAKE_COMMAND}" -E false VERBATIM)
    return()
  endif()
  set(tools ${ARGN} ld.lld)
  pruner_wheel_library(ARCHIVES ${archives} TOOLS ${tools})
  set(programs)
  foreach(tool ${tools})
    pruner_wheel_program(${tool})
    list(APPEND programs wheel-${tool})
  endforeach()
  # Learned models for releases of PyTorch. They install themselves.
  get_property(plugins GLOBAL PROPERTY PRUNER_TORCH_PLUGINS)
  if(PRUNER_WHEEL_SYSROOT)
    pruner_wheel_old_glibc(PrunerWheel ${programs} ${plugins})
  endif()
  set(libraries PrunerWheel PrunerNetworkRuntime PrunerNetworkDevice
                PrunerNetworkSizes)

  add_custom_target(pruner-wheel DEPENDS ${libraries} ${programs} ${plugins})
  install(TARGETS ${libraries}
          LIBRARY DESTINATION lib COMPONENT wheel EXCLUDE_FROM_ALL NAMELINK_SKIP
          ARCHIVE DESTINATION lib COMPONENT wheel EXCLUDE_FROM_ALL)
  install(DIRECTORY "${CMAKE_SOURCE_DIR}/lib/CostModel/Pretrained/"
          DESTINATION share/pruner/models COMPONENT wheel EXCLUDE_FROM_ALL)
  # Without the header for programs that share MLIR's objects with the library.
  install(DIRECTORY "${CMAKE_SOURCE_DIR}/include/pruner-c"
          DESTINATION include COMPONENT wheel EXCLUDE_FROM_ALL
          PATTERN Mlir.h EXCLUDE)
endfunction()
