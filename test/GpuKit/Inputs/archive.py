"""Tests of an unpacked archive: archive.py <folder with kit.tar.gz> <fake CUDA> <class>."""

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

FOLDER, FAKE = sys.argv[1], sys.argv[2]
KIT = os.path.join(FOLDER, "kit")
COMMAND = os.path.join(KIT, "pruner-gpu-kit")
COMMANDS = ["calibrate", "tests", "bench", "tune", "dataset", "all"]
SMALL = """func.func @main(%a: tensor<48x32xf32>, %b: tensor<32x40xf32>) -> tensor<48x40xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x40xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<48x40xf32>) -> tensor<48x40xf32>
  %r = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x40xf32>)
                     outs(%f : tensor<48x40xf32>) -> tensor<48x40xf32>
  return %r : tensor<48x40xf32>
}
"""


def run(command, environment=(), **options):
    """Run with an empty environment, except for the given variables and the location of
    Python."""
    base = {"PATH": "/usr/bin:/bin"}
    base.update(environment)
    return subprocess.run(command, env=base, capture_output=True, text=True,
                          errors="replace", timeout=120, **options)


def tool(name, *arguments, **options):
    return run([os.path.join(KIT, "bin", name)] + list(arguments), **options)


class Unpacked(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run(["tar", "xzf", os.path.join(FOLDER, "kit.tar.gz"), "-C", FOLDER],
                       check=True)
        cls.small = os.path.join(FOLDER, "small.mlir")
        with open(cls.small, "w") as file:
            file.write(SMALL)

    def out(self):
        path = os.path.join(FOLDER, "out-" + self.id().split(".")[-1])
        shutil.rmtree(path, ignore_errors=True)
        return path

    def command(self, name, *arguments, **environment):
        return run([COMMAND, name] + list(arguments), environment)

    def result(self, path, name):
        files = [f for f in os.listdir(path) if not f.startswith(".")]
        self.assertLessEqual(len(files), 8, files)
        for file in files:
            self.assertLessEqual(os.path.getsize(os.path.join(path, file)), 16 << 20)
        with open(os.path.join(path, name)) as file:
            return json.load(file)


class Archive(Unpacked):
    def test_size(self):
        self.assertLess(os.path.getsize(os.path.join(FOLDER, "kit.tar.gz")), 50e6)

    def test_nothing_of_llvm_is_dynamic(self):
        done = subprocess.run(["ldd", os.path.join(KIT, "bin", "pruner-opt")],
                              capture_output=True, text=True, check=True)
        names = {line.split()[0].split("/")[-1] for line in done.stdout.splitlines()}
        self.assertEqual(names, {"linux-vdso.so.1", "libm.so.6", "libc.so.6",
                                 "ld-linux-x86-64.so.2"})

    def test_c_library(self):
        with open(os.path.join(KIT, "manifest.json")) as file:
            manifest = json.load(file)
        self.assertLessEqual(int(manifest["glibc"].split(".")[1]), 36)

    def test_tools_are_one_file(self):
        tools = os.listdir(os.path.join(KIT, "bin"))
        self.assertIn("pruner-worker", tools)
        inodes = {os.stat(os.path.join(KIT, "bin", name)).st_ino for name in tools}
        self.assertEqual(len(inodes), 1)
        for name in tools:
            done = tool(name, "--help")
            self.assertEqual(done.returncode, 0, name)
            self.assertIn(name.split("-")[-1], (done.stdout + done.stderr).lower())
        other = os.path.join(FOLDER, "other")
        os.link(os.path.join(KIT, "bin", "pruner-opt"), other)
        done = run([other])
        os.unlink(other)
        self.assertEqual(done.returncode, 1)
        self.assertIn("'other' is not one of the tools in this file: pruner-opt", done.stderr)

    def test_compiles_for_a_gpu(self):
        done = tool("pruner-opt", self.small, "--pruner-tune=target=nvidia:sm_80 trials=2 "
                    "strategy=draft-only model=none")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("gpu.binary", done.stdout)
        self.assertIn(".target sm_80", done.stdout)
        self.assertRegex(done.stderr, r"built +failed\n.*\n.* 2 +0\n")

    def test_compiles_and_runs_on_the_cpu(self):
        done = tool("pruner-opt", self.small, "--pruner-tune=trials=2 threads=1 "
                    "strategy=draft-only model=none", "-o", os.devnull)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"task_matmul_48x40x32\w+ +1 .* 2 +0\n")

    def test_emulates(self):
        for target in ("gpu", "cpu"):
            done = tool("pruner-fuzz", "schedules", "--target=" + target, "--count=10")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(target + ": 10 schedules ran", done.stderr)
            self.assertIn("0 wrong", done.stderr)

    def test_commands_on_the_emulator(self):
        out = self.out()
        done = self.command("tests", "--emulate", "--count=40", "--jobs=2", "--output", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("40 ran (40 right,", done.stderr)
        result = self.result(out, "tests.json")
        self.assertEqual((result["ran"], result["wrong"], result["next"]), (40, 0, 40))
        self.assertTrue(result["complete"])
        self.assertTrue(any(f.startswith("simt_tile contraction") for f in result["families"]))

    def test_samples_are_distinct_and_legal(self):
        path = os.path.join(FOLDER, "samples.jsonl")
        done = tool("pruner-opt", self.small, "-o", os.devnull,
                    "--pruner-sample=target=nvidia:sm_80 count=20 seed=3 out=" + path)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(path) as file:
            task, *samples = [json.loads(line) for line in file]
        self.assertEqual(len({s["schedule"] for s in samples}), 20)
        self.assertEqual({s["key"] for s in samples}, {task["pruner"]["key"]})
        self.assertEqual(task["pruner"]["environment"]["target"], "nvidia:sm_80")


class NoGpu(Unpacked):
    def test_every_command(self):
        for name in COMMANDS:
            out = self.out()
            arguments = ["1"] if name == "all" else []
            done = self.command(name, *arguments, "--output", out)
            self.assertEqual(done.returncode, 3, name + done.stderr)
            self.assertIn("no GPU: cannot load the CUDA driver 'libcuda.so.1'", done.stderr)
            if name == "all":
                self.assertIn("libcuda.so.1", self.result(out, "summary.json")["no_gpu"])
            # A driver without a device.
            done = self.command(name, *arguments, "--output", out, LD_LIBRARY_PATH=FAKE,
                                FAKE_CUDA_devices="0")
            self.assertEqual(done.returncode, 3, name + done.stderr)
            self.assertIn("finds no device", done.stderr)

    def test_usage(self):
        for name in COMMANDS:
            done = self.command(name, "--no-such-option")
            self.assertEqual(done.returncode, 2, name)
            self.assertIn("usage: pruner-gpu-kit", done.stderr)
        for arguments, text in (
                ([], "required: COMMAND"),
                (["test"], "invalid choice: 'test'"),
                (["bench", "--only=("], "argument --only: '(': missing )"),
                (["all", "1", "--steps=tests,plots"], "unknown step 'plots'; expected one of calibrate, tests")):
            done = run([COMMAND] + arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(text, done.stderr)
        done = run(["/bin/sh", COMMAND, "tests"], {"PATH": "/nonexistent"})
        self.assertNotEqual(done.returncode, 0)

    def test_help(self):
        done = run([COMMAND, "--help"])
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in COMMANDS:
            self.assertRegex(done.stdout, r"(?m)^    %s\s+[A-Z]" % name)
            one = self.command(name, "--help")
            self.assertEqual(one.returncode, 0, one.stderr)
            self.assertIn("usage: pruner-gpu-kit " + name, one.stdout)
            self.assertIn("exit codes: 0 success", one.stdout)

    def test_python_is_asked_for(self):
        done = run([COMMAND, "tests", "--python=/nonexistent/python3"])
        self.assertEqual(done.returncode, 3, done.stderr)


class FakeGpu(Unpacked):
    def fake(self, name, *arguments, **settings):
        environment = {"FAKE_CUDA_" + k: str(v) for k, v in settings.items()}
        environment["LD_LIBRARY_PATH"] = FAKE
        return self.command(name, *arguments, **environment)

    def records(self, path, name):
        with gzip.open(os.path.join(path, name)) as file:
            lines = [json.loads(line)["pruner"] for line in file.read().splitlines()]
        # Return trials, without attempts to measure the untuned default.
        return [line for line in lines if line["kind"] == "record" and line["trial"] >= 0]

    def test_wrong_results_are_found(self):
        out = self.out()
        done = self.fake("tests", "--count=40", "--jobs=2", "--output", out)
        self.assertEqual(done.returncode, 1, done.stderr)
        result = self.result(out, "tests.json")
        self.assertEqual(result["ran"], 40)
        self.assertEqual(result["wrong"], 40)
        self.assertEqual(result["crashed"], 0)
        self.assertIn("repeat with: pruner-fuzz schedules --target=device --chip=sm_80",
                      result["failures"][0]["reason"])
        self.assertEqual(set(result["sanitizers"]), {"memcheck", "racecheck", "synccheck"})

    def test_a_lost_device_costs_one_case(self):
        out = self.out()
        # The third launch of every process fails and invalidates the context.
        done = self.fake("tests", "--count=20", "--jobs=1", "--output", out, fail_launch=3)
        result = self.result(out, "tests.json")
        self.assertEqual((result["ran"], result["crashed"]), (20, 0), done.stderr)
        lost = [f for f in result["failures"] if "CUDA_ERROR_ILLEGAL_ADDRESS" in f["reason"]]
        self.assertGreater(len(lost), 3)

    def test_hanging_kernels_are_killed(self):
        out = self.out()
        done = self.fake("dataset", self.small, "--no-verify", "--count=12", "--builders=2",
                         "--run-seconds=2", "--output", out, hang_launch=20000)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = self.result(out, "dataset.json")
        statuses = [r["status"] for r in self.records(out, "dataset.jsonl.gz")]
        self.assertEqual(len(statuses), 12)
        self.assertIn("run-timeout", statuses)
        self.assertIn("ok", statuses)
        self.assertEqual(result["failed_because"]["run-timeout"], statuses.count("run-timeout"))

    def test_dataset_goes_on(self):
        out = self.out()
        first = self.fake("dataset", self.small, "--no-verify", "--count=8", "--output", out)
        self.assertEqual(first.returncode, 0, first.stderr)
        again = self.fake("dataset", self.small, "--no-verify", "--count=14", "--output", out)
        self.assertEqual(again.returncode, 0, again.stderr)
        records = self.records(out, "dataset.jsonl.gz")
        self.assertEqual(len(records), 14)
        self.assertEqual({r["status"] for r in records}, {"ok"})
        self.assertEqual(self.result(out, "dataset.json")["measured"], 6)
        # The driver reports 1000 ns for every launch.
        self.assertAlmostEqual(records[0]["times"][0], 1e-6, 9)
        done = tool("pruner", "db", "list", os.path.join(out, "dataset.db"))
        self.assertRegex(done.stdout + done.stderr, r"task_matmul_48x40x32.* 14 ")

    def test_dataset_records_wrong_results(self):
        out = self.out()
        done = self.fake("dataset", self.small, "--count=5", "--output", out)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual({r["status"] for r in self.records(out, "dataset.jsonl.gz")},
                         {"wrong-result"})

    def test_tune(self):
        out = self.out()
        done = self.fake("tune", self.small, "--trials=6", "--minutes=1", "--output", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("without learned cost models: ", done.stderr)
        self.assertIn("(draft-only)", done.stderr)
        self.assertEqual(len(self.records(out, "tuning.jsonl.gz")), 6)
        again = self.fake("tune", self.small, "--trials=9", "--minutes=1", "--output", out)
        self.assertIn("continuing from", again.stderr)
        self.assertEqual(len(self.records(out, "tuning.jsonl.gz")), 9, again.stderr)
        self.assertEqual(self.result(out, "tune.json")["strategy"], "draft-only")

    def test_calibrate(self):
        out = self.out()
        done = self.fake("calibrate", "--only=^(launches|memory_bandwidth|issue)$", "--output",
                         out)
        result = self.result(out, "calibrate.json")
        self.assertEqual(sorted(result["probes"]), ["issue", "launches", "memory_bandwidth"],
                         done.stderr)
        # Every launch takes 1000 ns.
        empty = result["probes"]["launches"]["readings"]["empty/stream"]
        self.assertAlmostEqual(empty["median"], 1e-6, 9)
        constants = {c["constant"]: c for c in result["constants"]}
        self.assertEqual(constants["an empty kernel, stream"]["model"], 1e-6)
        # No memory is that fast, so the description of the device keeps its bandwidth.
        self.assertGreater(constants["bandwidth of main memory, copy"]["ratio"], 100)
        done = tool("pruner-machine", "file:" + os.path.join(out, "machine.json"), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["memoryBandwidth"],
                         result["environment"]["device"]["memoryBandwidth"])

    def test_calibration_is_first(self):
        out = self.out()
        self.fake("all", "1", "--steps=calibrate", "--output", out)
        self.assertEqual(list(self.result(out, "summary.json")["steps"]), ["calibrate"])
        self.assertEqual(set(os.listdir(out)) - {".lock"}, {"calibrate.json", "summary.json"})

    def test_bench(self):
        out = self.out()
        done = self.fake("bench", "--only=^(sum_rows|softmax_4096).*f32", "--drafts=2",
                         "--no-torch", "--quick", "--turns=3", "--output", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = self.result(out, "bench.json")
        self.assertTrue(result["complete"])
        rows = {row["name"]: row for row in result["rows"]}
        self.assertEqual(len(rows), 2)
        one = rows["sum_rows_4096x4096_f32"]["contenders"]["pruner"]
        self.assertAlmostEqual(one["warm"]["median"], 1e-6, 9)
        # Softmax consists of several kernels, launched one after the other.
        four = rows["softmax_4096x1024_f32"]
        self.assertAlmostEqual(four["contenders"]["pruner"]["rotated"]["median"],
                               len(four["schedules"]) * 1e-6, 9)
        self.assertAlmostEqual(result["ceilings"]["copy_bytes_per_second"] / 2e12, 1, 3)

    def test_bench_becomes_the_other_python(self):
        out = self.out()
        python = os.path.join(FOLDER, "other-python")
        with open(python, "w") as file:
            file.write("#!/bin/sh\necho other >&2\nexec python3 \"$@\"\n")
        os.chmod(python, 0o755)
        done = self.fake("bench", "--only=^transpose", "--drafts=1", "--no-torch", "--quick",
                         "--turns=1", "--python", python, "--output", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("other\n"), 1)

    def bench_two(self, seconds=100, **settings):
        out = self.out()
        self.fake("bench", "--only=^(sum_rows|transpose).*f32", "--drafts=2", "--no-torch",
                  "--quick", "--turns=3", "--sample=1e-4", f"--operation-seconds={seconds}",
                  "--output", out, **settings)
        return self.result(out, "bench.json")

    def test_bench_goes_on_behind_what_breaks_it(self):
        # A launch far into the first operation always fails.
        result = self.bench_two(fail_launch=100)
        self.assertEqual(set(result["failed"]), {"transpose_4096x4096_f32",
                                                 "sum_rows_4096x4096_f32"})
        self.assertIn("CUDA error 700", result["failed"]["transpose_4096x4096_f32"])

    def test_bench_goes_on_behind_what_hangs(self):
        result = self.bench_two(seconds=10, hang_launch=100)
        self.assertIn("took over 10 s", result["failed"]["transpose_4096x4096_f32"])
        self.assertEqual(len(result["failed"]), 2)

    def test_all_is_cut_off(self):
        out = self.out()
        environment = {"PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": FAKE}
        child = subprocess.Popen(
            [COMMAND, "all", "1.5", "--steps=tests,dataset", "--output", out],
            env=environment, stderr=subprocess.DEVNULL, start_new_session=True)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            time.sleep(0.5)
            try:
                if self.result(out, "tests.json")["ran"] > 5:
                    break
            except (OSError, ValueError):
                pass
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        result = self.result(out, "summary.json")
        self.assertEqual(result["steps"]["tests"]["status"], "running")
        self.assertGreater(self.result(out, "tests.json")["wrong"], 5)
        # Its step would end later by itself; the test does not wait for it.
        for pid in os.listdir("/proc"):
            try:
                with open("/proc/%s/cmdline" % pid, "rb") as file:
                    words = file.read().split(b"\0")
                if any(word.endswith(b"/gpukit/run.py") for word in words) and b"tests" in words and out.encode() in words:
                    os.kill(int(pid), signal.SIGTERM)
            except (OSError, ValueError):
                continue

    def test_all_keeps_its_time(self):
        out = self.out()
        begun = time.monotonic()
        done = self.fake("all", "0.75", "--steps=tests", "--output", out)
        self.assertLess(time.monotonic() - begun, 0.75 * 60 + 15)
        result = self.result(out, "summary.json")
        self.assertEqual(done.returncode, 1, done.stderr)  # The results are wrong.
        self.assertEqual(result["steps"]["tests"]["status"], "wrong")
        self.assertTrue(result["complete"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], sys.argv[3]])
