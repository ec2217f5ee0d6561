"""Random schedules of random tasks on the device, compared with the CPU.

Cases are those of `pruner-fuzz schedules --target=device`, every second chunk of them
with --tensor-cores where the device has those. The number of a case and the seed identify
it. Several processes share the device, because compiling takes longest.
"""

import json
import re
import subprocess
import threading
import time

from pruner_tools.results import text_table

from . import kit, process
from .kit import say

CHUNK = 40  # Cases per process: four tasks with ten schedules each.
# Sketches and kinds of tasks that a long run must have drawn, and the same on tensor cores.
FAMILIES = (
    "simt_tile contraction", "simt_tile convolution", "simt_tile reduction",
    "simt_map elementwise", "simt_row contraction", "simt_row convolution",
    "simt_row reduction", "simt_row rows",
)
TENSOR_CORE_FAMILIES = tuple(
    "simt_tile %s mma" % kind for kind in (
        "contraction f16", "contraction bf16", "contraction f32", "contraction i8",
        "convolution f16", "convolution bf16", "convolution f32", "convolution i8"))
SANITIZERS = ("memcheck", "racecheck", "synccheck")


class Tally:
    """Outcomes by family; thread-safe."""

    STATUSES = ("right", "wrong", "crashed", "skipped")

    def __init__(self, expected=FAMILIES):
        self.lock = threading.Lock()
        self.expected = expected
        self.families = {}
        self.exact = 0
        self.failures = []
        self.skipped = {}

    def add(self, line):
        with self.lock:
            family = self.families.setdefault(
                line.get("family", "?"), dict.fromkeys(self.STATUSES, 0)
            )
            status = line["status"]
            family[status] += 1
            self.exact += status == "right" and line.get("exact", False)
            reason = line.get("reason", "")
            if status in ("wrong", "crashed"):
                if len(self.failures) < 500:
                    self.failures.append(line)
                say("%s: case %s, %s: %s" % (
                    status.upper(), line["case"], line.get("family"), reason.strip()))
            elif status == "skipped":
                # Most reasons differ in numbers only.
                key = re.sub(r"[0-9]+", "N", reason.strip())
                self.skipped[key] = self.skipped.get(key, 0) + 1

    def count(self, status):
        return sum(family[status] for family in self.families.values())

    def failed(self):
        return self.count("wrong") + self.count("crashed")

    def result(self):
        with self.lock:
            return {
                "ran": self.count("right") + self.failed(),
                "right": self.count("right"),
                "bit_exact": self.exact,
                "wrong": self.count("wrong"),
                "crashed": self.count("crashed"),
                "skipped": self.count("skipped"),
                "skipped_because": dict(self.skipped),
                "never_drawn": [f for f in self.expected if not any(
                    (name + " ").startswith(f + " ") for name in self.families)],
                "families": {k: dict(v) for k, v in sorted(self.families.items())},
                "failures": list(self.failures),
            }


def has_tensor_cores(chip):
    """Return whether a chip has tensor cores for all types that Pruner uses them for."""
    return int("".join(c for c in chip if c.isdigit())) >= 80


def fuzz_command(target, chip, seed, first, count, timeout, per_task=10, tensor_cores=False):
    return [
        kit.tool("pruner-fuzz"), "schedules", "--json", "--target=" + target, "--chip=" + chip,
        "--seed=%d" % seed, "--first=%d" % first, "--count=%d" % count,
        "--timeout=%d" % timeout, "--schedules-per-task=%d" % per_task,
    ] + ["--tensor-cores"] * tensor_cores


