func.func @main(%x: tensor<?xf32> {pruner.range = [#pruner.range<n, 1 to 12>]}) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
