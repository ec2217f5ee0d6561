#!/bin/bash
# Installs the dependencies, builds, and runs the whole test suite.
#     build-and-test.sh [CMake arguments...]
set -euo pipefail
cd "$(dirname "$0")/../.."

tools/setup/install-packages.sh
tools/setup/build.sh build "$@"
ctest --test-dir build -L full -j2 --output-on-failure
