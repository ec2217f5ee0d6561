#===- element_types.py - element types of tensors ---------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The element types of exported programs."""

from . import ExportError
from .networks import need


def element_type(dtype):
    """Return the MLIR element type of torch-mlir for a torch dtype."""
    torch = need("torch")
    names = {
        torch.float64: "f64",
        torch.float32: "f32",
        torch.float16: "f16",
        torch.bfloat16: "bf16",
        torch.int64: "i64",
        torch.int32: "i32",
        torch.int16: "i16",
        torch.int8: "i8",
        torch.uint8: "i8",
        torch.bool: "i1",
    }
    if dtype not in names:
        raise ExportError(f"tensors of {dtype} have no supported element type")
    return names[dtype]
