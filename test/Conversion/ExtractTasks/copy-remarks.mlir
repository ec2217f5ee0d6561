// RUN: pruner-opt %s --pruner-extract-tasks --verify-diagnostics -o /dev/null

#id = affine_map<(d0, d1) -> (d0, d1)>

// Both results are computed in place. Of the second pair one operand is an
// argument, of the third one begins at byte 16, of the fourth one occurs twice,
// and the fifth is a result of the function.
func.func @concats(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> (tensor<128xf32>, tensor<128xf32>, tensor<65xf32>, tensor<128xf32>, tensor<1x128x64xf32>) {
  %e = tensor.empty() : tensor<64x64xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.tanh %in : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  %ax = tensor.expand_shape %a [[0, 1], [2]] output_shape [1, 64, 64] : tensor<64x64xf32> into tensor<1x64x64xf32>
  %bx = tensor.expand_shape %b [[0, 1], [2]] output_shape [1, 64, 64] : tensor<64x64xf32> into tensor<1x64x64xf32>
  %0 = tensor.concat dim(1) %ax, %bx : (tensor<1x64x64xf32>, tensor<1x64x64xf32>) -> tensor<1x128x64xf32>
  %r0 = func.call @use(%0) : (tensor<1x128x64xf32>) -> tensor<128xf32>

  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.sin %in : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  // expected-remark @below {{'tensor.concat' stays outside the tasks: the op copies 1 of 2 tensors into one of 128x64; a part is an argument of the function}}
  %1 = tensor.concat dim(0) %c, %y : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
  %r1 = func.call @use2(%1) : (tensor<128x64xf32>) -> tensor<128xf32>

  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.cos %in : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  %flat = tensor.collapse_shape %d [[0, 1]] : tensor<64x64xf32> into tensor<4096xf32>
  %four = func.call @four() : () -> tensor<4xf32>
  // expected-remark @below {{'tensor.concat' stays outside the tasks: the op copies 1 of 2 tensors into one of 4100; a part begins at byte 16, which is not a multiple of 64}}
  %2 = tensor.concat dim(0) %four, %flat : (tensor<4xf32>, tensor<4096xf32>) -> tensor<4100xf32>
  %r2 = func.call @use3(%2) : (tensor<4100xf32>) -> tensor<65xf32>

  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.sqrt %in : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.absf %in : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  // expected-remark @below {{'tensor.concat' stays outside the tasks: the op copies 2 of 3 tensors into one of 192x64; a part occurs twice}}
  %3 = tensor.concat dim(0) %f, %g, %g : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<192x64xf32>
  %r3 = func.call @use4(%3) : (tensor<192x64xf32>) -> tensor<128xf32>

  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.log %in : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  // expected-remark @below {{'tensor.concat' stays outside the tasks: the op copies 2 of 2 tensors into one of 128x64; the result is returned by the function}}
  %4 = tensor.concat dim(0) %h, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
  %whole = tensor.expand_shape %4 [[0, 1], [2]] output_shape [1, 128, 64] : tensor<128x64xf32> into tensor<1x128x64xf32>
  return %r0, %r1, %r2, %r3, %whole : tensor<128xf32>, tensor<128xf32>, tensor<65xf32>, tensor<128xf32>, tensor<1x128x64xf32>
}
func.func private @use(tensor<1x128x64xf32>) -> tensor<128xf32>
func.func private @use2(tensor<128x64xf32>) -> tensor<128xf32>
func.func private @use3(tensor<4100xf32>) -> tensor<65xf32>
func.func private @four() -> tensor<4xf32>
func.func private @use4(tensor<192x64xf32>) -> tensor<128xf32>

// A read before the concatenation allows computing in place; a read after it
// does not.
func.func @readers(%x: tensor<64x64xf32>) -> (tensor<128xf32>, tensor<128xf32>, tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64x64xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.tanh %in : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  %0 = func.call @use6(%a) : (tensor<64x64xf32>) -> tensor<64xf32>
  %1 = tensor.concat dim(0) %a, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
  %2 = func.call @use2(%1) : (tensor<128x64xf32>) -> tensor<128xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.sin %in : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.cos %in : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  // expected-remark @below {{'tensor.concat' stays outside the tasks: the op copies 1 of 2 tensors into one of 128x64; a part is read again afterward}}
  %3 = tensor.concat dim(0) %c, %d : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
  %4 = func.call @use2(%3) : (tensor<128x64xf32>) -> tensor<128xf32>
  %5 = func.call @use6(%d) : (tensor<64x64xf32>) -> tensor<64xf32>
  return %2, %4, %0, %5 : tensor<128xf32>, tensor<128xf32>, tensor<64xf32>, tensor<64xf32>
}
func.func private @use6(tensor<64x64xf32>) -> tensor<64xf32>

// Positions in one tensor: whole rows are contiguous, columns are not.
func.func @inserts(%x: tensor<64x64xf32>, %whole: tensor<128x80xf32>, %rows: tensor<128x64xf32>) -> (tensor<128xf32>, tensor<128xf32>) {
  %e = tensor.empty() : tensor<64x64xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.tanh %in : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  // expected-remark @below {{'tensor.insert_slice' stays outside the tasks: the op copies 64x64 into a part of 128x80; a part is not contiguous in the result}}
  %0 = tensor.insert_slice %a into %whole[0, 16] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x80xf32>
  %1 = tensor.insert_slice %b into %rows[32, 0] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x64xf32>
  %2 = func.call @use5(%0) : (tensor<128x80xf32>) -> tensor<128xf32>
  %3 = func.call @use2(%1) : (tensor<128x64xf32>) -> tensor<128xf32>
  return %2, %3 : tensor<128xf32>, tensor<128xf32>
}
func.func private @use5(tensor<128x80xf32>) -> tensor<128xf32>

// A part that neither a task nor another op computes in place.
func.func @padded(%x: tensor<64x62xf32>, %y: tensor<64x64xf32>) -> tensor<128xf32> {
  %z = arith.constant 0.0 : f32
  // expected-remark @below {{'tensor.pad' stays outside the tasks: it is not read by a single reduction}}
  %p = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<64x62xf32> to tensor<64x64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  // expected-remark @below {{'tensor.concat' stays outside the tasks: the op copies 1 of 2 tensors into one of 128x64; a part is computed by 'tensor.pad'}}
  %0 = tensor.concat dim(0) %a, %p : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
  %1 = func.call @use2(%0) : (tensor<128x64xf32>) -> tensor<128xf32>
  return %1 : tensor<128xf32>
}
