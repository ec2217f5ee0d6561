#!/usr/bin/env python3
"""The components of the tree, as lib/Components.json lists them.

The list is the only one: lib/CMakeLists.txt builds the components in its order,
check.py checks includes against its levels, draw.py draws it, and the page
docs/Architecture.md shows it.

A component has a name, a group, one sentence ("what"), and where it is not
lib/<name>, a directory. Those marked "plain" use no MLIR.

    components.py --markdown     # the table of docs/Architecture.md
"""
import json
import pathlib
import re
import sys

TREE = pathlib.Path(__file__).resolve().parents[2]
_LIST = json.loads((TREE / "lib/Components.json").read_text())

GROUPS = _LIST["groups"]  # Name -> color.
LEVELS = [[component["name"] for component in level] for level in _LIST["levels"]]
COMPONENTS = {component["name"]: component for level in _LIST["levels"] for component in level}
LEVEL = {name: n for n, level in enumerate(LEVELS) for name in level}
PLAIN = {name for name, component in COMPONENTS.items() if component.get("plain")}


def directory(name):
    return COMPONENTS[name].get("directory", "lib/" + name)


def longest(path, prefixes):
    """The component whose prefix is the longest that contains `path`, or None."""
    found = [name for name, prefix in prefixes.items()
             if path == prefix or path.startswith(prefix + "/")]
    return max(found, key=lambda name: len(prefixes[name]), default=None)


_DIRECTORIES = {name: directory(name) for name in COMPONENTS}
_HEADERS = {name: name if name.startswith("Fuzzing/") else "pruner/" + name
            for name in COMPONENTS if name != "tools"}


def component_of_file(path):
    """The component of a file, by its path in the tree."""
    if path.startswith("include/"):
        return component_of_header(path.removeprefix("include/"))
    return longest(path, _DIRECTORIES)


def component_of_header(header):
    """The component of a header, as an include directive names it."""
    return longest(header, _HEADERS)


def included_header(line):
    """The header of this project that a line includes, or None."""
    match = re.match(r'\s*#?include\s+"((?:pruner|Fuzzing)/[^"]+)"', line)
    return match.group(1) if match else None


def sources(root):
    """Path, component (None: unknown) and text of each file with code."""
    for base in ("include/pruner", "lib", "tools", "test/Fuzzing"):
        for file in sorted((root / base).rglob("*")):
            if file.suffix not in (".h", ".cpp", ".td") or "Inputs" in file.parts:
                continue
            path = file.relative_to(root).as_posix()
            yield path, component_of_file(path), file.read_text()


def markdown():
    print("| Component | Group | Contents |\n|---|---|---|")
    for level in LEVELS:
        for name in level:
            print(f"| {name} | {COMPONENTS[name]['group']} | {COMPONENTS[name]['what']} |")


if __name__ == "__main__":
    if sys.argv[1:] != ["--markdown"]:
        sys.exit(__doc__)
    markdown()
