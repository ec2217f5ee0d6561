// RUN: pruner-opt %s --pruner-lower-checks --split-input-file --verify-diagnostics

// The function that leaves the network has this name.
// expected-note @below {{see existing symbol definition here}}
module {
  // expected-error @below {{redefinition of symbol named 'pruner_network_fail'}}
  func.func private @pruner_network_fail(i32)
  func.func @main(%ok: i1) {
    cf.assert %ok, "an index is out of range"
    return
  }
}
