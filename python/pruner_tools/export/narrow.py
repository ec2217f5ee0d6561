#===- narrow.py - operations on narrow types -------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes operations on narrow types the way PyTorch's CPU kernels do: an operation on
f16 or bf16 computes in f32 and rounds once at its end, and one on small integers computes
in i32 and wraps. Operands of other types are rounded first, with few exceptions.
"""

import functools

from . import attention
from .functions import floor_divided
from .networks import need

# Operations on floats that torch-mlir itself lowers with accumulators of f32.
_PRODUCTS = {"convolution", "mm", "bmm", "linear", "matmul", "conv1d", "conv2d", "conv3d"}

# Operations of quantized networks, which `quantized` decomposes so that bytes stay bytes.
_QUANTIZED = {"quantized_decomposed"}
_BYTE_PRODUCTS = {"_int_mm", "_weight_int4pack_mm_for_cpu", "_weight_int8pack_mm"}

# Operations that copy, choose or convert elements. They keep their types.
_KEPT = {"_to_copy", "convert_element_type", "reshape", "expand", "permute", "t",
         "transpose", "squeeze", "unsqueeze", "slice", "select", "split",
         "split_with_sizes", "unbind", "chunk", "cat", "stack", "clone", "copy",
         "contiguous", "alias", "detach", "lift_fresh_copy", "lift_fresh", "_to_dense",
         "flip", "roll", "repeat", "constant_pad_nd", "unfold", "reflection_pad1d",
         "reflection_pad2d", "replication_pad2d", "embedding", "index", "index_select",
         "gather", "where", "masked_fill", "slice_scatter", "select_scatter", "scatter",
         "index_put", "empty_like", "zeros_like", "ones_like", "full_like", "new_zeros",
         "new_ones", "new_full", "new_empty", "fill", "max_pool2d_with_indices", "relu",
         "tril", "triu", "repeat_interleave", "pixel_shuffle", "pixel_unshuffle",
         "channel_shuffle", "diagonal", "movedim", "sym_size", "sym_stride", "sym_numel",
         "view", "_unsafe_view"}

# Operations that convert their operands to one type, numbers included, before they
# compute. Comparisons do so although their results are booleans.
_CONVERTING = {"add", "sub", "rsub", "mul", "div", "floor_divide", "pow", "remainder",
               "fmod", "eq", "ne", "lt", "le", "gt", "ge", "hardshrink", "softshrink",
               "atan2", "hypot", "logaddexp", "logaddexp2", "maximum", "minimum", "fmax",
               "fmin", "copysign", "xlogy", "addcmul", "addcdiv", "lerp", "ldexp",
               "heaviside", "nextafter"}

# Those that read numbers, or a scalar as the second operand, in f32.
_WIDE_NUMBERS = {"mul", "div", "floor_divide", "lerp", "addcmul", "addcdiv"}
_WIDE_SCALARS = {"mul", "div", "floor_divide"}


def _wide_types():
    torch = need("torch")
    return {torch.float16: torch.float32, torch.bfloat16: torch.float32,
            torch.uint8: torch.int32, torch.int8: torch.int32, torch.int16: torch.int32}


def _is_narrow(value):
    return need("torch").is_tensor(value) and value.dtype in _wide_types()


def _widened(value):
    return value.to(_wide_types()[value.dtype]) if _is_narrow(value) else value


def _typed(value, like):
    """Return a tensor with the type that PyTorch gives it."""
    torch = need("torch")
    if torch.is_tensor(value) and torch.is_tensor(like):
        return value.to(like.dtype)
    return value


def _keeps_types(target, args):
    name = target._schema.name.partition("::")[2]
    if not any("Tensor" in str(each.type) for each in target._schema.returns):
        return True
    return (name in _KEPT or name in _BYTE_PRODUCTS or target.namespace in _QUANTIZED
            or name in _PRODUCTS and args[0].is_floating_point())


def _common_type(operands):
    from torch._prims_common import ELEMENTWISE_TYPE_PROMOTION_KIND, elementwise_dtypes

    kind = ELEMENTWISE_TYPE_PROMOTION_KIND.NO_OPMATH
    return elementwise_dtypes(*operands, type_promotion_kind=kind)[1]


def _rounded(number, dtype):
    """Return a number as one of `dtype`."""
    return need("torch").tensor(number, device="cpu").to(dtype).item()


def _converted(name, args, kwargs):
    """Return the operands in the type of PyTorch's kernel, if that is a narrow one."""
    torch = need("torch")
    from torch.utils._python_dispatch import _disable_current_modes

    operands = [each for each in args if torch.is_tensor(each)
                or isinstance(each, (int, float)) and not isinstance(each, bool)]
    common = _common_type(operands)
    if common not in _wide_types():
        return args, kwargs

    def converted(place, value):
        if torch.is_tensor(value):
            wide = name in _WIDE_SCALARS and place == 1 and value.dim() == 0
            if not wide or not common.is_floating_point:
                return value.to(common)
            return value.to(_wide_types()[common])
        if type(value) not in (int, float):
            return value
        if common.is_floating_point and name in _WIDE_NUMBERS and place != 0:
            return value
        if name == "pow" and not common.is_floating_point:
            return value
        with _disable_current_modes():
            return _rounded(value, common)

    args = tuple(converted(place, value) for place, value in enumerate(args))
    if "alpha" in kwargs:
        kwargs = {**kwargs, "alpha": converted(0, kwargs["alpha"])}
    return args, kwargs


