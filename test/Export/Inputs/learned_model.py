"""Tunes with a learned model in the process of PyTorch."""
import pathlib
import sys
import threading

order = sys.argv[1]
if order == "torch-first":
    import torch

import pruner

TEXT = """
func.func @main(%a: tensor<64x48xf32>, %b: tensor<48x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x48xf32>, tensor<48x32xf32>)
                     outs(%i : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %c : tensor<64x32xf32>
}
"""


def tune():
    module = pruner.Module.parse(TEXT)
    done = module.tune(trials=8, batch=4, threads=1, model="pacm", finals=False)
    return done, [said for said in module.diagnostics if said.severity == "warning"]


if order == "pruner-first":
    tune()
    import torch

torch.set_num_threads(3)
torch.manual_seed(1)
a, b = torch.rand(200, 300), torch.rand(300, 100)
expected, drawn = a @ b, torch.rand(5)
torch.manual_seed(1)
torch.rand(200, 300), torch.rand(300, 100)

# Another thread computes meanwhile.
stop, same = threading.Event(), []


def multiply():
    while not stop.is_set():
        same.append(torch.allclose(a @ b, expected))


thread = threading.Thread(target=multiply)
thread.start()
with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
    done, warnings = tune()
stop.set()
thread.join()
print("tuned:", bool(done))
print("threads:", torch.get_num_threads())
torch.set_num_interop_threads(2)  # Can be set once per process.
print("interop threads:", torch.get_num_interop_threads())
print("the same results:", len(same) > 0 and all(same))
print("the same random numbers:", torch.equal(torch.rand(5), drawn))
x = torch.ones(4, requires_grad=True)
(x * x).sum().backward()
print("gradients:", x.grad.tolist() == [2.0] * 4)
maps = pathlib.Path("/proc/self/maps").read_text().split()
mapped = {word for word in maps if "/libtorch_cpu.so" in word}
own = pathlib.Path(torch.__file__).resolve().parent / "lib" / "libtorch_cpu.so"
print("LibTorch:", len(mapped),
      "of PyTorch" if {pathlib.Path(file).resolve() for file in mapped} == {own} else mapped)
print("warnings:", len(warnings))
