#===- quantized.py - quantized networks of PyTorch -------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decomposes the operations of quantized networks.

Networks that PT2E has quantized (`torchao.quantization.pt2e`) are plain networks with
operations `quantized_decomposed.*` between the others: they quantize a tensor of floats
to bytes, or dequantize bytes. Here they become the arithmetic that PyTorch's own kernels
do, in an order that keeps two facts visible to later passes: that bytes are bytes,
and that a zero point fits into the type of the bytes that it is subtracted from.

Weight-only models (`torchao.quantization.quantize_`) have operations of PyTorch's kernels
for weights of 4 and 8 bits, which are decomposed likewise.
"""

import functools
import importlib

from . import ExportError
from .networks import need


def register():
    """Make PyTorch know the operations, which it defines on import only."""
    importlib.import_module("torch.ao.quantization.fx._decomposed")
    try:
        # Its operations decompose themselves.
        importlib.import_module("torchao.quantization.quant_primitives")
    except ImportError:
        pass


def _along(tensor, axis, rank):
    """Return a vector in a shape that broadcasts along `axis` of `rank` dimensions."""
    return tensor.reshape([-1 if n == axis else 1 for n in range(rank)])


def _scalar(tensor):
    return tensor.reshape(())


def _in_type(zero_point, dtype):
    """Return a zero point that is known to be a number of `dtype`, in 32 bits."""
    torch = need("torch")
    return zero_point.to(dtype).to(torch.int32)


def _inverse(scale):
    """Return 1 / scale. torch-mlir checks a reciprocal for zeros at run time."""
    torch = need("torch")
    return torch.ones_like(scale) / scale


def _to_type(value, dtype):
    """Convert whole numbers that `dtype` holds. torch-mlir converts floats to unsigned
    integers as if they were signed."""
    torch = need("torch")
    return value.to(torch.int32).to(dtype) if dtype == torch.uint8 else value.to(dtype)


def _quantize(value, inverse, zero_point, low, high, dtype):
    torch = need("torch")
    whole = torch.round(value.to(torch.float32) * inverse) + zero_point
    return _to_type(torch.clamp(whole, low, high), dtype)


def _dequantize(value, scale, zero_point, out_dtype):
    """`zero_point` is None, a number, or a tensor in 32 bits. A narrow result is rounded
    once, as by PyTorch's kernels."""
    torch = need("torch")
    out_dtype = out_dtype or torch.float32
    wide = out_dtype if out_dtype == torch.float64 else torch.float32
    if torch.is_tensor(zero_point):
        value = value.to(torch.int32) - zero_point
        zero_point = None
    value = value.to(wide)
    if zero_point:
        value = value - zero_point
    if torch.is_tensor(scale):
        scale = scale.to(wide)
    return (value * scale).to(out_dtype)


def _quantize_per_tensor(value, scale, zero_point, low, high, dtype):
    return _quantize(value, 1.0 / scale, zero_point, low, high, dtype)


def _quantize_by_tensors(value, scale, zero_point, low, high, dtype):
    torch = need("torch")
    # The reciprocal of the 64 bits is rounded, as that of a number.
    inverse = _inverse(_scalar(scale).to(torch.float64)).to(torch.float32)
    zero_point = _in_type(_scalar(zero_point), dtype).to(torch.float32)
    return _quantize(value, inverse, zero_point, low, high, dtype)


def _dequantize_per_tensor(value, scale, zero_point, low, high, dtype, *, out_dtype=None):
    return _dequantize(value, scale, zero_point, out_dtype)


def _dequantize_by_tensors(value, scale, zero_point, low, high, dtype, *, out_dtype=None):
    return _dequantize(value, _scalar(scale), _in_type(_scalar(zero_point), value.dtype),
                       out_dtype)


def _quantize_per_channel(value, scales, zero_points, axis, low, high, dtype):
    torch = need("torch")
    inverse = _inverse(_along(scales, axis, value.dim()).to(torch.float32))
    zero_points = _along(_in_type(zero_points, dtype), axis, value.dim())
    return _quantize(value, inverse, zero_points.to(torch.float32), low, high, dtype)


def _dequantize_per_channel(value, scales, zero_points, axis, low, high, dtype, *,
                            out_dtype=None):
    if zero_points is not None:
        zero_points = _along(_in_type(zero_points, value.dtype), axis, value.dim())
    return _dequantize(value, _along(scales, axis, value.dim()), zero_points, out_dtype)


def _quantize_per_token(value, scales, zero_points, low, high, dtype):
    torch = need("torch")
    zero_points = _in_type(zero_points, dtype).to(torch.float32)
    inverse = _inverse(scales).to(torch.float32)
    whole = torch.round(value.to(torch.float32) * inverse + zero_points)
    return _to_type(torch.clamp(whole, low, high), dtype)


def _dequantize_per_token(value, scales, zero_points, low, high, dtype, output_dtype=None):
    return _dequantize(value, scales, _in_type(zero_points, value.dtype), output_dtype)


def _limits(low, high):
    """Return the range of numbers and zero, which every range of bytes has to hold."""
    torch = need("torch")
    zero = torch.zeros_like(low)
    return torch.minimum(low, zero), torch.maximum(high, zero)


def _affine(low, high, first, last, eps, dtype):
    """Return the scale and zero point by which `first` to `last` stand for numbers
    between tensors `low` and `high`."""
    torch = need("torch")
    low, high = _limits(low, high)
    scale = torch.clamp((high - low) / float(last - first), min=eps)
    # Clamped as floats, because a conversion to a narrow integer does not do it.
    zero_point = torch.clamp(first - torch.round(low / scale), first, last)
    return scale, _to_type(zero_point, dtype)


