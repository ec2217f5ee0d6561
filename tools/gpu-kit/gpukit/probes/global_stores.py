"""Stores to global memory: passes of an SM, and partial sectors of main memory."""

from . import model, ptx
from .probe import Constant, Probe

STORES = 16
SPAN = 32768  # Bytes of a warp's own window.
# Name: (width, offset of a lane, sectors of a warp).
PATTERNS = {
    "words": (4, 4, 4), "pairs": (8, 8, 8), "quads": (16, 16, 16),
    "half_sectors": (16, 32, 32), "word_of_sector": (4, 32, 32), "word_of_line": (4, 128, 32),
}


def kernel(number, width, stride):
    """Stores of a warp into its own window, which L2 holds."""
    step = ptx.WARP * stride  # Bytes between the stores of a warp.
    setup = ptx.integer_seeds(4) + [
        "mad.lo.u32 %r500, %block, %warps, %warp;",
        "mul.wide.u32 %%d500, %%r500, %d;" % SPAN, "mul.wide.u32 %%d501, %%lane, %d;" % stride,
        "add.u64 %d500, %d500, %d501;", "add.u64 %d500, %d500, %data;"]
    body = ["st.global.%s [%%d500+%d], %s;" % (
        ptx.suffix(width), n * step % SPAN, ptx.vector(width, 0)) for n in range(STORES)]
    body.append("add.u32 %r0, %r0, 1;")
    return ptx.timed(number, 512, body, setup, ["%r0"], STORES, {"STG": STORES})


def stream(number, width, stride, loads=4):
    """Stores `count` pieces of `stride` bytes at `data`, `width` bytes of each."""
    piece = 256 * stride
    lines = ["mul.wide.u32 %%d0, %%block, %d;" % (piece * loads),
             "mul.wide.u32 %%d1, %%thread, %d;" % stride, "add.u64 %d0, %d0, %d1;",
             "mul.lo.u64 %%d4, %%count, %d;" % stride, "add.u64 %d4, %data, %d4;",
             "add.u64 %d2, %data, %d0;", "mul.wide.u32 %%d5, %%blocks, %d;" % (piece * loads),
             "mov.u32 %r0, %thread;", "mov.u32 %r1, %block;", "mov.u32 %r2, %lane;",
             "mov.u32 %r3, 5;", "setp.ge.u64 %p0, %d2, %d4;", "@%p0 bra DONE;", "LOOP:",
             '.pragma "nounroll";']
    parts = [width] if width <= 16 else [16] * (width // 16)
    for n in range(loads):
        for p, part in enumerate(parts):
            lines.append("st.global.%s [%%d2+%d], %s;" % (
                ptx.suffix(part), n * piece + 16 * p, ptx.vector(part, 0)))
    lines += ["mad.lo.u32 %r0, %r0, 1664525, %r3;", "add.u64 %d2, %d2, %d5;",
              "setp.lt.u64 %p0, %d2, %d4;", "@%p0 bra LOOP;", "DONE:"]
    return ptx.plain(number, 256, lines, expect={"STG": loads * len(parts)})


STREAMS = {"whole_sectors": (16, 16), "half_sectors": (16, 32), "word_of_sector": (4, 32),
           "word_of_line": (4, 128)}


class GlobalStores(Probe):
    name = "global_stores"
    measures = "cycles of an SM for stores by sectors; time of partial sectors in main memory"

    def kernels(self, number):
        found = {"sm/" + key: kernel(number, width, stride)
                 for key, (width, stride, _) in PATTERNS.items()}
        found.update({"stream/" + key: stream(number, *shape) for key, shape in STREAMS.items()})
        return found

    def run(self, lab):
        kernels = self.kernels(lab.number)
        window = lab.buffer(lab.units * 16 * SPAN + 128 * 4096)
        for key in PATTERNS:
            loaded = lab.load(kernels["sm/" + key])
            stores = loaded.per
            # Of all SMs, which L2 limits, and of four.
            for name, grid in (("all", lab.units), ("four", 4)):
                lab.rate("%s/%s_sms" % (key, name), loaded, grid=grid, data=window,
                         cycles=100000)
        buffer, size = lab.large(1 << 30)
        for key, (width, stride) in STREAMS.items():
            loaded = lab.load(kernels["stream/" + key])
            count = size // stride
            at = loaded.at(lab.units * 8, 256)
            seconds = lab.seconds(lambda: at.launch([lab.out, buffer, count, 0], lab.stream),
                                  samples=5)
            sectors = size / 32 if stride <= 32 else count
            lab.record("stream/" + key, [s / sectors * 1e12 for s in seconds], "ps per sector")

    def constants(self):
        found = []
        for key, (width, _, sectors) in PATTERNS.items():
            found.append(Constant(
                "passes of a store of %d sectors (%s)" % (sectors, key), "cycles",
                lambda r, k=key + "/four_sms": r[k],
                max(width / 4, model.value("kStorePasses") * sectors)))
        for key in list(STREAMS)[1:]:
            found.append(Constant(
                "a sector in main memory written in part (%s), in whole ones" % key, "sectors",
                lambda r, k="stream/" + key: r[k] / r["stream/whole_sectors"],
                model.value("kScattered")))
        return found
