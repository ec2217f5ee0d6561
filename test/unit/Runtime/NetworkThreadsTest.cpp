//===- NetworkThreadsTest.cpp - exit with running networks ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each case is a child process that opens the library of RegionNetwork.c like a
// user's program. The parent never has another thread.

#include "gtest/gtest.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <memory>
#include <pthread.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace std::chrono;

static constexpr size_t kCount = 4096;

// ThreadSanitizer does not support work in signal handlers, nor threads in a
// child of a multithreaded process.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SKIP_WITH_TSAN GTEST_SKIP() << "not with ThreadSanitizer"
#endif
#endif
#ifndef SKIP_WITH_TSAN
#define SKIP_WITH_TSAN (void)0
#endif

namespace {
struct Library {
  void *handle = dlopen(PRUNER_REGION_NETWORK, RTLD_NOW | RTLD_LOCAL);
  int (*run)(const void *const *, void *const *) = nullptr;
  void (*setThreads)(int) = nullptr;
  int (*profile)(int) = nullptr;
  void (*useOpenMP)(void (*)(void (*)(void *), void *, unsigned, unsigned),
                    int (*)(), int (*)()) = nullptr;

  Library() {
    if (!handle)
      return;
    find("pruner_run", run);
    find("pruner_set_threads", setThreads);
    find("pruner_profile", profile);
    find("pruner_use_openmp", useOpenMP);
  }
  template <typename F> void find(const char *name, F &function) {
    function = reinterpret_cast<F>(dlsym(handle, name));
  }
};

struct Buffers {
  alignas(64) float input[kCount];
  alignas(64) float output[kCount];

  Buffers() {
    for (size_t n = 0; n < kCount; ++n)
      input[n] = float(n % 97), output[n] = -1;
  }
  bool runOn(const Library &library) {
    const void *inputs[] = {input};
    void *outputs[] = {output};
    if (library.run(inputs, outputs) != 0)
      return false;
    for (size_t n = 0; n < kCount; ++n)
      if (output[n] != 4 * float(n % 97))
        return false;
    return true;
  }
};
} // namespace

/// Runs `body` in a child, which then returns. The result is its exit code, 128
/// plus a signal, or -1 if it must be killed.
template <typename Body> static int endOf(Body body) {
  std::fflush(nullptr);
  pid_t child = fork();
  if (child == 0)
    std::exit(body());
  auto deadline = steady_clock::now() + seconds(30);
  while (true) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child)
      return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (steady_clock::now() > deadline) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return -1;
    }
    std::this_thread::sleep_for(milliseconds(1));
  }
}

/// Starts threads that run the network forever.
static void startRunners(const Library &library, unsigned count) {
  for (unsigned n = 0; n < count; ++n)
    std::thread([&library] {
      auto *buffers = new Buffers;
      while (true)
        if (!buffers->runOn(library))
          _exit(3);
    }).detach();
}

TEST(NetworkThreads, ExitWhileOthersRun) {
  for (int turn = 0; turn < 60; ++turn)
    EXPECT_EQ(endOf([&] {
                static Library library;
                library.setThreads(2 + turn % 3);
                if (turn % 4 == 0)
                  library.profile(1);
                startRunners(library, 1 + turn % 3);
                std::this_thread::sleep_for(microseconds(500 * (turn % 11)));
                return 0;
              }),
              0)
        << "turn " << turn;
}

// After main's own handlers, but before the destructors of the library.
static Library *atExit;
TEST(NetworkThreads, RunsFromHandlersOfExit) {
  EXPECT_EQ(endOf([] {
              auto handler = [] {
                Buffers buffers;
                if (!buffers.runOn(*atExit))
                  _exit(3);
              };
              std::atexit(handler);
              atExit = new Library;
              std::atexit(handler);
              atExit->setThreads(3);
              Buffers buffers;
              return buffers.runOn(*atExit) ? 0 : 3;
            }),
            0);
}

/// Runs the network until a handler of a signal calls exit(), which happens at
/// another place in each turn.
template <typename Prepare> static void exitFromHandlers(Prepare prepare) {
  for (int turn = 0; turn < 10; ++turn)
    EXPECT_EQ(endOf([&] {
                static Library library;
                library.setThreads(3);
                prepare(library);
                auto buffers = std::make_unique<Buffers>();
                if (!buffers->runOn(library))
                  return 3;
                std::signal(SIGALRM, [](int) { std::exit(0); });
                itimerval soon = {{0, 0}, {0, 1000 + 777 * turn}};
                setitimer(ITIMER_REAL, &soon, nullptr);
                while (buffers->runOn(library))
                  ;
                return 3;
              }),
              0)
        << "turn " << turn;
}

// The thread that runs the network calls exit() itself.
TEST(NetworkThreads, ExitFromAHandlerInsideARegion) {
  SKIP_WITH_TSAN;
  exitFromHandlers([](Library &) {});
}

static size_t threadsOfThisProcess() {
  std::filesystem::directory_iterator tasks("/proc/self/task");
  return size_t(std::distance(begin(tasks), end(tasks)));
}

TEST(NetworkThreads, ClosedLibrariesLeaveNoThread) {
  EXPECT_EQ(endOf([] {
              std::thread([] {}).join(); // Sanitizers start their own.
              size_t before = threadsOfThisProcess();
              Buffers buffers;
              for (int turn = 0; turn < 20; ++turn) {
                Library library;
                library.setThreads(4);
                if (!buffers.runOn(library))
                  return 3;
                if (threadsOfThisProcess() < before + 3)
                  return 4;
                dlclose(library.handle);
              }
              // The system needs a moment to remove them.
              for (int wait = 0; wait < 1000; ++wait) {
                if (threadsOfThisProcess() == before)
                  return 0;
                std::this_thread::sleep_for(milliseconds(1));
              }
              return 5;
            }),
            0);
}

