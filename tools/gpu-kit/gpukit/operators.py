"""The kit's operations as MLIR for the tools.

An operation is one function on tensors of static shape. Products and convolutions of
f16 and bf16 accumulate in f32, as in libraries, and those of i8 in i32, which is the type
of their results. `tf32` stands for f32 whose factors may be rounded to tf32.
pruner_tools.torch_operations has the same operations in PyTorch."""

import math

BYTES = {"f32": 4, "f16": 2, "bf16": 2, "i8": 1, "i32": 4}
ACCURACY = {"tf32": "tf32-products"}  # What the option `accuracy` permits.


def tensor(shape, dtype):
    return "tensor<%sx%s>" % ("x".join(map(str, shape)), dtype)


def sum_type(dtype):
    """The element type in which products of `dtype` are added up."""
    return "i32" if dtype == "i8" else "f32"


class Body:
    """Writes the lines of one function."""

    def __init__(self):
        self.lines, self.next = [], 0
        self.constants = {}

    def value(self, text):
        name = "%%v%d" % self.next
        self.next += 1
        self.lines.append("    %s = %s" % (name, text))
        return name

    def constant(self, number, dtype):
        if (number, dtype) not in self.constants:
            kind = int if dtype.startswith("i") else float
            text = number if isinstance(number, str) else repr(kind(number))
            self.constants[number, dtype] = self.value(
                "arith.constant %s : %s" % (text, dtype))
        return self.constants[number, dtype]

    def filled(self, shape, dtype, number=0.0):
        zero, t = self.constant(number, dtype), tensor(shape, dtype)
        empty = self.value("tensor.empty() : %s" % t)
        return self.value("linalg.fill ins(%s : %s) outs(%s : %s) -> %s" % (
            zero, dtype, empty, t, t))

    def padded(self, value, shape, padded, amount, dtype):
        """Zeros around the last two dimensions."""
        sides = "[%s]" % ", ".join(["0"] * (len(shape) - 2) + [str(amount)] * 2)
        indices = ", ".join("%%d%d: index" % d for d in range(len(shape)))
        return self.value(
            "tensor.pad %s low%s high%s {\n    ^bb0(%s):\n      tensor.yield %s : %s\n"
            "    } : %s to %s" % (value, sides, sides, indices, self.constant(0.0, dtype),
                                 dtype, tensor(shape, dtype), tensor(padded, dtype)))

    def product(self, op, x, y, out, dtype, attributes="", first="%a0"):
        """A named operation on `first` and the second argument, of shapes x and y, that
        accumulates in `sum_type(dtype)`."""
        wide = tensor(out, sum_type(dtype))
        return self.value("linalg.%s %sins(%s, %%a1 : %s, %s) outs(%s : %s) -> %s" % (
            op, attributes, first, tensor(x, dtype), tensor(y, dtype),
            self.filled(out, sum_type(dtype)), wide, wide))

    def generic(self, maps, kinds, inputs, out, body):
        t = tensor(out[1], out[2])
        names = ", ".join("%%x%d: %s" % (n, i[2]) for n, i in enumerate(inputs + [out]))
        return self.value(
            "linalg.generic {indexing_maps = [%s], iterator_types = [%s]} "
            "ins(%s : %s) outs(%s : %s) {\n    ^bb0(%s):\n%s\n    } -> %s" % (
                ", ".join("affine_map<%s>" % m for m in maps),
                ", ".join('"%s"' % k for k in kinds),
                ", ".join(i[0] for i in inputs),
                ", ".join(tensor(i[1], i[2]) for i in inputs), out[0], t,
                names, "\n".join("      " + line for line in body), t))

    def empty(self, shape, dtype):
        return self.value("tensor.empty() : %s" % tensor(shape, dtype)), shape, dtype

    def narrowed(self, value, shape, dtype):
        """Convert f32 to `dtype`, element by element. Sums of integers keep their type."""
        if dtype in ("f32", "i8"):
            return value
        rank = len(shape)
        same = "(%s) -> (%s)" % ((", ".join("d%d" % d for d in range(rank)),) * 2)
        return self.generic(
            [same, same], ["parallel"] * rank, [(value, shape, "f32")],
            self.empty(shape, dtype),
            ["%%r = arith.truncf %%x0 : f32 to %s" % dtype, "linalg.yield %%r : %s" % dtype])


