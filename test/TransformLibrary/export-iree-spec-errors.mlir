// RUN: rm -rf %t && mkdir %t
// RUN: pruner-opt %s --pruner-export-iree-spec -verify-diagnostics

// expected-error @below {{pruner-export-iree-spec: option 'schedules': expected a file}}
module {
}

// RUN: not pruner-opt %s --pruner-export-iree-spec=schedules=%s 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: pruner-export-iree-spec: option 'output': expected a file

// RUN: not pruner-opt %s --pruner-export-iree-spec='schedules=%s output=%t/s.mlir target=vulkan' 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: pruner-export-iree-spec: option 'target': unknown target 'vulkan'; expected 'llvm-cpu' or 'cuda'

// RUN: not pruner-opt %s --pruner-export-iree-spec='schedules=%s output=%t/s.mlir iree-version=3.9' 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: not pruner-opt %s --pruner-export-iree-spec='schedules=%s output=%t/s.mlir iree-version=3.14.0' 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: not pruner-opt %s --pruner-export-iree-spec='schedules=%s output=%t/s.mlir iree-version=newest' 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: error: pruner-export-iree-spec: option 'iree-version': '{{3.9|3.14.0|newest}}' is not a supported release; expected 3.10 to 3.13

// RUN: not pruner-opt %s --pruner-export-iree-spec='schedules=%t/none.mlir output=%t/s.mlir' 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: pruner-export-iree-spec: option 'schedules': '{{.*}}none.mlir': No such file or directory

// RUN: not pruner-opt %s --pruner-export-iree-spec='schedules=%s output=%t/none/s.mlir' 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: error: pruner-export-iree-spec: option 'output': '{{.*}}none/s.mlir': cannot write: No such file or directory
// RUN: not ls %t/s.mlir
