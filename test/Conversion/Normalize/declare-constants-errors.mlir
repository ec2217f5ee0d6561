// RUN: pruner-opt %s --pruner-declare-constants --split-input-file --verify-diagnostics
// RUN: not pruner-opt %S/declare-constants.mlir --pruner-declare-constants=arguments=1-2 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not pruner-opt %S/declare-constants.mlir --pruner-declare-constants=arguments=x 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not pruner-opt %S/declare-constants.mlir --pruner-declare-constants=entry=other 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not pruner-opt %S/declare-constants.mlir --pruner-declare-constants=names=%t.none 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: echo '{"arguments": []}' > %t.json
// RUN: not pruner-opt %S/declare-constants.mlir --pruner-declare-constants=names=%t.json 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: %python -c "print('[' * 300000)" > %t.deep
// RUN: not pruner-opt %S/declare-constants.mlir --pruner-declare-constants=names=%t.deep 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: echo '{"arguments": [{"name": "x", "kind": "input"}, {"name": "w"}]}' > %t.kind
// RUN: not pruner-opt %S/declare-constants.mlir --pruner-declare-constants=names=%t.kind 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not pruner-opt %S/declare-constants.mlir --pruner-declare-constants=arguments=1-0 2>&1 | FileCheck %s --check-prefix=BACKWARDS

// RANGE: error: pruner-declare-constants: option 'arguments': argument 2 does not exist, @main has 2 arguments
// WORD: error: pruner-declare-constants: option 'arguments': 'x' is neither a number nor a range such as 1-5
// ENTRY: error: pruner-declare-constants: there is no function @other
// DEEP: error: pruner-declare-constants: option 'names': {{.*}}.deep: more than 128 nested arrays and objects
// FILE: error: pruner-declare-constants: option 'names': {{.*}}.none: No such file or directory
// COUNT: error: pruner-declare-constants: option 'names': {{.*}}.json: expected an array 'arguments' with one entry for each of the 2 arguments of @main
// KIND: error: pruner-declare-constants: option 'names': {{.*}}.kind: argument 1: expected 'name' and 'kind'
// BACKWARDS: error: pruner-declare-constants: option 'arguments': '1-0' is neither a number nor a range such as 1-5

// expected-error @below {{pruner-declare-constants: there is a second public function @second; choose one with 'entry'}}
module {
  func.func @first(%x: tensor<4xf32>) {
    return
  }
  func.func @second(%x: tensor<4xf32>) {
    return
  }
}

// -----

// expected-error @below {{pruner-declare-constants: there is no public function}}
module {
  func.func private @inner(%x: tensor<4xf32>) {
    return
  }
  func.func private @declared(tensor<4xf32>)
}