class Operation:
    """Name, which ends in the precision; shapes of inputs and of the output; the
    function that writes its MLIR; its kind and numbers for torch_operations.

    `precision` is the element type of the inputs, or a name in ACCURACY, `dtype` always
    the element type, and `result` that of the output."""

    def __init__(self, name, precision, inputs, output, flops, body, kind, **numbers):
        self.name, self.precision = "%s_%s" % (name, precision), precision
        self.dtype = "f32" if precision in ACCURACY else precision
        self.result = "i32" if precision == "i8" else self.dtype
        self.inputs, self.output, self.flops = inputs, output, flops
        self._body, self.kind, self.numbers = body, kind, numbers

    @property
    def bytes(self):
        return (sum(math.prod(s) for s in self.inputs) * BYTES[self.dtype] +
                math.prod(self.output) * BYTES[self.result])

    def module(self):
        arguments = ", ".join("%%a%d: %s" % (n, tensor(s, self.dtype))
                              for n, s in enumerate(self.inputs))
        body = Body()
        result = self._body(body, self.dtype)
        t = tensor(self.output, self.result)
        permitted = ACCURACY.get(self.precision)
        attributes = 'attributes {pruner.accuracy = ["%s"]} ' % permitted if permitted else ""
        return "module %s{\n  func.func @main(%s) -> %s {\n%s\n    return %s : %s\n  }\n}\n" % (
            attributes, arguments, t, "\n".join(body.lines), result, t)

    def function(self):
        """Return a function that computes it with PyTorch, on the device and in the
        type of its operands."""
        from pruner_tools.torch_operations import function
        return function(self.kind, self.numbers.get)


def matmul(m, n, k, precision="f32"):
    def body(b, dtype):
        r = b.product("matmul", (m, k), (k, n), (m, n), dtype)
        return b.narrowed(r, (m, n), dtype)
    return Operation("mm_%dx%dx%d" % (m, n, k), precision,
                     [(m, k), (k, n)], (m, n), 2.0 * m * n * k, body, "mm")


def batch_matmul(count, m, n, k, precision="f32"):
    def body(b, dtype):
        r = b.product("batch_matmul", (count, m, k), (count, k, n), (count, m, n), dtype)
        return b.narrowed(r, (count, m, n), dtype)
    return Operation("bmm_%dx%dx%dx%d" % (count, m, n, k), precision,
                     [(count, m, k), (count, k, n)], (count, m, n),
                     2.0 * count * m * n * k, body, "bmm")


def matmul_bias_relu(m, n, k, precision="f32"):
    def body(b, dtype):
        r = b.product("matmul", (m, k), (k, n), (m, n), dtype)
        zero = b.constant(0.0, "f32")
        lines = ["%%s = arith.addf %%x0, %s : f32" % ("%x1" if dtype == "f32" else "%b"),
                 "%%m = arith.maximumf %%s, %s : f32" % zero]
        if dtype != "f32":
            lines = ["%%b = arith.extf %%x1 : %s to f32" % dtype] + lines + [
                "%%r = arith.truncf %%m : f32 to %s" % dtype]
        lines.append("linalg.yield %s : %s" % ("%m" if dtype == "f32" else "%r", dtype))
        return b.generic(["(i, j) -> (i, j)", "(i, j) -> (j)", "(i, j) -> (i, j)"],
                         ["parallel"] * 2, [(r, (m, n), "f32"), ("%a2", (n,), dtype)],
                         b.empty((m, n), dtype), lines)
    return Operation("mm_bias_relu_%dx%dx%d" % (m, n, k), precision,
                     [(m, k), (k, n), (n,)], (m, n), 2.0 * m * n * k, body, "mm_bias_relu")


