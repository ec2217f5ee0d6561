//===- Tiles.c - permission to use tile registers -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Linux lets a process use the tile registers of AMX after it has asked for
// them once, because they enlarge the frames of signal handlers (kernel
// documentation, x86/xstate.rst). Otherwise the first instruction with a tile
// raises SIGILL.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Network.h"

#include <sys/syscall.h>
#include <unistd.h>

enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };

void pruner_network_request_tiles(void) {
#if defined(__x86_64__) && defined(__linux__)
  // Fails on CPUs without tiles and on old kernels, which code for tiles does
  // not run on.
  syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA);
#endif
}
