// RUN: pruner-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{'pruner.range' of argument #0: has 2 entries, but 'tensor<?x16xf32>' has 1 dynamic dimensions}}
func.func private @count(tensor<?x16xf32> {pruner.range = [#pruner.range<n, 1 to 64>, #pruner.range<s, 1 to 64>]})

// -----

// expected-error @below {{'pruner.range' of argument #1: 'n' has different sizes in argument #0}}
func.func private @other(tensor<?xf32> {pruner.range = [#pruner.range<n, 1 to 64>]}, tensor<?xf32> {pruner.range = [#pruner.range<n, 1 to 32>]})

// -----

// expected-error @below {{'pruner.range' of argument #0: the argument is not a ranked tensor}}
func.func private @scalar(f32 {pruner.range = [#pruner.range<n, 1 to 64>]})

// -----

// expected-error @below {{'pruner.range' of argument #0: expected an array of #pruner.range}}
func.func private @array(tensor<?xf32> {pruner.range = #pruner.range<n, 1 to 64>})

// -----

// expected-error @below {{sizes of 'n' are 0 to 64, not between 1 and 2147483647}}
func.func private @zero(tensor<?xf32> {pruner.range = [#pruner.range<n, 0 to 64>]})

// -----

// expected-error @below {{sizes of 'n': 64 is greater than 8}}
func.func private @backwards(tensor<?xf32> {pruner.range = [#pruner.range<n, 64 to 8>]})

// -----

// expected-error @below {{sizes of 'n': expected ascending sizes, but got 8 before 4}}
func.func private @list(tensor<?xf32> {pruner.range = [#pruner.range<n, [1, 8, 4, 16]>]})

// -----

// expected-error @below {{plan of 'n': 1 sizes, but 2 functions}}
func.func private @functions() attributes {pruner.plan = #pruner.plan<n, sizes = [4], functions = [@a, @b], from = [], to = [], use = []>}

// -----

// A call in pieces of this size would never end.
// expected-error @below {{plan of 'n': a function of size 0, but the least is 1}}
func.func private @sizes() attributes {pruner.plan = #pruner.plan<n, independent, sizes = [4, 0], functions = [@a, @b], from = [1], to = [4], use = [1]>}

// -----

// expected-error @below {{plan of 'n': from, to and use have 1, 1 and 0 entries}}
func.func private @lists() attributes {pruner.plan = #pruner.plan<n, sizes = [4], functions = [@a], from = [1], to = [4], use = []>}

// -----

// expected-error @below {{plan of 'n': 4 to 4 after 4, expected ascending intervals}}
func.func private @overlap() attributes {pruner.plan = #pruner.plan<n, sizes = [4], functions = [@a], from = [1, 4], to = [4, 4], use = [0, 0]>}

// -----

// expected-error @below {{plan of 'n': function 1 does not exist, the plan has 1}}
func.func private @number() attributes {pruner.plan = #pruner.plan<n, sizes = [4], functions = [@a], from = [1], to = [4], use = [1]>}

// -----

// expected-error @below {{plan of 'n': a function of size 4 cannot run sizes 1 to 5}}
func.func private @short() attributes {pruner.plan = #pruner.plan<n, sizes = [4], functions = [@a], from = [1], to = [5], use = [0]>}

// -----

// expected-error @below {{'pruner.plan' must be a #pruner.plan attribute}}
func.func private @kind() attributes {pruner.plan = 4}
