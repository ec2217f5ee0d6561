"""How fast an SM starts blocks that do nothing."""

from . import model, ptx
from .probe import Constant, Probe

SPINS = 2000000  # Cycles.
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
        kernels = self.kernels(lab.number)
        spin = lab.load(kernels.pop("spin")).at(lab.units, ptx.WARP)
        arguments = [lab.out, lab.seeds, SPINS, 0]
        cycle = sorted(lab.seconds(lambda: spin.launch(arguments, lab.stream)))[0] / SPINS
        for key, kernel in kernels.items():
            loaded = lab.load(kernel)

            def seconds(blocks):
                launch = loaded.at(lab.units * blocks, kernel.threads)
                return lab.seconds(lambda: launch.launch(arguments, lab.stream))
            # The difference between two grids has no cost of the launch.
            lab.record(key, [max(0.0, more - less) / 1024 / cycle for less, more in zip(
                seconds(1024), seconds(2048))], "cycles")

    def constants(self):
        return [Constant("start of a block of %d threads" % threads, "cycles",
                         lambda r, key="threads_%d" % threads: r[key],
                         model.value("kStartCycles")) for threads in THREADS]
