"""Small programs on integers, each compared with its definition in NumPy.

    control_flow.py DIRECTORY
"""
import pathlib
import subprocess
import sys

import numpy as np
import pruner

directory = pathlib.Path(sys.argv[1])

HEAD = """
#id = affine_map<(i) -> (i)>
#even = affine_map<(i) -> (i * 2)>
func.func @main(%a: tensor<8xi32>, %b: tensor<8xi32>, %p: tensor<2xi1>, %m: tensor<index>) -> (tensor<8xi32>, tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %p0 = tensor.extract %p[%c0] : tensor<2xi1>
  %p1 = tensor.extract %p[%c1] : tensor<2xi1>
  %n = tensor.extract %m[] : tensor<index>
"""


def step(result, source, init):
    """`result` is three times `source` minus the value of `init`."""
    return f"""
  {result} = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel"]}}
      ins({source} : tensor<8xi32>) outs({init} : tensor<8xi32>) {{
  ^bb0(%in: i32, %out: i32):
    %three = arith.constant 3 : i32
    %thrice = arith.muli %in, %three : i32
    %less = arith.subi %thrice, %out : i32
    linalg.yield %less : i32
  }} -> tensor<8xi32>"""


def pad(result, source, low, high):
    return f"""
  {result} = tensor.pad {source} low[{low}] high[{high}] {{
  ^bb0(%place: index):
    %nine = arith.constant 9 : i32
    tensor.yield %nine : i32
  }} : tensor<8xi32> to tensor<8xi32>"""


def padded(x, low):
    result = np.full(8, 9, np.int32)
    for i in range(8):
        if 0 <= i - low < 8:
            result[i] = x[i - low]
    return result


def selects(a, b, p, n):
    s = a if p[0] else b
    t = 3 * s - b
    h = 3 * t - s
    g = 3 * h - s
    return 3 * g - h, g


def branches(a, b, p, n):
    s = a if p[0] else b
    t = 3 * s - s
    return np.concatenate([t[2:4], s[2:]]), 3 * t - s


def swapped(a, b, p, n):
    x, y = a, b
    for _ in range(n):
        x, y = (y if p[0] else x), 3 * x - y
    return x, y


def chosen_in_loop(a, b, p, n):
    x = a
    for _ in range(n):
        w = 3 * x - b if p[1] else x
        x = w if p[0] else x
    return x, b


def switched(a, b, p, n):
    s = [a, b, 3 * a - b][min(n, 2)]
    return s, 3 * b - s


def uneven(a, b, p, n):
    x, i = a, 0
    while True:
        y = 3 * b - x
        if i >= n:
            return y, x
        x, i = 3 * y - a, i + 1


def blocks(a, b, p, n):
    x, i = a, 0
    while i < n:
        x = 3 * x - b
        if p[0]:
            return x, b
        i += 1
    return 3 * x - a, b


def partial(a, b, p, n):
    r, s = a.copy(), b.copy()
    r[0::2] += b[:4]
    s[0::2] = a[4:]
    return r, s


def window(a, b, p, n):
    return padded(a, -3), padded(b, 5)


