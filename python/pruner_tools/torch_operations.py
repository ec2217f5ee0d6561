#===- torch_operations.py - operations in PyTorch -------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operations of the benchmarks and of the GPU kit, computed by PyTorch.

docs/guides/Benchmarking.md describes the kinds of operations and their numbers.
"""

import torch
import torch.nn.functional as F


def function(kind, get):
    """Return the operation as a function of its operands, in their type and on their
    device. `get(name, default)` returns one of its numbers."""
    stride, pad = get("s", 1), get("p", 0)
    if kind == "mm":
        return torch.mm
    if kind == "bmm":
        return torch.bmm
    if kind == "mm_bias_gelu":
        return lambda x, w, b: F.gelu(torch.addmm(b, x, w))
    if kind == "mm_bias_relu":
        return lambda x, w, b: torch.relu(torch.addmm(b, x, w))
    if kind == "conv":
        groups = get("g", 1)
        if get("relu", 0):
            return lambda x, w, b=None: F.relu(
                F.conv2d(x, w, b, stride, pad, 1, groups))
        return lambda x, w, b=None: F.conv2d(x, w, b, stride, pad, 1, groups)
    if kind == "depthwise":  # The filters have no dimension for their single channel.
        return lambda x, w: F.conv2d(x, w.unsqueeze(1), None, stride, pad, 1, w.shape[0])
    if kind == "conv_transposed":
        return lambda x, w: F.conv_transpose2d(x, w, None, stride, pad)
    if kind == "softmax":
        return lambda x: torch.softmax(x, -1)
    if kind == "layernorm":
        return lambda x, w, b: F.layer_norm(x, x.shape[-1:], w, b, 1e-5)
    if kind == "gelu":
        return F.gelu
    if kind == "relu":
        return torch.relu
    if kind == "add":
        return torch.add
    if kind == "sum":
        axis = get("axis", 0)
        return lambda x: x.sum(axis)
    if kind == "transpose":
        return lambda x: x.t().contiguous()
    if kind == "maxpool":
        k = get("k", 1)
        return lambda x: F.max_pool2d(x, k, stride, pad)
    if kind == "avgpool":
        return lambda x: F.adaptive_avg_pool2d(x, 1)
    raise ValueError("no torch function for " + kind)
