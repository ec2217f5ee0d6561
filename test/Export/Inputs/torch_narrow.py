"""Functions of narrow and mixed types by torch.compile, bit for bit those of eager PyTorch."""
import math

import torch
from torch.nn import functional

from torch_compiled import compiled

torch.manual_seed(0)
torch.set_num_threads(1)

# Numbers that are no bf16 and no f16. PyTorch rounds some of them before it computes.
FLOATS = {
    "scalars": lambda v: (v + 0.7, v - 0.7, 0.7 - v, v * 0.7, v / 0.7, v % 0.7,
                          torch.fmod(v, 0.7), v // 0.7, v.abs() ** 0.7, 0.7 ** v,
                          torch.div(v, 0.7, rounding_mode="trunc"),
                          torch.add(v, v.flip(0), alpha=0.7), (v - 0.485) / 0.229),
    "comparisons": lambda v: (v > 0.7, v >= 0.7, v == 0.7, v != 0.7, v < 0.7,
                              functional.hardshrink(v, 0.7)),
    "tensors": lambda v: (v + S, v - S, S - v, v * S, S * v, v / S, S / v, v % S,
                          torch.maximum(v, S), torch.where(v > 0, v, S),
                          torch.atan2(v, S), torch.fmax(v, S), v > S, v + D, v * D,
                          torch.maximum(v, W)),
    "powers": lambda v: (v ** 2, v ** 3, v ** 4, v ** -1, v ** -2),
    "scaled": lambda v: (torch.ldexp(v, (v * 6).round()), torch.ldexp(W, v * 6),
                         torch.ldexp(v.float(), v * 6), torch.ldexp(v * 1e-3, v * 6),
                         torch.ldexp(v * 1e-3, (v * 6).nan_to_num(0, 9, 9).to(torch.int32))),
    "quotients": lambda v: (torch.div(v, v.flip(0), rounding_mode="trunc"),
                            torch.div(v, v.flip(0), rounding_mode="floor"),
                            torch.fmod(v, v.flip(0)), torch.remainder(v, v.flip(0))),
    "activations": lambda v: (functional.silu(v), functional.leaky_relu(v, 0.3),
                              functional.elu(v, 0.7), functional.softplus(v),
                              functional.mish(v), functional.hardswish(v), v.sigmoid()),
}
BYTES = {
    "scalars": lambda n: (n > -1, n < 300, n == -1, n * -1, n + 200, n.clamp(-5, 300)),
    "tensors": lambda n: (n // torch.tensor(300), n + torch.tensor(300),
                          torch.maximum(n, torch.tensor(300)), n > torch.tensor(300)),
    "types": lambda n: (torch.where(n > 9, n, n.to(torch.int16)), torch.fmod(n, 200),
                        torch.cat([n, n.to(torch.int32)]), n % 200, n // 7, -n, n.argmax(1)),
}
WIDE = {
    "signs": lambda n: (n.abs(), -n, n.sign(), n.square()),
    "quotients": lambda n: (n // 7, n // -3, n // n.flip(0), n % -7,
                            torch.div(n, 7, rounding_mode="trunc")),
    "floats": lambda n: (n.clamp(0.5, 2.5), n ** 0.5, n > 0.5, torch.where(n > 0, n, 0.5)),
}
# Constants, and operations on them.
CONSTANTS = {
    "comparisons": lambda v: ((torch.full((3,), 0.7) < 0) + v, (C > 0) + v,
                              (torch.ones(3, dtype=torch.bool) == 1) + v,
                              (torch.full((3,), 200, dtype=torch.uint8) > 100) + v),
    "quotients": lambda v: (N // 2 + v, N % 3 + v, N // -2 + v, C % 3 + v),
    "masks": lambda v: (M & v.bool(), torch.where(M, v, -v), v * C + C),
}
# Reductions of a single number.
ONE = {"reductions": lambda v: (v.softmax(0), v.log_softmax(0), v.amax(0), v.max(0)[0],
                                v.var(0, correction=0), v.cumsum(0), v.argmax())}
# Quotients that are nearly whole, remainders, and places of NaN.
SPECIAL = {
    "quotients": lambda v: (v // 0.1, torch.div(v, 0.3, rounding_mode="floor"),
                            torch.fmod(v * 1e6, 0.7), v // v.flip(0), v.trunc()),
    "places": lambda v: (v.argmax(), v.argmin(), v.max(0)[1], v.min(0)[1],
                         v.reshape(2, -1).argmax(0), v.reshape(2, -1).argmin(1, True)),
    "mixed": lambda v: (torch.maximum(v, W), torch.minimum(W, v), torch.fmin(v, W)),
}

S, D, W = torch.tensor(0.7), torch.tensor(0.7, dtype=torch.float64), torch.tensor(3)
C, N, M = torch.tensor([0.5, -2.0, 0.0]), torch.tensor([-7, 5, 7]), torch.tensor(
    [True, False, True])


def same(found, expected):
    if found.dtype != expected.dtype or found.shape != expected.shape:
        return False
    if expected.dtype in (torch.float32, torch.float64):
        return torch.allclose(found, expected, rtol=2e-6, atol=1e-6, equal_nan=True)
    return torch.equal(found.nan_to_num(0, 1, -1), expected.nan_to_num(0, 1, -1)) and (
        torch.equal(found.isnan(), expected.isnan()))


def check(title, functions, value):
    with torch.no_grad():
        found, expected = compiled(functions, value)
    wrong = [(name, n) for name, a, b in zip(functions, found, expected)
             for n, (c, d) in enumerate(zip(a, b)) if not same(c, d)]
    print(f"{title}:", len(functions), "wrong:", wrong)


numbers = torch.cat([torch.randn(300) * 3, torch.rand(300),
                     torch.tensor([0.7, -0.7, 0.3, 1, -1, 3, 0, math.inf, -math.inf])])
for dtype in (torch.bfloat16, torch.float16):
    check(dtype, FLOATS, numbers.to(dtype))
check("bytes", BYTES, torch.randint(0, 256, (6, 8), dtype=torch.uint8))
for dtype in (torch.int32, torch.int64):
    limit = 2 ** (torch.iinfo(dtype).bits - 2)
    check(dtype, WIDE, torch.randint(-limit, limit, (6, 8)).to(dtype))
check("constants", CONSTANTS, torch.arange(6.0).reshape(2, 3))
check("one number", ONE, torch.tensor(2.5))
check("special", SPECIAL, torch.tensor([1.0, 0.3, 0.9, -1.2, math.inf, 2.0, math.nan, -0.6]))
