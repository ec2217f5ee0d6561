//===- CopyTest.cpp - asynchronous copies ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxTest.h"

using namespace pruner::ptx;
using namespace pruner::ptx::test;

namespace {

/// 64 threads each copy 4 bytes. `wait` and `barrier` follow; then each thread
/// reads what thread `other` copied.
std::string copyKernel(const char *wait, const char *barrier,
                       const char *other) {
  return std::string("mul.wide.u32 %rd5, %r1, 4; mov.b64 %rd6, s;\n"
                     "add.s64 %rd5, %rd5, %rd6;\n"
                     "cp.async.ca.shared.global [%rd5], [%rd3], 4;\n"
                     "cp.async.commit_group;\n") +
         wait + barrier + "xor.b64 %rd7, %rd5, " + other +
         ";\nld.shared.b32 %r2, [%rd7];\nst.global.b32 [%rd4], %r2;";
}

Outcome runCopies(const std::string &body, CopyTiming timing) {
  LaunchOptions options;
  options.copies = timing;
  return run(body, 64, ".shared .align 16 .b8 s[512];", options);
}

TEST(PtxCopyTest, VisibleAfterWaitAndBarrier) {
  for (CopyTiming timing : {CopyTiming::AtIssue, CopyTiming::AtWait}) {
    auto outcome = runCopies(
        copyKernel("cp.async.wait_group 0;\n", "bar.sync 0;\n", "4"), timing);
    EXPECT_EQ(outcome.message, "");
    for (unsigned n = 0; n != 64; ++n)
      EXPECT_EQ(outcome.out[n], n ^ 1);
    // Its own copy needs no barrier.
    EXPECT_EQ(
        runCopies(copyKernel("cp.async.wait_all;\n", "", "0"), timing).message,
        "");
    EXPECT_EQ(
        runCopies(copyKernel("cp.async.wait_group 1;\n", "bar.sync 0;\n", "4"),
                  timing)
            .violation,
        Violation::PendingCopy);
    EXPECT_EQ(runCopies(copyKernel("", "bar.sync 0;\n", "0"), timing).violation,
              Violation::PendingCopy);
    // A barrier before the wait does not order what the wait completes.
    EXPECT_EQ(runCopies(copyKernel("bar.sync 0;\n", "cp.async.wait_group 0;\n",
                                   "128"),
                        timing)
                  .violation,
              Violation::PendingCopy);
    EXPECT_EQ(runCopies(copyKernel("cp.async.wait_group 0;\n", "", "0"), timing)
                  .violation,
              std::nullopt);
  }
  // In one warp all lanes have waited, but nothing orders them.
  EXPECT_EQ(runCopies(copyKernel("cp.async.wait_group 0;\n", "", "4"),
                      CopyTiming::AtWait)
                .violation,
            Violation::Race);
}

TEST(PtxCopyTest, UncommittedCopiesAreInNoGroup) {
  std::string body =
      copyKernel("cp.async.wait_group 0;\n", "bar.sync 0;\n", "4");
  size_t commit = body.find("cp.async.commit_group;\n");
  body.erase(commit, std::string("cp.async.commit_group;\n").size());
  EXPECT_EQ(runCopies(body, CopyTiming::AtWait).violation,
            Violation::PendingCopy);
}

TEST(PtxCopyTest, SourceBytesAndAlignment) {
  const char *variables = ".shared .align 16 .b8 s[512];";
  auto outcome = run("mov.b32 %r5, 4;\n"
                     "cp.async.ca.shared.global [s], [%rd1], 8, %r5;\n"
                     "cp.async.wait_all;\n"
                     "ld.shared.v2.b32 {%r2, %r3}, [s];\n"
                     "add.s32 %r2, %r2, %r3;\nst.global.b32 [%rd2], %r2;",
                     1, variables);
  EXPECT_EQ(outcome.message, "");
  EXPECT_EQ(outcome.out[0], 0u);
  outcome = run("cp.async.cg.shared.global [s], [%rd1+4], 16;\n"
                "cp.async.wait_all;",
                1, variables, {}, 16);
  EXPECT_EQ(outcome.violation, Violation::Misaligned);
  outcome =
      run("cp.async.cg.shared.global [s+8], [%rd1], 16;", 1, variables, {}, 16);
  EXPECT_EQ(outcome.violation, Violation::Misaligned);
  outcome = run("cp.async.cg.shared.global [s], [%rd1+48], 16;\n"
                "cp.async.wait_all;",
                1, variables, {}, 8);
  EXPECT_EQ(outcome.violation, Violation::OutOfBounds);
}

} // namespace
