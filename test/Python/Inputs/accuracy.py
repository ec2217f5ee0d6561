"""Compares programs whose accuracy is relaxed with exact results, within the bounds that
the description of pruner-relax-accuracy states, on data of several magnitudes.

    accuracy.py MACHINE.json RATES.json    a CPU whose products of bf16 are rewritten, and
                                           one on which Winograd's convolution profits
"""
import fractions
import sys

import numpy

import pruner

U, L = 2.0**-24, 2.0**-126
V = {"bf16": 2.0**-8, "f16": 2.0**-11}
SMALLEST = {"bf16": 2.0**-133, "f16": 2.0**-24}
random = numpy.random.default_rng(7)

# The coordinates of factors and result by letters; windows slide along h and w.
SUMS = {
    "matmul": ("ik", "kj", "ij", dict(i=48, j=40, k=96)),
    "batch_matmul": ("bik", "bkj", "bij", dict(b=3, i=32, j=48, k=64)),
    "conv_2d_nhwc_hwcf": ("nhwc", "hwcf", "nhwf", dict(n=1, h=12, w=14, c=16, f=32)),
}


def shapes(x, y, r, extents):
    """The shapes of the factors and the result; a kernel has 3 x 3 points."""
    def of(letters, change):
        return tuple(extents[c] + (change[c] if c in change else 0) for c in letters)
    conv = "h" in y
    return (of(x, dict(h=2, w=2) if conv else {}),
            tuple(3 if c in "hw" else extents[c] for c in y), of(r, {}))


