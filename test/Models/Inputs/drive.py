"""Prints an exported model with a driver around it.

usage: drive.py BASE

Reads BASE.mlir, BASE.args.json, BASE.safetensors and
BASE.reference.safetensors. The module printed has the model as @model, and
@main, which calls it on the weights and example inputs (constants there) and
prints the bits of every result as integers, one printMemrefI32 each.
"""
import json
import re
import sys

from safetensors_file import read

INTEGER = {"f32": "i32", "f64": "i64"}


def tensor_type(argument, dtype=None):
    return "tensor<" + "x".join([*map(str, argument["shape"]), dtype or argument["dtype"]]) + ">"


def constant(tensor, argument):
    """Return a dense literal for the bytes; i1 is one byte in the file and one bit
    here."""
    if argument["dtype"] == "i1":
        words = ", ".join("true" if byte else "false" for byte in tensor.data)
        flat = f"tensor<{len(tensor.data)}xi1>"
        assert len(argument["shape"]) == 1, "i1 arguments of one dimension only"
        return f"dense<[{words}]> : {flat}"
    return f'dense<"0x{tensor.data.hex().upper()}"> : {tensor_type(argument)}'


def main(base):
    with open(base + ".args.json") as file:
        description = json.load(file)
    tensors = read(base + ".safetensors")
    for name, tensor in read(base + ".reference.safetensors").items():
        tensors[name.removeprefix("inputs/")] = tensor
    with open(base + ".mlir") as file:
        text = file.read()
    text, renamed = re.subn(r"func\.func @main\(", "func.func @model(", text)
    assert renamed == 1, "expected one function @main"

    arguments, results = description["arguments"], description["results"]
    lines = ["func.func @main() attributes {llvm.emit_c_interface} {"]
    for i, argument in enumerate(arguments):
        lines.append(f"  %a{i} = arith.constant {constant(tensors[argument['name']], argument)}")
    names = ", ".join(f"%a{i}" for i in range(len(arguments)))
    types = ", ".join(tensor_type(a) for a in arguments)
    outs = [tensor_type(r) for r in results]
    lines.append(
        f"  %r:{len(results)} = call @model({names}) : ({types}) -> ({', '.join(outs)})"
    )
    for i, (result, out) in enumerate(zip(results, outs)):
        bits = INTEGER[result["dtype"]]
        cast = tensor_type(result, bits)
        rank = len(result["shape"])
        dims = ", ".join(f"d{d}" for d in range(rank))
        identity = f"affine_map<({dims}) -> ({dims})>"
        loops = ", ".join(['"parallel"'] * rank)
        lines += [
            f"  %e{i} = tensor.empty() : {cast}",
            f"  %b{i} = linalg.generic {{indexing_maps = [{identity}, {identity}], "
            f"iterator_types = [{loops}]}} ins(%r#{i} : {out}) outs(%e{i} : {cast}) {{",
            f"  ^bb0(%x: {result['dtype']}, %y: {bits}):",
            f"    %z = arith.bitcast %x : {result['dtype']} to {bits}",
            f"    linalg.yield %z : {bits}",
            f"  }} -> {cast}",
        ]
        lines.append(
            f"  %m{i} = bufferization.to_buffer %b{i} : {cast} to {cast.replace('tensor', 'memref')}"
        )
        lines.append(
            f"  %u{i} = memref.cast %m{i} : {cast.replace('tensor', 'memref')} to memref<*x{bits}>"
        )
        lines.append(f"  call @printMemref{bits.upper()}(%u{i}) : (memref<*x{bits}>) -> ()")
    lines += ["  return", "}"]
    for bits in sorted({INTEGER[r["dtype"]] for r in results}):
        lines.append(
            f"func.func private @printMemref{bits.upper()}(memref<*x{bits}>) "
            "attributes {llvm.emit_c_interface}"
        )
    end = text.rindex("}")
    print(text[:end] + "\n".join("  " + line for line in lines) + "\n}")


main(sys.argv[1])
