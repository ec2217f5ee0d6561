#!/usr/bin/env python3
"""Checks that the messages in docs/Troubleshooting.md are those of the sources.

    check_messages.py [page.md]

A message is a block that is indented by four columns, or inline code of four words and
more. Two words of it that follow each
other must do so in the string literals of a source file, too; one such pair of a line
may be missing, because programs insert values and choose between texts. Values are not
compared: numbers, names in quotes, file names, and `...`. The comment
`<!-- of another program -->` before a block excludes it.

Each difference is `<page>:<line>: <message>`, and the exit code is 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ["lib", "include", "tools", "python", "cmake", "CMakeLists.txt"]
SUFFIXES = {".cpp", ".h", ".c", ".td", ".py", ".sh", ".cmake", ".txt"}
FOREIGN = "<!-- of another program -->"

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# What may be a value, and separates the words of a message.
VALUE = re.compile(r"\.\.\.|--\S+|\([^()]*\)|'[^']*'|\"[^\"]*\"|\{[^}]*\}|\$\{[^}]*\}|%\w+|\S*[\d/@_]\S*"
                   r"|^\S*: (?=\S+:)|(?:error|warning|remark): ?")
WORD = re.compile(r"[a-z][a-z-]+", re.I)


def pairs(text, separators=r"\n"):
    """The pairs of words that follow each other without a value between them."""
    found = set()
    for part in re.split(separators, VALUE.sub("\n", text)):
        words = [word.lower() for word in WORD.findall(part)]
        found.update(zip(words, words[1:]))
    return found


def pairs_of_sources():
    """The pairs of words in the literals of each source, and across the ends of
    consecutive literals."""
    found = set()
    for name in SOURCES:
        path = ROOT / name
        for source in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if source.suffix in SUFFIXES:
                text = source.read_text(errors="replace")
                found |= pairs(" ".join(LITERAL.findall(text)))
                for literal in LITERAL.findall(text):
                    found |= pairs(literal)
    return found


def inline_messages(page):
    """Yields (line number, text) of inline code that consists of words."""
    for match in re.finditer(r"(?<!`)`([^`]+)`(?!`)", page):
        text = " ".join(match.group(1).split())
        if len(re.findall(r"(?<!\S)[a-z]{2,}(?=[ ;,:]|$)", text)) >= 4:
            yield page.count("\n", 0, match.start()) + 1, text


def messages(page):
    """Yields (line number, text) of each line of a message."""
    yield from inline_messages(re.sub(r"```.*?```", lambda m: re.sub(r"[^\n]", " ", m.group()),
                                      page, flags=re.S))
    fence = foreign = False
    for number, line in enumerate(page.splitlines(), 1):
        fence ^= line.lstrip().startswith("```")
        if line.strip() == FOREIGN:
            foreign = True
        elif line.strip() and not line.startswith("    "):
            foreign = False
        elif line.startswith("    ") and not fence and not foreign:
            yield number, line.strip()


def main():
    page = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/Troubleshooting.md"
    known = pairs_of_sources()
    failed = 0
    for number, line in sorted(messages(page.read_text())):
        unknown = sorted(pairs(line, r"[\n;:,()]") - known)
        if len(unknown) > 1:
            failed += 1
            print(f"{page.name}:{number}: no message contains "
                  + ", ".join(f"'{first} {second}'" for first, second in unknown))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
