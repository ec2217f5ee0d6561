#!/usr/bin/env python3
"""list-skipped.py [build directory]: what the last test runs skipped, and why.

Reads the reports that lit leaves in test/lit-*.xml and the log of CTest, in
which Google Test's programs say what they skip.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from pathlib import Path


def lit_skips(report):
    for case in ElementTree.parse(report).iter("testcase"):
        skipped = case.find("skipped")
        if skipped is not None:
            name = f"{case.get('classname', '')}/{case.get('name', '')}"
            yield skipped.get("message", "no reason given"), name.split(".", 1)[-1]


def gtest_skips(log):
    # "[ RUN      ] A.B", "file:line: Skipped", the reason, "[  SKIPPED ] A.B".
    reason = None
    lines = iter(log.splitlines())
    for line in lines:
        if line.startswith("[ RUN "):
            reason = None
        elif re.search(r":\d+: Skipped$", line):
            reason = next(lines, "").strip()
        elif match := re.match(r"\[  SKIPPED \] (\S+) \(\d+ ms\)", line):
            yield reason or "no reason given", match[1]


def main():
    build = Path(sys.argv[1] if len(sys.argv) > 1 else "build")
    reasons = defaultdict(set)
    for report in sorted(build.glob("test/lit-*.xml")):
        for reason, name in lit_skips(report):
            reasons[reason].add(name)
    log = build / "Testing/Temporary/LastTest.log"
    if log.exists():
        for reason, name in gtest_skips(log.read_text(errors="replace")):
            reasons[reason].add(name)
    if not reasons:
        print("no test was skipped")
    for reason, names in sorted(reasons.items()):
        print(f"skipped, {reason}: {len(names)}")
        for name in sorted(names):
            print(f"  {name}")


if __name__ == "__main__":
    main()
