"""Prints a module with a caller of its @main, which becomes @model: the caller
makes the arguments (small deterministic numbers) and prints the result.

  with_main.py MODULE > RUNNABLE
"""

import re
import sys

text = open(sys.argv[1]).read()
head = re.search(r"func\.func @main\((.*?)\) -> (tensor<[0-9x]+xf32>)", text, re.S)
arguments = re.findall(r"tensor<([0-9x]+)xf32>", head.group(1))
result = head.group(2)
text = text.replace("@main(", "@model(", 1)

lines = []
for shape in sorted(set(arguments)):
    rank = len(shape.split("x"))
    kinds = ", ".join(['"parallel"'] * rank)
    dims = ", ".join(f"d{i}" for i in range(rank))
    lines += [f"func.func private @fill_{shape}(%seed: i64) -> tensor<{shape}xf32> {{",
              f"  %empty = tensor.empty() : tensor<{shape}xf32>",
              "  %modulus = arith.constant 23 : i64",
              "  %middle = arith.constant 11 : i64",
              "  %scale = arith.constant 0.03125 : f32",
              f"  %r = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>],"
              f" iterator_types = [{kinds}]}}"
              f" outs(%empty : tensor<{shape}xf32>) {{",
              "  ^bb0(%o: f32):"]
    value = "%seed"
    for i in range(rank):
        lines += [f"    %i{i} = linalg.index {i} : index",
                  f"    %c{i} = arith.index_cast %i{i} : index to i64",
                  f"    %f{i} = arith.constant {31 - 14 * i} : i64",
                  f"    %p{i} = arith.muli %c{i}, %f{i} : i64",
                  f"    %s{i} = arith.addi {value}, %p{i} : i64"]
        value = f"%s{i}"
    lines += [f"    %m = arith.remsi {value}, %modulus : i64",
              "    %n = arith.subi %m, %middle : i64",
              "    %f = arith.sitofp %n : i64 to f32",
              "    %v = arith.mulf %f, %scale : f32",
              "    linalg.yield %v : f32",
              f"  }} -> tensor<{shape}xf32>",
              f"  return %r : tensor<{shape}xf32>",
              "}"]
lines += ["func.func private @printMemrefF32(tensor<*xf32>)",
          "func.func @main() {"]
for i, shape in enumerate(arguments):
    lines += [f"  %n{i} = arith.constant {7 * i + 3} : i64",
              f"  %a{i} = call @fill_{shape}(%n{i}) : (i64) -> tensor<{shape}xf32>"]
types = ", ".join(f"tensor<{shape}xf32>" for shape in arguments)
values = ", ".join(f"%a{i}" for i in range(len(arguments)))
lines += [f"  %r = call @model({values}) : ({types}) -> {result}",
          f"  %u = tensor.cast %r : {result} to tensor<*xf32>",
          "  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()",
          "  return",
          "}"]

# Into the module, if the text has one.
end = text.rstrip().rfind("}") if re.search(r"^module\b", text, re.M) else len(text)
print(text[:end] + "\n".join(lines) + "\n" + text[end:])
