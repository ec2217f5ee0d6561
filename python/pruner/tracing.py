#===- tracing.py - functions of NumPy arrays as programs ------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traces Python functions on NumPy arrays to linalg programs.

    def layer(x, w, b):
        return np.maximum(x @ w + b, 0)

    net = pruner.compile(layer, (x, w, b), trials=20)

    @pruner.jit                                # compiled at the first call of each shape
    def softmax(x):
        e = np.exp(x - x.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)

The function runs once, with symbolic arrays. Arrays of NumPy that it captures become
weights. Supported are the operations of `pruner.symbolic`.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

import numpy

from .linalg_writer import ELEMENTS, Writer, tensor_type
from .native import ContentWatch, PrunerError
from .network import Network
from .symbolic import Array

# Captured arrays of at most this many elements are constants of the program.
_INLINE_ELEMENTS = 1


def _plain(value):
    """Return a value as an array with bytes in the order of this machine, which is all
    that programs have."""
    if isinstance(value, numpy.ma.MaskedArray):
        raise PrunerError("masked arrays are not supported; expected an array without a mask, "
                          "such as the result of filled()")
    value = numpy.asarray(value)
    return value.astype(value.dtype.newbyteorder("="), copy=False)


def _quoted(name):
    """Return a name as a string of MLIR."""
    return '"' + "".join(
        f"\\{ord(each):02X}" if each < " " or each in '"\\\x7f' else each
        for each in str(name)) + '"'


class Trace:
    """A function in the making, and at its end: `text`, `name` and `weights`, which are
    (element type, array) by name."""

    def __init__(self, name):
        self.writer, self.name, self.text = Writer(), name, ""
        self.weights: Dict[str, Tuple[str, numpy.ndarray]] = {}
        self._captured: Dict[int, Tuple[numpy.ndarray, Array]] = {}
        self.read: List[numpy.ndarray] = []  # The arrays whose elements are in the network.
        self.arguments = []

    @staticmethod
    def element(dtype):
        """Return the element type of MLIR for a dtype."""
        if dtype.name not in ELEMENTS:
            raise PrunerError(f"arrays of {dtype} are not supported; expected one of "
                              + ", ".join(ELEMENTS))
        return ELEMENTS[dtype.name]

    def made(self, value, dtype):
        return Array(self, value, dtype)

    def argument(self, shape, dtype, name, constant=False):
        if 0 in shape:
            raise PrunerError(f"'{name}' has no elements")
        value = (f"%arg{len(self.arguments)}", tuple(shape), self.element(dtype))
        mark = "pruner.constant, " if constant else ""
        self.arguments.append(f"{value[0]}: {tensor_type(*value[1:])} "
                              f"{{{mark}pruner.name = {_quoted(name)}}}")
        return self.made(value, dtype)

    def array(self, value, dtype=None):
        """Return a value as an array of this function: of `dtype` if it is a number."""
        if isinstance(value, Array):
            if value._trace is not self:
                raise PrunerError("an array belongs to another traced function")
            return value
        if isinstance(value, (bool, int, float)) and dtype is not None:
            value = numpy.asarray(value, dtype)
        if isinstance(value, numpy.ndarray) and not any(each is value for each in self.read):
            self.read.append(value)
        value = _plain(value)
        if value.size <= _INLINE_ELEMENTS:
            element = self.element(value.dtype)
            made = self.writer.filled(value.reshape(-1)[0].item(), value.shape, element)
            return self.made((made, value.shape, element), value.dtype)
        if id(value) not in self._captured:
            name = f"weight{len(self.weights)}"
            self.weights[name] = (self.element(value.dtype), numpy.ascontiguousarray(value))
            self._captured[id(value)] = value, self.argument(
                value.shape, value.dtype, name, constant=True)
        return self._captured[id(value)][1]

    def cast(self, array, dtype):
        """Return an array with elements of `dtype`."""
        if array.dtype == dtype:
            return array
        old, new = self.element(array.dtype), self.element(dtype)
        if new == "i1":
            return array != 0
        real, was_real = new[0] == "f", old[0] == "f"
        if real and was_real:
            op = "extf" if int(new[1:]) > int(old[1:]) else "truncf"
        elif real:
            op = "uitofp" if old == "i1" else "sitofp"
        elif was_real:
            op = "fptosi"
        else:
            op = "trunci" if int(new[1:]) < int(old[1:]) else (
                "extui" if old == "i1" else "extsi")
        return self.made(self.writer.elementwise(
            [array._value], array.shape, new, lambda ins, _: (
                [f"%r = arith.{op} {ins[0]} : {old} to {new}"], "%r")), dtype)

    def finish(self, names, results):
        types = [tensor_type(*each._value[1:]) for each in results]
        listed = ", ".join(f"{kind} {{pruner.name = {_quoted(name)}}}"
                           for kind, name in zip(types, names))
        values = ", ".join(each._value[0] for each in results)
        self.text = "\n".join([
            f"func.func @main({', '.join(self.arguments)}) -> ({listed}) {{",
            *self.writer.lines, f"    return {values} : {', '.join(types)}", "}", ""])


