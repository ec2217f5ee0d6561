"""torch.compile by Pruner with all types of elements: compared with eager PyTorch, and for
narrow floats also with f64."""
import sys
import warnings

import torch
from torch.nn import functional
from torch.utils._pytree import tree_leaves, tree_map

from pruner import torch_backend

cache = sys.argv[1]
warnings.simplefilter("error", torch_backend.PrunerWarning)
torch.manual_seed(0)
torch.set_num_threads(1)


class Net(torch.nn.Module):
    """Products, a convolution, norms, attention, pooling, and buffers of several types."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(8)
        self.inner = torch.nn.LayerNorm(8)
        self.query = torch.nn.Linear(8, 8)
        self.head = torch.nn.Linear(8, 5, bias=False)
        self.register_buffer("places", torch.randint(0, 36, (7,)))
        self.register_buffer("bytes", torch.randint(0, 255, (8,), dtype=torch.uint8))
        self.register_buffer("mask", torch.rand(8) > 0.3)
        self.register_buffer("small", torch.randint(-99, 99, (8,), dtype=torch.int16))

    def forward(self, x):
        y = functional.gelu(self.norm(self.conv(x)))
        y = functional.avg_pool2d(y, 2).flatten(2).transpose(1, 2)
        z = self.query(self.inner(y[:, self.places]))
        z = functional.scaled_dot_product_attention(z, z, z)
        z = z * self.mask + self.bytes.to(z.dtype) / 255 + self.small.to(z.dtype) / 99
        return self.head(z).softmax(-1), z.mean(1), z.sum((1, 2))


def compiled(function):
    torch._dynamo.reset()
    torch_backend.graphs.clear()
    return torch.compile(function, backend=torch_backend.compile_graph, dynamic=False,
                         options={"cache": cache, "strict": True})


def distance(found, expected):
    """Return the largest difference, relative to the largest magnitude of a result."""
    return max(((a.double() - b.double()).abs().max() / b.double().abs().max()).item()
               for a, b in zip(tree_leaves(found), tree_leaves(expected)))


def same(found, expected):
    return all(a.dtype == b.dtype and a.shape == b.shape
               for a, b in zip(tree_leaves(found), tree_leaves(expected)))


net, x = Net().eval(), torch.randn(2, 3, 12, 12)
for module in net.modules():  # A fresh network hides errors.
    for tensor in (*module.parameters(recurse=False), *module.buffers(recurse=False)):
        if tensor.is_floating_point():
            tensor.data.copy_(torch.rand(tensor.shape) - 0.3 if tensor.dim() > 1
                              else torch.rand(tensor.shape) + 0.5)
with torch.no_grad():
    # The bounds are multiples of the type's rounding error: 2^-8, 2^-11, 2^-24, 2^-53.
    for dtype, bound in ((torch.bfloat16, 2e-2), (torch.float16, 2e-3),
                         (torch.float32, 2e-6), (torch.float64, 1e-13)):
        model, given = net.to(dtype), x.to(dtype)
        found, eager = compiled(model)(given), model(given)
        exact = net.double()(given.double())
        print(f"{dtype}: {same(found, eager)} {distance(found, eager) < bound}, "
              f"error at most twice eager's: "
              f"{distance(found, exact) <= max(2 * distance(eager, exact), bound / 8)}, "
              f"{torch_backend.graphs[0].runs} run", file=sys.stdout)
        print(dtype, distance(found, eager), distance(found, exact),
              distance(eager, exact), file=sys.stderr)
    net.float()

    def cast(x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return net(x)

    found, eager = compiled(cast)(x), cast(x)
    print(f"autocast: {same(found, eager)} {distance(found, eager) < 2e-2}, "
          f"{torch_backend.graphs[0].runs} run")
    print("autocast", distance(found, eager), file=sys.stderr)


def integers(x, y):
    """Exact functions of integers; u8 and i8 wrap."""
    return (x + y, x * y, x - y, x // 3, x.amax(1), x.amin(1), x.sum(1), x > y, x & y, ~x,
            torch.where(x > 3, x, y), x[:, ::2].contiguous(), x.float() / 7, x.argmax(1),
            torch.cat([x, y], 1), x.clamp(2, 99), x.to(torch.int64) * 1000, x.double(),
            x.to(torch.bool), torch.maximum(x, y), x.cumsum(1), x @ y.t(),
            x[:, :5] << 2, x >> 1)


with torch.no_grad():
    for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64):
        low, high = (0, 255) if dtype == torch.uint8 else (-128, 127)
        x = torch.randint(low, high + 1, (4, 12), dtype=dtype)
        y = torch.randint(low, high + 1, (4, 12), dtype=dtype)
        found, expected = compiled(integers)(x, y), integers(x, y)
        wrong = [n for n, (a, b) in enumerate(zip(found, expected))
                 if a.dtype != b.dtype or not torch.allclose(a, b)]
        print(f"{dtype}: wrong: {wrong}, {torch_backend.graphs[0].runs} run")
    x = torch.rand(4, 12) > 0.5
    logic = lambda x, y: (x & y, x | y, ~x, x ^ y, x.any(1), x.all(1), x.sum(1))
    found, expected = compiled(logic)(x, ~x.flip(0)), logic(x, ~x.flip(0))
    print("bool:", all(map(torch.equal, found, expected)))
    to_byte = lambda x: (x.to(torch.uint8), x.to(torch.int8), x.to(torch.int64))
    x = torch.rand(9) * 100
    print("to integers:", all(map(torch.equal, compiled(to_byte)(x), to_byte(x))))
