"""Rates of integer instructions, and issue slots that they share with multiply-adds."""

from . import model, ptx
from .probe import Constant, Probe

# Instruction of PTX, and the machine instructions that it may become.
INTEGER = {
    "add": ("add.u32 {to}, {to}, {other};", "IADD|IMAD"),
    "logic": ("lop3.b32 {to}, {to}, {other}, %r1001, 0x6a;", "LOP3"),
    "mad": ("mad.lo.u32 {to}, {to}, {other}, %r1001;", "IMAD"),
    "shift": ("shf.l.wrap.b32 {to}, {to}, {other}, 7;", "SHF"),
    "min": ("min.s32 {to}, {to}, {other};", "VIMNMX|IMNMX"),
}
MIXES = [("add", 1, 1), ("add", 3, 1), ("add", 7, 1), ("logic", 1, 1), ("logic", 3, 1),
         ("mad", 1, 1), ("mad", 3, 1)]
COUNT, CHAINS = 256, 16


def integer(kind, n):
    text, _ = INTEGER[kind]
    return text.format(to="%%r%d" % (n % CHAINS), other="%%r%d" % ((n + 5) % CHAINS))


def setup():
    return ptx.integer_seeds(CHAINS) + ptx.float_seeds(CHAINS)


SINK = ["%%r%d" % n for n in range(CHAINS)] + ["%%f%d" % n for n in range(CHAINS)]


def alone(number, kind):
    return ptx.timed(number, 1024, [integer(kind, n) for n in range(COUNT)], setup(), SINK,
                     COUNT, {INTEGER[kind][1]: COUNT})


def mixed(number, kind, multiply_adds, integers):
    """`multiply_adds` to `integers` instructions, interleaved."""
    body, counts, f, i = [], {"FFMA": 0, INTEGER[kind][1]: 0}, 0, 0
    while f + i < COUNT:
        for _ in range(multiply_adds):
            body.append("fma.rn.f32 %%f%d, %%f%d, %%x, %%y;" % (f % CHAINS, f % CHAINS))
            f += 1
        for _ in range(integers):
            body.append(integer(kind, i))
            i += 1
    counts["FFMA"], counts[INTEGER[kind][1]] = f, i
    return ptx.timed(number, 1024, body, setup(), SINK, f + i, counts)


def wide(number):
    """Products of 64 bits, as addresses need them."""
    body = []
    for n in range(COUNT):
        to, other = n % CHAINS, (n + 5) % CHAINS
        body += ["mul.wide.u32 %%d%d, %%r%d, %%r%d;" % (to, other, 100 + other),
                 "mov.b64 {%%r%d, %%r%d}, %%d%d;" % (to, 100 + to, to)]
    starts = ["xor.b32 %%r%d, %%r%d, %%r1000;" % (100 + n, n) for n in range(CHAINS)]
    return ptx.timed(number, 1024, body, setup() + starts,
                     ["%%r%d" % (base + n) for base in (0, 100) for n in range(CHAINS)], COUNT,
                     {"IMAD\\.WIDE": COUNT})


class Issue(Probe):
    name = "issue"
    measures = "rates of integer instructions, alone and mixed with multiply-adds"

    def kernels(self, number):
        found = {kind: alone(number, kind) for kind in INTEGER}
        found["mul_wide"] = wide(number)
        for kind, f, i in MIXES:
            found["fma_%d_%s_%d" % (f, kind, i)] = mixed(number, kind, f, i)
        return found

    def run(self, lab):
        for key, kernel in self.kernels(lab.number).items():
            lab.rate(key, kernel)

    def constants(self):
        def lanes(kind):
            return lambda r: ptx.WARP / r[kind]

        def slots(r):
            return max(1 / r["fma_%d_%s_%d" % (f, kind, i)] for kind, f, i in MIXES)
        found = [Constant("instructions of an SM per cycle, best mix", "per cycle", slots,
                          lambda m: max(m["schedulersPerUnit"], model.lanes(m) / ptx.WARP))]
        for kind, what in (("add", "additions"), ("logic", "logic"), ("mad", "multiply-adds"),
                           ("mul_wide", "products of 64 bits"),
                           ("shift", "shifts"), ("min", "minima")):
            found.append(Constant("integer lanes: " + what, "lanes", lanes(kind),
                                  model.value("kIntegerLanes")))
        return found
