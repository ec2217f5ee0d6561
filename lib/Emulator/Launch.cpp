//===- Launch.cpp - sequential blocks with threads as fibers --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Launch.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>
#include <cstring>

using namespace pruner;
using namespace pruner::emulator;

// Fibers never move between threads of the operating system, so this address
// stays valid across a switch.
static thread_local Launch *currentLaunch = nullptr;

Launch &Launch::current() { return *currentLaunch; }

Launch::Launch(const LoweredKernel &kernel, Entry entry,
               const EmulatorOptions &options, LaunchExtent grid,
               LaunchExtent block, llvm::ArrayRef<void *> arguments)
    : kernel(kernel), entry(entry), options(options), grid(grid), block(block) {
  allocateWorkgroup();
  for (auto [info, argument] : llvm::zip_equal(kernel.arguments, arguments)) {
    if (info.scalar) {
      pointers.push_back(argument);
      continue;
    }
    SharedBuffer buffer;
    buffer.info = &info;
    buffer.begin = static_cast<char *>(argument);
    if (options.checkGlobalRaces)
      buffer.shadow = std::make_unique<Shadow>(info.bytes, info.elementBytes,
                                               /*acrossBlocks=*/true);
    buffers.push_back(std::move(buffer));
    pointers.push_back(argument);
  }
  for (unsigned argument : options.poisonedArguments)
    if (argument < arguments.size())
      poison(arguments[argument], kernel.arguments[argument].bytes,
             kernel.arguments[argument].elementBytes);

  for (unsigned n = 0; n != kernel.workgroup.size(); ++n)
    pointers.push_back(buffers[n].begin);
  for (unsigned n = 0; n != pointers.size(); ++n) {
    bool scalar = n < kernel.arguments.size() && kernel.arguments[n].scalar;
    parameters.push_back(scalar ? pointers[n] : &pointers[n]);
  }
  int64_t extents[6] = {block.x, block.y, block.z, grid.x, grid.y, grid.z};
  std::copy(extents, extents + 6, indices + 6);
  for (int64_t &index : indices)
    parameters.push_back(&index);
}

Launch::~Launch() = default;

/// Places the workgroup buffers with gaps between them, so that a small overrun
/// does not reach a neighbor if bounds are not checked.
void Launch::allocateWorkgroup() {
  constexpr uint64_t line = 128;
  uint64_t total = line;
  for (const Buffer &info : kernel.workgroup)
    total += llvm::alignTo(info.bytes, line) + line;
  arena = {static_cast<char *>(std::aligned_alloc(line, total)), std::free};
  char *next = arena.get() + line;
  for (const Buffer &info : kernel.workgroup) {
    SharedBuffer buffer;
    buffer.info = &info;
    buffer.begin = next;
    buffer.workgroup = true;
    if (options.checkRaces)
      buffer.shadow = std::make_unique<Shadow>(info.bytes, info.elementBytes,
                                               /*acrossBlocks=*/false);
    buffers.push_back(std::move(buffer));
    next += llvm::alignTo(info.bytes, line) + line;
  }
}

llvm::Expected<EmulatorReport> Launch::run() {
  auto pool = FiberPool::create(block.count(),
                                options.stackBytes + kernel.privateBytes);
  if (!pool)
    return pool.takeError();
  fibers = std::move(*pool);
  threads.resize(block.count());

  Launch *outer = std::exchange(currentLaunch, this);
  for (int64_t z = 0; z != grid.z && !failed; ++z)
    for (int64_t y = 0; y != grid.y && !failed; ++y)
      for (int64_t x = 0; x != grid.x && !failed; ++x)
        runBlock({x, y, z});
  currentLaunch = outer;
  if (failed)
    return llvm::createStringError(std::errc::invalid_argument, error.c_str());
  return report;
}

void Launch::runBlock(LaunchExtent id) {
  blockId = id;
  firstEpochs.push_back(++epoch);
  ++report.blocks;
  report.threads += threads.size();
  for (SharedBuffer &buffer : buffers)
    if (buffer.workgroup) {
      poison(buffer.begin, buffer.info->bytes, buffer.info->elementBytes);
      if (buffer.shadow && report.asyncCopies)
        buffer.shadow->forgetCopies();
    }
  indices[0] = id.x;
  indices[1] = id.y;
  indices[2] = id.z;
  for (unsigned n = 0; n != threads.size(); ++n) {
    threads[n].state = State::Fresh;
    threads[n].copies.clear();
    fibers->start(
        n,
        [](void *self) {
          auto *launch = static_cast<Launch *>(self);
          launch->entry(launch->parameters.data());
          unsigned thread = launch->running;
          launch->threads[thread].state = State::Done;
          launch->fibers->suspend(thread);
        },
        this);
  }
  do
    runReady();
  while (!failed && releaseBarrier());
}

