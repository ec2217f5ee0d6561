"""Unit tests of tools/gpu-kit/gpukit: units.py <tools/gpu-kit>."""

import gzip
import os
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

sys.path.insert(0, sys.argv[1])

from gpukit import (ceilings, contest, dataset, everything, kit, operators, process, program,
                    report, tests, tune, worker)


class OutputTest(unittest.TestCase):
    def test_limits(self):
        with tempfile.TemporaryDirectory() as path:
            output = kit.Output(path)
            for n in range(kit.MAX_FILES):
                output.write("%d.json" % n, "{}")
            output.write("0.json", "[]")  # Replacing a file does not count as a new one.
            with self.assertRaisesRegex(kit.Failed, "file 9 in .*, but the limit is 8 files"):
                output.write("8.json", "{}")
            with self.assertRaisesRegex(kit.Failed, "16777217 bytes, more than 16777216"):
                output.write("0.json", b"x" * (kit.MAX_FILE_BYTES + 1))
            with open(os.path.join(path, "0.json")) as file:
                self.assertEqual(file.read(), "[]")
            self.assertEqual(len(os.listdir(path)), kit.MAX_FILES)


class ProcessTest(unittest.TestCase):
    def test_sessions_are_ended_whole(self):
        # A grandchild in a process group of its own.
        code = ("import sys; sys.path[:0] = %r\n"
                "from gpukit import process\n"
                "inner = process.start(['sleep', '60'])\n"
                "print(inner.pid, flush=True)\n"
                "import time; time.sleep(60)" % sys.path)
        outer = process.start([sys.executable, "-c", code], session=True,
                              stdout=subprocess.PIPE, text=True)
        inner = int(outer.stdout.readline())
        self.assertNotEqual(os.getpgid(inner), os.getpgid(outer.pid))
        process.end(outer, 5)
        self.assertEqual(os.getsid(inner), outer.pid)  # It still runs.
        process.end_session(outer.pid)
        for _ in range(100):
            try:
                with open("/proc/%d/stat" % inner) as file:
                    if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                        break
            except OSError:
                break
            time.sleep(0.05)
        else:
            self.fail("the inner child lives")
        outer.stdout.close()


class WorkerTest(unittest.TestCase):
    """Statuses of failures of the worker."""

    CODE = """#!%s
import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "quit":
        break
    reply = {"type": request["type"], "id": request["id"], "status": "ok"}
    if request.get("key") == "rejected":
        reply.update(status="task-error", reason="no task")
    if request["type"] == "build" and request["schedule"] == "crash":
        sys.exit("out of luck")
    if request["type"] == "build" and request["schedule"] == "hang":
        time.sleep(60)
    print(json.dumps(reply), flush=True)
""" % sys.executable

    def test_outcomes(self):
        with tempfile.TemporaryDirectory() as path:
            tool = os.path.join(path, "worker")
            with open(tool, "w") as file:
                file.write(self.CODE)
            os.chmod(tool, 0o755)
            with mock.patch.object(kit, "tool", lambda name: tool):
                one = worker.KitWorker(dict(os.environ))

                def build(key, schedule, seconds=30):
                    reply = one.build(key, "text", schedule, "cpu", seconds)
                    return reply["status"], reply.get("reason", "")

                self.assertEqual(build("a", "crash"),
                                 ("build-crash", "exit code 1: out of luck"))
                self.assertEqual(build("a", "good"), ("ok", ""))
                self.assertEqual(build("a", "hang", 0.5),
                                 ("build-timeout", "deadline of 0.5 s exceeded"))
                self.assertEqual(build("rejected", "good"), ("build-error", "no task"))
                reply = one.run("rejected", "text", "cpu", {"artifact": "x"}, 30)
                self.assertEqual(reply["status"], "run-error")
                one.close()
                self.assertIsNone(one.process)

    def test_ended_in_between(self):
        """A worker that ended after a reply is replaced, and gets the task again."""
        with tempfile.TemporaryDirectory() as path:
            tool = os.path.join(path, "worker")
            with open(tool, "w") as file:
                file.write(self.CODE)
            os.chmod(tool, 0o755)
            with mock.patch.object(kit, "tool", lambda name: tool):
                one = worker.KitWorker(dict(os.environ))
                self.assertEqual(one.build("a", "text", "good", "cpu", 30)["status"], "ok")
                one.process.kill()
                one.process.wait()
                self.assertEqual(one.build("a", "text", "good", "cpu", 30)["status"], "ok")
                one.close()

    def test_no_worker(self):
        """A worker that cannot be started gives no result for a candidate."""
        with mock.patch.object(kit, "tool", lambda name: "/nonexistent/worker"):
            one = worker.KitWorker(dict(os.environ))
            with self.assertRaisesRegex(kit.Failed, "cannot start /nonexistent/worker: No such"):
                one.build("a", "text", "good", "cpu", 30)


