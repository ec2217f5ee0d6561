#!/usr/bin/env python3
"""Fails when a room includes a header of its own or a higher level, or parses
text of others around the entry points that bound its size and nesting.

A room is a directory of include/pruner and lib. Its own headers are always
allowed; those of another room only if that room stands on a lower level.

    check.py [source tree]
"""
import pathlib
import re
import sys

LEVELS = [
    ["Support", "Program", "CostModel", "Runtime"],
    ["Machine", "Target", "CostModel/Torch", "CostModel/Xgboost", "Emulator", "Interpreter"],
    ["Sketch"],
    ["Dialect/Pruner/IR"],
    ["Recognition", "Dialect/Pruner/Utils"],
    ["Analysis"],
    ["Dialect/Pruner/Transforms", "Conversion", "Schedule"],
    ["Pipelines"],
    ["Builder", "Library", "Measure", "Search", "Record", "TransformLibrary"],
    ["Verification", "Dataset"],
    ["Worker", "Tune"],
    ["Tools", "Plugin", "Explain", "Fuzz/Schedules"],
    ["CAPI", "Fuzz/Mutation", "Fuzz/Networks"],
    ["tools", "python"],
]
LEVEL = {room: n for n, rooms in enumerate(LEVELS) for room in rooms}
# The only room that may see LibTorch, and never together with MLIR.
TORCH_ROOM = "CostModel/Torch"
# Rooms that know no MLIR, and include only rooms of which that is true as well:
# tasks, schedules, machines and records are plain data, and the tuner's side of
# measuring builds nothing itself.
PLAIN_ROOMS = {"Support", "Program", "CostModel", "Runtime", "Machine", "Sketch",
               "Measure", "Record"}
# Parsers that recurse without a limit, and the one file that may call each.
PARSERS = [
    (re.compile(r"\bjson::parse\s*[<(]"), "lib/Support/JsonLines.cpp",
     "json::parse; use parseJson of pruner/Support/JsonLines.h"),
    (re.compile(r"(?<![.>\w])(mlir::)?(parseAttribute|parseType|parseSourceString)\s*[<(]"),
     "lib/Dialect/Pruner/IR/ForeignText.cpp",
     "a parser of MLIR; use pruner/Dialect/Pruner/IR/ForeignText.h"),
]

TREE = pathlib.Path(__file__).resolve().parents[2]


def room_of(path):
    """The room of a path relative to include/pruner, lib or the root."""
    parts = path.split("/")
    for n in range(min(3, len(parts) - 1), 0, -1):
        name = "/".join(parts[:n])
        if name == "Conversion":
            return "/".join(parts[:2])
        if name in LEVEL:
            return name
    return None


def level_of(room):
    return LEVEL[room.split("/")[0] if room.startswith("Conversion") else room]


def sources(root):
    """The files with code of all rooms: path, room (None: in no known one), text."""
    for base in ("include/pruner", "lib", "tools"):
        for file in sorted((root / base).rglob("*")):
            if file.suffix not in (".h", ".cpp", ".td"):
                continue
            where = file.relative_to(root / base).as_posix()
            room = "tools" if base == "tools" else room_of(where)
            yield f"{base}/{where}", room, file.read_text()


def included_header(line):
    """The header of ours that a line includes, relative to include/pruner; or None."""
    match = re.match(r'\s*#?include\s+"pruner/([^"]+)"', line)
    return match.group(1) if match else None


def violations(path, room, text):
    for n, line in enumerate(text.splitlines(), 1):
        if header := included_header(line):
            target = room_of(header)
            if target is None:
                yield f"{path}:{n}: {header} is in no known room"
            elif target != room and level_of(target) >= level_of(room):
                yield (f"{path}:{n}: {room} (level {level_of(room)}) includes "
                       f"{target} (level {level_of(target)})")
            elif room in PLAIN_ROOMS and target not in PLAIN_ROOMS:
                yield f"{path}:{n}: {room} knows no MLIR and includes {target}"
        for parser, home, what in PARSERS:
            if parser.search(line.split("//")[0]) and path != home:
                yield f"{path}:{n}: calls {what}"
        if re.match(r"\s*#\s*include\s+[<\"](torch|ATen|c10)/", line) and room != TORCH_ROOM:
            yield f"{path}:{n}: LibTorch outside {TORCH_ROOM}"
        if room in PLAIN_ROOMS and re.match(r"\s*#\s*include\s+[<\"]mlir/", line):
            yield f"{path}:{n}: MLIR inside {room}"
        if room == TORCH_ROOM and re.match(r"\s*#\s*include\s+[<\"](mlir|llvm)/", line):
            yield f"{path}:{n}: MLIR or LLVM inside {TORCH_ROOM}"


def main():
    errors, files = [], 0
    for path, room, text in sources(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else TREE):
        files += 1
        if room is None:
            errors.append(f"{path}: stands in no known room")
        else:
            errors.extend(violations(path, room, text))
    for error in errors:
        print(error, file=sys.stderr)
    print(f"layering: {files} files, {len(errors)} violations")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
