"""Calls a network with tensors that look like CUDA tensors of PyTorch."""
import contextlib
import ctypes
import math
import sys
import types

import numpy

driver = ctypes.CDLL("libcuda.so.1")
assert driver.cuInit(0) == 0
context = ctypes.c_void_p()
assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert driver.cuCtxPushCurrent_v2(context) == 0
stream = ctypes.c_void_p()
assert driver.cuStreamCreate(ctypes.byref(stream), 1) == 0
asked = []  # What was asked for the current stream.


class DType:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return "torch." + self.name


class Device:
    type = "cuda"

    def __str__(self):
        return "cuda:0"


class Tensor:
    device = Device()

    def __init__(self, dtype, shape, pointer=None, is_contiguous=True):
        self.dtype, self.shape, self.is_contiguous = dtype, tuple(shape), is_contiguous
        self.bytes = math.prod(shape) * numpy.dtype(dtype.name).itemsize
        self.pointer = pointer
        if pointer is None:
            memory = ctypes.c_uint64()
            assert driver.cuMemAlloc_v2(ctypes.byref(memory),
                                        ctypes.c_size_t(self.bytes)) == 0
            self.pointer = memory.value

    def data_ptr(self):
        return self.pointer

    def detach(self):
        return self

    def contiguous(self):
        return self if self.is_contiguous else self.clone()

    def clone(self):
        copy = Tensor(self.dtype, self.shape)
        assert driver.cuMemcpyDtoDAsync_v2(
            ctypes.c_uint64(copy.pointer), ctypes.c_uint64(self.pointer),
            ctypes.c_size_t(self.bytes), None) == 0
        return copy

    def numpy(self):
        array = numpy.empty(self.shape, self.dtype.name)
        assert driver.cuMemcpyDtoHAsync_v2(
            ctypes.c_void_p(array.ctypes.data), ctypes.c_uint64(self.pointer),
            ctypes.c_size_t(array.nbytes), None) == 0
        return array

    def some(self):
        return self.numpy().ravel()[:3].tolist()

    def __str__(self):
        return f"Tensor on {self.device} of {self.dtype} {self.shape}, {self.some()}"


def of(array, **options):
    tensor = Tensor(getattr(torch, array.dtype.name), array.shape, **options)
    assert driver.cuMemcpyHtoDAsync_v2(
        ctypes.c_uint64(tensor.pointer), ctypes.c_void_p(array.ctypes.data),
        ctypes.c_size_t(array.nbytes), None) == 0
    return tensor


def current_stream():
    asked.append(stream)
    return types.SimpleNamespace(cuda_stream=stream.value)


torch = types.ModuleType("torch")
torch.Tensor = Tensor
for name in ("float32", "int64", "uint8"):
    setattr(torch, name, DType(name))
torch.empty = lambda shape, dtype, device: Tensor(
    dtype, (shape,) if isinstance(shape, int) else shape)
torch.cuda = types.SimpleNamespace(device=lambda device: contextlib.nullcontext(),
                                   current_stream=current_stream)
sys.modules["torch"] = torch

import pruner  # After the module that stands for PyTorch.

net, cpu = pruner.load(sys.argv[1]), pruner.load(sys.argv[2])
x = numpy.arange(32, dtype=numpy.float32).reshape(8, 4)
n = numpy.arange(5, 9, dtype=numpy.int64)
X, N = of(x), of(n)


def log(text):
    import os
    with open(os.environ["PTX_DRIVER_LOG"], "a", encoding="utf-8") as file:
        file.write(text + "\n")


def refused(what, call):
    try:
        call()
        print(f"{what}: accepted")
    except pruner.NetworkError as error:
        print(f"{what}: {error}")


log("begin results")
y, z = net(X, N)
log("end results")
print("results:", y)
print(z)
print("stream:", "the current one" if asked == [stream] else asked)
print("bound tensor:", net.bind(n=N)(X)[0].some())
y = net.bind(n=N)(x)[0]
print("bound tensor, array:", type(y).__name__, y.ravel()[:3].tolist())
print("bound array, tensor:", net.bind(n=n)(X)[0].some())
wide = Tensor(torch.float32, (1024,))
print("not aligned:", net(of(x, pointer=wide.pointer + 4), N)[0].some())
print("not contiguous:", net(of(x, is_contiguous=False), N)[0].some())
refused("dtype", lambda: net(X, X))
refused("shape", lambda: net(X, Tensor(torch.int64, (8, 4))))
refused("mixed", lambda: net(X, n))
refused("on the CPU", lambda: cpu(X, n))
