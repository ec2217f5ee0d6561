"""How fast an SM starts blocks that do nothing."""

from . import model, ptx
from .probe import Constant, Probe

SPINS = 2000000  # Cycles.
BLOCKS = (1024, 2048)  # Of an SM. The difference has no cost of the launch.
THREADS = (32, 128, 256, 1024)


class BlockStarts(Probe):
    name = "block_starts"
    measures = "cycles of an SM between the starts of empty blocks"

    def kernels(self, number):
        found = {"spin": ptx.spin(number)}
        for threads in THREADS:
            found["threads_%d" % threads] = ptx.plain(number, threads, [])
        return found

    def run(self, lab):
        arguments = [lab.out, lab.seeds, SPINS, 0]
        for key, kernel in self.kernels(lab.number).items():
            loaded = lab.load(kernel)
            for blocks in (1,) if key == "spin" else BLOCKS:
                launch = loaded.at(lab.units * blocks, kernel.threads)
                lab.record("%s/%d" % (key, blocks), lab.seconds(
                    lambda: launch.launch(arguments, lab.stream)), "s")

    def constants(self):
        def start(threads):
            less, more = ("threads_%d/%d" % (threads, blocks) for blocks in BLOCKS)
            return lambda r: ((r[more] - r[less]) / (BLOCKS[1] - BLOCKS[0])
                              / (r["spin/1"] / SPINS))
        return [Constant("start of a block of %d threads" % threads, "cycles",
                         start(threads), model.value("kStartCycles")) for threads in THREADS]
