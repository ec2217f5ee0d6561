#!/usr/bin/env python3
"""Checks the prose of the pages: phrases, line lengths and first headings.

    check_prose.py              checks README.md, data/README.md and the pages of
                                docs/ and benchmarks/
    check_prose.py <page.md>... checks these pages
    check_prose.py --sources [<file>...]
                                checks comments and string literals of C++, TableGen
                                and Python, by default of all components
    check_prose.py --count ...  prints the number of messages per page instead

Each message is `<page>:<line>: <message>`, and the exit code is 1 if there is one:

* A phrase of PHRASES or a spelling of SPELLINGS, with the replacement. Code
  blocks, inline code, link targets and comments are not checked. A phrase may
  continue on the next line.
* A line of more than 120 columns. Tables, code blocks, headings, lines with a URL,
  and generated parts are exempt.
* A page that does not start with a heading `# ...`.

In sources only phrases and spellings are checked, without those of IN_SOURCES. The
descriptions of TableGen are checked in the pages that are generated from them.
"""
import argparse
import ast
import inspect
import io
import pathlib
import re
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parents[2]
COLUMNS = 120

# Regular expressions, matched as whole words without regard to case, and what to
# write instead. Paragraphs are matched on one line, with single spaces.
PHRASES = [
    # Idioms that are not English.
    ("(?:is|are|was|were) none", "there is no ..."),
    ("(?:is|are|was|were) said", "describes, states"),
    ("(?:is|are|was|were) told", "receives"),
    ("by lot", "at random"),
    ("in turns", "interleaved"),
    ("(?<!by )the way of", "the life of, like"),
    ("(?:go|goes|went|going) on", "continues"),
    ("by heart", "memorizes"),
    ("so it was(?: before)?", "state what holds"),
    ("left as (?:it was|they were)", "left unchanged"),
    ("at (?:its|their) place", "at the operation, at this position"),
    ("comes? in through", "enters through"),
    ("what becomes of", "the result of"),
    ("(?:is|are) there, too", "is also available"),
    ("(?:is|are|was) to be had", "is available"),
    ("anew", "again, from scratch"),
    ("besides", "also, in addition to"),
    ("beside", "next to, compared with"),
    ("by themselves", "automatically, alone"),
    ("a word for", "a name for"),
    ("for whatever", "for any"),
    ("(?:is|are) held to", "is checked against"),
    ("(?<!instead )of others", "untrusted, from other sources"),
    ("(?:stands?|stood) (?:in|on|at|beside|behind|below|above|between|under)", "is in"),
    ("as said(?: under| above)?", "as described in"),
    ("mend(?:s|ed|ing)?", "fix"),
    ("formerly", "state what holds"),
    ("(?<!there )(?:is|are|was|were) no (?!better|faster|slower|longer|more|less|larger|smaller"
     "|worse|different)[a-z]+", "is not a ..."),
    ("in front of", "before"),
    ("behind (?:a|an|each|every|its|it|them|these|this|that|the (?!figures|other|products of a step))",
     "after, beyond"),
    ("(?:nothing|much|little) else to do", "idle, no other work"),
    ("at hand", "available"),
    ("next to nothing", "almost no ..."),
    ("three halves|five fourths|four fifths", "1.5, 1.25, 0.8 times"),
    ("comes? on top", "is added, is not included"),
    ("half as (?:fast|large|long|many|much) again", "1.5 times as ..."),
    ("left alone", "left unchanged"),
    ("(?:after|at most|of|than|up to) so many", "this number of"),
    ("whoever", "anyone who, any user who"),
    # Programs and data are not people.
    ("(?:teach|teaches|taught|teaching)", "train"),
    ("believe[sd]?", "accept, assume"),
    ("refus(?:e|es|ed|ing|al|als)", "reject"),
    ("lessons?", "record, trial"),
    ("(?:compilers?|kernels?|libraries|library|lowering|machines?|models?|networks?|pass|passes"
     "|programs?|records?|rounds?|schedules?|trees|tuners?|walks?|weights|workers?)"
     "(?: that| which)? (?:knows?|saw|sees?|wants?)", "has, reads, is trained on, requires"),
    ("(?:evaluated|judged|trained|trains?) by(?! another version| gradient| hand)", "on"),
    ("says? (?:little|nothing)", "does not show, has no information on"),
    ("tells", "shows, states, identifies"),
    # One term for one thing.
    ("(?:a|an|the|this|that|its|each|every|another|other|own|which|of) room(?! (?:for|to)\\b)",
     "component"),
    ("rooms", "components"),
    ("wings?", "component, group"),
    ("draft model", "analytical model"),
    ("verifier model", "learned model"),
    ("boosted trees", "gradient-boosted trees"),
    ("roofs?", "roofline, peak"),
    ("sums? of lanes", "horizontal reduction"),
    ("lanes of i1", "bit mask"),
    ("states? of the caches", "cache state"),
    ("what the caches (?:hold|held)", "cache state"),
    ("first touch(?:es)?", "cold access"),
    ("awaited", "on the critical path"),
    ("cop(?:y|ies) that jumps?", "strided copy"),
    ("body of rows", "register tile"),
    ("structures? of (?:a task|tasks)", "task shape"),
    ("finals?(?= (?:in|of|between|is|are|was)\\b)|finals", "head-to-head comparison"),
    ("contests?", "head-to-head comparison"),
    ("entrants?", "finalists"),
    ("contenders?", "peer"),
    ("foresee[sn]?|foresaw", "predict"),
]

