"""Writes the exporter's files for examples/mlp.mlir with random weights, without PyTorch.

    exported_mlp.py <mlp.mlir> <base of the files>
"""

import json
import pathlib
import re
import sys

import numpy

source, base = sys.argv[1:]
text = pathlib.Path(source).read_text()
signature = text[text.index("func.func @main("):].split(" -> ")[0]
generator = numpy.random.default_rng(1)
arguments, header, data = [], {}, b""
for name, extents in re.findall(r"%(\w+): tensor<((?:\d+x)+)f32>", signature):
    shape = [int(extent) for extent in extents.split("x")[:-1]]
    arguments.append({"name": name, "kind": "input" if name == "x" else "parameter",
                      "shape": shape, "dtype": "f32"})
    if name != "x":
        array = (generator.random(shape) - 0.5).astype("<f4")
        header[name] = {"dtype": "F32", "shape": shape,
                        "data_offsets": [len(data), len(data) + array.nbytes]}
        data += array.tobytes()
head = json.dumps(header).encode()
head += b" " * (-len(head) % 8)
pathlib.Path(base + ".mlir").write_text(text)
pathlib.Path(base + ".args.json").write_text(json.dumps({"arguments": arguments}))
pathlib.Path(base + ".safetensors").write_bytes(
    len(head).to_bytes(8, "little") + head + data)
