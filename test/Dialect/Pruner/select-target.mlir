// RUN: pruner-opt %s --pruner-select-target=target=cpu --split-input-file | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: pruner-opt %s --pruner-select-target=target=nvidia:a100-40 --split-input-file | FileCheck %s --check-prefixes=CHECK,GPU
// A selected schedule does not change.
// RUN: pruner-opt %s --pruner-select-target --split-input-file -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-select-target --split-input-file | diff %t.mlir -

// CHECK-NOT: pruner.schedules
// CPU-LABEL: func.func private @both
// CPU-SAME: {pruner.schedule = #pruner.schedule<cpu_map, tiles = {{\[\[}}1, 1], [1, 8]], {{.*}}>, pruner.seconds = 1.000000e-03 : f64}
// GPU-LABEL: func.func private @both
// GPU-SAME: {pruner.schedule = #pruner.schedule<simt_map, {{.*}}>}
func.func private @both() attributes {pruner.schedules = {
  cpu = {schedule = #pruner.schedule<cpu_map, tiles = [[1, 1], [1, 8]], stages = [none], vector = 8, unroll = 1>,
         seconds = 1.0e-03 : f64},
  "nvidia:a100-40" = {schedule = #pruner.schedule<simt_map, tiles = [[1, 1], [8, 1]], stages = [none], vector = 1, unroll = 0>}}}

// Attributes of an earlier run are removed as well.
// CPU-LABEL: func.func private @gpu_alone()
// CPU-NOT: pruner
// GPU-LABEL: func.func private @gpu_alone()
// GPU-SAME: {pruner.schedule = #pruner.schedule<simt_map, {{.*}}>, pruner.seconds = 2.000000e-03 : f64}
func.func private @gpu_alone() attributes {pruner.seconds = 1.0e-06 : f64, pruner.schedules = {
  "nvidia:a100-40" = {seconds = 2.0e-03 : f64,
    schedule = #pruner.schedule<simt_map, tiles = [[1, 1], [8, 1]], stages = [none], vector = 1, unroll = 0>}}}

// -----

// A module without such functions needs no target.
// CHECK-LABEL: func.func private @one_schedule
// CHECK-SAME: pruner.schedule = #pruner.schedule<cpu_map,
func.func private @one_schedule() attributes {
  pruner.schedule = #pruner.schedule<cpu_map, tiles = [[1, 1], [1, 8]], stages = [none], vector = 8, unroll = 1>}
