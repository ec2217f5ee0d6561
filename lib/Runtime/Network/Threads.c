//===- Threads.c - the part of the OpenMP runtime that kernels use --------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Parallel kernels are compiled like OpenMP. A library must run anywhere and
// beside other OpenMP runtimes of the process, so it brings the few entry
// points that such kernels call, hidden from everybody else: parallel regions
// without nesting, statically scheduled loops, barriers. The interface is that
// of LLVM's runtime (openmp/runtime/src/kmp.h).
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Network.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
  MOST_THREADS = 256,
  MOST_ARGUMENTS = 8,
  SPINS = 5000,
  SECONDS_TO_STOP = 10,
};

typedef void (*Task)(int32_t *, int32_t *, void *, void *, void *, void *,
                     void *, void *, void *, void *);

static struct {
  Task task;
  void *arguments[MOST_ARGUMENTS];
  int size;             // Threads of this region.
  atomic_uint round;    // Counts regions; what workers wait for.
  atomic_int running;   // Workers inside the region.
  atomic_int arrived;   // At the barrier.
  atomic_uint barriers; // Counts barriers passed.
  bool stop;            // Written before a round that no task belongs to.
} team;

static pthread_mutex_t busy =
    PTHREAD_MUTEX_INITIALIZER; // One region at a time.
static pthread_mutex_t sleep_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static pthread_t workers[MOST_THREADS];
static unsigned started_in[MOST_THREADS]; ///< The last round before a worker.
static int worker_count;
static atomic_int wanted;  // 0: not set.
static atomic_int owner;   // The process with the workers; -1: in between.
static atomic_bool closed; // No region gets workers any more.

static _Thread_local int32_t thread_id;
static _Thread_local int team_size = 1;
/// Whether this thread holds `busy`, is about to, or works for who does.
static _Thread_local volatile sig_atomic_t in_region;

/// Waiting without giving up the core pays only where each thread has one.
static atomic_int spin_limit;

static int allowed_cores(void) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed))
    return 1;
  return CPU_COUNT(&allowed);
}

static void pause_once(int spins) {
  if (spins < atomic_load_explicit(&spin_limit, memory_order_relaxed))
    __builtin_ia32_pause();
  else
    sched_yield();
}

int pruner_network_threads(void) {
  int threads = atomic_load(&wanted);
  if (threads)
    return threads;
  int64_t useful = pruner_network_facts[3];
  int cores = allowed_cores();
  threads = useful < cores ? (int)useful : cores;
  return threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : threads;
}

PRUNER_EXPORT void pruner_set_threads(int threads) {
  atomic_store(&wanted, threads < 0              ? 0
                        : threads > MOST_THREADS ? MOST_THREADS
                                                 : threads);
}

PRUNER_EXPORT int pruner_threads(void) { return pruner_network_threads(); }

