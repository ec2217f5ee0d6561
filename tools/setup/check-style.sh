#!/bin/bash
# check-style.sh [commit]: checks that all C++ files are formatted
# (.clang-format), and runs clang-tidy (.clang-tidy) on the sources that changed
# since `commit` (default: the previous commit), including uncommitted changes.
# The target check-tidy runs clang-tidy on all sources, which takes long. Needs
# the build tree build/.
set -euo pipefail
cd "$(dirname "$0")/../.."

cmake --build build --target check-format
base=${1:-HEAD^}
if ! git rev-parse --quiet --verify "$base^{commit}" >/dev/null; then
  echo "check-style: no commit '$base' here (a shallow clone?): nothing for clang-tidy"
  exit 0
fi
# Sources that are not built here (another architecture, a disabled option) have
# no compile command.
changed=()
while IFS= read -r file; do
  if grep -qF "\"$PWD/$file\"" build/compile_commands.json; then
    changed+=("$file")
  fi
done < <(git diff --name-only --diff-filter=d "$base" -- \
             'benchmarks/*.cpp' 'lib/*.cpp' 'tools/*.cpp')
# A source takes ten seconds; use the target for many sources.
if [ ${#changed[@]} -gt 20 ]; then
  echo "check-style: ${#changed[@]} sources changed since $base, too many for clang-tidy here;" \
       "run the target check-tidy"
  exit 0
fi
echo "check-style: clang-tidy on ${#changed[@]} sources that changed since $base"
[ ${#changed[@]} -eq 0 ] ||
  clang-tidy-22 -p build --quiet --warnings-as-errors='*' \
    --header-filter="$PWD/(include|lib)/.*" "${changed[@]}"
