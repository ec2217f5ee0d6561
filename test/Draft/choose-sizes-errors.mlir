// RUN: not pruner-opt %s --pruner-choose-sizes=target=tpu 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not pruner-opt %s --pruner-choose-sizes=waste=-1 2>&1 | FileCheck %s --check-prefix=WASTE
// RUN: not pruner-opt %s --pruner-choose-sizes=candidates=4,9 2>&1 | FileCheck %s --check-prefix=CANDIDATES
// RUN: not pruner-opt %s --pruner-choose-sizes=entry=other 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: sed 's/ {pruner.range = .*]}//' %s | not pruner-opt --pruner-choose-sizes 2>&1 | FileCheck %s --check-prefix=RANGE --implicit-check-not='see current operation'
// RANGE: error: no public function has an argument with 'pruner.range'; expected a range for each dynamic dimension, such as tensor<?x4xf32> {pruner.range = [#pruner.range<n, 1 to 64>]}
// ENTRY: error: expected a function @other with a body
// TARGET: error: pruner-choose-sizes: {{.*}}tpu
// WASTE: error: pruner-choose-sizes: option 'waste' must not be negative, and option 'population' must be at least 1
// CANDIDATES: error: pruner-choose-sizes: option 'candidates': 9 is not between 1 and 8
func.func @main(%x: tensor<?xf32> {pruner.range = [#pruner.range<n, 1 to 8>]}) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
