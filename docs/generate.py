#!/usr/bin/env python3
"""Writes the generated parts of the pages.

    docs/generate.py [--check] [<page.md>...]

A generated part of a page names the command that prints it:

    <!-- begin generated: python3 benchmarks/Operators/page.py results.json -->
    (what the command prints)
    <!-- end generated -->

The commands run in the root of the source tree with a shell. They must print the
same text for the same tree. Without arguments all pages are written. With
--check nothing is written: each part that differs is reported, and the exit code
is 1 if there is one.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PART = re.compile(r"^<!-- begin generated: (.*?) -->\n(.*?)^<!-- end generated -->$", re.M | re.S)


def all_pages():
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")),
            *sorted((ROOT / "data").rglob("*.md"))]


def generated(command):
    done = subprocess.run(command, shell=True, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}: {command}")
    return done.stdout.strip("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    parts, outdated = 0, 0
    for page in [path.resolve() for path in options.pages] or all_pages():
        if not page.exists():
            continue
        text = page.read_text()

        def part(match):
            nonlocal parts, outdated
            parts += 1
            command = match.group(1)
            new = (f"<!-- begin generated: {command} -->\n{generated(command)}\n"
                   "<!-- end generated -->")
            if new != match.group(0):
                outdated += 1
                line = text.count("\n", 0, match.start()) + 1
                print(f"{page.relative_to(ROOT)}:{line}: outdated: {command}")
            return new

        written = PART.sub(part, text)
        if text.count("<!-- begin generated:") != len(PART.findall(text)):
            sys.exit(f"{page.relative_to(ROOT)}: expected '<!-- end generated -->' after each "
                     "'<!-- begin generated: ... -->'")
        if written != text and not options.check:
            page.write_text(written)
    print(f"{parts} generated parts, {outdated} outdated")
    return 1 if options.check and outdated else 0


if __name__ == "__main__":
    sys.exit(main())
