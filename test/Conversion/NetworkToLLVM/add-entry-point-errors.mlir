// RUN: pruner-opt %s --split-input-file --verify-diagnostics --pruner-add-entry-point

// expected-error @below {{the module has no 'pruner.interface'; run pruner-prepare-network first}}
module {
}

// -----

// expected-error @below {{'pruner.interface' names @main, which is not a function of 3 pointers}}
module attributes {pruner.interface = {entry = "main", inputs = [tensor<8xf32>], outputs = [tensor<8xf32>]}} {
  llvm.func @main(%x: !llvm.ptr, %y: !llvm.ptr) {
    llvm.return
  }
}

// -----

// expected-error @below {{the module has no 'pruner.interface'; run pruner-prepare-network first}}
module attributes {pruner.interface = {entry = "main", inputs = [tensor<8xf32>]}} {
}

// -----

// Only lowered functions have an address.
// expected-error @below {{'pruner.interface' names @main, which is not a function of 3 pointers}}
module attributes {pruner.interface = {entry = "main", inputs = [tensor<8xf32>], outputs = [tensor<8xf32>]}} {
  func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %workspace: memref<0xi8>) {
    return
  }
}

// -----

// The names of the entry point must be unused.
module attributes {pruner.interface = {entry = "main", inputs = [], outputs = [tensor<8xf32>]}} {
  // expected-note @below {{see existing symbol definition here}}
  llvm.func @pruner_network_entry()
  // expected-error @below {{redefinition of symbol named 'pruner_network_entry'}}
  llvm.func @main(%y: !llvm.ptr, %workspace: !llvm.ptr) {
    llvm.return
  }
}
