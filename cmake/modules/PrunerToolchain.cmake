# The toolchain: options, packages, compiler flags. No other file calls
# find_package.

option(PRUNER_ENABLE_TORCH
       "Build the plug-in library with the learned cost models (LibTorch)" ON)
option(PRUNER_ENABLE_XGBOOST
       "Build the plug-in library with gradient-boosted trees (XGBoost)" ON)
option(PRUNER_BUILD_TESTS "Build the test suites" ON)
option(PRUNER_BUILD_BENCHMARKS "Build the benchmarks" ON)
option(PRUNER_BUILD_FUZZERS
  "Build libFuzzer targets of all readers of untrusted text (preset fuzz)" OFF)
option(PRUNER_PRECOMPILE_HEADERS
       "Precompile MLIR's headers: halves the time of a full build" ON)
option(PRUNER_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET default)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
include(GNUInstallDirs)
# Installed tools find libraries relative to their own location.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

find_program(PRUNER_CCACHE ccache)
if(PRUNER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths in the source directory are hashed relative to the build directory, so
  # that several build directories and worktrees share the cache. Precompiled
  # headers are compared by content, not by date.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND};-E;env;CCACHE_BASEDIR=${CMAKE_SOURCE_DIR};CCACHE_SLOPPINESS=pch_defines,time_macros;${PRUNER_CCACHE}")
endif()
find_program(PRUNER_LLD NAMES ld.lld-22 ld.lld
             HINTS /usr/lib/llvm-22/bin NO_CMAKE_FIND_ROOT_PATH)
if(PRUNER_LLD)
  add_link_options("-fuse-ld=lld" "-B${CMAKE_BINARY_DIR}/linker")
  # g++ searches its -B directories for exactly the name `ld.lld`.
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/linker")
  file(CREATE_LINK "${PRUNER_LLD}" "${CMAKE_BINARY_DIR}/linker/ld.lld" SYMBOLIC)
endif()

# --- LLVM and MLIR, exactly one major version --------------------------------
set(PRUNER_LLVM_MAJOR 22)
find_package(MLIR CONFIG QUIET HINTS
             "/usr/lib/llvm-${PRUNER_LLVM_MAJOR}/lib/cmake/mlir")
if(NOT MLIR_FOUND)
  message(FATAL_ERROR
    "MLIR ${PRUNER_LLVM_MAJOR} was not found. Install libmlir-${PRUNER_LLVM_MAJOR}-dev and "
    "mlir-${PRUNER_LLVM_MAJOR}-tools, or pass -DMLIR_DIR=<prefix>/lib/cmake/mlir.")
endif()
if(NOT LLVM_VERSION_MAJOR EQUAL PRUNER_LLVM_MAJOR)
  message(FATAL_ERROR
    "Pruner needs LLVM/MLIR ${PRUNER_LLVM_MAJOR}, but ${LLVM_DIR} is version "
    "${LLVM_PACKAGE_VERSION}. Pass -DMLIR_DIR=<prefix>/lib/cmake/mlir of an "
    "LLVM ${PRUNER_LLVM_MAJOR}.")
endif()
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(PRUNER_LLVM_DEFINITIONS UNIX_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${PRUNER_LLVM_DEFINITIONS})

# --- everything else ---------------------------------------------------------
find_package(Threads REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Python3 COMPONENTS Interpreter) # The GPU kit's packer; tests.

add_compile_options(-Wall -Wextra -Wno-unused-parameter -fno-semantic-interposition)
if(PRUNER_WARNINGS_AS_ERRORS)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # MLIR's headers cause these warnings in GCC 12.
  add_compile_options(-Wno-comment -Wno-maybe-uninitialized -Wno-dangling-pointer)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # std::stable_sort of GCC 12 uses a function that C++17 deprecates.
  add_compile_options(-Wno-deprecated-declarations)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Lets ccache reuse results after a precompiled header was rebuilt.
  list(APPEND CMAKE_CXX_COMPILE_OPTIONS_CREATE_PCH -Xclang -fno-pch-timestamp)
endif()

include_directories("${CMAKE_SOURCE_DIR}/include" "${CMAKE_BINARY_DIR}/include")

# --- LibTorch, only for the plug-ins with the learned cost models -------------
# Linked manually, because the package files of both variants require components
# that a CPU plug-in does not need (a CUDA toolkit, the 300 libraries of `torch`).
set(PRUNER_TORCH_ROOT "" CACHE STRING
    "Releases of PyTorch to build further plug-ins for: <site-packages>/torch;...")
# pruner_find_libtorch(<target> <root>)
# Adds an interface target for the LibTorch in `root`, or for the system's if it
# is empty. Sets PRUNER_TORCH_VERSION (major.minor), PRUNER_TORCH_RELEASE (the
# same, with "+system" for a library that is named otherwise) and
# PRUNER_TORCH_BLAS. The system's may be missing if PRUNER_TORCH_ROOT names others.
function(pruner_find_libtorch target root)
  set(where)
  if(root)
    set(where " in '${root}'")
    set(hint PATHS "${root}" NO_DEFAULT_PATH)
  endif()
  # Not cached, because another root must not find files of the previous one.
  unset(PRUNER_TORCH_INCLUDE CACHE)
  unset(PRUNER_TORCH_LIBRARY CACHE)
  unset(PRUNER_C10_LIBRARY CACHE)
  find_path(PRUNER_TORCH_INCLUDE torch/csrc/autograd/custom_function.h
            PATH_SUFFIXES include ${hint})
  find_library(PRUNER_TORCH_LIBRARY torch_cpu PATH_SUFFIXES lib ${hint})
  find_library(PRUNER_C10_LIBRARY c10 PATH_SUFFIXES lib ${hint})
  if(NOT PRUNER_TORCH_INCLUDE OR NOT PRUNER_TORCH_LIBRARY OR NOT PRUNER_C10_LIBRARY)
    if(NOT root AND PRUNER_TORCH_ROOT)
      message(STATUS "LibTorch of the system: not found")
      return()
    endif()
    message(FATAL_ERROR
      "LibTorch was not found${where}. Install libtorch-dev, or pass "
      "-DPRUNER_TORCH_ROOT=<site-packages>/torch for the one inside PyPI's torch, or "
      "-DPRUNER_ENABLE_TORCH=OFF to build without learned cost models.")
  endif()
  # In 2.x the version numbers are in another header.
  set(version)
  foreach(header torch/csrc/api/include/torch/version.h torch/headeronly/version.h)
    if(EXISTS "${PRUNER_TORCH_INCLUDE}/${header}")
      file(STRINGS "${PRUNER_TORCH_INCLUDE}/${header}" lines
           REGEX "define TORCH_VERSION_(MAJOR|MINOR) [0-9]+")
      if(lines)
        string(REGEX REPLACE "[^0-9]*([0-9]+)[^0-9]+([0-9]+).*" "\\1.\\2"
               version "${lines}")
      endif()
    endif()
  endforeach()
  # The loader must know before it opens the plug-in whether matrix products use
  # the system's libblas.so.3, which it may have to replace.
  file(STRINGS "${PRUNER_TORCH_LIBRARY}" needs_blas
       REGEX "^libblas[.]so[.]3$" LIMIT_COUNT 1)
  set(blas internal)
  if(needs_blas)
    set(blas shared)
  endif()
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE
    "${PRUNER_TORCH_INCLUDE}" "${PRUNER_TORCH_INCLUDE}/torch/csrc/api/include")
  target_link_libraries(${target} INTERFACE
    "${PRUNER_TORCH_LIBRARY}" "${PRUNER_C10_LIBRARY}")
  file(STRINGS "${PRUNER_TORCH_INCLUDE}/ATen/ATen.h" wants_20
       REGEX "#error C[+][+]20 or later")
  if(wants_20)
    target_compile_features(${target} INTERFACE cxx_std_20)
  endif()
  message(STATUS "LibTorch ${version}: ${PRUNER_TORCH_LIBRARY} (BLAS: ${blas})")
  set(PRUNER_TORCH_VERSION "${version}" PARENT_SCOPE)
  # A name such as libtorch_cpu.so.1.13 differs from that of PyTorch's library.
  get_filename_component(file "${PRUNER_TORCH_LIBRARY}" REALPATH)
  if(NOT file MATCHES "[.]so$")
    string(APPEND version "+system")
  endif()
  set(PRUNER_TORCH_RELEASE "${version}" PARENT_SCOPE)
  set(PRUNER_TORCH_BLAS ${blas} PARENT_SCOPE)
endfunction()
if(PRUNER_ENABLE_XGBOOST)
  # Debian's package configuration requires a program of another package.
  find_path(PRUNER_XGBOOST_INCLUDE xgboost/c_api.h)
  find_library(PRUNER_XGBOOST_LIBRARY xgboost)
  if(NOT PRUNER_XGBOOST_INCLUDE OR NOT PRUNER_XGBOOST_LIBRARY)
    message(FATAL_ERROR "XGBoost was not found: install libxgboost-dev, or "
      "configure with -DPRUNER_ENABLE_XGBOOST=OFF to build without gradient-boosted trees.")
  endif()
  add_library(PrunerXgboostLibrary INTERFACE)
  target_include_directories(PrunerXgboostLibrary SYSTEM INTERFACE
    "${PRUNER_XGBOOST_INCLUDE}")
  target_link_libraries(PrunerXgboostLibrary INTERFACE "${PRUNER_XGBOOST_LIBRARY}")
endif()
if(PRUNER_ENABLE_TORCH)
  pruner_find_libtorch(PrunerLibTorch "")
endif()
