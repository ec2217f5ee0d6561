"""Modules that can and cannot be exported."""
import torch
from torch import nn


class Tied(nn.Module):
    """One tensor with two names, a prefix sum, nested results."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(11, 4)
        self.head = nn.Linear(4, 11, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, ids):
        x = self.embed(ids)
        places = torch.cumsum(ids, 1)
        return {"inner": {"sum": x.sum(-1).cumsum(1), "places": places}, "logits": self.head(x)}


def tied():
    return Tied(), (torch.zeros(2, 5, dtype=torch.int64),)


class Branches(nn.Module):
    def forward(self, x):
        return x + 1 if x.sum() > 0 else x - 1


def branches():
    return Branches(), torch.ones(3)


class Counts(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls += 1
        return x + self.calls


def counts():
    return Counts(), torch.ones(3)


class Text(nn.Module):
    def forward(self, x):
        return "text"


def text():
    return Text(), torch.ones(3)


def only_module():
    return Text()
