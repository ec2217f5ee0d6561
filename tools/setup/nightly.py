#!/usr/bin/env python3
"""Random tests with new seeds, for a given time.

    tools/setup/nightly.py --hours=8

The test suites draw the same cases in every run. This script draws others:
networks, schedules, mutants of kernels, damaged and forged records, networks of
dynamic shape, misbehaving workers, killed tuners, and the fuzzers if build-fuzz
has them. If build-asan exists, the quick suite also runs with its sanitizers. The script
runs one batch of each test in rotation, and stops after the batch in which the time is
over.

The state directory holds `state.json` (the seed, and the next case of each test),
a log of each batch that found a failure, and the networks that failed. After
Ctrl-C, the next run with the same state repeats the interrupted batch. After a
complete run, the next one has a new seed. Each failed batch is printed with the
command that repeats it. The exit code is 1 if any batch failed.
"""

import argparse
import json
import os
import secrets
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
SCRIPTS = SOURCE / "test"


def random_tests(build):
    """Returns, by name, the number of cases of a batch, and its command for a seed,
    the number of the first case, and a directory for failures."""
    fuzz, unit = build / "bin/pruner-fuzz", build / "test/unit"

    def counted(program, count, *more):
        return count, lambda seed, first, found: [
            *(str(word) for word in program), f"--seed={seed}", f"--first={first}", f"--count={count}",
            *(text.format(found=found) for text in more)]

    def scripted(name, *arguments):
        # One case: scripts do not number their cases, so each has its own seed.
        # Runs with `build/bin` in PATH, and a directory that is removed afterwards.
        return 1, lambda seed, first, found: [
            sys.executable, str(SCRIPTS / name),
            *(text.format(seed=(seed + first) % 2**31) for text in arguments)]

    matmul = str(SCRIPTS / "Tune/Inputs/matmul.mlir")
    return {
        "networks": counted((fuzz, "networks"), 300, "--failures={found}"),
        "dynamic-networks": counted((fuzz, "networks"), 300, "--dynamic",
                                    "--failures={found}"),
        "cpu-schedules": counted((fuzz, "schedules"), 1000, "--target=cpu",
                                 "--schedules-per-task=5"),
        "gpu-schedules": counted((fuzz, "schedules"), 200, "--target=gpu",
                                 "--schedules-per-task=5"),
        "ptx-schedules": counted((fuzz, "schedules"), 200, "--target=ptx",
                                 "--schedules-per-task=5"),
        "tensor-cores": counted((fuzz, "schedules"), 400, "--target=ptx",
                                "--tensor-cores", "--schedules-per-task=4",
                                "--chip=sm_75,sm_80,sm_89,sm_90,sm_100,sm_120"),
        "mutants": counted((fuzz, "mutants"), 100, "--target=cpu,gpu"),
        "corruptions": counted((unit / "PrunerRecordCorruptions",), 2000),
        "forgeries": counted((unit / "PrunerRecordForgeries",), 500),
        "dynamic": (1, lambda seed, first, found: [
            "lit-22", "-sv", f"--param=fuzz_seed={(seed + first) % 2**31}",
            str(build / "test/Python/dynamic.test")]),
        "unruly-workers": scripted("Measure/Inputs/unruly.py", matmul, "{{scratch}}",
                                   "100", "{seed}"),
        "kills": scripted("Record/Inputs/kills.py", matmul, "{{scratch}}", "30",
                          "{seed}"),
    }


def fuzzers(build):
    """Returns the libFuzzer targets. A batch takes three minutes; the corpus holds the
    progress."""
    for program in sorted((build / "bin").glob("fuzz-*")):
        name = program.name.removeprefix("fuzz-")
        corpus = build / "test/Fuzzing/Parsers" / f"corpus-{name}"
        corpus.mkdir(parents=True, exist_ok=True)
        yield program.name, (1, lambda seed, first, found, program=program, name=name,
                             corpus=corpus: [
            str(program), f"-seed={(seed + first) % 2**32 or 1}", "-max_total_time=180",
            "-rss_limit_mb=4096", f"-artifact_prefix={found}/{name}-", str(corpus),
            str(SCRIPTS / "Fuzzing/Parsers/seeds" / name)])