def _convolution(name, op, c, h, w, stride, batch, precision, kind, padding=0):
    """A convolution whose image has h + k - 1 rows and columns for stride 1, of which
    the outer `padding` on each side are zeros and not part of the operand. w is the
    shape of the filters: one per channel of the result, with k x k as the last
    dimensions."""
    k = w[-1]
    size = (h - 1) // stride * stride + k
    out = (size - k) // stride + 1
    inner, padded = size - 2 * padding, (batch, c, size, size)
    x, y = (batch, c, inner, inner), (batch, w[0], out, out)

    def body(b, dtype):
        image = b.padded("%a0", x, padded, padding, dtype) if padding else "%a0"
        r = b.product(op, padded, w, y, dtype,
                      "{dilations = dense<1> : vector<2xi64>, strides = dense<%d> : "
                      "vector<2xi64>} " % stride, image)
        return b.narrowed(r, y, dtype)
    if padding:
        name += "_p%d" % padding
    return Operation("%s_k%d_s%d_b%d" % (name, k, stride, batch), precision,
                     [x, w], y, 2.0 * math.prod(y) * math.prod(w[1:]), body, kind,
                     s=stride, p=padding)


def conv(c, h, f, k, stride=1, batch=1, precision="f32", padding=0):
    return _convolution(
        "conv_%dx%d_%d" % (c, h, f), "conv_2d_nchw_fchw", c, h, (f, c, k, k),
        stride, batch, precision, "conv", padding)


def depthwise(c, h, k=3, stride=1, batch=1, precision="f32"):
    return _convolution(
        "dw_%dx%d" % (c, h), "depthwise_conv_2d_nchw_chw", c, h, (c, k, k),
        stride, batch, precision, "depthwise")


def relu(m, n, precision="f32"):
    def body(b, dtype):
        zero = b.constant(0.0, dtype)
        same = "(i, j) -> (i, j)"
        return b.generic([same, same], ["parallel"] * 2, [("%a0", (m, n), dtype)],
                         b.empty((m, n), dtype),
                         ["%%r = arith.maximumf %%x0, %s : %s" % (zero, dtype),
                          "linalg.yield %%r : %s" % dtype])
    return Operation("relu_%dx%d" % (m, n), precision, [(m, n)], (m, n), 0.0,
                     body, "relu")


def add(m, n, precision="f32"):
    def body(b, dtype):
        same = "(i, j) -> (i, j)"
        return b.generic([same] * 3, ["parallel"] * 2,
                         [("%a0", (m, n), dtype), ("%a1", (m, n), dtype)],
                         b.empty((m, n), dtype),
                         ["%%r = arith.addf %%x0, %%x1 : %s" % dtype,
                          "linalg.yield %%r : %s" % dtype])
    return Operation("add_%dx%d" % (m, n), precision, [(m, n)] * 2, (m, n), 0.0,
                     body, "add")


def transpose(m, n, precision="f32"):
    def body(b, dtype):
        return b.generic(["(i, j) -> (j, i)", "(i, j) -> (i, j)"], ["parallel"] * 2,
                         [("%a0", (m, n), dtype)], b.empty((n, m), dtype),
                         ["linalg.yield %%x0 : %s" % dtype])
    return Operation("transpose_%dx%d" % (m, n), precision, [(m, n)], (n, m), 0.0,
                     body, "transpose")


def row_sum(m, n, precision="f32", columns=False):
    kept, out = ("j", n) if columns else ("i", m)

    def body(b, dtype):
        wide = b.generic(
            ["(i, j) -> (i, j)", "(i, j) -> (%s)" % kept],
            ["reduction", "parallel"] if columns else ["parallel", "reduction"],
            [("%a0", (m, n), dtype)], (b.filled((out,), "f32"), (out,), "f32"),
            (["%e = arith.extf %x0 : " + dtype + " to f32"] if dtype != "f32" else []) +
            ["%%r = arith.addf %s, %%x1 : f32" % ("%x0" if dtype == "f32" else "%e"),
             "linalg.yield %r : f32"])
        return b.narrowed(wide, (out,), dtype)
    return Operation("sum_%s_%dx%d" % ("cols" if columns else "rows", m, n),
                     precision, [(m, n)], (out,), 0.0, body, "sum", axis=0 if columns else 1)


