#!/usr/bin/env python3
"""Runs the marked examples of a Markdown file, so that they cannot rot.

    run_blocks.py <file.md> <scratch directory> [--full] [--copy=<path>]...
    run_blocks.py --links <file.md>...           checks the links only

These kinds of fenced blocks are marked after the language:

    ```mlir file=matmul.mlir     the block's text is written to that file
    ```console test              lines `$ command` are run in a shell; the lines
                                 below a command are what it must print, both
                                 stdout and stderr, exactly
    ```sh test                   all of it is run in one shell, as it is pasted
    ```sh test full              the same, with --full only: it takes longer
    ```text output               what the `sh` block before must print

In expected output a line of `...` stands for any number of lines, and `...`
inside a line for any text. Every command must succeed. Blocks share the scratch
directory, where copies of --copy's files and directories lie. A file without a
block that is run is an error, as is a relative link to a file or to a heading that
does not exist.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

FENCE = re.compile(r"^```(\S*)\s*(.*)$")
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
HEADING = re.compile(r"^#+ +(.*)$")


def blocks(lines):
    """Yields (line number, language, words after it, body lines)."""
    inside, start, language, words, body = False, 0, "", "", []
    for number, line in enumerate(lines, 1):
        fence = FENCE.match(line)
        if inside and line.rstrip() == "```":
            inside = False
            yield start, language, words, body
        elif inside:
            body.append(line)
        elif fence:
            inside, start, body = True, number, []
            language, words = fence.groups()
    if inside:
        raise SystemExit(f"line {start}: block is not closed")


def line_matches(expected, actual):
    parts = [re.escape(part) for part in expected.split("...")]
    return re.fullmatch(".*".join(parts), actual) is not None


def matches(expected, actual):
    """Do the lines match, with `...` for any number of them?"""
    if not expected:
        return not actual
    if expected[0].strip() == "...":
        return any(matches(expected[1:], actual[n:])
                   for n in range(len(actual) + 1))
    return (bool(actual) and line_matches(expected[0], actual[0])
            and matches(expected[1:], actual[1:]))


def strip(lines):
    lines = [line.rstrip() for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def run(where, command, expected, scratch):
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command],
                          cwd=scratch, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    actual = strip(done.stdout.splitlines())
    if done.returncode != 0:
        return [f"{where}: exit status {done.returncode}: {command}", *actual]
    if not matches(strip(expected), actual):
        return [f"{where}: other output than documented: {command}",
                "--- documented", *strip(expected), "--- actual", *actual]
    return []


def anchors(document):
    """The anchors that GitHub gives the headings of a page."""
    found, inside = set(), False
    for line in document.read_text().splitlines():
        if line.startswith("```"):
            inside = not inside
        heading = HEADING.match(line)
        if heading and not inside:
            text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading.group(1)).lower()
            found.add(re.sub(r"[^\w\- ]", "", text).replace(" ", "-"))
    return found


def check_links(document, text):
    errors, inside = [], False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
        for target, anchor in () if inside else LINK.findall(line):
            if "://" in target:
                continue
            file = document.parent / target if target else document
            if not file.exists():
                errors.append(f"{document.name}:{number}: no such file: {target}")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                errors.append(f"{document.name}:{number}: no such heading: {target}#{anchor}")
    return errors


def check_blocks(document, text, scratch, full):
    """Runs the marked blocks; returns the errors and the number of commands."""
    errors, commands = [], 0
    found = [*blocks(text.splitlines()), (0, "", "", [])]
    for (number, language, words, body), following in zip(found, found[1:]):
        if words.startswith("file="):
            (scratch / words[len("file="):]).write_text("\n".join(body) + "\n")
        if language == "sh" and words in ("test", "test full")[:2 if full else 1]:
            commands += 1
            said = following[3] if following[1:3] == ("text", "output") else ["..."]
            errors += run(f"{document.name}:{number + 1}", "\n".join(body), said, scratch)
        if (language, words) != ("console", "test"):
            continue
        starts = [n for n, line in enumerate(body) if line.startswith("$ ")]
        if not starts or starts[0] != 0:
            errors.append(f"{document.name}:{number}: block starts without `$ `")
            continue
        for start, end in zip(starts, starts[1:] + [len(body)]):
            commands += 1
            errors += run(f"{document.name}:{number + 1 + start}",
                          body[start][2:], body[start + 1:end], scratch)
    if commands == 0:
        errors.append(f"{document.name}: no block is run")
    return errors, commands


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--links", action="store_true")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--copy", action="append", default=[], type=pathlib.Path)
    parser.add_argument("documents", type=pathlib.Path, nargs="+",
                        help="one document and the scratch directory; with --links, documents")
    arguments = parser.parse_args()
    if arguments.links:
        errors = [error for document in arguments.documents
                  for error in check_links(document, document.read_text())]
        print("\n".join(errors) if errors else f"{len(arguments.documents)} documents checked")
        return 1 if errors else 0
    if len(arguments.documents) != 2:
        parser.error("expected a document and a scratch directory")
    document, scratch = arguments.documents
    text = document.read_text()
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    for path in arguments.copy:
        copy = shutil.copytree if path.is_dir() else shutil.copy
        copy(path, scratch / path.name)
    errors, commands = check_blocks(document, text, scratch, arguments.full)
    errors = check_links(document, text) + errors
    print("\n".join(errors) if errors else
          f"{document.name}: {commands} commands as documented")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
