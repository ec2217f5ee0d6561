"""Cost of long loop bodies: instruction caches."""

from . import ptx
from .clock import fma_body
from .probe import Constant, Probe

SIZES = (256, 512, 1024, 2048, 3072, 4096, 6144, 8192, 16384)
WARPS = (4, 16)


class CodeSize(Probe):
    name = "code_size"
    measures = "cycles of a multiply-add in straight-line loop bodies of 256 to 16,384"

    def kernels(self, number):
        return {"body_%d" % size: ptx.timed(
            number, 512, fma_body(size), ptx.float_seeds(16), ["%%f%d" % n for n in range(16)],
            size, {"FFMA": size}) for size in SIZES}

    def run(self, lab):
        for key, kernel in self.kernels(lab.number).items():
            loaded = lab.load(kernel)
            for warps in WARPS:
                lab.rate("%s/%d_warps" % (key, warps), loaded, block=warps * ptx.WARP,
                         cycles=500000, samples=5)

    def constants(self):
        return [Constant("multiply-adds of a loop of %d instructions, cycles over those of 256, "
                         "%d warps" % (size, warps), "ratio",
                         lambda r, s=size, w=warps: r["body_%d/%d_warps" % (s, w)] /
                         r["body_256/%d_warps" % w], 1)
                for warps in WARPS for size in SIZES[1:]]
