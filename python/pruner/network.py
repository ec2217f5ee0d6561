#===- network.py - calling compiled networks -------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads and calls libraries that `pruner-translate --to=library` made.

Requires ctypes and NumPy only. docs/guides/Deploying.md describes the libraries.
"""

from __future__ import annotations

import ctypes
import json
import operator
import os
import re
import sys
from typing import Any, Dict, List, Optional, Union

import numpy

from .arrays import (InPlace, NetworkError, Tensor, addresses, empty, is_cuda,
                     is_torch, of_torch, to_torch, truth)
from .device import BoundArray, CudaTensor, run as run_on_device, torch_dtype
from .opening import open_library, read_file
from .openmp import share_threads
from .writing import write_whole

FORMATS = (1, 2)

_Path = Union[str, "os.PathLike[str]"]

# CPU features that determine the vector code of a library, by the name that both LLVM
# and /proc/cpuinfo use.
VECTOR_FEATURES = (
    "avx", "avx2", "fma", "f16c", "bmi2",
    "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl",
)


def _is_size(value):
    return type(value) is int and 0 <= value < 1 << 63


def _is_time_or_work(value):
    return type(value) in (int, float) and 0 <= value < float("inf")


def _describes_tensors(entries, sized):
    return isinstance(entries, list) and all(
        isinstance(entry, dict) and isinstance(entry.get("name"), str)
        and isinstance(entry.get("kind", ""), str)
        and isinstance(entry.get("dtype"), str) and isinstance(entry.get("shape"), list)
        and all(_is_size(extent) or (sized and isinstance(extent, str))
                for extent in entry["shape"])
        for entry in entries)


def _describes_kernels(entries):
    return isinstance(entries, list) and all(
        isinstance(entry, dict) and isinstance(entry.get("name"), str)
        and isinstance(entry.get("key", ""), str)
        and all(_is_time_or_work(entry.get(field, 0))
                for field in ("flops", "bytes", "seconds"))
        for entry in entries)


def _is_sound(metadata):
    """Whether metadata have what is asked of them here. Libraries that cannot be
    profiled have no kernels and calls."""
    sizes = metadata.get("sizes")
    kernels, calls = metadata.get("kernels", []), metadata.get("calls", [])
    alignment, features = metadata.get("alignment"), metadata.get("cpu_features")
    return (isinstance(metadata.get("entry"), str)
            and (sizes is None
                 or (isinstance(sizes, dict) and isinstance(sizes.get("name"), str)))
            and _describes_tensors(metadata.get("inputs"), bool(sizes))
            and _describes_tensors(metadata.get("outputs"), bool(sizes))
            and _describes_kernels(kernels) and isinstance(calls, list)
            and all(_is_size(call) and call < len(kernels) for call in calls)
            and _is_size(alignment) and alignment > 0 and alignment & (alignment - 1) == 0
            and isinstance(metadata.get("gpu", ""), str)
            and isinstance(features, list)
            and all(isinstance(feature, str) for feature in features))


def read_metadata(path, text):
    """Return the metadata of a library. Raises NetworkError."""
    try:
        metadata = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NetworkError(f"{path} has invalid metadata: {error}") from None
    if not isinstance(metadata, dict):
        raise NetworkError(f"{path} has invalid metadata: expected an object")
    if metadata.get("format") not in FORMATS:
        raise NetworkError(f"{path} has format {metadata.get('format')}, this "
                           f"loader reads {' and '.join(map(str, FORMATS))}")
    if not _is_sound(metadata):
        raise NetworkError(f"{path} has invalid metadata")
    return metadata


def tensors(metadata, which):
    """The "inputs" or "outputs" of sound metadata. Raises NetworkError."""
    return [Tensor(entry) for entry in metadata[which]]


def _check_cpu(path, wanted):
    """Without this check an illegal instruction would kill the process without a
    message."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            flags = re.search(r"^flags\s*:(.*)$", file.read(), re.M)
    except OSError:
        return
    if not flags:
        return
    present = set(flags.group(1).split())
    missing = [f for f in VECTOR_FEATURES if f in wanted and f not in present]
    if missing:
        raise NetworkError(f"{path} was compiled for a CPU with "
                           f"{', '.join(missing)}, which this CPU lacks")


class Times(ctypes.Structure):
    """The struct pruner_times of the C header: seconds of a kernel call."""

    _fields_ = [("calls", ctypes.c_int64), ("total", ctypes.c_double),
                ("median", ctypes.c_double), ("least", ctypes.c_double)]


