"""Measures the constants of the analytical model for GPUs on this device.

Microkernels of known work are timed (the probes of `gpukit/probes`). A process of its
own runs them. If a probe fails, hangs or loses the device, its readings so far are
kept, and another process runs the rest. Results are written after each probe."""

import json
import multiprocessing
import os
import signal
import time

from pruner_tools.results import text_table

from . import cuda, kit, probes
from .kit import say

# Attributes of the device that results depend on (CUdevice_attribute).
ATTRIBUTES = {"units": 16, "clock_khz": 13, "memory_clock_khz": 36, "memory_bus_bits": 37,
              "l2_bytes": 38, "major": 75, "minor": 76, "shared_bytes_per_unit": 81,
              "threads_per_unit": 39, "ecc": 32}

PLAUSIBLE = 3  # A machine keeps its value if a measured one differs by more than this factor.


# --- the process with the device ----------------------------------------------


def facts_of(driver):
    """Return the device's attributes, as far as the driver reports them."""
    facts = {}
    for name, number in ATTRIBUTES.items():
        try:
            facts[name] = driver.attribute(number)
        except kit.Failed:
            continue
    return facts


def work(pipe, names, machine, ptxas):
    """Run probes and send what happens: ("device", facts), ("skip", probe, reason),
    ("begin", probe), ("reading", name, reading), ("end", error or None), ("done",),
    ("no gpu", reason)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    from .probes.lab import Lab
    try:
        driver = cuda.Driver()
        facts = facts_of(driver)
        pipe.send(("device", facts))
        machine = machine or {"arch": "sm_%d%d" % (facts["major"], facts["minor"]),
                              "units": facts["units"]}
        lab = Lab(driver, machine, lambda name, reading: pipe.send(("reading", name, reading)),
                  ptxas)
    except (kit.NoGpu, kit.Failed, KeyError) as error:
        pipe.send(("no gpu", str(error)))
        return
    for probe in probes.PROBES:
        if probe.name not in names:
            continue
        if lab.number < probe.oldest:
            pipe.send(("skip", probe.name, "needs sm_%d" % probe.oldest))
            continue
        pipe.send(("begin", probe.name))
        error = None
        try:
            probe.run(lab)
        except Exception as reason:  # One probe must not cost the others.
            error = "%s: %s" % (type(reason).__name__, reason)
        try:
            driver.synchronize()
            lab.free()
        except kit.Failed as reason:
            # The context is lost. The next process begins with the next probe.
            pipe.send(("end", "%s; %s" % (error, reason) if error else str(reason)))
            return
        pipe.send(("end", error))
    pipe.send(("done",))


# --- the process that collects ------------------------------------------------


class Collector:
    """Readings of all probes, and constants that follow from them."""

    def __init__(self, names, result):
        self.left = list(names)
        self.result = result
        self.current = None
        result["probes"] = {}

    def take(self, message):
        """Store a message of `work`. Return whether a probe ended."""
        kind = message[0]
        if kind == "device":
            self.result["device"] = message[1]
        elif kind == "skip":
            self.add(message[1], "not supported")["error"] = message[2]
        elif kind == "begin":
            self.current = message[1]
            self.add(self.current, "running")
            self.begun = time.monotonic()
        elif kind == "reading":
            self.result["probes"][self.current]["readings"][message[1]] = message[2]
        elif kind == "end":
            self.finish(message[1])
            return True
        return False

    def add(self, name, status):
        """Add an entry for a probe and return it."""
        self.left.remove(name)
        probe = next(p for p in probes.PROBES if p.name == name)
        self.result["probes"][name] = {"measures": probe.measures, "status": status,
                                       "readings": {}}
        return self.result["probes"][name]

    def finish(self, error):
        """The current probe ended, with an error or None."""
        entry = self.result["probes"][self.current]
        entry["status"] = "failed" if error else "right"
        entry["seconds"] = round(time.monotonic() - self.begun, 2)
        if error:
            entry["error"] = error[:1000]
            say("%s: %s" % (self.current, entry["error"]))
        self.current = None

    def failed(self):
        return [name for name, entry in self.result["probes"].items()
                if entry["status"] in ("failed", "running")]


def derive(entries, machine):
    """Return the constants that the readings of {probe: entry} determine, in order."""
    found = []
    for probe, constant in probes.all_constants():
        readings = {name: reading["median"] for name, reading in
                    entries.get(probe.name, {}).get("readings", {}).items()}
        derived = constant.derive(readings, machine or {})
        if derived:
            found.append(dict(derived, probe=probe.name))
    return found


def calibrated(machine, constants):
    """Return the machine with measured values where they are plausible, in the form of
    machine files."""
    found = dict(machine, sm=dict(machine.get("sm", {})))
    values = {c["field"]: c["field_value"] for c in constants
              if "field" in c and c["ratio"] and 1 / PLAUSIBLE < c["ratio"] < PLAUSIBLE}
    lanes = values.pop("lanes", None)
    for field, value in values.items():
        if field.startswith("sm."):
            found["sm"][field[len("sm."):]] = value
        else:
            found[field] = value
    # The model derives the lanes from the peak rate and the clock.
    if lanes is None and machine.get("clockMHz"):
        lanes = machine["peakFlops"] / (2e6 * machine["units"] * machine["clockMHz"])
    if lanes:
        found["peakFlops"] = 2e6 * found["units"] * found["clockMHz"] * lanes
    if values:
        found["notes"] = list(machine.get("notes", [])) + [
            "measured by pruner-gpu-kit calibrate: " + ", ".join(sorted(values))]
    return found


def table(constants):
    """Return the constants as text."""
    def cell(value):
        return "" if value is None else "%.4g" % value
    rows = [["constant", "unit", "model", "measured", "ratio"]]
    for c in constants:
        rows.append([c["constant"], c["unit"], cell(c["model"]), cell(c["measured"]),
                     "%.3f" % c["ratio"] if c["ratio"] is not None else ""])
    return "\n".join(text_table(rows, left=2))


class Child:
    """The process that runs probes. It is forked before this one loads the driver."""

    def __init__(self, names, machine, ptxas):
        context = multiprocessing.get_context("fork")
        self.pipe, theirs = context.Pipe(duplex=False)
        self.process = context.Process(target=work, args=(theirs, names, machine, ptxas),
                                       daemon=True)
        self.process.start()
        theirs.close()
        self.ended = False

    def receive(self, seconds):
        """Return the next message, or None if there is none within the time, or if the
        process ended, which sets `ended`."""
        try:
            return self.pipe.recv() if self.pipe.poll(max(0, seconds)) else None
        except (EOFError, OSError):
            self.ended = True
            return None

    def end(self):
        """Kill the process; the driver drops a kernel that hangs. Return its exit code,
        or None if it had to be killed."""
        self.process.join(0.5)
        code = self.process.exitcode
        self.process.kill()
        self.process.join(10)
        self.pipe.close()
        return code


def collect(collector, machine, ptxas, clock, stop, options, save):
    """Run the probes that are left, in as many processes as failures make necessary.
    Return the reason if there is no device."""
    while collector.left and not stop.asked and clock.left() > 0:
        before = len(collector.left)
        child = Child(collector.left, machine, ptxas)
        deadline = time.monotonic() + options.probe_seconds
        reason = None
        while True:
            message = child.receive(min(0.5, clock.left()))
            now = time.monotonic()
            if message:
                if message[0] in ("done", "no gpu"):
                    reason = message[1] if message[0] == "no gpu" else None
                    break
                if message[0] == "begin":
                    say("%s ..." % message[1])
                    deadline = now + options.probe_seconds
                if collector.take(message):
                    save()
                continue
            ended = child.ended
            late = now > deadline
            if ended or late or clock.left() <= 0 or stop.asked:
                code = child.end()
                if collector.current:
                    collector.finish(
                        "interrupted" if stop.asked else
                        "took over %g s" % options.probe_seconds if late else
                        "no time was left" if clock.left() <= 0 else
                        "its process ended with %s" % code)
                    save()
                elif late:
                    reason = "the driver did not start within %g s" % options.probe_seconds
                break
        child.end()
        if reason:
            return reason
        if len(collector.left) == before:
            return "the process with the device ended before its first probe"
    return None


def run(options):
    stop = kit.Stop()
    clock = kit.Clock(options.minutes)
    here = kit.Kit(options.python, learned=False)
    output = kit.Output(options.output)
    # Kernels are used once and must not fill the driver's cache on disk.
    os.environ["CUDA_CACHE_DISABLE"] = "1"
    machine, no_machine = None, None
    try:
        machine = here.find_device()
    except (OSError, kit.NoGpu) as error:
        # The driver may work nevertheless, and reports the values that probes need.
        no_machine = str(error)
        say("no description of the device: %s" % no_machine)
        if options.machine:
            with open(options.machine) as file:
                machine = json.load(file)
    names = [p.name for p in probes.PROBES if options.only.search(p.name)]
    result = {"environment": here.describe(), "complete": False}
    collector = Collector(names, result)

    def save():
        result["seconds"] = round(clock.spent(), 1)
        result["not_reached"] = list(collector.left)
        result["constants"] = derive(result["probes"], machine)
        if machine:
            result["machine"] = calibrated(machine, result["constants"])
        output.write_json("calibrate.json", result)

    save()
    reason = collect(collector, machine, here.ptxas, clock, stop, options, save)
    result["complete"] = not collector.left and not collector.failed()
    if reason:
        result["stopped"] = reason
    save()
    if reason and not result["probes"]:
        raise kit.NoGpu(no_machine or reason)
    if machine and result["constants"] and not options.one_file:
        output.write_json("machine.json", result["machine"])
    say(table(result["constants"]))
    for name in collector.failed():
        say("failed: %s: %s" % (name, result["probes"][name].get("error")))
    if collector.left:
        say("not reached: " + " ".join(collector.left))
    say("%.1f seconds; results: %s" % (clock.spent(), output.path))
    return kit.RIGHT if result["complete"] else kit.WRONG


def add_options(parser):
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--only", type=kit.expression, default=".", metavar="REGEX",
                        help="probes")
    parser.add_argument("--probe-seconds", type=float, default=40,
                        help="time limit of a probe (%(default)s)")
    parser.add_argument("--machine", metavar="FILE",
                        help="description of the device, if pruner-machine finds none")
    parser.add_argument("--one-file", action="store_true",
                        help="write calibrate.json only, not machine.json")