class PlanTest(unittest.TestCase):
    def test_all_time_is_given_out_tests_first(self):
        plan = everything.plan(60, everything.STEPS)
        self.assertEqual([p[0] for p in plan],
                         ["calibrate", "tests", "bench", "tune", "dataset"])
        self.assertAlmostEqual(sum(p[1] for p in plan), 60)

    def test_calibration_is_bounded(self):
        for minutes, expected in ((60, 2), (30, 2), (12, 1.2), (5, 0.5)):
            plan = everything.plan(minutes, everything.STEPS)
            self.assertEqual(plan[0][0], "calibrate")
            self.assertAlmostEqual(plan[0][1], expected)
            self.assertAlmostEqual(sum(p[1] for p in plan), minutes)
        self.assertEqual(everything.plan(4, everything.STEPS)[0][0], "tests")
        alone = [step for step in everything.STEPS if step[0] == "calibrate"]
        self.assertAlmostEqual(everything.plan(3, alone)[0][1], 3)

    def test_little_time_is_for_tests(self):
        self.assertEqual([p[0] for p in everything.plan(0.6, everything.STEPS)], ["tests"])
        names = [p[0] for p in everything.plan(1.3, everything.STEPS)]
        self.assertEqual(names, ["tests", "bench"])


class PluginTest(unittest.TestCase):
    """The plug-in that matches the PyTorch of a Python."""

    def choose(self, root, version):
        site = os.path.join(root, "site")
        os.makedirs(os.path.join(site, "torch", "lib"), exist_ok=True)
        with open(os.path.join(site, "torch", "version.py"), "w") as file:
            file.write("__version__ = '%s'\n" % version)
        open(os.path.join(site, "torch", "lib", "libtorch_cpu.so"), "w").close()
        with mock.patch.object(kit, "site_packages", lambda python: [site]), \
                mock.patch.object(kit, "ROOT", root):
            return kit.choose_plugin(kit.Torch("python3"))

    def test_series_decides(self):
        with tempfile.TemporaryDirectory() as root:
            for series in ("2.11", "2.15"):
                os.makedirs(os.path.join(root, "lib", "torch-" + series))
                open(os.path.join(root, "lib", "torch-" + series, "libPrunerTorch.so"),
                     "w").close()
            path, why = self.choose(root, "2.15.1+cu132")
            self.assertTrue(path.endswith("torch-2.15/libPrunerTorch.so"))
            self.assertIsNone(why)
            path, why = self.choose(root, "2.1.0")
            self.assertIsNone(path)
            self.assertEqual(why, "'python3' has PyTorch 2.1.0, but the kit's learned cost "
                                  "models were built for 2.11, 2.15")

    def test_none(self):
        with tempfile.TemporaryDirectory() as root:
            path, why = self.choose(root, "2.15.0")
            self.assertIsNone(path)
            self.assertIn("built without plug-ins", why)


