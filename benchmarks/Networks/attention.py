#===- attention.py - attention of several lengths --------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention with 12 heads of size 64, for networks.py and pruner_tools.export:

    networks.py benchmarks/Networks/attention.py:causal_2048

plain_N and causal_N have N queries and N keys. decode_N has one query and N keys.
"""

import torch

HEADS, SIZE = 12, 64


class Attention(torch.nn.Module):
    def __init__(self, causal):
        super().__init__()
        self.causal = causal

    def forward(self, query, key, value):
        return torch.nn.functional.scaled_dot_product_attention(
            query, key, value, is_causal=self.causal)


def __getattr__(name):
    kind, _, length = name.partition("_")
    if kind not in ("plain", "causal", "decode") or not length.isdigit():
        raise AttributeError(name)
    keys = int(length)
    lengths = (1 if kind == "decode" else keys, keys, keys)

    def make():
        return Attention(kind == "causal"), tuple(
            torch.randn(1, HEADS, each, SIZE) for each in lengths)
    return make
