//===- Options.cpp - what the sanitizers assume of LLVM's libraries -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// LLVM is not instrumented: its allocators do not unpoison what ours, inlined
/// from its headers, have poisoned. It keeps singletons. And its constructors
/// leave out the statistics of passes, which code with assertions has: new
/// memory is zero.
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_leaks=0:malloc_fill_byte=0";
}
