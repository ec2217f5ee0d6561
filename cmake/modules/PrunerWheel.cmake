# The content of the Python wheel with tools (setup.py): programs, one library with
# LLVM and MLIR inside, weights and C headers, in relocatable positions.
# tools/setup/build-wheel.sh builds the wheel.

set(PRUNER_WHEEL_SYSROOT "" CACHE PATH
    "For the wheel: link against the glibc in this directory, see tools/setup/make-sysroot.sh")

# pruner_install_wheel(<tools>...)
# The target `pruner-wheel` builds the content, and `cmake --install <build>
# --component wheel` installs it. Other installations do not include it.
function(pruner_install_wheel)
  pruner_static_inputs(archives missing)
  # The headers are next to LLVM's own, not in the directory of its package.
  find_path(PRUNER_LLD_INCLUDE lld/Common/Driver.h
            HINTS "${LLVM_LIBRARY_DIR}/../include" ${LLVM_INCLUDE_DIRS} NO_CMAKE_FIND_ROOT_PATH)
  set(linker)
  foreach(library lldELF lldCommon)
    find_library(PRUNER_STATIC_${library} NAMES lib${library}.a HINTS "${LLVM_LIBRARY_DIR}")
    if(PRUNER_STATIC_${library})
      list(APPEND linker "${PRUNER_STATIC_${library}}")
    else()
      list(APPEND missing lib${library}.a)
    endif()
  endforeach()
  if(NOT PRUNER_LLD_INCLUDE)
    list(APPEND missing lld/Common/Driver.h)
  endif()
  if(missing)
    message(STATUS "No Python wheel: this machine lacks ${missing}")
    add_custom_target(pruner-wheel
      COMMAND "${CMAKE_COMMAND}" -E echo "The wheel needs ${missing} (tools/setup/install-packages.sh)"
      COMMAND "${CMAKE_COMMAND}" -E false VERBATIM)
    return()
  endif()

  add_library(ld.lld OBJECT EXCLUDE_FROM_ALL "${CMAKE_SOURCE_DIR}/cmake/static/Linker.cpp")
  target_include_directories(ld.lld SYSTEM PRIVATE "${PRUNER_LLD_INCLUDE}")
  target_compile_options(ld.lld PRIVATE -fno-exceptions)

  # The objects of libPrunerC, with everything that it uses.
  set(exports "${CMAKE_SOURCE_DIR}/cmake/static/exports.map")
  get_target_property(abi PrunerC SOVERSION)
  get_target_property(components PrunerC LINK_LIBRARIES)
  add_library(PrunerWheel SHARED EXCLUDE_FROM_ALL "$<TARGET_OBJECTS:PrunerC>")
  pruner_static_link(PrunerWheel ARCHIVES ${linker} ${archives}
    TOOLS ${ARGN} ld.lld
    COMPONENTS ${components} PrunerOptLib PrunerLibrary PrunerWorker PrunerEmulator
      PrunerExplainCommand PrunerDataset PrunerRecord PrunerMachine PrunerRuntime)
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
  set(targets PrunerWheel)
  foreach(tool ${ARGN} ld.lld)
    set(program wheel-${tool})
    add_executable(${program} EXCLUDE_FROM_ALL "${CMAKE_SOURCE_DIR}/cmake/static/Program.c")
    target_compile_definitions(${program} PRIVATE PRUNER_TOOL_NAME="${tool}")
    target_link_libraries(${program} PRIVATE PrunerWheel)
    target_link_options(${program} PRIVATE -Wl,--build-id=none -Wl,-s)
    set_target_properties(${program} PROPERTIES
      OUTPUT_NAME ${tool}
      BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../lib" INSTALL_RPATH_USE_LINK_PATH OFF
      RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/wheel/bin")
    list(APPEND targets ${program})
  endforeach()

  if(PRUNER_WHEEL_SYSROOT)
    # Only the links need the older glibc: references to it have no version before.
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=crtbeginS.o
                    OUTPUT_VARIABLE crt OUTPUT_STRIP_TRAILING_WHITESPACE)
    get_filename_component(gcc "${crt}" DIRECTORY)
    file(REAL_PATH "${gcc}" gcc)
    foreach(target ${targets})
      target_link_options(${target} PRIVATE
        "--sysroot=${PRUNER_WHEEL_SYSROOT}" "--gcc-install-dir=${gcc}")
    endforeach()
    target_sources(PrunerWheel PRIVATE "${CMAKE_SOURCE_DIR}/cmake/static/OldGlibc.c")
    foreach(function exp exp2 log log2 pow)
      target_link_options(PrunerWheel PRIVATE "-Wl,--wrap=${function}")
    endforeach()
    target_link_libraries(PrunerWheel PRIVATE -lpthread -ldl)
  endif()

  # What networks are linked with.
  list(APPEND targets PrunerNetworkRuntime PrunerNetworkSizes)
  add_custom_target(pruner-wheel DEPENDS ${targets})
  install(TARGETS ${targets}
          RUNTIME DESTINATION bin COMPONENT wheel EXCLUDE_FROM_ALL
          LIBRARY DESTINATION lib COMPONENT wheel EXCLUDE_FROM_ALL NAMELINK_SKIP
          ARCHIVE DESTINATION lib COMPONENT wheel EXCLUDE_FROM_ALL)
  install(DIRECTORY "${CMAKE_SOURCE_DIR}/lib/CostModel/Xgboost/Pretrained/"
          DESTINATION share/pruner/models COMPONENT wheel EXCLUDE_FROM_ALL)
  # Without the header for programs that share MLIR's objects with the library.
  install(DIRECTORY "${CMAKE_SOURCE_DIR}/include/pruner-c"
          DESTINATION include COMPONENT wheel EXCLUDE_FROM_ALL
          PATTERN Mlir.h EXCLUDE)
endfunction()