def softmax(m, n, precision="f32"):
    def body(b, dtype):
        row, full = "(i, j) -> (i)", "(i, j) -> (i, j)"
        across, along = ["parallel", "reduction"], ["parallel"] * 2
        x = ("%a0", (m, n), dtype)
        most = b.generic([full, row], across, [x],
                         (b.filled((m,), dtype, "0xFF800000"), (m,), dtype),
                         ["%%r = arith.maximumf %%x0, %%x1 : %s" % dtype,
                          "linalg.yield %%r : %s" % dtype])
        powers = b.generic([full, row, full], along, [x, (most, (m,), dtype)],
                           b.empty((m, n), dtype),
                           ["%%d = arith.subf %%x0, %%x1 : %s" % dtype,
                            "%%r = math.exp %%d : %s" % dtype,
                            "linalg.yield %%r : %s" % dtype])
        total = b.generic([full, row], across, [(powers, (m, n), dtype)],
                          (b.filled((m,), dtype), (m,), dtype),
                          ["%%r = arith.addf %%x0, %%x1 : %s" % dtype,
                           "linalg.yield %%r : %s" % dtype])
        return b.generic([full, row, full], along,
                         [(powers, (m, n), dtype), (total, (m,), dtype)],
                         b.empty((m, n), dtype),
                         ["%%r = arith.divf %%x0, %%x1 : %s" % dtype,
                          "linalg.yield %%r : %s" % dtype])
    return Operation("softmax_%dx%d" % (m, n), precision, [(m, n)], (m, n), 0.0,
                     body, "softmax")


def layer_norm(m, n, precision="f32"):
    """Of rows, scaled and shifted by column; epsilon is 1e-5."""
    def body(b, dtype):
        row, column, full = "(i, j) -> (i)", "(i, j) -> (j)", "(i, j) -> (i, j)"
        across = ["parallel", "reduction"]
        x, sums = ("%a0", (m, n), dtype), ((m,), dtype)
        count, epsilon = b.constant(n, dtype), b.constant("1.0e-5", dtype)

        def of_rows(value, lines):
            return b.generic(["(i) -> (i)"] * 2, ["parallel"], [(value, *sums)],
                             b.empty(*sums), lines + ["linalg.yield %%r : %s" % dtype])
        total = b.generic([full, row], across, [x], (b.filled(*sums), *sums),
                          ["%%r = arith.addf %%x0, %%x1 : %s" % dtype,
                           "linalg.yield %%r : %s" % dtype])
        mean = of_rows(total, ["%%r = arith.divf %%x0, %s : %s" % (count, dtype)])
        squares = b.generic([full, row, row], across, [x, (mean, *sums)],
                            (b.filled(*sums), *sums),
                            ["%%d = arith.subf %%x0, %%x1 : %s" % dtype,
                             "%%s = arith.mulf %%d, %%d : %s" % dtype,
                             "%%r = arith.addf %%s, %%x2 : %s" % dtype,
                             "linalg.yield %%r : %s" % dtype])
        inverse = of_rows(squares, ["%%v = arith.divf %%x0, %s : %s" % (count, dtype),
                                    "%%e = arith.addf %%v, %s : %s" % (epsilon, dtype),
                                    "%%r = math.rsqrt %%e : %s" % dtype])
        return b.generic([full, row, row, column, column, full], ["parallel"] * 2,
                         [x, (mean, *sums), (inverse, *sums), ("%a1", (n,), dtype),
                          ("%a2", (n,), dtype)], b.empty((m, n), dtype),
                         ["%%d = arith.subf %%x0, %%x1 : %s" % dtype,
                          "%%n = arith.mulf %%d, %%x2 : %s" % dtype,
                          "%%s = arith.mulf %%n, %%x3 : %s" % dtype,
                          "%%r = arith.addf %%s, %%x4 : %s" % dtype,
                          "linalg.yield %%r : %s" % dtype])
    return Operation("layernorm_%dx%d" % (m, n), precision,
                     [(m, n), (n,), (n,)], (m, n), 0.0, body, "layernorm")


