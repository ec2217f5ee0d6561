"""Arrays whose memory or meaning is unusual, compared with NumPy."""
import numpy as np

import pruner


def refused(call, *arguments):
    try:
        call(*arguments)
    except (pruner.PrunerError, ValueError) as error:
        print("refused:", error)


mask = np.array([0, 255, 2, 1, 0, 128], np.uint8).view(bool)
x = np.arange(6, dtype="f4")
net = pruner.compile(
    lambda m, x: {"chosen": np.where(m, x, -x), "not": ~m, "same": m == (x >= 0)},
    (mask, x), threads=1)
wanted = np.where(mask, x, -x), ~mask, (mask != 0) == (x >= 0)
print("masks:", *(np.array_equal(a, b) for a, b in zip(net(mask, x), wanted)))
strided = np.zeros((6, 2), np.uint8)
strided[:, 0] = mask.view(np.uint8)
print("bound masks:", *(np.array_equal(net.bind(m=each)(x=x)[0], wanted[0])
                        for each in (mask, strided.view(bool)[:, 0])))

ints = np.array([[1, -2, 3], [2**40, 5, -6]])
halves = np.full((300, 300), 2, "f2")
weights = np.arange(24, dtype=">f4").reshape(4, 6)


def traced(ints, halves, x):
    return {
        "reals": ints ** 2.0, "squares": ints ** 2, "roots": abs(ints) ** 0.5,
        "of halves": halves ** 2, "mean": halves.mean(), "means": halves.mean(0),
        "mean in f32": halves.mean(dtype="f4"), "mean of ints": ints.mean(1),
        "mean in ints": np.mean(ints, dtype="i8"),
        "mean in order": np.mean(ints, 1, None, None, True),
        "columns": np.reshape(ints, (3, 2), order="F"), "rows": np.reshape(ints, (3, 2)),
        "rest": ints.reshape((-1, 2), order="F"), "by size": ints.reshape(np.int64(6)),
        "scaled": np.dot(x, 2), "outer": np.dot(3.0, ints),
        "swapped": x + weights, "product": weights @ x,
        "as swapped": x.astype(">f8") + 1, "turned": ints.transpose(np.int64(1), np.int64(0))}


wanted = traced(ints, halves, x)
net = pruner.compile(traced, (ints, halves, x), threads=1)
made = dict(zip(wanted, net(ints, halves, x)))
print(f"traced: {len(made)} results, different:", [
    name for name, value in wanted.items()
    if made[name].dtype != np.asarray(value).dtype.newbyteorder("=")
    or made[name].shape != np.shape(value) or not np.allclose(made[name], value)])

net = pruner.compile(lambda a: a * 2, x.astype(">f4"), threads=1)
print("swapped bytes:", np.array_equal(net(x), x * 2),
      net.inputs[0].dtype == np.dtype("f4"))
print("name: result", repr(pruner.compile(lambda a: {"a\n": a + 1}, x).outputs[0].name)
      .replace("'", '"').replace("\\n", "\\0A"))
refused(pruner.compile, lambda a: a + np.ma.array(x, mask=x > 2), x)
refused(pruner.compile, np.reciprocal, ints)
refused(pruner.compile, lambda a: a.sum((0, -2)), ints)
refused(pruner.compile, lambda a: a.reshape(6, order="K"), ints)
refused(pruner.compile, lambda a: np.dot(a, a), ints.reshape(1, 2, 3))

for frozen in False, True:
    weights = np.arange(6, dtype="f4")
    scaled = pruner.jit(lambda a: a * weights, threads=1, frozen=frozen)
    made = [scaled(x)]
    weights[::2] += 1
    made.append(scaled(x))
    print("captured arrays that change:", np.array_equal(made[0], x * x),
          np.array_equal(made[1], x * weights), len(scaled.networks))

module = pruner.Module.parse("""
func.func @main(%x: tensor<3x2xf32>, %w: tensor<3x2xf32> {pruner.constant, pruner.name = "w"})
    -> tensor<3x2xf32> {
  %y = linalg.sub ins(%x, %w : tensor<3x2xf32>, tensor<3x2xf32>) outs(%x : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}
""")
zero, turned = np.zeros((3, 2), "f4"), x.reshape(2, 3).T
print("constant:", *(np.array_equal(
    pruner.compile(module.clone().set_constant("w", each), threads=1)(zero), -turned)
    for each in (turned, turned.astype(">f4"))))
refused(module.set_constant, "w", turned.astype("i4"))
refused(module.set_constant, "w", np.ma.array(turned, mask=turned > 2))

# Inputs are read in place if their memory has the layout and alignment of the library.
from pruner.arrays import InPlace, empty

net = pruner.compile(lambda a, b: a - b, (np.ones((4, 6), "f4"), np.ones((4, 6), "f4")),
                     threads=1)
alignment = net.metadata["alignment"]
a, b = (empty((4, 6), "f4", alignment) for _ in range(2))
a[...], b[...] = np.arange(24).reshape(4, 6), 1
shifted = np.frombuffer(empty((100,), "u1", alignment).data, "f4", 24, 4).reshape(4, 6)
shifted[...] = a
inputs = InPlace(net.inputs, {}, alignment)
print("in place:", list(inputs.addresses((a, b))) == [a.ctypes.data, b.ctypes.data],
      *(inputs.addresses(others) is None for others in (
          (a,), (a, b, b), (a, shifted), (a, b.astype("f8")), (a, b.astype(">f4")),
          (a, b.T), (a, b[:2]), (a, b.reshape(6, 4)), (a, np.asfortranarray(b)),
          (a, b.tolist()), (a, np.ma.array(b)))))
print("same results:", *(np.array_equal(made, a - 1) for made in (
    net(a, b), net(shifted, b), net(np.asfortranarray(a), b), net.bind(b=b)(a),
    net.bind(a=a)(b), net(a, b=b))))