class TallyTest(unittest.TestCase):
    def test_counts(self):
        tally = tests.Tally()
        with mock.patch.object(tests, "say"):
            for line in (
                {"case": 1, "family": "a", "status": "right", "exact": True},
                {"case": 2, "family": "a", "status": "wrong", "exact": True, "reason": "x"},
                {"case": 3, "family": "b", "status": "crashed", "reason": "SIGSEGV"},
                {"case": 4, "family": "b", "status": "skipped", "reason": "no 12 bytes"},
                {"case": 5, "family": "b", "status": "skipped", "reason": "no 7 bytes"},
            ):
                tally.add(line)
        result = tally.result()
        self.assertEqual((result["ran"], result["right"], result["bit_exact"]), (3, 1, 1))
        self.assertEqual((result["wrong"], result["crashed"], result["skipped"]), (1, 1, 2))
        self.assertEqual(result["skipped_because"], {"no N bytes": 2})
        self.assertEqual([f["case"] for f in result["failures"]], [2, 3])
        self.assertIn("3 ran (1 right, 1 compared bit for bit), 2 failed, 2 skipped",
                      tests.table(result))

    def test_sanitizer_summaries(self):
        self.assertEqual(tests.parse_sanitizer(
            "========= ERROR SUMMARY: 0 errors\n========= ERROR SUMMARY: 3 errors\n"), 3)
        self.assertEqual(tests.parse_sanitizer(
            "========= RACECHECK SUMMARY: 2 hazards displayed (2 errors)\n"), 2)
        self.assertEqual(tests.parse_sanitizer(
            "========= ERROR SUMMARY: 116 errors\n"
            "========= ERROR SUMMARY: 16 errors were not printed.\n"), 116)
        self.assertIsNone(tests.parse_sanitizer("Target application returned an error\n"))

    def test_memcheck_ignores_calls_that_fail_by_design(self):
        # Sanitizers that print their options and a case.
        with tempfile.TemporaryDirectory() as path:
            sanitizer = os.path.join(path, "sanitizer")
            with open(sanitizer, "w") as file:
                file.write("#!/bin/sh\necho \"$@\" >> %s/calls\n"
                           "echo '{\"case\":1,\"status\":\"right\"}'\n"
                           "echo '========= ERROR SUMMARY: 0 errors'\n" % path)
            os.chmod(sanitizer, 0o755)
            options = mock.Mock(seed=1, sanitizer_cases=3)
            found = tests.sanitize(options, sanitizer, "sm_90a", os.environ, kit.Clock(1))
            with open(os.path.join(path, "calls")) as file:
                calls = file.read().splitlines()
        self.assertEqual(sorted(found), sorted(
            name + cores for name in tests.SANITIZERS for cores in ("", " mma")))
        self.assertEqual({each["status"] for each in found.values()}, {"passed"})
        self.assertEqual(sum("--tensor-cores" in call for call in calls), 3)
        for call in calls:
            self.assertEqual("--report-api-errors no" in call, "--tool memcheck" in call)

    def test_tensor_cores_get_every_second_chunk(self):
        options = mock.Mock(first=0, count=10 * tests.CHUNK, seed=1, timeout=1)
        for target, chip, expected in (("device", "sm_90a", [False, True]),
                                       ("device", "sm_75", [False, False]),
                                       ("gpu", "sm_80", [False, False])):
            runner = tests.Runner(options, target, chip, {}, tests.Tally())
            commands = []

            def start(command, **_):
                commands.append(command)
                return mock.Mock(stdout=[], stderr=[], **{"wait.return_value": 0})
            with mock.patch.object(tests.process, "start", start):
                runner.run(*runner.take())
                runner.run(*runner.take())
            self.assertEqual(["--tensor-cores" in command for command in commands], expected)

    def test_families_of_tensor_cores(self):
        tally = tests.Tally(tests.FAMILIES + tests.TENSOR_CORE_FAMILIES)
        tally.add({"case": 1, "family": "simt_tile contraction f16 mma", "status": "right"})
        missing = tally.result()["never_drawn"]
        self.assertNotIn("simt_tile contraction f16 mma", missing)
        self.assertIn("simt_tile contraction bf16 mma", missing)
        self.assertNotIn("simt_tile contraction", missing)


