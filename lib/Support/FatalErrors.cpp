//===- FatalErrors.cpp - LLVM's fatal errors as errors of a tool ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/FatalErrors.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"

#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace pruner;

void pruner::exitAtFatalErrors(const char *tool) {
  llvm::install_bad_alloc_error_handler(
      [](void *name, const char *, bool) {
        // Nothing here may allocate.
        const char *text = ": error: out of memory\n";
        (void)!write(STDERR_FILENO, name, strlen(static_cast<char *>(name)));
        (void)!write(STDERR_FILENO, text, strlen(text));
        llvm::sys::RunInterruptHandlers();
        ::_exit(1);
      },
      const_cast<char *>(tool));
  llvm::install_fatal_error_handler(
      [](void *name, const char *reason, bool) {
        // No destructor and no exit() handler may run: other threads may be
        // working, and this one may hold locks.
        std::fprintf(stderr, "%s: error: LLVM cannot compile this input: %s\n",
                     static_cast<const char *>(name), reason);
        std::fflush(stderr);
        llvm::sys::RunInterruptHandlers();
        ::_exit(1);
      },
      const_cast<char *>(tool));
}
