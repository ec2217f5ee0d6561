// RUN: pruner-opt %s | pruner-opt | FileCheck %s
// RUN: pruner-opt %s --emit-bytecode | pruner-opt | FileCheck %s

// All knobs in printing order. Knobs at their default (pad, order) are omitted.
// CHECK-LABEL: @cpu_tile
// CHECK-SAME: #pruner.schedule<cpu_tile, tiles = {{\[\[}}1, 16, 6], [1, 8, 16], [256]], stages = [none, inner], vector = 8, unroll = 4, order = [1, 0]>
func.func private @cpu_tile() attributes {pruner.schedule =
  #pruner.schedule<cpu_tile, tiles = [[1, 16, 6], [1, 8, 16], [256]],
                   stages = [none, inner], vector = 8, unroll = 4, order = [1, 0]>}

// CHECK-LABEL: @cpu_map
// CHECK-SAME: #pruner.schedule<cpu_map, tiles = {{\[\[}}1, 8]], stages = [none, none], vector = 1, unroll = 1>
func.func private @cpu_map() attributes {pruner.schedule =
  #pruner.schedule<cpu_map, tiles = [[1, 8]], stages = [none, none]>}

// The order of knobs does not matter.
// CHECK-LABEL: @simt_tile
// CHECK-SAME: #pruner.schedule<simt_tile, tiles = {{\[\[}}2, 8, 1, 4], [4, 2]], stages = [outer], vector = 4, unroll = 512, pad = 8>
func.func private @simt_tile() attributes {pruner.schedule =
  #pruner.schedule<simt_tile, pad = 8, unroll = 512, vector = 4,
                   stages = [outer], tiles = [[2, 8, 1, 4], [4, 2]]>}

// CHECK-LABEL: @pipeline
// CHECK-SAME: stages = [inner], vector = 4, unroll = 512, pipeline = 3>
func.func private @pipeline() attributes {pruner.schedule =
  #pruner.schedule<simt_tile, pipeline = 3, unroll = 512, vector = 4,
                   stages = [inner], tiles = [[2, 8, 1, 4], [4, 2]]>}

// CHECK-LABEL: @split
// CHECK-SAME: #pruner.schedule<simt_row, tiles = {{\[\[}}8, 1], [32, 4], [1, 1]], stages = [none], vector = 1, unroll = 0, split = [16, 1]>
func.func private @split() attributes {pruner.schedule =
  #pruner.schedule<simt_row, split = [16, 1], tiles = [[8, 1], [32, 4], [1, 1]],
                   stages = [none], unroll = 0>}

// CHECK-LABEL: @simt_map
// CHECK-SAME: #pruner.schedule<simt_map, tiles = [], stages = [], vector = -1, unroll = 0>
func.func private @simt_map() attributes {pruner.schedule =
  #pruner.schedule<simt_map, tiles = [], vector = -1, unroll = 0>}

// A task's attribute, alone and with a schedule.
// CHECK-LABEL: @task
// CHECK-SAME: pruner.task = {bytes = 3 : i64, flops = 2 : i64, key = "k", weight = 1 : i64}
func.func private @task() attributes {pruner.task =
  {key = "k", weight = 1 : i64, flops = 2 : i64, bytes = 3 : i64}}