class LogTest(unittest.TestCase):
    def line(self, n):
        return dataset.record({"target": "t"}, "k", "s%d" % n, 0, n, "ok", "", times=[1.0])

    def test_every_prefix_is_recovered(self):
        with tempfile.TemporaryDirectory() as path:
            name = os.path.join(path, "log.gz")
            log = dataset.Log(name)
            sizes = []
            for n in range(4):
                log.append(self.line(n))
                log.flush()
                sizes.append(os.path.getsize(name))
            with open(name, "rb") as file:
                whole = file.read()
            for length in range(0, len(whole) + 1):
                with open(name, "wb") as file:
                    file.write(whole[:length])
                again = dataset.Log(name)
                complete = sum(1 for size in sizes if size <= length)
                self.assertEqual(len(again.done), complete, length)
                again.file.close()
                self.assertEqual(os.path.getsize(name), ([0] + sizes)[complete])
            again = dataset.Log(name)
            again.append(self.line(9))
            again.flush()
            with gzip.open(name) as file:
                self.assertEqual(len(file.read().splitlines()), 5)
            log.file.close()
            again.file.close()


class BenchTest(unittest.TestCase):
    MODULE = """module {
  func.func @main(%arg0: tensor<4x8xf32>) -> tensor<4xf16> {
    %0 = call @a(%arg0) : (tensor<4x8xf32>) -> tensor<4xf32>
    %1 = call @b(%arg0, %0) {no_inline} : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4xf16>
    return %1 : tensor<4xf16>
  }
}
"""

    def test_calls(self):
        self.assertEqual(program.parse_calls(self.MODULE), [
            ("a", ["%arg0"], "%0", "tensor<4xf32>"),
            ("b", ["%arg0", "%0"], "%1", "tensor<4xf16>")])
        reshaped = self.MODULE.replace(
            "    %0 = call @a(%arg0)", "    %c = tensor.collapse_shape %arg0 [[0, 1]] : "
            "tensor<4x8xf32> into tensor<32xf32>\n    %0 = call @a(%c)").replace(
            "    return %1", "    %e = tensor.expand_shape %1 [[0, 1]] output_shape [4, 1] : "
            "tensor<4xf16> into tensor<4x1xf16>\n    return %e")
        self.assertEqual(program.parse_calls(reshaped), program.parse_calls(self.MODULE))
        with self.assertRaisesRegex(ValueError, "outside of its kernels: %2 = tensor.empty"):
            program.parse_calls(self.MODULE.replace(
                "    return", "    %2 = tensor.empty() : tensor<4xf16>\n    return"))

    def test_sizes(self):
        self.assertEqual(program.tensor_bytes("tensor<4x5xf32>"), 80)
        self.assertEqual(program.tensor_bytes("tensor<3xbf16>"), 6)
        self.assertEqual(program.tensor_bytes("tensor<3xi64>"), 24)

    def test_ratios(self):
        def times(seconds):
            return {"warm": {"median": seconds}, "rotated": {"median": 2 * seconds}}
        row = {"flops": 1e6, "bytes": 1000, "bound_seconds": 1e-6, "contenders": {
            "pruner": dict(times(2e-6), same_precision=True),
            "torch": dict(times(1e-6), same_precision=True),
            "torch-tf32": dict(times(1e-7), same_precision=False)}}
        report.finish(row)
        self.assertEqual(row["best_peer"], {"warm": "torch", "rotated": "torch"})
        self.assertAlmostEqual(row["ratio"]["warm"], 0.5)
        self.assertAlmostEqual(row["contenders"]["pruner"]["warm"]["percent_of_ceiling"], 50)

    def test_bound(self):
        roofs = {"copy_bytes_per_second": 1e12, "matrix_flops": {"f32": 1e13}}
        self.assertAlmostEqual(ceilings.bound_seconds(operators.relu(1000, 1000), roofs), 8e-6)
        product = operators.matmul(1000, 1000, 1000)
        self.assertAlmostEqual(ceilings.bound_seconds(product, roofs), 2e-4)


