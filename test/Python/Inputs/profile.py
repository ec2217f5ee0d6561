"""Profiles a network whose parts are known; see ../profile.test."""

import sys
import threading

import numpy

import pruner

unprofiled = pruner.load(sys.argv[1])
try:
    unprofiled.profile()
    sys.exit("a profile that was never taken")
except pruner.NetworkError as error:
    assert "without profile=True" in str(error), error

net = pruner.load(sys.argv[1], profile=True)
assert net.profile() == [] and str(net.profile()) == "no run was profiled"
x = numpy.full((400, 400), 2, numpy.float32)
y = numpy.ones((400, 400), numpy.float32)
bound = net.bind(y=y)
assert [tensor.name for tensor in bound.free_inputs] == ["x"]


def run():
    result, sums = bound(x)
    assert (result == 9).all() and (sums == 800).all()


for _ in range(3):
    run()
profile = bound.profile(each=True)
assert profile.runs == 3
shares = sum(row.share for row in profile)
assert 0.8 < shares <= 1, shares
assert [row.total for row in profile] == sorted((r.total for r in profile), reverse=True)
kernel = next(row for row in profile if row.key)
assert kernel.key == "5" and kernel.ratio == kernel.seconds / 2e-6
assert abs(kernel.gflops * kernel.seconds - 160000e-9) < 1e-12
assert profile.isolated == (2e-6, kernel.seconds)
for row in sorted(profile, key=lambda row: (row.name, row.calls), reverse=True):
    if row.name.startswith(("sums", "op_add")):
        alone = f", alone {row.isolated:.1e} s" if row.isolated else ""
        print(f"{row.name}: {row.calls:g} calls a run{alone}")

# The calls of a kernel together have the same total, except for rounding.
together = bound.profile()
assert len(together) == len(profile) - 1
assert abs(sum(r.total for r in together) - sum(r.total for r in profile)) < 1e-9

# A run that fails a check is not counted, and the next one is unaffected.
try:
    net(x + 9, y)
except pruner.NetworkError:
    pass
assert bound.profile().runs == 3
run()
assert bound.profile().runs == 4

# Calls of all callers are counted.
bound.reset_profile()
callers = [threading.Thread(target=lambda: [run() for _ in range(20)])
           for _ in range(4)]
for caller in callers:
    caller.start()
for caller in callers:
    caller.join()
assert bound.profile().runs == 80
calls = {row.name: row.calls for row in bound.profile() if row.name != "copy"}
assert sorted(calls.values()) == [1, 1, 1, 2, 5, 5], calls
