#===- attention.py - attention of several lengths --------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of several lengths, for networks.py and pruner_tools.export:

    networks.py benchmarks/Networks/attention.py:causal_2048

plain_N and causal_N have N queries and N keys. decode_N has one query and N keys. There
are 12 heads of size 64. With grouped_ before the name there are 32 heads of size 128, and
groups of four share keys and values.
"""

import torch

KINDS = ("plain", "causal", "decode")


class Attention(torch.nn.Module):
    def __init__(self, causal, grouped):
        super().__init__()
        self.causal, self.grouped = causal, grouped

    def forward(self, query, key, value):
        return torch.nn.functional.scaled_dot_product_attention(
            query, key, value, is_causal=self.causal, enable_gqa=self.grouped)


def __getattr__(name):
    grouped = name.startswith("grouped_")
    kind, _, length = name.removeprefix("grouped_").partition("_")
    if kind not in KINDS or not length.isdigit():
        raise AttributeError(name)
    keys = int(length)
    queries = 1 if kind == "decode" else keys
    heads, shared, size = (32, 8, 128) if grouped else (12, 12, 64)

    def make():
        shapes = (heads, queries), (shared, keys), (shared, keys)
        return Attention(kind == "causal", grouped), tuple(
            torch.randn(1, *shape, size) for shape in shapes)
    return make
