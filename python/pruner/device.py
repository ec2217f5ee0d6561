#===- device.py - tensors in the memory of a GPU ---------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs of networks that run on a GPU: bound arrays, which are copied to the device
once, and CUDA tensors of PyTorch, which stay where they are.

The library does all calls of the driver. PyTorch is not imported here.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy

# The name of the dtype in PyTorch where it is not that of NumPy.
_OF_TORCH = {"bf16": "bfloat16", "i1": "bool"}


class BoundArray:
    """A copy of an array in device memory."""

    def __init__(self, network: Any, array: numpy.ndarray):
        self._free = network._library.pruner_device_free
        self.address = None
        pointer = ctypes.c_void_p()
        network._check(network._library.pruner_device_upload(
            ctypes.c_void_p(array.ctypes.data), ctypes.c_int64(array.nbytes),
            ctypes.byref(pointer)))
        self.address, self.shape = pointer.value, array.shape

    def __del__(self):
        if self.address:
            self._free(ctypes.c_void_p(self.address))


class CudaTensor:
    """A CUDA tensor of PyTorch as an input."""

    def __init__(self, tensor: Any, alignment: int):
        tensor = tensor.detach().contiguous()
        if str(tensor.dtype) == "torch.bool":  # A view of bytes may hold more than 0 and 1.
            tensor = tensor.view(sys.modules["torch"].uint8).ne(0)
        if tensor.data_ptr() % alignment:
            tensor = tensor.clone()
        self.tensor = tensor
        self.address, self.shape = tensor.data_ptr(), tuple(tensor.shape)

    @property
    def device(self) -> Any:
        return self.tensor.device


def torch_dtype(tensor: Any) -> Any:
    """The dtype in PyTorch of a `Tensor` of a network, or None."""
    name = _OF_TORCH.get(tensor.element, numpy.dtype(tensor.dtype).name)
    return getattr(sys.modules["torch"], name, None)


def run(network: Any, inputs: list) -> list:
    """Submit a run to the current stream of PyTorch. Return the results as CUDA tensors,
    which are complete when the stream gets there."""
    torch = sys.modules["torch"]
    device = next(each for each in inputs if isinstance(each, CudaTensor)).device
    library = network._library

    def pointers(addresses):
        return (ctypes.c_void_p * len(addresses))(*addresses)

    with torch.cuda.device(device):
        # An empty tensor has no address, but the library requires one.
        workspace = torch.empty(network.metadata["workspace_bytes"], dtype=torch.uint8,
                                device=device)
        somewhere = workspace.data_ptr()
        results = [torch.empty(t.shape, dtype=torch_dtype(t), device=device)
                   for t in network.outputs]
        network._check(library.pruner_device_load())
        network._check(library.pruner_device_run(
            pointers([each.address or somewhere for each in inputs]),
            pointers([each.data_ptr() or somewhere for each in results]),
            ctypes.c_void_p(somewhere),
            ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)))
    return results
