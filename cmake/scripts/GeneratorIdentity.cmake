# Writes the hash of the code generator, see pruner_generator_identity:
#   cmake -D SOURCE=<tree> -D LLVM=<version> -D LIST=<file> -D OUTPUT=<file>
#         -P GeneratorIdentity.cmake
# LIST has one file per line, relative to SOURCE. The hash covers the name, size
# and bytes of each file, and does not depend on the name of SOURCE.
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
# Unchanged content keeps the file, so that its users are not recompiled.
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "${text}" @ONLY)
