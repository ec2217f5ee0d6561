//===- PtxTest.h - small kernels of PTX -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_UNITTESTS_PTX_PTXTEST_H
#define PRUNER_UNITTESTS_PTX_PTXTEST_H

#include "pruner/Ptx/Machine.h"

#include "gtest/gtest.h"

namespace pruner::ptx::test {

/// A kernel with two parameters, `in` and `out`, whose addresses are in %rd1
/// and %rd2; %r1 is the number of the thread, and %rd3, %rd4 are the addresses
/// of its 4 bytes of `in` and `out`. `body` begins in line kBodyLine.
inline std::string kernelText(llvm::StringRef body,
                              llvm::StringRef variables = "",
                              llvm::StringRef chip = "sm_80") {
  return (".version 7.0\n.target " + chip + "\n.address_size 64\n" + variables +
          "\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
          ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<99>; "
          ".reg .b64 %rd<99>;\n"
          "ld.param.b64 %rd1, [in]; ld.param.b64 %rd2, [out];\n"
          "mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;\n"
          "add.s64 %rd4, %rd3, %rd2; add.s64 %rd3, %rd3, %rd1;\n" +
          body + "\nret;\n}\n")
      .str();
}
constexpr unsigned kBodyLine = 11;

/// The outcome of a launch.
struct Outcome {
  std::vector<uint32_t> out;
  Counts counts;
  std::optional<Violation> violation;
  unsigned line = 0;
  std::string message;
};

/// Launches the kernel of `text` with `in` and `outWords` elements of `out`.
inline Outcome launch(const std::string &text, std::vector<uint32_t> in,
                      unsigned outWords, LaunchOptions options) {
  Outcome outcome;
  auto module = parse(text);
  if (!module) {
    outcome.message = llvm::toString(module.takeError());
    return outcome;
  }
  auto program = Program::decode(*module, "k");
  if (!program) {
    outcome.message = llvm::toString(program.takeError());
    return outcome;
  }
  outcome.out.assign(outWords, 0xdeadbeef);
  Argument arguments[2];
  arguments[0].data = in.data();
  arguments[0].bytes = 4 * in.size();
  arguments[0].isReadOnly = true;
  arguments[1].data = outcome.out.data();
  arguments[1].bytes = 4 * outWords;
  arguments[1].isUninitialized = true;
  auto counts = (*program)->launch(arguments, options);
  if (counts)
    outcome.counts = *counts;
  else
    llvm::handleAllErrors(counts.takeError(), [&](const Fault &fault) {
      outcome.violation = fault.violation;
      outcome.line = fault.line;
      outcome.message = fault.text;
    });
  return outcome;
}

/// Runs `body` with `in` = 0, 1, 2, ... and as many elements of `out`.
inline Outcome run(llvm::StringRef body, unsigned threads = 32,
                   llvm::StringRef variables = "", LaunchOptions options = {},
                   unsigned elements = 0, llvm::StringRef chip = "sm_80") {
  options.block = {threads, 1, 1};
  if (!elements)
    elements = std::max(threads * options.grid[0], 4u);
  std::vector<uint32_t> in(elements);
  for (unsigned n = 0; n != elements; ++n)
    in[n] = n;
  return launch(kernelText(body, variables, chip), std::move(in), elements,
                options);
}

/// The vector operand of `count` registers %r from number `first` on.
inline std::string registerList(unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned n = 0; n != count; ++n)
    text += (n ? ", %r" : "%r") + std::to_string(first + n);
  return text + "}";
}

/// The value that `body` leaves in %r2 or %rd5, of one thread.
inline uint64_t compute(llvm::StringRef body, bool is64 = false,
                        llvm::StringRef chip = "sm_80") {
  Outcome outcome = run((body + (is64 ? "\nst.global.b64 [%rd2], %rd5;"
                                      : "\nst.global.b32 [%rd2], %r2;"))
                            .str(),
                        1, "", {}, 0, chip);
  EXPECT_EQ(outcome.message, "") << body.str();
  return is64 ? uint64_t(outcome.out[1]) << 32 | outcome.out[0]
              : outcome.out[0];
}

} // namespace pruner::ptx::test

#endif // PRUNER_UNITTESTS_PTX_PTXTEST_H
