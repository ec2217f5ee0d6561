"""Prints a transformer encoder layer the way torch-mlir does, and a driver.

usage: encoder_layer.py BATCH SEQUENCE HEADS HEAD_SIZE FEED_FORWARD

The layer has everything that hides a task in an exported network: weights
transposed by an op, biases broadcast by an op, reshapes around every product,
unit dimensions as constants in maps, a softmax maximum with an unread position,
variances in f64, an epsilon truncated in the body, a residual after a reshape,
and a pooler with one row per batch. @main fills the arguments by a formula and
prints both results.
"""
import sys

BATCH, SEQ, HEADS, SIZE, FEED = (int(arg) for arg in sys.argv[1:6])
HIDDEN, ROWS, GROUPS = HEADS * SIZE, BATCH * SEQ, BATCH * HEADS
lines, counter = [], 0


def emit(text, defines=True):
    """One op; returns the name of its result."""
    global counter
    if not defines:
        lines.append("  " + text)
        return None
    counter += 1
    lines.append(f"  %{counter} = {text}")
    return f"%{counter}"


def tensor(shape, element="f32"):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def affine(rank, results):
    dims = ", ".join(f"d{i}" for i in range(rank))
    return f"affine_map<({dims}) -> ({', '.join(results)})>"


def dims(n):
    return [f"d{i}" for i in range(n)]


def empty(shape, element="f32"):
    return emit(f"tensor.empty() : {tensor(shape, element)}")


def fill(shape, scalar, element="f32"):
    t = tensor(shape, element)
    init = empty(shape, element)
    return emit(f"linalg.fill ins({scalar} : {element}) outs({init} : {t}) -> {t}")


def generic(maps, parallel, reduction, ins, outs, arguments, body):
    """`ins` and `outs` are lists of (value, type text)."""
    kinds = ", ".join(['"parallel"'] * parallel + ['"reduction"'] * reduction)
    text = f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{kinds}]}}"
    for word, operands in (("ins", ins), ("outs", outs)):
        if operands:
            names, types = zip(*operands)
            text += f" {word}({', '.join(names)} : {', '.join(types)})"
    types = ", ".join(t for _, t in outs)
    text += f" {{\n  ^bb0({arguments}):\n    " + "\n    ".join(body)
    text += f"\n  }} -> " + (f"({types})" if len(outs) > 1 else types)
    if len(outs) == 1:
        return emit(text)
    global counter
    counter += 1
    lines.append(f"  %{counter}:{len(outs)} = {text}")
    return f"%{counter}"


def elementwise(ins, shape, body, element="f32"):
    """`ins`: (value, shape, element), aligned to the right and broadcast."""
    maps = []
    for _, s, _ in ins:
        skip = len(shape) - len(s)
        maps.append(affine(len(shape), [
            "0" if n == 1 and shape[skip + i] != 1 else f"d{skip + i}"
            for i, n in enumerate(s)]))
    maps.append(affine(len(shape), dims(len(shape))))
    arguments = ", ".join(f"%in{i}: {e}" for i, (_, _, e) in enumerate(ins))
    return generic(maps, len(shape), 0, [(v, tensor(s, e)) for v, s, e in ins],
                   [(empty(shape, element), tensor(shape, element))],
                   f"{arguments}, %out: {element}", body)


def binary(op, a, a_shape, b, b_shape, element="f32"):
    return elementwise([(a, a_shape, element), (b, b_shape, element)], a_shape,
                       [f"%s = arith.{op} %in0, %in1 : {element}",
                        f"linalg.yield %s : {element}"], element)


def scaled(op, value, shape, scalar, element="f32"):
    return elementwise([(value, shape, element)], shape,
                       [f"%s = {op} %in0{scalar} : {element}",
                        f"linalg.yield %s : {element}"], element)


