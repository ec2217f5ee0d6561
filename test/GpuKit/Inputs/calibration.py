"""Unit tests of the command `calibrate`: calibration.py <tools/gpu-kit> <lib/Analysis>."""

import argparse
import ctypes
import json
import os
import re
import struct
import sys
import tempfile
import time
import unittest
from unittest import mock

sys.path[:0] = [sys.argv[1], os.path.join(sys.argv[1], "..", "..", "python")]

from gpukit import calibrate, cuda, kit, probes
from gpukit.probes import model, overlap, ptx, shared_loads
from gpukit.probes.lab import Lab
from gpukit.probes.probe import Constant, Probe

ANALYSIS = sys.argv[2]
MACHINE = {"name": "nvidia:h200", "arch": "sm_90a", "units": 4, "clockMHz": 1980.0,
           "peakFlops": 4 * 128 * 2 * 1980e6, "memoryBandwidth": 4.8e12, "lanes": 32,
           "schedulersPerUnit": 4, "sm": {"loadStoreLanes": 32, "sharedBytesPerCycle": 128},
           "notes": ["a source"]}
ARCHITECTURES = [70, 75, 80, 86, 87, 89, 90, 100, 103, 120]


class Device:
    """A driver whose kernels take `cycles` per iteration, and whose events are 1 ms
    apart. It checks extents, and that buffers are allocated."""

    def __init__(self, cycles=640):
        self.cycles, self.sizes, self.next, self.workspaces = cycles, {}, 1 << 32, {}
        self.launched = None

    def call(self, name, *arguments):
        if name == "cuLaunchKernel":
            grid, block = arguments[1].value, arguments[4].value
            assert 0 < grid < 1 << 31 and 0 < block <= 1024, (grid, block)
            self.launched = [ctypes.c_uint64.from_address(p).value for p in arguments[9]]

    def allocate(self, size):
        self.next += 1 << 32
        self.sizes[self.next] = size
        return self.next

    def free(self, pointer):
        del self.sizes[pointer]

    def upload(self, pointer, data):
        assert len(data) <= self.sizes[pointer]

    def download(self, pointer, size):
        assert size <= self.sizes[pointer]
        stamps = struct.pack("<QQ", 5000, 5000 + self.cycles * self.launched[2])
        return stamps * (size // 16)

    def elapsed(self, start, end):
        return 1e-3

    def free_bytes(self):
        return 8 << 30

    def graph(self, stream, work):
        work()

    def ignore(self, *arguments):
        return None

    stream = event = record = synchronize = launch_graph = ignore


def readings_of(probe, machine=MACHINE, device=None):
    found = {}
    lab = Lab(device or Device(), machine, lambda name, reading: found.update({name: reading}))
    probe.run(lab)
    lab.free()
    return found


class TextTest(unittest.TestCase):
    def test_every_kernel_of_every_architecture(self):
        for number in ARCHITECTURES:
            target, version = ptx.target_of(number)
            for probe in probes.PROBES:
                for key, kernel in probe.kernels(number).items():
                    self.assertTrue(kernel.text.startswith(
                        ".version %s\n.target sm_%d\n" % (version, target)))
                    self.assertNotIn("%%", kernel.text, (probe.name, key))
                    self.assertEqual(kernel.text.count("{"), kernel.text.count("}"))
                    self.assertNotRegex(kernel.text, r"cp\.async" if target < 80 else "never")
                    self.assertLessEqual(kernel.threads, 1024)

    def test_targets(self):
        self.assertEqual(ptx.target_of(90), (90, "7.8"))
        self.assertEqual(ptx.target_of(103), (100, "8.6"))  # The newest older one.
        self.assertEqual(ptx.number_of("sm_90a"), 90)
        with self.assertRaisesRegex(ValueError, "no PTX for sm_61; the oldest is sm_70"):
            ptx.target_of(61)

    def test_loops_hold_what_they_count(self):
        kernel = shared_loads.kernel(80, 16)
        body = kernel.text.split("LOOP:")[1].split("bra LOOP")[0]
        self.assertEqual(body.count("ld.volatile.shared.v4.u32"), kernel.per)
        self.assertEqual(kernel.expect, {"LDS(\\.U)?\\.128": kernel.per})
        both = overlap.kernel(80, 12)
        body = both.text.split("LOOP:")[1].split("bra LOOP")[0]
        self.assertEqual((body.count("fma.rn.f32"), body.count("ld.volatile")), (96, 8))

    def test_results_are_kept(self):
        text = ptx.timed(80, 32, ["nop;"], sink=["%r7"]).keep("mov.u32 %r7, 1;").text
        self.assertRegex(text, r"%end, %clock64;\nbar.sync 0;\nmov.u32 %r7, 1;\n"
                               r"@%p31 st.global.b32 \[%out\+0\], %r7;")


class ModelTest(unittest.TestCase):
    def test_constants_are_those_of_the_code(self):
        for name, (value, file) in model.CONSTANTS.items():
            with open(os.path.join(ANALYSIS, file)) as source:
                found = re.search(r"\b%s = ([0-9.e-]+)" % name, source.read())
            self.assertIsNotNone(found, name)
            self.assertEqual(float(found.group(1)), value, name)

    def test_bank_passes(self):
        patterns = {width: shared_loads.patterns(width) for width in (4, 8, 16)}
        for width, name, passes in (
                (4, "distinct_32_turns", 1), (4, "distinct_1_turns", 1), (4, "stride_2", 2),
                (4, "stride_32", 32), (8, "distinct_32_turns", 2), (16, "distinct_32_turns", 4),
                (16, "distinct_8_turns", 4), (16, "stride_2", 8), (16, "stride_8", 32)):
            self.assertEqual(model.bank_passes(patterns[width][name], width), passes, name)
        self.assertEqual(model.bank_passes(patterns[4]["distinct_32_turns"], 4, 64), 2)

    def test_passes_are_those_of_an_h200(self):
        """Loads from shared memory by all patterns: neighbors with one address are served
        together."""
        results = os.path.join(sys.argv[1], "..", "..", "data", "results")
        if not os.path.isdir(results):
            self.skipTest("data/ is not checked out")
        with open(os.path.join(results, "calibrate-h200.json")) as file:
            readings = json.load(file)["probes"]["shared_loads"]["readings"]
        medians = {name: reading["median"] for name, reading in readings.items()}
        passes = [constant.derive(medians, MACHINE)
                  for constant in shared_loads.SharedLoads().constants()
                  if constant.name.startswith("passes")]
        self.assertEqual(len(passes), 42)
        for each in passes:
            self.assertAlmostEqual(each["ratio"], 1, delta=0.01, msg=each["constant"])

    def test_lanes(self):
        self.assertAlmostEqual(model.lanes(MACHINE), 128)


class ProbeTest(unittest.TestCase):
    def test_every_probe_runs(self):
        for arch in ("sm_70", "sm_90a", "sm_120"):
            machine = dict(MACHINE, arch=arch)
            device = Device()
            for probe in probes.PROBES:
                found = readings_of(probe, machine, device)
                self.assertEqual(bool(found), ptx.number_of(arch) >= probe.oldest, probe.name)
                for reading in found.values():
                    self.assertLessEqual(reading["low"], reading["median"])
                    self.assertLessEqual(reading["median"], reading["high"])

    def test_every_constant_is_derived(self):
        entries = {p.name: {"readings": readings_of(p)} for p in probes.PROBES}
        derived = calibrate.derive(entries, MACHINE)
        self.assertEqual([c["constant"] for c in derived],
                         [constant.name for _, constant in probes.all_constants()])
        # Names identify constants.
        self.assertEqual(len({c["constant"] for c in derived}), len(derived))
        # Without a description of the device, measured values remain.
        for c, known in zip(calibrate.derive(entries, None), derived):
            self.assertEqual(c["measured"], known["measured"])

    def test_a_rate(self):
        # 32 warps with 256 multiply-adds each take 2,048 cycles on 128 lanes.
        found = readings_of(next(p for p in probes.PROBES if p.name == "multiply_adds"),
                            device=Device(2048))
        self.assertEqual(found["independent"]["median"], 0.25)
        self.assertEqual(found["dependent"]["median"], 16)

    def test_a_clock_that_stands_still(self):
        with self.assertRaisesRegex(kit.Failed, "the clock did not advance"):
            readings_of(next(p for p in probes.PROBES if p.name == "shuffles"),
                        device=Device(0))


class LabTest(unittest.TestCase):
    def test_ptxas_replaces_a_missing_assembler(self):
        class NoAssembler(Device):
            def call(self, name, *arguments):
                if name == "cuModuleLoadDataEx":
                    self.image = arguments[1].value
                    if self.image.startswith(b".version"):
                        raise kit.Failed("CUDA_ERROR_JIT_COMPILER_NOT_FOUND")
                super().call(name, *arguments)
        with tempfile.TemporaryDirectory() as path:
            ptxas = os.path.join(path, "ptxas")
            with open(ptxas, "w") as file:
                file.write("#!/bin/sh\ntest $1 = -arch=sm_90 && echo cubin >$4\n")
            os.chmod(ptxas, 0o755)
            device = NoAssembler()
            Lab(device, MACHINE, None, ptxas)
            self.assertEqual(device.image, b"cubin\n")
            with self.assertRaisesRegex(kit.Failed, "JIT_COMPILER_NOT_FOUND"):
                Lab(NoAssembler(), MACHINE, None)


class DeriveTest(unittest.TestCase):
    def constants(self, name, readings):
        return {c["constant"]: c for c in calibrate.derive(
            {name: {"readings": {k: {"median": v} for k, v in readings.items()}}}, MACHINE)}

    def test_shared_memory(self):
        found = self.constants("shared_loads", {
            "load_128/distinct_32_turns": 4.04, "load_128/distinct_8_turns": 1.02,
            "load_32/distinct_32_turns": 2.03})
        rate = found["bytes per cycle of shared memory"]
        self.assertAlmostEqual(rate["measured"], 126.7, 1)
        self.assertEqual(rate["field_value"], 128)  # Rounded.
        self.assertEqual(
            found["lanes of a warp that load/store units serve per cycle"]["field_value"], 16)
        tile = found["passes of LDS.128, distinct_8_turns"]
        self.assertEqual((tile["model"], tile["measured"]), (4, 1.02))
        self.assertAlmostEqual(tile["ratio"], 0.255)
        self.assertEqual(len(found), 5)  # Missing readings give no constants.

    def test_order_of_the_norm(self):
        for order in (1.5, 3, 8):
            rows = [([f, 4.0], (f ** order + 4.0 ** order) ** (1 / order))
                    for f in (2.0, 4.0, 6.0)]
            self.assertAlmostEqual(overlap.order_of(rows), order, 1)
        # The issue slots are a third pipe: as much as multiply-adds on four schedulers.
        readings = {"schedulers": 4, "multiply_add": 0.25, "tile_4x8/loads": 4.0}
        for ratio in overlap.RATIOS:
            pipes = (ratio / 4, 4.0, (ratio + 1) / 4)
            readings["tile_4x8/both_%d" % ratio] = sum(x ** 3 for x in pipes) ** (1 / 3)
        found = self.constants("overlap", readings)
        third = found["the same with the issue slots as a third pipe, tile_4x8"]
        self.assertAlmostEqual(third["measured"], 3, 1)
        self.assertLess(found["order of the norm of multiply-adds and loads, tile_4x8"]
                        ["measured"], 3)

    def test_gap(self):
        found = self.constants("launches", {"spin/stream": 12e-6, "spin/once": 2e-3})
        self.assertAlmostEqual(
            found["gap between kernels of 20,000 cycles, stream"]["measured"], 2e-6)

    def test_block_starts(self):
        # 0.5 ns a cycle; 1,024 more blocks of an SM take 80 us.
        found = self.constants("block_starts", {
            "spin/1": 1e-3, "threads_128/1024": 90e-6, "threads_128/2048": 170e-6})
        self.assertAlmostEqual(
            found["start of a block of 128 threads"]["measured"], 156.25)

    def test_machine(self):
        constants = [
            {"field": "clockMHz", "field_value": 1755.0, "ratio": 1755 / 1980},
            {"field": "memoryBandwidth", "field_value": 4e12, "ratio": 4 / 4.8},
            {"field": "lanes", "field_value": 128, "ratio": 1.0},
            {"field": "sm.sharedBytesPerCycle", "field_value": 12, "ratio": 0.1},
            {"constant": "not of a machine", "ratio": 1.0}]
        found = calibrate.calibrated(MACHINE, constants)
        self.assertEqual(set(found), set(MACHINE))
        self.assertEqual((found["clockMHz"], found["memoryBandwidth"]), (1755.0, 4e12))
        self.assertAlmostEqual(found["peakFlops"], 4 * 128 * 2 * 1755e6)
        self.assertEqual(found["sm"]["sharedBytesPerCycle"], 128)  # 12 is not plausible.
        self.assertEqual(found["notes"][0], "a source")
        self.assertIn("clockMHz, memoryBandwidth", found["notes"][1])
        self.assertEqual(MACHINE["sm"]["sharedBytesPerCycle"], 128)
        self.assertEqual(calibrate.calibrated(MACHINE, []), MACHINE)

    def test_table(self):
        lines = calibrate.table([
            {"constant": "a", "unit": "cycles", "model": 4, "measured": 1.01, "ratio": 0.2525},
            {"constant": "b", "unit": "s", "model": None, "measured": 2e-6, "ratio": None}])
        self.assertEqual([line.split() for line in lines.split("\n")],
                         [["constant", "unit", "model", "measured", "ratio"],
                          ["a", "cycles", "4", "1.01", "0.253"], ["b", "s", "2e-06"]])


class Right(Probe):
    name, measures = "right", "nothing"

    def run(self, lab):
        lab.record("a", [1.0, 2.0, 4.0], "cycles")

    def constants(self):
        return [Constant("of a", "cycles", lambda r: r["a"], 4)]


class Throws(Right):
    name = "throws"

    def run(self, lab):
        lab.record("a", [1.0], "cycles")
        raise kit.Failed("one kernel is wrong")


class Hangs(Right):
    name = "hangs"

    def run(self, lab):
        lab.record("a", [1.0], "cycles")
        time.sleep(600)


class Dies(Right):
    name = "dies"

    def run(self, lab):
        lab.record("a", [1.0], "cycles")
        os._exit(7)


class Loses(Right):
    """The context is lost, as after an access to a wrong address."""
    name = "loses"

    def run(self, lab):
        def lost():
            raise kit.Failed("CUDA error 700, CUDA_ERROR_ILLEGAL_ADDRESS")
        lab.driver.synchronize = lost
        raise kit.Failed("cuLaunchKernel failed")


class Last(Right):
    name = "last"


class Newer(Right):
    name, oldest = "newer", 200


class CommandTest(unittest.TestCase):
    """The command with probes that fail, on a driver that computes nothing."""

    def run_with(self, *kinds, minutes=1.0, driver=Device, machine=MACHINE, named=None, **more):
        options = argparse.Namespace(
            minutes=minutes, only=re.compile("."), probe_seconds=2, one_file=False, python=None,
            machine=named)
        vars(options).update(more)

        class Found(driver):
            def attribute(self, number):
                return {75: 9, 76: 0, 16: 132}.get(number, 1)
        found = mock.Mock(return_value=machine)
        if isinstance(machine, Exception):
            found = mock.Mock(side_effect=machine)
        with tempfile.TemporaryDirectory() as path, \
                mock.patch.object(probes, "PROBES", [kind() for kind in kinds]), \
                mock.patch.object(cuda, "Driver", Found), \
                mock.patch.object(kit.Kit, "find_device", found), \
                mock.patch.object(calibrate, "say"):
            options.output = path
            code = calibrate.run(options)
            with open(os.path.join(path, "calibrate.json")) as file:
                result = json.load(file)
            return code, result, sorted(os.listdir(path))

    def test_right(self):
        code, result, files = self.run_with(Right)
        self.assertEqual((code, result["complete"]), (kit.RIGHT, True))
        self.assertEqual(files, ["calibrate.json", "machine.json"])
        self.assertEqual(result["probes"]["right"]["readings"]["a"], {
            "median": 2.0, "low": 1.0, "high": 4.0, "samples": 3, "unit": "cycles"})
        self.assertEqual(result["constants"], [{
            "constant": "of a", "unit": "cycles", "measured": 2.0, "model": 4, "ratio": 0.5,
            "probe": "right"}])
        self.assertEqual(result["device"]["units"], 132)
        self.assertEqual(self.run_with(Right, one_file=True)[2], ["calibrate.json"])

    def test_a_probe_that_the_device_does_not_support(self):
        code, result, _ = self.run_with(Newer, Right)
        self.assertEqual((code, result["complete"]), (kit.RIGHT, True))
        self.assertEqual(result["probes"]["newer"]["error"], "needs sm_200")

    def test_a_failing_probe_loses_nothing(self):
        code, result, _ = self.run_with(Right, Throws, Hangs, Dies, Loses, Last)
        self.assertEqual((code, result["complete"]), (kit.WRONG, False))
        statuses = {name: entry["status"] for name, entry in result["probes"].items()}
        self.assertEqual(statuses, {"right": "right", "throws": "failed", "hangs": "failed",
                                    "dies": "failed", "loses": "failed", "last": "right"})
        errors = {name: entry.get("error") for name, entry in result["probes"].items()}
        self.assertEqual(errors["throws"], "Failed: one kernel is wrong")
        self.assertEqual(errors["hangs"], "took over 2 s")
        self.assertEqual(errors["dies"], "its process ended with 7")
        self.assertRegex(errors["loses"], "cuLaunchKernel failed; .*ILLEGAL_ADDRESS")
        for name in ("throws", "hangs", "dies"):
            self.assertEqual(result["probes"][name]["readings"]["a"]["median"], 1.0)
        self.assertEqual(result["not_reached"], [])

    def test_time_is_kept(self):
        begun = time.monotonic()
        code, result, _ = self.run_with(Right, Hangs, Last, minutes=0.02, probe_seconds=60)
        self.assertLess(time.monotonic() - begun, 20)
        self.assertEqual(code, kit.WRONG)
        self.assertEqual(result["probes"]["hangs"]["error"], "no time was left")
        self.assertEqual(result["not_reached"], ["last"])

    def test_without_the_tools(self):
        """The driver describes the device; there is no machine to correct."""
        code, result, files = self.run_with(Right, machine=FileNotFoundError("no tool"))
        self.assertEqual((code, files), (kit.RIGHT, ["calibrate.json"]))
        self.assertNotIn("machine", result)

    def test_a_machine_that_is_named(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(MACHINE, file)
            file.flush()
            code, result, _ = self.run_with(
                Right, machine=kit.NoGpu("pruner-machine does not start"), named=file.name)
        self.assertEqual((code, result["machine"]["units"]), (kit.RIGHT, 4))

    def test_no_gpu(self):
        class None_(Device):
            def __init__(self):
                raise kit.NoGpu("libcuda.so.1: no such file")
        with self.assertRaisesRegex(kit.NoGpu, "libcuda.so.1: no such file"):
            self.run_with(Right, driver=None_)
        with self.assertRaisesRegex(kit.NoGpu, "finds no device"):
            self.run_with(Right, driver=None_, machine=kit.NoGpu("it finds no device"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