def _biased_product(name, bias, a, b, *, beta=1, alpha=1):
    """Compute a product with a bias. The product keeps its type, because widened copies
    of the weights would take longer to read."""
    torch = need("torch")
    product = (torch.mm if name == "addmm" else torch.bmm)(a, b).float()
    product = product * alpha if alpha != 1 else product
    bias = bias.float()
    return product + (bias * beta if beta != 1 else bias)


def _power(value, exponent):
    """PyTorch multiplies in bf16 for two exponents."""
    torch = need("torch")
    if torch.is_tensor(exponent) or value.dtype != torch.bfloat16:
        return None
    if exponent == 3:
        return value * value * value
    if exponent == -2:
        return (value * value).reciprocal()
    return None


def _scaled(value, exponent):
    """PyTorch rounds the power of two if the exponent is not an integer."""
    torch = need("torch")
    return value * torch.pow(2.0, exponent) if exponent.is_floating_point() else None


def _divided(value, other, rounding):
    """PyTorch divides tensors in the narrow type before it rounds to whole numbers."""
    torch = need("torch")
    if rounding is None or not torch.is_tensor(other) or not other.dim():
        return None
    if rounding == "floor":
        return floor_divided(value, other)
    return torch.trunc(value / other)


def _chosen(target, args, kwargs):
    """Compute an operation that chooses elements of tensors. torch-mlir converts unsigned
    integers to another type as if they were signed."""
    torch = need("torch")
    from torch.utils._pytree import tree_leaves, tree_map

    operands = [each for each in tree_leaves(args) if torch.is_tensor(each)]
    chosen = operands[1:] if target._schema.name == "aten::where" else operands
    common = _common_type(chosen)
    if len(chosen) < 2 or all(each.dtype == common for each in chosen):
        return NotImplemented
    return target(*tree_map(
        lambda each: each.to(common) if any(each is one for one in chosen) else each, args),
        **kwargs)


def computed(target, args, kwargs, like=None):
    """Return the result of an operation on at least one narrow tensor, or NotImplemented.
    `like` has the types of the result, if they are known."""
    torch = need("torch")
    from torch.utils._pytree import tree_leaves, tree_map

    if not any(map(_is_narrow, tree_leaves((args, kwargs)))):
        return NotImplemented
    name = target._schema.name.partition("::")[2]
    if name in ("where", "cat", "stack"):
        return _chosen(target, args, kwargs)
    if _keeps_types(target, args):
        return NotImplemented
    if like is None:
        from torch.fx.experimental.proxy_tensor import disable_proxy_modes_tracing

        with disable_proxy_modes_tracing():
            like = target(*args, **kwargs)
    result = None
    if name in ("addmm", "baddbmm") and args[1].is_floating_point():
        result = _biased_product(name, *args, **kwargs)
    elif name == "ldexp":
        result = _scaled(*args)
    elif name in attention.OPERATIONS:
        result = attention.OPERATIONS[name](*args, **kwargs)
    if result is None and name in _CONVERTING:
        args, kwargs = _converted(name, args, kwargs)
        if name == "pow" and torch.is_tensor(args[0]) and args[0].is_floating_point():
            result = _power(*args[:2])
        elif name in ("div", "floor_divide") and args[0].is_floating_point():
            result = _divided(*args[:2], kwargs.get(
                "rounding_mode", "floor" if name == "floor_divide" else None))
    if result is None:
        result = target(*tree_map(_widened, args), **tree_map(_widened, kwargs))
    return tree_map(_typed, result, like)


def occurs(graph):
    """Return whether a graph computes with narrow tensors."""
    return bool(_targets(graph))


def _targets(graph):
    torch = need("torch")
    return {node.target for node in graph.nodes
            if isinstance(node.target, torch._ops.OpOverload)
            and any(_is_narrow(each.meta.get("val")) for each in node.all_input_nodes)}


def _view(value, shape):
    """Change the shape of a tensor. Decompositions may choose other layouts, for which
    there is no view."""
    from torch.fx.experimental.proxy_tensor import disable_proxy_modes_tracing

    try:
        with disable_proxy_modes_tracing():
            need("torch").ops.aten.view.default(value, shape)
    except (RuntimeError, ValueError):
        return value.contiguous().view(shape)
    return NotImplemented


def composite(graph):
    """Return the decompositions of composite operations of a graph on narrow tensors. Their
    parts may round several times."""
    torch = need("torch")
    key = torch._C.DispatchKey.CompositeImplicitAutograd

    def decomposition(target):
        # The kernel itself, because torch.export puts this function in its place.
        kernel = target.py_kernels.get(key, functools.partial(target._op_dk, key))
        attend = attention.OPERATIONS.get(target._schema.name.partition("::")[2])

        def attended(*args, **kwargs):
            result = attend(*args, **kwargs)
            return kernel(*args, **kwargs) if result is None else result
        return attended if attend else kernel

    made = {target: decomposition(target) for target in _targets(graph)
            if target.has_kernel_for_dispatch_key(key)
            and target._schema.name.partition("::")[2] not in _PRODUCTS | _KEPT}
    return {**made, torch.ops.aten.view.default: _view}


def widened(graph, table):
    """Return the table of decompositions with those that compute the operations of a graph
    on narrow types."""

    def decomposition(target):
        known = table.get(target)

        def decomposed(*args, **kwargs):
            result = computed(target, args, kwargs)
            if result is NotImplemented and known:
                return known(*args, **kwargs)
            return result
        return decomposed

    made = {target: decomposition(target) for target in _targets(graph)}
    return {**table, **made, need("torch").ops.aten.view.default: _view}
