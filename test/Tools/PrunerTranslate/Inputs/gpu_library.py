"""Runs libraries for a GPU on the driver that runs PTX, in the ways that the argument
names.

    gpu_library.py compare CPU.so GPU.so [name=lo:hi ...]
    gpu_library.py bits CPU.so GPU.so [name=lo:hi ...]
    gpu_library.py fails GPU.so [name=lo:hi ...]
    gpu_library.py interface GPU.so
"""
import ctypes
import sys
import threading

import numpy
import pruner


def inputs_of(net, ranges):
    """Random inputs; integers and where a range is given are integers in it."""
    ranges = dict(text.split("=") for text in ranges)
    random = numpy.random.default_rng(1)
    arrays = []
    for tensor in net.inputs:
        low, high = map(int, ranges.get(tensor.name, "-4:5").split(":"))
        if tensor.dtype.kind == "f" and tensor.name not in ranges:
            arrays.append(random.standard_normal(tensor.shape).astype(tensor.dtype))
        else:
            arrays.append(random.integers(low, high, tensor.shape).astype(tensor.dtype))
    return arrays


def all_of(results):
    return results if isinstance(results, tuple) else (results,)


def compare(cpu, gpu, *ranges):
    """The largest difference, relative to the largest result."""
    cpu, gpu = pruner.load(cpu), pruner.load(gpu)
    assert gpu.chip and not cpu.chip
    inputs = inputs_of(cpu, ranges)
    worst = 0.0
    for want, got in zip(all_of(cpu(*inputs)), all_of(gpu(*inputs))):
        assert numpy.isfinite(want).all() and want.any()
        worst = max(worst, float(abs(want - got).max() / abs(want).max()))
    print("close" if worst < 1e-5 else f"differs by {worst}")


def bits(cpu, gpu, *ranges):
    cpu, gpu = pruner.load(cpu), pruner.load(gpu)
    inputs = inputs_of(cpu, ranges)
    for want, got in zip(all_of(cpu(*inputs)), all_of(gpu(*inputs))):
        assert want.any()
        print("same" if (want == got).all() else f"differs at {(want != got).sum()}")


def fails(gpu, *ranges):
    net = pruner.load(gpu)
    try:
        net(*inputs_of(net, ranges))
        print("ran")
    except pruner.NetworkError as error:
        print(error)


class Device:
    """The interface of a library in C, and the driver's functions for callers of it."""

    def __init__(self, path):
        self.net = pruner.load(path)
        self.library = self.net._library
        self.driver = ctypes.CDLL("libcuda.so.1")
        self.library.pruner_error.restype = ctypes.c_char_p

    def context(self):
        context = ctypes.c_void_p()
        assert self.driver.cuCtxCreate_v2(ctypes.byref(context), 0, 0) == 0
        return context

    def allocate(self, size):
        pointer = ctypes.c_uint64()
        assert self.driver.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(size)) == 0
        return pointer.value

    def upload(self, array):
        pointer = ctypes.c_void_p()
        self.ok(self.library.pruner_device_upload(
            ctypes.c_void_p(array.ctypes.data), ctypes.c_int64(array.nbytes),
            ctypes.byref(pointer)))
        return pointer.value

    def download(self, pointer, like):
        array = numpy.empty_like(like)
        assert self.driver.cuMemcpyDtoHAsync_v2(
            ctypes.c_void_p(array.ctypes.data), ctypes.c_uint64(pointer),
            ctypes.c_size_t(array.nbytes), None) == 0
        return array

    def stream(self):
        stream = ctypes.c_void_p()
        assert self.driver.cuStreamCreate(ctypes.byref(stream), 1) == 0
        return stream

    def message(self):
        return self.library.pruner_error().decode()

    def ok(self, status):
        assert status == 0, (status, self.message())

    def run(self, inputs, outputs, workspace, stream):
        def pointers(values):
            return (ctypes.c_void_p * len(values))(*values)

        return self.library.pruner_device_run(
            pointers(inputs), pointers(outputs), ctypes.c_void_p(workspace), stream)


def interface(gpu):
    device = Device(gpu)
    arrays = inputs_of(device.net, [])
    want = device.net(*arrays)
    size = device.net.metadata["workspace_bytes"]

    # In the context of the caller, which is not that of pruner_run without one.
    device.context()
    inputs = [device.upload(array) for array in arrays]
    outputs = [device.allocate(want.nbytes)]
    workspace, stream = device.allocate(size), device.stream()
    print("not loaded:", device.run(inputs, outputs, workspace, stream), device.message())
    device.ok(device.library.pruner_device_load())
    device.ok(device.run(inputs, outputs, workspace, stream))
    device.ok(device.library.pruner_device_wait(ctypes.c_void_p(workspace), stream))
    print("device run:", (device.download(outputs[0], want) == want).all())

    # In capture any call that allocates or waits would fail.
    driver, graph, made = device.driver, ctypes.c_void_p(), ctypes.c_void_p()
    driver.cuStreamBeginCapture_v2(stream, 0)
    device.ok(device.run(inputs, outputs, workspace, stream))
    driver.cuStreamEndCapture(stream, ctypes.byref(graph))
    assert driver.cuGraphInstantiateWithFlags(ctypes.byref(made), graph,
                                              ctypes.c_uint64(0)) == 0
    changed = arrays[0] + 1
    inputs[0] = device.upload(changed)
    assert driver.cuGraphLaunch(made, stream) == 0
    print("graph:", (device.download(outputs[0], want) == want).all())

    # Host and device memory in one call.
    bound = device.net.bind(**{device.net.inputs[1].name: arrays[1]})
    print("bound:", (bound(arrays[0], *arrays[2:]) == want).all())

    for what, run in (
            ("null input:", lambda: device.run([None, *inputs[1:]], outputs, workspace,
                                               stream)),
            ("alignment:", lambda: device.run(inputs, [outputs[0] + 4], workspace,
                                              stream)),
            ("null workspace:", lambda: device.run(inputs, outputs, None, stream)),
            ("workspace:", lambda: device.run(inputs, outputs, workspace + 8, stream))):
        print(what, run(), device.message())

    # Two threads with contexts of their own.
    same = []

    def run():
        own = Device(gpu)
        own.context()
        for _ in range(2):
            same.append((own.net(*arrays) == want).all())
        own.ok(own.library.pruner_device_unload())

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("threads:", same)
    device.ok(device.library.pruner_device_unload())
    print("unloaded:", device.run(inputs, outputs, workspace, stream))
    assert (device.net(*arrays) == want).all()
    print("threads of the CPU:", device.net.threads)


if __name__ == "__main__":
    {"compare": compare, "bits": bits, "fails": fails,
     "interface": interface}[sys.argv[1]](*sys.argv[2:])
