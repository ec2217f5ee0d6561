// RUN: pruner-opt %s --pruner-select-target=target=nvidia:sm_90 --split-input-file --verify-diagnostics

// expected-error @below {{pruner-select-target: no function has a schedule for 'nvidia:sm_90'; available targets: 'cpu', 'nvidia:sm_80'}}
module {
  func.func private @a() attributes {pruner.schedules = {
    cpu = {schedule = #pruner.schedule<cpu_map, tiles = [[1, 1], [1, 8]], stages = [none], vector = 8, unroll = 1>}}}
  func.func private @b() attributes {pruner.schedules = {
    "nvidia:sm_80" = {schedule = #pruner.schedule<simt_map, tiles = [[1, 1], [8, 1]], stages = [none], vector = 1, unroll = 0>}}}
}
