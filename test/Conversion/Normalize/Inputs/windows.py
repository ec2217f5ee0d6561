"""Prints a module of convolutions and poolings, and a driver that runs them all.

Every kind of operation has windows with one position along some dimensions, in
inputs as large as the window and larger. There are also windows of one element,
strides and dilations. @main fills the arguments with small integers, so that
sums are exact in any order, and prints the results.

With the argument `padded` the windows are those of PADDED, over inputs that
functions pad.
"""
import itertools
import sys

# Positions, window, stride, dilation, elements behind the last window.
SPATIAL = [
    (1, 3, 1, 1, 0), (1, 3, 1, 1, 2), (1, 1, 1, 1, 0), (1, 1, 2, 1, 1),
    (1, 2, 2, 3, 1), (3, 1, 1, 1, 1), (2, 3, 2, 1, 1), (4, 2, 1, 2, 0),
]

# Also the number of elements of padding in front and behind. Some positions meet
# only padding, and some filter elements always do. One entry has no padding.
PADDED = [
    (5, 3, 1, 1, 0, 1, 1), (5, 3, 1, 5, 0, 5, 5), (6, 3, 2, 4, 1, 4, 3),
    (6, 3, 1, 2, 0, 4, 4), (4, 4, 1, 3, 0, 2, 6), (3, 2, 3, 1, 0, 0, 5),
    (5, 2, 1, 2, 2, 0, 0), (7, 3, 1, 3, 0, 3, 3),
]
padded = sys.argv[1:] == ["padded"]
if padded:
    SPATIAL = PADDED
else:
    SPATIAL = [each + (0, 0) for each in SPATIAL]

# Name, spatial dimensions, input, filter and result: n is the batch, c is summed,
# f is only in filter and result, b is a channel of input and result, g is a group,
# and x stands for the spatial dimensions.
CONVOLUTIONS = [
    ("conv_1d", 1, "x", "x", "x"),
    ("conv_2d", 2, "x", "x", "x"),
    ("conv_3d", 3, "x", "x", "x"),
    ("conv_1d_nwc_wcf", 1, "nxc", "xcf", "nxf"),
    ("conv_1d_ncw_fcw", 1, "ncx", "fcx", "nfx"),
    ("conv_2d_nhwc_hwcf", 2, "nxc", "xcf", "nxf"),
    ("conv_2d_nhwc_fhwc", 2, "nxc", "fxc", "nxf"),
    ("conv_2d_nchw_fchw", 2, "ncx", "fcx", "nfx"),
    ("conv_2d_ngchw_fgchw", 2, "ngcx", "fgcx", "ngfx"),
    ("conv_2d_ngchw_gfchw", 2, "ngcx", "gfcx", "ngfx"),
    ("conv_3d_ndhwc_dhwcf", 3, "nxc", "xcf", "nxf"),
    ("conv_3d_ncdhw_fcdhw", 3, "ncx", "fcx", "nfx"),
    ("depthwise_conv_1d_nwc_wc", 1, "nxb", "xb", "nxb"),
    ("depthwise_conv_1d_ncw_cw", 1, "nbx", "bx", "nbx"),
    ("depthwise_conv_1d_nwc_wcm", 1, "nxb", "xbf", "nxbf"),
    ("depthwise_conv_2d_nhwc_hwc", 2, "nxb", "xb", "nxb"),
    ("depthwise_conv_2d_nchw_chw", 2, "nbx", "bx", "nbx"),
    ("depthwise_conv_2d_nhwc_hwcm", 2, "nxb", "xbf", "nxbf"),
    ("depthwise_conv_3d_ndhwc_dhwc", 3, "nxb", "xb", "nxb"),
    ("pooling_nwc_sum", 1, "nxb", "x", "nxb"),
    ("pooling_ncw_max", 1, "nbx", "x", "nbx"),
    ("pooling_nhwc_sum", 2, "nxb", "x", "nxb"),
    ("pooling_nchw_sum", 2, "nbx", "x", "nbx"),
    ("pooling_nhwc_max", 2, "nxb", "x", "nxb"),
    ("pooling_nchw_max", 2, "nbx", "x", "nbx"),
    ("pooling_nhwc_min", 2, "nxb", "x", "nxb"),
    ("pooling_ndhwc_sum", 3, "nxb", "x", "nxb"),
    ("pooling_ndhwc_max", 3, "nxb", "x", "nxb"),
]


def tensor(shape):
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}f32>"


