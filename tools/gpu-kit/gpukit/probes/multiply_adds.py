"""Rate and latency of multiply-adds."""

from . import model, ptx
from .clock import fma_kernel
from .probe import Constant, Probe


def outer_product(number):
    """Accumulators of 8 x 8, as a product has them: the registers of operands differ."""
    body = ["fma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d;" % (
        8 * i + j, 8 * i + j, 100 + i, 110 + j)
        for _ in range(4) for i in range(8) for j in range(8)]
    setup = ptx.float_seeds(64) + [
        "ld.global.f32 %%f%d, [%%data+%d];" % (base + n, 8 + 4 * (base + n))
        for base in (100, 110) for n in range(8)]
    return ptx.timed(number, 512, body, setup, ["%%f%d" % n for n in range(64)], 256,
                     {"FFMA": 256})


class MultiplyAdds(Probe):
    name = "multiply_adds"
    measures = "rate of multiply-adds of an SM, and the latency of a dependent one"

    def kernels(self, number):
        return {"independent": fma_kernel(number), "outer_product": outer_product(number),
                "dependent": fma_kernel(number, 128, 1, ptx.WARP)}

    def run(self, lab):
        kernels = self.kernels(lab.number)
        lab.rate("independent", kernels["independent"])
        lab.rate("outer_product", kernels["outer_product"])
        lab.latency("dependent", kernels["dependent"])
        # The rate of one warp by its independent accumulators, and of few warps.
        loaded = lab.load(kernels["independent"])
        for warps in (1, 4, 8, 16):
            lab.rate("warps_%d" % warps, loaded, block=warps * ptx.WARP)

    def constants(self):
        def lanes(r):
            return ptx.WARP / r["independent"]
        return [Constant("floating-point lanes of an SM", "lanes", lanes, model.lanes,
                         field="lanes", step=16),
                Constant("latency of a multiply-add", "cycles", lambda r: r["dependent"],
                         model.value("kFmaLatency")),
                Constant("multiply-adds of an 8 x 8 tile, cycles over those of 16 accumulators",
                         "ratio", lambda r: r["outer_product"] / r["independent"], 1)]
