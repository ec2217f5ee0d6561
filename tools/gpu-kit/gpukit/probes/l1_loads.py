"""Passes of loads in place that hit L1, by width, lines and distinct addresses."""

from . import model, ptx
from .probe import Constant, Probe
from .shared_loads import WIDTHS, mnemonic

LOADS = 16  # In the loop, 512 bytes apart.
FOOTPRINT = 32768  # Bytes: two alternating halves, so that no load is invariant.


def patterns(width):
    """Return {name: offsets of the lanes}. `lines_4`: as many lines, no bank twice;
    `rows_4`: a row of that many lines with a bank conflict, as lanes that walk along
    rows of a matrix have it."""
    found = {}
    for distinct in (1, 2, 4, 8, 16, 32):
        found["distinct_%d" % distinct] = [lane % distinct * width for lane in range(ptx.WARP)]
    if width == 4:
        for count in (2, 4, 8, 16, 32):
            of_line = ptx.WARP // count
            found["lines_%d" % count] = [lane // of_line * 128 + lane * 4
                                         for lane in range(ptx.WARP)]
            found["rows_%d" % count] = [lane // of_line * 128 + lane % of_line * 4
                                        for lane in range(ptx.WARP)]
    if width == 16:
        for count in (8, 16, 32):
            of_line = ptx.WARP // count
            found["rows_%d" % count] = [lane // of_line * 128 + lane % of_line * 16
                                        for lane in range(ptx.WARP)]
    return found


def kernel(number, width):
    words = width // 4
    setup = ptx.integer_seeds(4) + ptx.lane_offset("%r500") + [
        "mov.u32 %r501, 0;", "cvt.u64.u32 %d500, %r500;", "add.u64 %d500, %d500, %data;",
        "add.u64 %d500, %d500, 256;"]
    body = ["cvt.u64.u32 %d501, %r501;", "add.u64 %d501, %d501, %d500;"]
    for n in range(LOADS):
        body.append("ld.global.%s %s, [%%d501+%d];" % (
            ptx.suffix(width), ptx.vector(width, 100 + n * words), 512 * n))
    # Every loaded word is used, or the assembler would load less.
    for n in range(0, LOADS * words, 2):
        body.append(ptx.xor3("%%r%d" % (n // 2 % 4), "%%r%d" % (100 + n), "%%r%d" % (101 + n)))
    body.append("xor.b32 %%r501, %%r501, %d;" % (FOOTPRINT // 2))
    return ptx.timed(number, 1024, body, setup, ["%r0", "%r1", "%r2", "%r3"], LOADS,
                     {mnemonic("LDG\\.E", width): LOADS})


class L1Loads(Probe):
    name = "l1_loads"
    measures = "cycles of an SM for loads that hit L1, by width and lines"

    def kernels(self, number):
        return {"load_%d" % (8 * width): kernel(number, width) for width in WIDTHS}

    def run(self, lab):
        kernels = self.kernels(lab.number)
        for width in WIDTHS:
            loaded = lab.load(kernels["load_%d" % (8 * width)])
            for name, offsets in patterns(width).items():
                buffer = lab.buffer(FOOTPRINT + 8192)
                lab.upload(buffer, bytes(
                    byte for offset in offsets for byte in offset.to_bytes(4, "little")))
                lab.rate("load_%d/%s" % (8 * width, name), loaded, data=buffer)

    def constants(self):
        found = []
        for width in WIDTHS:
            for name, offsets in patterns(width).items():
                found.append(Constant(
                    "passes of LDG.%d in L1, %s (in a copy %g)" % (
                        8 * width, name, model.line_passes(offsets, width)), "cycles",
                    lambda r, key="load_%d/%s" % (8 * width, name): r[key],
                    lambda m, o=offsets, w=width: model.place_passes(o, w, m)))
        return found