class Runner:
    """Runs chunks of cases in parallel until it is stopped."""

    def __init__(self, options, target, chip, environment, tally):
        self.options, self.target, self.chip = options, target, chip
        self.environment, self.tally = environment, tally
        self.tensor_cores = target == "device" and has_tensor_cores(chip)
        self.lock = threading.Lock()
        self.next = options.first
        self.end = options.first + options.count
        self.stopping = False
        self.children = set()

    def take(self):
        with self.lock:
            if self.stopping or self.next >= self.end:
                return None
            first = self.next
            self.next = min(self.end, (first // CHUNK + 1) * CHUNK)
            return first, self.next - first

    def work(self):
        while True:
            chunk = self.take()
            if not chunk:
                return
            self.run(*chunk)

    def run(self, first, count):
        o = self.options
        tensor_cores = self.tensor_cores and first // CHUNK % 2 == 1
        child = process.start(
            fuzz_command(self.target, self.chip, o.seed, first, count, o.timeout,
                         tensor_cores=tensor_cores),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            errors="replace", env=self.environment,
        )
        with self.lock:
            self.children.add(child)
        noise = []
        drain = threading.Thread(target=lambda: noise.extend(child.stderr), daemon=True)
        drain.start()
        # Each case has its own deadline; this guard catches hangs outside of cases.
        guard = threading.Timer(60 + 11.0 * o.timeout * count, process.end, [child, 0.1])
        guard.daemon = True
        guard.start()
        seen = 0
        for text in child.stdout:
            try:
                line = json.loads(text)
            except ValueError:
                continue
            if isinstance(line, dict) and "status" in line:
                seen += 1
                self.tally.add(line)
        code = child.wait()
        guard.cancel()
        drain.join(5)
        with self.lock:
            self.children.discard(child)
            stopped = self.stopping
        if code not in (0, 1) and not stopped:
            self.tally.add({
                "case": first + seen, "family": "?", "status": "crashed",
                "reason": "pruner-fuzz ended with %d: %s" % (code, "".join(noise)[-400:]),
            })
        elif seen == 0 and not stopped:
            self.tally.add({
                "case": first, "family": "?", "status": "crashed",
                "reason": "pruner-fuzz ran no case: %s" % "".join(noise)[-400:],
            })

    def stop(self):
        with self.lock:
            self.stopping = True
            children = list(self.children)
        for child in children:
            try:
                child.terminate()  # It ends after its current case.
            except OSError:
                pass

    def kill(self):
        with self.lock:
            children = list(self.children)
        for child in children:
            process.end(child, 0.1)


def parse_sanitizer(text):
    """Return the number of errors in the summary of compute-sanitizer, None without a
    summary."""
    total = None
    for match in re.finditer(
        r"(?:ERROR|RACECHECK) SUMMARY: (\d+) (?:error|hazard)(?!s were not printed)", text
    ):
        total = (total or 0) + int(match.group(1))
    return total


def sanitize(options, program, chip, environment, clock):
    """Run a few cases under each tool, all tools at the same time. Return the results by
    tool. Cases are counted by their output lines."""
    steps = [(name, False) for name in SANITIZERS]
    if has_tensor_cores(chip):
        steps += [(name, True) for name in SANITIZERS]
    limit = min(900, clock.left() - 2) if clock else 900
    results = {}

    def step(name, tensor_cores):
        results[name + " mma" * tensor_cores] = sanitized(
            # Calls of the driver that fail are part of the program: it asks for
            # parameters of a kernel until there is none.
            [program, "--tool", name, "--target-processes", "all", "--error-exitcode", "86"]
            + ["--report-api-errors", "no"] * (name == "memcheck")
            + fuzz_command("device", chip, options.seed, 0, options.sanitizer_cases, 120, 2,
                           tensor_cores), environment, limit)

    threads = [threading.Thread(target=step, args=each) for each in steps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return dict(sorted(results.items()))


def sanitized(command, environment, limit):
    """Return the result of one tool, which runs for at most `limit` seconds."""
    if limit < 5:
        return {"status": "skipped", "reason": "no time left"}
    child = process.start(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", env=environment)
    try:
        text, _ = child.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.end(child)
        return {"status": "skipped", "reason": "took over %d s" % limit}
    cases = [json.loads(l) for l in text.splitlines()
             if l.startswith('{"case"') and l.endswith("}")]
    errors = parse_sanitizer(text)
    ran = sum(1 for case in cases if case["status"] != "skipped")
    bad = [c for c in cases if c["status"] in ("wrong", "crashed")]
    if errors is None or ran == 0:
        tail = "\n".join(text.splitlines()[-5:])
        return {"status": "skipped", "reason": "no summary or no case: " + tail}
    failed = errors > 0 or bad or child.returncode not in (0, 1)
    result = {"status": "failed" if failed else "passed",
              "cases": ran, "errors": errors, "wrong": len(bad)}
    if failed:
        result["log"] = text[-20000:]
    return result


def table(result):
    lines = text_table([["family", *Tally.STATUSES]] + [
        [family] + [str(counts[s]) for s in Tally.STATUSES]
        for family, counts in result["families"].items()])
    for reason, count in sorted(result["skipped_because"].items()):
        lines.append("skipped %d: %s" % (count, reason))
    if result["never_drawn"]:
        lines.append("never drawn: " + ", ".join(result["never_drawn"]))
    for name, what in result.get("sanitizers", {}).items():
        lines.append("%s: %s" % (name, ", ".join(
            "%s %s" % (k, v) for k, v in what.items() if k != "log")))
    lines.append("%d ran (%d right, %d compared bit for bit), %d failed, %d skipped" % (
        result["ran"], result["right"], result["bit_exact"],
        result["wrong"] + result["crashed"], result["skipped"]))
    return "\n".join(lines)


def run(options):
    stop = kit.Stop()
    here = kit.Kit(options.python, learned=False)
    output = kit.Output(options.output)
    if options.emulate:
        target, chip = "gpu", "sm_80"
    else:
        here.find_device()
        target, chip = "device", options.chip or here.chip()
        say("device: %s, kernels for %s" % (here.machine["name"], chip))
    clock = kit.Clock(options.minutes) if options.minutes else None
    facts = here.describe()
    facts.update(seed=options.seed, first=options.first, chip=chip,
                 mode="emulator" if options.emulate else "device")
    sanitizers = {}

    def save(complete):
        result = tally.result()
        result.update(environment=facts, sanitizers=sanitizers, complete=complete,
                      next=runner.next, seconds=round(time.monotonic() - begun, 1))
        output.write_json("tests.json", result)
        return result

    tally = Tally()
    begun = time.monotonic()
    runner = Runner(options, target, chip, here.environment, tally)
    if runner.tensor_cores:
        tally.expected += TENSOR_CORE_FAMILIES
    threads = [threading.Thread(target=runner.work, daemon=True)
               for _ in range(options.jobs or kit.cores())]
    for thread in threads:
        thread.start()
    # The sanitizers get three tenths of the time, at the end.
    share = 0.7 if clock and here.sanitizer and not options.no_sanitizer else 0.97
    saved = time.monotonic()
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.1)
        if stop.asked or (clock and clock.spent() > share * clock.seconds):
            break
        if time.monotonic() - saved > 5:
            save(False)
            saved = time.monotonic()
    runner.stop()
    deadline = time.monotonic() + 3
    for thread in threads:
        thread.join(max(0.1, deadline - time.monotonic()))
    runner.kill()
    for thread in threads:
        thread.join(5)
    save(False)
    if options.no_sanitizer or options.emulate:
        reason = "not requested"
    elif not here.sanitizer:
        reason = "compute-sanitizer is not installed"
    elif stop.asked:
        reason = "stopped"
    else:
        reason = None
        sanitizers.update(
            sanitize(options, here.sanitizer, chip, here.environment, clock))
    if reason:
        sanitizers.update({n: {"status": "skipped", "reason": reason} for n in SANITIZERS})
    result = save(not stop.asked)
    say(table(result))
    broken = any(s["status"] == "failed" for s in sanitizers.values())
    if tally.failed() or broken or result["ran"] == 0:
        return kit.WRONG
    return kit.RIGHT


def add_options(parser):
    parser.add_argument("--minutes", type=float, help="stop after this time")
    parser.add_argument("--count", type=int, default=2000, help="number of cases (%(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=0, help="number of processes (one per core)")
    parser.add_argument("--timeout", type=int, default=20,
                        help="processor seconds until a case counts as hanging")
    parser.add_argument("--chip", help="compile for this architecture")
    parser.add_argument("--sanitizer-cases", type=int, default=30)
    parser.add_argument("--no-sanitizer", action="store_true")
    parser.add_argument("--emulate", action="store_true",
                        help="run the kernels on the CPU instead, without a GPU")
