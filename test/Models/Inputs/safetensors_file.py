"""Reads safetensors files without packages: a length, a JSON header, bytes."""
import dataclasses
import json
import struct


@dataclasses.dataclass
class Tensor:
    """Row-major little-endian elements of a type such as F32 or I64."""

    dtype: str
    shape: list
    data: bytes

    def floats(self):
        letter = {"F32": "f", "F64": "d"}[self.dtype]
        size = struct.calcsize(letter)
        return list(struct.unpack(f"<{len(self.data) // size}{letter}", self.data))


def read(path):
    with open(path, "rb") as file:
        content = file.read()
    (length,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + length])
    body = content[8 + length :]
    return {
        name: Tensor(entry["dtype"], entry["shape"], body[slice(*entry["data_offsets"])])
        for name, entry in header.items()
        if name != "__metadata__"
    }