def row_sum(value, shape, zero, element="f32"):
    kept = shape[:-1] + [1]
    rank = len(shape)
    return generic([affine(rank, dims(rank)), affine(rank, dims(rank - 1) + ["0"])],
                   rank - 1, 1, [(value, tensor(shape, element))],
                   [(fill(kept, zero, element), tensor(kept, element))],
                   f"%in: {element}, %out: {element}",
                   [f"%s = arith.addf %in, %out : {element}",
                    f"linalg.yield %s : {element}"])


def collapse(value, shape, groups, to):
    return emit(f"tensor.collapse_shape {value} {groups} : {tensor(shape)} into {tensor(to)}")


def expand(value, shape, groups, to):
    return emit(f"tensor.expand_shape {value} {groups} output_shape {to} : "
                f"{tensor(shape)} into {tensor(to)}")


def transpose(value, shape, order):
    to = [shape[i] for i in order]
    init = empty(to)
    return emit(f"linalg.transpose ins({value} : {tensor(shape)}) "
                f"outs({init} : {tensor(to)}) permutation = {order}")


def product(op, a, a_shape, b, b_shape, shape):
    init = fill(shape, "%zero")
    return emit(f"linalg.{op} ins({a}, {b} : {tensor(a_shape)}, {tensor(b_shape)}) "
                f"outs({init} : {tensor(shape)}) -> {tensor(shape)}")


def linear(value, rows, inputs, outputs, weight, bias):
    turned = transpose(weight, [outputs, inputs], [1, 0])
    result = product("matmul", value, [rows, inputs], turned, [inputs, outputs],
                     [rows, outputs])
    full = elementwise([(bias, [outputs], "f32")], [rows, outputs],
                       ["linalg.yield %in0 : f32"])
    return binary("addf", result, [rows, outputs], full, [rows, outputs])


def layer_norm(x, shape, gamma, beta):
    kept = shape[:-1] + [1]
    wide = elementwise([(x, shape, "f32")], shape,
                       ["%s = arith.extf %in0 : f32 to f64", "linalg.yield %s : f64"], "f64")
    mean = scaled("arith.divf", row_sum(wide, shape, "%zero64", "f64"), kept, ", %width64", "f64")
    centred = binary("subf", wide, shape, mean, kept, "f64")
    square = binary("mulf", centred, shape, centred, shape, "f64")
    variance = scaled("arith.divf", row_sum(square, shape, "%zero64", "f64"), kept, ", %width64", "f64")
    narrow = elementwise([(variance, kept, "f64")], kept,
                         ["%s = arith.truncf %in0 : f64 to f32", "linalg.yield %s : f32"])
    mean = scaled("arith.divf", row_sum(x, shape, "%zero"), kept, ", %width")
    shifted = elementwise([(narrow, kept, "f32")], kept,
                          ["%t = arith.truncf %eps : f64 to f32",
                           "%s = arith.addf %in0, %t : f32", "linalg.yield %s : f32"])
    root = scaled("math.rsqrt", shifted, kept, "")
    y = binary("subf", x, shape, mean, kept)
    y = binary("mulf", y, shape, root, kept)
    y = binary("mulf", y, shape, gamma, shape[-1:])
    return binary("addf", y, shape, beta, shape[-1:])


