# Writes the hash of what generates code, see pruner_generator_identity:
#   cmake -D SOURCE=<tree> -D LLVM=<version> -D LIST=<file> -D OUTPUT=<file>
#         -P GeneratorIdentity.cmake
# LIST names a file a line, relative to SOURCE. Each counts with its name, its
# size and its bytes, whatever the directories are called on this machine.
file(STRINGS "${LIST}" names)
list(SORT names)
set(text "llvm ${LLVM}\n")
foreach(name ${names})
  file(SHA256 "${SOURCE}/${name}" hash)
  string(APPEND text "${hash} ${name}\n")
endforeach()
string(SHA256 identity "${text}")
string(SUBSTRING "${identity}" 0 32 identity)
set(text "#define PRUNER_GENERATOR_IDENTITY \"${identity}\"\n")
# As it was if nothing changed: what includes it is not compiled again.
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE "${OUTPUT}" "${text}")
endif()
