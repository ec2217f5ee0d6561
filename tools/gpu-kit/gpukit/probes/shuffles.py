"""Rate and latency of shuffles."""

from . import model, ptx
from .probe import Constant, Probe

COUNT, CHAINS = 64, 16


def kernel(number, chains, threads):
    body = ["shfl.sync.bfly.b32 %%r%d, %%r%d, %d, 0x1f, 0xffffffff;" % (
        n % chains, n % chains, 1 << n % 5) for n in range(COUNT)]
    return ptx.timed(number, threads, body, ptx.integer_seeds(chains),
                     ["%%r%d" % n for n in range(chains)], COUNT, {"SHFL": COUNT})


class Shuffles(Probe):
    name = "shuffles"
    measures = "cycles of a shuffle: of an SM, and in a chain"

    def kernels(self, number):
        return {"independent": kernel(number, CHAINS, 1024),
                "dependent": kernel(number, 1, ptx.WARP)}

    def run(self, lab):
        kernels = self.kernels(lab.number)
        lab.rate("independent", kernels["independent"])
        lab.latency("dependent", kernels["dependent"])

    def constants(self):
        return [Constant("a shuffle, cycles of an SM", "cycles", lambda r: r["independent"]),
                Constant("latency of a shuffle", "cycles", lambda r: r["dependent"],
                         model.value("kSharedLatency"))]
