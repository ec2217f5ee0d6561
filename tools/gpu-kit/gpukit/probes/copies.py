"""Copies from global to shared memory: through registers, and with cp.async."""

from . import ptx
from .probe import Constant, Probe

THREADS, PARTS = 256, 4
SLICE = THREADS * PARTS * 16  # Bytes of a block's slice, 16 KB.
WINDOW = 4 * SLICE  # Bytes that a block walks through again and again, from L2.
RESIDENT = (1, 2, 4)  # Blocks of an SM.
SLICES = 2  # In the loop.


def _loads(base):
    return ["ld.global.v4.u32 %s, [%%d501+%d];" % (ptx.vector(16, base + 4 * n),
                                                   n * THREADS * 16) for n in range(PARTS)]


def _stores(base, buffer):
    return ["st.shared.v4.u32 [%%r500+%d], %s;" % (buffer * SLICE + n * THREADS * 16,
                                                   ptx.vector(16, base + 4 * n))
            for n in range(PARTS)]


def _async(buffer):
    return ["cp.async.cg.shared.global [%%r500+%d], [%%d501+%d], 16;" % (
        buffer * SLICE + n * THREADS * 16, n * THREADS * 16) for n in range(PARTS)] + [
        "cp.async.commit_group;"]


def _use(buffer):
    """Read one vector of another thread."""
    return ["ld.shared.v4.u32 {%%r400, %%r401, %%r402, %%r403}, [%%r510+%d];" % (buffer * SLICE),
            ptx.xor3("%r0", "%r400", "%r401"), ptx.xor3("%r1", "%r402", "%r403")]


NEXT = ["add.u32 %%r501, %%r501, %d;" % SLICE, "and.b32 %%r501, %%r501, %d;" % (WINDOW - 1),
        "cvt.u64.u32 %d501, %r501;", "add.u64 %d501, %d501, %d500;"]


def kernel(number, kind):
    setup = ptx.integer_seeds(2) + [
        "mov.u32 %r501, pool;", "shl.b32 %r500, %thread, 4;", "xor.b32 %r510, %r500, 1008;",
        "add.u32 %r500, %r500, %r501;", "add.u32 %r510, %r510, %r501;",
        "mul.wide.u32 %%d500, %%block, %d;" % WINDOW, "mul.wide.u32 %d501, %thread, 16;",
        "add.u64 %d500, %d500, %d501;", "add.u64 %d500, %d500, %data;", "mov.u64 %d501, %d500;",
        "mov.u32 %r501, 0;"]
    barrier, body, expect = ["bar.sync 0;"], [], {"BAR": SLICES * 2}
    if kind == "registers":
        for _ in range(SLICES):
            body += _loads(100) + NEXT + _stores(100, 0) + barrier + _use(0) + barrier
        expect.update({"LDG\\.E\\.128": PARTS * SLICES, "STS\\.128": PARTS * SLICES})
    elif kind == "registers_ahead":
        # The loads of the next slice are in flight while this one is used.
        setup += _loads(100) + NEXT
        for _ in range(SLICES):
            body += _stores(100, 0) + barrier + _loads(100) + NEXT + _use(0) + barrier
        expect.update({"LDG\\.E\\.128": PARTS * SLICES, "STS\\.128": PARTS * SLICES})
    elif kind == "async":
        for _ in range(SLICES):
            body += _async(0) + NEXT + ["cp.async.wait_group 0;"] + barrier + _use(0) + barrier
        expect["LDGSTS"] = PARTS * SLICES
    elif kind == "async_2_stages":
        setup += _async(0) + NEXT
        for n in range(SLICES):
            body += _async((n + 1) % 2) + NEXT + ["cp.async.wait_group 1;"] + barrier + \
                _use(n % 2) + barrier
        expect["LDGSTS"] = PARTS * SLICES
    stages = 2 if kind == "async_2_stages" else 1
    return ptx.timed(number, THREADS, body, setup, ["%r0", "%r1"], SLICES, expect,
                     stages * SLICE)


class Copies(Probe):
    name = "copies"
    measures = "cycles of an SM for a slice of 16 KB from L2 to shared memory"

    def kernels(self, number):
        kinds = ["registers", "registers_ahead"]
        if number >= 80:
            kinds += ["async", "async_2_stages"]
        return {kind: kernel(number, kind) for kind in kinds}

    def run(self, lab):
        buffer = lab.buffer(lab.units * max(RESIDENT) * WINDOW + SLICE)
        for key, each in self.kernels(lab.number).items():
            loaded = lab.load(each)
            for resident in RESIDENT:
                samples = lab.cycles(loaded, lab.units * resident, THREADS, buffer)
                lab.record("%s/%d_blocks" % (key, resident),
                           [s / loaded.per / resident for s in samples], "cycles")

    def constants(self):
        found = []
        for resident in RESIDENT:
            for key, what in (("async", "cp.async"), ("async_2_stages", "cp.async in two stages"),
                              ("registers_ahead", "registers, one slice ahead")):
                found.append(Constant(
                    "slice by %s over that through registers, %d blocks" % (what, resident),
                    "ratio", lambda r, k="%s/%d_blocks" % (key, resident), n=resident:
                    r[k] / r["registers/%d_blocks" % n]))
        return found
