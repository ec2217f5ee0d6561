"""Modes of torch.compile by Pruner, its warnings, and its log."""
import os
import pathlib
import sys
import warnings

import torch

from pruner import torch_backend

cache = sys.argv[1]
torch.manual_seed(0)
torch.set_num_threads(1)
net = torch.nn.Sequential(torch.nn.Linear(64, 48), torch.nn.ReLU(),
                          torch.nn.Linear(48, 40)).eval()
x = torch.randn(32, 64)


def compiled(function, mode=None, options_mode=None, **options):
    if options_mode:  # torch.compile accepts a mode or options.
        options["mode"] = options_mode
    torch._dynamo.reset()
    torch_backend.graphs.clear()
    if mode:
        os.environ["PRUNER_CACHE_DIR"] = cache
        return torch.compile(function, backend=torch_backend.compile_graph, mode=mode)
    return torch.compile(function, backend=torch_backend.compile_graph,
                         options={"cache": cache + "/torch", **options})


def right(fast):
    return torch.allclose(fast(x), net(x), rtol=1e-4, atol=1e-5)


with torch.no_grad():
    for mode in ("default", "reduce-overhead"):
        print(f"{mode}:", right(compiled(net, mode)), torch_backend.graphs[0].reason == "")
    for mode in ("nonsense", "max"):
        try:
            compiled(net, mode)(x)
        except Exception as error:
            print("refused:", type(error.inner_exception).__name__, error.inner_exception)
    for wrong in ({"watch": "x"}, {"accuracy": "wide-sums,tf32"}):
        try:
            compiled(net, **wrong)(x)
        except Exception as error:
            print("refused:", type(error.inner_exception).__name__, error.inner_exception)
    # An allowed relaxation is part of the key of the cache.
    paths = set()
    for accuracy in ("", "bf16-products"):
        close = torch.allclose(compiled(net, accuracy=accuracy)(x), net(x), 1e-1, 1e-1)
        paths.add(torch_backend.graphs[0].path)
    print("accuracy:", close, len(paths) == 2)

    # PyTorch counts these writes.
    fast = compiled(net, options_mode="reduce-overhead", prepare=True)
    first = fast(x)
    net[0].weight.mul_(2)
    print("written:", right(fast))
    net.load_state_dict({name: value / 3 for name, value in net.state_dict().items()})
    print("loaded:", right(fast))
    net[0].weight.data = torch.randn(48, 64)
    print("replaced:", right(fast))
    net[0].weight.data.mul_(2)
    print("not counted:", not right(fast), right(compiled(net, prepare=True)))
    with torch.inference_mode():
        made = torch.nn.Linear(64, 40).eval()
        fast = compiled(made, options_mode="reduce-overhead", prepare=True)
        fast(x)
        made.weight.mul_(2)
        print("without counters:", torch.allclose(fast(x), made(x), rtol=1e-4, atol=1e-5))

    # Tuned once: records and library stay in the cache.
    for _ in range(2):
        fast = compiled(net, options_mode="max-autotune", trials=2)
        print("max-autotune:", right(fast), torch_backend.graphs[0].tuned > 0,
              (pathlib.Path(cache) / "torch" / "tuning.db").exists())
        seconds = torch_backend.graphs[0].seconds
    print("then from the cache:", seconds < 5, file=sys.stderr)

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    compiled(net)(x)  # Needs gradients.
said = [w for w in caught if issubclass(w.category, torch_backend.PrunerWarning)]
print("warning at the user's line:", len(said), said[0].filename == __file__,
      "compiled(net)(x)" in open(__file__).read().splitlines()[said[0].lineno - 1])
