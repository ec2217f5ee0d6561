#!/bin/bash
# Installs the packages for building and testing from the Debian 12 archive. If
# all are installed, it does nothing and needs neither network nor root.
#     install-packages.sh [wheel]
# `wheel` installs only what a build of the Python wheel needs.
set -euo pipefail

packages=(
  # The compiler and its tools. g++ provides the C++ library and can also
  # compile everything, more slowly.
  clang-22 g++ cmake ninja-build lld-22
  # LLVM and MLIR: libraries, TableGen, FileCheck and lit.
  llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools
  # The tuning database.
  libsqlite3-dev
  # Static libraries for the tools of the GPU kit and the wheel: libz.a, libzstd.a,
  # and the linker in the wheel.
  zlib1g-dev libzstd-dev liblld-22-dev
  # The Python packages, also without a package index.
  python3 python3-venv python3-setuptools python3-wheel
)
if [ "${1:-}" != wheel ]; then
  packages+=(
    ccache
    # The learned models. LibTorch uses the matrix products of libblas.so.3, which
    # OpenBLAS provides, 10 times faster than the reference.
    libtorch-dev libopenblas0-serial libxgboost-dev
    # The test suites; pruner-check-math uses MPFR for correct rounding.
    libgtest-dev libmpfr-dev python3-numpy python3-psutil
    # Plots of pruner-report.
    python3-matplotlib
    # Style checks.
    clang-format-22 clang-tidy-22 pylint
  )
fi

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
unknown=()
for package in "${missing[@]}"; do
  apt-cache show "$package" > /dev/null 2>&1 || unknown+=("$package")
done
if [ ${#unknown[@]} -gt 0 ]; then
  echo "error: apt has no package ${unknown[*]}; Debian 12 has LLVM 22 in the suite" \
    "bookworm-security: add it to /etc/apt/sources.list (component main)" >&2
  exit 1
fi
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y --no-install-recommends "${missing[@]}"
