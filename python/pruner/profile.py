#===- profile.py - profiles of networks -----------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a network and prints where its time goes.

    python -m pruner.profile net.so --weights model.safetensors --runs 20
    python -m pruner.profile net.so --machine machine.json   # the share of the roofline

Inputs without a file are random: reals around 1, or with a variance that keeps the
magnitude of values from layer to layer, and integers 0 or 1 (see --range).
`pruner-machine cpu --measure -o machine.json` measures a machine.
docs/guides/Deploying.md describes the table.
"""

import argparse
import json
import sys
from typing import NamedTuple, Optional

from . import network as networks
from .arguments import ArgumentParser
from .random_inputs import parse_ranges, random_inputs
from .safetensors import read
from .writing import write_whole

BETWEEN = "(between calls)"


class Row(NamedTuple):
    """A kernel in a network, or one call of it. None: unknown."""

    name: str
    key: Optional[str]  # The key of the task.
    calls: float  # Per run.
    seconds: float  # The median over the calls.
    total: float  # Seconds of all calls in all runs.
    share: float  # Share of the total time of the runs.
    gflops: Optional[float]  # 10^9 operations per second, of a call.
    isolated: Optional[float]  # Seconds of a call, measured in isolation.
    roof: Optional[float]  # The least seconds of a call, from the machine's roofline.

    @property
    def ratio(self):
        """The time in the network divided by the time in isolation."""
        return self.seconds / self.isolated if self.isolated and self.seconds else None

    @property
    def of_roof(self):
        """The achieved share of the roofline; 1 is the bound."""
        return self.roof / self.seconds if self.roof and self.seconds else None


def _is_positive(value):
    return type(value) in (int, float) and 0 < value < float("inf")


class Roof:
    """The least time of some work on `cores` cores, from a machine file. Raises
    NetworkError, OSError and ValueError."""

    def __init__(self, path, threads):
        with open(path, encoding="utf-8") as file:
            try:
                machine = json.load(file)
            except RecursionError:
                raise ValueError(f"{path} is nested too deep") from None
        if not isinstance(machine, dict) or machine.get("kind") != "cpu":
            raise networks.NetworkError(f"{path} does not describe a CPU; create it with "
                                        "pruner-machine cpu --measure -o <file>")
        for field in ("units", "peakFlops", "memoryBandwidth"):
            if not _is_positive(machine.get(field)):
                raise networks.NetworkError(f"{path} has no positive '{field}'")
        cores = max(1, min(threads, machine["units"]))
        self.flops = machine["peakFlops"] * cores
        self.bytes = machine["memoryBandwidth"] * cores

    def seconds(self, kernel):
        if "flops" not in kernel and "bytes" not in kernel:
            return None
        return max(kernel.get("flops", 0) / self.flops,
                   kernel.get("bytes", 0) / self.bytes)


class Profile(list):
    """Rows in order of decreasing total time; `print` shows a table. `runs` is the
    number of profiled runs, `seconds` the median time of one."""

    def __init__(self, kernels, calls, times, roof, each):
        *sites, between, whole = times
        self.runs, self.seconds, self.total = whole.calls, whole.median, whole.total
        groups = {}
        for number, (call, time) in enumerate(zip(calls, sites)):
            groups.setdefault(number if each else call, []).append((call, time))
        if self.runs:
            for group in groups.values():
                self._add(kernels[group[0][0]], [time for _, time in group], roof)
            self._add({"name": BETWEEN}, [between], None)
            self.sort(key=lambda row: -row.total)

    def _add(self, kernel, times, roof):
        calls = sum(time.calls for time in times)
        if not calls:
            return
        seconds = sum(time.calls * time.median for time in times) / calls
        total = sum(time.total for time in times)
        flops = kernel.get("flops")
        self.append(Row(
            kernel["name"], kernel.get("key"), calls / self.runs, seconds, total,
            total / self.total, flops / seconds * 1e-9 if flops and seconds else None,
            kernel.get("seconds"), roof.seconds(kernel) if roof else None))

    @property
    def isolated(self):
        """Return the seconds per run of the kernels that were also measured in
        isolation: (in isolation, in the network)."""
        rows = [row for row in self if row.isolated]
        return (sum(row.calls * row.isolated for row in rows),
                sum(row.calls * row.seconds for row in rows))

    def as_dict(self):
        """Return a dictionary for JSON; times are in seconds."""
        alone, within = self.isolated
        rows = [{**row._asdict(), "ratio": row.ratio, "of_roof": row.of_roof}
                for row in self]
        return {"runs": self.runs, "seconds": self.seconds, "total": self.total,
                "isolated": alone, "isolated_in_network": within, "rows": rows}

    def __str__(self):
        if not self.runs:
            return "no run was profiled"
        roofs = any(row.roof for row in self)
        table = [["kernel", "calls", "per call", "per run", "share", "GFLOP/s",
                  "alone", "ratio"] + roofs * ["% of roof"]]
        for row in self:
            table.append([
                row.name, f"{row.calls:g}", _time(row.seconds),
                _time(row.total / self.runs), f"{row.share * 100:.1f}%",
                _number(row.gflops), _time(row.isolated), _number(row.ratio, 2)]
                + roofs * [_number(row.of_roof and row.of_roof * 100)])
        widths = [max(map(len, column)) for column in zip(*table)]
        lines = ["  ".join([row[0].ljust(widths[0])]
                           + [cell.rjust(width)
                              for cell, width in zip(row[1:], widths[1:])])
                 for row in table]
        lines.insert(1, "  ".join("-" * width for width in widths))
        lines.append(f"the network takes {_time(self.seconds)}, the median of "
                     f"{self.runs} runs")
        alone, within = self.isolated
        if alone:
            lines.append(f"its tasks measured alone sum to {_time(alone)}, and "
                         f"take {_time(within)} in it: {within / alone:.2f} "
                         "times as long")
        return "\n".join(lines)


def _number(value, digits=1):
    return "-" if value is None else f"{value:.{digits}f}"


def _time(seconds):
    """Return a time with three digits and a unit."""
    if seconds is None:
        return "-"
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            break
    else:
        unit, scale = "ns", 1e-9
    value = seconds / scale
    return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f} {unit}"


def main(arguments=None):
    parser = ArgumentParser(
        prog="python -m pruner.profile", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--prepare", metavar="LIBRARY",
                        help="the library that computes inputs from weights")
    parser.add_argument("--weights", metavar="FILE",
                        help="a safetensors file with inputs by name")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--range", action="append", default=[], dest="ranges",
                        metavar="INPUT=LOW:HIGH",
                        help="draw an input (name, or position among those that no "
                        "file gives) from LOW to HIGH, HIGH exclusive")
    parser.add_argument("--runs", type=int, default=20, metavar="N",
                        help="number of runs after a warm-up run (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--machine", metavar="FILE",
                        help="a machine file, for the share of the roofline")
    parser.add_argument("--each", action="store_true",
                        help="a row for every call of a kernel")
    parser.add_argument("--json", metavar="FILE", help="also write the profile to this file")
    options = parser.parse_args(arguments)
    if options.runs < 1:
        parser.error(f"--runs {options.runs}: expected at least 1")
    try:
        net = networks.load(options.library, options.prepare, profile=True)
        net.threads = options.threads
        if options.weights:
            net = net.bind_file(options.weights)
        net = net.bind(**random_inputs(net.free_inputs, options.seed,
                                       parse_ranges(options.ranges)))
        net()
        net.reset_profile()
        for _ in range(options.runs):
            net()
        profile = net.profile(options.machine, options.each)
    except (networks.NetworkError, OSError, ValueError) as error:
        sys.exit(f"error: {error}")
    print(profile)
    if options.json:
        try:
            write_whole(options.json, json.dumps(profile.as_dict(), indent=1))
        except OSError as error:
            sys.exit(f"error: {options.json}: {error.strerror}")


if __name__ == "__main__":
    main()
