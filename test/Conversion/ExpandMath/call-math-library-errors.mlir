// A function of the module with the name of a C library function must have its
// type.
// RUN: pruner-opt %s --pruner-call-math-library --split-input-file --verify-diagnostics

func.func private @tanhl(f32) -> f32
func.func @long(%x: f64) -> f64 {
  // expected-error @below {{'arith.truncf' op operand type 'f32' and result type 'f64' are cast incompatible}}
  %y = math.tanh %x : f64
  return %y : f64
}

// -----

func.func private @log1p(f32) -> f32
func.func @double(%x: f64) -> f64 {
  // expected-error @below {{'func.call' op operand type mismatch: expected operand type 'f32', but provided 'f64' for operand number 0}}
  %y = math.log1p %x : f64
  return %y : f64
}

// -----

// expected-note @unknown {{see existing symbol definition here}}
// expected-error @below {{redefinition of symbol named 'tanhl'}}
llvm.func @tanhl(f32) -> f32
func.func @lowered(%x: f64) -> f64 {
  %y = math.tanh %x : f64
  return %y : f64
}
