//===- CheckTest.cpp - violations that a launch reports -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxTest.h"

using namespace pruner::ptx;
using namespace pruner::ptx::test;

namespace {

constexpr const char *shared = ".shared .align 16 .b8 s[512];";

struct Case {
  const char *name, *body;
  Violation violation;
  unsigned line; ///< Of the body, from 1.
  unsigned threads = 32;
};

TEST(PtxCheckTest, Violations) {
  const Case cases[] = {
      {"beyond a buffer", "ld.global.b32 %r2, [%rd3+4];",
       Violation::OutOfBounds, 1},
      {"before a buffer", "ld.global.b32 %r2, [%rd3+-4];",
       Violation::OutOfBounds, 1},
      {"null", "mov.b64 %rd5, 0;\nld.global.b32 %r2, [%rd5];",
       Violation::OutOfBounds, 2},
      {"half beyond a buffer",
       "add.s64 %rd5, %rd2, 120;\n"
       "ld.global.v4.b32 {%r2, %r3, %r4, %r5}, "
       "[%rd5];",
       Violation::OutOfBounds, 2},
      {"beyond a shared variable", "st.shared.b32 [s+512], %r1;",
       Violation::OutOfBounds, 1},
      {"before a shared variable", "st.shared.b32 [s+-4], %r1;",
       Violation::OutOfBounds, 1},
      {"generic", "ld.b32 %r2, [%rd3+4];", Violation::OutOfBounds, 1},
      {"store to an input", "st.global.b32 [%rd3], %r1;", Violation::ReadOnly,
       1},
      {"misaligned vector", "ld.global.v2.b32 {%r2, %r3}, [%rd1+4];",
       Violation::Misaligned, 1},
      {"misaligned shared vector",
       "add.s32 %r2, %r1, 0;\nld.shared.v4.b32 {%r2, %r3, %r4, %r5}, [s+8];",
       Violation::Misaligned, 2},
      {"undefined result", "st.global.b32 [%rd4], %r9;", Violation::Undefined,
       1},
      {"undefined sum", "add.s32 %r2, %r1, %r9;\nst.global.b32 [%rd4], %r2;",
       Violation::Undefined, 2},
      {"undefined address", "st.global.b32 [%rd9], %r1;", Violation::Undefined,
       1},
      {"undefined guard", "@%p1 st.global.b32 [%rd4], %r1;",
       Violation::Undefined, 1},
      {"undefined shared memory",
       "ld.shared.b32 %r2, [s];\nst.global.b32 [%rd4], %r2;",
       Violation::Undefined, 2},
      {"undefined half",
       "mov.b16 %h1, 7; st.shared.b16 [s], %h1; ld.shared.b32 %r2, [s];\n"
       "mov.b32 {%h2, %h3}, %r2; cvt.u32.u16 %r3, %h3;\n"
       "st.global.b32 [%rd2], %r3;",
       Violation::Undefined, 3, 1},
      {"undefined byte of a sum",
       "mov.b16 %h1, 7; st.shared.b16 [s], %h1; ld.shared.b32 %r2, [s];\n"
       "add.s32 %r2, %r2, 1; mov.b32 {%h3, %h2}, %r2;\n"
       "st.global.b16 [%rd2], %h2;",
       Violation::Undefined, 3, 1},
      {"defined in other lanes only",
       "setp.eq.b32 %p1, %r1, 0;\n@%p1 mov.b32 %r2, 1;\n"
       "st.global.b32 [%rd4], %r2;",
       Violation::Undefined, 3},
      {"part of an undefined output",
       "ld.global.b32 %r2, [%rd4];\nst.global.b32 [%rd4], %r2;",
       Violation::Undefined, 2},
      {"two writers", "st.shared.b32 [s], %r1;", Violation::Race, 1},
      {"read after a write",
       "mul.wide.u32 %rd5, %r1, 4;\nmov.b64 %rd6, s;\n"
       "add.s64 %rd5, %rd5, %rd6;\nst.shared.b32 [%rd5], %r1;\n"
       "xor.b64 %rd5, %rd5, 4;\nld.shared.b32 %r2, [%rd5];",
       Violation::Race, 6},
      {"write after a read",
       "mul.wide.u32 %rd5, %r1, 4;\nmov.b64 %rd6, s;\n"
       "add.s64 %rd5, %rd5, %rd6;\nst.shared.b32 [%rd5], %r1;\nbar.sync 0;\n"
       "xor.b64 %rd7, %rd5, 4;\nld.shared.b32 %r2, [%rd7];\n"
       "st.shared.b32 [%rd5], %r2;",
       Violation::Race, 8, 64},
      {"a barrier of part of the block",
       "mul.wide.u32 %rd5, %r1, 4;\nmov.b64 %rd6, s;\n"
       "add.s64 %rd5, %rd5, %rd6;\nst.shared.b32 [%rd5], %r1;\n"
       "shr.u32 %r5, %r1, 6;\nadd.s32 %r5, %r5, 1;\n"
       "barrier.sync %r5, 64;\nxor.b64 %rd7, %rd5, 256;\n"
       "ld.shared.b32 %r2, [%rd7];",
       Violation::Race, 9, 128},
      {"global race", "st.global.b32 [%rd2], %r1;", Violation::Race, 1},
      {"divergent barrier",
       "setp.lt.u32 %p1, %r1, 5;\n@%p1 bra $L;\nbar.sync 0;\n$L:\n",
       Violation::Deadlock, 3},
      {"divergent barrier before a join",
       "setp.lt.u32 %p1, %r1, 5;\n@%p1 bra $L;\nbar.sync 0;\n$L: "
       "bar.sync 1;",
       Violation::Barrier, 3},
      {"two different barriers",
       "setp.lt.u32 %p1, %r1, 32;\n@%p1 bra $L;\nbar.sync 0;\nret;\n$L: "
       "bar.sync 0;",
       Violation::Barrier, 3, 64},
      {"a warp ended", "setp.lt.u32 %p1, %r1, 32;\n@%p1 ret;\nbar.sync 0;",
       Violation::Deadlock, 3, 64},
      {"shuffle with a missing lane",
       "setp.eq.b32 %p1, %r1, 3;\n@%p1 bra $L;\n"
       "shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;\nadd.s32 %r3, %r2, 1;\n$L:",
       Violation::Lanes, 3},
      {"shuffle with a guard",
       "setp.lt.u32 %p1, %r1, 16;\n"
       "@%p1 shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;",
       Violation::Lanes, 2},
      {"barrier with a guard", "setp.lt.u32 %p1, %r1, 16;\n@%p1 bar.sync 0;",
       Violation::Barrier, 2},
      {"shuffle beyond its mask",
       "setp.ge.u32 %p1, %r1, 16;\n@%p1 bra $L;\n"
       "shfl.sync.bfly.b32 %r2, %r1, 16, 31, 0xFFFF;\n$L:",
       Violation::Lanes, 3},
      {"shuffle outside of its mask",
       "shfl.sync.bfly.b32 %r2, %r1, 1, 31, 0xFFFF;", Violation::Lanes, 1},
      {"no end", "$L: bra $L;", Violation::StepLimit, 1},
      {"written constant data",
       "st.global.b32 [%rd4], %r1;\nld.global.nc.b32 %r2, [%rd4];",
       Violation::Race, 2},
  };
  LaunchOptions options;
  options.stepLimit = 10000;
  for (const Case &test : cases) {
    Outcome outcome = run(test.body, test.threads, shared, options);
    ASSERT_TRUE(outcome.violation) << test.name << outcome.message;
    EXPECT_EQ(int(*outcome.violation), int(test.violation))
        << test.name << ": " << outcome.message;
    EXPECT_EQ(outcome.line, test.line + kBodyLine - 1)
        << test.name << ": " << outcome.message;
  }
}

TEST(PtxCheckTest, MessagesNameThreadsAndLines) {
  Outcome outcome =
      run("mul.wide.u32 %rd5, %r1, 4;\nmov.b64 %rd6, s;\n"
          "add.s64 %rd5, %rd5, %rd6;\nst.shared.b32 [%rd5], %r1;\n"
          "xor.b64 %rd5, %rd5, 4;\nld.shared.b32 %r2, [%rd5];",
          32, shared);
  EXPECT_EQ(outcome.message,
            "line 16: ld.shared.b32: thread (0, 0, 0) of block (0, 0, 0): "
            "race: thread (1, 0, 0) of block (0, 0, 0) wrote offset 4 of 's' "
            "in line 14");
  outcome = run("ld.global.b32 %r2, [%rd3+4];");
  EXPECT_EQ(outcome.message,
            "line 11: ld.global.b32: thread (31, 0, 0) of block (0, 0, 0): 4 "
            "bytes at offset 128 of 'in', which has 128 bytes");
}

TEST(PtxCheckTest, LoadsThatEndBehindABuffer) {
  const char *load = "ld.global.v4.b32 {%r2, %r3, %r4, %r5}, [%rd1+16];\n"
                     "add.s32 %r2, %r2, %r3; add.s32 %r2, %r2, %r4;\n";
  std::string store = "st.global.b32 [%rd2], %r2;",
              use = "add.s32 %r2, %r2, %r5;\n";
  LaunchOptions options;
  Outcome outcome = run(load + store, 1, "", options, 7);
  EXPECT_EQ(outcome.message, "");
  EXPECT_EQ(outcome.out[0], 4u + 5 + 6);
  outcome = run(load + use + store, 1, "", options, 7);
  EXPECT_EQ(outcome.violation, Violation::Undefined);
  outcome = run(load + store, 1, "", options, 4);
  EXPECT_EQ(outcome.violation, Violation::OutOfBounds);
  options.checkWideLoads = true;
  outcome = run(load + store, 1, "", options, 7);
  EXPECT_EQ(outcome.violation, Violation::OutOfBounds);
}

TEST(PtxCheckTest, RacesBetweenBlocks) {
  LaunchOptions options;
  options.grid = {2, 1, 1};
  Outcome outcome = run("st.global.b32 [%rd4], %r1;", 32, "", options);
  EXPECT_EQ(outcome.violation, Violation::Race);
  options.checkGlobalRaces = false;
  outcome = run("st.global.b32 [%rd4], %r1;", 32, "", options);
  EXPECT_EQ(outcome.message, "");
  // Atomic operations do not race with each other.
  options.checkGlobalRaces = true;
  outcome =
      run("mov.b32 %r2, 1;\nred.global.exch.b32 [%rd2], %r2;", 32, "", options);
  EXPECT_EQ(outcome.violation, std::nullopt);
}

TEST(PtxCheckTest, CorrectKernels) {
  const char *const bodies[] = {
      // A write, a barrier, reads by other threads, a barrier, a write.
      "mul.wide.u32 %rd5, %r1, 4; mov.b64 %rd6, s; add.s64 %rd5, %rd5, %rd6;\n"
      "st.shared.b32 [%rd5], %r1; bar.sync 0; xor.b64 %rd7, %rd5, 4;\n"
      "ld.shared.b32 %r2, [%rd7]; bar.sync 0; st.shared.b32 [%rd5], %r2;\n"
      "st.global.b32 [%rd4], %r2;",
      // The same with a barrier of the warp.
      "mul.wide.u32 %rd5, %r1, 4; mov.b64 %rd6, s; add.s64 %rd5, %rd5, %rd6;\n"
      "st.shared.b32 [%rd5], %r1; bar.warp.sync -1; xor.b64 %rd7, %rd5, 4;\n"
      "ld.shared.b32 %r2, [%rd7]; bar.warp.sync -1;\n"
      "st.shared.b32 [%rd5], %r2; st.global.b32 [%rd4], %r2;",
      // Undefined values that are not used.
      "ld.shared.b32 %r2, [s]; add.s32 %r3, %r2, %r9;\n"
      "setp.ge.u32 %p1, %r1, 0; selp.b32 %r4, %r1, %r3, %p1;\n"
      "st.global.b32 [%rd4], %r4;",
      // Halves and bytes of a word that is not completely written.
      "mul.wide.u32 %rd5, %r1, 4; mov.b64 %rd6, s; add.s64 %rd5, %rd5, %rd6;\n"
      "mov.b16 %h1, 7; st.shared.b16 [%rd5], %h1; ld.shared.b32 %r2, [%rd5];\n"
      "mov.b32 {%h2, %h3}, %r2; cvt.u32.u16 %r3, %h2; shl.b32 %r4, %r2, 16;\n"
      "shr.u32 %r4, %r4, 16; add.s32 %r3, %r3, %r4; and.b32 %r5, %r2, 65535;\n"
      "add.s32 %r3, %r3, %r5; prmt.b32 %r6, %r2, 0, 0x4410;\n"
      "add.s32 %r3, %r3, %r6; cvt.u16.u32 %h4, %r2; cvt.u32.u16 %r7, %h4;\n"
      "add.s32 %r3, %r3, %r7; selp.b32 %r8, %r2, %r2, %p8;\n"
      "st.global.b32 [%rd4], %r3;",
      // Early exits of whole threads without later barriers.
      "setp.ge.u32 %p1, %r1, 7;\n@%p1 ret;\nst.global.b32 [%rd4], %r1;",
  };
  for (const char *body : bodies)
    EXPECT_EQ(run(body, 64, shared).message, "") << body;
}

TEST(PtxCheckTest, Launches) {
  auto module = parse(kernelText("ret;"));
  ASSERT_TRUE(bool(module));
  auto program = Program::decode(*module, "k");
  ASSERT_TRUE(bool(program));
  uint64_t data[4] = {};
  Argument buffer;
  buffer.data = data;
  buffer.bytes = sizeof(data);
  auto message = [&](std::vector<Argument> arguments, LaunchOptions options) {
    auto counts = (*program)->launch(arguments, options);
    return counts ? "" : llvm::toString(counts.takeError());
  };
  LaunchOptions options;
  EXPECT_EQ(message({buffer, buffer}, options), "");
  EXPECT_EQ(message({buffer}, options), "expected 2 arguments but got 1");
  Argument scalar = buffer;
  scalar.isValue = true;
  scalar.bytes = 4;
  EXPECT_EQ(message({buffer, scalar}, options),
            "parameter 'out' has 8 bytes, but got 4");
  options.block = {1024, 2, 1};
  EXPECT_EQ(message({buffer, buffer}, options),
            "a launch has 1 to 1024 threads and 1 to 2^32-1 blocks");
}

} // namespace
