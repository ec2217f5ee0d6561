"""Compares the results of libraries with those of the first."""

import sys

import numpy
import pruner

networks = [pruner.load(path) for path in sys.argv[1:]]
random = numpy.random.default_rng(0)
inputs = {t.name: random.standard_normal(t.shape).astype(t.dtype) for t in networks[0].inputs}
first, *others = [network(**inputs) for network in networks]
for other in others:
    close = numpy.abs(other - first).max() <= 1e-5 * numpy.abs(first).max()
    print("equal" if close else "different")
