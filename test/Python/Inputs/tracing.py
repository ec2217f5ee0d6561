"""Random expressions of NumPy, compiled and compared with NumPy itself."""
import sys
import warnings

import numpy as np

import pruner

SHAPES = [(), (5,), (1,), (3, 5), (3, 1), (2, 3, 5), (2, 1, 5), (1, 1, 1)]
DTYPES = ["float32", "float64", "int32", "int64", "bool"]
BINARY = [np.add, np.subtract, np.multiply, np.maximum, np.minimum, np.divide]
UNARY = [np.negative, np.exp, np.tanh, np.absolute, np.square, np.sin, np.floor,
         lambda x: np.sqrt(abs(x) + 1), lambda x: x ** 2, lambda x: np.log1p(abs(x))]
COMPARE = [np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal]
REDUCE = [np.sum, np.max, np.min, np.mean, np.prod]


class Drawn:
    """Builds an expression as a function of arrays. `draw` returns a node: a function of
    the list of inputs."""

    def __init__(self, rng, inputs):
        self.rng, self.inputs = rng, inputs

    def pick(self, values):
        return values[self.rng.integers(len(values))]

    def node(self, depth):
        if depth == 0:
            n = int(self.rng.integers(len(self.inputs)))
            return lambda given: given[n]
        kind = self.rng.integers(10)
        a = self.node(depth - 1)
        if kind < 3:
            op, b = self.pick(BINARY), self.node(depth - 1)
            return lambda given: op(a(given), b(given))
        if kind == 3:
            op, number = self.pick(BINARY), self.pick([2, 0.5, -1.25, 3])
            return lambda given: op(a(given), number)
        if kind == 4:
            op = self.pick(UNARY)
            return lambda given: op(a(given))
        if kind == 5:
            op, b, c = self.pick(COMPARE), self.node(depth - 1), self.node(depth - 1)
            return lambda given: np.where(op(a(given), b(given)), a(given), c(given))
        if kind == 6:
            op, keep, axis = self.pick(REDUCE), bool(self.rng.integers(2)), self.pick([None, 0, -1])

            def reduce(given):
                x = a(given)
                return op(x, axis=axis if x.ndim else None, keepdims=keep)
            return reduce
        if kind == 7:
            b = self.node(depth - 1)

            def product(given):
                x, y = a(given), b(given)
                if not x.ndim or not y.ndim or x.dtype == bool or y.dtype == bool:
                    return x * y
                return np.matmul(x, np.swapaxes(np.broadcast_to(
                    y, (*y.shape[:-1], x.shape[-1])) if y.shape[-1] == 1 else y, -1, -2)
                    if y.ndim > 1 else y)
            return product
        if kind == 8:
            return lambda given: a(given).T.reshape(-1)
        return lambda given: (lambda x: x[..., None][..., ::1, 0][1:] if x.ndim and
                              x.shape[0] > 1 else x.reshape((1, *x.shape)))(a(given))


def draw(seed, count):
    """Return inputs and expressions that NumPy computes without an error or infinity."""
    rng = np.random.default_rng(seed)
    inputs = [(rng.standard_normal(shape) * 2).astype(dtype) if dtype != "bool"
              else rng.random(shape) < 0.5 for shape in SHAPES for dtype in DTYPES]
    inputs = [np.asarray(each) for each in inputs]
    drawn, found = Drawn(rng, inputs), []
    while len(found) < count:
        node = drawn.node(int(rng.integers(1, 4)))
        try:
            value = np.asarray(node(inputs))
        except (ValueError, TypeError):
            continue
        if value.dtype.name in DTYPES and value.size and value.size < 1000 and (
                np.all(np.abs(value.astype("f8")) < 1e6)):
            found.append(node)
    return inputs, found


def compare(seed, count):
    inputs, found = draw(seed, count)
    captured = inputs[-5:]

    def function(*given):
        return [node([*given, *captured]) for node in found]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = [np.asarray(each) for each in function(*inputs[:-5])]
        net = pruner.compile(function, inputs[:-5], threads=1)
        got = net(*inputs[:-5])
    wrong = []
    for n, (g, w) in enumerate(zip(got, wanted)):
        if g.dtype != w.dtype or g.shape != w.shape:
            wrong.append(f"{n}: {g.dtype}{g.shape} instead of {w.dtype}{w.shape}")
        elif not np.allclose(g, w, rtol=2e-4, atol=2e-4):
            wrong.append(f"{n}: {g} instead of {w}")
    print(f"seed {seed}: {len(got)} expressions, {len(wrong)} wrong", *wrong[:5])


def refused(function, *inputs):
    try:
        pruner.compile(function, inputs)
    except pruner.PrunerError as error:
        print("refused:", error)


if __name__ == "__main__":
    if np.__version__ < "2":
        np._set_promotion_state("weak")  # The rules of NumPy 2.
    with np.errstate(all="ignore"):
        for seed in map(int, sys.argv[1:]):
            compare(seed, 40)
    x = np.ones((4, 3), "f")
    print("names:", pruner.compile(lambda a, b: {"sum": a + b, "half": a / 2}, {"b": x, "a": x}))

    @pruner.jit
    def softmax(x):
        e = np.exp(x - x.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)

    print("jit:", all(np.allclose(softmax(x[:n]), softmax.__wrapped__(x[:n]))
                      for n in (2, 4, 2)), len(softmax.networks))
    wide = np.sin(np.arange(1200)).astype("f2").reshape(3, 400)  # f16 has no such products.
    product = pruner.jit(lambda a, b: a @ b)(wide, wide.T)
    exact = wide.astype("f8") @ wide.T.astype("f8")
    print("f16 products:", bool(np.all(np.abs(product - exact)
                                       <= 0.51 * np.spacing(np.abs(product)).astype("f8"))))
    refused(lambda x: x if x.sum() > 0 else -x, x)
    refused(np.linalg.norm, x)
    refused(lambda x: np.sort(x), x)
    refused(lambda x: np.arctan2(x, x), x)
    refused(lambda x: x[::-1], x)
    refused(lambda x: x, x.astype("u1"))
    refused(lambda x: np.add(x, x, out=x), x)
    refused(lambda x: float(x), x)
