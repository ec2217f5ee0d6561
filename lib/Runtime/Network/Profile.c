//===- Profile.c - the profile of a network -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// `pruner-mark-calls` inserts marks into the function of the network; while a
// profile is recorded, they call this code. A mark adds the time since the
// previous mark to a call site. Concurrent runs add to the same sites, without
// locks.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Network.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { RECENT = 256 };

/// A call site, in nanoseconds. After those of the network follow one for the
/// time between calls and one for whole runs.
typedef struct {
  _Atomic int64_t calls, total;
  _Atomic int64_t recent[RECENT]; ///< The last ones, call n at n % RECENT.
} Site;

/// The result of pruner_profile_read: calls, seconds.
typedef struct {
  int64_t calls;
  double total, median, least;
} Times;

int32_t pruner_network_profiled;
static _Atomic(Site *) sites;
static atomic_int users; // Threads that may use `sites`.

/// State of the run of this thread; `begun` is 0 if it is not profiled.
static _Thread_local int64_t begun, last, between;
static _Thread_local Site *own;

static int64_t site_count(void) { return pruner_network_facts[4] + 2; }

/// Generated code reads it without memory ordering.
static void set_profiled(int32_t on) {
  __atomic_store_n(&pruner_network_profiled, on, __ATOMIC_SEQ_CST);
}

static int32_t is_profiled(void) {
  return __atomic_load_n(&pruner_network_profiled, __ATOMIC_SEQ_CST);
}

static void add(int64_t number, int64_t duration) {
  Site *site = &own[number];
  int64_t call =
      atomic_fetch_add_explicit(&site->calls, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&site->total, duration, memory_order_relaxed);
  atomic_store_explicit(&site->recent[call % RECENT], duration,
                        memory_order_relaxed);
}

void pruner_network_mark(int32_t site) {
  if (!begun)
    return;
  int64_t duration = pruner_network_now() - last;
  if (site < 0)
    between += duration;
  else
    add(site, duration);
  last = pruner_network_now(); // Do not count the profiler's own time.
}

void pruner_network_begin(void) {
  atomic_fetch_add(&users, 1);
  between = 0;
  own = atomic_load(&sites);
  begun = last = own && is_profiled() ? pruner_network_now() : 0;
}

void pruner_network_end(int complete) {
  if (complete && begun && is_profiled()) {
    int64_t end = pruner_network_now();
    add(site_count() - 2, between + end - last);
    add(site_count() - 1, end - begun);
  }
  atomic_fetch_sub(&users, 1);
}

/// The sites, all 0; null if there is no memory.
static Site *clear_sites(void) {
  size_t count = (size_t)site_count();
  Site *cleared = atomic_load(&sites);
  if (!cleared) {
    Site *fresh = calloc(count, sizeof(Site));
    if (!fresh || atomic_compare_exchange_strong(&sites, &cleared, fresh))
      return fresh;
    free(fresh); // Another thread allocated them first.
  }
  for (size_t n = 0; n < count; ++n) {
    atomic_store_explicit(&cleared[n].calls, 0, memory_order_relaxed);
    atomic_store_explicit(&cleared[n].total, 0, memory_order_relaxed);
  }
  return cleared;
}

PRUNER_EXPORT int pruner_profile(int on) {
  set_profiled(0);
  if (!on)
    return OK;
  atomic_fetch_add(&users, 1);
  int status = clear_sites() ? OK : NO_MEMORY;
  if (status == OK)
    set_profiled(1);
  atomic_fetch_sub(&users, 1);
  return status;
}

static int compare(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static void read_site(Site *site, Times *times) {
  *times = (Times){.calls = atomic_load(&site->calls),
                   .total = (double)atomic_load(&site->total) * 1e-9};
  int64_t count = times->calls < RECENT ? times->calls : RECENT;
  if (!count)
    return;
  int64_t sorted[RECENT];
  for (int64_t n = 0; n < count; ++n)
    sorted[n] = atomic_load_explicit(&site->recent[n], memory_order_relaxed);
  qsort(sorted, (size_t)count, sizeof(sorted[0]), compare);
  times->least = (double)sorted[0] * 1e-9;
  times->median =
      (double)(sorted[(count - 1) / 2] + sorted[count / 2]) * 0.5e-9;
}

PRUNER_EXPORT int pruner_profile_read(int64_t site, Times *times) {
  if (!times || site < 0 || site >= site_count())
    return BAD_ARGUMENT;
  atomic_fetch_add(&users, 1);
  Site *all = atomic_load(&sites);
  if (all)
    read_site(&all[site], times);
  atomic_fetch_sub(&users, 1);
  return all ? OK : BAD_ARGUMENT;
}

/// At exit other threads may still be inside a run and use the sites.
__attribute__((destructor)) static void free_sites(void) {
  set_profiled(0);
  Site *all = atomic_exchange(&sites, NULL);
  if (!atomic_load(&users))
    free(all);
}
