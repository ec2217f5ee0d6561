"""Passes of stores to shared memory, by width and bank conflicts."""

from . import model, ptx
from .probe import Constant, Probe
from .shared_loads import POOL, WIDTHS, mnemonic, patterns

STORES = 32  # In the loop.
SHOWN = ("distinct_32_turns", "stride_2", "stride_4", "stride_8", "stride_16", "stride_32")


def kernel(number, width):
    setup = ptx.integer_seeds(4) + ptx.lane_offset("%r500") + [
        "mov.u32 %r501, pool;", "add.u32 %r500, %r500, %r501;"]
    body = ["st.volatile.shared.%s [%%r500+%d], %s;" % (
        ptx.suffix(width), 512 * n, ptx.vector(width, 0)) for n in range(STORES)]
    # A load afterwards keeps the stores alive.
    return ptx.timed(number, 1024, body, setup, ["%r0"], STORES,
                     {mnemonic("STS", width): STORES}, POOL).keep(
                         "ld.volatile.shared.u32 %r0, [%r500];")


class SharedStores(Probe):
    name = "shared_stores"
    measures = "cycles of an SM for STS.32, .64 and .128 by bank conflicts"

    def kernels(self, number):
        return {"store_%d" % (8 * width): kernel(number, width) for width in WIDTHS}

    def run(self, lab):
        kernels = self.kernels(lab.number)
        for width in WIDTHS:
            loaded = lab.load(kernels["store_%d" % (8 * width)])
            for name, offsets in patterns(width).items():
                if name in SHOWN:
                    lab.rate("store_%d/%s" % (8 * width, name), loaded, data=lab.table(offsets))

    def constants(self):
        found = []
        for width in WIDTHS:
            for name, offsets in patterns(width).items():
                if name not in SHOWN:
                    continue
                found.append(Constant(
                    "passes of STS.%d, %s" % (8 * width, name), "cycles",
                    lambda r, key="store_%d/%s" % (8 * width, name): r[key],
                    lambda m, o=offsets, w=width: model.bank_passes(
                        o, w, m["sm"]["sharedBytesPerCycle"])))
        return found
