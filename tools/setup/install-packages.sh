#!/bin/bash
# Installs what building and testing need, from Debian 12's own archive.
# Does nothing, and needs neither the network nor root, when all of it is there.
set -euo pipefail

packages=(
  # The compiler and its companions; g++ brings the C++ library, and compiles
  # everything, too, more slowly.
  clang-22 g++ cmake ninja-build ccache lld-22
  # LLVM and MLIR: libraries, TableGen, FileCheck and lit.
  llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools
  # The tuning database.
  libsqlite3-dev
  # The GPU kit's tools, which hold their libraries: libz.a, libzstd.a.
  zlib1g-dev libzstd-dev
  # The learned cost models. LibTorch takes its matrix products from
  # libblas.so.3, which OpenBLAS provides 10 times faster than the reference.
  libtorch-dev libopenblas0-serial libxgboost-dev
  # The test suites; MPFR settles roundings for pruner-check-math.
  libgtest-dev libmpfr-dev python3 python3-numpy python3-psutil
  # pruner-report's plots.
  python3-matplotlib
  # The checks of style.
  clang-format-22 clang-tidy-22
  # What `pip install ./python` needs where it is tested without a network.
  python3-venv python3-setuptools python3-wheel
)

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi

. /etc/os-release
if [ "${ID:-}" != debian ] || [ "${VERSION_ID:-}" != 12 ]; then
  echo "warning: written for Debian 12, this is ${PRETTY_NAME:-unknown}" >&2
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  as_root=(sudo)
fi
echo "installing: ${missing[*]}" >&2
"${as_root[@]}" apt-get update
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y --no-install-recommends "${missing[@]}"