class Network:
    """A compiled network. Call it with its inputs, by position or by name.

    A call returns the result, or a tuple of results if there are several. Inputs are
    NumPy arrays, or tensors of PyTorch; with a tensor, results are tensors. They must
    have the shape and dtype that the network was compiled for; nothing is converted.
    A network for a GPU also takes CUDA tensors, and submits the run to the current
    stream.
    Arrays that are not contiguous or not aligned are copied in each call, so bind
    weights once (`bind`). A named dimension has the same size in all arrays of a call
    (docs/guides/DynamicShapes.md).
    """

    path: str
    metadata: Dict[str, Any]
    inputs: List[Tensor]
    outputs: List[Tensor]
    tuning: Any = None  # The `TuneResult` of pruner.compile.

    def __init__(self, path: _Path, prepare: Optional[_Path] = None,
                 profile: bool = False, data: Optional[bytes] = None):
        path = os.fspath(path)
        try:
            library = open_library(path, data)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise NetworkError(f"{path} cannot be loaded: {reason}") from None
        try:
            self._run = library.pruner_run
            self._error = library.pruner_error
            self._threads = library.pruner_threads
            self._set_threads = library.pruner_set_threads
            text = ctypes.c_char.in_dll(library, "pruner_metadata")
        except (AttributeError, ValueError):
            raise NetworkError(
                f"{path} is not a network of pruner-translate --to=library") from None
        metadata = read_metadata(path, ctypes.string_at(ctypes.addressof(text)))
        _check_cpu(path, metadata["cpu_features"])
        self._error.restype = ctypes.c_char_p
        # For a dynamic dimension: its name, range and plan.
        self.sizes = metadata.get("sizes")
        if self.sizes:
            self._run_sized = library.pruner_run_sized
        self.path = path
        self.metadata = metadata
        # The chip of a network that runs on a GPU, such as sm_80.
        self.chip = metadata.get("gpu")
        self.inputs = tensors(metadata, "inputs")
        self.outputs = tensors(metadata, "outputs")
        self._position = {tensor.name: n for n, tensor in enumerate(self.inputs)}
        self._bound: Dict[int, Any] = {}
        self._inputs_in_place: Optional[InPlace] = None
        # The network that computes inputs from weights, and the weights received so
        # far.
        self._prepare = None if prepare is None else Network(prepare)
        self._weights: Dict[str, Any] = {}
        if self._prepare:
            self._check_prepare()
        self._library, self._data = library, data
        share_threads(library)
        if profile:
            self.reset_profile()

    def _check_prepare(self):
        inputs = {tensor.name: repr(tensor) for tensor in self.inputs}
        for tensor in self._prepare.outputs:
            if inputs.get(tensor.name) != repr(tensor):
                raise NetworkError(f"{self._prepare.path} computes {tensor}, which "
                                   f"is not an input of {self.path}")
        for tensor in self._prepare.inputs:
            if inputs.get(tensor.name, repr(tensor)) != repr(tensor):
                raise NetworkError(f"{self._prepare.path} expects {tensor}, but "
                                   f"{self.path} expects {inputs[tensor.name]}")

    def __repr__(self):
        free = [repr(t) for n, t in enumerate(self.inputs) if n not in self._bound]
        bound = f", {len(self._bound)} bound" if self._bound else ""
        return (f"<network {self.metadata['entry']} of {self.path} "
                f"({', '.join(free)}{bound}) -> {self.outputs}>")

    @property
    def threads(self) -> int:
        """The number of threads of parallel kernels. Setting 0 chooses as many as help.
        """
        return self._threads()

    @threads.setter
    def threads(self, count: int) -> None:
        count = operator.index(count)
        if not 0 <= count < 2**31:
            raise ValueError(f"expected 0 to {2**31 - 1} threads, but got {count}")
        self._set_threads(count)
        share_threads(self._library)

    @property
    def free_inputs(self) -> List[Tensor]:
        """The inputs that a call must supply: those not bound. For a network with
        prepared weights, the weights instead of the inputs that are computed from
        them."""
        free = [t for n, t in enumerate(self.inputs) if n not in self._bound]
        if self._prepare:
            made = {tensor.name for tensor in self._prepare.outputs}
            names = {tensor.name for tensor in free}
            if made & names:
                free = [t for t in free if t.name not in made]
                free += [t for t in self._prepare.inputs
                         if t.name not in names and t.name not in self._weights]
        return free

    def reset_profile(self) -> None:
        """Reset all times and start profiling in all networks of this library. No other
        thread may be in a call."""
        try:
            failed = self._library.pruner_profile(1)
        except AttributeError:
            raise NetworkError(f"{self.path} cannot be profiled: it was compiled "
                               "without support for profiles") from None
        if failed:
            raise NetworkError(f"{self.path}: no memory for a profile")

    def profile(self, roof: Optional[_Path] = None, each: bool = False) -> Any:
        """Return where the time went since `load(..., profile=True)` or
        `reset_profile`: a list of `pruner.profile.Row` that prints as a table, with
        one row for each kernel, or for each call of a kernel with `each`. `roof` is
        a file of `pruner-machine cpu --measure -o`."""
        from .profile import Profile, Roof

        kernels, calls = self.metadata["kernels"], self.metadata["calls"]
        times = [Times() for _ in range(len(calls) + 2)]
        for n, time in enumerate(times):
            if self._library.pruner_profile_read(ctypes.c_int64(n),
                                                 ctypes.byref(time)):
                raise NetworkError(f"{self.path} was loaded without profile=True")
        return Profile(kernels, calls, times,
                       Roof(roof, self.threads) if roof else None, each)

    def _check(self, status):
        if status:
            message = self._error().decode("utf-8", "replace")
            raise NetworkError(f"{self.path}: {message}")

    def _cuda_tensor(self, tensor, where, value):
        if value.dtype != torch_dtype(tensor) and not (
                tensor.element == "i8" and str(value.dtype) == "torch.uint8"):
            raise NetworkError(f"{where} has dtype {value.dtype}, expected "
                               f"{torch_dtype(tensor)}")
        if not tensor.accepts(tuple(value.shape)):
            raise NetworkError(f"{where} has shape {tuple(value.shape)}, expected "
                               f"({', '.join(map(str, tensor.shape))})")
        return CudaTensor(value, self.metadata["alignment"])

    def _array(self, position, value):
        """Return the value as an array that the library can read."""
        tensor = self.inputs[position]
        where = f"input {position} ('{tensor.name}')"
        if self.chip and is_cuda(value):
            return self._cuda_tensor(tensor, where, value)
        if isinstance(value, numpy.ma.MaskedArray):
            raise NetworkError(f"{where} is a masked array; expected an array without "
                               "a mask, such as the result of filled()")
        array = of_torch(value) if is_torch(value) else numpy.asarray(value)
        if tensor.element == "i8" and array.dtype == numpy.uint8:
            array = array.view(numpy.int8)  # MLIR's i8 has no sign.
        if tensor.element == "bf16" and array.dtype.name == "bfloat16":
            array = array.view(numpy.uint16)  # An array of the package ml_dtypes.
        if array.dtype != tensor.dtype:
            bits = " (the bits of bf16)" if tensor.element == "bf16" else ""
            raise NetworkError(f"{where} has dtype {array.dtype}, expected "
                               f"{tensor.dtype}{bits}")
        if not tensor.accepts(array.shape):
            raise NetworkError(f"{where} has shape {array.shape}, expected "
                               f"({', '.join(map(str, tensor.shape))})")
        if array.dtype == numpy.bool_:
            array = truth(array)
        alignment = self.metadata["alignment"]
        if array.flags.c_contiguous and (
                array.size == 0 or array.ctypes.data % alignment == 0):
            return array
        copy = empty(array.shape, tensor.dtype, alignment)
        copy[...] = array
        return copy

    def _gather(self, args, kwargs, bound):
        """Return arrays by position, from the arguments of a call."""
        arrays = dict(bound)
        for name, value in kwargs.items():
            if name not in self._position:
                close = ", ".join(f"'{t.name}'" for t in self.inputs[:8])
                more = ", ..." if len(self.inputs) > 8 else ""
                raise NetworkError(
                    f"unknown input '{name}'; expected one of {close}{more}")
            position = self._position[name]
            if position in bound:
                raise NetworkError(f"input '{name}' is already bound")
            arrays[position] = self._array(position, value)
        free = [n for n in range(len(self.inputs)) if n not in arrays]
        if len(args) > len(free):
            raise NetworkError(
                f"{len(args)} inputs by position, but only {len(free)} of "
                f"{len(self.inputs)} are not given otherwise")
        for position, value in zip(free, args):
            arrays[position] = self._array(position, value)
        return arrays

    def bind(self, /, **arrays: Any) -> Network:
        """Return the same network with some inputs fixed, by name. Arrays are copied
        only if the library cannot read them in place."""
        bound = Network.__new__(Network)
        bound.__dict__.update(self.__dict__)
        bound._inputs_in_place = None
        if self._prepare:
            arrays = bound._prepared(arrays)
        bound._bound = self._gather((), arrays, self._bound)
        if self.chip:
            bound._bound = {
                n: BoundArray(self, value) if isinstance(value, numpy.ndarray) else value
                for n, value in bound._bound.items()}
        return bound

    def _prepared(self, arrays):
        """Return `arrays` with the inputs that are computed from weights, once all
        weights are known."""
        names = self._prepare._position
        weights = {k: v for k, v in arrays.items() if k in names}
        self._weights = {**self._weights, **weights}
        rest = {k: v for k, v in arrays.items()
                if k in self._position or k not in names}
        if weights and len(self._weights) == len(names):
            results = self._prepare(**self._weights)
            if len(self._prepare.outputs) == 1:
                results = (results,)
            rest.update((tensor.name, result) for tensor, result in
                        zip(self._prepare.outputs, results))
        return rest

    def bind_file(self, path: _Path) -> Network:
        """Call `bind` with the tensors of a safetensors file that are inputs."""
        from .safetensors import read

        tensors = read(path)
        names = set(self._position)
        if self._prepare:
            names.update(self._prepare._position)
        known = {k: v for k, v in tensors.items() if k in names}
        if not known:
            raise NetworkError(f"no tensor of {path} is an input of the network")
        return self.bind(**known)

    def _size(self, arrays):
        """Return the size of a call: the common extent of all dimensions with its name.
        """
        if not self.sizes:
            return None
        found = {}
        for position, array in arrays.items():
            for size in self.inputs[position].sizes(array.shape):
                found.setdefault(size, self.inputs[position].name)
        where = " and ".join(f"{size} in '{name}'" for size, name in found.items())
        if len(found) != 1:
            raise NetworkError(f"the dimension '{self.sizes['name']}' must have one size "
                               f"in all inputs of a call, but it is {where}")
        size = next(iter(found))
        if size < 1:
            raise NetworkError(f"the dimension '{self.sizes['name']}' must have a size of "
                               f"at least 1, but it is {where}")
        return size

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        alignment, size = self.metadata["alignment"], None
        inputs = None if kwargs else self._in_place(args)
        if inputs is None:
            arrays = self._gather(args, kwargs, self._bound)
            missing = [t.name for n, t in enumerate(self.inputs) if n not in arrays]
            if missing:
                some = ", ".join(f"'{name}'" for name in missing[:8])
                more = ", ..." if len(missing) > 8 else ""
                raise NetworkError(f"{len(missing)} of {len(self.inputs)} inputs are "
                                   f"missing: {some}{more}")
            if any(isinstance(array, CudaTensor) and n not in self._bound
                   for n, array in arrays.items()):
                results = self._run_cuda([arrays[n] for n in range(len(self.inputs))])
                return results[0] if len(results) == 1 else tuple(results)
            size = self._size(arrays)
            inputs = addresses([arrays[n] for n in range(len(self.inputs))], alignment)
        results = [empty(t.shape_for(size), t.dtype, alignment) for t in self.outputs]
        outputs = addresses(results, alignment)
        if self.sizes:
            failed = self._run_sized(ctypes.c_int64(size), inputs, outputs)
        else:
            failed = self._run(inputs, outputs)
        self._check(failed)
        if any(map(is_torch, args)) or any(map(is_torch, kwargs.values())):
            results = [to_torch(result, tensor.element)
                       for result, tensor in zip(results, self.outputs)]
        return results[0] if len(results) == 1 else tuple(results)

    def _in_place(self, args):
        """Return the addresses of all inputs if the library can read them in place."""
        if self.sizes or self.chip:
            return None
        if self._inputs_in_place is None:
            self._inputs_in_place = InPlace(self.inputs, self._bound,
                                            self.metadata["alignment"])
        return self._inputs_in_place.addresses(args)

    def _run_cuda(self, inputs):
        for tensor, value in zip(self.inputs, inputs):
            if isinstance(value, numpy.ndarray):
                raise NetworkError(f"input '{tensor.name}' is in host memory, but others "
                                   "are CUDA tensors; bind it, or move it to the GPU")
        return run_on_device(self, inputs)

    def __reduce__(self) -> Any:
        raise TypeError("a Network cannot be pickled; save() it and load the file")

    def __copy__(self) -> Network:
        made = object.__new__(Network)
        made.__dict__.update(self.__dict__)
        return made

    def save(self, path: _Path) -> None:
        """Write the library to a file, which replaces an old one only when it is
        complete, and which `pruner.load` and programs in C load.
        Inputs that were bound with `bind` are inputs again there."""
        write_whole(path, read_file(self.path) if self._data is None else self._data)


def load(path: _Path, prepare: Optional[_Path] = None, profile: bool = False) -> Network:
    """Load a library that `pruner-translate --to=library` made.

    Loads a copy of the current content of the file, even if another library was loaded
    from this path before. `prepare` is a second library, of the function that computes
    inputs of the network from weights (`--pruner-hoist-constants`). It runs once, when
    all weights are bound. With `profile`, `Network.profile` shows where the time of
    calls goes."""
    return Network(path, prepare, profile)