void Launch::runReady() {
  bool progress = true;
  while (progress) {
    progress = false;
    for (unsigned n = 0; n != threads.size(); ++n) {
      Thread &thread = threads[n];
      if (thread.state == State::Fresh) {
        // The first instructions of the fiber read them.
        indices[3] = n % block.x;
        indices[4] = n / block.x % block.y;
        indices[5] = n / (block.x * block.y);
        thread.state = State::Ready;
      }
      if (thread.state != State::Ready)
        continue;
      progress = true;
      running = n;
      fibers->resume(n);
      if (failed)
        return;
    }
  }
}

bool Launch::releaseBarrier() {
  bool allDone = true, allWait = true;
  for (const Thread &thread : threads) {
    allDone &= thread.state == State::Done;
    allWait &=
        thread.state == State::AtBarrier && thread.site == threads.front().site;
  }
  if (allDone)
    return false;
  if (!allWait) {
    reportDivergence();
    return false;
  }
  for (Thread &thread : threads)
    thread.state = State::Ready;
  report.barriers += threads.size();
  ++epoch;
  return true;
}

void Launch::barrier(unsigned site) {
  Thread &thread = threads[running];
  thread.state = State::AtBarrier;
  thread.site = site;
  fibers->suspend(running);
}

bool Launch::shuffle(unsigned site, void *value, int32_t offset, int32_t width,
                     int32_t mode) {
  Thread &thread = threads[running];
  thread.state = State::AtShuffle;
  thread.site = site;
  thread.value = static_cast<char *>(value);
  thread.offset = offset;
  thread.width = width;
  thread.mode = mode;
  unsigned self = running;
  unsigned first = self / options.warpSize * options.warpSize;
  // The first `width` lanes take part, whatever the others do.
  if (int64_t(self - first) >= width) {
    thread.state = State::Ready;
    poison(value, kernel.sites[site].bytes, kernel.sites[site].bytes);
    return false;
  }
  unsigned last = std::min<uint64_t>({uint64_t(first) + options.warpSize,
                                      uint64_t(first) + width, threads.size()});
  bool complete = true;
  for (unsigned n = first; n != last; ++n) {
    const Thread &other = threads[n];
    bool here = other.state == State::AtShuffle && other.site == site;
    if (here && other.width != width)
      fail(describeHere(site) + " has width " + std::to_string(width) +
           ", but " + std::to_string(other.width) + " in " + describeThread(n));
    complete &= here;
  }
  if (complete)
    exchange(first, last);
  else
    fibers->suspend(self);
  return threads[self].valid;
}

/// Exchanges the values of lanes [first, last), the last of which just arrived.
/// If the source lane does not exist, the result is poison, as gpu.shuffle
/// specifies; hardware would return the lane's own value.
void Launch::exchange(unsigned first, unsigned last) {
  enum Mode { Xor, Down, Up, Index }; // Values of gpu::ShuffleMode.
  uint64_t bytes = kernel.sites[threads[first].site].bytes;
  int64_t lanes = last - first;
  std::vector<char> values(bytes * lanes);
  for (int64_t lane = 0; lane != lanes; ++lane)
    std::memcpy(&values[lane * bytes], threads[first + lane].value, bytes);
  for (int64_t lane = 0; lane != lanes; ++lane) {
    Thread &thread = threads[first + lane];
    int64_t source = thread.mode == Xor    ? lane ^ int64_t(thread.offset)
                     : thread.mode == Up   ? lane - thread.offset
                     : thread.mode == Down ? lane + thread.offset
                                           : thread.offset;
    thread.valid =
        source >= 0 && source < std::min<int64_t>(thread.width, lanes);
    if (thread.valid)
      std::memcpy(thread.value, &values[source * bytes], bytes);
    else
      poison(thread.value, bytes, bytes);
    thread.state = State::Ready;
  }
  ++report.shuffles;
}
