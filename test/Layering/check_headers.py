#!/usr/bin/env python3
"""Fails when a public header has no user outside of its component.

A header in include/pruner that no other component and no other header there includes
belongs next to the sources of its component.

    check_headers.py [source tree]
"""
import collections
import pathlib
import sys

from components import TREE, component_of_file, component_of_header, included_header

# Headers that guides promise to users although no other component needs them.
PROMISED = {"pruner/Tune/Tuner.h"}


def read(root, base, *suffixes):
    for file in sorted((root / base).rglob("*")):
        if file.suffix in suffixes:
            yield file.relative_to(root).as_posix(), file.read_text(errors="replace")


def violations(root):
    users = collections.defaultdict(set)
    for base in ("include", "lib", "tools", "benchmarks", "examples", "test/Fuzzing"):
        for path, text in read(root, base, ".h", ".cpp", ".c", ".td"):
            if not path.startswith("test/Fuzzing/Parsers/"):
                for header in filter(None, map(included_header, text.splitlines())):
                    users[header].add("a header" if base == "include"
                                      else component_of_file(path) or path)
    for path, _ in read(root, "include/pruner", ".h"):
        header = path.removeprefix("include/")
        own = component_of_header(header)
        if header not in PROMISED and users[header] <= {own}:
            yield f"{path}: only {own} includes it; expected it next to the sources"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else TREE
    errors = list(violations(root))
    for error in errors:
        print(error, file=sys.stderr)
    print(f"headers: {len(errors)} violations")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
