# Writes the commit of a source tree, see pruner_commit:
#   cmake -D SOURCE=<tree> -D COMMIT=<digits> -D OUTPUT=<file> -P Commit.cmake
# COMMIT replaces the answer of Git if it is not empty. Outside of Git, and in a
# tree that is a part of another repository, the commit is empty.
if(NOT COMMIT AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND git "--git-dir=${SOURCE}/.git" rev-parse --short=10 HEAD
    OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
# Without the program `git`.
if(NOT COMMIT AND EXISTS "${SOURCE}/.git/HEAD")
  file(READ "${SOURCE}/.git/HEAD" head)
  if(head MATCHES "^ref: ([^\n]+)")
    set(ref "${CMAKE_MATCH_1}")
    set(head)
    if(EXISTS "${SOURCE}/.git/${ref}")
      file(READ "${SOURCE}/.git/${ref}" head)
    elseif(EXISTS "${SOURCE}/.git/packed-refs")
      file(STRINGS "${SOURCE}/.git/packed-refs" refs)
      foreach(each IN LISTS refs)
        if(each MATCHES "^([0-9a-f]+) (.+)$" AND CMAKE_MATCH_2 STREQUAL ref)
          set(head "${CMAKE_MATCH_1}")
        endif()
      endforeach()
    endif()
  endif()
  if(head MATCHES "^[0-9a-f]+")
    string(SUBSTRING "${CMAKE_MATCH_0}" 0 10 COMMIT)
  endif()
endif()
set(text "#define PRUNER_COMMIT \"${COMMIT}\"\n")
# Unchanged content keeps the file, so that its user is not recompiled.
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "${text}" @ONLY)