PROGRAMS = {
    selects: "  %s = arith.select %p0, %a, %b : tensor<8xi32>"
    + step("%t", "%s", "%b") + step("%h", "%t", "%s") + step("%g", "%h", "%s")
    + step("%f", "%g", "%h") + "\n  return %f, %g : tensor<8xi32>, tensor<8xi32>",
    branches: """
  %s = scf.if %p0 -> (tensor<8xi32>) { scf.yield %a : tensor<8xi32> } else { scf.yield %b : tensor<8xi32> }"""
    + step("%t", "%s", "%s") + """
  %l = scf.for %q = %c0 to %c1 step %c1 iter_args(%z = %t) -> (tensor<8xi32>) {"""
    + step("%h", "%t", "%s") + """
    scf.yield %h : tensor<8xi32>
  }
  %i = tensor.extract_slice %t[2] [2] [1] : tensor<8xi32> to tensor<2xi32>
  %v = tensor.insert_slice %i into %s[0] [2] [1] : tensor<2xi32> into tensor<8xi32>
  return %v, %l : tensor<8xi32>, tensor<8xi32>""",
    swapped: """
  %r:2 = scf.for %q = %c0 to %n step %c1 iter_args(%u = %a, %v = %b) -> (tensor<8xi32>, tensor<8xi32>) {
    %s = arith.select %p0, %v, %u : tensor<8xi32>"""
    + step("%t", "%u", "%v") + """
    scf.yield %s, %t : tensor<8xi32>, tensor<8xi32>
  }
  return %r#0, %r#1 : tensor<8xi32>, tensor<8xi32>""",
    chosen_in_loop: """
  %r = scf.for %q = %c0 to %n step %c1 iter_args(%u = %a) -> (tensor<8xi32>) {
    %w = scf.if %p1 -> (tensor<8xi32>) {"""
    + step("%t", "%u", "%b") + """
      scf.yield %t : tensor<8xi32>
    } else {
      scf.yield %u : tensor<8xi32>
    }
    %z = scf.if %p0 -> (tensor<8xi32>) { scf.yield %w : tensor<8xi32> } else { scf.yield %u : tensor<8xi32> }
    scf.yield %z : tensor<8xi32>
  }
  return %r, %b : tensor<8xi32>, tensor<8xi32>""",
    switched: """
  %s = scf.index_switch %n -> tensor<8xi32>
  case 0 { scf.yield %a : tensor<8xi32> }
  case 1 { scf.yield %b : tensor<8xi32> }
  default {""" + step("%t", "%a", "%b") + """
    scf.yield %t : tensor<8xi32>
  }""" + step("%h", "%b", "%s") + """
  return %s, %h : tensor<8xi32>, tensor<8xi32>""",
    uneven: """
  %r:3 = scf.while (%i = %c0, %u = %a) : (index, tensor<8xi32>) -> (tensor<8xi32>, index, tensor<8xi32>) {"""
    + step("%t", "%b", "%u") + """
    %go = arith.cmpi ult, %i, %n : index
    scf.condition(%go) %t, %i, %u : tensor<8xi32>, index, tensor<8xi32>
  } do {
  ^bb0(%v: tensor<8xi32>, %i: index, %unused: tensor<8xi32>):""" + step("%t", "%v", "%a") + """
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %t : index, tensor<8xi32>
  }
  return %r#0, %r#2 : tensor<8xi32>, tensor<8xi32>""",
    blocks: """
  cf.br ^head(%c0, %a : index, tensor<8xi32>)
^head(%i: index, %u: tensor<8xi32>):
  %go = arith.cmpi ult, %i, %n : index
  cf.cond_br %go, ^body, ^end
^body:""" + step("%t", "%u", "%b") + """
  %j = arith.addi %i, %c1 : index
  cf.cond_br %p0, ^early, ^head(%j, %t : index, tensor<8xi32>)
^early:
  return %t, %b : tensor<8xi32>, tensor<8xi32>
^end:""" + step("%h", "%u", "%a") + """
  return %h, %b : tensor<8xi32>, tensor<8xi32>""",
    partial: """
  %f = tensor.extract_slice %b[0] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %l = tensor.extract_slice %a[4] [4] [1] : tensor<8xi32> to tensor<4xi32>
  %r = linalg.generic {indexing_maps = [#id, #even], iterator_types = ["parallel"]}
      ins(%f : tensor<4xi32>) outs(%a : tensor<8xi32>) {
  ^bb0(%x: i32, %y: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %t = linalg.generic {indexing_maps = [#id, #even], iterator_types = ["parallel"]}
      ins(%l : tensor<4xi32>) outs(%b : tensor<8xi32>) {
  ^bb0(%x: i32, %y: i32):
    linalg.yield %x : i32
  } -> tensor<8xi32>
  return %r, %t : tensor<8xi32>, tensor<8xi32>""",
    window: pad("%r", "%a", -3, 3) + pad("%s", "%b", 5, -5)
    + "\n  return %r, %s : tensor<8xi32>, tensor<8xi32>",
}


