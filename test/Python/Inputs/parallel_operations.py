"""A network of a product, a gather and a transposition.

    parallel_operations.py module <directory>   writes it
    parallel_operations.py check <directory>    compares its libraries 1.so and 3.so
"""
import pathlib
import sys

import numpy

import pruner

TEXT = """
#id = affine_map<(i, j, k) -> (i, j, k)>
func.func @main(%a: tensor<96x96xf32>, %b: tensor<96x96xf32>, %at: tensor<5x40x96xi32>)
    -> (tensor<5x40x96xf32>, tensor<96x5x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<96x96xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<96x96xf32>) -> tensor<96x96xf32>
  %c = linalg.matmul ins(%a, %b : tensor<96x96xf32>, tensor<96x96xf32>)
                     outs(%f : tensor<96x96xf32>) -> tensor<96x96xf32>
  %ge = tensor.empty() : tensor<5x40x96xf32>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%at : tensor<5x40x96xi32>) outs(%ge : tensor<5x40x96xf32>) {
  ^bb0(%n: i32, %o: f32):
    %row = arith.index_cast %n : i32 to index
    %column = linalg.index 2 : index
    %x = tensor.extract %c[%row, %column] : tensor<96x96xf32>
    %y = tensor.extract %a[%column, %row] : tensor<96x96xf32>
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<5x40x96xf32>
  %te = tensor.empty() : tensor<96x5x40xf32>
  %t = linalg.transpose ins(%g : tensor<5x40x96xf32>) outs(%te : tensor<96x5x40xf32>) permutation = [2, 0, 1]
  return %g, %t : tensor<5x40x96xf32>, tensor<96x5x40xf32>
}
"""


def check(directory):
    random = numpy.random.default_rng(1)
    a, b = (random.standard_normal((96, 96), dtype=numpy.float32) for _ in range(2))
    at = random.integers(0, 96, (5, 40, 96), dtype=numpy.int32)
    one, three = (pruner.load(directory / f"{threads}.so") for threads in (1, 3))
    expected, found = one(a, b, at), []
    for threads in (1, 2, 3):
        three.threads = threads
        found.append(all(map(numpy.array_equal, expected, three(a, b, at))))
    print("equal:", *found)


directory = pathlib.Path(sys.argv[2])
if sys.argv[1] == "module":
    (directory / "net.mlir").write_text(TEXT)
else:
    check(directory)
