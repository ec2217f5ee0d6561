"""All phases of a run, each from start to end, without printed output."""
import os
import sys
import tempfile

import pruner

TEXT = """
func.func @main(%a: tensor<32x48xf32>, %b: tensor<48x32xf32>,
                %c: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %p = linalg.matmul ins(%a, %b : tensor<32x48xf32>, tensor<48x32xf32>)
                     outs(%i : tensor<32x32xf32>) -> tensor<32x32xf32>
  %f = tensor.empty() : tensor<32x16xf32>
  %j = linalg.fill ins(%zero : f32) outs(%f : tensor<32x16xf32>) -> tensor<32x16xf32>
  %r = linalg.matmul ins(%p, %c : tensor<32x32xf32>, tensor<32x16xf32>)
                     outs(%j : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %r : tensor<32x16xf32>
}
"""
directory, *weights = sys.argv[1:]
options = {"trials": 4, "batch": 2, "threads": 1, "model": "none",
           "db": f"{directory}/progress.db"}
seen, asked = [], None


def watch(progress):
    seen.append(progress)
    return progress.phase != asked


def run(**more):
    """A run whose output goes to a file; returns that output."""
    with tempfile.TemporaryFile() as file:
        kept = os.dup(1), os.dup(2)
        sys.stdout.flush()
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
        try:
            ended = pruner.Module.parse(TEXT).tune(progress=watch, **options, **more)
        finally:
            for stream, old in zip((1, 2), kept):
                os.dup2(old, stream)
                os.close(old)
        file.seek(0)
        return bool(ended), file.read()


print("to its end, printed:", *run())
phases = list(dict.fromkeys(each.phase for each in seen))
print("phases:", *phases)
for phase in phases:
    steps = [(each.done, each.total) for each in seen if each.phase == phase]
    print(f"{phase}: from {steps[0][0]} to {steps[-1][0]} of {steps[-1][1]},",
          "in order" if steps == sorted(steps) else steps)
# It can be ended in each phase; the trials are stored.
for asked in phases:
    seen.clear()
    print(f"ended in {asked}:", *run(seed=1), seen[-1].phase)
