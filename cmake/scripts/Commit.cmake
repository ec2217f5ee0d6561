# Writes the commit of a source tree, see pruner_commit:
#   cmake -D SOURCE=<tree> -D COMMIT=<digits> -D OUTPUT=<file> -P Commit.cmake
# COMMIT replaces the answer of Git if it is not empty. Outside of Git, and in a
# tree that is a part of another repository, the commit is empty.
if(NOT COMMIT AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND git -C "${SOURCE}" rev-parse --short=10 HEAD
    OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(text "#define PRUNER_COMMIT \"${COMMIT}\"\n")
# Unchanged content keeps the file, so that its user is not recompiled.
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "${text}" @ONLY)
