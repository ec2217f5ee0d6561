#===- symbolic.py - arrays that record what NumPy does --------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays without elements. NumPy's functions on them append linalg operations.

NumPy passes calls on to `__array_ufunc__` and `__array_function__`, so a function that
is written for arrays can be traced as it is. Results have the dtypes (by the rules of
NumPy 2) and shapes of NumPy. What is not supported raises `PrunerError`.
"""

import math
import numbers

import numpy
from numpy.lib.mixins import NDArrayOperatorsMixin

from .native import PrunerError

# By ufunc: the operation on real numbers and on integers; empty if there is none.
_BINARY = {"add": ("arith.addf", "arith.addi"), "subtract": ("arith.subf", "arith.subi"),
           "multiply": ("arith.mulf", "arith.muli"), "divide": ("arith.divf", ""),
           "maximum": ("arith.maximumf", "arith.maxsi"),
           "minimum": ("arith.minimumf", "arith.minsi"), "power": ("math.powf", "")}
_UNARY = {"exp": "math.exp", "exp2": "math.exp2", "expm1": "math.expm1", "log": "math.log",
          "log1p": "math.log1p", "log2": "math.log2", "tanh": "math.tanh",
          "sqrt": "math.sqrt", "sin": "math.sin", "cos": "math.cos",
          "floor": "math.floor", "ceil": "math.ceil", "absolute": "math.absf",
          "fabs": "math.absf", "negative": "arith.negf"}
_COMPARE = {"less": ("olt", "slt"), "less_equal": ("ole", "sle"), "greater": ("ogt", "sgt"),
            "greater_equal": ("oge", "sge"), "equal": ("oeq", "eq"),
            "not_equal": ("une", "ne")}
_LOGIC = {"logical_and": "arith.andi", "logical_or": "arith.ori", "logical_xor": "arith.xori",
          "bitwise_and": "arith.andi", "bitwise_or": "arith.ori", "bitwise_xor": "arith.xori"}
_BOOL = numpy.dtype(bool)


class Array(NDArrayOperatorsMixin):
    """An array of a traced function: `shape`, `dtype`, and the value in the text."""

    __array_priority__ = 1000

    def __init__(self, trace, value, dtype):
        self._trace, self._value, self.dtype = trace, value, numpy.dtype(dtype)
        self.shape = value[1]

    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: math.prod(self.shape))
    T = property(lambda self: self.transpose())

    def __repr__(self):
        return f"<array {self.dtype}{list(self.shape)} of a traced function>"

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of an array without dimensions")
        return self.shape[0]

    def __bool__(self):
        raise PrunerError("a traced function cannot branch on the elements of an array; "
                          "use numpy.where")

    def __array__(self, *_, **__):
        raise PrunerError("a traced function needs the elements of an array here; this "
                          "is not supported")

    __float__ = __int__ = __array__

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        if method == "reduce":
            return _reduce(ufunc.__name__, self._trace, *inputs, **keywords)
        if method != "__call__" or keywords:
            raise PrunerError(f"numpy.{ufunc.__name__}.{method} with {sorted(keywords)} is "
                              "not supported in a traced function")
        return _apply(self._trace, ufunc, inputs)

    def __array_function__(self, function, types, args, keywords):
        made = _FUNCTIONS.get(function.__name__)
        if made is None:
            raise PrunerError(f"numpy.{function.__name__} is not supported in a traced "
                              "function")
        return made(*args, **keywords)

    def __getitem__(self, key):
        return _slice(self, key if isinstance(key, tuple) else (key,))

    def astype(self, dtype, **_):
        return self._trace.cast(self, numpy.dtype(dtype).newbyteorder("="))

    def reshape(self, *shape, order="C"):
        shape = shape[0] if len(shape) == 1 and not isinstance(
            shape[0], numbers.Integral) else shape
        if order == "F":
            return self.transpose().reshape(tuple(shape)[::-1]).transpose()
        if order not in ("C", "A"):
            raise ValueError(f"the order of elements must be C, F or A, but it is {order!r}")
        known = [int(size) for size in shape]
        if known.count(-1) == 1:
            rest = math.prod(size for size in known if size != -1)
            known[known.index(-1)] = self.size // max(rest, 1)
        if math.prod(known) != self.size or min(known, default=1) < 0:
            raise ValueError(f"cannot reshape an array of shape {self.shape} to {shape}")
        return self._trace.made(self._trace.writer.reshape(self._value, tuple(known)),
                                self.dtype)

    def transpose(self, *axes):
        axes = axes[0] if len(axes) == 1 and not isinstance(
            axes[0], numbers.Integral) else axes
        order = [a % self.ndim for a in axes] if axes else list(range(self.ndim))[::-1]
        if sorted(order) != list(range(self.ndim)):
            raise ValueError(f"axes {axes} do not match an array of shape {self.shape}")
        return self._trace.made(self._trace.writer.transpose(self._value, order), self.dtype)

    def sum(self, axis=None, **more):
        return numpy.sum(self, axis, **more)

    def mean(self, axis=None, **more):
        return numpy.mean(self, axis, **more)

    def max(self, axis=None, **more):
        return numpy.max(self, axis, **more)

    def min(self, axis=None, **more):
        return numpy.min(self, axis, **more)

    def prod(self, axis=None, **more):
        return numpy.prod(self, axis, **more)


def _dtype_of(ufunc, inputs):
    """Return the dtypes that NumPy computes in, and that of the result. Numbers of
    Python have no dtype of their own."""
    samples = []
    for each in inputs:
        if isinstance(each, Array):
            samples.append(numpy.empty(0, each.dtype))
        else:
            samples.append(each if isinstance(each, numbers.Number)
                           else numpy.empty(0, numpy.asarray(each).dtype))
    with numpy.errstate(all="ignore"):
        result = ufunc(*samples).dtype
    common = numpy.add(*samples).dtype if len(samples) == 2 else samples[0].dtype
    return common, result


def _apply(trace, ufunc, inputs):
    name = ufunc.__name__
    name = {"true_divide": "divide", "abs": "absolute", "pow": "power"}.get(name, name)
    if name == "matmul":
        return _matmul(trace, *inputs)
    if name == "power" and isinstance(inputs[1], numbers.Number) and inputs[1] in (0.5, 2):
        result = _dtype_of(ufunc, inputs)[1]  # The exponent 2.0 makes reals of integers.
        one = trace.cast(trace.array(inputs[0], result), result)
        return one * one if inputs[1] == 2 else numpy.sqrt(one)
    if name in ("square", "reciprocal", "positive"):
        result = _dtype_of(ufunc, inputs)[1]
        one = trace.cast(trace.array(inputs[0], result), result)
        if name == "reciprocal" and result.kind != "f":
            raise PrunerError(f"numpy.{name} is not supported for {result}")
        return {"square": lambda: one * one, "reciprocal": lambda: 1 / one,
                "positive": lambda: one}[name]()
    if name in _COMPARE or name in _LOGIC or name in _BINARY or name in _UNARY or (
            name in ("logical_not", "invert")):
        common, result = _dtype_of(ufunc, inputs)
    else:
        raise PrunerError(f"numpy.{name} is not supported in a traced function")
    if name.startswith("logical"):
        common = _BOOL
    working = common if name in _COMPARE or name.startswith("logical") else result
    arrays = [trace.cast(trace.array(each, working), working) for each in inputs]
    real, kind = working.kind == "f", trace.element(working)
    if name in _COMPARE:
        predicate = _COMPARE[name][0 if real else 1]
        if kind == "i1":  # Its only bit is not a sign.
            predicate = predicate.replace("s", "u", 1)
        op = f"arith.cmp{'f' if real else 'i'} {predicate},"
    elif name in _LOGIC:
        op = _LOGIC[name]
        if real:
            raise PrunerError(f"numpy.{name} is not supported for {working}")
    elif name in ("logical_not", "invert"):
        return arrays[0] ^ (True if kind == "i1" else -1)
    elif name in _BINARY:
        op = _BINARY[name][0 if real else 1]
        if kind == "i1":  # Sums and products of truth values are truth values.
            op = {"add": "arith.ori", "multiply": "arith.andi", "maximum": "arith.ori",
                  "minimum": "arith.andi"}.get(name, "")
    elif real:
        op = _UNARY[name]
    elif name == "negative":
        return 0 - arrays[0]
    elif name in ("floor", "ceil"):
        return arrays[0]
    else:
        op = "math.absi" if name == "absolute" else ""
    if not op:
        raise PrunerError(f"numpy.{name} is not supported for {working}")
    shape = numpy.broadcast_shapes(*(each.shape for each in arrays))
    return trace.made(trace.writer.elementwise(
        [each._value for each in arrays], shape, trace.element(result),
        lambda ins, _: ([f"%r = {op} {', '.join(ins)} : {kind}"], "%r")), result)


def _matmul(trace, a, b):
    a, b = trace.array(a), trace.array(b)
    dtype = numpy.result_type(a.dtype, b.dtype)
    if dtype == bool or not a.shape or not b.shape or (
            a.shape[-1] != b.shape[max(b.ndim - 2, 0)]):
        raise ValueError(f"matmul of {a.dtype}{a.shape} and {b.dtype}{b.shape}")
    batch = numpy.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    # NumPy adds products of f16 in f32.
    working = numpy.dtype("f4") if dtype == "f2" else dtype
    a, b = trace.cast(a, working), trace.cast(b, working)
    return trace.cast(trace.made(trace.writer.product(
        a._value, b._value, batch, list(a.shape[-2:-1]), list(b.shape[-1:]) if b.ndim > 1
        else [], trace.element(working)), working), dtype)


def _reduce(name, trace, array, axis=None, dtype=None, out=None, keepdims=False, **more):
    ufunc = {"add": numpy.add, "multiply": numpy.multiply, "maximum": numpy.maximum,
             "minimum": numpy.minimum}.get(name)
    more = {key: value for key, value in more.items()
            if value is not None and value is not True and value is not numpy._NoValue}
    if ufunc is None or out is not None or more:
        raise PrunerError(f"numpy.{name}.reduce with these arguments is not supported in a "
                          "traced function")
    array = trace.array(array)
    if keepdims is numpy._NoValue:
        keepdims = False
    axes = range(array.ndim) if axis is None else (
        axis if isinstance(axis, (tuple, list)) else [axis])
    axes = sorted(each % array.ndim if -array.ndim <= each < array.ndim else -1
                  for each in axes)
    if axes and axes[0] < 0:
        raise ValueError(f"axis {axis} is out of bounds for an array of {array.ndim} dimensions")
    if len(set(axes)) < len(axes):
        raise ValueError(f"axis {axis} has a dimension twice")
    result = ufunc.reduce(numpy.ones(1, array.dtype), dtype=dtype).dtype
    array = trace.cast(array, result)
    element = trace.element(result)
    kind = "f" if result.kind == "f" else "i"
    if element == "i1":
        op = "arith.ori" if name in ("add", "maximum") else "arith.andi"
        start = name in ("multiply", "minimum")
    else:
        op = {"add": f"arith.add{kind}", "multiply": f"arith.mul{kind}",
              "maximum": f"arith.max{'imumf' if kind == 'f' else 'si'}",
              "minimum": f"arith.min{'imumf' if kind == 'f' else 'si'}"}[name]
        least, most = (-numpy.inf, numpy.inf) if kind == "f" else (
            numpy.iinfo(result).min, numpy.iinfo(result).max)
        start = {"add": 0, "multiply": 1, "maximum": least, "minimum": most}[name]
    value = trace.writer.reduce(
        array._value, axes, start,
        lambda ins, out: ([f"%r = {op} {out}, {ins[0]} : {element}"], "%r"))
    if keepdims:
        value = trace.writer.reshape(value, tuple(
            1 if n in axes else size for n, size in enumerate(array.shape)))
    return trace.made(value, result)


def _slice(array, key):
    """Basic indexing: numbers, slices with positive steps, None and `...`."""
    trace, given = array._trace, sum(each is not None and each is not Ellipsis for each in key)
    if given > array.ndim:
        raise IndexError(f"{given} indices for an array of {array.ndim} dimensions")
    full = [slice(None)] * (array.ndim - given)
    if not any(each is Ellipsis for each in key):
        key = (*key, Ellipsis)
    where = next(n for n, each in enumerate(key) if each is Ellipsis)
    offsets, sizes, strides, shape = [], [], [], []
    for each in [*key[:where], *full, *key[where + 1:]]:
        if each is None:
            shape.append(1)
            continue
        extent = array.shape[len(offsets)]
        if isinstance(each, numbers.Integral) and not isinstance(each, bool):
            if not -extent <= each < extent:
                raise IndexError(f"index {each} is out of bounds for an extent of {extent}")
            each = slice(int(each) % extent, int(each) % extent + 1)
        else:
            if not isinstance(each, slice):
                raise PrunerError("an index of a traced array must be a number, a slice, "
                                  "None or ...")
            shape.append(len(range(*each.indices(extent))))
        start, stop, step = each.indices(extent)
        if step < 0 or start >= stop:
            raise PrunerError("a slice of a traced array must have a positive step and "
                              "elements")
        offsets.append(start)
        sizes.append(len(range(start, stop, step)))
        strides.append(step)
    value = array._value
    if tuple(sizes) != array.shape:
        value = trace.writer.slice(value, offsets, sizes, strides)
    return trace.made(trace.writer.reshape(value, tuple(shape)), array.dtype)


def _of(*values):
    return next(each._trace for each in values if isinstance(each, Array))


def _where(condition, a, b):
    trace = _of(condition, a, b)
    dtype = _dtype_of(numpy.add, [a, b])[1]
    condition = trace.cast(trace.array(condition), _BOOL)
    a, b = (trace.cast(trace.array(each, dtype), dtype) for each in (a, b))
    shape = numpy.broadcast_shapes(condition.shape, a.shape, b.shape)
    element = trace.element(dtype)
    return trace.made(trace.writer.elementwise(
        [condition._value, a._value, b._value], shape, element, lambda ins, _: (
            [f"%r = arith.select {', '.join(ins)} : {element}"], "%r")), dtype)


def _mean(array, axis=None, dtype=None, out=None, keepdims=False, **more):
    result = numpy.mean(numpy.ones(1, array.dtype), dtype=dtype).dtype
    # The sum of a mean in f16 is one in f32, unless the caller asks for f16.
    working = numpy.dtype("f4") if dtype is None and result == "f2" else result
    total = _reduce("add", array._trace, array, axis, working, out, keepdims, **more)
    count = numpy.asarray(array.size // max(total.size, 1),
                          working if working.kind == "f" else None)
    return array._trace.cast(total / count, result)


def _broadcast_to(array, shape, **_):
    shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if numpy.broadcast_shapes(array.shape, shape) != shape:
        raise ValueError(f"shape {array.shape} does not broadcast to {shape}")
    return array._trace.made(array._trace.writer.elementwise(
        [array._value], shape, array._trace.element(array.dtype),
        lambda ins, _: ([], ins[0])), array.dtype)


def _reducer(name):
    return lambda array, axis=None, dtype=None, out=None, keepdims=False, **more: _reduce(
        name, array._trace, array, axis, dtype, out, keepdims, **more)


def _extremum(name):
    return lambda array, axis=None, out=None, keepdims=False, **more: _reduce(
        name, array._trace, array, axis, None, out, keepdims, **more)


def _clip(array, a_min=None, a_max=None, out=None, **more):
    low, high = more.pop("min", a_min), more.pop("max", a_max)
    if out is not None or more:
        raise PrunerError("numpy.clip with these arguments is not supported")
    array = array if low is None else numpy.maximum(array, low)
    return array if high is None else numpy.minimum(array, high)


def _reshaped(array, shape=None, order="C", newshape=None, **_):
    return array.reshape(newshape if shape is None else shape, order=order)


def _dot(a, b):
    trace = _of(a, b)
    a, b = trace.array(a), trace.array(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    if a.ndim > 2 or b.ndim > 2:
        raise PrunerError("numpy.dot of more than two dimensions is not supported in a "
                          "traced function")
    return numpy.matmul(a, b)


def _swapped(array, a, b):
    order = list(range(array.ndim))
    order[a], order[b] = order[b], order[a]
    return array.transpose(order)


def _squeezed(array, axis=None):
    return array.reshape(numpy.broadcast_to(numpy.empty(()), array.shape).squeeze(axis).shape)


def _expanded(array, axis):
    known = numpy.expand_dims(numpy.broadcast_to(numpy.empty(()), array.shape), axis)
    return array.reshape(known.shape)


_FUNCTIONS = {
    "where": _where, "mean": _mean, "broadcast_to": _broadcast_to, "clip": _clip,
    "sum": _reducer("add"), "prod": _reducer("multiply"),
    "max": _extremum("maximum"), "amax": _extremum("maximum"),
    "min": _extremum("minimum"), "amin": _extremum("minimum"),
    "reshape": _reshaped, "dot": _dot, "ndim": lambda array: array.ndim,
    "transpose": lambda array, axes=None: array.transpose(*([axes] if axes else [])),
    "swapaxes": _swapped, "squeeze": _squeezed, "expand_dims": _expanded,
}

