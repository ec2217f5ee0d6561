#===- functions.py - functions that torch-mlir lowers inexactly ------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that torch-mlir lowers to other values than PyTorch's, or not at all, as other
operations. Comparisons with NaN decide most of them."""

import math

from .networks import need

# Sort at most this many numbers, with at most this many comparisons.
_SORTED = 256
_COMPARED = 1 << 22


def _gelu(value, *, approximate="none"):
    """torch-mlir has 0.797724 for the square root of 2 / pi."""
    if approximate != "tanh":
        return NotImplemented
    inner = math.sqrt(2 / math.pi) * (value + 0.044715 * value * value * value)
    return 0.5 * value * (1 + need("torch").tanh(inner))


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
    if any(isinstance(bound, float) for bound in (low, high)):
        value = value.to(torch.result_type(value, 0.5))
    if not value.is_floating_point():
        return NotImplemented
    if low is not None:
        value = torch.where(value < low, _constant(low, value), value)
    if high is not None:
        value = torch.where(value > high, _constant(high, value), value)
    return value


def _hardtanh(value, low=-1, high=1):
    if not value.is_floating_point():
        low, high = int(low), int(high)
    return _clamp(value, low, high)


def _together(value, other):
    """Return two tensors in the type and the shape of an operation on both."""
    torch = need("torch")
    dtype = torch.result_type(value, other)
    return torch.broadcast_tensors(value.to(dtype), other.to(dtype))


def _extremum(comparison, keeps_nan):
    """torch-mlir takes the second value where the first is NaN. If not `keeps_nan`, NaN is
    a missing value."""
    def chosen(value, other):
        torch = need("torch")
        value, other = _together(value, other)
        if not value.is_floating_point():
            return torch.where(comparison(value, other), value, other)
        missing = value if keeps_nan else other
        return torch.where(comparison(value, other) | (missing != missing), value, other)
    return chosen


def _clamp_by_tensors(value, low=None, high=None):
    if any(bound is not None and bound.dtype != value.dtype for bound in (low, high)):
        return NotImplemented
    value = value if low is None else need("torch").maximum(value, low)
    return value if high is None else need("torch").minimum(value, high)


def _fmod(value, other):
    """torch-mlir subtracts the product with a rounded quotient, which is not exact."""
    torch = need("torch")
    if not torch.is_tensor(other):
        return torch.fmod(value, torch.full(
            (), other, dtype=torch.result_type(value, other), device=value.device))
    value, other = _together(value, other)
    if not value.is_floating_point():
        return NotImplemented
    rest = torch.remainder(value.abs(), other.abs())
    return torch.where(value < 0, -rest, rest)


def floor_divided(value, other):
    """PyTorch divides what is left without the remainder, because the quotient itself may
    be rounded up to a whole number. torch-mlir takes the floor of the quotient."""
    torch = need("torch")
    if not torch.is_tensor(other):
        other = torch.full((), other, dtype=torch.result_type(value, other),
                           device=value.device)
    value, other = _together(value, other)
    rest = _fmod(value, other)
    quotient = (value - rest) / other
    quotient = torch.where((rest != 0) & ((other < 0) != (rest < 0)), quotient - 1, quotient)
    whole = torch.floor(quotient)
    whole = torch.where(quotient - whole > 0.5, whole + 1, whole)
    return torch.where(other == 0, value / other, whole)


def _floor_divided_whole(value, other):
    """torch-mlir divides as f64, which does not hold all numbers of 64 bits."""
    torch = need("torch")
    quotient = torch.div(value, other, rounding_mode="trunc")
    rest = value - quotient * other
    return quotient - ((rest != 0) & ((rest < 0) != (other < 0))).to(quotient.dtype)


def _divided(value, other, *, rounding_mode=None):
    torch = need("torch")
    dtype = torch.result_type(value, other)
    if rounding_mode == "floor" and dtype.is_floating_point:
        return floor_divided(value, other)
    if rounding_mode == "floor" and dtype == torch.int64 and torch.is_tensor(other):
        return _floor_divided_whole(value, other)
    if rounding_mode == "floor" and dtype == torch.int64:
        return _floor_divided_whole(value, _constant(other, value))
    return NotImplemented


def _floor_divide(value, other):
    return _divided(value, other, rounding_mode="floor")


def _trunc(value):
    """torch-mlir loses the sign of zero."""
    torch = need("torch")
    if not value.is_floating_point():
        return NotImplemented
    return torch.where(value < 0, torch.ceil(value), torch.floor(value))


def _place(extremum):
    """Return the first place of an extreme number, or of a NaN. torch-mlir compares numbers
    with NaN."""
    def place(value, dim=None, keepdim=False):
        torch = need("torch")
        if not value.is_floating_point() or value.numel() == 0:
            return NotImplemented
        if dim is None:
            found = place(value.reshape(-1), 0)
            return found.reshape([1] * value.dim()) if keepdim else found
        if value.dim() == 0:
            return torch.zeros((), dtype=torch.int64, device=value.device)
        best = extremum(value, dim, True)
        length = value.shape[dim]
        places = torch.arange(length, device=value.device).reshape(
            [length if n == dim % value.dim() else 1 for n in range(value.dim())])
        # Without a NaN, the best number is one of the row, and with a NaN it is not.
        found = (value == best) | (value != value)
        return torch.where(found, places, length).amin(dim, keepdim)
    return place


def _largest(extremum):
    """Return the extreme numbers along a dimension and their places."""
    def both(value, dim, keepdim=False):
        place = _place(extremum)(value, dim, keepdim)
        if place is NotImplemented:
            return NotImplemented
        return extremum(value, dim, keepdim), place
    return both


def _first(value, count, dim, descending):
    """Return the first numbers of a sorted dimension and their places; NaN is the largest
    number. Each number is compared with all others, so that this is for few."""
    torch = need("torch")
    size = value.shape[dim] if value.dim() else 1
    if not value.dim() or size > _SORTED or value.numel() * size > _COMPARED or (
            value.dtype == torch.bool):
        return NotImplemented
    row = value.movedim(dim, -1)
    place = torch.arange(size, device=value.device)
    one, other = row.unsqueeze(-1), row.unsqueeze(-2)
    before, equal = other > one if descending else other < one, other == one
    if value.is_floating_point():
        missing, others = one != one, other != other
        before = before | (others & ~missing if descending else missing & ~others)
        equal = equal | (missing & others)
    before = before | (equal & (place.unsqueeze(0) < place.unsqueeze(1)))
    rank = before.to(torch.int64).sum(-1)
    found = rank.unsqueeze(-2) == torch.arange(count, device=value.device).unsqueeze(-1)
    places = torch.where(found, place, 0).sum(-1)
    return (torch.gather(row, -1, places).movedim(-1, dim), places.movedim(-1, dim))


def _topk(value, k, dim=-1, largest=True, sorted=True):
    return _first(value, k, dim, largest)


def _sort(value, dim=-1, descending=False):
    return _first(value, value.shape[dim] if value.dim() else 1, dim, descending)


def _stable_sort(value, *, stable=None, dim=-1, descending=False):
    return _sort(value, dim, descending)


def _equal(value, other):
    """torch-mlir takes any tensor to be equal to itself."""
    if value is not other or not value.is_floating_point():
        return NotImplemented
    return need("torch").logical_not(value != value)


def _reciprocal(value):
    """torch-mlir adds a check that no element is zero."""
    torch = need("torch")
    value = value.to(torch.result_type(value, 0.5))
    return torch.div(_constant(1, value), value)


def _power(value, exponent):
    """PyTorch computes some powers by other functions, with other special values."""
    torch, given = need("torch"), value
    if isinstance(exponent, float):
        value = value.to(torch.result_type(value, exponent))
    if value.dtype == torch.bool:
        value = value.to(torch.int64)
    if not value.is_floating_point():
        return value * value if exponent == 2 else NotImplemented
    known = {2: lambda: value * value, 3: lambda: value * value * value,
             0.5: lambda: torch.sqrt(value), -0.5: lambda: torch.rsqrt(value),
             -1: lambda: _reciprocal(value), -2: lambda: _reciprocal(value * value)}
    if exponent in known:
        return known[exponent]()
    return torch.pow(value, exponent) if value is not given else NotImplemented


def _absolute(value):
    """torch-mlir only lowers the absolute value and the sign of floats."""
    if value.is_floating_point() or not value.dtype.is_signed:
        return NotImplemented
    return need("torch").where(value < 0, 0 - value, value)


def _negative(value):
    """torch-mlir computes whole numbers as floats."""
    return NotImplemented if value.is_floating_point() else 0 - value


def _sign(value):
    if value.is_floating_point() or not value.dtype.is_signed:
        return NotImplemented
    return (value > 0).to(value.dtype) - (value < 0).to(value.dtype)


def _counted(start, end, step=1, *, dtype=None, device=None, **settings):
    """torch-mlir truncates limits with fractions before it counts whole numbers."""
    torch = need("torch")
    whole = not any(isinstance(limit, float) for limit in (start, end, step))
    if whole or dtype is None or dtype.is_floating_point:
        return NotImplemented
    count = max(math.ceil((end - start) / step), 0)
    return torch.arange(count, dtype=dtype, device=device) * int(step) + int(start)


def _constant_pad(value, pad, number=0):
    """MLIR drops a padding that leaves the shape unchanged, such as 1 before and -1
    after."""
    if all(amount >= 0 for amount in pad):
        return NotImplemented
    for n in range(0, len(pad), 2):
        dim = value.dim() - 1 - n // 2
        begin, end = max(-pad[n], 0), value.shape[dim] - max(-pad[n + 1], 0)
        value = need("torch").ops.aten.slice.Tensor(value, dim, begin, end)
    return need("torch").constant_pad_nd(value, [max(amount, 0) for amount in pad], number)


def _variance(value, dim=None, *, correction=None, keepdim=False):
    """torch-mlir divides by a negative number where PyTorch divides by zero."""
    torch = need("torch")
    correction = 1 if correction is None else correction
    dims = [n % value.dim() for n in dim] if dim else list(range(value.dim()))
    count = math.prod(value.shape[n] for n in dims)
    if count >= correction or not value.is_floating_point():
        return NotImplemented
    distance = value - value.mean(dims, keepdim=True)
    return (distance * distance).sum(dims, keepdim=keepdim) / 0.0


def _variance_and_mean(value, dim=None, *, correction=None, keepdim=False):
    variance = _variance(value, dim, correction=correction, keepdim=keepdim)
    if variance is NotImplemented:
        return NotImplemented
    return variance, value.mean(dim or list(range(value.dim())), keepdim=keepdim)


def _embedding_bag(weight, indices, offsets, by_frequency=False, mode=0, sparse=False,
                   per_sample_weights=None, include_last_offset=False, padding=-1):
    """torch-mlir ignores weights of samples."""
    torch = need("torch")
    if per_sample_weights is None:
        return NotImplemented
    begins = offsets[:-1] if include_last_offset else offsets
    last = offsets[-1:] if include_last_offset else torch.full_like(offsets[:1], len(indices))
    ends = torch.cat([begins[1:], last])
    sample = torch.arange(len(indices), dtype=offsets.dtype)
    inside = (sample >= begins[:, None]) & (sample < ends[:, None]) & (indices != padding)
    samples = weight[indices] * per_sample_weights[:, None]
    result = torch.where(inside[:, :, None], samples, torch.zeros_like(samples)).sum(1)
    return result, offsets, offsets, offsets  # Only the backward pass reads the others.


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


def of_scalars(table):
    """Return the decompositions of reductions over a dimension of tensors without one. For
    some of them, torch-mlir does not end."""
    torch = need("torch")
    aten = torch.ops.aten

    def decomposition(target):
        known = table.get(target)

        def decomposed(value, *args, **kwargs):
            if value.dim():
                return known(value, *args, **kwargs) if known else NotImplemented
            results = target(value.reshape(1), *args, **kwargs)
            if isinstance(results, tuple):
                return tuple(each.reshape(()) for each in results)
            return results.reshape(())
        return decomposed

    return {target: decomposition(target) for target in (
        aten._log_softmax.default, aten._softmax.default, aten.amax.default,
        aten.amin.default, aten.max.dim, aten.min.dim, aten.prod.dim_int,
        aten.logsumexp.default, aten.std.correction, aten.var.correction,
        aten.var_mean.correction)}


def decompositions():
    """Return the decompositions by operation."""
    torch = need("torch")
    aten = torch.ops.aten
    return {
        aten._embedding_bag_forward_only.default: _embedding_bag,
        aten.abs.default: _absolute,
        aten.arange.default: lambda end, **settings: _counted(0, end, **settings),
        aten.arange.start: _counted,
        aten.arange.start_step: _counted,
        aten.argmax.default: _place(torch.amax),
        aten.argmin.default: _place(torch.amin),
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
        aten.constant_pad_nd.default: _constant_pad,
        aten.div.Scalar_mode: _divided,
        aten.div.Tensor_mode: _divided,
        aten.elu.default: _elu,
        aten.eq.Tensor: _equal,
        aten.floor_divide.Scalar: _floor_divide,
        aten.floor_divide.default: _floor_divide,
        aten.fmax.default: _extremum(torch.ge, False),
        aten.fmin.default: _extremum(torch.le, False),
        aten.fmod.Scalar: _fmod,
        aten.fmod.Tensor: _fmod,
        aten.gelu.default: _gelu,
        aten.hardtanh.default: _hardtanh,
        aten.max.dim: _largest(torch.amax),
        aten.max_pool2d.default: _batched(aten.max_pool2d.default),
        aten.max_pool2d_with_indices.default: _batched(aten.max_pool2d_with_indices.default),
        aten.maximum.default: _extremum(torch.gt, True),
        aten.min.dim: _largest(torch.amin),
        aten.minimum.default: _extremum(torch.lt, True),
        aten.neg.default: _negative,
        aten.pow.Tensor_Scalar: _power,
        aten.reciprocal.default: _reciprocal,
        aten.remainder.Scalar_Tensor: lambda number, value: torch.remainder(
            _constant(number, value), value),
        aten.sign.default: _sign,
        aten.sort.default: _sort,
        aten.sort.stable: _stable_sort,
        aten.topk.default: _topk,
        aten.trunc.default: _trunc,
        aten.var.correction: _variance,
        aten.var_mean.correction: _variance_and_mean,
        aten.xlogy.Scalar_Other: lambda value, number: torch.xlogy(
            value, _constant(number, value)),
    }