def shape_of(letters, extents, spatial):
    return [e for c in letters for e in (spatial if c == "x" else [extents[c]])]


functions = []
for (name, rank, image, window, result), start in itertools.product(
        CONVOLUTIONS, range(0, len(SPATIAL), 2)):
    # Neighbors in the list meet in one operation; batches and channels of one
    # in every other.
    along = [SPATIAL[(start + 3 * n) % len(SPATIAL)] for n in range(rank)]
    small = start % 4 == 0
    extents = {"n": 1 if small else 2, "c": 3, "f": 1 if small else 2,
               "b": 2, "g": 2}
    if padded and name.startswith("pooling"):
        continue
    reach = [(p - 1) * s + (w - 1) * d + 1 + rest for p, w, s, d, rest, _, _ in along]
    inside = [extent - each[5] - each[6] for extent, each in zip(reach, along)]
    whole = tensor(shape_of(image, extents, reach))
    types = [tensor(shape_of(image, extents, inside)),
             tensor(shape_of(window, extents, [each[1] for each in along])),
             tensor(shape_of(result, extents, [each[0] for each in along]))]
    pad, source = "", "%0"
    if padded:
        low, high = (", ".join(map(str, shape_of(image, dict.fromkeys(extents, 0),
                                                 [each[at] for each in along])))
                     for at in (5, 6))
        indices = ", ".join(f"%i{n}: index" for n in range(len(image) - 1 + rank))
        source = "%p"
        pad = f"""
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %0 low[{low}] high[{high}] {{
  ^bb0({indices}):
    tensor.yield %z : f32
  }} : {types[0]} to {whole}"""
    attributes = ""
    if "_" in name[5:]:
        for key, at in ("strides", 2), ("dilations", 3):
            values = ", ".join(str(each[at]) for each in along)
            attributes += f"{key} = dense<[{values}]> : tensor<{rank}xi64>, "
        attributes = f" {{{attributes[:-2]}}}"
    elif any(each[2:4] != (1, 1) for each in along):
        continue  # These have no attributes.
    arguments = ", ".join(f"%{n}: {type}" for n, type in enumerate(types))
    functions.append((types, f"""
func.func private @f{len(functions)}({arguments}) -> {types[2]} {{{pad}
  %r = linalg.{name}{attributes} ins({source}, %1 : {whole}, {types[1]})
      outs(%2 : {types[2]}) -> {types[2]}
  return %r : {types[2]}
}}"""))

print("func.func private @printMemrefF32(tensor<*xf32>)")
for _, text in functions:
    print(text)
print("""
func.func @main() {
  %c11 = arith.constant 11 : index
  %c5 = arith.constant 5 : i64""")
for number, (types, _) in enumerate(functions):
    for n, type in enumerate(types):
        dims = [f"d{i}" for i in range(type.count("x"))]
        identity = f"affine_map<({', '.join(dims)}) -> ({', '.join(dims)})>"
        print(f"  %e{number}_{n} = tensor.empty() : {type}")
        parallel = ", ".join(['"parallel"'] * len(dims))
        print(f"  %v{number}_{n} = linalg.generic {{indexing_maps = [{identity}], "
              f"iterator_types = [{parallel}]}} outs(%e{number}_{n} : {type}) {{")
        print("  ^bb0(%out: f32):")
        last = None
        for i in range(len(dims)):
            print(f"    %i{i} = linalg.index {i} : index")
            print(f"    %c{i} = arith.constant {(7, 3, 5, 2, 9)[i] + n} : index")
            print(f"    %p{i} = arith.muli %i{i}, %c{i} : index")
            if last:
                print(f"    %s{i} = arith.addi {last}, %p{i} : index")
                last = f"%s{i}"
            else:
                last = f"%p{i}"
        print(f"    %m = arith.remui {last}, %c11 : index")
        print("    %w = arith.index_cast %m : index to i64")
        print("    %d = arith.subi %w, %c5 : i64")
        print("    %f = arith.sitofp %d : i64 to f32")
        print("    linalg.yield %f : f32")
        print(f"  }} -> {type}")
    operands = ", ".join(f"%v{number}_{n}" for n in range(3))
    print(f"  %r{number} = call @f{number}({operands}) : ({', '.join(types)}) -> {types[2]}")
    print(f"  %u{number} = tensor.cast %r{number} : {types[2]} to tensor<*xf32>")
    print(f"  call @printMemrefF32(%u{number}) : (tensor<*xf32>) -> ()")
print("  return\n}")