class ChoiceTest(unittest.TestCase):
    """The host takes 20 us to submit a kernel, a graph nothing."""

    class Timing:
        def __init__(self):
            self.replayed = []

        def events(self, work, repeats=1):
            return work()

        def prepare(self, call, sets, sample=None):
            self.replayed.append(call)
            return lambda: call.seconds

    class Program:
        def __init__(self, kernels, seconds):
            self.kernels, self.seconds = kernels, seconds

        def __call__(self, data):
            return max(self.seconds, 20e-6 * self.kernels)

    def choice(self, *programs):
        here = contest.Contest.__new__(contest.Contest)
        here.timing, best = self.Timing(), None
        data = mock.Mock(sets=[None])
        times = []
        for each in programs:
            times.append(here._seconds(each, data, best))
            best = min(times)
        return times.index(best), len(here.timing.replayed)

    def test_submission_does_not_count(self):
        one, split = self.Program(1, 18e-6), self.Program(2, 9e-6)
        self.assertEqual(self.choice(one, split), (1, 2))
        self.assertEqual(self.choice(split, one), (0, 2))

    def test_slow_programs_run_once(self):
        self.assertEqual(self.choice(self.Program(1, 2e-3), self.Program(1, 4e-3)), (0, 1))


class OperatorsTest(unittest.TestCase):
    def test_every_operation_is_one_module(self):
        suite = operators.bench_suite() + operators.dataset_suite()
        names = [operation.name for operation in operators.dataset_suite()]
        self.assertEqual(len(names), len(set(names)))
        seen = set()
        for operation in suite:
            kind = (operation.name.split("_")[0], operation.precision)
            if kind in seen:
                continue
            seen.add(kind)
            done = subprocess.run(
                ["pruner-opt", "-", "--pruner-normalize", "--pruner-extract-tasks",
                 "--pruner-list-tasks", "-o", os.devnull],
                input=operation.module(), capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, operation.name + done.stderr)
            self.assertIn("1 distinct tasks, 1 calls", done.stderr, operation.name)
        self.assertGreater(len(seen), 15)

    def test_operations_of_library_tables(self):
        padded = operators.conv(4, 6, 8, 3, batch=2, padding=1)
        self.assertEqual(padded.inputs, [(2, 4, 6, 6), (8, 4, 3, 3)])
        self.assertEqual(padded.output, (2, 8, 6, 6))
        for operation in (padded, operators.conv(4, 6, 8, 3, precision="f16", padding=1),
                          operators.layer_norm(64, 80), operators.layer_norm(64, 80, "f16")):
            done = subprocess.run(
                ["pruner-opt", "-", "--pruner-normalize", "--pruner-extract-tasks",
                 "--pruner-list-tasks", "-o", os.devnull],
                input=operation.module(), capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, operation.name + done.stderr)
            self.assertIn("1 distinct tasks, 1 calls", done.stderr, operation.name)

    def test_torch_computes_every_operation(self):
        functional = mock.Mock(name="torch.nn.functional")
        functional.conv2d = lambda x, w, b, stride, pad, dilation, groups: stride
        torch = mock.Mock(name="torch")
        torch.nn.functional = functional
        modules = {"torch": torch, "torch.nn": torch.nn, "torch.nn.functional": functional}
        torch.mm = torch.bmm = torch.add = lambda x, y: "of two"
        torch.addmm = lambda z, x, y: "of three"
        torch.softmax = lambda x, axis: axis
        with mock.patch.dict(sys.modules, modules):
            sys.modules.pop("pruner_tools.torch_operations", None)
            results = {}
            for operation in operators.bench_suite() + operators.dataset_suite():
                operands = [mock.MagicMock() for _ in operation.inputs]
                results[operation.name] = operation.function()(*operands)
        self.assertEqual(results["conv_1024x14_2048_k1_s2_b16_f16"], 2)
        self.assertEqual(results["dw_96x112_k3_s2_b16_f32"], 2)
        self.assertEqual(results["mm_1024x1024x1024_f32"], "of two")
        self.assertEqual(results["softmax_4096x1024_f32"], -1)

    def test_joined(self):
        text = tune.join_modules([o.module() for o in operators.dataset_suite()[:3]])
        done = subprocess.run(["pruner-opt", "-", "-o", os.devnull], input=text,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(text.count("func.func @main_"), 3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