# Names of options, columns and events, which sources may use.
IN_SOURCES = {"contest", "contests", "contender", "contenders", "finals", "roof"}

# British stems with their American form; only the first letters of words count.
SPELLINGS = {
    "normalis": "normaliz", "vectoris": "vectoriz", "optimis": "optimiz",
    "recognis": "recogniz", "quantis": "quantiz", "requantis": "requantiz",
    "dequantis": "dequantiz", "initialis": "initializ", "canonicalis": "canonicaliz",
    "bufferis": "bufferiz", "parallelis": "paralleliz", "summaris": "summariz",
    "minimis": "minimiz", "maximis": "maximiz", "generalis": "generaliz",
    "specialis(?!t)": "specializ", "serialis": "serializ", "linearis": "lineariz",
    "tokenis": "tokeniz", "organis": "organiz", "utilis": "utiliz",
    "memoris": "memoriz", "materialis": "materializ", "customis": "customiz",
    "realis(?=e|ing|ation)": "realiz", "penalis": "penaliz", "synchronis": "synchroniz",
    "analyse(?!s)": "analyze", "analysing": "analyzing", "behaviour": "behavior",
    "colour": "color", "neighbour": "neighbor", "favour": "favor", "flavour": "flavor",
    "honour": "honor", "labour": "labor", "centre": "center", "metre": "meter",
    "grey": "gray", "licence": "license", "defence": "defense", "catalogue": "catalog",
    "programme(?!r|d)": "program", "artefact": "artifact", "judgement": "judgment",
    "fulfil(?!l)": "fulfill", "labell": "label", "modell": "model", "cancell(?!a)": "cancel",
    "travell": "travel", "learnt": "learned", "whilst": "while", "unrecognis": "unrecogniz",
    "unoptimis": "unoptimiz", "unvectoris": "unvectoriz", "unnormalis": "unnormaliz",
}

FENCE = re.compile(r"^\s*(```+|~~~+)")
PARAGRAPH = re.compile(r"\s*(?:[*+-] |\d+[.)] |\||#)")
LIST_ITEM = re.compile(r"^(\s*)([*+-]|\d+[.)])\s+")
# What is not prose, within the text of a page: inline code, targets of links,
# comments, and addresses.
NOT_PROSE = re.compile(
    r"(?P<code>`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)(?P=code)(?!`)|(?<=\])\([^)\s]*\)"
    r"|<!--.*?-->|https?://\S+", re.S)


RULES = [(re.compile(rf"(?<![\w-])(?:{phrase})(?![\w-])", re.I), replacement)
         for phrase, replacement in PHRASES]
BRITISH = [(re.compile(rf"\b{stem}\w*", re.I), re.compile(stem, re.I), american)
           for stem, american in SPELLINGS.items()]


def code_lines(lines):
    """Whether each line belongs to a code block: fenced, or indented by four
    columns more than the text of the list around it, after an empty line."""
    fence, indent, code, previous = None, 0, False, ""
    for line in lines:
        mark = FENCE.match(line)
        if fence:
            yield True
            if mark and line.strip() == mark.group(1) and mark.group(1).startswith(fence):
                fence = None
            previous = ""
            continue
        if mark:
            fence = mark.group(1)
            yield True
            continue
        width = len(line) - len(line.lstrip())
        item = LIST_ITEM.match(line)
        if line.strip():
            code = width >= indent + 4 and (code or not previous.strip())
            if item and not code:
                indent = item.end()
            elif not code and width == 0:
                indent = 0
        yield bool(line.strip()) and code
        previous = line


def generated_lines(lines):
    """Whether each line is in a generated part, or on a generated page."""
    page = bool(lines) and lines[0].startswith("<!-- Generated by")
    inside = False
    for line in lines:
        inside = inside or line.startswith("<!-- begin generated:")
        yield inside or page
        inside = inside and not line.startswith("<!-- end generated")


def blank(match):
    return re.sub(r"[^\n]", "\0", match.group())


def paragraphs(prose):
    """The text of each paragraph, list item, heading and table row on one line, with
    (offset, line number) of each of its lines."""
    text, starts = "", []
    for number, line in enumerate([*prose.splitlines(), ""], 1):
        begins = not line.strip() or PARAGRAPH.match(line)
        if begins and text:
            yield text, starts
            text, starts = "", []
        if line.strip():
            text += " " if text else ""
            starts.append((len(text), number))
            text += line.strip(" \t>")


