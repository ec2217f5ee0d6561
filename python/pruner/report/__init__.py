#===- __init__.py - reports of tuning databases ---------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Renders a tuning database as an HTML page with SVG plots.

    pruner-report tuning.db -o report.html
    pruner-report tuning.db -o report.html --watch
    pruner-report tuning.db -o report.html --csv trials.csv
    pruner-report tuning.db -o report.html --machine machine.json --profile profile.json \\
        --peers peers.json --svg plots

For each machine and set of options the page shows progress, time by task, the roofline,
predicted and measured times, failures by reason, and a table of tasks. Marks have tips
with the trial. Baselines are the untuned tasks and, with --peers, runs of the network by
other libraries: {"onnxruntime": 0.0815} in seconds, or a result of
benchmarks/Networks/networks.py with one network.

`pruner-machine cpu --measure -o machine.json` writes the data of the roofline; without
--machine it runs for a few seconds if the newest records are of this host. `python -m
pruner.profile ... --json profile.json` writes the times of tasks in the network.

With --watch the page is rendered again whenever the database has new trials, until
Ctrl-C, and browsers reload it. Rendering takes seconds of a core, which measurements on
all cores notice.

Requires matplotlib, and the program `pruner` of this installation or on the PATH.
"""

import argparse
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from ..arguments import ArgumentParser
from ..programs import find
from ..writing import write_whole
from .records import (COLUMNS, ReportError, environments, exported, is_number, located,
                      read_peers, read_profile, rows)


def _arguments(arguments):
    parser = ArgumentParser(
        prog="pruner-report", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("database")
    add("-o", "--output", required=True, metavar="FILE", help="the page")
    add("--csv", metavar="FILE", help="also write all trials as comma-separated values")
    add("--svg", metavar="DIRECTORY", help="also write the plots to this directory")
    add("--watch", type=int, nargs="?", const=10, metavar="SECONDS",
        help="render again during the run, at most once in N seconds (default %(const)s)")
    add("--machine", metavar="FILE", help="a machine file, for the roofline")
    add("--profile", metavar="FILE", help="a profile of the tuned network")
    add("--peers", metavar="FILE", help="times of other libraries")
    add("--tool", default="pruner", metavar="PROGRAM",
        help="the program 'pruner' (default: of this installation, or on the PATH)")
    options = parser.parse_args(arguments)
    if options.watch is not None and options.watch < 1:
        parser.error("--watch: expected at least one second")
    for path in (options.output, options.csv):
        if path and os.path.exists(path) and os.path.exists(options.database) and \
                os.path.samefile(path, options.database):
            parser.error(f"the output '{path}' is the database")
    return options


def read_machine(path):
    """A machine file. Raises ReportError, OSError and ValueError."""
    with open(path, encoding="utf-8") as file:
        try:
            machine = json.load(file)
        except RecursionError:
            raise ReportError(f"{path} is nested too deep") from None
    if not isinstance(machine, dict) or "kind" not in machine or not all(
            is_number(machine.get(field)) and machine[field] > 0
            for field in ("peakFlops", "memoryBandwidth")):
        raise ReportError(f"{path} does not describe a machine; pruner-machine writes such files")
    return machine


def this_machine(host):
    """Return the measured description of this CPU if it is `host`, else None."""
    program = find("pruner-machine")
    if not program or not host.startswith("cpu:"):
        return None
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "machine.json")
        try:
            subprocess.run([program, "cpu", "--measure", "-o", path], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            machine = read_machine(path)
        except (OSError, subprocess.CalledProcessError, ReportError, ValueError):
            return None
    return machine if machine.get("name") == host else None


def _csv(found):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows(found))
    return text.getvalue()


def report(options, lines, warnings, refresh=None):
    """Write the page, the plots and the table of exported lines."""
    from . import page  # Imported here because it requires matplotlib.

    found = environments(lines)
    if not found:
        raise ReportError(f"{options.database} has no records")
    machine = read_machine(options.machine) if options.machine else None
    peers = read_peers(options.peers) if options.peers else None
    profile = read_profile(options.profile, found[0]) if options.profile else None
    if not machine and not options.watch:
        machine = this_machine(found[0].host)
    parts = []
    for number, environment in enumerate(found):
        first = number == 0
        # A profile and peers belong to the network that was tuned last.
        network, others = (profile, peers) if first else (None, None)
        fits = machine if options.machine or environment.host == found[0].host else None
        drawn = page.figures(environment, fits, network, others)
        parts.append((environment, drawn, network, others, fits))
        if options.svg:
            os.makedirs(options.svg, exist_ok=True)
            for name, text in drawn.items():
                stem = name if first else f"{name}-{number + 1}"
                write_whole(os.path.join(options.svg, f"{stem}.svg"), text)
    if options.csv:
        write_whole(options.csv, _csv(found))
    name = pathlib.Path(options.database).name
    write_whole(options.output, page.render(name, parts, warnings, refresh))


def watch(options):
    """Render the page after each change of the database, until Ctrl-C. The run may begin
    later: then there is no database yet, or it is not complete."""
    last = None
    located(options.tool)
    try:
        while True:
            try:
                known = exported(options.database, options.tool)
            except ReportError as error:
                if last or os.path.exists(options.database):
                    print(f"{options.database}: {error}", file=sys.stderr)
                known = last
            if known != last and environments(known[0]):
                report(options, *known, refresh=options.watch)
                last = known
                print(f"{options.output}: {len(known[0])} lines", file=sys.stderr)
            time.sleep(options.watch)
    except KeyboardInterrupt:
        if last:
            report(options, *last)


def main(arguments=None):
    options = _arguments(arguments)
    try:
        if options.watch:
            watch(options)
        else:
            report(options, *exported(options.database, options.tool))
    except (ReportError, OSError, ValueError) as error:
        sys.exit(f"error: {error}")
    except ImportError as error:
        sys.exit(f"error: {error}: pip install matplotlib")
