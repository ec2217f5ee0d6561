// RUN: rm -rf %t && mkdir %t
// RUN: pruner-opt %s --pruner-export-transform -verify-diagnostics

// expected-error @below {{pruner-export-transform: option 'schedules': expected a file}}
module {
}

// RUN: not pruner-opt %s --pruner-export-transform=schedules=%t/none.mlir 2> %t/none
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t/none
// NONE: error: pruner-export-transform: option 'schedules': '{{.*}}none.mlir': No such file or directory

// RUN: echo "func.func @f(" > %t/damaged.mlir
// RUN: not pruner-opt %s --pruner-export-transform=schedules=%t/damaged.mlir 2> %t/damaged
// RUN: FileCheck %s --check-prefix=DAMAGED --input-file=%t/damaged
// DAMAGED: damaged.mlir:{{.*}} error: {{.+}}

// A schedule must fit the task that it stands at.
// RUN: pruner-opt %S/Inputs/layers.mlir --pruner-normalize --pruner-extract-tasks > %t/tasks.mlir
// RUN: sed -e '/@task_matmul_30x40x24/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 4, 8], [12]], stages = [none, none], vector = 8, unroll = 2>, /' %t/tasks.mlir > %t/lists.mlir
// RUN: not pruner-opt %S/Inputs/layers.mlir --pruner-export-transform=schedules=%t/lists.mlir 2>&1 | FileCheck %s --check-prefix=LISTS
// LISTS: error: the schedule of 'task_matmul_30x40x24_{{[0-9a-f]+}}' does not fit: R2: 2 lists of tile factors, the anchor has 3 dimensions
// RUN: sed -e '/@task_matmul_30x40x24/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 4, 8], [1, 1, 16], [12]], stages = [none, none], vector = 0, unroll = 2>, /' %t/tasks.mlir > %t/vector.mlir
// RUN: not pruner-opt %S/Inputs/layers.mlir --pruner-export-transform=schedules=%t/vector.mlir 2>&1 | FileCheck %s --check-prefix=VECTOR
// VECTOR: error: the schedule of 'task_matmul_30x40x24_{{[0-9a-f]+}}' does not fit: R8: vectors of 0 elements; expected a power of two up to 1024
// RUN: sed -e '/@task_matmul_30x40x24/s/attributes {/&pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 4, 8], [1, 1, 16], [12]], stages = [none, none], vector = 8, unroll = 9223372036854775807>, /' %t/tasks.mlir > %t/unroll.mlir
// RUN: not pruner-opt %S/Inputs/layers.mlir --pruner-export-transform=schedules=%t/unroll.mlir 2>&1 | FileCheck %s --check-prefix=UNROLL
// RUN: not pruner-opt %S/Inputs/layers.mlir --pruner-export-iree-spec='schedules=%t/unroll.mlir output=-' 2>&1 | FileCheck %s --check-prefix=UNROLL
// UNROLL: error: the schedule of 'task_matmul_30x40x24_{{[0-9a-f]+}}' does not fit: R9: unroll 9223372036854775807; expected 0 to 1024
