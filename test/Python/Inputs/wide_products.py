"""Products and sums of integers with two results, of every width.

    wide_products.py module <file>       writes a network of them
    wide_products.py check <library>     calls it
"""
import sys

import numpy

WIDTHS = (8, 16, 32, 64)
COUNT = 4096


def module():
    body, results, types, arguments = [], [], [], []
    for width in WIDTHS:
        tensor = f"tensor<{COUNT}xi{width}>"
        arguments += [f"%a{width}: {tensor}", f"%b{width}: {tensor}"]
        for name in ("mulsi_extended", "mului_extended", "addui_extended"):
            for half in (0, 1):
                value = f"%r{len(results)}"
                second = "i1" if name.startswith("add") else f"i{width}"
                out = f"i{width}" if half == 0 else second
                operation = f"arith.{name} %x, %y : i{width}" + (", i1" if second == "i1" else "")
                body.append(f"""
  {value}e = tensor.empty() : tensor<{COUNT}x{out}>
  {value} = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}}
      ins(%a{width}, %b{width} : {tensor}, {tensor}) outs({value}e : tensor<{COUNT}x{out}>) {{
  ^bb0(%x: i{width}, %y: i{width}, %o: {out}):
    %first, %second = {operation}
    linalg.yield {"%second" if half else "%first"} : {out}
  }} -> tensor<{COUNT}x{out}>""")
                results.append(value)
                types.append(f"tensor<{COUNT}x{out}>")
    return (f"#id = affine_map<(i) -> (i)>\nfunc.func @main({', '.join(arguments)}) -> ({', '.join(types)}) {{"
            + "".join(body) + f"\n  return {', '.join(results)} : {', '.join(types)}\n}}\n")


def expected(a, b, width):
    """As unsigned numbers."""
    mask = 2**width - 1
    pairs = list(zip(map(int, a), map(int, b)))
    signed = [x * y for x, y in pairs]
    unsigned = [(x & mask) * (y & mask) for x, y in pairs]
    sums = [(x & mask) + (y & mask) for x, y in pairs]
    return [[part >> shift & mask for part in whole]
            for whole in (signed, unsigned, sums) for shift in (0, width)]


def check(library):
    import pruner
    network = pruner.load(library)
    random = numpy.random.default_rng(5)
    inputs, wanted = [], []
    for width in WIDTHS:
        ends = [-2**(width - 1), 2**(width - 1) - 1, -1, 0, 1, 2**(width // 2), -2**(width // 2)]
        pairs = [(x, y) for x in ends for y in ends]
        drawn = random.integers(-2**(width - 1), 2**(width - 1) - 1, (COUNT - len(pairs), 2), endpoint=True)
        both = numpy.concatenate([numpy.array(pairs, numpy.int64), drawn]).astype(f"int{width}")
        a, b = numpy.ascontiguousarray(both[:, 0]), numpy.ascontiguousarray(both[:, 1])
        inputs += [a, b]
        wanted += [(width, part) for part in expected(a, b, width)]
    right = sum([int(x) & 2**width - 1 for x in got] == part
                for got, (width, part) in zip(network(*inputs), wanted))
    print(right, "of", len(wanted), "right")


what, file = sys.argv[1:]
if what == "module":
    with open(file, "w") as out:
        out.write(module())
else:
    check(file)
