// RUN: pruner-opt %s --convert-pruner-to-cpu=threads=0 --split-input-file --verify-diagnostics

// expected-error @below {{'threads' must be at least 1}}
module {
}
