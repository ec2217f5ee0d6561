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
