# The CMake package, for `find_package(Pruner)` in other projects.
# docs/guides/Integrating.md describes its use.
include(CMakePackageConfigHelpers)

# pruner_install_package(<components>...)
# Installs these components and every component that they use as
# `Pruner::<component>`, without the prefix of the name. Also installs the headers:
# hand-written ones, those of TableGen, and the .td files.
function(pruner_install_package)
  pruner_component_closure(components ${ARGN})
  set(PRUNER_INSTALLED_COMPONENTS)
  foreach(component ${components})
    string(REGEX REPLACE "^Pruner" "" exported "${component}")
    list(APPEND PRUNER_INSTALLED_COMPONENTS ${exported})
    set_target_properties(${component} PROPERTIES EXPORT_NAME ${exported})
    target_include_directories(${component} INTERFACE
      "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
    target_compile_features(${component} INTERFACE cxx_std_${CMAKE_CXX_STANDARD})
  endforeach()
  list(SORT PRUNER_INSTALLED_COMPONENTS)

  # Only tools use Dataset.
  set(not_installed REGEX "/pruner/Dataset(/|$)" EXCLUDE)
  install(DIRECTORY "${CMAKE_SOURCE_DIR}/include/pruner" "${CMAKE_BINARY_DIR}/include/pruner"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
          FILES_MATCHING PATTERN "*.h" PATTERN "*.h.inc" PATTERN "*.td"
          PATTERN CMakeFiles EXCLUDE ${not_installed})
  install(DIRECTORY "${CMAKE_SOURCE_DIR}/include/pruner-c"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

  set(package "${CMAKE_INSTALL_LIBDIR}/cmake/pruner")
  install(TARGETS ${components} EXPORT PrunerTargets
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(EXPORT PrunerTargets NAMESPACE Pruner:: DESTINATION "${package}")
  # A separate export, so that C programs need no development files of MLIR.
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
