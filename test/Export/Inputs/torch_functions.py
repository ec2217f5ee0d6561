"""Functions by torch.compile, compared with eager PyTorch: accuracy, special values, and
operations of tensors. Each group is one graph."""
import math

import torch
from torch.nn import functional

from torch_compiled import compiled

torch.manual_seed(0)
torch.set_num_threads(1)
x = torch.randn(16, 12) * 2
special = torch.randn(5, 12)
special[0, :2] = torch.tensor([-0.0, 0.0])
special[1, 3], special[2, 5], special[3, 1] = math.nan, math.inf, -math.inf
whole = torch.randint(1, 20, (5, 12)) * (1 - 2 * torch.randint(0, 2, (5, 12)))
places = torch.randperm(60).reshape(5, 12)
images, halves = torch.randn(2, 6, 9, 10), torch.arange(-6, 7) / 2

# The error is at most four times that of eager PyTorch, and a unit in the last place.
ACCURATE = {
    "gelu tanh": lambda v: functional.gelu(v, approximate="tanh"), "gelu": functional.gelu,
    "elu": functional.elu, "selu": functional.selu, "celu": functional.celu,
    "silu": functional.silu, "mish": functional.mish, "softplus": functional.softplus,
    "hardswish": functional.hardswish, "logsigmoid": functional.logsigmoid,
    "softmax": lambda v: functional.softmax(v, -1),
    "log_softmax": lambda v: functional.log_softmax(v, -1), "erf": torch.erf,
    "exp": torch.exp, "expm1": torch.expm1, "log1p": lambda v: torch.log1p(v.abs()),
    "log2": lambda v: torch.log2(v.abs()), "sin": torch.sin, "cos": torch.cos,
    "tan": torch.tan, "atan": torch.atan, "tanh": torch.tanh, "sigmoid": torch.sigmoid,
    "asin": lambda v: torch.asin(v / 10), "sinh": torch.sinh, "asinh": torch.asinh,
    "atanh": lambda v: torch.atanh(v / 10), "power": lambda v: v.abs() ** 0.37,
    "rsqrt": lambda v: torch.rsqrt(v.abs() + 1e-6), "cube": lambda v: v ** 3,
    "layer_norm": lambda v: functional.layer_norm(v, (12,)),
    "rms_norm": lambda v: functional.rms_norm(v, (12,)), "std": lambda v: v.std(-1),
    "logsumexp": lambda v: v.logsumexp(-1), "norm": lambda v: v.norm(dim=-1),
    "quick gelu": lambda v: v * torch.sigmoid(1.702 * v),
}
# Equal where the result is NaN, infinite or an integer.
SPECIAL = {
    "clamp": lambda v: (v.clamp(-0.5, 0.7), v.clamp_min(0.1), v.clamp_max(0.2),
                        v.clamp(v.flip(0) - 1, v.flip(0) + 1)),
    "activations": lambda v: (functional.relu(v), functional.relu6(v), functional.hardtanh(v),
                              functional.leaky_relu(v), functional.elu(v),
                              functional.hardswish(v), functional.threshold(v, 0.1, 3.0)),
    "extrema": lambda v: (torch.maximum(v, v.flip(0)), torch.minimum(v, v.flip(0)),
                          torch.fmax(v, v.flip(0)), v.amax(1), v.amin(0), v.max(), v.min()),
    "comparisons": lambda v: (v < v.flip(0), v >= 0, v == v, v != v, v <= v, v > v, v == 0),
    "kinds": lambda v: (v.isfinite(), v.isinf(), v.isnan(), v.isneginf(),
                        v.nan_to_num(1.0, 2.0, 3.0)),
    "division": lambda v: (1 / v, v / 0.0, v.reciprocal(), v / v, 2 / v),
    "powers": lambda v: (v ** 2, v ** 3, v ** -1, v ** 0.5, v ** -0.5, v ** -2, v ** 0,
                         torch.pow(2.0, v)),
    "roots": lambda v: (v.rsqrt(), v.sqrt(), v.log(), v.exp(), torch.atan2(v, v.flip(0))),
    "rounding": lambda v: (v.round(), v.floor(), v.ceil(), v.trunc(), v.sign()),
    "sums": lambda v: (v.sum(1), v.mean(0), v.prod(1), functional.softmax(v, 1)),
    "windows": lambda v: (functional.max_pool1d(v, 2, 2),
                          functional.max_pool2d(v[None, None], 2, 2)),
}
WHOLE = {
    "division": lambda n: (torch.div(n, 3, rounding_mode="floor"),
                           torch.div(n, 3, rounding_mode="trunc"), n // -4, n % 5, n % -5,
                           torch.fmod(n, 5), n // n.flip(0), n % n.flip(0), n / 3),
    "bits": lambda n: (n & 7, n | 8, n ^ 3, ~n, n << 2, n >> 1),
    "types": lambda n: (n.cumsum(0), n.cumsum(0, dtype=torch.int32), (n > 0) ** 2,
                        n.int().cumsum(0, dtype=torch.int16), n.reciprocal(),
                        functional.hardtanh(n, -2.5, 2.5)),
    "counted": lambda n: tuple(
        torch.arange(*limits, dtype=torch.int64) + n[0, 0]
        for limits in ((2, 7.5), (0.7, 5.2, 1.5), (2.1, -2.9, -1.0), (3.2,), (5, 9, 2))),
    "others": lambda n: (n.abs(), n.sign(), n ** 2, n.clamp(-3, 5), functional.relu(n),
                         torch.maximum(n, n.flip(0)), n.to(torch.int8).sum()),
}
SUMS = {
    "variances": lambda v: (v.var(0), v.std(0, correction=v.shape[0] + 1), v[:, :0].var(1),
                            *torch.var_mean(v[:0], 0)),
    "bags": lambda v: tuple(functional.embedding_bag(
        torch.tensor([4, 0, 3, 1, 3, 2]), v, torch.tensor(offsets), mode="sum",
        per_sample_weights=v[0, :6], include_last_offset=offsets[-1] == 6, padding_idx=3)
        for offsets in ([0, 4], [0, 2, 2, 6])),
}
ORDERS = {
    "sorted": lambda v: (*v.sort(1), *v.sort(0, descending=True), *v.T.sort(stable=True)),
    "topk": lambda v: (*v.topk(3, 1), *v.topk(2, 0, largest=False), *v.bfloat16().topk(1)),
    "argsort": lambda v: (v.argsort(1), v.argsort(0, descending=True)),
}
IMAGES = {
    "pools": lambda v: (functional.avg_pool2d(v, 3, 2, 1, ceil_mode=True),
                        functional.avg_pool2d(v, 3, 2, 1, count_include_pad=False),
                        functional.avg_pool2d(v[0], 2), functional.max_pool2d(v[0], 2),
                        functional.max_pool2d(v, 3, 2, 1, ceil_mode=True),
                        functional.max_pool2d(v, 2, 1, 1, dilation=2),
                        functional.avg_pool1d(v[0, 0], 3, 2, 1),
                        functional.adaptive_avg_pool2d(v, (4, 3))),
    "pads": lambda v: tuple(functional.pad(v, (2, 1, 3, 2), mode=mode)
                            for mode in ("reflect", "replicate", "circular", "constant")),
    "crops": lambda v: tuple(functional.pad(v, pad, value=2) for pad in (
        (1, -1), (-2, 2), (0, 0, 1, -1), (-1, -1), (3, -1, -2, 1), (-1, 0, 0, 0, 1, -1))),
    "resized": lambda v: (functional.interpolate(v, size=(13, 7)),
                          functional.interpolate(v, size=(13, 7), mode="nearest-exact"),
                          functional.interpolate(v, size=(13, 7), mode="bilinear"),
                          functional.interpolate(v, size=(13, 7), mode="bilinear",
                                                 align_corners=True)),
    "moved": lambda v: (v.roll((2, -3), (1, 3)), v.flip(1, 3),
                        functional.pixel_unshuffle(v[:, :, :8], 2),
                        functional.channel_shuffle(v, 3), functional.unfold(v, (2, 3)),
                        v[:, 1::2, ::3, -4:-1], v.movedim(1, 3)),
    "attention": lambda v: (functional.scaled_dot_product_attention(v, v, v, is_causal=True),
                            functional.scaled_dot_product_attention(
                                v, v[:, :2], v[:, :2], enable_gqa=True, scale=0.3)),
}


def error(found, exact):
    scale = exact.abs() + 1e-3 * exact.abs().max()
    return ((found.double() - exact).abs() / scale).max().item()


def same(found, expected):
    if found.dtype != expected.dtype or found.shape != expected.shape:
        return False
    if not expected.is_floating_point():
        return torch.equal(found, expected)
    finite = expected.isfinite()
    if not (torch.equal(found.isnan(), expected.isnan())
            and torch.equal(found[expected.isinf()], expected[expected.isinf()])):
        return False
    return torch.allclose(found[finite], expected[finite], rtol=2e-6, atol=2e-6)


with torch.no_grad():
    found, eager = compiled(ACCURATE, x)
    wrong = []
    for (name, function), a, b in zip(ACCURATE.items(), found, eager):
        exact = function(x.double())
        if not error(a, exact) <= 4 * error(b, exact) + 3e-7:
            wrong.append((name, error(a, exact), error(b, exact)))
    print("accurate:", len(ACCURATE), "wrong:", wrong)
    for title, functions, value in (("special", SPECIAL, special), ("whole", WHOLE, whole),
                                    ("images", IMAGES, images), ("sums", SUMS, x),
                                    ("orders", ORDERS, special),
                                    ("orders of integers", ORDERS, places),
                                    ("ties", {"round": torch.round}, halves)):
        found, eager = compiled(functions, value)
        wrong = [(name, n) for name, a, b in zip(functions, found, eager)
                 for n, (c, d) in enumerate(zip(a, b) if isinstance(a, tuple) else [(a, b)])
                 if not same(c, d)]
        print(f"{title}:", len(functions), "wrong:", wrong)
