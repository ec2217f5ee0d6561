#===- functions.py - functions that torch-mlir lowers inexactly ------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that torch-mlir lowers to other values than PyTorch's, or not at all, as other
operations. Comparisons with NaN decide most of them."""

import math

from .networks import need


def _in_f32(function):
    """Compute narrow floats in f32 and round once, as PyTorch does."""
    def wrapped(value, *arguments, **keywords):
        torch = need("torch")
        narrow = value.dtype in (torch.float16, torch.bfloat16)
        result = function(value.float() if narrow else value, *arguments, **keywords)
        return result if result is NotImplemented else result.to(value.dtype)
    return wrapped


@_in_f32
def _gelu(value, *, approximate="none"):
    """torch-mlir has 0.797724 for the square root of 2 / pi."""
    if approximate != "tanh":
        return NotImplemented
    inner = math.sqrt(2 / math.pi) * (value + 0.044715 * value * value * value)
    return 0.5 * value * (1 + need("torch").tanh(inner))


@_in_f32
def _elu(value, alpha=1, scale=1, input_scale=1):
    """torch-mlir computes exp(x) - 1, which has no correct digit near zero."""
    torch = need("torch")
    return torch.where(value < 0, torch.expm1(value * input_scale) * (alpha * scale),
                       value * scale)


def _constant(number, like):
    return need("torch").full((), number, dtype=like.dtype, device=like.device)


def _with_tensors(operation):
    """torch-mlir only lowers the form with two tensors."""
    def with_number(value, other):
        if isinstance(other, float) and not value.is_floating_point():
            return NotImplemented
        return operation(value, _constant(other, value))
    return with_number


def _clamp(value, low=None, high=None):
    """torch-mlir takes the bound where the value is NaN. `low` and `high` are numbers."""
    torch = need("torch")
    if not value.is_floating_point():
        return NotImplemented
    if low is not None:
        value = torch.where(value < low, _constant(low, value), value)
    if high is not None:
        value = torch.where(value > high, _constant(high, value), value)
    return value


def _hardtanh(value, low=-1, high=1):
    return _clamp(value, low, high)


def _maximum(value, other):
    """torch-mlir takes the second value where the first is NaN."""
    torch = need("torch")
    if not value.is_floating_point() or value.dtype != other.dtype:
        return NotImplemented
    return torch.where((value > other) | (value != value), value, other)


def _minimum(value, other):
    torch = need("torch")
    if not value.is_floating_point() or value.dtype != other.dtype:
        return NotImplemented
    return torch.where((value < other) | (value != value), value, other)


def _clamp_by_tensors(value, low=None, high=None):
    if any(bound is not None and bound.dtype != value.dtype for bound in (low, high)):
        return NotImplemented
    value = value if low is None else need("torch").maximum(value, low)
    return value if high is None else need("torch").minimum(value, high)


def _equal(value, other):
    """torch-mlir takes any tensor to be equal to itself."""
    if value is not other or not value.is_floating_point():
        return NotImplemented
    return need("torch").logical_not(value != value)


def _reciprocal(value):
    """torch-mlir adds a check that no element is zero."""
    if not value.is_floating_point():
        return NotImplemented
    return need("torch").div(_constant(1, value), value)


@_in_f32
def _power(value, exponent):
    """PyTorch computes some powers by other functions, with other special values."""
    torch = need("torch")
    if not value.is_floating_point():
        return value * value if exponent == 2 else NotImplemented
    known = {2: lambda: value * value, 3: lambda: value * value * value,
             0.5: lambda: torch.sqrt(value), -0.5: lambda: torch.rsqrt(value),
             -1: lambda: _reciprocal(value), -2: lambda: _reciprocal(value * value)}
    return known[exponent]() if exponent in known else NotImplemented


def _absolute(value):
    """torch-mlir only lowers the absolute value and the sign of floats."""
    if value.is_floating_point() or not value.dtype.is_signed:
        return NotImplemented
    return need("torch").where(value < 0, -value, value)


def _sign(value):
    if value.is_floating_point() or not value.dtype.is_signed:
        return NotImplemented
    return (value > 0).to(value.dtype) - (value < 0).to(value.dtype)


def _batched(operation):
    """torch-mlir expects images in a batch."""
    def pooled(value, *arguments, **keywords):
        if value.dim() != 3:
            return NotImplemented
        results = operation(value.unsqueeze(0), *arguments, **keywords)
        if isinstance(results, tuple):
            return tuple(result.squeeze(0) for result in results)
        return results.squeeze(0)
    return pooled


def decompositions():
    """Return the decompositions by operation."""
    aten = need("torch").ops.aten
    return {
        aten.abs.default: _absolute,
        aten.avg_pool2d.default: _batched(aten.avg_pool2d.default),
        aten.bitwise_and.Scalar: _with_tensors(aten.bitwise_and.Tensor),
        aten.bitwise_left_shift.Tensor_Scalar: _with_tensors(aten.bitwise_left_shift.Tensor),
        aten.bitwise_or.Scalar: _with_tensors(aten.bitwise_or.Tensor),
        aten.bitwise_right_shift.Tensor_Scalar:
            _with_tensors(aten.bitwise_right_shift.Tensor),
        aten.bitwise_xor.Scalar: _with_tensors(aten.bitwise_xor.Tensor),
        aten.clamp.default: _clamp,
        aten.clamp.Tensor: _clamp_by_tensors,
        aten.clamp_max.default: lambda value, high: _clamp(value, None, high),
        aten.clamp_min.default: _clamp,
        aten.elu.default: _elu,
        aten.eq.Tensor: _equal,
        aten.fmod.Scalar: _with_tensors(aten.fmod.Tensor),
        aten.gelu.default: _gelu,
        aten.hardtanh.default: _hardtanh,
        aten.max_pool2d.default: _batched(aten.max_pool2d.default),
        aten.max_pool2d_with_indices.default: _batched(aten.max_pool2d_with_indices.default),
        aten.maximum.default: _maximum,
        aten.minimum.default: _minimum,
        aten.pow.Tensor_Scalar: _power,
        aten.reciprocal.default: _reciprocal,
        aten.sign.default: _sign,
    }
