"""Writes a network of three layers, whose weights are constants, or arguments with
--weights; with --plain the module does not mark them, and --names lists them."""

import argparse
import json
import struct

parser = argparse.ArgumentParser()
parser.add_argument("--weights")
parser.add_argument("--names")
parser.add_argument("--plain", action="store_true")
parser.add_argument("--first", type=int, default=128, help="rows of the first file's weight")
parser.add_argument("module")
options = parser.parse_args()

SHAPES = [(128, 128), (128, 128), (128, 64)]


def elements(layer, rows, columns):
    return struct.pack(f"<{rows * columns}f", *(
        ((7 * n + layer) % 31 - 15) / 128 for n in range(rows * columns)))


def tensor(*shape):
    return "tensor<" + "x".join(map(str, shape)) + "xf32>"


arguments = [f'%x: {tensor(16, 128)} {"" if options.plain else "{pruner.name = %simage%s}" % (2 * (chr(34),))}']
body, resources, header, data = [], [], {}, b""
previous, width = "%x", 128
for layer, (rows, columns) in enumerate(SHAPES):
    weight = f"%w{layer}"
    if options.weights:
        mark = "" if options.plain else f'{{pruner.constant, pruner.name = "layer{layer}"}}'
        arguments.append(f"{weight}: {tensor(rows, columns)} {mark}")
        stored = options.first if layer == 0 else rows
        content = elements(layer, stored, columns)
        header[f"layer{layer}"] = {"dtype": "F32", "shape": [stored, columns],
                                   "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    else:
        body.append(f"  {weight} = arith.constant dense_resource<w{layer}> : {tensor(rows, columns)}")
        resources.append(f'      w{layer}: "0x40000000{elements(layer, rows, columns).hex()}"')
    body.append(f"""  %z{layer} = arith.constant 0.0 : f32
  %e{layer} = tensor.empty() : {tensor(16, columns)}
  %f{layer} = linalg.fill ins(%z{layer} : f32) outs(%e{layer} : {tensor(16, columns)}) -> {tensor(16, columns)}
  %y{layer} = linalg.matmul ins({previous}, {weight} : {tensor(16, width)}, {tensor(rows, columns)})
      outs(%f{layer} : {tensor(16, columns)}) -> {tensor(16, columns)}""")
    previous, width = f"%y{layer}", columns

result = tensor(16, width) + ("" if options.plain else ' {pruner.name = "scores"}')
text = (f"func.func @main({', '.join(arguments)}) -> ({result}) {{\n" + "\n".join(body)
        + f"\n  return {previous} : {tensor(16, width)}\n}}\n")
if resources:
    text += "{-#\n  dialect_resources: {\n    builtin: {\n" + ",\n".join(resources) + "\n    }\n  }\n#-}\n"
with open(options.module, "w") as file:
    file.write(text)
if options.weights:
    encoded = json.dumps(header).encode()
    with open(options.weights, "wb") as file:
        file.write(struct.pack("<Q", len(encoded)) + encoded + data)
if options.names:
    with open(options.names, "w") as file:
        json.dump({"arguments": [{"name": "image", "kind": "input"}]
                   + [{"name": name, "kind": "parameter"} for name in header],
                   "results": [{"name": "scores"}]}, file)