// A child has none of its parent's threads, whatever these were doing.
TEST(NetworkThreads, ForkedChildrenRunAndEnd) {
  SKIP_WITH_TSAN;
  EXPECT_EQ(endOf([] {
              static Library library;
              library.setThreads(3);
              startRunners(library, 2);
              for (int turn = 0; turn < 20; ++turn) {
                std::this_thread::sleep_for(microseconds(100 * turn));
                pid_t child = fork();
                if (child == 0) {
                  auto *buffers = new Buffers;
                  std::exit(buffers->runOn(library) && buffers->runOn(library)
                                ? 0
                                : 3);
                }
                int status = 0;
                waitpid(child, &status, 0);
                if (status)
                  return 4;
              }
              return 0;
            }),
            0);
}

// No memory for a stack: the calling thread works alone.
TEST(NetworkThreads, WithoutMoreThreads) {
  EXPECT_EQ(endOf([] {
              pthread_attr_t large;
              pthread_attr_init(&large);
              pthread_attr_setstacksize(&large, size_t(1) << 46);
              if (pthread_setattr_default_np(&large))
                return 4;
              Library library;
              library.setThreads(8);
              Buffers buffers;
              for (int turn = 0; turn < 10; ++turn)
                if (!buffers.runOn(library))
                  return 3;
              return 0;
            }),
            0);
}

TEST(NetworkThreads, CallsAtTheSameTime) {
  EXPECT_EQ(endOf([] {
              static Library library;
              library.setThreads(3);
              std::vector<std::thread> callers;
              for (int n = 0; n < 4; ++n)
                callers.emplace_back([&, n] {
                  Buffers buffers;
                  for (int turn = 0; turn < 100; ++turn) {
                    if (n == 0 && turn % 10 == 0)
                      library.profile(turn % 20 == 0);
                    if (!buffers.runOn(library))
                      _exit(3);
                  }
                });
              for (std::thread &caller : callers)
                caller.join();
              return 0;
            }),
            0);
}

//===----------------------------------------------------------------------===//
// The threads of an OpenMP runtime
//===----------------------------------------------------------------------===//

namespace {
/// A runtime that starts its threads for each region.
struct Runtime {
  static unsigned most;  // Threads of a region.
  static unsigned asked; // What the last region asked for.
  static unsigned regions;
  static thread_local int id, size;

  static void parallel(void (*body)(void *), void *argument, unsigned threads,
                       unsigned) {
    ++regions;
    asked = threads;
    unsigned count = std::min(threads, most);
    auto share = [=](int number) {
      id = number;
      size = int(count);
      body(argument);
    };
    std::vector<std::thread> others;
    for (unsigned n = 1; n < count; ++n)
      others.emplace_back(share, n);
    share(0);
    for (std::thread &other : others)
      other.join();
  }
  static int thread() { return id; }
  static int threads() { return size; }
};
} // namespace
unsigned Runtime::most = 8, Runtime::asked = 0, Runtime::regions = 0;
thread_local int Runtime::id = 0, Runtime::size = 1;

TEST(NetworkThreads, RunOnThreadsOfAnOpenMPRuntime) {
  EXPECT_EQ(endOf([] {
              Library library;
              Buffers buffers;
              library.setThreads(3);
              library.useOpenMP(Runtime::parallel, Runtime::thread,
                                Runtime::threads);
              size_t before = threadsOfThisProcess();
              // The runtime may have fewer threads than it is asked for.
              for (unsigned most : {8, 2, 1}) {
                Runtime::most = most;
                Runtime::regions = 0;
                if (!buffers.runOn(library) || Runtime::regions != 8 ||
                    Runtime::asked != 3)
                  return 3;
              }
              // The library has not started any.
              for (int wait = 0; threadsOfThisProcess() > before; ++wait) {
                if (wait == 1000)
                  return 4;
                std::this_thread::sleep_for(milliseconds(1));
              }
              // One thread needs no region.
              library.setThreads(1);
              Runtime::regions = 0;
              if (!buffers.runOn(library) || Runtime::regions)
                return 5;
              library.setThreads(3);
              library.useOpenMP(nullptr, nullptr, nullptr);
              if (!buffers.runOn(library) || Runtime::regions)
                return 6;
              return threadsOfThisProcess() >= before + 2 ? 0 : 7;
            }),
            0);
}

TEST(NetworkThreads, ForkedChildrenDoNotUseTheParentsRuntime) {
  SKIP_WITH_TSAN;
  EXPECT_EQ(
      endOf([] {
        static Library library;
        library.setThreads(3);
        library.useOpenMP(Runtime::parallel, Runtime::thread, Runtime::threads);
        Buffers buffers;
        if (!buffers.runOn(library) || Runtime::regions != 8)
          return 3;
        pid_t child = fork();
        if (child == 0)
          std::exit(buffers.runOn(library) && Runtime::regions == 8 ? 0 : 3);
        int status = 0;
        waitpid(child, &status, 0);
        return status ? 4 : 0;
      }),
      0);
}

// Workers of the runtime do not block signals.
TEST(NetworkThreads, ExitFromAHandlerOnAThreadOfTheRuntime) {
  SKIP_WITH_TSAN;
  exitFromHandlers([](Library &library) {
    library.useOpenMP(Runtime::parallel, Runtime::thread, Runtime::threads);
  });
}
