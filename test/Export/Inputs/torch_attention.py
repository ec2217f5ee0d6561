"""Attention on narrow floats by pruner.compile and torch.compile: next to eager PyTorch, both
compared with f64. The weights and the result are rounded, and nothing else."""
import logging
import re
import sys
import warnings

import torch
from torch.nn.functional import scaled_dot_product_attention as attention

import pruner
from pruner import torch_backend
from pruner.importing import import_model
from pruner.torch_backend.messages import log

cache = sys.argv[1]
warnings.simplefilter("error", torch_backend.PrunerWarning)
torch.manual_seed(0)
torch.set_num_threads(1)


class Attention(torch.nn.Module):
    def __init__(self, **keywords):
        super().__init__()
        self.keywords = keywords

    def forward(self, query, key, value, mask=None):
        return attention(query, key, value, attn_mask=mask, **self.keywords)


class Programs(logging.Handler):
    """Keeps the program that torch.compile makes."""

    def emit(self, record):
        if record.msg.startswith("program"):
            self.text = record.getMessage()


programs = Programs()
log.addHandler(programs)
log.setLevel(logging.DEBUG)


def compiled(module):
    torch._dynamo.reset()
    torch_backend.graphs.clear()
    return torch.compile(module, backend=torch_backend.compile_graph, dynamic=False,
                         options={"cache": cache, "strict": True})


def roundings(text):
    return len(re.findall(r"arith\.truncf .* : f32 to b?f16", text))


def error(found, exact):
    return (found.double() - exact).abs().max().item()


bools = torch.rand(24, 40) > 0.4
bools[5] = False
cases = {
    "plain": ({}, 4, None),
    "causal": ({"is_causal": True}, 4, None),
    "floats": ({"scale": 0.2}, 4, torch.randn(24, 40)),
    "bools": ({}, 4, bools),
    "groups": ({"enable_gqa": True}, 2, None),
}
with torch.no_grad():
    for dtype in (torch.bfloat16, torch.float16):
        for name, (keywords, heads, mask) in cases.items():
            module = Attention(**keywords)
            given = [torch.randn(2, 4, 24, 16).to(dtype), torch.randn(2, heads, 40, 16).to(dtype),
                     torch.randn(2, heads, 40, 16).to(dtype)]
            if mask is not None:
                given.append(mask if mask.dtype == torch.bool else mask.to(dtype))
            eager = module(*given)
            exact = module(*(each if each.dtype == torch.bool else each.double()
                             for each in given))
            found = [pruner.compile(module, tuple(given), threads=1)(*given),
                     compiled(module)(*given)]
            counts = [roundings(import_model(module, tuple(given)).text),
                      roundings(programs.text)]
            print(f"{dtype} {name}: rounded {counts[0]} and {counts[1]} times, "
                  "error at most 2.5 of eager's:",
                  *(error(each, exact) <= 2.5 * error(eager, exact) for each in found))
            print(dtype, name, error(eager, exact), *(error(each, exact) for each in found),
                  file=sys.stderr)
