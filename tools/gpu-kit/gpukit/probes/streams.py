"""Bandwidth of main memory and of L2."""

from . import model, ptx
from .probe import Constant, Probe

THREADS = 256
KINDS = ("read", "write", "copy")
IN_FLIGHT = (1, 4, 8)
BLOCKS = (1, 2, 4, 8)  # Per SM.


def kernel(number, kind, loads):
    """Walks through `count` bytes at `data`, and writes the copy to `out`. A thread has
    `loads` accesses of 16 bytes in flight."""
    piece = THREADS * loads * 16
    lines = ["mov.u32 %%r0, %d;" % piece, "mul.wide.u32 %d0, %block, %r0;",
             "mul.wide.u32 %d1, %thread, 16;", "add.u64 %d0, %d0, %d1;",
             "add.u64 %d2, %data, %d0;", "add.u64 %d3, %out, %d0;", "add.u64 %d4, %data, %count;",
             "mul.wide.u32 %d5, %blocks, %r0;", "setp.ge.u64 %p0, %d2, %d4;",
             "@%p0 bra DONE;"] + VALUES + ["LOOP:", '.pragma "nounroll";']
    lines += _accesses(kind, loads)
    lines += ["add.u64 %d2, %d2, %d5;", "add.u64 %d3, %d3, %d5;", "setp.lt.u64 %p0, %d2, %d4;",
              "@%p0 bra LOOP;"]
    return ptx.plain(number, THREADS, lines + _end(kind), expect=_expect(kind, loads))


def cached(number, kind, loads=8):
    """`count` times, each block accesses another piece of the `magic` bytes at `data`, a
    power of two, of which L2 holds all."""
    piece = THREADS * loads * 16
    lines = ["mul.lo.u32 %%r0, %%block, %d;" % piece, "mul.lo.u32 %%r1, %%blocks, %d;" % piece,
             "shl.b32 %r2, %thread, 4;", "cvt.u32.u64 %r3, %magic;", "add.u32 %r3, %r3, -1;",
             "cvt.u32.u64 %n, %count;"] + VALUES
    body = ["and.b32 %r4, %r0, %r3;", "add.u32 %r4, %r4, %r2;", "cvt.u64.u32 %d2, %r4;",
            "add.u64 %d2, %data, %d2;", "add.u32 %r0, %r0, %r1;"] + _accesses(
                kind, loads, ".cg")
    return ptx.plain(number, THREADS, lines + ptx.loop(body) + _end(kind),
                     expect=_expect(kind, loads))


VALUES = ["mov.u32 %r11, %thread;", "mov.u32 %r12, %block;", "mov.u32 %r13, %thread;",
          "mov.u32 %r14, 77;"]


def _accesses(kind, loads, modifier=""):
    """Accesses of a thread at %d2, and for a copy at %d3."""
    lines = []
    values = [ptx.vector(16, 100 + 4 * n) for n in range(loads)]
    if kind != "write":
        lines += ["ld.global%s.v4.u32 %s, [%%d2+%d];" % (modifier, value, n * THREADS * 16)
                  for n, value in enumerate(values)]
    if kind == "read":
        for n in range(loads):
            first = 100 + 4 * n
            lines += [ptx.xor3("%r11", "%%r%d" % first, "%%r%d" % (first + 1)),
                      ptx.xor3("%r12", "%%r%d" % (first + 2), "%%r%d" % (first + 3))]
    if kind == "copy":
        lines += ["st.global.v4.u32 [%%d3+%d], %s;" % (n * THREADS * 16, value)
                  for n, value in enumerate(values)]
    if kind == "write":
        lines += ["st.global.v4.u32 [%%d2+%d], {%%r11, %%r12, %%r13, %%r14};" % (
            n * THREADS * 16) for n in range(loads)] + ["mad.lo.u32 %r11, %r11, 1664525, %r14;"]
    return lines


def _end(kind):
    # The sum of random data is not this number.
    store = ["xor.b32 %r11, %r11, %r12;", "setp.eq.u32 %p0, %r11, 0x9d3c5a17;",
             "@%p0 st.global.u32 [%out], %r11;"]
    return (store if kind == "read" else []) + ["DONE:"]


def _expect(kind, loads):
    return {"LDG\\.E\\.128": 0 if kind == "write" else loads,
            "STG\\.E\\.128": 0 if kind == "read" else loads}


