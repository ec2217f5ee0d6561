#===- import_iree.py - dispatches of IREE as tasks -------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts the dispatches that iree-compile dumps to a linalg module.

    iree-compile ... --iree-hal-dump-executable-configurations-to=dispatches
    python -m pruner_tools.import_iree dispatches -o dispatches.mlir

Every dispatch becomes a function on tensors, with the ops that IREE matches against a
tuning specification, but without IREE's own lowering configurations. Files of
--iree-hal-dump-executable-benchmarks-to and -sources-to are accepted too. Constructs
that only IREE can parse are rewritten as text: loads of bindings become arguments,
stores become results. Dispatches with other contents, or without linalg ops, are
skipped and listed on stderr.

With --applied, the dispatches are those of a compilation with a specification of
pruner-export-iree-spec. Instead of a module, the output is a table that shows which of
them it matched. Exits with 1 if nothing could be read, or nothing was matched.
"""

import argparse
import pathlib
import re
import sys

# : The attribute that a specification sets on the ops it matched.
MARK = "__pruner_spec_applied__"

FUNCTION = re.compile(r"^\s*func\.func (?:public )?@([\w$.]+)\(\)[^\n]*\{\s*$")
LOAD = re.compile(r"^\s*(%\w+) = (?:iree_codegen\.load_from_buffer|"
                  r"iree_tensor_ext\.dispatch\.tensor\.load|flow\.dispatch\.tensor\.load)\b"
                  r".*-> (tensor<[^>]*>)\s*$")
STORE = re.compile(r"^\s*(?:iree_codegen\.store_to_buffer|"
                   r"iree_tensor_ext\.dispatch\.tensor\.store|flow\.dispatch\.tensor\.store) "
                   r"(%[\w#]+), .*: (tensor<[^>]*>) (?:into|->) ")
DEFINED = re.compile(r"^\s*(%\w+)(?::\d+)?(?:, %\w+)* = ")
VALUE = re.compile(r"%\w+")
# : Ops that only describe the location of bindings.
PLACES = re.compile(r"= (?:hal\.interface\.|util\.assume\.int\b|memref\.|"
                    r"iree_tensor_ext\.dispatch\.workload\.)")
FOREIGN = re.compile(r"(?:^|\s)((?:iree_\w+|hal|util|flow|stream|memref|vector|gpu)\.[\w.]+)|"
                     r"#(iree_\w+)\.")
DYNAMIC = re.compile(r"tensor<[^>]*\?")


# : An attribute that selects IREE's lowering of an op.
CONFIG = re.compile(r"(?:lowering_config|compilation_info) = #\w+(?:\.\w+)*(<)|"
                    r"\b(?:root_op = #\w+\.\w+(<)|root_op|" + MARK + r")")


class NotImported(Exception):
    """The reason why a dispatch is skipped."""


def closing(text, start):
    """Return the position after the bracket that closes the one before `start`."""
    depth, quoted = 1, False
    for place in range(start, len(text)):
        letter = text[place]
        if letter == '"':
            quoted = not quoted
        elif not quoted and letter in "([{<":
            depth += 1
        elif not quoted and letter in ")]}>" and text[place - 1] != "-":
            depth -= 1
            if depth == 0:
                return place + 1
    return len(text)


def without_locations(line):
    while start := re.search(r"\s*\bloc\(", line):
        line = line[:start.start()] + line[closing(line, start.end()):]
    return line


def without_configs(line):
    """Return `line` without the attributes that select IREE's lowering of an op."""
    while start := CONFIG.search(line):
        end = start.end()
        if start.group(1) or start.group(2):
            end = closing(line, end)
        rest = line[end:].lstrip(", ")
        line = line[:start.start()].rstrip(", ")
        line += rest if line.endswith("{") or rest.startswith("}") else ", " + rest
    return re.sub(r"(?: attrs =)?[ ]+\{[ ]*\}(?= )", "", line)


def bodies(text):
    """Return (name, lines of the body) of every function of a dumped executable."""
    lines = [without_locations(line) for line in text.splitlines()]
    number = 0
    while number < len(lines):
        head = FUNCTION.match(lines[number])
        number += 1
        if not head:
            continue
        indent = len(lines[number - 1]) - len(lines[number - 1].lstrip())
        end = next((n for n in range(number, len(lines))
                    if lines[n].startswith(" " * indent + "}")), len(lines))
        yield head.group(1), lines[number:end]
        number = end


