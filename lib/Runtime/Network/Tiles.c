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

int pruner_network_request_tiles(void) {
#if defined(__x86_64__) && defined(__linux__)
  // Fails on CPUs without tiles, on old kernels, and where a sandbox forbids it.
  return (int)syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA);
#else
  return -1;
#endif
}
