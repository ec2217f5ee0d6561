"""Latencies of shared memory, L1, L2 and main memory: chains of dependent loads."""

from . import model, ptx
from .probe import Constant, Probe

STEPS = 16
# Level: (modifier of the load, bytes of the ring, bytes between its nodes).
LEVELS = {"l1": ("ca", 8 << 10, 128), "l2": ("cg", 2 << 20, 128),
          "memory": ("cg", 1 << 30, 256)}


def ring(number):
    """Makes a ring of `count` nodes at `data`, `magic` bytes apart, in an order without
    pattern: node i leads to (i * odd + odd) mod count."""
    lines = ["mov.u32 %r0, %ntid.x;", "mad.lo.u32 %r1, %block, %r0, %thread;",
             "mul.lo.u32 %r2, %blocks, %r0;", "cvt.u32.u64 %r3, %count;",
             "add.u32 %r4, %r3, -1;", "cvt.u32.u64 %r5, %magic;", "LOOP:",
             "setp.ge.u32 %p0, %r1, %r3;", "@%p0 bra DONE;",
             # The multiplier is 1 modulo 4 and the increment odd: one ring of all nodes.
             "mad.lo.u32 %r6, %r1, 1664525, 1013904223;", "and.b32 %r6, %r6, %r4;",
             "mul.wide.u32 %d0, %r1, %r5;", "mul.wide.u32 %d1, %r6, %r5;",
             "add.u64 %d0, %data, %d0;", "add.u64 %d1, %data, %d1;",
             "st.global.u64 [%d0], %d1;", "add.u32 %r1, %r1, %r2;", "bra LOOP;", "DONE:"]
    return ptx.plain(number, 256, lines)


def chase(number, modifier):
    body = ["ld.global.%s.u64 %%d0, [%%d0];" % modifier] * STEPS
    return ptx.timed(number, ptx.WARP, body,
                     ["mov.u64 %d0, %data;"], ["%r0"], STEPS, {"LDG": STEPS}).keep("cvt.u32.u64 %r0, %d0;")


def shared(number):
    setup = ["mov.u32 %r0, pool;", "shl.b32 %r1, %thread, 2;", "add.u32 %r1, %r1, %r0;",
             "st.shared.u32 [%r1], %r1;", "mov.u32 %r0, %r1;"]
    return ptx.timed(number, ptx.WARP, ["ld.shared.u32 %r0, [%r0];"] * STEPS, setup,
                     ["%r0"], STEPS, {"LDS": STEPS}, 128)


class Latencies(Probe):
    name = "latencies"
    measures = "latency of a load from shared memory, L1, L2 and main memory"

    def kernels(self, number):
        found = {level: chase(number, modifier) for level, (modifier, _, _) in LEVELS.items()}
        found["shared"] = shared(number)
        found["ring"] = ring(number)
        return found

    def run(self, lab):
        kernels = self.kernels(lab.number)
        lab.latency("shared", kernels["shared"])
        make = lab.load(kernels["ring"])
        for level, (_, size, stride) in LEVELS.items():
            if level == "memory":
                buffer, size = lab.large(size)
            else:
                buffer = lab.buffer(size)
            nodes = size // stride
            make.at(lab.units * 4, 256).launch([lab.out, buffer, nodes, stride], lab.stream)
            lab.driver.synchronize()
            # Each launch walks along its own part of the ring of main memory.
            start = (lambda n, b=buffer, s=stride, c=nodes: b + (n * 1000003 % c) * s)
            options = {"count": 512} if level == "memory" else {}
            lab.latency(level, kernels[level], data=start, **options)
            lab.note(level + "/bytes", size, "bytes")

    def constants(self):
        return [Constant("latency of shared memory", "cycles", lambda r: r["shared"],
                         model.value("kSharedLatency")),
                Constant("latency of L1", "cycles", lambda r: r["l1"]),
                Constant("latency of L2", "cycles", lambda r: r["l2"],
                         model.value("kMemoryLatency") / 2),
                Constant("latency of main memory", "cycles", lambda r: r["memory"],
                         model.value("kMemoryLatency"))]