static void run_share(int32_t id) {
  int32_t global = id, bound = id;
  void **a = team.arguments;
  thread_id = id;
  team_size = team.size;
  // Arguments beyond those that the task has are ignored by this ABI.
  team.task(&global, &bound, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
  thread_id = 0;
  team_size = 1;
}

static void *work(void *argument) {
  int32_t id = (int32_t)(intptr_t)argument;
  unsigned seen = started_in[id - 1], round = seen;
  for (;;) {
    int limit = atomic_load_explicit(&spin_limit, memory_order_relaxed);
    for (int spins = 0; spins < limit; ++spins) {
      if ((round = atomic_load_explicit(&team.round, memory_order_acquire)) !=
          seen)
        break;
      __builtin_ia32_pause();
    }
    if (round == seen) {
      pthread_mutex_lock(&sleep_lock);
      while ((round = atomic_load(&team.round)) == seen)
        pthread_cond_wait(&wake, &sleep_lock);
      pthread_mutex_unlock(&sleep_lock);
    }
    seen = round;
    if (team.stop)
      return NULL;
    in_region = 1;
    if (id < team.size)
      run_share(id);
    in_region = 0;
    atomic_fetch_sub_explicit(&team.running, 1, memory_order_release);
  }
}

static void start_round(void) {
  pthread_mutex_lock(&sleep_lock);
  atomic_fetch_add(&team.round, 1);
  pthread_cond_broadcast(&wake);
  pthread_mutex_unlock(&sleep_lock);
}

/// Whether the workers are this process's, or none. A forked child has none of
/// its parent's threads, and the locks may be held by one of them: whoever
/// comes first sets all up again, and the others run alone meanwhile.
static bool is_ready(void) {
  int self = getpid(), seen = atomic_load(&owner);
  if (seen == self)
    return true;
  if (seen < 0 || !atomic_compare_exchange_strong(&owner, &seen, -1))
    return false;
  worker_count = 0;
  pthread_mutex_init(&busy, NULL);
  pthread_mutex_init(&sleep_lock, NULL);
  pthread_cond_init(&wake, NULL);
  atomic_store(&owner, self);
  return true;
}

/// When the library is unloaded, workers must not run code of it any more. When
/// the process exits, other threads go on with their runs. The region that one
/// of them is in needs its workers to the end; regions after that are run
/// without workers.
__attribute__((destructor)) static void stop_workers(void) {
  // With `in_region` a signal handler of this thread calls exit().
  if (atomic_load(&owner) != getpid() || in_region)
    return;
  atomic_store(&closed, true);
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += SECONDS_TO_STOP;
  if (pthread_mutex_timedlock(&busy, &until))
    return;
  team.stop = true;
  start_round();
  for (int n = 0; n < worker_count; ++n)
    pthread_join(workers[n], NULL);
  worker_count = 0;
  pthread_mutex_unlock(&busy);
}

/// A handler of the program must not run on a worker: it may call exit(), which
/// waits for workers. Faults of the worker itself, and what measures its time,
/// are another matter.
static void block_signals(sigset_t *before) {
  static const int own[] = {SIGABRT, SIGBUS, SIGFPE,  SIGILL,
                            SIGSEGV, SIGSYS, SIGTRAP, SIGPROF};
  sigset_t blocked;
  sigfillset(&blocked);
  for (size_t n = 0; n < sizeof(own) / sizeof(own[0]); ++n)
    sigdelset(&blocked, own[n]);
  pthread_sigmask(SIG_BLOCK, &blocked, before);
}

/// Makes workers until there are `threads` with the caller, or as many as the
/// system grants.
static void grow(int threads) {
  sigset_t before;
  block_signals(&before);
  while (worker_count + 1 < threads) {
    intptr_t id = worker_count + 1;
    started_in[worker_count] = atomic_load(&team.round);
    if (pthread_create(&workers[worker_count], NULL, work, (void *)id))
      break;
    ++worker_count;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/// Takes the workers for a region, if nobody has them.
static bool enter_region(void) {
  if (atomic_load(&closed))
    return false;
  in_region = 1;
  if (!pthread_mutex_trylock(&busy))
    return true;
  in_region = 0;
  return false;
}

static void leave_region(void) {
  pthread_mutex_unlock(&busy);
  in_region = 0;
}

void __kmpc_fork_call(void *location, int32_t count, Task task, ...) {
  (void)location;
  void *arguments[MOST_ARGUMENTS] = {0};
  if (count > MOST_ARGUMENTS)
    abort(); // The compiler passes one structure.
  va_list list;
  va_start(list, task);
  for (int32_t n = 0; n < count; ++n)
    arguments[n] = va_arg(list, void *);
  va_end(list);

  int threads = team_size > 1 ? 1 : pruner_network_threads();
  if (threads == 1 || !is_ready() || !enter_region()) {
    // Inside another region, or another thread of the process runs one.
    int32_t zero = 0, saved_id = thread_id;
    int saved_size = team_size;
    void **a = arguments;
    thread_id = 0;
    team_size = 1;
    task(&zero, &zero, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
    thread_id = saved_id;
    team_size = saved_size;
    return;
  }
  if (worker_count + 1 < threads)
    grow(threads);
  if (team.size != threads)
    atomic_store(&spin_limit, threads <= allowed_cores() ? SPINS : 0);
  team.task = task;
  for (int n = 0; n < MOST_ARGUMENTS; ++n)
    team.arguments[n] = arguments[n];
  team.size = threads <= worker_count + 1 ? threads : worker_count + 1;
  atomic_store(&team.arrived, 0);
  atomic_store(&team.running, worker_count);
  start_round();
  run_share(0);
  for (int spins = 0; atomic_load_explicit(&team.running, memory_order_acquire);
       ++spins)
    pause_once(spins);
  leave_region();
}

int32_t __kmpc_global_thread_num(void *location) {
  (void)location;
  return thread_id;
}

void __kmpc_barrier(void *location, int32_t id) {
  (void)location, (void)id;
  if (team_size == 1)
    return;
  unsigned passed = atomic_load(&team.barriers);
  if (atomic_fetch_add(&team.arrived, 1) + 1 == team_size) {
    atomic_store(&team.arrived, 0);
    atomic_fetch_add(&team.barriers, 1);
    return;
  }
  for (int spins = 0; atomic_load(&team.barriers) == passed; ++spins)
    pause_once(spins);
}

/// The iterations of this thread: [*low, *high] of a loop over [*low, *high] by
/// `step`, in one stretch per thread. 34 is the only kind of schedule that the
/// compiler asks for (kmp_sch_static).
#define STATIC_INIT(NAME, INDEX, SIGNED)                                       \
  void NAME(void *location, int32_t id, int32_t kind, int32_t *last,           \
            INDEX *low, INDEX *high, SIGNED *stride, SIGNED step,              \
            SIGNED chunk) {                                                    \
    (void)location, (void)id, (void)chunk;                                     \
    if (kind != 34 || step == 0)                                               \
      abort();                                                                 \
    uint64_t span =                                                            \
        step > 0 ? (uint64_t)(*high - *low) : (uint64_t)(*low - *high);        \
    uint64_t by = step > 0 ? (uint64_t)step : -(uint64_t)step;                 \
    bool empty = step > 0 ? *high < *low : *low < *high;                       \
    uint64_t trips = empty ? 0 : span / by + 1;                                \
    uint64_t size = (uint64_t)team_size, me = (uint64_t)thread_id;             \
    uint64_t share = trips / size, rest = trips % size;                        \
    uint64_t begin = me * share + (me < rest ? me : rest);                     \
    uint64_t count = share + (me < rest);                                      \
    *stride = (SIGNED)(trips * (uint64_t)step);                                \
    *last = count && begin + count == trips;                                   \
    INDEX first = *low;                                                        \
    if (count == 0) { /* Nothing: one step past the end. */                    \
      *low = first + (INDEX)step;                                              \
      *high = first;                                                           \
      return;                                                                  \
    }                                                                          \
    *low = first + (INDEX)(begin * (uint64_t)step);                            \
    *high = first + (INDEX)((begin + count - 1) * (uint64_t)step);             \
  }

STATIC_INIT(__kmpc_for_static_init_8u, uint64_t, int64_t)
STATIC_INIT(__kmpc_for_static_init_8, int64_t, int64_t)
STATIC_INIT(__kmpc_for_static_init_4u, uint32_t, int32_t)
STATIC_INIT(__kmpc_for_static_init_4, int32_t, int32_t)

void __kmpc_for_static_fini(void *location, int32_t id) {
  (void)location, (void)id;
}