def _results(scale, zero_point):
    torch = need("torch")
    return scale.to(torch.float64), zero_point.to(torch.int64)


def _choose_qparams(value, first, last, eps, dtype):
    value = value.reshape(-1)
    scale, zero_point = _affine(value.amin(0), value.amax(0), first, last, eps, dtype)
    return _results(scale.reshape(1), zero_point.reshape(1))


def _choose_qparams_symmetric(value, first, last, eps, dtype):
    torch = need("torch")
    value = value.reshape(-1)
    low, high = _limits(value.amin(0), value.amax(0))
    scale = torch.clamp(torch.maximum(-low, high) / (float(last - first) / 2), min=eps)
    zero_point = torch.full([1], 128 if dtype == torch.uint8 else 0, dtype=torch.int64,
                            device=value.device)
    return _results(scale.reshape(1), zero_point)


def _int_mm(a, b):
    """The product of matrices of bytes, summed in 32 bits."""
    torch = need("torch")
    return torch.mm(a.to(torch.int32), b.to(torch.int32))


@functools.lru_cache(maxsize=None)
def _packed_rows():
    """Return by how many rows PyTorch packs weights of 4 bits on this CPU: it depends on
    the width of its vectors."""
    torch = need("torch")
    from torch.utils._python_dispatch import _disable_current_modes

    with _disable_current_modes():
        rows = torch.arange(64, dtype=torch.int32)
        # The digits of the row whose number is in the high half of the first byte.
        low, high = (torch.ops.aten._convert_weight_to_int4pack_for_cpu(
            ((rows >> shift) & 15).unsqueeze(1).expand(64, 2).contiguous(), 1)[0, 0].item()
            >> 4 for shift in (0, 4))
    row = low + 16 * high
    if row not in (1, 16, 32):
        raise ExportError("the layout of PyTorch's weights of 4 bits is not known on this "
                          "CPU")
    return 2 * row


def _nibbles(packed):
    """Return the halves of bytes along a new last dimension, the low one first."""
    torch = need("torch")
    return torch.stack([packed & 15, packed >> 4], -1)


def _weight_int4pack_mm(value, packed, group, scales_and_zeros):
    """The product with weights of 4 bits that are packed by
    `_convert_weight_to_int4pack_for_cpu`. A byte has rows n and n + block / 2 of a block
    of rows, and neighbors after the last whole block; the columns are outside. PyTorch's
    kernel computes in f32 and rounds the sums."""
    torch = need("torch")
    rows, terms = packed.shape[0], 2 * packed.shape[1]
    block = _packed_rows()
    whole = rows // block * block if block > 2 else 0
    parts = []
    if whole:
        halves = _nibbles(packed[:whole].reshape(whole // block, terms, block // 2))
        parts.append(halves.permute(0, 3, 2, 1).reshape(whole, terms))
    if whole < rows:
        halves = _nibbles(packed[whole:].reshape(terms, (rows - whole) // 2))
        parts.append(halves.permute(1, 2, 0).reshape(rows - whole, terms))
    integers = parts[0] if len(parts) == 1 else torch.cat(parts)
    scales, zeros = (scales_and_zeros[..., n].to(torch.float32).t().unsqueeze(2)
                     for n in (0, 1))
    real = integers.reshape(rows, terms // group, group).to(torch.float32)
    real = ((real - 8) * scales + zeros).reshape(rows, terms)
    return torch.mm(value.to(torch.float32), real.t()).to(value.dtype)


def _weight_int8pack_mm(value, weight, scales):
    """The product with weights of 8 bits, one row for each column of the result."""
    torch = need("torch")
    product = torch.mm(value.to(torch.float32), weight.to(torch.float32).t())
    return (product * scales.to(torch.float32)).to(value.dtype)


def decompositions():
    """Return the decompositions by operation."""
    register()
    operations, aten = need("torch").ops.quantized_decomposed, need("torch").ops.aten
    return {
        aten._int_mm.default: _int_mm,
        aten._weight_int4pack_mm_for_cpu.default: _weight_int4pack_mm,
        aten._weight_int8pack_mm.default: _weight_int8pack_mm,
        operations.quantize_per_tensor.default: _quantize_per_tensor,
        operations.quantize_per_tensor.tensor: _quantize_by_tensors,
        operations.dequantize_per_tensor.default: _dequantize_per_tensor,
        operations.dequantize_per_tensor.tensor: _dequantize_by_tensors,
        operations.quantize_per_channel.default: _quantize_per_channel,
        operations.dequantize_per_channel.default: _dequantize_per_channel,
        operations.quantize_per_token.default: _quantize_per_token,
        operations.dequantize_per_token.default: _dequantize_per_token,
        operations.choose_qparams.tensor: _choose_qparams,
        operations.choose_qparams_symmetric.tensor: _choose_qparams_symmetric,
    }


def drop_zeros(exported):
    """Remove zero points of channels that are all zero from `exported`, in place. They
    are tensors of the program, so later passes could not use their value."""
    register()
    torch = need("torch")
    target = torch.ops.quantized_decomposed.dequantize_per_channel.default
    signature = exported.graph_signature
    tensors = {**exported.constants, **exported.state_dict}
    known = {}
    for spec in signature.input_specs:
        tensor = tensors.get(spec.target) if spec.target else None
        if torch.is_tensor(tensor):
            known[spec.arg.name] = tensor
    written = {*signature.buffers_to_mutate.values()}
    for node in exported.graph.nodes:
        if node.op != "call_function" or node.target != target or len(node.args) < 3:
            continue
        zeros = node.args[2]
        if getattr(zeros, "op", None) != "placeholder" or zeros.name not in known:
            continue
        if zeros.name not in written and not torch.any(known[zeros.name]):
            node.args = (*node.args[:2], None, *node.args[3:])
    return exported
