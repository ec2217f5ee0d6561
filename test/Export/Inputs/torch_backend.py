"""torch.compile by Pruner: results compared with eager PyTorch, and graphs that PyTorch
runs."""
import sys
import warnings

import torch

from pruner import torch_backend

cache = sys.argv[1]
torch.manual_seed(0)


class Block(torch.nn.Module):
    """A convolution with a batch norm, a branch without work, two results."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(8)
        self.linear = torch.nn.Linear(8, 5)

    def forward(self, x):
        y = torch.relu(self.norm(self.conv(x)))
        return self.linear(y.mean((2, 3))), y.argmax(1), x[:, 1]


def compiled(function, **options):
    torch._dynamo.reset()
    torch_backend.graphs.clear()
    return torch.compile(function, backend=torch_backend.compile_graph, dynamic=False,
                         options={"cache": cache, "threads": 1, **options})


def close(a, b):
    return all(torch.allclose(x, y, rtol=1e-4, atol=1e-5) for x, y in zip(a, b))


model, x = Block().eval(), torch.randn(2, 3, 12, 12)
with torch.no_grad():
    fast = compiled(model)
    print("right:", close(fast(x), model(x)))
    (graph,) = torch_backend.graphs
    print("tuned:", graph.tuned > 0.5 * graph.flops > 0, "runs:", graph.runs)
    print("not contiguous:", close(fast(x.transpose(2, 3)), model(x.transpose(2, 3))))
    unaligned = torch.randn(865)[1:].view(2, 3, 12, 12)
    print("not aligned:", unaligned.data_ptr() % 64 != 0,
          close(fast(unaligned), model(unaligned)))
    model.norm.weight.mul_(3)
    print("written weights:", close(fast(x), model(x)))
    model.linear.weight.data = torch.randn(5, 8)
    print("other weights:", close(fast(x), model(x)))
    first = torch_backend.graphs[0]
    again = compiled(model)
    print("right:", close(again(x), model(x)))
    print("from the cache:", torch_backend.graphs[0].path == first.path,
          torch_backend.graphs[0].seconds < first.seconds)
    # Without prepared weights.
    plain = compiled(model, prepare=False)
    print("right:", close(plain(x), model(x)))

    # With trials, then with the database alone.
    z = torch.randn(4, 8)
    for options in ({"trials": 2}, {}):
        tuned = compiled(model.linear, db=f"{cache}.db", **options)
        print("right:", close([tuned(z)], [model.linear(z)]),
              torch_backend.graphs[0].reason == "")

    # A grouped convolution over three dimensions.
    class Video(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.window = torch.nn.Conv3d(6, 12, (3, 3, 2), stride=(2, 1, 2), groups=3,
                                          padding=(1, 2, 0), dilation=(2, 1, 1))

        def forward(self, x):
            return (self.window(x),)

    torch.manual_seed(3)
    video, clip = Video().eval(), torch.randn(2, 6, 7, 9, 8)
    print("right:", close(compiled(video)(clip), video(clip)),
          torch_backend.graphs[0].reason == "")

    # Layers of an LSTM in both directions, which are operations of oneDNN.
    torch.manual_seed(4)
    recurrent = torch.nn.LSTM(6, 5, num_layers=2, bidirectional=True).eval()
    words = torch.randn(3, 2, 6)
    expected = recurrent(words)
    with torch._dynamo.config.patch(allow_rnn=True):
        found = compiled(recurrent)(words)
    print("recurrent:", close([found[0], *found[1]], [expected[0], *expected[1]]),
          torch_backend.graphs[0].reason == "")

    # A constant, which is not an input of the graph.
    offsets = lambda v: (v * torch.sqrt(torch.tensor(16.0)) + torch.tensor([3.0]),)
    print("constant:", close(compiled(offsets)(x), offsets(x)),
          torch_backend.graphs[0].reason == "")

    # A break between two graphs.
    def broken(x):
        y = x * 2
        torch._dynamo.graph_break()
        return (torch.softmax(y, 1),)

    print("right:", close(compiled(broken)(x), broken(x)), len(torch_backend.graphs))

    # An argument that is modified.
    def counts(x, total):
        total.add_(x)
        return (total * 2,)

    sums = [torch.zeros(4), torch.zeros(4)]
    step = compiled(counts)
    for _ in range(2):
        results = step(torch.ones(4), sums[0]), counts(torch.ones(4), sums[1])
    print("written:", close(*results), torch.equal(*sums))


def left(what, function, *arguments):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run = compiled(function)
        result, expected = run(*arguments), function(*arguments)
        run(*arguments)
    said = [w for w in caught if issubclass(w.category, torch_backend.PrunerWarning)]
    print(f"{what}: {torch.equal(result, expected)}, {len(said)} warning: "
          f"{torch_backend.graphs[0].reason}")


left("training", lambda x: model(x)[0], x)
with torch.no_grad():
    left("complex", lambda x: x + 1, x.to(torch.complex64))
    left("complex inside", lambda x: torch.fft.fft(x).real, x)
    left("random", lambda x: torch.nn.functional.dropout(x * 0), x)
    left("op", lambda x: torch.linalg.svd(x)[1], x)
    left("sorted", lambda x: torch.topk(x.reshape(-1), 2)[0], x)
    left("empty", lambda x: x[:0].reshape(0, 2, 2) * 2, x.reshape(-1, 4))
    try:
        compiled(lambda x: x + 1, strict=True)(x.to(torch.complex64))
    except Exception as error:
        print("strict:", "complex64" in str(error))
    try:
        compiled(lambda x: x + 1, no_such=1)(x)
    except Exception as error:
        print("option:", "no option 'no_such'" in str(error))