def check_phrases(text, starts):
    """Yields (line number, message) of a paragraph."""
    def line_of(match):
        return max(number for offset, number in starts if offset <= match.start())

    for phrase, replacement in RULES:
        for match in phrase.finditer(text):
            yield line_of(match), f"found '{match.group()}'; write '{replacement}'"
    for word, stem, american in BRITISH:
        for match in word.finditer(text):
            spelled = stem.sub(american, match.group().lower())
            yield line_of(match), f"found '{match.group()}'; write '{spelled}'"


def check(text):
    """The messages of a page, as (line number, message)."""
    lines = text.splitlines()
    code = list(code_lines(lines))
    messages = []
    first = next((line for line in lines if line.strip() and not line.startswith("<!--")), "")
    if not re.match(r"# \S", first):
        messages.append((1, "expected a first heading '# ...'"))
    for number, (line, is_code, is_generated) in enumerate(
            zip(lines, code, generated_lines(lines)), 1):
        exempt = is_code or is_generated or line.lstrip().startswith(("|", "#")) or "://" in line
        if len(line) > COLUMNS and not exempt:
            messages.append((number, f"{len(line)} columns; expected at most {COLUMNS}"))
    prose = "\n".join("" if is_code else line for line, is_code in zip(lines, code))
    for text, starts in paragraphs(NOT_PROSE.sub(blank, prose)):
        messages += check_phrases(text, starts)
    return sorted(messages)


def joined(lines):
    """The consecutive lines of (number, text) as (first number, text on one line)."""
    start, previous, text = 0, -1, ""
    for number, line in lines:
        if number != previous + 1:
            if text:
                yield start, text
            start, text = number, ""
        previous, text = number, text + " " + line
    if text:
        yield start, text


def cpp_texts(source):
    """Yields (line number, text) of the literals and comments of C++ or TableGen."""
    comments, literal = [], r'"(?:[^"\\\n]|\\.)*"'
    for match in re.finditer(rf"'(?:[^'\\\n]|\\.)'|//[^\n]*|(?:{literal}\s*)+", source):
        number = source.count("\n", 0, match.start()) + 1
        if match.group().startswith("//"):
            comments.append((number, match.group().lstrip("/<! ")))
        elif match.group().startswith('"'):
            yield number, " ".join("".join(
                part[1:-1] for part in re.findall(literal, match.group())).split("\\n"))
    yield from joined(comments)


def python_texts(source):
    """Yields (line number, text) of the literals and comments of Python."""
    inside = set()  # Parts of f-strings.
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            parts = [part for part in node.values if isinstance(part, ast.Constant)]
            inside.update(map(id, parts))
            yield node.lineno, "\0".join(part.value for part in parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in inside:
                lines = inspect.cleandoc(node.value).splitlines()
                yield node.lineno, "\n".join(
                    "" if code else line for line, code in zip(lines, code_lines(lines)))
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    yield from joined([(token.start[0], token.string.lstrip("# ")) for token in tokens
                       if token.type == tokenize.COMMENT])


def check_source(path):
    """The messages of a source, as (line number of the text, message)."""
    source = path.read_text()
    messages = set()
    for number, text in python_texts(source) if path.suffix == ".py" else cpp_texts(source):
        if len(text.split()) < 3:  # A name.
            continue
        text = re.sub(r"'[^'\n]*'", blank, " ".join(NOT_PROSE.sub(blank, text).split()))
        text = re.sub(r"\b[Tt]here (?:are|is|was|were) none\b|\bNone\b", blank, text)
        for _, message in check_phrases(text, [(0, number)]):
            if re.search("'(.*?)'", message).group(1).lower() not in IN_SOURCES:
                messages.add((number, message))
    return sorted(messages)


def all_sources():
    folders = ["lib", "include", "tools", "python", "benchmarks", "examples", "test"]
    exempt = [pathlib.Path(__file__).resolve(), *(ROOT / "test/Docs/Inputs").iterdir()]
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*")
                  if path.suffix in (".c", ".cpp", ".h", ".py", ".td") and path not in exempt)


def all_pages():
    return [ROOT / "README.md", ROOT / "data/README.md", *sorted((ROOT / "docs").rglob("*.md")),
            *sorted((ROOT / "benchmarks").rglob("README.md"))]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--sources", action="store_true")
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    pages = [path.resolve() for path in options.pages] or (
        all_sources() if options.sources else all_pages())
    total = 0
    for page in pages:
        name = page.relative_to(ROOT) if page.is_relative_to(ROOT) else page
        messages = check_source(page) if options.sources else check(page.read_text())
        total += len(messages)
        if options.count and messages:
            print(f"{len(messages):5} {name}")
        for number, message in () if options.count else messages:
            print(f"{name}:{number}: {message}")
    print(f"{len(pages)} {'sources' if options.sources else 'pages'} checked, {total} messages")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
