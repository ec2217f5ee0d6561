# The CMake package: what makes `find_package(Pruner)` work in other projects
# against an installation. docs/guides/Integrating.md says how to use it.
include(CMakePackageConfigHelpers)

# pruner_install_package(<rooms>...)
# Installs these rooms and every room below them as `Pruner::<room>`, without
# the prefix of its name, and the headers: those written by hand, those that
# TableGen wrote, and the .td files.
function(pruner_install_package)
  pruner_room_closure(rooms ${ARGN})
  set(PRUNER_INSTALLED_ROOMS)
  foreach(room ${rooms})
    string(REGEX REPLACE "^Pruner" "" exported "${room}")
    list(APPEND PRUNER_INSTALLED_ROOMS ${exported})
    set_target_properties(${room} PROPERTIES EXPORT_NAME ${exported})
    target_include_directories(${room} INTERFACE
      "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    target_compile_features(${room} INTERFACE cxx_std_${CMAKE_CXX_STANDARD})
  endforeach()
  list(SORT PRUNER_INSTALLED_ROOMS)

  # Fuzz and Interpreter belong to test tools, Dataset to tools alone.
  set(not_installed
    REGEX "/pruner/(Dataset|Fuzz|Interpreter)(/|$)" EXCLUDE)
  install(DIRECTORY "${CMAKE_SOURCE_DIR}/include/pruner" "${CMAKE_BINARY_DIR}/include/pruner"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
          FILES_MATCHING PATTERN "*.h" PATTERN "*.h.inc" PATTERN "*.td"
          PATTERN CMakeFiles EXCLUDE ${not_installed})
  install(DIRECTORY "${CMAKE_SOURCE_DIR}/include/pruner-c"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

  set(package "${CMAKE_INSTALL_LIBDIR}/cmake/pruner")
  install(TARGETS ${rooms} EXPORT PrunerTargets
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(EXPORT PrunerTargets NAMESPACE Pruner:: DESTINATION "${package}")
  # Apart, so that C programs need no development files of MLIR.
  install(TARGETS PrunerC EXPORT PrunerCTargets
          LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(EXPORT PrunerCTargets NAMESPACE Pruner:: DESTINATION "${package}")
  set(PRUNER_TOOLS_DIR "${CMAKE_INSTALL_BINDIR}")
  configure_package_config_file(
    "${CMAKE_SOURCE_DIR}/cmake/package/PrunerConfig.cmake.in"
    "${CMAKE_CURRENT_BINARY_DIR}/PrunerConfig.cmake"
    INSTALL_DESTINATION "${package}" PATH_VARS PRUNER_TOOLS_DIR
    NO_SET_AND_CHECK_MACRO)
  write_basic_package_version_file(
    "${CMAKE_CURRENT_BINARY_DIR}/PrunerConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/PrunerConfig.cmake"
                "${CMAKE_CURRENT_BINARY_DIR}/PrunerConfigVersion.cmake"
          DESTINATION "${package}")
endfunction()
