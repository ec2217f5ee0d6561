# Style checks: check-format prints what clang-format would change, check-tidy the
# warnings of clang-tidy. The targets exist if the tools of this LLVM version are
# installed. CI runs tools/setup/check-style.sh: clang-format on all files, and
# clang-tidy on changed files.
file(GLOB_RECURSE PRUNER_STYLE_FILES CONFIGURE_DEPENDS
  "${CMAKE_SOURCE_DIR}/benchmarks/*.cpp" "${CMAKE_SOURCE_DIR}/benchmarks/*.h"
  "${CMAKE_SOURCE_DIR}/examples/*.cpp"
  "${CMAKE_SOURCE_DIR}/include/pruner/*.h"
  "${CMAKE_SOURCE_DIR}/lib/*.cpp" "${CMAKE_SOURCE_DIR}/lib/*.h"
  "${CMAKE_SOURCE_DIR}/test/*.cpp" "${CMAKE_SOURCE_DIR}/test/*.h"
  "${CMAKE_SOURCE_DIR}/tools/*.cpp")

find_program(PRUNER_CLANG_FORMAT NAMES clang-format-${PRUNER_LLVM_MAJOR} clang-format
             HINTS "${LLVM_TOOLS_BINARY_DIR}" NO_DEFAULT_PATH)
if(PRUNER_CLANG_FORMAT)
  add_custom_target(check-format
    COMMAND "${PRUNER_CLANG_FORMAT}" --dry-run --Werror ${PRUNER_STYLE_FILES}
    COMMENT "Comparing with clang-format" VERBATIM)
  add_custom_target(reformat
    COMMAND "${PRUNER_CLANG_FORMAT}" -i ${PRUNER_STYLE_FILES}
    COMMENT "Running clang-format on every file" VERBATIM)
endif()

# Two at a time, like the compiler: a file with MLIR headers takes 1 GB.
find_program(PRUNER_RUN_CLANG_TIDY
             NAMES run-clang-tidy-${PRUNER_LLVM_MAJOR} run-clang-tidy
             HINTS "${LLVM_TOOLS_BINARY_DIR}" NO_DEFAULT_PATH)
if(PRUNER_RUN_CLANG_TIDY)
  add_custom_target(check-tidy
    COMMAND "${PRUNER_RUN_CLANG_TIDY}" -quiet -j 2 -p "${CMAKE_BINARY_DIR}"
            -clang-tidy-binary "${LLVM_TOOLS_BINARY_DIR}/clang-tidy"
            "-header-filter=${CMAKE_SOURCE_DIR}/(include|lib)/.*"
            "${CMAKE_SOURCE_DIR}/(benchmarks|lib|tools)/.*[.]cpp"
    DEPENDS pruner-headers
    COMMENT "Running clang-tidy" VERBATIM USES_TERMINAL)
endif()
