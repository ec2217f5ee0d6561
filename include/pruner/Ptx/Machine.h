//===- Machine.h - run kernels of PTX on the CPU ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine executes the text that a driver would assemble, so it also tests
// everything between the GPU dialect and PTX. It checks each access while it
// runs and counts what hardware counters would count.
//
//   auto module = ptx::parse(text);
//   auto program = ptx::Program::decode(*module, "kernel");
//   auto counts = (*program)->launch({{a.data(), 4096}, ...}, options);
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_PTX_MACHINE_H
#define PRUNER_PTX_MACHINE_H

#include "pruner/Ptx/Counts.h"
#include "pruner/Ptx/Syntax.h"

namespace pruner::ptx {

/// A rule that an execution violated.
enum class Violation : uint8_t {
  OutOfBounds, ///< An address outside of every variable and buffer.
  ReadOnly,    ///< A store to constants or to a read-only buffer.
  Misaligned,  ///< An address that is not a multiple of the access size.
  Undefined,   ///< A result, address or branch depends on a value that was
               ///< never written.
  Race,        ///< Two threads access the same bytes without a barrier.
  PendingCopy, ///< An access to the destination of a copy before its wait.
  Barrier,     ///< Threads of a warp or block wait at different barriers.
  Lanes,       ///< A warp-wide instruction with missing threads.
  Deadlock,    ///< Threads wait for others that ended.
  StepLimit,   ///< The launch took too many steps.
  Launch,      ///< Arguments or extents that the kernel does not accept.
};

/// The error of a launch: "line 12: ld.shared.b32: thread (3, 0, 0) of block
/// (1, 0, 0): ...".
class Fault : public llvm::ErrorInfo<Fault> {
public:
  static char ID;
  Fault(Violation violation, unsigned line, std::string text)
      : violation(violation), line(line), text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  Violation violation;
  unsigned line; ///< Of the PTX; 0 for the launch as a whole.
  std::string text;
};

/// An argument of a kernel: a buffer, whose address the kernel receives, or a
/// value. The kernel must not access anything outside of a buffer.
struct Argument {
  void *data = nullptr;
  uint64_t bytes = 0;
  bool isValue = false;
  bool isReadOnly = false;
  /// The kernel may not depend on bytes that it did not write.
  bool isUninitialized = false;
  /// For each byte of a buffer whether it was written, 0 or 1; the launch adds
  /// what it writes. Null: all, or none if `isUninitialized`.
  uint8_t *written = nullptr;
};

/// When asynchronous copies read their source and write their destination.
/// Correct kernels compute the same with both.
enum class CopyTiming : uint8_t { AtIssue, AtWait };

struct LaunchOptions {
  std::array<unsigned, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint64_t dynamicSharedBytes = 0;
  CopyTiming copies = CopyTiming::AtWait;
  /// Global memory is checked for races like shared memory, and between blocks,
  /// which nothing orders. Takes up to 60 times the memory of the buffers.
  bool checkGlobalRaces = true;
  /// Report aligned loads that begin in a buffer and end beyond it. LLVM turns
  /// a load of three elements into one of four, because no page ends within 16
  /// aligned bytes. Bytes beyond the buffer are undefined, so a kernel that
  /// uses them violates another rule.
  bool checkWideLoads = false;
  /// Bytes that the address of each buffer is above a multiple of 512. The
  /// kernel may assume no more alignment than its `.ptr .align` states.
  unsigned addressOffset = 0;
  /// Adds this share, from -1 to 1, of the documented error bound to the
  /// results of approximate functions (Instructions/Functions.cpp).
  double approximationError = 0;
  /// Steps that all warps may take. An instruction is one step, and a product
  /// of matrices one for each 8 multiply-adds, which take about as long.
  uint64_t stepLimit = uint64_t(1) << 36;
  /// The numbers of the blocks that run, x fastest. Empty for all.
  llvm::ArrayRef<uint32_t> blocks;
};

/// A kernel in decoded form. It may be launched any number of times, by one
/// thread at a time.
class Program {
public:
  virtual ~Program();

  /// Decodes a kernel. An instruction that the machine does not know is an
  /// error with its line and name; none is skipped.
  static llvm::Expected<std::unique_ptr<Program>>
  decode(const Module &module, llvm::StringRef kernel);

  /// Runs the blocks one after the other. The first violation ends the launch
  /// with a Fault.
  virtual llvm::Expected<Counts> launch(llvm::ArrayRef<Argument> arguments,
                                        const LaunchOptions &options) const = 0;

  virtual const Kernel &kernel() const = 0;
};

} // namespace pruner::ptx

#endif // PRUNER_PTX_MACHINE_H
