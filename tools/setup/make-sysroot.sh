#!/bin/bash
# Makes a directory with the C library of Debian 11 (glibc 2.31), against which the
# wheel for older systems is linked. Requires root and debootstrap; half a minute
# and a third of a GB.
#     make-sysroot.sh <new directory>
set -euo pipefail
root=$1
[ ! -e "$root" ] || { echo "error: '$root' exists" >&2; exit 2; }

debootstrap --variant=minbase --include=libc6-dev bullseye "$root" > "$root.log" 2>&1 ||
  { tail -5 "$root.log" >&2; exit 1; }
# An absolute link would lead to the libraries of this machine.
root=$(readlink -f "$root")
find "$root" -type l -lname '/*' | while read -r link; do
  ln -sfn "$(realpath -sm --relative-to="$(dirname "$link")" "$root$(readlink "$link")")" "$link"
done
