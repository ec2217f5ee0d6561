"""Multiply-adds together with loads from shared memory: how well the pipes overlap."""

import math

from . import model, ptx
from .probe import Constant, Probe
from .shared_loads import mnemonic, patterns

RATIOS = (4, 8, 12, 16, 20, 24, 32, 48, 64)  # Multiply-adds for each load.
LOADS, ACCUMULATORS, THREADS = 8, 16, 1024
POOL = LOADS * 512 + ptx.WARP * 128
TILES = {"all_distinct": "distinct_32_turns", "tile_4x8": "distinct_8_turns"}


def kernel(number, ratio, loads=True):
    """Loads of 16 bytes, each with `ratio` multiply-adds that use loaded values."""
    setup = ptx.float_seeds(ACCUMULATORS) + ptx.lane_offset("%r500") + [
        "mov.u32 %r501, pool;", "add.u32 %r500, %r500, %r501;",
        "mul.lo.u32 %r502, %thread, 4;", "add.u32 %r502, %r502, %r501;"] + [
        "st.shared.f32 [%%r502+%d], %%f%d;" % (4096 * n, n) for n in range(POOL // 4096)] + [
        "add.f32 %%f%d, %%x, %%f%d;" % (100 + n, n % ACCUMULATORS) for n in range(4 * LOADS)]
    body = []
    if loads:
        body += ["ld.volatile.shared.v4.f32 %s, [%%r500+%d];" % (
            ptx.vector(16, 100 + 4 * n, "%f"), 512 * n) for n in range(LOADS)]
    for n in range(ratio * LOADS):
        to, a = n % ACCUMULATORS, 4 * (n // ratio)
        other = 4 * ((n // ratio) ^ 1)
        body.append("fma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d;" % (
            to, 100 + a + n % 4, 100 + other + n // 4 % 4, to))
    return ptx.timed(number, THREADS, body, setup,
                     ["%%f%d" % n for n in range(ACCUMULATORS)], LOADS,
                     {"FFMA": ratio * LOADS, mnemonic("LDS", 16): LOADS if loads else 0}, POOL)


def order_of(rows):
    """Return the order p for which (sum of pipes^p)^(1/p) fits best, by least squares of
    logarithms. A row is ([cycles of each pipe], cycles of all together)."""
    def error(p):
        return sum(math.log(sum(x ** p for x in pipes) ** (1 / p) / together) ** 2
                   for pipes, together in rows)
    return min((1 + 0.1 * n for n in range(291)), key=error)


class Overlap(Probe):
    name = "overlap"
    measures = "cycles of multiply-adds and LDS.128 together, by their ratio"

    def kernels(self, number):
        found = {"both_%d" % ratio: kernel(number, ratio) for ratio in RATIOS}
        found["multiply_adds_16"] = kernel(number, 16, loads=False)
        found["loads"] = kernel(number, 0)
        return found

    def run(self, lab):
        kernels = self.kernels(lab.number)
        lab.note("schedulers", lab.machine.get("schedulersPerUnit", 4), "schedulers")
        fma = lab.rate("multiply_adds_16", kernels["multiply_adds_16"]) / 16
        lab.note("multiply_add", fma, "cycles")
        tables = {tile: lab.table(patterns(16)[name]) for tile, name in TILES.items()}
        loaded = {key: lab.load(each) for key, each in kernels.items() if key != "multiply_adds_16"}
        for tile in TILES:
            lab.rate("%s/loads" % tile, loaded["loads"], data=tables[tile])
            for ratio in RATIOS:
                both = loaded["both_%d" % ratio]
                lab.rate("%s/both_%d" % (tile, ratio), both, data=tables[tile])
                # With half of the warps, as many kernels have them.
                lab.rate("%s/both_%d/16_warps" % (tile, ratio), both, block=512,
                         data=tables[tile])

    def constants(self):
        def rows(r, tile, issue):
            found = []
            for ratio in RATIOS:
                pipes = [ratio * r["multiply_add"], r[tile + "/loads"]]
                if issue:
                    pipes.append((ratio + 1) / r["schedulers"])
                # Where one pipe takes three times the other, any order fits.
                if max(pipes[:2]) < 3 * min(pipes[:2]):
                    found.append((pipes, r["%s/both_%d" % (tile, ratio)]))
            return order_of(found) if found else None

        def worst(r, tile):
            return max(r["%s/both_%d" % (tile, ratio)] /
                       max(ratio * r["multiply_add"], r[tile + "/loads"],
                           (ratio + 1) / r["schedulers"]) for ratio in RATIOS)
        found = []
        for tile in TILES:
            found += [
                Constant("order of the norm of multiply-adds and loads, " + tile, "order",
                         lambda r, t=tile: rows(r, t, False), model.NORM),
                Constant("the same with the issue slots as a third pipe, " + tile, "order",
                         lambda r, t=tile: rows(r, t, True), model.NORM),
                Constant("most that overlapping costs over the largest pipe, " + tile, "ratio",
                         lambda r, t=tile: worst(r, t), 3 ** (1 / model.NORM))]
        return found
