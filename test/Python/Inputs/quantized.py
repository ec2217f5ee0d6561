"""Compares the quantized convolutions and products of linalg with NumPy.

    quantized.py module <file> constant|given    writes a network of all of them
    quantized.py check <library> constant|given  calls it

Zero points are constants of the network or arguments.
"""
import itertools
import sys

import numpy

# The coordinates of image, filter and result by letters; windows slide along d, h and
# w.
FORMS = {
    "conv_2d_nhwc_hwcf_q": ("nhwc", "hwcf", "nhwf"),
    "conv_2d_nhwc_fhwc_q": ("nhwc", "fhwc", "nhwf"),
    "conv_2d_nchw_fchw_q": ("nchw", "fchw", "nfhw"),
    "conv_2d_ngchw_gfchw_q": ("ngchw", "gfchw", "ngfhw"),
    "conv_2d_nhwgc_gfhwc_q": ("nhwgc", "gfhwc", "nhwgf"),
    "depthwise_conv_2d_nhwc_hwc_q": ("nhwg", "hwg", "nhwg"),
    "depthwise_conv_2d_nhwc_hwcm_q": ("nhwg", "hwgm", "nhwgm"),
    "conv_3d_ndhwc_dhwcf_q": ("ndhwc", "dhwcf", "ndhwf"),
    "quantized_matmul": ("nc", "cf", "nf"),
    "quantized_batch_matmul": ("gnc", "gcf", "gnf"),
}
EXTENTS = {"n": 2, "c": 5, "f": 6, "g": 3, "m": 2}
RESULT = {"d": 3, "h": 6, "w": 7}
KERNEL = {"d": 2, "h": 3, "w": 2}
STRIDE = {"d": 1, "h": 2, "w": 1}
DILATION = {"d": 2, "h": 1, "w": 2}
IMAGE = {x: (RESULT[x] - 1) * STRIDE[x] + (KERNEL[x] - 1) * DILATION[x] + 1 for x in RESULT}


def shapes(form):
    image, kernel, result = FORMS[form]
    return ([{**EXTENTS, **IMAGE}[x] for x in image], [{**EXTENTS, **KERNEL}[x] for x in kernel],
            [{**EXTENTS, **RESULT}[x] for x in result])


def expected(form, x, w, zx, zw, start):
    image, kernel, result = FORMS[form]
    slides = [c for c in "dhw" if c in result]
    x, w = x.astype(numpy.int64) - zx, w.astype(numpy.int64) - zw
    total = start.astype(numpy.int64)
    for place in itertools.product(*(range(KERNEL[c]) for c in slides)):
        at = dict(zip(slides, place))
        begin = {c: at[c] * DILATION[c] for c in slides}
        part = x[tuple(slice(begin[c], begin[c] + (RESULT[c] - 1) * STRIDE[c] + 1, STRIDE[c])
                       if c in at else slice(None) for c in image)]
        taps = w[tuple(at.get(c, slice(None)) for c in kernel)]
        letters = "".join(c for c in kernel if c not in at)
        total = total + numpy.einsum(f"{image},{letters}->{result}", part, taps)
    return total.astype(numpy.int32)


def text(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def module(constant):
    arguments, body, results, types = [], [], [], []
    for n, form in enumerate(FORMS):
        image, kernel, result = shapes(form)
        x, w, out = text(image, "i8"), text(kernel, "i8"), text(result, "i32")
        arguments += [f"%x{n}: {x}", f"%w{n}: {w}", f"%o{n}: {out}"]
        if constant:
            body += [f"%p{n} = arith.constant {n - 5} : i32", f"%q{n} = arith.constant {n - 2} : i32"]
        else:
            arguments += [f"%zx{n}: tensor<i32>", f"%zw{n}: tensor<2xi32>"]
            body += [f"%one{n} = arith.constant 1 : index",
                     f"%p{n} = tensor.extract %zx{n}[] : tensor<i32>",
                     f"%q{n} = tensor.extract %zw{n}[%one{n}] : tensor<2xi32>"]
        slides = [c for c in "dhw" if c in FORMS[form][2]]
        steps = ", ".join(f"{name} = dense<{[of[c] for c in slides]}> : tensor<{len(slides)}xi64>"
                          for name, of in (("strides", STRIDE), ("dilations", DILATION)))
        body.append(f"%r{n} = linalg.{form} {'{' + steps + '} ' if slides else ''}"
                    f"ins(%x{n}, %w{n}, %p{n}, %q{n} : {x}, {w}, i32, i32) outs(%o{n} : {out}) -> {out}")
        results.append(f"%r{n}")
        types.append(out)
    body.append(f"return {', '.join(results)} : {', '.join(types)}")
    lines = "\n  ".join(body)
    return f"func.func @main({', '.join(arguments)}) -> ({', '.join(types)}) {{\n  {lines}\n}}\n"


def check(library, constant):
    import pruner
    network = pruner.load(library)
    random = numpy.random.default_rng(3)
    right = 0
    for _ in range(5):
        inputs, wanted = [], []
        for n, form in enumerate(FORMS):
            image, kernel, result = shapes(form)
            x = random.integers(-128, 128, image).astype(numpy.int8)
            w = random.integers(-128, 128, kernel).astype(numpy.int8)
            start = random.integers(-2**31, 2**31, result).astype(numpy.int32)
            inputs += [x, w, start]
            zx, zw = n - 5, n - 2
            if not constant:
                first = numpy.array(random.integers(-128, 128), numpy.int32)
                second = random.integers(-128, 128, 2).astype(numpy.int32)
                inputs += [first, second]
                zx, zw = int(first), int(second[1])
            wanted.append(expected(form, x, w, zx, zw, start))
        right += all(map(numpy.array_equal, network(*inputs), wanted))
    print(right, "right")


what, file, points = sys.argv[1:]
if what == "module":
    with open(file, "w") as out:
        out.write(module(points == "constant"))
else:
    check(file, points == "constant")
