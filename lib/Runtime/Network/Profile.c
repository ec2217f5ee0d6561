//===- Profile.c - where the time of a network goes -----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// `pruner-mark-calls` puts marks into the function of the network, which call
// this while a profile is taken. A mark adds the time since the mark before it
// to a call site. Runs at the same time add to the same sites, without locks.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Network.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RECENT = 256 };

/// A call site, in nanoseconds. Behind those of the network come what lies
/// between its calls, and its runs.
typedef struct {
  _Atomic int64_t calls, total;
  _Atomic int64_t recent[RECENT]; ///< The last ones, call n at n % RECENT.
} Site;

/// What pruner_profile_read says: calls, seconds.
typedef struct {
  int64_t calls;
  double total, median, least;
} Times;

int32_t pruner_network_profiled;
static Site *sites;

/// Of the run that this thread is in; `begun` is 0 where none is profiled.
static _Thread_local int64_t begun, last, between;

static int64_t site_count(void) { return pruner_network_facts[4] + 2; }

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void add(int64_t number, int64_t duration) {
  Site *site = &sites[number];
  int64_t call =
      atomic_fetch_add_explicit(&site->calls, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&site->total, duration, memory_order_relaxed);
  atomic_store_explicit(&site->recent[call % RECENT], duration,
                        memory_order_relaxed);
}

void pruner_network_mark(int32_t site) {
  if (!begun)
    return;
  int64_t duration = now() - last;
  if (site < 0)
    between += duration;
  else
    add(site, duration);
  last = now(); // The profile's own work belongs to nobody.
}

void pruner_network_begin(void) {
  between = 0;
  begun = last = pruner_network_profiled ? now() : 0;
}

void pruner_network_end(void) {
  if (!begun || !pruner_network_profiled)
    return;
  int64_t end = now();
  add(site_count() - 2, between + end - last);
  add(site_count() - 1, end - begun);
}

PRUNER_EXPORT int pruner_profile(int on) {
  pruner_network_profiled = 0;
  if (!on)
    return OK;
  size_t bytes = (size_t)site_count() * sizeof(Site);
  if (!sites && !(sites = malloc(bytes)))
    return NO_MEMORY;
  memset(sites, 0, bytes);
  pruner_network_profiled = 1;
  return OK;
}

static int compare(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

PRUNER_EXPORT int pruner_profile_read(int64_t site, Times *times) {
  if (!sites || !times || site < 0 || site >= site_count())
    return BAD_ARGUMENT;
  *times = (Times){.calls = sites[site].calls,
                   .total = (double)sites[site].total * 1e-9};
  int64_t count = times->calls < RECENT ? times->calls : RECENT;
  if (!count)
    return OK;
  int64_t sorted[RECENT];
  for (int64_t n = 0; n < count; ++n)
    sorted[n] = sites[site].recent[n];
  qsort(sorted, (size_t)count, sizeof(sorted[0]), compare);
  times->least = (double)sorted[0] * 1e-9;
  times->median =
      (double)(sorted[(count - 1) / 2] + sorted[count / 2]) * 0.5e-9;
  return OK;
}

__attribute__((destructor)) static void free_sites(void) {
  pruner_network_profiled = 0;
  free(sites);
  sites = NULL;
}
