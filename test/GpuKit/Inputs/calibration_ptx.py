"""Runs the kernels of `calibrate` in the PTX machine: calibration_ptx.py <tools/gpu-kit>."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [sys.argv[1], os.path.join(sys.argv[1], "..", "..", "python")]

from gpukit import probes
from gpukit.probes import (barriers, copies, global_stores, l1_loads, latencies, model, overlap,
                           ptx, shared_loads, shared_stores, streams)

ARCH = 80  # It has cp.async.


def adapted(text, table=()):
    """Return the kernel with `table`, the offsets of the lanes, which are otherwise in
    memory."""
    if table:
        lines = ["mov.u32 %r500, 0;"]
        for lane, offset in enumerate(table):
            lines += ["setp.eq.u32 %%p20, %%lane, %d;" % lane,
                      "@%%p20 mov.u32 %%r500, %d;" % offset]
        text = text.replace("ld.global.u32 %r500, [%d1000];", "\n".join(lines))
    return text


def counts_of(kernel, count=1, magic=0, block=ptx.WARP, grid=1, table=(), words=65536,
              fill="zeros"):
    """Run a kernel and return its dynamic counts."""
    with tempfile.TemporaryDirectory() as path:
        name = os.path.join(path, "probe.ptx")
        with open(name, "w") as file:
            file.write(adapted(kernel.text, table))
        done = subprocess.run(
            ["pruner-emulate", "--ptx=" + name, "--kernel=" + ptx.ENTRY,
             "--arguments=i32x65536,i32x%d,i64,i64" % words,
             "--scalars=%d,%d" % (count, magic), "--grid=%d" % grid, "--block=%d" % block,
             "--fill=" + fill, "--counts=-"], capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)["dynamic"]


def of_loop(kernel, field, **options):
    """Return the counts of one iteration of the timed loop."""
    one, two = (counts_of(kernel, n, **options)[field] for n in (1, 2))
    return difference(one, two)


def difference(one, two):
    if isinstance(two, dict):
        return {key: difference(one[key], two[key]) for key in two}
    return two - one


class SharedTest(unittest.TestCase):
    def test_wavefronts_are_those_of_the_model(self):
        for width in shared_loads.WIDTHS:
            for name, offsets in shared_loads.patterns(width).items():
                passes = model.bank_passes(offsets, width)
                for field, module in (("shared_loads", shared_loads),
                                      ("shared_stores", shared_stores)):
                    kernel = module.kernel(ARCH, width)
                    found = of_loop(kernel, field, table=offsets)
                    self.assertEqual(found["requests"], kernel.per, name)
                    self.assertEqual(found["wavefronts"], passes * kernel.per,
                                     (field, width, name))

    def test_overlap(self):
        for ratio in (4, 24):
            kernel = overlap.kernel(ARCH, ratio)
            found = of_loop(kernel, "opcodes")
            self.assertEqual(found["fma.rn.f32"]["warps"], ratio * overlap.LOADS)
            self.assertEqual(found["ld.volatile.shared.v4.f32"]["warps"], overlap.LOADS)
        kernel = overlap.kernel(ARCH, 16, loads=False)
        self.assertEqual(of_loop(kernel, "shared_loads")["requests"], 0)

    def test_barriers(self):
        kernels = barriers.Barriers().kernels(ARCH)
        self.assertEqual(of_loop(kernels["barrier"], "barriers", block=256), barriers.BARRIERS)
        self.assertEqual(of_loop(kernels["step"], "barriers", block=256), 8)

    def test_copies_have_no_race_and_move_a_slice(self):
        for key, kernel in copies.Copies().kernels(ARCH).items():
            options = {"block": copies.THREADS, "words": copies.WINDOW // 4}
            found = counts_of(kernel, 2, **options)
            moved = copies.SLICE * copies.SLICES
            if "async" in key:
                self.assertEqual(of_loop(kernel, "async_copies", **options)["bytes"], moved)
            else:
                self.assertEqual(of_loop(kernel, "shared_stores", **options)["bytes"], moved)
                self.assertEqual(of_loop(kernel, "global_loads", **options)["bytes"], moved)
                self.assertEqual(found["shared_stores"]["wavefronts"],
                                 found["shared_stores"]["ideal_wavefronts"])
            # The machine notices that a barrier is missing.
            head, loop = kernel.text.split("LOOP:")
            kernel.text = head + "LOOP:" + loop.replace("bar.sync 0;", "", 1)
            with self.assertRaisesRegex(AssertionError, "race|not waited for"):
                counts_of(kernel, 2, **options)


class GlobalTest(unittest.TestCase):
    def test_loads_touch_the_sectors_of_their_pattern(self):
        for width in shared_loads.WIDTHS:
            kernel = l1_loads.kernel(ARCH, width)
            for name, offsets in l1_loads.patterns(width).items():
                found = of_loop(kernel, "global_loads", table=offsets)
                sectors = len({offset // 32 for offset in offsets})
                self.assertEqual(found["sectors"], sectors * kernel.per, (width, name))

    def test_stores_touch_the_sectors_of_their_pattern(self):
        for key, (width, stride, sectors) in global_stores.PATTERNS.items():
            kernel = global_stores.kernel(ARCH, width, stride)
            found = of_loop(kernel, "global_stores")
            self.assertEqual(found["sectors"], sectors * kernel.per, key)

    def test_streams_access_each_byte_once(self):
        size = 4 * 65536
        for kind in streams.KINDS:
            for loads in streams.IN_FLIGHT:
                found = counts_of(streams.kernel(ARCH, kind, loads), size, grid=3,
                                  block=streams.THREADS)
                if kind != "write":
                    self.assertEqual(found["global_loads"]["sectors"], size // 32)
                if kind != "read":
                    self.assertEqual(found["global_stores"]["sectors"], size // 32)
        for kind, field in (("read", "global_loads"), ("write", "global_stores")):
            found = counts_of(streams.cached(ARCH, kind), 5, 1 << 17, grid=3,
                              block=streams.THREADS)
            self.assertEqual(found[field]["bytes"], 5 * 3 * streams.THREADS * 8 * 16)

    def test_partial_sectors(self):
        for key, (width, stride) in global_stores.STREAMS.items():
            found = counts_of(global_stores.stream(ARCH, width, stride), 2048, grid=2,
                              block=256)
            self.assertEqual(found["global_stores"]["bytes"], 2048 * width, key)

    def test_rings(self):
        found = counts_of(latencies.ring(ARCH), 1024, 128, grid=2, block=256)
        self.assertEqual(found["global_stores"]["bytes"], 1024 * 8)
        for nodes in (64, 4096):
            at, seen = 0, set()
            while at not in seen:
                seen.add(at)
                at = (at * 1664525 + 1013904223) % nodes
            self.assertEqual((len(seen), at), (nodes, 0))


class EveryKernelTest(unittest.TestCase):
    def test_timed_kernels_run(self):
        for probe in probes.PROBES:
            for key, kernel in probe.kernels(ARCH).items():
                # Rings need addresses in memory; long bodies take long; the machine has no
                # matrix units; other tests run the rest.
                if probe.name in ("latencies", "code_size", "shared_loads", "copies",
                                  "l1_loads", "memory_bandwidth", "l2_bandwidth",
                                  "loads_in_flight", "matrix_units"):
                    continue
                found = counts_of(kernel, 2, words=1 << 20)
                self.assertGreater(found["instructions"]["warps"], 0, (probe.name, key))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
