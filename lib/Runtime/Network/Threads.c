//===- Threads.c - the part of the OpenMP runtime that kernels use --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Parallel kernels are compiled like OpenMP code. A library must run on any
// system and next to other OpenMP runtimes of the process. It therefore
// contains the few entry points that such kernels call, as hidden symbols:
// parallel regions without nesting, statically scheduled loops, barriers. The
// interface is that of LLVM's runtime (openmp/runtime/src/kmp.h).
//
// The threads of a region are workers of the library, or those of an OpenMP
// runtime that the program names with pruner_use_openmp.
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
  /// An idle worker waits this long for the next region before it sleeps. To
  /// wake it takes about 50 us, and a caller in Python needs about as long
  /// between two calls.
  IDLE_NANOSECONDS = 500 * 1000,
  PAUSES_PER_READING = 32, // Of the clock.
  SECONDS_TO_STOP = 10,
};

typedef void (*Task)(int32_t *, int32_t *, void *, void *, void *, void *,
                     void *, void *, void *, void *);

static struct {
  Task task;
  void *arguments[MOST_ARGUMENTS];
  int size;             // Threads of this region.
  atomic_uint round;    // Number of the region; workers wait for it to change.
  atomic_int running;   // Workers inside the region.
  atomic_int arrived;   // Threads waiting at the barrier.
  atomic_uint barriers; // Number of barriers passed.
  bool stop; // Set before a round without a task, which ends the workers.
} team;

static pthread_mutex_t busy =
    PTHREAD_MUTEX_INITIALIZER; // Held during a region.
static pthread_mutex_t sleep_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static pthread_t workers[MOST_THREADS];
/// The last round before each worker started.
static unsigned started_in[MOST_THREADS];
static atomic_int worker_count;
static atomic_int wanted;  // 0: not set.
static atomic_int owner;   // Process of the workers; -1 during initialization.
static atomic_bool closed; // Regions get no more workers.

static _Thread_local int32_t thread_id;
static _Thread_local int team_size = 1;
/// Whether this thread holds `busy`, is about to take it, or is a worker of the
/// thread that holds it.
static _Thread_local volatile sig_atomic_t in_region;

/// Spinning pays only if each thread has a core of its own.
static atomic_int spin_limit;
static int spin_limit_for; // Threads of the region for which it was set.

/// The OpenMP runtime whose threads run the regions, if `parallel` is not null.
static struct {
  void (*parallel)(void (*)(void *), void *, unsigned, unsigned);
  int (*thread)(void);
  int (*threads)(void);
  int process; // Children do not have the threads of this process.
} openmp;

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

