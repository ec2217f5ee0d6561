#===- layouts.py - where the elements of results lie -----------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives the results of a library the strides that they have in eager PyTorch, because the
code after a graph may depend on them: views of a transposed result, for example. Results
that are views of another one are views here, too.

The layout of a value that is not a tensor is None. The layout of a tensor is a tuple:
("dense",) for a contiguous tensor; ("permuted", order) for a tensor that is contiguous if
its dimensions are in `order`; ("view", n, size, stride, offset) for elements of result n.
"""

import torch


def _order(value):
    """Return the dimensions of a tensor without gaps in memory, outermost first, or None."""
    sizes, strides = value.shape, value.stride()
    order = sorted(range(value.dim()), key=lambda n: (-strides[n], sizes[n] == 1))
    expected = 1
    for n in reversed(order):
        if sizes[n] != 1:
            if strides[n] != expected:
                return None
            expected *= sizes[n]
    return order


def _is_plain(value):
    return isinstance(value, torch.Tensor) and value.numel() > 0 and all(
        type(number) is int for number in (*value.shape, *value.stride(),
                                           value.storage_offset()))


def layouts_of(values):
    """Return the layouts of tensors, whose elements are not read. Other values have None."""
    bases = {}
    for n, value in enumerate(values):
        if _is_plain(value) and value.is_contiguous() and value.storage_offset() == 0 and (
                value.untyped_storage().nbytes() == value.numel() * value.element_size()):
            bases.setdefault(value.untyped_storage()._cdata, n)
    made = []
    for n, value in enumerate(values):
        if not isinstance(value, torch.Tensor):
            made.append(None)
            continue
        layout = ("dense",)
        if _is_plain(value):
            base = bases.get(value.untyped_storage()._cdata, n)
            order = _order(value)
            if base != n and values[base].dtype == value.dtype:
                layout = ("view", base, list(value.shape), list(value.stride()),
                          value.storage_offset())
            elif not value.is_contiguous() and order is not None:
                layout = ("permuted", order)
        made.append(layout)
    return made


def is_computed(layout):
    """Return whether a library computes the result."""
    return bool(layout) and layout[0] != "view"


def computed(value, layout):
    """Return the contiguous tensor that a library computes for a result, or None for a view
    of another one."""
    if not is_computed(layout):
        return None
    return value.permute(layout[1]) if layout[0] == "permuted" else value


def restored(results, layouts):
    """Return the tensors of all results. `results` are those that a library has computed,
    and values that are not tensors."""
    made = [value.permute(torch.argsort(torch.tensor(layout[1])).tolist())
            if layout and layout[0] == "permuted" else value
            for value, layout in zip(results, layouts)]
    for n, layout in enumerate(layouts):
        if layout and layout[0] == "view":
            made[n] = made[layout[1]].as_strided(*layout[2:])
    return made
