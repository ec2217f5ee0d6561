#!/bin/bash
# check-style.sh [commit]: every C++ file is laid out as .clang-format says, and
# clang-tidy (.clang-tidy) finds nothing in the sources that changed since
# `commit` (default: the one before), what is not committed yet included. All of
# them are the target check-tidy, for which there is seldom the time. Needs the
# build tree build/.
set -euo pipefail
cd "$(dirname "$0")/../.."

cmake --build build --target check-format
base=${1:-HEAD^}
if ! git rev-parse --quiet --verify "$base^{commit}" >/dev/null; then
  echo "check-style: no commit '$base' here (a shallow clone?): nothing for clang-tidy"
  exit 0
fi
# What is not built here (another architecture, an option that is off) has no
# compile command.
changed=()
while IFS= read -r file; do
  if grep -qF "\"$PWD/$file\"" build/compile_commands.json; then
    changed+=("$file")
  fi
done < <(git diff --name-only --diff-filter=d "$base" -- \
             'benchmarks/*.cpp' 'lib/*.cpp' 'tools/*.cpp')
# Ten seconds each: many are the work of the target.
if [ ${#changed[@]} -gt 20 ]; then
  echo "check-style: ${#changed[@]} sources changed since $base, too many for clang-tidy here;" \
       "run the target check-tidy"
  exit 0
fi
echo "check-style: clang-tidy on ${#changed[@]} sources that changed since $base"
[ ${#changed[@]} -eq 0 ] ||
  clang-tidy-22 -p build --quiet --warnings-as-errors='*' \
    --header-filter="$PWD/(include|lib)/.*" "${changed[@]}"
