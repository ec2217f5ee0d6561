//===- HidePreload.c - hide what was preloaded from children --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tools of a build with AddressSanitizer contain its runtime and do not
// start if the shared one is preloaded. Children of a program that needs it,
// such as Python, must therefore not inherit LD_PRELOAD.

#include <stdlib.h>

__attribute__((constructor)) static void hidePreload(void) {
  unsetenv("LD_PRELOAD");
}
