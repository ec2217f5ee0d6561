"""Divisions and mathematical functions, in multiply-adds."""

from . import model, ptx
from .clock import fma_kernel
from .probe import Constant, Probe

CHAINS, COUNT = 8, 64
# Name, PTX, and the number of MUFU of each in machine code, if it is only that.
FUNCTIONS = {
    "ex2": ("ex2.approx.ftz.f32 {x}, {x};", True),
    "lg2": ("lg2.approx.ftz.f32 {x}, {x};", True),
    "rcp": ("add.f32 {x}, {x}, %y;\nrcp.approx.ftz.f32 {x}, {x};", True),
    "rsqrt": ("rsqrt.approx.ftz.f32 {x}, {x};", True),
    "sqrt": ("sqrt.approx.ftz.f32 {x}, {x};", False),
    "div_full": ("div.full.f32 {x}, %y, {x};", False),
    "div_rn": ("div.rn.f32 {x}, %x, {x};", False),
    "sqrt_rn": ("sqrt.rn.f32 {x}, {x};", False),
}


def kernel(number, name):
    text, single = FUNCTIONS[name]
    # The exact ones become long sequences, and a call of a slow path.
    count = COUNT if single else 16
    body = [text.format(x="%%f%d" % (n % CHAINS)) for n in range(count)]
    return ptx.timed(number, 1024, body, ptx.float_seeds(CHAINS),
                     ["%%f%d" % n for n in range(CHAINS)], count,
                     {"MUFU": count} if single else {})


class Functions(Probe):
    name = "functions"
    measures = "cycles of divisions and mathematical functions"

    def kernels(self, number):
        found = {name: kernel(number, name) for name in FUNCTIONS}
        found["fma"] = fma_kernel(number)
        return found

    def run(self, lab):
        for key, each in self.kernels(lab.number).items():
            lab.rate(key, each)

    def constants(self):
        return [Constant("%s, in multiply-adds" % what, "multiply-adds",
                         lambda r, key=key: r[key] / r["fma"], model.value("kFunction"))
                for key, what in (("div_rn", "division, rounded"), ("div_full", "division, div.full"),
                                  ("ex2", "one MUFU instruction"), ("sqrt_rn", "root, rounded"))]
