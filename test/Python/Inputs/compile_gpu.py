"""Compiles a function of arrays for a GPU and runs it."""
import numpy
import pruner

random = numpy.random.default_rng(0)
weight = random.standard_normal((48, 40)).astype(numpy.float32)


def network(x):
    return numpy.maximum(x @ weight, 0)


x = random.standard_normal((32, 48)).astype(numpy.float32)
net = pruner.compile(network, (x,), target="nvidia:sm_80")
print(net, net.chip)
print("right:", numpy.allclose(net(x), network(x), atol=1e-4))
