#!/bin/bash
# check-package.sh <cmake> <build directory> <scratch directory> <small.mlir>
# Installs, moves the result, and builds the example of another project's tool against
# it, with the installed libraries, headers and CMake targets. The tool cuts a network
# into tasks and tunes the small one.
set -euo pipefail
cmake=$1 build=$(realpath "$2") scratch=$3 small=$4
source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")

rm -rf "$scratch"
mkdir -p "$scratch"
"$cmake" --install "$build" --prefix "$scratch/first" >"$scratch/log"
mv "$scratch/first" "$scratch/moved"
cd "$scratch/moved"

if grep -rlF -e "$build/" -e "$source/" -e "$scratch/first" include lib/cmake; then
  echo "names where it was built or installed"
  exit 1
fi
# Installed headers include only installed headers.
grep -rhoE '^#include "pruner(-c)?/[^"]+"' include | sort -u | cut -d'"' -f2 >"$scratch/included"
while read -r header; do
  if ! [ -e "include/$header" ]; then
    echo "missing: $header"
    exit 1
  fi
done <"$scratch/included"
echo "resolved $(wc -l <"$scratch/included") headers"
# Everything that docs/guides/Integrating.md names exists.
grep -oE 'Pruner::[A-Za-z]+|pruner(-c)?/[A-Za-z/*]+[.]h' "$source/docs/guides/Integrating.md" | sort -u >"$scratch/named"
while read -r name; do
  if ! compgen -G "include/$name" >/dev/null &&
     ! grep -qh "^add_library($name " lib/cmake/pruner/Pruner*Targets.cmake; then
    echo "documented, but missing: $name"
    exit 1
  fi
done <"$scratch/named"
echo "found $(wc -l <"$scratch/named") documented names"

cp -r share/pruner/examples/own-tool "$scratch/own-tool"
cd "$scratch/own-tool"
"$cmake" -G Ninja -S . -B build -DCMAKE_PREFIX_PATH="$scratch/moved" >>"$scratch/log"
"$cmake" --build build >>"$scratch/log"
build/own-opt ../moved/share/pruner/examples/mlp.mlir --own-tasks -o /dev/null
# A pass that finds its program, the worker, next to the tool.
build/own-opt "$small" --pruner-tune='trials=2 batch=2 threads=1 lower=false model=none' -o tuned.mlir
grep -o '#pruner.schedule<[a-z_]*' tuned.mlir

# A program in C, without MLIR's package. The project does not enable C++.
cp -r "$scratch/moved/share/pruner/examples/own-c-tool" "$scratch/own-c-tool"
cd "$scratch/own-c-tool"
"$cmake" -G Ninja -S . -B build -DCMAKE_PREFIX_PATH="$scratch/moved" \
  -DCMAKE_DISABLE_FIND_PACKAGE_MLIR=ON >>"$scratch/log"
"$cmake" --build build >>"$scratch/log"
build/own-tune "$small" 'trials=2 batch=2 threads=1 model=none' small.so
test -s small.so
if build/own-tune "$small" 'trials=0' none.so; then exit 1; fi
