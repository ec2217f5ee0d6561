"""Gaps between kernels, in a stream and in a graph."""

from ..kit import Failed
from . import model, ptx
from .probe import Constant, Probe

LAUNCHES = 200
SPINS = 20000  # Cycles.
DELAY = 20000000  # Cycles in which the host submits all launches.


class Launches(Probe):
    name = "launches"
    measures = "time between kernels of a stream and of a graph: empty ones, and of 20,000 cycles"

    def kernels(self, number):
        return {"empty": ptx.plain(number, ptx.WARP, []), "spin": ptx.spin(number)}

    def run(self, lab):
        failed = []
        for key, kernel in self.kernels(lab.number).items():
            loaded = lab.load(kernel).at(lab.units, ptx.WARP)

            def work():
                for _ in range(LAUNCHES):
                    loaded.launch([lab.out, lab.seeds, SPINS, 0], lab.stream)
            lab.record("%s/stream" % key, [s / LAUNCHES for s in lab.seconds(
                work, delay=DELAY)], "s")
            if key == "spin":
                # One launch with twice the work; the difference of both has no gap.
                lab.record("spin/once", lab.seconds(lambda: loaded.launch(
                    [lab.out, lab.seeds, LAUNCHES * SPINS, 0], lab.stream)), "s")
            try:
                graph = lab.driver.graph(lab.stream, work)
                lab.record("%s/graph" % key, [s / LAUNCHES for s in lab.seconds(
                    lambda: lab.driver.launch_graph(graph, lab.stream))], "s")
            except Failed as error:
                failed.append(str(error))
        if failed:
            raise Failed("; ".join(failed))

    def constants(self):
        def gap(how):
            return lambda r: r["spin/" + how] - r["spin/once"] / LAUNCHES
        return [Constant("gap between kernels of 20,000 cycles, stream", "s", gap("stream"),
                         model.value("kKernelGap")),
                Constant("gap between kernels of 20,000 cycles, graph", "s", gap("graph"),
                         model.value("kKernelGap")),
                Constant("an empty kernel, stream", "s", lambda r: r["empty/stream"],
                         model.value("kKernelGap")),
                Constant("an empty kernel, graph", "s", lambda r: r["empty/graph"],
                         model.value("kKernelGap"))]
