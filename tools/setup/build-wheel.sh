#!/bin/bash
# Builds the Python wheel with tools, without a package index.
#     build-wheel.sh [--torch=<site-packages>/torch;...] [2_34|2_28] [directory for the wheel]
# --torch adds the learned models that need LibTorch, for these releases of PyTorch.
# The tag is manylinux_2_34 by default. The wheel for 2_28 has the same object files
# and is linked against an older C library, which requires root once
# (make-sysroot.sh). PRUNER_BUILD_DIR names an existing build directory, as for
# `pip wheel .`.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [[ ${1:-} == --torch=* ]]; then
  export PRUNER_TORCH_ROOT=${1#--torch=}
  shift
fi
tag=${1:-2_34}
output=${2:-build-wheel/dist}

tools/setup/install-packages.sh wheel
sysroot=
case "$tag" in
2_34) ;;
2_28)
  sysroot=$PWD/build-wheel/sysroot
  if [ ! -d "$sysroot" ]; then
    mkdir -p build-wheel
    tools/setup/make-sysroot.sh "$sysroot"
  fi
  ;;
*)
  echo "usage: build-wheel.sh [--torch=<directories>] [2_34|2_28] [directory]" >&2
  exit 2
  ;;
esac
python=build-wheel/venv/bin/python
[ -x "$python" ] || /usr/bin/python3 -m venv --system-site-packages build-wheel/venv
PRUNER_WHEEL_SYSROOT=$sysroot "$python" -m pip wheel . --no-deps --no-index \
  --no-build-isolation --wheel-dir "$output"
ls -l "$output"/pruner_mlir-*-manylinux_"$tag"_*.whl
