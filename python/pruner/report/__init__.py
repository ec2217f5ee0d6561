#===- __init__.py - reports of tuning databases ---------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Renders a tuning database as an HTML page with SVG plots.

    pruner-report tuning.db -o report.html
    pruner-report tuning.db -o report.html --machine machine.json --profile profile.json --svg plots

For each machine and set of options the page shows progress, time by task, the roofline,
predicted and measured times, failures by reason, and a table of tasks. `pruner-machine
cpu --measure -o machine.json` writes the data of the roofline, `python -m
pruner.profile ... --json profile.json` the times of tasks in the network. Requires
matplotlib, and `pruner` in PATH.
"""

import argparse
import json
import os
import pathlib
import sys
import tempfile

from .records import ReportError, environments, exported, is_number, read_profile


def _arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="pruner-report", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("database")
    add("-o", "--output", required=True, metavar="FILE", help="the page")
    add("--svg", metavar="DIRECTORY", help="also write the plots to this directory")
    add("--machine", metavar="FILE", help="a machine file, for the roofline")
    add("--profile", metavar="FILE", help="a profile of the tuned network")
    add("--tool", default="pruner", metavar="PROGRAM", help="(default %(default)s)")
    return parser.parse_args(arguments)


def _write_whole(path, text):
    """Write the whole file or nothing."""
    directory = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=directory,
                                     delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


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
        raise ReportError(f"{path} describes no machine: pruner-machine writes such files")
    return machine


def report(options):
    from . import page  # Imported here because it requires matplotlib.

    lines, warnings = exported(options.database, options.tool)
    found = environments(lines)
    if not found:
        raise ReportError(f"{options.database} has no records")
    machine = read_machine(options.machine) if options.machine else None
    parts = []
    for number, environment in enumerate(found):
        # A profile belongs to the network that was tuned last.
        network = (read_profile(options.profile, environment)
                   if options.profile and number == 0 else None)
        drawn = page.figures(environment, machine, network)
        parts.append((environment, drawn, network))
        if options.svg:
            os.makedirs(options.svg, exist_ok=True)
            for name, text in drawn.items():
                stem = name if number == 0 else f"{name}-{number + 1}"
                _write_whole(os.path.join(options.svg, f"{stem}.svg"), text)
    name = pathlib.Path(options.database).name
    _write_whole(options.output, page.render(name, parts, warnings))


def main(arguments=None):
    options = _arguments(arguments)
    try:
        report(options)
    except (ReportError, OSError, ValueError) as error:
        sys.exit(f"error: {error}")
    except ImportError as error:
        sys.exit(f"error: {error}: pip install matplotlib")
