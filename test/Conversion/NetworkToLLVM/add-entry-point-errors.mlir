// RUN: pruner-opt %s --split-input-file --verify-diagnostics --pruner-add-entry-point

// expected-error @below {{the module has no 'pruner.interface'; pruner-prepare-network writes it}}
module {
}

// -----

// expected-error @below {{'pruner.interface' names @main, which is no function of 3 pointers}}
module attributes {pruner.interface = {entry = "main", inputs = [tensor<8xf32>], outputs = [tensor<8xf32>]}} {
  llvm.func @main(%x: !llvm.ptr, %y: !llvm.ptr) {
    llvm.return
  }
}
