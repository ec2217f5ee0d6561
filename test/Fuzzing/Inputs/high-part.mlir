func.func @main(%a125: tensor<15xi8>, %a126: tensor<15xi8>) -> tensor<15xi8> {
  %c127 = arith.constant 32 : i64
  %v128 = tensor.empty() : tensor<15xi16>
  %v129 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a125, %a126 : tensor<15xi8>, tensor<15xi8>) outs(%v128 : tensor<15xi16>) {
  ^bb0(%x0: i8, %x1: i8, %y0: i16):
    %t0 = arith.extsi %x0 : i8 to i32
    %t1 = arith.extui %x1 : i8 to i32
    %t2 = arith.extsi %t0 : i32 to i64
    %t3 = arith.extsi %t1 : i32 to i64
    %t4 = arith.muli %t2, %t3 : i64
    %t5 = arith.shrsi %t4, %c127 : i64
    %t6 = arith.trunci %t5 : i64 to i32
    %t7 = arith.trunci %t6 : i32 to i16
    %t8 = arith.trunci %t1 : i32 to i16
    %t9 = arith.minui %t7, %t8 : i16
    linalg.yield %t9 : i16
  } -> tensor<15xi16>
  %v130 = tensor.empty() : tensor<15xi8>
  %v131 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v129 : tensor<15xi16>) outs(%v130 : tensor<15xi8>) {
  ^bb0(%x0: i16, %y0: i8):
    %r0 = arith.trunci %x0 : i16 to i8
    linalg.yield %r0 : i8
  } -> tensor<15xi8>
  return %v131 : tensor<15xi8>
}