def bench_suite():
    """Operations that are large enough to fill a GPU, including difficult ones. All
    kinds come first in f32, because a run may end early."""
    def products(precision):
        return [
            matmul(4096, 4096, 4096, precision), matmul(1024, 1024, 1024, precision),
            matmul(511, 513, 509, precision), matmul(128, 3072, 768, precision),
            matmul(512, 64, 8192, precision), matmul(16, 4096, 4096, precision),
            batch_matmul(96, 128, 128, 64, precision),
            matmul_bias_relu(2048, 3072, 768, precision),
            conv(64, 56, 64, 3, batch=16, precision=precision),
            conv(256, 14, 256, 3, batch=16, precision=precision),
            conv(512, 7, 512, 3, batch=16, precision=precision),
            conv(1024, 14, 2048, 1, stride=2, batch=16, precision=precision),
        ]
    # PyTorch multiplies bytes only if all extents are multiples of 8.
    bytewise = [matmul(*extents, "i8") for extents in (
        (4096, 4096, 4096), (1024, 1024, 1024), (128, 3072, 768), (512, 64, 8192))]
    return products("f32") + [
        depthwise(384, 14, batch=16), depthwise(96, 112, stride=2, batch=16),
        relu(8192, 8192), add(4096, 4096), transpose(4096, 4096),
        row_sum(4096, 4096), row_sum(4096, 4096, columns=True),
        softmax(4096, 1024), softmax(16384, 128), softmax(128, 32768),
        relu(8192, 8192, "f16"), depthwise(384, 14, batch=16, precision="f16"),
    ] + products("f16") + products("tf32") + bytewise + products("bf16")


def dataset_suite():
    """Operations that are small enough for the reference on the CPU to take less than
    seconds."""
    suite = []
    for precision in ("f32", "f16"):
        suite += [
            matmul(512, 512, 512, precision), matmul(128, 768, 768, precision),
            matmul(256, 1024, 256, precision), matmul(65, 1024, 1024, precision),
            matmul(511, 513, 509, precision), matmul(1, 1000, 2048, precision),
            matmul(512, 64, 2048, precision), matmul_bias_relu(128, 1024, 512, precision),
            batch_matmul(12, 128, 128, 64, precision), batch_matmul(12, 128, 64, 128, precision),
            conv(64, 56, 64, 1, precision=precision), conv(64, 28, 64, 3, precision=precision),
            conv(128, 14, 128, 3, precision=precision), conv(3, 112, 32, 7, stride=2, precision=precision),
            conv(256, 14, 512, 1, stride=2, precision=precision), conv(512, 7, 128, 1, precision=precision),
            depthwise(96, 56, stride=2, precision=precision), depthwise(384, 14, precision=precision),
            relu(1024, 1024, precision), add(512, 768, precision), transpose(1024, 768, precision),
            row_sum(1024, 1024, precision), row_sum(1024, 1024, precision, columns=True),
        ]
    for precision in ("tf32", "i8"):
        suite += [matmul(512, 512, 512, precision), matmul(128, 768, 768, precision),
                  matmul(256, 1024, 256, precision), matmul(65, 1024, 1024, precision),
                  matmul(512, 64, 2048, precision),
                  batch_matmul(12, 128, 128, 64, precision),
                  conv(64, 28, 64, 3, precision=precision)]
    return suite + [softmax(1536, 128), softmax(512, 1024)]
