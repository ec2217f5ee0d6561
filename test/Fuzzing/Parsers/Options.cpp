//===- Options.cpp - options of the sanitizers for LLVM's libraries -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// LLVM is not instrumented. Its allocators do not unpoison memory that the
/// allocators inlined from its headers have poisoned. It keeps singletons. Its
/// constructors do not initialize the statistics of passes, which code with
/// assertions has, so new memory must be zero.
extern "C" const char *__asan_default_options();
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_leaks=0:malloc_fill_byte=0";
}