def computed_window(a, b, p, n):
    return padded(a, -int(n)), padded(b, int(n))


PROGRAMS[computed_window] = """
  %minus = arith.subi %c0, %n : index""" + "".join(f"""
  %{name}0 = tensor.pad %{source} low[{low}] high[{high}] {{
  ^bb0(%place: index):
    %nine = arith.constant 9 : i32
    tensor.yield %nine : i32
  }} : tensor<8xi32> to tensor<?xi32>
  %{name} = tensor.cast %{name}0 : tensor<?xi32> to tensor<8xi32>"""
    for name, source, low, high in [("r", "a", "%minus", "%n"), ("s", "b", "%n", "%minus")]) + """
  return %r, %s : tensor<8xi32>, tensor<8xi32>"""


def called(a, b, p, n):
    first = 3 * a - b if p[0] else b
    return first, 3 * (3 * first - a if p[0] else a) - b


PROGRAMS[called] = """
  %r = call @chosen(%a, %b, %p0) : (tensor<8xi32>, tensor<8xi32>, i1) -> tensor<8xi32>
  %s = call @chosen(%r, %a, %p0) : (tensor<8xi32>, tensor<8xi32>, i1) -> tensor<8xi32>""" \
    + step("%t", "%s", "%b") + """
  return %r, %t : tensor<8xi32>, tensor<8xi32>
}
func.func private @chosen(%a: tensor<8xi32>, %b: tensor<8xi32>, %c: i1) -> tensor<8xi32> {
  cf.cond_br %c, ^yes, ^end(%b : tensor<8xi32>)
^yes:""" + step("%t", "%a", "%b") + """
  cf.br ^end(%t : tensor<8xi32>)
^end(%r: tensor<8xi32>):
  return %r : tensor<8xi32>"""


def columns(a, b, p, n):
    r = b.reshape(2, 4).copy()
    r[:, 1] = a.reshape(2, 4)[:, 1]
    return r.reshape(8), b


PROGRAMS[columns] = """
  %x = tensor.expand_shape %a [[0, 1]] output_shape [2, 4] : tensor<8xi32> into tensor<2x4xi32>
  %y = tensor.expand_shape %b [[0, 1]] output_shape [2, 4] : tensor<8xi32> into tensor<2x4xi32>
  %t = linalg.generic {indexing_maps = [affine_map<(i) -> (i, 1)>, affine_map<(i) -> (i, 1)>], iterator_types = ["parallel"]}
      ins(%x : tensor<2x4xi32>) outs(%y : tensor<2x4xi32>) {
  ^bb0(%u: i32, %v: i32):
    linalg.yield %u : i32
  } -> tensor<2x4xi32>
  %r = tensor.collapse_shape %t [[0, 1]] : tensor<2x4xi32> into tensor<8xi32>
  return %r, %b : tensor<8xi32>, tensor<8xi32>"""


def run(*command):
    subprocess.run(command, check=True)


random = np.random.default_rng(7)
libraries = right = 0
for expected, body in PROGRAMS.items():
    plain = directory / f"{expected.__name__}.mlir"
    plain.write_text(HEAD + body + "\n}\n")
    normal = directory / f"{expected.__name__}.normal.mlir"
    run("pruner-opt", plain, "--pruner-normalize", "-o", normal)
    for source in (plain, normal):
        library = source.with_suffix(".so")
        run("pruner-translate", source, "--to=library", "-o", library)
        network = pruner.load(library)
        libraries += 1
        for turn in range(8):
            a, b = random.integers(-99, 99, (2, 8)).astype(np.int32)
            p = np.array([turn & 1, turn & 2], bool)
            n = np.array(turn % 4, np.int64)
            wanted = expected(a.copy(), b.copy(), p, n)
            got = network(a, b, p, n)
            if all(np.array_equal(x, y) for x, y in zip(wanted, got, strict=True)):
                right += 1
            else:
                print(source.name, "is wrong", a, b, p, n, got, wanted)
print(f"{libraries} libraries, {right} calls right")
