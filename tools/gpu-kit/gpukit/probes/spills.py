"""Spilled registers: loads and stores of local memory."""

from . import model, ptx
from .probe import Constant, Probe

WORDS = (8, 32, 128)  # Of a thread.
PAIRS = 8


def kernel(number, words):
    """Groups of loads, and then stores, of the thread's own words."""
    setup = ptx.integer_seeds(2) + [
        # An offset that the assembler does not know.
        "cvt.u32.u64 %r500, %magic;", "mov.u32 %r501, stack;", "add.u32 %r500, %r500, %r501;"]
    setup += ["st.local.u32 [%%r500+%d], %%r0;" % (4 * n) for n in range(words)]
    body = []
    groups = max(1, words // PAIRS)
    for g in range(groups):
        for n in range(PAIRS):
            body.append("ld.local.u32 %%r%d, [%%r500+%d];" % (100 + n, 4 * (g * PAIRS + n)))
        for n in range(PAIRS):
            body.append("add.u32 %%r%d, %%r%d, %%r1;" % (100 + n, 100 + n))
            body.append("st.local.u32 [%%r500+%d], %%r%d;" % (4 * (g * PAIRS + n), 100 + n))
    return ptx.timed(number, 1024, body, setup, ["%r100"], 2 * PAIRS * groups,
                     {"LDL": PAIRS * groups, "STL": PAIRS * groups}, local=4 * words + 512)


class Spills(Probe):
    name = "spills"
    measures = "cycles of an SM for an access to a spilled register, by words of a thread"

    def kernels(self, number):
        return {"words_%d" % words: kernel(number, words) for words in WORDS}

    def run(self, lab):
        for key, each in self.kernels(lab.number).items():
            loaded = lab.load(each)
            for warps in (8, 32):
                lab.rate("%s/%d_warps" % (key, warps), loaded, block=warps * ptx.WARP)

    def constants(self):
        return [Constant("access to one of %d spilled words of a thread, %d warps" % (
            words, warps), "cycles", lambda r, k="words_%d/%d_warps" % (words, warps): r[k],
            model.value("kSpillPasses"))
            for words in WORDS for warps in (8, 32)]