def trace(function: Callable[..., Any], example_inputs: Any) -> Trace:
    """Trace a function. Only shapes and dtypes of the example inputs matter: an array,
    a sequence of arrays, or arrays by name. The result of the function is an array, a
    tuple or list of arrays, or arrays by name."""
    if example_inputs is None:
        raise PrunerError("a function needs example inputs")
    made = Trace(getattr(function, "__name__", "function"))
    if isinstance(example_inputs, Mapping):
        names, values = list(example_inputs), list(example_inputs.values())
    else:
        values = list(example_inputs) if isinstance(example_inputs, (tuple, list)) else [
            example_inputs]
        names = _names(function, len(values))
    arguments = []
    for name, value in zip(names, values):
        value = _plain(value)
        arguments.append(made.argument(value.shape, value.dtype, name))
    if isinstance(example_inputs, Mapping):
        results = function(**dict(zip(names, arguments)))
    else:
        results = function(*arguments)
    if isinstance(results, Mapping):
        names, results = list(results), list(results.values())
    else:
        results = list(results) if isinstance(results, (tuple, list)) else [results]
        names = [f"result{n}" for n in range(len(results))]
    made.finish(names, [made.array(each) for each in results])
    return made


def _names(function, count):
    """Return names for the first `count` arguments."""
    try:
        names = [name for name, parameter in inspect.signature(function).parameters.items()
                 if parameter.kind in (parameter.POSITIONAL_ONLY,
                                       parameter.POSITIONAL_OR_KEYWORD)]
    except (TypeError, ValueError):
        names = []
    return [names[n] if n < len(names) else f"input{n}" for n in range(count)]


class _Captured:
    """Arrays that a network contains."""

    def __init__(self, arrays):
        self.arrays, self.blocks, self.watch = arrays, None, None

    def content(self):
        """Return a hash of the elements."""
        arrays = [each if each.flags.c_contiguous or each.flags.f_contiguous
                  else numpy.ascontiguousarray(each) for each in self.arrays]
        blocks = [(each.ctypes.data, each.nbytes) for each in arrays]
        if blocks != self.blocks:
            self.blocks, self.watch = blocks, ContentWatch(blocks)
        return self.watch.hash()


def jit(function: Optional[Callable[..., Any]] = None, *, frozen: bool = False,
        **options: Any) -> Any:
    """Return a function of arrays that compiles `function` at the first call with new
    shapes or dtypes. `options` are those of `pruner.compile`. Usable as a decorator.

    The content of captured arrays is a part of the network. It is hashed in each call,
    and the function is compiled again when it changed. With `frozen` the caller promises
    that it does not. A name that is bound to another array is not noticed."""
    if function is None:
        return functools.partial(jit, frozen=frozen, **options)
    networks: Dict[Any, Network] = {}
    captured: Dict[Any, Tuple[_Captured, Any]] = {}

    @functools.wraps(function)
    def call(*args):
        from .compiling import compile as compile_network

        arrays = [numpy.asarray(each) for each in args]
        key = tuple((each.shape, each.dtype) for each in arrays)
        if key in networks:
            read, content = captured[key]
            if not frozen and read.arrays and read.content() != content:
                del networks[key]
        if key not in networks:
            made = trace(function, arrays)
            read = _Captured(made.read)
            captured[key] = read, read.content()
            networks[key] = compile_network(made, **options)
        return networks[key](*args)

    setattr(call, "networks", networks)  # For tests and reports.
    return call
