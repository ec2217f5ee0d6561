"""Prepared weights after every way of writing a parameter or a buffer, and the library
cache after every kind of damage."""
import ctypes
import os
import pathlib
import sys
import warnings

import numpy
import torch

from pruner import torch_backend

cache = sys.argv[1]
torch.manual_seed(0)
torch.set_num_threads(1)
x = torch.randn(2, 8, 14, 14)


class Net(torch.nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.c = torch.nn.Conv2d(8, width, 3, padding=1)
        self.b = torch.nn.BatchNorm2d(width)
        self.plain = torch.ones(width, 1, 1)
        self.register_buffer("loose", torch.ones(width, 1, 1), persistent=False)

    def forward(self, v):
        return torch.relu(self.b(self.c(v))) * (self.plain * 3 + self.loose)


def compiled(model, **options):
    torch._dynamo.reset()
    torch_backend.graphs.clear()
    return torch.compile(model, backend=torch_backend.compile_graph, dynamic=False,
                         options={"cache": cache, "strict": True, "threads": 1, **options})


def off(a, b):
    return ((a - b).abs().max() / b.abs().max()).item() > 1e-4


def train_step(model):
    model.train()
    model(torch.randn(4, 8, 14, 14))
    model.eval()


def average(model):
    for parameter in model.parameters():
        parameter.data.lerp_(torch.ones_like(parameter), 0.5)


def by_address(model):
    ctypes.memset(model.c.weight.data_ptr(), 0, 256)


def swapped(model):
    model.c.weight = torch.nn.Parameter(torch.randn_like(model.c.weight))


def other_layout(model):
    model.c.weight.data = torch.randn_like(model.c.weight).to(
        memory_format=torch.channels_last)


def gapped(model):
    model.c.weight.data = torch.randn(*model.c.weight.shape[:-1], 6)[..., ::2]


WAYS = {
    "weight.data": lambda m: m.c.weight.data.mul_(3),
    "scale.data": lambda m: m.b.weight.data.mul_(3),
    "buffer.data": lambda m: m.b.running_var.data.mul_(3),
    "buffer of its own": lambda m: m.loose.data.mul_(3),
    "attribute": lambda m: m.plain.data.mul_(3),
    "no grad": lambda m: m.c.weight.requires_grad_(False).mul_(3),
    "one element": lambda m: m.c.bias.data.view(-1)[3:4].add_(100),
    "numpy": lambda m: numpy.copyto(m.c.weight.detach().numpy(), 1),
    "detached": lambda m: m.c.weight.detach().zero_(),
    "by address": by_address,
    "training": train_step,
    "average": average,
    "loaded": lambda m: m.load_state_dict({k: v * 2 for k, v in m.state_dict().items()}),
    "assigned": lambda m: m.load_state_dict(
        {k: v * 2 for k, v in m.state_dict().items()}, assign=True),
    "replaced": swapped,
    "other layout": other_layout,
    "gapped": gapped,
    "resized": lambda m: m.c.weight.data.set_(torch.randn(m.c.weight.shape)),
}
# Weights that are hashed, and weights whose pages are watched where the kernel can.
for width in (16, 1024):
    wrong = []
    for name, write in WAYS.items():
        for mode in (torch.no_grad, torch.inference_mode):
            model = Net(width).eval()
            fast = compiled(model)
            with mode():
                fast(x)
                fast(x)
            for turn in range(4):
                write(model)
                with mode():
                    if off(fast(x), model(x)):
                        wrong.append((name, mode.__name__, turn))
    print("ways:", len(WAYS), "wrong:", wrong)
with torch.inference_mode():
    model = Net().eval()
    fast = compiled(model)
    results = [off(fast(x), model(x))]
    model.c.weight.data.mul_(3)
    model.b.running_var.mul_(2)
    print("made in inference mode:", results, off(fast(x), model(x)))

# Models that share their code, and so a graph, in alternation.
torch._dynamo.reset()
for options in ({}, {"frozen": True}):
    models = [Net().eval() for _ in range(3)]
    forward = compiled(lambda model, v: model(v), **options)
    with torch.no_grad():
        turns = [off(forward(model, x), model(x)) for model in models * 3]
    print("in turns:", any(turns), "frozen" if options else "")
model = Net().eval()
fast = compiled(model, frozen=True)
with torch.no_grad():
    kept = fast(x)
    model.c.weight.data.mul_(3)
    promised = torch.equal(fast(x), kept)
    model.c.weight = torch.nn.Parameter(torch.randn_like(model.c.weight))
    print("frozen:", promised, off(fast(x), model(x)))


def prepares(model, x, **options):
    fast = compiled(model, **options)
    with torch.no_grad():
        fast(x)
    return (pathlib.Path(torch_backend.graphs[0].path).parent / "prepare.so").exists()


linear = torch.nn.Sequential(torch.nn.Linear(64, 48), torch.nn.Linear(48, 40)).eval()
print("prepared:", prepares(Net().eval(), x), *(
    prepares(linear, torch.randn(rows, 64), **options)
    for rows, options in ((1, {}), (64, {}), (1, {"prepare": True}),
                          (64, {"prepare": False}))))

# The libraries of the cache.
model = Net().eval()
with torch.no_grad():
    compiled(model)(x)
net = pathlib.Path(torch_backend.graphs[0].path)
whole = net.read_bytes()


def again(what):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with torch.no_grad():
            wrong = off(compiled(model)(x), model(x))
    said = [str(w.message).split(" is damaged ")[-1] for w in caught
            if issubclass(w.category, torch_backend.PrunerWarning)]
    print(f"{what}: wrong: {wrong}, {torch_backend.graphs[0].runs} run, said: {said}")


again("whole")
for length in (4096, 0, len(whole) - 1):
    os.truncate(net, length)
    again(f"cut to {length if length < len(whole) - 1 else 'all but one'}")
net.write_bytes(whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:])
again("a bit")
net.unlink()
again("gone")
again("whole")
os.chmod(cache, 0o777)
try:
    with torch.no_grad():
        compiled(model)(x)
    print("others can write: used")
except Exception as error:
    print("others can write:", "other users can write into" in str(error))
os.chmod(cache, 0o700)

# With trials, the key of a library includes the database's records.
database = f"{cache}.db"
z = torch.randn(16, 64)


def tuned(**options):
    fast = compiled(linear, db=database, **options)
    with torch.no_grad():
        good = not off(fast(z), linear(z))
    return torch_backend.graphs[0].path if good else "wrong"


first = tuned(trials=1)
print("tuned:", first != "wrong", tuned(trials=1) == first, tuned() != "wrong")

for options in ({"trials": "10"}, {"trials": 1.5}, {"trials": True}, {"prepare": 1},
                {"db": 3}, {"trials": -1}, {"time_limit": float("nan")},
                {"threads": None}, {"strict": "yes"}):
    try:
        compiled(linear, **options)(z)
    except Exception as error:
        print("refused:", *(line.split(": ")[-1] for line in str(error).splitlines()
                            if "the option" in line))
