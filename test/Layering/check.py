#!/usr/bin/env python3
"""Fails when a component includes a header of its own or a higher level, or parses
foreign text around the entry points that bound its size and nesting.

lib/Components.json lists the components by level. A component may always include
its own headers, and those of components of lower levels.

    check.py [source tree]
"""
import pathlib
import re
import sys

from components import LEVEL, PLAIN, TREE, component_of_header, included_header, sources

# The only component that may see LibTorch, and never together with MLIR.
TORCH = "CostModel/Torch"
# Parsers that recurse without a limit, and the one file that may call each.
PARSERS = [
    (re.compile(r"\bjson::parse\s*[<(]"), "lib/Support/JsonLines.cpp",
     "json::parse; use parseJson of pruner/Support/JsonLines.h"),
    (re.compile(r"(?<![.>\w])(mlir::)?(parseAttribute|parseType|parseSourceString)\s*[<(]"),
     "lib/Dialect/Pruner/IR/ForeignText.cpp",
     "a parser of MLIR; use pruner/Dialect/Pruner/IR/ForeignText.h"),
]

def violations(path, component, text):
    for n, line in enumerate(text.splitlines(), 1):
        if header := included_header(line):
            target = component_of_header(header)
            if target is None:
                yield f"{path}:{n}: {header} belongs to no component"
            elif target != component and LEVEL[target] >= LEVEL[component]:
                yield (f"{path}:{n}: {component} (level {LEVEL[component]}) includes "
                       f"{target} (level {LEVEL[target]})")
            elif component in PLAIN and target not in PLAIN:
                yield f"{path}:{n}: {component} uses no MLIR and includes {target}"
        for parser, home, what in PARSERS:
            if parser.search(line.split("//")[0]) and path != home:
                yield f"{path}:{n}: calls {what}"
        if re.match(r"\s*#\s*include\s+[<\"](torch|ATen|c10)/", line) and component != TORCH:
            yield f"{path}:{n}: LibTorch outside of {TORCH}"
        if component in PLAIN and re.match(r"\s*#\s*include\s+[<\"]mlir/", line):
            yield f"{path}:{n}: MLIR inside {component}"
        if component == TORCH and re.match(r"\s*#\s*include\s+[<\"](mlir|llvm)/", line):
            yield f"{path}:{n}: MLIR or LLVM inside {TORCH}"


def main():
    errors, files = [], 0
    for path, component, text in sources(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else TREE):
        files += 1
        if component is None:
            errors.append(f"{path}: belongs to no component")
        else:
            errors.extend(violations(path, component, text))
    for error in errors:
        print(error, file=sys.stderr)
    print(f"layering: {files} files, {len(errors)} violations")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
