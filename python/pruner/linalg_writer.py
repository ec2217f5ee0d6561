#===- linalg_writer.py - linalg text by operations of arrays --------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a function of linalg on tensors, one operation after the other.

Values are (name, shape, element), for example ("%3", (2, 8), "f32"). Operands broadcast
as in NumPy. All shapes are static.
"""

import math
import struct

import numpy

ELEMENTS = {"float64": "f64", "float32": "f32", "float16": "f16", "int64": "i64",
            "int32": "i32", "int16": "i16", "int8": "i8", "bool": "i1"}
_BITS = {"f64": ("<d", "<Q"), "f32": ("<f", "<I"), "f16": ("<e", "<H")}


def tensor_type(shape, element):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def affine(rank, results):
    """Return an affine map; `results` are numbers of dimensions."""
    dims = ", ".join(f"d{n}" for n in range(rank))
    return f"affine_map<({dims}) -> ({', '.join(f'd{n}' for n in results)})>"


def literal(value, element):
    """Return a number as an attribute of MLIR. Bits are exact, and write infinities."""
    if element in _BITS:
        real, whole = _BITS[element]
        bits = struct.unpack(whole, struct.pack(real, value))[0]
        return f"0x{bits:0{struct.calcsize(whole) * 2}X} : {element}"
    if element == "i1":
        return "true" if value else "false"
    return f"{int(value)} : {element}"


class Writer:
    """The lines of a function. Methods append operations and return values."""

    def __init__(self):
        self.lines, self.count = [], 0

    def name(self):
        self.count += 1
        return f"%{self.count}"

    def op(self, text):
        name = self.name()
        self.lines.append(f"    {name} = {text}")
        return name

    def scalar(self, value, element):
        return self.op(f"arith.constant {literal(value, element)}")

    def empty(self, shape, element):
        return self.op(f"tensor.empty() : {tensor_type(shape, element)}")

    def filled(self, value, shape, element):
        kind = tensor_type(shape, element)
        return self.op(f"linalg.fill ins({self.scalar(value, element)} : {element}) "
                       f"outs({self.empty(shape, element)} : {kind}) -> {kind}")

    def generic(self, operands, maps, init, out_map, shape, element, kinds, body):
        """Append linalg.generic. `maps` and `out_map` are numbers of dimensions, `kinds`
        the iterators: "p" or "r". `body` receives the names of the elements and returns
        lines and the name of the result."""
        rank = len(kinds)
        ins = [f"%in{n}" for n in range(len(operands))]
        lines, result = body(ins, "%out")
        iterators = ", ".join('"parallel"' if k == "p" else '"reduction"' for k in kinds)
        every = ", ".join(affine(rank, each) for each in [*maps, out_map])
        names = ", ".join(value[0] for value in operands)
        types = ", ".join(tensor_type(*value[1:]) for value in operands)
        taken = f"ins({names} : {types}) " if operands else ""
        kind = tensor_type(shape, element)
        arguments = ", ".join([f"{n}: {value[2]}" for n, value in zip(ins, operands)]
                              + [f"%out: {element}"])
        name = self.op(f"linalg.generic {{indexing_maps = [{every}], iterator_types = "
                       f"[{iterators}]}} {taken}outs({init} : {kind}) {{")
        self.lines.append(f"    ^bb0({arguments}):")
        self.lines += [f"      {line}" for line in lines]
        self.lines.append(f"      linalg.yield {result} : {element}")
        self.lines.append(f"    }} -> {kind}")
        return name, shape, element

    def elementwise(self, operands, shape, element, body):
        """Append an operation on elements; operands broadcast to `shape`."""
        squeezed, maps = [], []
        for value in operands:
            lead = len(shape) - len(value[1])
            kept = [n for n, size in enumerate(value[1])
                    if size != 1 or shape[lead + n] == 1]
            squeezed.append(self.reshape(value, tuple(value[1][n] for n in kept)))
            maps.append([lead + n for n in kept])
        every = range(len(shape))
        return self.generic(squeezed, maps, self.empty(shape, element), every, shape,
                            element, "p" * len(shape), body)

    def reduce(self, value, axes, start, body):
        """Reduce over axes, from the number `start`."""
        _, shape, element = value
        kept = [n for n in range(len(shape)) if n not in axes]
        result = tuple(shape[n] for n in kept)
        kinds = ["r" if n in axes else "p" for n in range(len(shape))]
        return self.generic([value], [range(len(shape))],
                            self.filled(start, result, element), kept, result, element,
                            kinds, body)

    def transpose(self, value, order):
        """Permute dimensions: dimension n of the result is `order[n]` of the value."""
        shape = tuple(value[1][n] for n in order)
        inverse = numpy.argsort(order).tolist()
        return self.generic([value], [inverse], self.empty(shape, value[2]),
                            range(len(shape)), shape, value[2], "p" * len(shape),
                            lambda ins, out: ([], ins[0]))

    def reshape(self, value, shape):
        """Change the shape, in row-major order, through one dimension."""
        name, old, element = value
        if tuple(shape) == tuple(old):
            return value
        count = math.prod(old)
        flat = tensor_type((count,), element)

        def group(rank):
            return f"[[{', '.join(map(str, range(rank)))}]]" if rank else "[]"

        if len(old) == 0:
            name = self.op(f"tensor.expand_shape {name} [] output_shape [1] : "
                           f"{tensor_type((), element)} into {flat}")
        elif len(old) > 1:
            name = self.op(f"tensor.collapse_shape {name} {group(len(old))} : "
                           f"{tensor_type(old, element)} into {flat}")
        if len(shape) == 0:
            name = self.op(f"tensor.collapse_shape {name} [] : {flat} into "
                           f"{tensor_type((), element)}")
        elif len(shape) > 1:
            name = self.op(f"tensor.expand_shape {name} {group(len(shape))} output_shape "
                           f"[{', '.join(map(str, shape))}] : {flat} into "
                           f"{tensor_type(shape, element)}")
        return name, tuple(shape), element

    def slice(self, value, offsets, sizes, strides):
        def listed(numbers):
            return f"[{', '.join(map(str, numbers))}]"

        name, shape, element = value
        made = self.op(f"tensor.extract_slice {name}{listed(offsets)} {listed(sizes)} "
                       f"{listed(strides)} : {tensor_type(shape, element)} to "
                       f"{tensor_type(sizes, element)}")
        return made, tuple(sizes), element

    def product(self, a, b, batch, rows, columns, element):
        """Append the sum of products over the last dimension of `a` and the one before
        the last of `b`, or its only one. `batch` are the extents that broadcast before
        them; `rows` and `columns` are lists with one extent or none."""
        rank = len(batch) + len(rows) + len(columns)
        inner = a[1][-1]
        shape = (*batch, *rows, *columns)
        tails = ([*range(len(batch), len(batch) + len(rows)), rank],
                 [rank, *range(rank - len(columns), rank)])
        operands, maps = [], []
        for value, tail in zip((a, b), tails):
            own = len(value[1]) - len(tail)
            lead = len(batch) - own
            kept = [n for n in range(own) if value[1][n] != 1 or batch[lead + n] == 1]
            operands.append(self.reshape(value, tuple(value[1][n] for n in kept)
                                         + tuple(value[1][own:])))
            maps.append([lead + n for n in kept] + tail)
        kind = "f" if element[0] == "f" else "i"

        def body(ins, out):
            return [f"%p = arith.mul{kind} {ins[0]}, {ins[1]} : {element}",
                    f"%s = arith.add{kind} {out}, %p : {element}"], "%s"

        assert inner == b[1][len(b[1]) - len(columns) - 1]
        return self.generic(operands, maps, self.filled(0, shape, element), range(rank),
                            shape, element, "p" * rank + "r", body)
