//===- ContentWatchTest.cpp - hashes of watched memory --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A watch always has the hash of the memory, however the memory was written.

#include "pruner-c/Support.h"

#include "gtest/gtest.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <functional>
#include <linux/userfaultfd.h>
#include <random>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {
using Hash = std::array<uint64_t, 2>;

/// Blocks of memory and a watch.
struct Watched {
  std::vector<const void *> data;
  std::vector<size_t> bytes;
  PrunerContentWatch watch;

  Watched(std::vector<const void *> data, std::vector<size_t> bytes)
      : data(std::move(data)), bytes(std::move(bytes)),
        watch(prunerContentWatchCreate(this->data.data(), this->bytes.data(),
                                       this->data.size(), 2)) {}
  ~Watched() { prunerContentWatchDestroy(watch); }
  Watched(const Watched &) = delete;

  Hash hash() const {
    Hash found;
    prunerContentWatchHash(watch, found.data());
    return found;
  }
  Hash expected() const {
    Hash found;
    prunerHashMemory(data.data(), bytes.data(), data.size(), 1, found.data());
    return found;
  }
};

constexpr size_t kBytes = size_t(4) << 20;

char *map(int flags = MAP_PRIVATE, int file = -1, void *at = nullptr) {
  if (file < 0)
    flags |= MAP_ANONYMOUS;
  if (at)
    flags |= MAP_FIXED;
  void *memory = mmap(at, kBytes, PROT_READ | PROT_WRITE, flags, file, 0);
  EXPECT_NE(memory, MAP_FAILED);
  return static_cast<char *>(memory);
}

/// Whether the kernel can watch pages.
bool isSupported() {
  int file = int(syscall(SYS_userfaultfd, O_CLOEXEC | 1));
  uffdio_api api = {};
  api.api = UFFD_API;
  api.features = (uint64_t(1) << 13) | (uint64_t(1) << 15);
  bool supported = file >= 0 && ioctl(file, UFFDIO_API, &api) == 0;
  if (file >= 0)
    close(file);
  return supported;
}

/// The exit status of a child process that runs `work`; -1 if it was killed.
int inChild(const std::function<int()> &work) {
  pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL); // A sanitizer would report it and exit.
    _exit(work());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
} // namespace

TEST(ContentWatch, HasTheHashOfTheMemory) {
  char *memory = map();
  // Ends inside of pages, and a small block.
  Watched watched({memory + 100, memory + (kBytes / 2) + 7, nullptr},
                  {kBytes / 2 - 300, 5000, 0});
  EXPECT_EQ(watched.hash(), watched.expected());
  EXPECT_EQ(watched.hash(), watched.expected());
  std::minstd_rand random(7);
  for (int turn = 0; turn < 300; ++turn) {
    for (int writes = int(random() % 3); writes > 0; --writes)
      memory[random() % kBytes] ^= char(1 + random() % 255);
    ASSERT_EQ(watched.hash(), watched.expected()) << turn;
  }
  munmap(memory, kBytes);
}

TEST(ContentWatch, SeesEveryKindOfWrite) {
  char *memory = map();
  std::memset(memory, 1, kBytes);
  Watched watched({memory}, {kBytes});
  auto expectSame = [&](const char *what) {
    EXPECT_EQ(watched.hash(), watched.expected()) << what;
    for (int calls = 0; calls < 70; ++calls) // Behind all pauses.
      ASSERT_EQ(watched.hash(), watched.expected()) << what;
  };
  expectSame("nothing");
  int random = open("/dev/urandom", O_RDONLY);
  ASSERT_EQ(read(random, memory + 12345, 100), 100);
  close(random);
  expectSame("a system call");
  std::thread([&] { memory[kBytes - 1] = 9; }).join();
  expectSame("another thread");
  madvise(memory + (1 << 20), 1 << 20, MADV_DONTNEED);
  expectSame("dropped pages");
  memory[(1 << 20) + 5] = 3;
  expectSame("a dropped page");
  munmap(memory, kBytes);
  ASSERT_EQ(map(MAP_PRIVATE, -1, memory), memory);
  memory[77] = 5;
  expectSame("other memory at the same place");
  EXPECT_EQ(inChild([&] {
              memory[99] ^= 1;
              return watched.hash() == watched.expected();
            }),
            1);
  expectSame("a write of a child");
  memory[98] ^= 1;
  expectSame("a write after a fork");
  mprotect(memory, kBytes, PROT_READ);
  expectSame("protected pages");
  mprotect(memory, kBytes, PROT_READ | PROT_WRITE);
  memory[97] ^= 1;
  expectSame("pages that were protected");
  munmap(memory, kBytes);
}

