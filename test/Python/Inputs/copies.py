"""Copies of objects, arrays that are rejected, and files that are replaced."""
import copy
import gc
import os
import pickle
import stat
import sys
import threading

import numpy
import pruner
from pruner.writing import write_whole

from product import TEXT


def refused(call, *arguments):
    try:
        call(*arguments)
    except (TypeError, ValueError, pruner.NetworkError, pruner.PrunerError) as error:
        print("refused:", error)


os.chdir(sys.argv[1])
module = pruner.Module.parse(TEXT)
text = str(module)
for made in copy.copy(module), copy.deepcopy(module):
    made.draft(threads=1)
del made
gc.collect()
print("unchanged:", str(module) == text)
refused(pickle.dumps, module)
# bytes(3) would be three zeros, an empty module.
refused(pruner.Module.parse, 3)

module.draft(threads=1)
module.lower(threads=1).compile("net.so")
net = pruner.load("net.so")
inputs = [numpy.ones(each.shape, each.dtype) for each in net.inputs]
print("copied:", numpy.array_equal(copy.copy(net)(*inputs), net(*inputs)))
refused(copy.deepcopy, net)
refused(net, numpy.ma.array(inputs[0], mask=inputs[0] > 0), *inputs[1:])
refused(setattr, net, "threads", 2**32 + 1)

net.save("saved.so")
os.chmod("saved.so", 0o640)
os.symlink("saved.so", "link.so")
before = os.stat("saved.so").st_ino
net.save("link.so")
after = os.stat("saved.so")
print("replaced:", after.st_ino != before, oct(after.st_mode & 0o777), os.path.islink("link.so"))
print("loaded:", pruner.load("saved.so")(*inputs).shape == net(*inputs).shape)

# Pipes and devices are written to and not replaced, which matters for /dev/null as root.
os.mkfifo("pipe")
read = []
reader = threading.Thread(target=lambda: read.append(open("pipe", "rb").read()))
reader.start()
write_whole("pipe", "text")
reader.join()
print("written:", read, stat.S_ISFIFO(os.stat("pipe").st_mode))


try:
    write_whole("saved.so", None)
except TypeError:
    pass
print("kept:", os.stat("saved.so").st_ino == after.st_ino,
      [name for name in os.listdir(".") if name.endswith(".part")])