def kind(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def program(name, element, result):
    first, second, out = (kind(shape, e) for shape, e in
                          zip(shapes(*SUMS[name]), (element, element, result)))
    return f"""func.func @main(%x: {first}, %y: {second}) -> {out} {{
  %zero = arith.constant 0.0 : {result}
  %e = tensor.empty() : {out}
  %z = linalg.fill ins(%zero : {result}) outs(%e : {out}) -> {out}
  %r = linalg.{name} ins(%x, %y : {first}, {second}) outs(%z : {out}) -> {out}
  return %r : {out}
}}
"""


def exact(name, x, y):
    """The sums of products in double precision or more, and their numbers of terms."""
    a, b, r, _ = SUMS[name]
    x, y = x.astype(numpy.longdouble), y.astype(numpy.longdouble)
    if "h" not in b:
        return numpy.einsum(f"{a},{b}->{r}", x, y), x.shape[-1]
    h, w = x.shape[1] - 2, x.shape[2] - 2
    return sum(numpy.einsum("nhwc,cf->nhwf", x[:, i:i + h, j:j + w], y[i, j])
               for i in range(3) for j in range(3)), 9 * x.shape[-1]


def rounded(values):
    """f32 rounded to bf16, as f32."""
    bits = values.view(numpy.uint32)
    return ((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000).astype(numpy.uint32).view(
        numpy.float32)


def draws(shape):
    """Numbers of several magnitudes: about 1, tiny, subnormal, large, and rows of
    different ones."""
    base = random.standard_normal(shape)
    yield base
    for power in (-70, -130, 40):
        yield base * 2.0**power
    yield base * 2.0**random.integers(-60, 30, shape[:-1] + (1,))
    yield numpy.abs(base) + 1


def check(what, got, want, bound):
    error = numpy.abs(got.astype(numpy.longdouble) - want)
    assert numpy.all(error <= bound), (what, float(numpy.max(error / bound)))
    return float(numpy.max(error / numpy.maximum(bound, numpy.finfo(float).tiny)))


def products(machine):
    for name in SUMS:
        text = program(name, "f32", "f32")
        module = pruner.Module.parse(text)
        module.run("pruner-relax-accuracy{accuracy=bf16-products targets=file:%s}" % machine)
        assert str(module).count("arith.truncf") == 2, str(module)
        networks = [pruner.compile(module, threads=1),
                    pruner.compile(text, threads=1, accuracy="bf16-products"),
                    pruner.compile(text, threads=1, accuracy=["bf16-products", "wide-sums"])]
        first, second, _ = shapes(*SUMS[name])
        worst = 0
        for x, y in zip(draws(first), draws(second)):
            x, y = x.astype(numpy.float32), y.astype(numpy.float32)
            want, n = exact(name, x, y)
            p, _ = exact(name, numpy.abs(x), numpy.abs(y))
            s = exact(name, numpy.abs(x), numpy.ones_like(y))[0] + exact(
                name, numpy.ones_like(x), numpy.abs(y))[0]
            v, g = V["bf16"], n * U / (1 - n * U)
            bound = ((2 * v + v**2) * p + g * (1 + v)**2 * p
                     + (1 + g) * (L * (1 + v) * s + n * L**2 + 2 * n * L))
            for net in networks:
                worst = max(worst, check(name, numpy.asarray(net(x, y)), want, bound))
        print(f"{name}: bf16-products within its bound")
        # Otherwise the program was not rewritten, or the bound is too loose.
        assert worst > 0.01, worst
        # The result is that of the rounded factors: a bound without their errors.
        x, y = (random.standard_normal(shape).astype(numpy.float32) for shape in (first, second))
        want, n = exact(name, rounded(x), rounded(y))
        p, _ = exact(name, numpy.abs(rounded(x)), numpy.abs(rounded(y)))
        check(name, numpy.asarray(networks[0](x, y)), want, n * U / (1 - n * U) * p + 1e-30)


def tensors():
    """A result that a product and an addition read; both must see it rounded. The
    products are small enough to be exact in f32, so that nothing else is rounded."""
    x, r, e = (kind(shape, "f32") for shape in ((128, 16), (16, 64), (128, 64)))
    w, out = (kind(shape, "f32") for shape in ((64, 32), (128, 32)))
    text = f"""#cell = affine_map<(i, j) -> (i, j)>
func.func @main(%x: {x}, %v: {r}, %w: {w}) -> ({e}, {out}) {{
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : {e}
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : {e}) -> {e}
  %0 = linalg.matmul ins(%x, %v : {x}, {r}) outs(%z0 : {e}) -> {e}
  %1 = linalg.generic {{indexing_maps = [#cell, #cell], iterator_types = ["parallel", "parallel"]}}
      ins(%0 : {e}) outs(%e0 : {e}) {{
  ^bb0(%a: f32, %o: f32):
    %two = arith.addf %a, %a : f32
    linalg.yield %two : f32
  }} -> {e}
  %e1 = tensor.empty() : {out}
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : {out}) -> {out}
  %2 = linalg.matmul ins(%0, %w : {e}, {w}) outs(%z1 : {out}) -> {out}
  return %1, %2 : {e}, {out}
}}
"""
    net = pruner.compile(text, threads=1, accuracy="bf16-tensors")
    x, v, w = (random.integers(-64, 64, shape).astype(numpy.float32)
               for shape in ((128, 16), (16, 64), (64, 32)))
    for power in (0, -140, 100): # The sums are at most 2^20 in magnitude.
        scale = numpy.float32(2.0**(power // 2))
        first = (x * scale).astype(numpy.float64) @ (v * scale).astype(numpy.float64)
        stored = rounded(first.astype(numpy.float32))
        double, product = net(x * scale, v * scale, w * numpy.float32(2.0**-6))
        assert numpy.array_equal(double, stored * numpy.float32(2))
        want = stored.astype(numpy.float64) @ (w * 2.0**-6)
        assert numpy.array_equal(product, want.astype(numpy.float32)), power
        assert not numpy.array_equal(stored, first)
    print("bf16-tensors rounds for all readers")


def scales():
    """A product and a batch norm, of which one addition is left."""
    m, n, k = 24, 40, 96
    x, w, y, c = (kind(shape, "f32") for shape in ((m, k), (k, n), (m, n), (n,)))
    step = "indexing_maps = [#cell, #column, #cell], iterator_types = ['parallel', 'parallel']"
    steps, last = "", "p"
    for op, name in (("subf", "mean"), ("mulf", "rstd"), ("mulf", "gamma"), ("addf", "beta")):
        steps += f"""  %{op}_{name} = linalg.generic {{{step.replace("'", '"')}}}
      ins(%{last}, %{name} : {y}, {c}) outs(%e : {y}) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.{op} %a, %b : f32
    linalg.yield %0 : f32
  }} -> {y}
"""
        last = f"{op}_{name}"
    constants = ", ".join(f"%{name}: {c} {{pruner.constant}}"
                          for name in ("mean", "rstd", "gamma", "beta"))
    text = f"""#cell = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func @main(%x: {x}, %w: {w} {{pruner.constant}}, {constants}) -> {y} {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {y}
  %z = linalg.fill ins(%zero : f32) outs(%e : {y}) -> {y}
  %p = linalg.matmul ins(%x, %w : {x}, {w}) outs(%z : {y}) -> {y}
{steps}  return %{last} : {y}
}}
"""
    net = pruner.compile(text, threads=1, accuracy="folded-scales")
    differs = 0
    for scale in (1, 2.0**-20, 2.0**20):
        x, w, mean, rstd, gamma, beta = (
            (random.standard_normal(shape) * by).astype(numpy.float32)
            for shape, by in (((m, k), scale), ((k, n), 1), ((n,), scale), ((n,), 1),
                              ((n,), 1), ((n,), scale)))
        wide = [v.astype(numpy.longdouble) for v in (x, w, mean, rstd, gamma, beta)]
        product, s = wide[0] @ wide[1], wide[3] * wide[4]
        want = (product - wide[2]) * s + wide[5]
        terms = k + 4 + 2
        g = terms * U / (1 - terms * U)
        offsets = numpy.abs(wide[2] * s) + numpy.abs(wide[5])
        bound = g * (numpy.abs(wide[0]) @ numpy.abs(wide[1]) * numpy.abs(s) + offsets)
        got = numpy.asarray(net(x, w, mean, rstd, gamma, beta))
        check("matmul", got, want, bound)
        differs += int((got != numpy.asarray(
            pruner.compile(text, threads=1)(x, w, mean, rstd, gamma, beta))).sum())
    assert differs > 0, "the program should be rewritten"
    print("matmul: folded-scales within its bound")


def sums(element):
    """Narrow sums of many terms, which leave the bound when each step rounds."""
    n, v = 4096, V[element]
    text = f"""func.func @main(%x: tensor<16x{n}x{element}>) -> tensor<16x{element}> {{
  %zero = arith.constant 0.0 : {element}
  %e = tensor.empty() : tensor<16x{element}>
  %z = linalg.fill ins(%zero : {element}) outs(%e : tensor<16x{element}>) -> tensor<16x{element}>
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}}
      ins(%x : tensor<16x{n}x{element}>) outs(%z : tensor<16x{element}>) {{
  ^bb0(%p: {element}, %acc: {element}):
    %0 = arith.addf %acc, %p : {element}
    linalg.yield %0 : {element}
  }} -> tensor<16x{element}>
  return %r : tensor<16x{element}>
}}
"""
    def narrow(values):
        if element == "f16":
            values = values.astype(numpy.float16)
            return values, values.astype(numpy.longdouble)
        values = rounded(values.astype(numpy.float32))
        return (values.view(numpy.uint32) >> 16).astype(numpy.uint16), values.astype(
            numpy.longdouble)

    def wide(result):
        result = numpy.asarray(result)
        if element == "f16":
            return result
        return (result.astype(numpy.uint32) << 16).view(numpy.float32)

    networks = {accuracy: pruner.compile(text, threads=1, accuracy=accuracy)
                for accuracy in ("wide-sums", "")}
    left = 0
    for scale in (1, 2.0**-8, 2.0**-14 if element == "f16" else 2.0**-120):
        given, x = narrow((numpy.abs(random.standard_normal((16, n))) + 1) * scale)
        want = x.sum(-1)
        g = n * U / (1 - n * U)
        bound = v * numpy.abs(want) + (1 + v) * g * numpy.abs(x).sum(-1) + SMALLEST[element]
        check(element, wide(networks["wide-sums"](given)), want, bound)
        error = numpy.abs(wide(networks[""](given)).astype(numpy.longdouble) - want)
        left += int((error > bound).sum())
    assert left > 0, "the narrow sum should leave the bound of the wide one"
    print(f"{element}: wide-sums within its bound")


def toom_cook(m, r):
    """A, G and B of F(m, r), in rows of products."""
    if r == 1:
        return [[1]], [[1]], [[1]]
    one = fractions.Fraction(1)
    points = [0, 1, -1, 2, -2, one / 2, -one / 2][:m + r - 2]

    def product(roots):
        polynomial = [one]
        for root in roots:
            polynomial = [a - root * b for a, b in zip([0, *polynomial], [*polynomial, 0])]
        return polynomial

    def scale(p):
        others = one
        for q in points:
            others *= p - q if q != p else 1
        return others

    def unit(n):
        return [0] * (n - 1) + [1]
    return ([[p**k for k in range(m)] for p in points] + [unit(m)],
            [[p**k / scale(p) for k in range(r)] for p in points] + [unit(r)],
            [product([q for q in points if q != p]) + [0] for p in points] + [product(points)])


def tiled_program(h, w, c, f, window):
    """A convolution, channels last, whose result is as large as its image."""
    x, p, y, e = (kind(shape, "f32") for shape in (
        (h, w, c), (h + window[0] - 1, w + window[1] - 1, c), (*window, c, f), (h, w, f)))
    low = [n // 2 for n in window]
    return f"""func.func @main(%x: {x}, %y: {y} {{pruner.constant, pruner.name = "y"}}) -> {e} {{
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[{low[0]}, {low[1]}, 0] high[{low[0]}, {low[1]}, 0] {{
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  }} : {x} to {p}
  %e = tensor.empty() : {e}
  %z = linalg.fill ins(%zero : f32) outs(%e : {e}) -> {e}
  %r = linalg.generic {{
      indexing_maps = [affine_map<(y, x, f, u, v, c) -> (y + u, x + v, c)>,
                       affine_map<(y, x, f, u, v, c) -> (u, v, c, f)>,
                       affine_map<(y, x, f, u, v, c) -> (y, x, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}}
      ins(%p, %y : {p}, {y}) outs(%z : {e}) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  }} -> {e}
  return %r : {e}
}}
"""


def padded(x, window, tiles):
    """The padded image, with zeros for all of the tiles."""
    amounts = [(r // 2, -(-n // m) * m - n + r // 2) for n, r, m in zip(x.shape, window, tiles)]
    return numpy.pad(x.astype(numpy.float64), [*amounts, (0, 0)])


def direct(x, y):
    """The convolution in double precision, whose errors are negligible."""
    h, w, _ = x.shape
    image = padded(x, y.shape, (1, 1))
    return sum(image[u:u + h, v:v + w] @ y[u, v].astype(numpy.float64)
               for u in range(y.shape[0]) for v in range(y.shape[1]))


def winograd_bound(x, y, tiles):
    """The bound of the relaxation on the distance from `direct`."""
    a, g, b = ([numpy.abs(numpy.array(matrix, float)) for matrix in matrices]
               for matrices in zip(*map(toom_cook, tiles, y.shape)))
    image, (h, w, c) = padded(numpy.abs(x), y.shape, tiles), x.shape
    sides = [len(matrix) for matrix in b]
    windows = numpy.lib.stride_tricks.sliding_window_view(image, sides, (0, 1))
    windows = windows[::tiles[0], ::tiles[1]]
    v = numpy.einsum("iu,jv,yxcuv->ijyxc", *b, windows, optimize=True)
    u = numpy.einsum("iu,jv,uvcf->ijcf", *g, numpy.abs(y).astype(float), optimize=True)
    m = numpy.einsum("ijyxc,ijcf->ijyxf", v, u, optimize=True)
    r = numpy.einsum("ik,jl,ijyxf->ykxlf", *a, m, optimize=True)
    r = r.reshape(r.shape[0] * r.shape[1], -1, r.shape[-1])[:h, :w]
    n = c + y.shape[0] * y.shape[1] + 2 * sides[0] * sides[1] + 1
    return n * U / (1 - n * U) * r


def winograd(rates):
    # Whole tiles, tiles that exceed the image, and one dimension.
    for h, w, c, f, window, tiles in (
            (14, 14, 64, 64, (3, 3), (2, 2)), (28, 28, 96, 128, (3, 3), (4, 4)),
            (27, 26, 128, 96, (3, 3), (4, 4)), (16, 32, 64, 96, (1, 3), (1, 4)),
            (33, 16, 96, 64, (3, 1), (4, 1)), (16, 17, 128, 128, (1, 7), (1, 2)),
            (16, 16, 128, 128, (7, 1), (2, 1))):
        name = f"winograd {window[0]}x{window[1]}"
        module = pruner.Module.parse(tiled_program(h, w, c, f, window))
        module.run("pruner-normalize,pruner-relax-accuracy{accuracy=winograd targets=file:%s}"
                   % rates)
        sides = [m + r - 1 for m, r in zip(tiles, window) if r > 1]
        matrix = (int(numpy.prod(sides)), *sides)
        assert kind(matrix, "f32") in str(module), (name, tiles, str(module)[:2000])

        def results(x, y):
            weighted = module.clone()
            weighted.set_constant("y", y)
            return numpy.asarray(pruner.compile(weighted, threads=1)(x))

        worst = 0
        for mixed in (False, True):
            x, y = (random.standard_normal(shape) for shape in ((h, w, c), (*window, c, f)))
            if mixed:
                x *= 2.0**random.integers(-30, 30, (h, w, 1))
            x, y = x.astype(numpy.float32), y.astype(numpy.float32)
            worst = max(worst, check(name, results(x, y), direct(x, y),
                                     winograd_bound(x, y, tiles)))
        # Otherwise the bound is too loose.
        assert worst > 1e-4, worst
        print(f"{name}, tiles of {tiles[0]}x{tiles[1]}: within its bound")
        if tiles == (2, 2):
            # Four times an integer stays an integer behind G, so no step rounds.
            x = random.integers(-8, 9, (h, w, c)).astype(numpy.float32)
            y = 4 * random.integers(-4, 5, (*window, c, f)).astype(numpy.float32)
            assert numpy.array_equal(results(x, y), direct(x, y))
            print(f"{name}: integers are exact")


products(sys.argv[1])
winograd(sys.argv[2])
tensors()
scales()
sums("f16")
sums("bf16")
for wrong in ("bf16-product", ["wide-sums", "tf32"]):
    try:
        pruner.compile(program("matmul", "f32", "f32"), accuracy=wrong)
    except pruner.PrunerError as error:
        print("refused:", str(error).splitlines()[0])