TEST(ContentWatch, SeesWritesOfOtherProcesses) {
  char *shared = map(MAP_SHARED);
  FILE *file = tmpfile();
  ASSERT_EQ(ftruncate(fileno(file), kBytes), 0);
  char *mapped = map(MAP_PRIVATE, fileno(file));
  Watched ofShared({shared}, {kBytes}), ofMapped({mapped}, {kBytes});
  for (int turn = 0; turn < 4; ++turn) {
    for (const Watched *watched : {&ofShared, &ofMapped})
      for (int calls = 0; calls < 3; ++calls)
        EXPECT_EQ(watched->hash(), watched->expected()) << turn;
    EXPECT_EQ(inChild([&] {
                shared[5000]++;
                return int(pwrite(fileno(file), "x", 1, turn));
              }),
              1);
  }
  munmap(shared, kBytes);
  munmap(mapped, kBytes);
  fclose(file);
}

TEST(ContentWatch, WatchesMayShareMemory) {
  char *memory = map();
  Watched whole({memory}, {kBytes}), half({memory + kBytes / 2}, {kBytes / 2});
  std::minstd_rand random(3);
  for (int turn = 0; turn < 200; ++turn) {
    if (random() % 4 == 0)
      memory[random() % kBytes] ^= 1;
    Watched &asked = random() % 2 ? whole : half;
    ASSERT_EQ(asked.hash(), asked.expected()) << turn;
  }
  munmap(memory, kBytes);
}

TEST(ContentWatch, PagesAreReadOnce) {
  if (!isSupported())
    GTEST_SKIP() << "the kernel cannot watch pages";
  char *memory = map();
  std::memset(memory, 1, kBytes);
  Watched watched({memory}, {kBytes});
  watched.hash();
  // A child has watches of its own.
  EXPECT_EQ(inChild([&] {
              watched.hash();
              mprotect(memory, kBytes, PROT_NONE);
              watched.hash();
              return 0;
            }),
            0);
  // A page that was written is read.
  EXPECT_EQ(inChild([&] {
              watched.hash();
              memory[5000] = 2;
              mprotect(memory, kBytes, PROT_NONE);
              watched.hash();
              return 0;
            }),
            -1);
  munmap(memory, kBytes);
}

TEST(ContentWatch, DestroyedWatchesHashNothing) {
  char byte = 1;
  PrunerContentWatch watch;
  {
    Watched watched({&byte}, {1});
    EXPECT_NE(watched.hash(), (Hash{0, 0}));
    watch = watched.watch;
  }
  Hash found = {1, 1};
  prunerContentWatchHash(watch, found.data());
  EXPECT_EQ(found, (Hash{0, 0}));
}

// Sanitizers define this function, too.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if defined(__has_feature)
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
#define PRUNER_COUNT_THREADS
#endif
#else
#define PRUNER_COUNT_THREADS
#endif
#endif

#ifdef PRUNER_COUNT_THREADS
static std::atomic<unsigned> started;

extern "C" int pthread_create(pthread_t *thread, const pthread_attr_t *settings,
                              void *(*run)(void *), void *argument) noexcept {
  ++started;
  static const auto create = reinterpret_cast<int (*)(
      pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)>(
      dlsym(RTLD_NEXT, "pthread_create"));
  return create(thread, settings, run, argument);
}

/// A thread that is started on busy cores waits for a time slice, and each call
/// of a network hashes its small parameters.
TEST(ContentWatch, SmallBlocksStartNoThread) {
  std::vector<char> memory(size_t(80) << 20);
  auto startedFor = [&](std::vector<size_t> bytes, unsigned threads) {
    std::vector<const void *> data;
    for (size_t at = 0; size_t size : bytes) {
      data.push_back(memory.data() + at);
      at += size;
    }
    Hash found;
    started = 0;
    prunerHashMemory(data.data(), bytes.data(), data.size(), threads,
                     found.data());
    return unsigned(started);
  };
  EXPECT_EQ(startedFor(std::vector<size_t>(1000, 256), 8), 0u);
  EXPECT_EQ(startedFor({10 << 20, 5 << 20}, 8), 0u);
  EXPECT_EQ(startedFor({40 << 20}, 8), 2u);
  EXPECT_EQ(startedFor({40 << 20, 40 << 20}, 3), 2u);
  EXPECT_EQ(startedFor({40 << 20, 40 << 20}, 1), 0u);
}
#endif
