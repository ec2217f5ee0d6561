"""The networks of this directory: small, with the building blocks of large ones.

Each was exported here by

    PYTHONPATH=../../../python python -m pruner_tools.export --reference -o . MODEL

with MODEL as in the `provenance` of its NAME.args.json, which also has the versions.
The tests do not need to export.
"""

import torch
from torch import nn


def _seeded(make):
    """Run `make` with a fixed seed and vary the tensors that it leaves constant."""
    torch.manual_seed(7)
    module, inputs = make()
    with torch.no_grad():
        for name, tensor in [*module.named_parameters(), *module.named_buffers()]:
            if not tensor.is_floating_point() or bool((tensor != tensor.flatten()[0]).any()):
                continue
            if name.endswith("running_var"):
                tensor.uniform_(0.5, 1.5)
            else:
                tensor.add_(torch.randn_like(tensor) * 0.1)
    return module, inputs


class SmallCNN(nn.Module):
    """Convolutions: strided, depthwise, 1x1 with bias, dilated and grouped;
    batch norm, ReLU6, ReLU, hard swish, three poolings, a residual."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, 8, 3, stride=2, padding=1, bias=False),
            nn.BatchNorm2d(8),
            nn.ReLU6(),
        )
        self.depthwise = nn.Sequential(
            nn.Conv2d(8, 8, 3, padding=1, groups=8, bias=False),
            nn.BatchNorm2d(8),
            nn.ReLU(),
        )
        self.widen = nn.Conv2d(8, 12, 1)
        self.dilated = nn.Conv2d(12, 12, 3, padding=2, dilation=2, bias=False)
        self.grouped = nn.Conv2d(12, 12, 3, padding=1, groups=3)
        self.head = nn.Linear(12, 10)

    def forward(self, image):
        x = self.stem(image)
        x = x + self.depthwise(x)
        x = nn.functional.hardswish(self.widen(x))
        x = nn.functional.max_pool2d(x, 3, stride=2, padding=1)
        x = torch.relu(self.dilated(x)) + self.grouped(x)
        x = nn.functional.avg_pool2d(x, 2, stride=1)
        return self.head(x.mean((2, 3)))


def cnn():
    return _seeded(lambda: (SmallCNN(), (torch.randn(1, 3, 19, 19),)))


class Block(nn.Module):
    """A post-norm transformer layer with a padding mask."""

    def __init__(self, hidden, heads, feed):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (
            nn.Linear(hidden, hidden) for _ in range(4)
        )
        self.norm1, self.norm2 = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.up, self.down = nn.Linear(hidden, feed), nn.Linear(feed, hidden)

    def split(self, x):
        batch, length, hidden = x.shape
        return x.view(batch, length, self.heads, hidden // self.heads).transpose(1, 2)

    def forward(self, x, mask):
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5 + mask
        y = (scores.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = self.norm1(x + self.out(y))
        return self.norm2(x + self.down(nn.functional.gelu(self.up(x))))


class SmallTransformer(nn.Module):
    """Embedding gathers, one layer, and a pooled row through tanh."""

    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(40, 16), nn.Embedding(8, 16)
        self.block = Block(16, 2, 24)
        self.pool = nn.Linear(16, 16)

    def forward(self, ids, mask):
        x = self.words(ids) + self.places(torch.arange(ids.shape[1]))
        added = (1.0 - mask[:, None, None, :].float()) * -1e4
        x = self.block(x, added)
        return {"hidden": x, "pooled": torch.tanh(self.pool(x[:, 0]))}


def transformer():
    ids = torch.tensor([[3, 17, 39, 0, 8, 21, 5]])
    mask = torch.tensor([[1, 1, 1, 1, 1, 0, 0]])
    return _seeded(lambda: (SmallTransformer(), {"ids": ids, "mask": mask}))


class DenseBlocks(nn.Module):
    """Concatenations: each layer reads all earlier ones."""

    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList(nn.BatchNorm2d(4 + 3 * i) for i in range(3))
        self.convs = nn.ModuleList(
            nn.Conv2d(4 + 3 * i, 3, 3, padding=1, bias=False) for i in range(3)
        )
        self.norm = nn.BatchNorm2d(13)

    def forward(self, image):
        features = image
        for norm, conv in zip(self.norms, self.convs):
            new = conv(torch.relu(norm(features)))
            features = torch.cat([features, new], 1)
        return nn.functional.avg_pool2d(torch.relu(self.norm(features)), 2)


def dense():
    return _seeded(lambda: (DenseBlocks(), (torch.randn(2, 4, 8, 8),)))
