"""Time of a warp for several loads in flight, from L2 and from main memory."""

from . import model, ptx
from .probe import Constant, Probe

COUNTS = (1, 2, 4, 8, 16, 32)
BATCHES = 1024  # Of a launch.
# Level: bytes of the window.
LEVELS = {"l2": 4 << 20, "memory": 1 << 30}


def kernel(number, loads):
    """`loads` lines of 128 bytes at a time; the next ones depend on all of them. They
    are in the window `data`, at offsets of which the first word of `out` is the mask."""
    setup = ptx.integer_seeds(1) + [
        "mul.wide.u32 %d500, %lane, 4;", "add.u64 %d500, %d500, %data;", "mov.u32 %r500, 0;",
        "cvt.u32.u64 %r510, %magic;", "ld.global.u32 %r511, [%out];"]
    body = ["cvt.u64.u32 %d501, %r500;", "add.u64 %d501, %d501, %d500;"]
    # Lines of one batch are 4 KB apart.
    body += ["ld.global.cg.u32 %%r%d, [%%d501+%d];" % (100 + n, 4096 * n) for n in range(loads)]
    body += ["xor.b32 %%r0, %%r0, %%r%d;" % (100 + n) for n in range(loads)]
    # An offset without pattern, of whole lines; `magic` is 0.
    body += ["and.b32 %r501, %r0, %r510;", "mad.lo.u32 %r502, %r502, 1664525, 1013904223;",
             "shr.u32 %r500, %r502, 2;", "and.b32 %r500, %r500, %r511;",
             "add.u32 %r500, %r500, %r501;"]
    return ptx.timed(number, ptx.WARP, body, setup + ["mov.u32 %r502, 12345;"], ["%r0"], 1,
                     {"LDG": loads})


class LoadsInFlight(Probe):
    name = "loads_in_flight"
    measures = "cycles of one warp for 1 to 32 loads of a line at a time, from L2 and memory"

    def kernels(self, number):
        return {"loads_%d" % loads: kernel(number, loads) for loads in COUNTS}

    def run(self, lab):
        kernels = self.kernels(lab.number)
        loaded = {loads: lab.load(kernels["loads_%d" % loads]) for loads in COUNTS}
        for level, size in LEVELS.items():
            window, size = lab.large(size)
            # Offsets of whole lines, with room for the other lines of a batch.
            mask = (size // 2 - 1) & ~127
            # Every launch has the same sequence of offsets. In main memory it begins
            # elsewhere, because L2 holds the lines of the last launches.
            step = size // 128 if level == "memory" else 0
            for loads in COUNTS:
                samples = []
                for _ in range(6):
                    # The times of the last launch are where the mask was.
                    lab.upload(lab.out, mask.to_bytes(4, "little"))
                    samples.append(lab.interval(loaded[loads], BATCHES, 1, ptx.WARP, window))
                    window += step
                lab.record("%s/%d_loads" % (level, loads),
                           [s / BATCHES for s in samples[1:]], "cycles")

    def constants(self):
        found = []
        for level, latency in (("l2", model.value("kMemoryLatency") / 2),
                               ("memory", model.value("kMemoryLatency"))):
            for loads in COUNTS:
                found.append(Constant(
                    "%d loads in flight of one warp, %s" % (loads, level), "cycles",
                    lambda r, k="%s/%d_loads" % (level, loads): r[k],
                    latency * -(-loads // model.value("kInFlight"))))
        return found
