"""Cost of barriers of a block."""

from . import model, ptx
from .probe import Constant, Probe

BARRIERS = 16
BLOCKS = (32, 64, 128, 256, 512, 1024)


class Barriers(Probe):
    name = "barriers"
    measures = "cycles of bar.sync by the threads of a block; of a step with two of them"

    def kernels(self, number):
        step = ["st.volatile.shared.u32 [%r500], %r0;", "bar.sync 0;",
                "ld.volatile.shared.u32 %r1, [%r501];", "add.u32 %r0, %r0, %r1;", "bar.sync 0;"]
        setup = ["mov.u32 %r0, %thread;", "mov.u32 %r501, pool;", "shl.b32 %r500, %thread, 2;",
                 "add.u32 %r500, %r500, %r501;", "xor.b32 %r502, %thread, 31;",
                 "shl.b32 %r502, %r502, 2;", "add.u32 %r501, %r501, %r502;"]
        return {"barrier": ptx.timed(number, 1024, ["bar.sync 0;"] * BARRIERS, per=BARRIERS,
                                     expect={"BAR": BARRIERS}),
                "step": ptx.timed(number, 1024, step * 4, setup, ["%r0"], 4,
                                  {"BAR": 8, "STS": 4, "LDS": 4}, 4096)}

    def run(self, lab):
        for key, kernel in self.kernels(lab.number).items():
            loaded = lab.load(kernel)
            for threads in BLOCKS:
                for resident in (1, 2) if threads < 1024 else (1,):
                    samples = lab.cycles(loaded, lab.units * resident, threads)
                    lab.record("%s/%d_threads/%d_blocks" % (key, threads, resident),
                               [s / loaded.per for s in samples], "cycles")

    def constants(self):
        def two(threads):
            return lambda r: 2 * r["barrier/%d_threads/1_blocks" % threads]
        found = [Constant("both barriers of a step, %d threads" % threads, "cycles",
                          two(threads), model.barriers(threads)) for threads in BLOCKS[2:]]
        found.append(Constant(
            "a step of a store, a load and both barriers, 256 threads", "cycles",
            lambda r: r["step/256_threads/1_blocks"],
            model.barriers(256) + model.value("kSharedLatency")))
        return found
