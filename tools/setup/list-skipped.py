#!/usr/bin/env python3
"""list-skipped.py [build directory]: lists the tests that the last runs skipped.

Reads lit's reports in test/lit-*.xml and the log of CTest, in which Google Test's
programs print the reasons. test/lit.cfg.py describes the features that lit names.
"""

import ast
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from pathlib import Path


def feature_descriptions():
    config = Path(__file__).resolve().parents[2] / "test/lit.cfg.py"
    for node in ast.parse(config.read_text()).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "FEATURES":
            return ast.literal_eval(node.value)
    return {}


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
    features = feature_descriptions()
    for reason, names in sorted(reasons.items()):
        print(f"skipped, {reason}: {len(names)}")
        for feature in re.findall(r"[\w-]+", reason.partition("feature(s):")[2]):
            if feature in features:
                print(f"  ({feature}: {features[feature]})")
        for name in sorted(names):
            print(f"  {name}")


if __name__ == "__main__":
    main()