def attention(x, mask):
    split, merged = [BATCH, SEQ, HEADS, SIZE], [GROUPS, SEQ, SIZE]
    scores, flat = [BATCH, HEADS, SEQ, SEQ], [GROUPS, SEQ, SEQ]
    join = [[0, 1], [2], [3]]
    heads = {}
    for name, order in (("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3])):
        value = linear(x, ROWS, HIDDEN, HIDDEN, f"%w{name}", f"%b{name}")
        value = expand(value, [ROWS, HIDDEN], [[0, 1], [2, 3]], split)
        turned = [split[i] for i in order]
        heads[name] = collapse(transpose(value, split, order), turned, join,
                               [GROUPS] + turned[2:])
    s = product("batch_matmul", heads["q"], merged, heads["k"], [GROUPS, SIZE, SEQ], flat)
    s = expand(s, flat, join, scores)
    s = scaled("arith.mulf", s, scores, ", %scale")
    s = binary("addf", s, scores, mask, [BATCH, 1, SEQ, SEQ])
    row = scores[:-1]
    lowest, first = fill(row, "%lowest"), fill(row, "%first", "i64")
    most = generic([affine(4, dims(4)), affine(4, dims(3)), affine(4, dims(3))], 3, 1,
                   [(s, tensor(scores))], [(lowest, tensor(row)), (first, tensor(row, "i64"))],
                   "%in: f32, %out: f32, %at: i64",
                   ["%i = linalg.index 3 : index", "%j = arith.index_cast %i : index to i64",
                    "%n = arith.maximumf %in, %out : f32", "%c = arith.cmpf ogt, %in, %out : f32",
                    "%s = arith.select %c, %j, %at : i64", "linalg.yield %n, %s : f32, i64"])
    most = expand(most + "#0", row, [[0], [1], [2, 3]], row + [1])
    p = scaled("math.exp", binary("subf", s, scores, most, row + [1]), scores, "")
    p = binary("divf", p, scores, row_sum(p, scores, "%zero"), row + [1])
    p = collapse(p, scores, join, flat)
    c = expand(product("batch_matmul", p, flat, heads["v"], merged, merged), merged, join,
               [BATCH, HEADS, SEQ, SIZE])
    c = transpose(c, [BATCH, HEADS, SEQ, SIZE], [0, 2, 1, 3])
    c = collapse(c, split, [[0, 1], [2, 3]], [ROWS, HIDDEN])
    return linear(c, ROWS, HIDDEN, HIDDEN, "%wo", "%bo")


def layer(x, mask):
    """Returns the hidden states and the pooled first tokens."""
    shape, rows = [BATCH, SEQ, HIDDEN], [[0, 1], [2]]
    y = expand(attention(collapse(x, shape, rows, [ROWS, HIDDEN]), mask), [ROWS, HIDDEN], rows, shape)
    y = layer_norm(binary("addf", y, shape, x, shape), shape, "%g1", "%n1")
    wide = [BATCH, SEQ, FEED]
    h = linear(collapse(y, shape, rows, [ROWS, HIDDEN]), ROWS, HIDDEN, FEED, "%wi", "%bi")
    h = elementwise([(expand(h, [ROWS, FEED], rows, wide), wide, "f32")], wide,
                    ["%a = arith.divf %in0, %sqrt2 : f32", "%b = math.erf %a : f32",
                     "%c = arith.addf %b, %one : f32", "%d = arith.mulf %c, %half : f32",
                     "%e = arith.mulf %in0, %d : f32", "linalg.yield %e : f32"])
    h = linear(collapse(h, wide, rows, [ROWS, FEED]), ROWS, FEED, HIDDEN, "%wf", "%bf")
    h = binary("addf", expand(h, [ROWS, HIDDEN], rows, shape), shape, y, shape)
    h = layer_norm(h, shape, "%g2", "%n2")
    pooled = [BATCH, HIDDEN]
    first = emit(f"tensor.extract_slice {h}[0, 0, 0] [{BATCH}, 1, {HIDDEN}] [1, 1, 1] : "
                 f"{tensor(shape)} to {tensor(pooled)}")
    p = linear(first, BATCH, HIDDEN, HIDDEN, "%wp", "%bp")
    return [(h, tensor(shape)), (scaled("math.tanh", p, pooled, ""), tensor(pooled))]


CONSTANTS = {
    "zero": "0.0 : f32", "zero64": "0.0 : f64", "first": "0 : i64", "lowest": "0xFF800000 : f32",
    "one": "1.0 : f32", "half": "0.5 : f32", "sqrt2": "1.41421354 : f32",
    "scale": f"{SIZE ** -0.5:.6f} : f32", "width": f"{HIDDEN}.0 : f32",
    "width64": f"{HIDDEN}.0 : f64", "eps": "9.9999999999999998E-13 : f64",
    "step": "0.0431 : f32", "shift": "0.57 : f32", "modulus": "29 : i64",
    "prime0": "37 : i64", "prime1": "11 : i64", "prime2": "23 : i64", "prime3": "5 : i64",
}


def function(head, names, body):
    """Emits a function with those constants."""
    lines.append(f"func.func {head} {{")
    for name in names:
        emit(f"%{name} = arith.constant {CONSTANTS[name]}", defines=False)
    body()
    lines.append("}")


def filler(shape):
    """((2 seed + 37 i + 11 j + ...) mod 29) * 0.0431 - 0.57"""
    def body():
        ops = ["%sum0 = arith.addi %seed, %seed : i64"]
        for d in range(len(shape)):
            ops += [f"%i{d} = linalg.index {d} : index",
                    f"%j{d} = arith.index_cast %i{d} : index to i64",
                    f"%p{d} = arith.muli %j{d}, %prime{d} : i64",
                    f"%sum{d + 1} = arith.addi %sum{d}, %p{d} : i64"]
        ops += [f"%m = arith.remsi %sum{len(shape)}, %modulus : i64",
                "%f = arith.sitofp %m : i64 to f32", "%g = arith.mulf %f, %step : f32",
                "%h = arith.subf %g, %shift : f32", "linalg.yield %h : f32"]
        r = generic([affine(len(shape), dims(len(shape)))], len(shape), 0, [],
                    [(empty(shape), tensor(shape))], "%out: f32", ops)
        emit(f"return {r} : {tensor(shape)}", defines=False)
    name = "@fill_" + "x".join(map(str, shape))
    function(f"private {name}(%seed: i64) -> {tensor(shape)}",
             ["step", "shift", "modulus", "prime0", "prime1", "prime2", "prime3"], body)
    return name


ARGUMENTS = [("x", [BATCH, SEQ, HIDDEN]), ("mask", [BATCH, 1, SEQ, SEQ])]
for letter in "qkvop":
    ARGUMENTS += [("w" + letter, [HIDDEN, HIDDEN]), ("b" + letter, [HIDDEN])]
ARGUMENTS += [("wi", [FEED, HIDDEN]), ("bi", [FEED]), ("wf", [HIDDEN, FEED]), ("bf", [HIDDEN])]
ARGUMENTS += [(name, [HIDDEN]) for name in ("g1", "n1", "g2", "n2")]
RESULTS = [tensor([BATCH, SEQ, HIDDEN]), tensor([BATCH, HIDDEN])]


def layer_body():
    (h, h_type), (p, p_type) = layer("%x", "%mask")
    emit(f"return {h}, {p} : {h_type}, {p_type}", defines=False)


def main_body():
    values = []
    for number, (_, shape) in enumerate(ARGUMENTS):
        seed = emit(f"arith.constant {7 * number + 3} : i64")
        values.append(emit(f"call {fillers[tuple(shape)]}({seed}) : (i64) -> {tensor(shape)}"))
    types = ", ".join(tensor(shape) for _, shape in ARGUMENTS)
    emit(f"%r:2 = call @layer({', '.join(values)}) : ({types}) -> ({', '.join(RESULTS)})",
         defines=False)
    for number, t in enumerate(RESULTS):
        cast = emit(f"tensor.cast %r#{number} : {t} to tensor<*xf32>")
        emit(f"call @printMemrefF32({cast}) : (tensor<*xf32>) -> ()", defines=False)
    emit("return", defines=False)


signature = ", ".join(f"%{name}: {tensor(shape)}" for name, shape in ARGUMENTS)
function(f"@layer({signature}) -> ({', '.join(RESULTS)})",
         ["zero", "zero64", "first", "lowest", "one", "half", "sqrt2", "scale", "width",
          "width64", "eps"], layer_body)
fillers = {tuple(shape): None for _, shape in ARGUMENTS}
for key in fillers:
    fillers[key] = filler(list(key))
lines.append("func.func private @printMemrefF32(tensor<*xf32>)")
function("@main()", [], main_body)
print("\n".join(lines))
