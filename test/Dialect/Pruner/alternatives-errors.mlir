// What the verifier rejects about forms of a part of a program.
// RUN: pruner-opt %s --split-input-file --verify-diagnostics

func.func @alone(%x: tensor<4xf32>) {
  // expected-error@+1 {{F1: 1 form(s), expected at least two}}
  %0 = pruner.alternatives -> tensor<4xf32>
    form "a" {
      pruner.results %x : tensor<4xf32>
    }
  return
}

// -----

func.func @equal_names(%x: tensor<4xf32>) {
  // expected-error@+1 {{F1: two forms have the name "a"}}
  %0 = pruner.alternatives -> tensor<4xf32>
    form "a" {
      pruner.results %x : tensor<4xf32>
    }
    form "a" {
      pruner.results %x : tensor<4xf32>
    }
  return
}

// -----

func.func @names_missing() {
  // expected-error@+1 {{F1: 2 forms but 1 names}}
  "pruner.alternatives"() <{names = ["a"]}> ({
    "pruner.results"() : () -> ()
  }, {
    "pruner.results"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @unknown(%x: tensor<4xf32>) {
  // expected-error@+1 {{F2: no form has the name "c"}}
  %0 = pruner.alternatives chosen "c" -> tensor<4xf32>
    form "a" {
      pruner.results %x : tensor<4xf32>
    }
    form "b" {
      pruner.results %x : tensor<4xf32>
    }
  return
}

// -----

func.func @other_types(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  %0 = pruner.alternatives -> tensor<4xf32>
    form "a" {
      pruner.results %x : tensor<4xf32>
    }
    form "b" {
      // expected-error@+1 {{F3: has operands of types ('tensor<5xf32>'), but the results of 'pruner.alternatives' have types ('tensor<4xf32>')}}
      pruner.results %y : tensor<5xf32>
    }
  return
}

// -----

func.func @no_results(%x: tensor<4xf32>) {
  // expected-error@+1 {{F3: the form "b" ends without 'pruner.results'}}
  %0 = pruner.alternatives -> tensor<4xf32>
    form "a" {
      pruner.results %x : tensor<4xf32>
    }
    form "b" {
      ub.unreachable
    }
  return
}

// -----

func.func @elsewhere(%x: tensor<4xf32>) {
  // expected-error@+1 {{expects parent op 'pruner.alternatives'}}
  pruner.results %x : tensor<4xf32>
}
