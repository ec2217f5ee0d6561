"""Convolutions over upsampled inputs, with and without their zeros, on random integers
that make every sum exact, and on an infinite input.

    upsampled.py DIRECTORY
"""
import pathlib
import subprocess
import sys

import numpy
import pruner

directory = pathlib.Path(sys.argv[1])


def module(channels, extent, filters, window, step, first, behind):
    """A sum over input channels and a window, along one dimension."""
    padded = first + (extent - 1) * step + 1 + behind
    result = padded - window + 1
    return f"""
func.func @main(%x: tensor<{channels}x{extent}xf32>, %w: tensor<{filters}x{channels}x{window}xf32>)
    -> tensor<{filters}x{result}xf32> {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{channels}x{padded}xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<{channels}x{padded}xf32>) -> tensor<{channels}x{padded}xf32>
  %z = tensor.insert_slice %x into %zeros[0, {first}] [{channels}, {extent}] [1, {step}]
      : tensor<{channels}x{extent}xf32> into tensor<{channels}x{padded}xf32>
  %o = tensor.empty() : tensor<{filters}x{result}xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<{filters}x{result}xf32>) -> tensor<{filters}x{result}xf32>
  %r = linalg.generic {{
      indexing_maps = [affine_map<(f, o, c, u) -> (c, o + u)>,
                       affine_map<(f, o, c, u) -> (f, c, u)>,
                       affine_map<(f, o, c, u) -> (f, o)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}}
      ins(%z, %w : tensor<{channels}x{padded}xf32>, tensor<{filters}x{channels}x{window}xf32>)
      outs(%f : tensor<{filters}x{result}xf32>) {{
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  }} -> tensor<{filters}x{result}xf32>
  return %r : tensor<{filters}x{result}xf32>
}}
"""


def build(source):
    library = source.with_suffix(".so")
    subprocess.run(["pruner-translate", str(source), "--to=library", "-o",
                    str(library)], check=True)
    return pruner.load(str(library))


def main():
    random = numpy.random.default_rng(0)
    equal = split = count = 0
    for step in range(1, 5):
        for window in range(1, 6):
            extent = int(random.integers(2, 8))
            first = int(random.integers(0, window))
            behind = int(random.integers(0, window + step))
            if first + (extent - 1) * step + 1 + behind < window:
                continue
            plain = directory / f"{step}x{window}.mlir"
            plain.write_text(module(3, extent, 4, window, step, first, behind))
            text = subprocess.run(
                ["pruner-opt", str(plain), "--pruner-split-upsampled-inputs",
                 "--canonicalize"],
                check=True, capture_output=True, text=True).stdout
            changed = directory / f"{step}x{window}.split.mlir"
            changed.write_text(text)
            networks = [build(source) for source in (plain, changed)]
            inputs = [random.integers(-8, 9, tensor.shape).astype(numpy.float32)
                      for tensor in networks[0].inputs]
            inputs[0].flat[random.integers(inputs[0].size)] = numpy.inf
            first_result, second_result = (net(*inputs) for net in networks)
            count += 1
            split += "insert_slice %arg0" not in text
            equal += numpy.array_equal(first_result, second_result,
                                       equal_nan=True)
    print(f"{count} modules, {split} without zeros between, {equal} equal")


main()
