"""What Python allows in strings and numbers and C does not."""
import contextlib
import os
import sys

import pruner

here = os.fsencode(sys.argv[1])
TEXT = """
func.func @main(%a: tensor<32x48xf32>, %b: tensor<48x32xf32>,
                %i: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %c = linalg.matmul ins(%a, %b : tensor<32x48xf32>, tensor<48x32xf32>)
                     outs(%i : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}
"""


@contextlib.contextmanager
def refused():
    try:
        yield
        print("not refused")
    except pruner.PrunerError as error:
        print("refused:", str(error).replace(os.fsdecode(here), "DIR").splitlines()[0]
              .encode("ascii", "backslashreplace").decode())


module = pruner.Module.parse(TEXT)
(task,) = module.tasks()
(schedule,) = task.sample(1)

# A zero byte ended the string.
net = here + b"/net.mlir"
with open(net, "w") as file:
    file.write(TEXT)
with refused():
    pruner.Module.open(net + b"\0.mlir")
with refused():
    module.run("canonicalize\0nonsense")
with refused():
    module.compile(here + b"/net.so\0.so")
with refused():
    module.compile(here + b"/net.so", entry="main\0x")
with refused():
    module.draft(threads="1\0 nonsense=2")
with refused():
    task.predict([schedule + "\0"])
print("made:", sorted(os.listdir(sys.argv[1])))

# ctypes cut off what a number had too much.
with refused():
    task.sample(-1)
with refused():
    task.sample(2**62)
with refused():
    task.predict([schedule], threads=2**32 + 1)
with refused():
    task.sample(1, seed=2**64)
with refused():
    module.lower(threads=-1)

# Bytes that are no UTF-8.
with refused():
    pruner.Module.open(here + b"/\xff.mlir")
with open(here + b"/\xfe.mlir", "w") as file:
    file.write("nonsense")
with refused():
    pruner.Module.open(here + b"/\xfe.mlir")
with refused():
    pruner.Module.parse(TEXT).run("\udcff")
other = pruner.Module.parse(TEXT)
with refused():
    other.apply_best(db=here + b"/\xfd.db")
print(other.diagnostics[-1].severity)
with refused():
    other.apply_best(db=os.fsdecode(here) + "/\udcfd.db")

# Options: several values, and names that are more than a name.
print("tuned:", bool(other.tune(targets=["cpu"], trials=1, threads=1, model="none",
                           finals=False, network=False)))
with refused():
    other.draft(**{"threads=1 db": "x"})
with refused():
    other.draft(threads="abc")