def sanitized(build):
    """Returns the quick suite of a build with sanitizers, if there is one. It always draws
    the same cases."""
    if (build / "test/lit.site.cfg.py").exists():
        yield "sanitizers", (1, lambda seed, first, found: [
            "env", "ASAN_OPTIONS=detect_leaks=0:allow_user_poisoning=0",
            "UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1",
            "lit-22", "-v", "-j2", "--param=suite=quick", str(build / "test")])


class State:
    """The progress; written atomically after each batch."""

    def __init__(self, directory, seed):
        self.path = directory / "state.json"
        self.data = {"seed": seed, "next": {}, "done": False}
        if seed is None:
            try:
                self.data = json.loads(self.path.read_text())
            except FileNotFoundError:
                self.data["done"] = True
            if self.data["done"]:
                self.data = {"seed": secrets.randbits(31), "next": {}, "done": False}

    @property
    def seed(self):
        return self.data["seed"]

    def first(self, name):
        return self.data["next"].get(name, 0)

    def advance(self, name, count):
        self.data["next"][name] = self.first(name) + count
        self.write()

    def finish(self):
        self.data["done"] = True
        self.write()

    def write(self):
        temporary = self.path.with_suffix(".new")
        temporary.write_text(json.dumps(self.data, indent=2) + "\n")
        os.replace(temporary, self.path)


def run_batch(command, build, log):
    """Runs a command and returns its exit code; all output goes to `log`."""
    with tempfile.TemporaryDirectory(prefix="pruner-nightly-") as scratch:
        command = [text.replace("{scratch}", scratch) for text in command]
        environment = dict(os.environ)
        environment["PATH"] = f"{build / 'bin'}{os.pathsep}{environment['PATH']}"
        with open(log, "w") as out:
            return subprocess.run(command, stdout=out, stderr=subprocess.STDOUT,
                                  env=environment).returncode


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", type=Path, default=SOURCE / "build")
    options.add_argument("--fuzz-build", type=Path, default=SOURCE / "build-fuzz")
    options.add_argument("--sanitized-build", type=Path, default=SOURCE / "build-asan")
    options.add_argument("--state", type=Path,
                         help="default: nightly/ of the build directory")
    options.add_argument("--hours", type=float, default=8)
    options.add_argument("--seed", type=int, help="default: a new one, or that of an unfinished run")
    options.add_argument("--only", default="", help="names of tests, separated by commas")
    options.add_argument("--list", action="store_true", help="print the names")
    options = options.parse_args()
    build = options.build.resolve()
    tests = dict(random_tests(build))
    tests.update(fuzzers(options.fuzz_build.resolve()))
    tests.update(sanitized(options.sanitized_build.resolve()))
    if options.list:
        print("\n".join(tests))
        return 0
    names = options.only.split(",") if options.only else list(tests)
    for name in names:
        if name not in tests:
            sys.exit(f"nightly.py: unknown test '{name}'; --list prints the names")
    directory = (options.state or build / "nightly").resolve()
    directory.mkdir(parents=True, exist_ok=True)
    state = State(directory, options.seed)
    print(f"seed {state.seed}; failures are stored in {directory}", flush=True)

    end = time.monotonic() + options.hours * 3600
    failed, cases = {}, dict.fromkeys(names, 0)
    try:
        while time.monotonic() < end:
            for name in names:
                if time.monotonic() >= end:
                    break
                count, command = tests[name]
                first = state.first(name)
                log = directory / f"{name}-seed{state.seed}-first{first}.log"
                arguments = command(state.seed, first, str(directory))
                code = run_batch(arguments, build, log)
                state.advance(name, count)
                cases[name] += count
                if code == 0:
                    log.unlink()
                    continue
                failed.setdefault(name, []).append(log)
                print(f"{name} failed with exit code {code}: {log}\n"
                      f"  {shlex.join(arguments)}", flush=True)
        state.finish()
    except KeyboardInterrupt:
        print("interrupted; the same command continues", flush=True)
    for name in names:
        print(f"{name}: {cases[name]} cases, {len(failed.get(name, []))} batches failed",
              flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
