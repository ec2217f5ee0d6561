"""The clock of an SM while all of them multiply and add."""

from . import ptx
from .probe import Constant, Probe


def fma_body(count, accumulators=16):
    return ["fma.rn.f32 %%f%d, %%f%d, %%x, %%y;" % (n % accumulators, n % accumulators)
            for n in range(count)]


def fma_kernel(number, count=256, accumulators=16, threads=1024, clock="%clock64"):
    return ptx.timed(number, threads, fma_body(count, accumulators),
                     ptx.float_seeds(accumulators),
                     ["%%f%d" % n for n in range(accumulators)], count, {"FFMA": count},
                     clock=clock)


class Clock(Probe):
    name = "clock"
    measures = "clock of an SM under multiply-adds: %clock64 against events and %globaltimer"

    def kernels(self, number):
        return {"cycles": fma_kernel(number),
                "nanoseconds": fma_kernel(number, clock="%globaltimer")}

    def run(self, lab):
        kernels = {key: lab.load(kernel) for key, kernel in self.kernels(lab.number).items()}
        loaded = kernels["cycles"]
        once = lab.interval(loaded, 64, lab.units, loaded.threads) / 64
        count = int(60e6 / max(once, 1))  # About 30 ms.
        lab.run_for(0.4, lambda: lab.interval(loaded, count, lab.units, loaded.threads))
        by_event, by_timer, flops = [], [], []
        for _ in range(5):
            lab.driver.record(lab.begin, lab.stream)
            loaded.at(lab.units, loaded.threads).launch([lab.out, lab.seeds, count, 0],
                                                        lab.stream)
            lab.driver.record(lab.end, lab.stream)
            seconds = lab.driver.elapsed(lab.begin, lab.end)
            cycles = max(end - start for block in lab.read_stamps(lab.units, loaded.threads)
                         for start, end in block)
            by_event.append(cycles / seconds / 1e6)
            flops.append(2.0 * count * loaded.per * loaded.threads * lab.units / seconds)
            nanoseconds = lab.interval(kernels["nanoseconds"], count, lab.units, loaded.threads)
            by_timer.append(cycles / max(nanoseconds, 1) * 1e3)
        lab.record("event", by_event, "MHz")
        lab.record("globaltimer", by_timer, "MHz")
        lab.record("fma_flops", flops, "FLOP/s")

    def constants(self):
        return [Constant("clock under multiply-adds", "MHz", lambda r: r["event"],
                         lambda m: m["clockMHz"], field="clockMHz"),
                Constant("rate of multiply-adds", "FLOP/s", lambda r: r["fma_flops"],
                         lambda m: m["peakFlops"])]