def statements(lines):
    """Return the operations of a block, each with its regions and continuation lines.
    """
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()),
                 default=0)
    whole = []
    for line in lines:
        inside = line[:indent + 1].strip() == "" or line.lstrip().startswith(("^", "}", "]"))
        if whole and inside:
            whole[-1] += "\n" + line
        else:
            whole.append(line)
    return whole


def function(name, lines):
    """Return the dispatch as text of a function on tensors. Raises NotImported."""
    arguments, results, kept = [], [], []
    places = set()  # Values that concern memory and not elements.
    for statement in statements(lines):
        defined = DEFINED.match(statement)
        if load := LOAD.match(statement):
            arguments.append(load.groups())
        elif store := STORE.match(statement):
            results.append(store.groups())
        elif defined and (PLACES.search(statement) or " = arith." in statement and
                          places.intersection(VALUE.findall(statement))):
            places.add(defined.group(1))
        elif statement.strip() != "return":
            statement = without_configs(statement)
            if foreign := FOREIGN.search(statement):
                raise NotImported(f"it has {foreign.group(1) or foreign.group(2)}")
            if DYNAMIC.search(statement):
                raise NotImported("its shapes are dynamic")
            if places.intersection(VALUE.findall(statement.split("{", 1)[0])):
                raise NotImported("it uses constants that the host passes")
            kept.append("    " + statement.strip())
    body = "\n".join(kept)
    if "linalg." not in body:
        raise NotImported("it has no linalg op")
    if not results:
        raise NotImported("it writes to memory in place")
    # Some forms load a value that is only written.
    used = [(value, kind) for value, kind in arguments
            if re.search(re.escape(value) + r"\b", body)]
    head = ", ".join(f"{value}: {kind}" for value, kind in used)
    kinds = ", ".join(kind for _, kind in results)
    return (f"  func.func @{name}({head}) -> ({kinds}) {{\n{body}\n"
            f"    return {', '.join(value for value, _ in results)} : {kinds}\n  }}\n")


def texts(path):
    """Return (file, text) of the dumped files of a directory, or of one file."""
    path = pathlib.Path(path)
    files = sorted(path.glob("*.mlir")) if path.is_dir() else [path]
    for file in files:
        yield file, file.read_text()


def read_dispatches(paths, said=None):
    """Return {name: text of a function} of all dispatches. `said` is called for skipped
    ones."""
    found = {}
    for path in paths:
        for _, text in texts(path):
            for name, lines in bodies(text):
                try:
                    found[name] = function(name, lines)
                except NotImported as reason:
                    if said:
                        said(f"{name} is not imported: {reason}")
    return found


def module(functions):
    return "module {\n" + "".join(functions) + "}\n"


def applied(paths):
    """Return (name, whether a specification matched it) of every dispatch with a
    contraction or a convolution."""
    rows = []
    for path in paths:
        for _, text in texts(path):
            for name, lines in bodies(text):
                body = "\n".join(lines)
                if '"reduction"' in body or re.search(r"linalg\.\w*(?:matmul|conv)", body):
                    rows.append((name, MARK in body))
    return rows


def main():
    parser = argparse.ArgumentParser(prog="pruner_tools.import_iree",
                                     description=__doc__.splitlines()[0])
    parser.add_argument("dispatches", nargs="+",
                        help="dumped files, or directories of them")
    parser.add_argument("-o", "--output", help="file for the module (default: stdout)")
    parser.add_argument("--applied", action="store_true",
                        help="print which dispatches a specification matched")
    args = parser.parse_args()
    try:
        if args.applied:
            rows = applied(args.dispatches)
            for name, hit in rows:
                print(f"{'matched' if hit else 'not matched':11}  {name}")
            hits = sum(hit for _, hit in rows)
            print(f"{hits} of {len(rows)} dispatches with a reduction are matched")
            return 0 if hits else 1
        functions = read_dispatches(args.dispatches,
                                    lambda text: print(text, file=sys.stderr))
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"pruner_tools.import_iree: {error}")
    if not functions:
        sys.exit("pruner_tools.import_iree: no dispatch to import")
    text = module(functions.values())
    if args.output:
        pathlib.Path(args.output).write_text(text)
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
