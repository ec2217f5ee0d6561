"""Loads a path repeatedly while its content changes."""
import os
import pathlib
import shutil
import sys
import tempfile

import numpy
import pruner

directory = pathlib.Path(sys.argv[1])
net, first, second = (directory / f"{name}.so" for name in ("net", "first", "second"))
one = numpy.ones(1, numpy.float32)


def refused(path):
    try:
        pruner.load(path)
        return "loaded"
    except pruner.NetworkError as error:
        return str(error)


shutil.copy(first, net)
before = [pruner.load(net)]
print("first:", before[0](one)[0])
shutil.copy(second, directory / "new.so")
os.replace(directory / "new.so", net)
before.append(pruner.load(net))
print("replaced:", before[1](one)[0])
net.write_bytes(first.read_bytes())
print("written in place:", pruner.load(net)(one)[0])
print("those before:", *(each(one)[0] for each in before))
os.symlink(net, directory / "other.so")
print("by another name:", pruner.load(directory / "other.so")(one)[0])
print("the same again:", pruner.load(net)._library is pruner.load(net)._library)

made, tempfile.tempdir = os.memfd_create, str(directory / "tmp")
os.mkdir(tempfile.tempdir)
del os.memfd_create
net.write_bytes(second.read_bytes() + b"0")  # Content that was not loaded before.
print("without memfd:", pruner.load(net)(one)[0])
print("nothing left:", os.listdir(tempfile.tempdir) == [])
os.memfd_create = made

# Mapping a truncated file would end the process with SIGBUS.
whole = second.read_bytes()
net.write_bytes(b"")
print("refused:", refused(net))
reasons = []
for length in [1, 3, 4, 63, 64, 65, 200, *range(1000, len(whole), 997), len(whole) - 1]:
    net.write_bytes(whole[:length])
    reasons.append(refused(net))
print("lengths refused:", all("truncated" in reason for reason in reasons) or reasons)
print("cut:", reasons[-1])
net.write_bytes(b"no library at all, but some text")
print("refused:", refused(net))
# A header with invalid offsets.
net.write_bytes(whole[:32] + b"\xff" * 8 + whole[40:])
print("refused:", refused(net))
print("refused:", refused(directory / "missing.so"))
print("refused:", refused(directory))
print("those before:", *(each(one)[0] for each in before))

# A pipe that nobody writes to is not waited for.
os.mkfifo(directory / "pipe.so")
print("refused:", refused(directory / "pipe.so"))

# A child of a process that was about to open a library opens its own.
opening = sys.modules["pruner.opening"]
net.write_bytes(first.read_bytes())
opening._lock.acquire()
child = os.fork()
if child == 0:
    os._exit(0 if pruner.load(net)(one)[0] == before[0](one)[0] else 1)
opening._lock.release()
print("child:", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
