#!/usr/bin/env python3
"""Fails when a source file names no test, or when a header is public for nobody.

A .cpp of a component without passes is tested by the unit test of its name
(<name>Test.cpp), or names a test in a line of its header:

    // Tested by: test/unit/Measure/FaultTest.cpp

(Passes are tested by files of their names, see check_tests.py.) A header in
include/pruner that no other component and no other header there includes belongs
next to the sources of the component.

    check_files.py [source tree]
"""
import collections
import pathlib
import re
import sys

from components import TREE, component_of_file, component_of_header

TESTED_BY = re.compile(r"^// Tested by: (\S+)$", re.M)
INCLUDE = re.compile(r'^\s*#?\s*include\s+"(pruner/[^"]+)"', re.M)
# Headers that guides promise to users although no other component needs them.
PROMISED = {"pruner/Tune/Tuner.h"}


def read(root, base, *suffixes):
    for file in sorted((root / base).rglob("*")):
        if file.suffix in suffixes:
            yield file.relative_to(root).as_posix(), file.read_text(errors="replace")


def components_with_passes(root):
    return {component_of_file(path) for path, text in read(root, "include", ".td")
            if re.search(r':\s*Pass<\s*"', text)}


def untested(root):
    unit_tests = {pathlib.PurePath(path).stem for path, _ in read(root, "test/unit", ".cpp")}
    with_passes = components_with_passes(root)
    for path, text in read(root, "lib", ".cpp"):
        if component_of_file(path) in with_passes:
            continue
        named = TESTED_BY.search(text)
        if named and not (root / named.group(1)).is_file():
            yield f"{path}: is tested by '{named.group(1)}', which does not exist"
        elif not named and pathlib.PurePath(path).stem + "Test" not in unit_tests:
            yield f"{path}: names no test; expected a line '// Tested by: test/...'"


def lonely(root):
    users = collections.defaultdict(set)
    for base in ("include", "lib", "tools", "benchmarks", "examples", "test/Fuzzing"):
        for path, text in read(root, base, ".h", ".cpp", ".c", ".td"):
            if not path.startswith("test/Fuzzing/Parsers/"):
                for header in INCLUDE.findall(text):
                    users[header].add("a header" if base == "include"
                                      else component_of_file(path) or path)
    for path, _ in read(root, "include/pruner", ".h"):
        header = path.removeprefix("include/")
        own = component_of_header(header)
        if header not in PROMISED and users[header] <= {own}:
            yield f"{path}: only {own} includes it; expected it next to the sources"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else TREE
    errors = [*untested(root), *lonely(root)]
    for error in errors:
        print(error, file=sys.stderr)
    print(f"files: {len(errors)} violations")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
