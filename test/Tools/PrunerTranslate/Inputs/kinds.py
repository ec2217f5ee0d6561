"""Calls the library of library.mlir in every way, good and bad."""

import gc
import math
import os
import struct
import sys
import threading

import numpy as np

import pruner

net = pruner.load(sys.argv[1])


def bf16(values):
    bits = np.asarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def real(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


ids = np.array([3, 9, 0, 5])
table = np.arange(40, dtype=np.float32).reshape(10, 4)
mask = np.array([True, False, True, True])
wide = np.array([-0.5, 0.0, 0.25, 2.0])
half = np.array([1.5, -2.0, 0.25, 65504.0], np.float16)
brief = bf16([0.5, -1.0, 2.0, 0.0])
unused = np.array([1, -2, 3], np.int32)
arguments = (ids, table, mask, wide, half, brief, unused)


def check(results):
    rows, erf, shaped, gelu, total, same, less, again = results
    expected = np.zeros((6, 4), np.float32)
    expected[1:5] = table[ids] * mask[:, None]
    assert (rows == expected).all(), rows
    assert np.allclose(erf, [math.exp(math.erf(x)) for x in wide], rtol=1e-14), erf
    piece = half[1:]
    joined = np.concatenate([half, piece, half, piece, half[:2]]).reshape(8, 2)
    assert shaped.dtype == np.float16 and (shaped == joined).all(), shaped
    x = real(brief)
    assert np.allclose(real(gelu), np.tanh(x) + x, rtol=2e-2), real(gelu)
    assert (total == ids + [7, -7, 70, 700]).all(), total
    assert (same == unused).all() and same is not unused
    assert less.dtype == np.bool_ and (less == (ids < [7, -7, 70, 700])).all()
    assert (again == erf).all() and again.ctypes.data != erf.ctypes.data


check(net(*arguments))
names = [tensor.name for tensor in net.inputs]
assert names[:3] == ["ids", "table.weight", "mask"], names
assert [t.kind for t in net.inputs[:3]] == ["input", "parameter", "input"]
assert net.outputs[7].name == "erf again"
assert "rows: f32[6, 4]" in repr(net), repr(net)

# By name, bound, in any layout and at any address.
check(net(**dict(zip(names, arguments))))
bound = net.bind(**{"table.weight": np.asfortranarray(table)})
check(bound(ids, mask, *arguments[3:]))
check(bound(ids, *arguments[3:], mask=mask))
raw = np.zeros(33, np.uint8)
odd = raw[1:].view(np.float64)
odd[:] = wide
check(bound(ids, mask, odd, *arguments[4:]))
check(bound(np.repeat(ids, 2)[::2], mask, *arguments[3:]))

# The same with the weight from a file.
path = sys.argv[1] + ".safetensors"
header = (b'{"__metadata__": {"a": "b"}, "other": {"dtype": "F32", "shape": [1], '
          b'"data_offsets": [0, 4]}, "table.weight": {"dtype": "F32", '
          b'"shape": [10, 4], "data_offsets": [4, 164]}}')
with open(path, "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header + bytes(4) + table.tobytes())
check(net.bind_file(path)(ids, mask, *arguments[3:]))


def refuses(text, call):
    try:
        call()
    except pruner.NetworkError as error:
        assert text in str(error), error
        return
    raise AssertionError(f"accepted, instead of: {text}")


refuses("input 0 ('ids') has dtype int32, expected int64",
        lambda: net(ids.astype(np.int32), *arguments[1:]))
refuses("input 1 ('table.weight') has shape (4, 10), expected (10, 4)",
        lambda: net(ids, table.T, *arguments[2:]))
refuses("input 5 ('brief') has dtype float32, expected uint16 (the bits",
        lambda: net(*arguments[:5], real(brief), unused))
refuses("1 of 7 inputs are missing: 'unused'", lambda: net(*arguments[:6]))
refuses("8 inputs by position, but only 7 of 7 are not given otherwise",
        lambda: net(*arguments, 1))
refuses("unknown input 'idz'; expected one of 'ids', 'table.weight'",
        lambda: net(*arguments[1:], idz=ids))
refuses("input 'table.weight' is already bound",
        lambda: bound(**dict(zip(names, arguments))))
refuses("cannot be loaded", lambda: pruner.load(path))
refuses("is not a network of pruner-translate",
        lambda: pruner.load("/lib/x86_64-linux-gnu/libm.so.6"))

# A check that fails is an error of the call, and of that call only.
for wrong, text in ((10, "id must be smaller than 10"), (-1, "id must not be negative")):
    bad = ids.copy()
    bad[2] = wrong
    refuses(text, lambda: net(bad, *arguments[1:]))
check(net(*arguments))

# Several threads at a time, good and bad calls mixed.
failures = []


def work(seed):
    for n in range(50):
        try:
            if (n + seed) % 3:
                check(net(*arguments))
            else:
                refuses("id must", lambda: net(ids + 10, *arguments[1:]))
        except BaseException as error:
            failures.append(error)


threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failures, failures


# Nothing leaks: calls do not grow the process.
def resident():
    with open("/proc/self/statm", encoding="utf-8") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


gc.collect()
before = resident()
for _ in range(20000):
    bound(ids, mask, *arguments[3:])
grown = resident() - before
with open("/proc/self/maps", encoding="utf-8") as file:
    keeps_freed = "libclang_rt.asan" in file.read()
assert keeps_freed or grown < 1 << 20, f"{grown} bytes"
print("all as it should be")
