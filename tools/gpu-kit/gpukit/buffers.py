"""Random inputs of an operation on the device, several sets, with outputs."""

import math
import os

from .operators import BYTES

MAX_SETS = 64
MAX_BYTES = 8 << 30


def torch_type(torch, dtype):
    return {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16,
            "i8": torch.int8, "i32": torch.int32}[dtype]


class Data:
    """As many sets of buffers as `rotate_bytes` requires, within limits; at least one.
    """

    def __init__(self, driver, torch, operation, rotate_bytes):
        self.driver, self.torch, self.operation = driver, torch, operation
        self.owned = []
        size = max(1, operation.bytes)
        copies = max(1, min(MAX_SETS, -(-rotate_bytes // size), MAX_BYTES // size))
        make = self._tensors if torch else self._allocated
        self.sets = [make(seed) for seed in range(copies)]

    def _tensors(self, seed):
        o, torch = self.operation, self.torch
        dtype, result = torch_type(torch, o.dtype), torch_type(torch, o.result)
        generator = torch.Generator(device="cuda").manual_seed(seed)

        def values(shape):
            """Reals between -1 and 1, or all integers of the type."""
            if not dtype.is_floating_point:
                limits = torch.iinfo(dtype)
                return torch.randint(limits.min, limits.max + 1, shape, generator=generator,
                                     device="cuda", dtype=dtype)
            return torch.rand(shape, generator=generator, device="cuda",
                              dtype=torch.float32).mul_(2).sub_(1).to(dtype)

        tensors = [values(shape) for shape in o.inputs]
        poison = float("nan") if result.is_floating_point else torch.iinfo(result).min
        out = torch.full(o.output, poison, device="cuda", dtype=result)
        return {"tensors": tensors, "out": out,
                "pointers": [t.data_ptr() for t in tensors], "result": out.data_ptr()}

    def _allocated(self, _):
        o, size = self.operation, BYTES[self.operation.dtype]
        pointers = []
        for shape in o.inputs:
            count = math.prod(shape) * size
            pointer = self.driver.allocate(count)
            block = _random_block(o.dtype)
            self.driver.upload(pointer, (block * (count // len(block) + 1))[:count])
            pointers.append(pointer)
        result = self.driver.allocate(math.prod(o.output) * BYTES[o.result])
        self.owned += pointers + [result]
        return {"pointers": pointers, "result": result}

    def free(self):
        for pointer in self.owned:
            self.driver.free(pointer)
        self.owned, self.sets = [], []
        if self.torch:
            self.torch.cuda.empty_cache()


def _random_block(dtype):
    """Random bytes whose exponents are ordinary: halves of either sign."""
    size, unit = BYTES[dtype], os.urandom(1 << 16)
    if dtype.startswith("i"):
        return unit
    cell = {"f32": b"\x00\x00\x00\x3f", "f16": b"\x00\x38", "bf16": b"\x00\x3f"}[dtype]
    block = bytearray(cell * (len(unit) // size))
    for n in range(0, len(block), size):
        block[n] = unit[n]
        block[n + size - 1] |= unit[n + 1] & 0x80
    return bytes(block)
