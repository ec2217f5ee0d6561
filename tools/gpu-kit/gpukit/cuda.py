"""The CUDA driver through ctypes: modules, launches, events, copies."""

import copy
import ctypes
from ctypes import byref, c_char_p, c_float, c_int, c_size_t, c_uint, c_uint64, c_void_p

from .kit import Failed, NoGpu


class Driver:
    """Device 0 in its primary context, which it shares with PyTorch."""

    def __init__(self, library="libcuda.so.1"):
        try:
            self.lib = ctypes.CDLL(library)
        except OSError as error:
            raise NoGpu(str(error))
        code = self.lib.cuInit(c_uint(0))
        if code:
            raise NoGpu("cuInit failed with %d" % code)
        device, count, context = c_int(), c_int(), c_void_p()
        self.call("cuDeviceGetCount", byref(count))
        if not count.value:
            raise NoGpu("the driver finds no device")
        self.call("cuDeviceGet", byref(device), c_int(0))
        self.call("cuDevicePrimaryCtxRetain", byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.workspaces = {}

    def function(self, name):
        try:
            return getattr(self.lib, name)
        except AttributeError:  # Newer drivers provide some functions by address only.
            address = c_void_p()
            base = name[:-3] if name.endswith(("_v2", "_v3")) else name
            for asked in (name, base):
                if self.lib.cuGetProcAddress_v2(
                    asked.encode(), byref(address), c_int(12000), c_uint64(0), None
                ) == 0 and address.value:
                    return ctypes.CFUNCTYPE(c_int)(address.value)
            raise Failed("the driver has no %s" % name)

    def call(self, name, *arguments):
        code = self.function(name)(*arguments)
        if code:
            text = c_char_p(b"?")
            self.lib.cuGetErrorName(c_int(code), byref(text))
            text = bytes(text.value or b"?").decode()
            raise Failed("%s: CUDA error %d, %s" % (name, code, text))

    def allocate(self, size):
        pointer = c_uint64()
        self.call("cuMemAlloc_v2", byref(pointer), c_size_t(max(1, size)))
        return pointer.value

    def workspace(self, number, size):
        """Return workspace `number` with at least `size` bytes, which kernels may use
        while they run. Smaller workspaces are kept, because recorded launches refer
        to their addresses."""
        held, pointer = self.workspaces.get(number, (-1, 0))
        if held < size:
            pointer = self.allocate(size)
            self.workspaces[number] = size, pointer
        return pointer

    def free(self, pointer):
        self.call("cuMemFree_v2", c_uint64(pointer))

    def upload(self, pointer, data):
        """Copy to the device and wait: the driver may still copy when its function returns,
        and streams made by `stream` do not wait for that."""
        self.call("cuMemcpyHtoD_v2", c_uint64(pointer), c_char_p(data), c_size_t(len(data)))
        self.call("cuStreamSynchronize", c_void_p(0))

    def download(self, pointer, size):
        """Return `size` bytes of the device's memory, when all kernels have ended."""
        data = ctypes.create_string_buffer(max(1, size))
        self.call("cuMemcpyDtoH_v2", data, c_uint64(pointer), c_size_t(size))
        return data.raw[:size]

    def attribute(self, number):
        """Return an attribute of the device (CUdevice_attribute)."""
        value, device = c_int(), c_int()
        self.call("cuDeviceGet", byref(device), c_int(0))
        self.call("cuDeviceGetAttribute", byref(value), c_int(number), device)
        return value.value

    def free_bytes(self):
        free, total = c_size_t(), c_size_t()
        self.call("cuMemGetInfo_v2", byref(free), byref(total))
        return free.value

    def graph(self, stream, work):
        """Return a graph of what `work` submits to `stream`."""
        graph, executable = c_void_p(), c_void_p()
        self.call("cuStreamBeginCapture_v2", stream, c_int(0))
        try:
            work()
        finally:
            self.call("cuStreamEndCapture", stream, byref(graph))
        self.call("cuGraphInstantiateWithFlags", byref(executable), graph, c_uint64(0))
        return executable

    def launch_graph(self, executable, stream):
        self.call("cuGraphLaunch", executable, stream)

    def copy(self, to, source, size, stream):
        """Copy on the device, in the order of `stream`."""
        self.call("cuMemcpyDtoDAsync_v2", c_uint64(to), c_uint64(source), c_size_t(size),
                  stream)

    def stream(self):
        stream = c_void_p()
        self.call("cuStreamCreate", byref(stream), c_uint(1))
        return stream

    def synchronize(self):
        self.call("cuCtxSynchronize")

    def event(self):
        event = c_void_p()
        self.call("cuEventCreate", byref(event), c_uint(0))
        return event

    def record(self, event, stream):
        self.call("cuEventRecord", event, stream)

    def elapsed(self, start, end):
        """Return seconds."""
        self.call("cuEventSynchronize", end)
        milliseconds = c_float()
        self.call("cuEventElapsedTime", byref(milliseconds), start, end)
        return milliseconds.value / 1e3


class Kernel:
    """A kernel of a loaded module with its launch shape, the kernels that are launched
    after it, and the bytes of their shared workspaces."""

    def __init__(self, driver, image, entry, launch):
        self.driver = driver
        self.module = c_void_p()
        self.image = image + b"\0"
        log = ctypes.create_string_buffer(2048)
        keys = (c_int * 2)(5, 6)  # CU_JIT_ERROR_LOG_BUFFER and the size of it.
        values = (c_void_p * 2)(ctypes.addressof(log), len(log))
        try:
            driver.call("cuModuleLoadDataEx", byref(self.module), c_char_p(self.image),
                        c_uint(2), keys, values)
        except Failed as error:
            text = log.value.decode(errors="replace").strip()
            raise Failed("%s: %s" % (error, text) if text else str(error))
        self.launches = [self._find(entry, launch)]
        for behind in launch.get("then", []):
            self.launches.append(self._find(behind["kernel"], behind))
        self.workspaces = launch.get("workspaces", [])

    def _find(self, name, launch):
        """Return (function, six extents, bytes of dynamic shared memory)."""
        function = c_void_p()
        self.driver.call("cuModuleGetFunction", byref(function), self.module,
                         name.encode())
        extents = [(list(launch[key]) + [1, 1, 1])[:3] for key in ("grid", "block")]
        dynamic = int(launch.get("dynamic_shared", 0))
        if dynamic:
            self.driver.call("cuFuncSetAttribute", function, c_int(8), c_int(dynamic))
        return function, extents[0] + extents[1], dynamic

    def at(self, grid, block):
        """Return this kernel, which is a single one, with other extents in x."""
        other = copy.copy(self)
        function, _, dynamic = self.launches[0]
        other.launches = [(function, [grid, 1, 1, block, 1, 1], dynamic)]
        return other

    def launch(self, pointers, stream=None):
        behind = [self.driver.workspace(n, size) for n, size in enumerate(self.workspaces)]
        values = [c_uint64(p) for p in pointers + behind]
        array = (c_void_p * len(values))(*[ctypes.addressof(v) for v in values])
        for function, extents, dynamic in self.launches:
            self.driver.call(
                "cuLaunchKernel", function, *[c_uint(n) for n in extents],
                c_uint(dynamic), stream or c_void_p(0), array, None)