def fill(number):
    """Writes `count` numbers of 32 bits without pattern to `data`."""
    return ptx.plain(number, THREADS, [
        "mov.u32 %r0, %ntid.x;", "mad.lo.u32 %r1, %block, %r0, %thread;",
        "mul.lo.u32 %r2, %blocks, %r0;", "cvt.u32.u64 %r3, %count;", "LOOP:",
        "setp.ge.u32 %p0, %r1, %r3;", "@%p0 bra DONE;", "mul.lo.u32 %r4, %r1, 0x9E3779B1;",
        "shr.u32 %r5, %r4, 15;", "xor.b32 %r4, %r4, %r5;", "mul.lo.u32 %r4, %r4, 0x85EBCA77;",
        "shr.u32 %r5, %r4, 13;", "xor.b32 %r4, %r4, %r5;", "mul.wide.u32 %d0, %r1, 4;",
        "add.u64 %d0, %data, %d0;", "st.global.u32 [%d0], %r4;", "add.u32 %r1, %r1, %r2;",
        "bra LOOP;", "DONE:"])


class MemoryBandwidth(Probe):
    name = "memory_bandwidth"
    measures = "bandwidth of main memory: read, write, copy; by loads in flight and blocks"

    def kernels(self, number):
        found = {"%s_%d" % (kind, loads): kernel(number, kind, loads)
                 for kind in KINDS for loads in IN_FLIGHT}
        found["fill"] = fill(number)
        return found

    def run(self, lab):
        kernels = self.kernels(lab.number)
        source, size = lab.large(1 << 30)
        target, other = lab.large(1 << 30)
        size = min(size, other)
        random = lab.load(kernels["fill"])
        for buffer in (source, target):
            random.at(lab.units * 8, THREADS).launch([lab.out, buffer, size // 4, 0], lab.stream)
        lab.driver.synchronize()
        for kind in ("copy", "read", "write"):
            moved = size * (2 if kind == "copy" else 1)
            best = None
            for loads in reversed(IN_FLIGHT):
                loaded = lab.load(kernels["%s_%d" % (kind, loads)])
                whole = size // (THREADS * loads * 16)
                for blocks in BLOCKS + (0,):
                    grid = lab.units * blocks if blocks else whole
                    at = loaded.at(grid, THREADS)
                    seconds = lab.seconds(
                        lambda: at.launch([target, source, size, 0], lab.stream), samples=5)
                    name = "%s/%d_in_flight/%s" % (
                        kind, loads, "%d_blocks" % blocks if blocks else "whole_grid")
                    rate = lab.record(name, [moved / s for s in seconds], "bytes/s")
                    best = max(best or 0, rate)
            lab.note("%s/best" % kind, best, "bytes/s")

    def constants(self):
        bandwidth = lambda m: m["memoryBandwidth"]
        found = [Constant("bandwidth of main memory, copy", "bytes/s", lambda r: r["copy/best"],
                          bandwidth, field="memoryBandwidth"),
                 Constant("bandwidth of main memory, read", "bytes/s", lambda r: r["read/best"],
                          bandwidth),
                 Constant("bandwidth of main memory, write", "bytes/s",
                          lambda r: r["write/best"], bandwidth)]
        for loads in IN_FLIGHT:
            for blocks in (1, 4, 8):
                found.append(Constant(
                    "share of the read bandwidth, %d loads in flight, %d blocks of 256" % (
                        loads, blocks), "ratio",
                    lambda r, k="read/%d_in_flight/%d_blocks" % (loads, blocks):
                    r[k] / r["read/best"]))
        return found


class L2Bandwidth(Probe):
    name = "l2_bandwidth"
    measures = "bandwidth of L2: all SMs walk through the same data, which fits"

    def kernels(self, number):
        return {"read": cached(number, "read"), "write": cached(number, "write"),
                "fill": fill(number)}

    def run(self, lab):
        kernels = self.kernels(lab.number)
        buffer, most = lab.large(64 << 20)
        random = lab.load(kernels["fill"])
        random.at(lab.units * 8, THREADS).launch([lab.out, buffer, most // 4, 0], lab.stream)
        lab.driver.synchronize()
        count, grid = 64, lab.units * 4
        moved = count * grid * THREADS * 8 * 16
        for kind in ("read", "write"):
            loaded = lab.load(kernels[kind]).at(grid, THREADS)
            for mib in (2, 4, 8, 16, 32, 64):
                size = min(mib << 20, most)
                seconds = lab.seconds(lambda: loaded.launch(
                    [lab.out, buffer, count, size], lab.stream), samples=5)
                lab.record("%s/%d_MiB" % (kind, mib), [moved / s for s in seconds], "bytes/s")

    def constants(self):
        def per_cycle(kind):
            return lambda r: max(r["%s/%d_MiB" % (kind, mib)] for mib in (4, 8, 16))
        return [Constant("bandwidth of L2, read", "bytes/s", per_cycle("read")),
                Constant("bandwidth of L2, write", "bytes/s", per_cycle("write"))]
