"""What a probe uses on the device: kernels, buffers, readings."""

import os
import random
import statistics
import struct
import subprocess
import tempfile
import time

from .. import cuda
from ..kit import Failed
from . import ptx

SAMPLES = 7  # Launches that are measured, after one that is not.
CYCLES = 200000  # The length of a measured launch that chooses its own count.
DELAY = 300000  # Cycles in which the host submits one launch.
SEED_BYTES = 4096


class Lab:
    """Runs kernels on device 0. `send(reading name, reading)` receives each reading when
    it is known. If the driver has no assembler, `ptxas` replaces it."""

    def __init__(self, driver, machine, send, ptxas=None):
        self.driver, self.machine, self.send = driver, machine, send
        self.ptxas = ptxas
        self.number = ptx.number_of(machine["arch"])
        self.units = machine["units"]
        self.stream = driver.stream()
        self.begin, self.end = driver.event(), driver.event()
        self.out = driver.allocate(8 << 20)
        self.seeds = driver.allocate(SEED_BYTES)
        generator = random.Random(1)
        values = [1.0 + 1e-6, 1e-3] + [generator.uniform(0.5, 2) for _ in range(1022)]
        self.upload(self.seeds, struct.pack("<1024f", *values))
        self.owned = []
        self.delay = self.load(ptx.spin(self.number))

    # --- kernels and buffers --------------------------------------------------

    def load(self, kernel):
        """Assemble a ptx.Kernel."""
        launch = {"grid": [1], "block": [kernel.threads]}
        try:
            loaded = cuda.Kernel(self.driver, kernel.text.encode(), ptx.ENTRY, launch)
        except Failed:
            if not self.ptxas:
                raise
            loaded = cuda.Kernel(self.driver, self._assembled(kernel.text), ptx.ENTRY, launch)
        loaded.per, loaded.threads = kernel.per, kernel.threads
        return loaded

    def _assembled(self, text):
        with tempfile.TemporaryDirectory(prefix="pruner-calibrate-") as work:
            source, binary = os.path.join(work, "probe.ptx"), os.path.join(work, "probe.cubin")
            with open(source, "w") as file:
                file.write(text)
            done = subprocess.run([self.ptxas, "-arch=sm_%d" % self.number, source, "-o", binary],
                                  capture_output=True, text=True)
            if done.returncode:
                raise Failed("ptxas: " + done.stderr.strip())
            with open(binary, "rb") as file:
                return file.read()

    def buffer(self, size):
        """Allocate memory that is freed at the end of the probe."""
        self.owned.append(self.driver.allocate(size))
        return self.owned[-1]

    def large(self, wanted):
        """Return (buffer, bytes) of at most `wanted` bytes, a power of two, and at most
        a third of the free memory."""
        size = wanted
        while size > self.driver.free_bytes() // 3:
            size //= 2
        return self.buffer(size), size

    def table(self, offsets):
        """Return a buffer with an offset for each lane."""
        table = self.buffer(4 * ptx.WARP)
        self.upload(table, struct.pack("<32I", *offsets))
        return table

    def upload(self, pointer, data):
        """Write to the device. The stream of the kernels does not wait for copies."""
        self.driver.upload(pointer, data)
        self.driver.synchronize()

    def free(self):
        for pointer in self.owned:
            self.driver.free(pointer)
        self.owned = []

    # --- measuring ------------------------------------------------------------

    def record(self, name, samples, unit):
        """Report the median and the spread of the samples."""
        samples = sorted(samples)
        if not samples or samples[0] < 0 or samples[-1] <= 0:
            raise Failed("%s: the clock did not advance" % name)
        reading = {"median": statistics.median(samples), "low": samples[0],
                   "high": samples[-1], "samples": len(samples), "unit": unit}
        self.send(name, reading)
        return reading["median"]

    def note(self, name, value, unit):
        """Report a value that is not a measurement, such as a setting."""
        self.send(name, {"median": value, "low": value, "high": value, "samples": 0,
                         "unit": unit})

    def stamps(self, loaded, count, grid, block, data=0):
        """Launch once and return [(start, end) of each warp] of each block."""
        loaded.at(grid, block).launch([self.out, data or self.seeds, count, 0], self.stream)
        self.driver.synchronize()
        return self.read_stamps(grid, block)

    def read_stamps(self, grid, block):
        """Return what the last launch of a timed kernel stored."""
        warps = -(-block // ptx.WARP)
        raw = self.driver.download(self.out, grid * warps * 16)
        flat = struct.unpack("<%dQ" % (2 * grid * warps), raw)
        pairs = list(zip(flat[::2], flat[1::2]))
        return [pairs[n:n + warps] for n in range(0, len(pairs), warps)]

    def interval(self, loaded, count, grid, block, data=0):
        """Launch once and return the cycles from the first start to the last end of the
        warps of a block: the median of the blocks."""
        blocks = self.stamps(loaded, count, grid, block, data)
        return statistics.median(max(e for _, e in block) - min(s for s, _ in block)
                                 for block in blocks)

    def cycles(self, loaded, grid=None, block=None, data=0, count=None, cycles=CYCLES,
               least=4, samples=SAMPLES):
        """Return samples of the cycles that a block takes for one iteration. By default
        each SM has one block, and the number of iterations is chosen such that a launch
        takes `cycles`."""
        grid, block = grid or self.units, block or loaded.threads
        each = data if callable(data) else lambda n: data
        self.interval(loaded, least, grid, block, each(0))
        if count is None:
            once = self.interval(loaded, least, grid, block, each(0)) / least
            if once <= 0:
                raise Failed("the clock did not advance")
            count = max(least, min(1 << 24, int(cycles / once)))
        return [self.interval(loaded, count, grid, block, each(n + 1)) / count
                for n in range(samples)]

    def rate(self, name, kernel, grid=None, block=None, data=0, **options):
        """Record the cycles of an SM for one operation of a warp, where all warps of a
        block execute it. Return the median."""
        loaded = kernel if isinstance(kernel, cuda.Kernel) else self.load(kernel)
        block = block or loaded.threads
        work = loaded.per * -(-block // ptx.WARP)
        samples = self.cycles(loaded, grid, block, data, **options)
        return self.record(name, [s / work for s in samples], "cycles")

    def latency(self, name, kernel, data=0, **options):
        """Record the cycles of one operation in a chain of dependent ones of one warp."""
        return self.rate(name, kernel, 1, ptx.WARP, data, **options)

    def seconds(self, work, samples=SAMPLES, delay=DELAY):
        """Return samples of the seconds that what `work` submits takes on the device. A
        kernel that waits `delay` cycles is launched first, so that the time of the
        submission does not count."""
        work()
        found = []
        for _ in range(samples):
            self.delay.launch([self.out, self.seeds, delay, 0], self.stream)
            self.driver.record(self.begin, self.stream)
            work()
            self.driver.record(self.end, self.stream)
            found.append(self.driver.elapsed(self.begin, self.end))
        return found

    def run_for(self, seconds, work):
        """Repeat `work` for that time, to raise clocks and temperature."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            work()
            self.driver.synchronize()