/// Runs a region without workers: it is nested in another one, or another
/// thread of the process runs one.
static void run_alone(Task task, void **a) {
  int32_t zero = 0, saved_id = thread_id;
  int saved_size = team_size;
  thread_id = 0;
  team_size = 1;
  task(&zero, &zero, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
  thread_id = saved_id;
  team_size = saved_size;
}

/// Runs what thread `id` of `size` threads does in the current region.
static void run_share(int32_t id, int size) {
  int32_t global = id, bound = id;
  void **a = team.arguments;
  thread_id = id;
  team_size = size;
  // This ABI ignores arguments beyond those that the task has.
  team.task(&global, &bound, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
  thread_id = 0;
  team_size = 1;
}

/// The number of the current round; waits a short time until it is not `seen`.
static unsigned await_round(unsigned seen) {
  unsigned round = atomic_load_explicit(&team.round, memory_order_acquire);
  if (!atomic_load_explicit(&spin_limit, memory_order_relaxed))
    return round;
  int64_t end = pruner_network_now() + IDLE_NANOSECONDS;
  do {
    for (int n = 0; n < PAUSES_PER_READING && round == seen; ++n) {
      __builtin_ia32_pause();
      round = atomic_load_explicit(&team.round, memory_order_acquire);
    }
  } while (round == seen && pruner_network_now() < end);
  return round;
}

static void *work(void *argument) {
  int32_t id = (int32_t)(intptr_t)argument;
  unsigned seen = started_in[id - 1], round = seen;
  for (;;) {
    round = await_round(seen);
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
      run_share(id, team.size);
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

/// Whether the workers belong to this process. A forked child has no threads of
/// its parent, and one of those may hold the locks. The first thread that gets
/// here initializes everything again; others run without workers meanwhile.
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

/// Workers must not execute code of a library that is unloaded. When the
/// process exits, other threads continue their runs. The region of such a
/// thread needs its workers until its end; later regions run without workers.
__attribute__((destructor)) static void stop_workers(void) {
  // `in_region` is set if a signal handler of this thread calls exit().
  if (atomic_load(&owner) != getpid() || in_region)
    return;
  atomic_store(&closed, true);
  // A region on threads of an OpenMP runtime may need this very thread to end.
  if (!atomic_load(&worker_count))
    return;
  // Not pthread_mutex_timedlock(), whose clock may be set back meanwhile.
  const struct timespec pause = {0, 1000 * 1000};
  struct timespec now, start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  while (pthread_mutex_trylock(&busy)) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec - start.tv_sec >= SECONDS_TO_STOP)
      return;
    nanosleep(&pause, NULL);
  }
  team.stop = true;
  start_round();
  for (int n = 0; n < worker_count; ++n)
    pthread_join(workers[n], NULL);
  worker_count = 0;
  pthread_mutex_unlock(&busy);
}

/// A handler of the program must not run on a worker, because it may call
/// exit(), which waits for workers. Signals for faults of the worker itself and
/// for profilers stay unblocked.
static void block_signals(sigset_t *before) {
  static const int own[] = {SIGABRT, SIGBUS, SIGFPE,  SIGILL,
                            SIGSEGV, SIGSYS, SIGTRAP, SIGPROF};
  sigset_t blocked;
  sigfillset(&blocked);
  for (size_t n = 0; n < sizeof(own) / sizeof(own[0]); ++n)
    sigdelset(&blocked, own[n]);
  pthread_sigmask(SIG_BLOCK, &blocked, before);
}

/// Starts workers until there are `threads` threads including the caller, or as
/// many as the system allows.
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

/// Reserves the workers for a region, if they are free.
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

static void run_on_workers(int threads) {
  if (worker_count + 1 < threads)
    grow(threads);
  team.size = threads <= worker_count + 1 ? threads : worker_count + 1;
  atomic_store(&team.running, worker_count);
  start_round();
  run_share(0, team.size);
  for (int spins = 0; atomic_load_explicit(&team.running, memory_order_acquire);
       ++spins)
    pause_once(spins);
}

/// The runtime may use fewer threads than it is asked for.
static void share_of_openmp(void *unused) {
  (void)unused;
  sig_atomic_t before = in_region;
  in_region = 1;
  run_share(openmp.thread(), openmp.threads());
  in_region = before;
}

PRUNER_EXPORT void pruner_use_openmp(void (*parallel)(void (*)(void *), void *,
                                                      unsigned, unsigned),
                                     int (*thread)(void),
                                     int (*threads)(void)) {
  openmp.parallel = parallel && thread && threads ? parallel : NULL;
  openmp.thread = thread;
  openmp.threads = threads;
  openmp.process = getpid();
}

void __kmpc_fork_call(void *location, int32_t count, Task task, ...) {
  (void)location;
  void *arguments[MOST_ARGUMENTS] = {0};
  if (count > MOST_ARGUMENTS)
    abort(); // The compiler passes a single structure.
  va_list list;
  va_start(list, task);
  for (int32_t n = 0; n < count; ++n)
    arguments[n] = va_arg(list, void *);
  va_end(list);

  int threads = team_size > 1 ? 1 : pruner_network_threads();
  if (threads == 1 || !is_ready() || !enter_region()) {
    run_alone(task, arguments);
    return;
  }
  if (spin_limit_for != threads) {
    spin_limit_for = threads;
    atomic_store(&spin_limit, threads <= allowed_cores() ? SPINS : 0);
  }
  team.task = task;
  for (int n = 0; n < MOST_ARGUMENTS; ++n)
    team.arguments[n] = arguments[n];
  atomic_store(&team.arrived, 0);
  if (openmp.parallel && openmp.process == atomic_load(&owner))
    openmp.parallel(share_of_openmp, NULL, (unsigned)threads, 0);
  else
    run_on_workers(threads);
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
/// `step`, in one contiguous range per thread. The compiler only uses schedule
/// 34 (kmp_sch_static).
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
