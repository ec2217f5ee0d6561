#!/usr/bin/env python3
#===- medians.py - results without raw readings ---------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reduces the JSON of a benchmark to the results that this directory keeps.

    medians.py result.json[.gz] > operators-zen3.json
    medians.py after.json[.gz] --before before.json[.gz] > compile-time-zen3.json
    medians.py bench.json --steps tests.json tune.json dataset.json > gpu-h200.json

Keeps medians and minima, counts of batches, schedules, and the origin: machine,
versions, commit, command, time. Removes single batches and candidates, instruction
counts of the code, the statements of the analytical model, and from a tuner's curve the
trials that found nothing faster, except the last one. Numbers keep six digits.

--steps adds the counts of other commands of the GPU kit, by name. They must be of the
same kit and device. Single failures, lines of progress and the environment are not
repeated.

--before compares two runs of pruner-bench-compile, candidate by candidate. It reports
by target: medians and means of the total CPU time of both, and the medians over pairs
of after / before, for the total and for each stage; the sums of each static fact of the
code, and how many candidates have less and more of it after. Of both runs it keeps the
origin and the summary by groups of operations.
"""

import argparse
import json
import pathlib
import statistics
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1] / "python"))

from pruner_tools.results import read, without_folders

RAW = {"batches", "batches_s", "samples", "candidates", "drafts", "object", "model",
       "compile_ms"}


def changes(curve):
    """Return the points (trials, seconds, best) at which the best changes, and the last
    one."""
    return [point for n, point in enumerate(curve)
            if n in (0, len(curve) - 1) or point[2] != curve[n - 1][2]]


def raw(key, value):
    """Return whether a member is raw. The `candidates` of the GPU kit are counts, and the
    `model` of its constants is a number."""
    counted = (key == "candidates" and isinstance(value, dict)) or (
        key == "model" and isinstance(value, (int, float)))
    return key in RAW and not counted


def kept(value):
    """Return `value` without raw readings, floats with six digits."""
    if isinstance(value, dict):
        return {key: kept(changes(each) if key == "curve" else each)
                for key, each in value.items() if not raw(key, each)}
    if isinstance(value, list):
        return [kept(each) for each in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def counts(path, benchmark):
    """Return the result of a command of the GPU kit without single failures, lines of
    progress and the environment, which must be that of the benchmark."""
    result = read(path)
    there, here = result.pop("environment"), benchmark["environment"]
    for part in ("kit", "device", "driver"):
        if there[part] != here[part]:
            sys.exit(f"{path}: expected the {part} of the benchmark")
    if "settings" in result:
        result["settings"] = without_folders(result["settings"])
    return {key: value for key, value in result.items() if key not in ("failures", "report")}


def pairs(before, after):
    """Return the pairs of candidates by target."""
    former = {(task["operator"], task["target"], candidate["schedule"]): candidate
              for task in before["tasks"] for candidate in task["candidates"]}
    by_target = {}
    for task in after["tasks"]:
        for candidate in task["candidates"]:
            key = task["operator"], task["target"], candidate["schedule"]
            by_target.setdefault(task["target"], []).append((former[key], candidate))
    result = {}
    for target, both in by_target.items():
        totals = [[each["total"]["cpu_ms"] for each in side] for side in zip(*both)]
        ratios = {"total": [b / a for a, b in zip(*totals)]}
        for stage in both[0][1]["stages"]:
            ratios[stage] = [b["stages"][stage]["cpu_ms"] / a["stages"][stage]["cpu_ms"]
                             for a, b in both if a["stages"].get(stage, {}).get("cpu_ms")]
        result[target] = {
            "pairs": len(both),
            "median_cpu_ms": [statistics.median(side) for side in totals],
            "mean_cpu_ms": [statistics.mean(side) for side in totals],
            "median_ratio": {stage: statistics.median(each)
                             for stage, each in ratios.items() if each},
        }
        if code := facts(both):
            result[target]["code"] = code
    return result


def facts(both):
    """Return sums before and after, and counts of candidates with less and with more.
    """
    def of(candidate):
        code = candidate["code"]
        return {"size_bytes": code["size_bytes"], **code["code"],
                **{"hot_loop_" + key: value for key, value in code.get("hot_loop", {}).items()
                   if key not in ("begin", "end")}}

    with_code = [(of(a), of(b)) for a, b in both if "code" in a and "code" in b]
    names = dict.fromkeys(name for pair in with_code for side in pair for name in side)
    result = {}
    for name in names:
        values = [(a.get(name, 0), b.get(name, 0)) for a, b in with_code]
        result[name] = {"sums": [sum(side) for side in zip(*values)],
                        "less": sum(b < a for a, b in values),
                        "more": sum(b > a for a, b in values)}
    return result


def text(value, depth=0):
    """Return JSON with one line for each item that is compared, so that a diff shows
    it."""
    flat = json.dumps(value)
    if not isinstance(value, (dict, list)) or not value or len(flat) <= 400:
        return flat
    inner = " " * (depth + 1)
    if isinstance(value, list):
        lines = [text(each, depth + 1) for each in value]
        opening, closing = "[]"
    else:
        lines = [f"{json.dumps(key)}: {text(each, depth + 1)}" for key, each in value.items()]
        opening, closing = "{}"
    body = ",\n".join(inner + line for line in lines)
    return f"{opening}\n{body}\n{' ' * depth}{closing}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result")
    parser.add_argument("--before", help="an earlier run of pruner-bench-compile")
    parser.add_argument("--steps", nargs="+", default=[], metavar="FILE",
                        help="results of other commands of the GPU kit")
    arguments = parser.parse_args()
    result = read(arguments.result)
    if arguments.steps:
        result["steps"] = {pathlib.Path(path).stem: counts(path, result)
                           for path in arguments.steps}
    if arguments.before:
        before = read(arguments.before)
        by_target = pairs(before, result)
        for run in (before, result):
            del run["tasks"]
        result = kept({"before": before, "after": result, "by_target": by_target})
    else:
        result = kept(result)
    print(text(result))


if __name__ == "__main__":
    sys.exit(main())
