"""Runs a network whose weights are prepared by a second library, and compares the
results with PyTorch. Then binds invalid arguments.

  prepare.py NETWORK PREPARE WEIGHTS REFERENCE
"""

import sys

import numpy

import pruner
from pruner.safetensors import read

network, prepare, weights, reference = sys.argv[1:]
net = pruner.load(network, prepare=prepare)
tensors, expected = read(weights), read(reference)
free = {tensor.name for tensor in net.inputs} - set(tensors)
print("inputs computed ahead:", sum(name.startswith("prepared") for name in free))

bound = net.bind_file(weights)
inputs = {name[7:]: value for name, value in expected.items()
          if name.startswith("inputs/")}
results = bound(**inputs)
results = results if isinstance(results, tuple) else (results,)
for tensor, result in zip(net.outputs, results):
    wanted = expected["results/" + tensor.name]
    print(f"{tensor.name}: relative "
          f"{numpy.abs(result - wanted).max() / numpy.abs(wanted).max():.1e}")

# Binding in two steps, or one weight at a time, gives the same result.
names = sorted(name for name in tensors
               if name in net._position or name in net._prepare._position)
half = net.bind(**{name: tensors[name] for name in names[::2]})
whole = half.bind(**{name: tensors[name] for name in names[1::2]})
again = whole(**inputs)
again = again if isinstance(again, tuple) else (again,)
print("in two steps:", all(numpy.array_equal(a, b) for a, b in zip(results, again)))
try:
    half(**inputs)
except pruner.NetworkError as error:
    print("half:", str(error).split(":")[0])
try:
    pruner.load(network, prepare=network)
except pruner.NetworkError as error:
    print("wrong library:", "which is not an input of" in str(error))
