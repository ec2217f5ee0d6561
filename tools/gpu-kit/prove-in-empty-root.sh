#!/bin/bash
# Unpacks a GPU kit into a Debian 12 with only its base system and Python, and runs
# everything that needs no device. Requires root and debootstrap, so it is not part
# of the test suites.
#
#   prove-in-empty-root.sh <pruner-gpu-kit.tar.gz> <new directory>
set -euo pipefail
kit=$(readlink -f "$1")
root=$2
[ ! -e "$root" ] || { echo "error: '$root' exists" >&2; exit 2; }

debootstrap --variant=minbase --include=python3-minimal,libpython3-stdlib bookworm "$root" > "$root.log" 2>&1 ||
  { tail -5 "$root.log" >&2; exit 1; }
mount --bind /proc "$root/proc"
trap 'umount "$root/proc"' EXIT
tar xzf "$kit" -C "$root/root"
name=$(basename "$kit" .tar.gz)

inside() {
  chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root "$@"
}
failures=0
check() { # <what> <expected exit code> <text to find> <command...>
  local what=$1 code=$2 text=$3 got=0
  shift 3
  inside "$@" > "$root/tmp/out" 2>&1 || got=$?
  if [ "$got" = "$code" ] && { [ -z "$text" ] || grep -q -- "$text" "$root/tmp/out"; }; then
    echo "right: $what"
  else
    echo "WRONG: $what: exit code $got, expected $code and '$text'"
    tail -5 "$root/tmp/out"
    failures=$((failures + 1))
  fi
}
k=/root/$name
if inside dpkg-query -W 2>/dev/null | grep -iE '^(lib)?(llvm|mlir|clang|cuda|z3|zstd-dev)'; then
  echo "WRONG: the root is not empty"
  failures=$((failures + 1))
fi
check "nothing is missing" 0 "libc.so.6" ldd $k/bin/pruner-opt
check "nothing of LLVM is shared" 1 "" sh -c "ldd $k/bin/pruner-opt | grep -E 'LLVM|MLIR|not found|stdc'"
check "PTX" 0 "target sm_90a" $k/bin/pruner-opt $k/examples/matmul_1024.mlir \
  "--pruner-tune=target=nvidia:sm_90a trials=2 strategy=draft-only model=none"
if ptxas=$(PATH=${PATH:+$PATH:}/usr/local/cuda/bin command -v ptxas); then
  cp "$(readlink -f "$ptxas")" "$root/usr/bin/ptxas"
  check "cubins" 0 "spilled bytes" $k/bin/pruner-opt $k/examples/matmul_1024.mlir \
    "--pruner-tune=target=nvidia:sm_90a trials=2 strategy=draft-only model=none"
  rm "$root/usr/bin/ptxas"
else
  echo "skipped: cubins: no ptxas"
fi
check "code for this CPU" 0 "task_matmul" $k/bin/pruner-opt $k/examples/mlp.mlir \
  "--pruner-tune=trials=3 threads=1 strategy=draft-only model=none"
check "kernels in the emulator" 0 "0 failed" $k/pruner-gpu-kit tests --emulate --count 100 --jobs 2 --output /tmp/results
for command in tests bench tune dataset "all 1"; do
  check "$command without a GPU" 3 "no GPU: cannot load the CUDA driver" $k/pruner-gpu-kit $command --output /tmp/results
done
echo "$failures failures"
[ "$failures" -eq 0 ]
