//===- EmulateKernelTest.cpp - GPU kernels without a GPU ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Measure/Tasks.h"
#include "DoublingKernel.h"
#include "mlir/IR/MLIRContext.h"
#include "pruner/Builder/Candidate.h"
#include "pruner/Worker/RunArtifact.h"
#include "gtest/gtest.h"

using namespace pruner;

namespace {
/// y = 2 x for `n` elements, with its reference.
struct DoubledTask {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::optional<TaskProgram> task;
  std::optional<Reference> reference;

  explicit DoubledTask(int n) {
    mlir::DialectRegistry registry;
    registerBuilderDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    std::string text = mapTask(n,
                               "    %y = arith.mulf %a, %c : f32\n"
                               "    linalg.yield %y : f32\n",
                               "2.0");
    task.emplace(llvm::cantFail(TaskProgram::parse(context, text)));
    reference.emplace(llvm::cantFail(makeReference(*task, text, 1, "")));
  }

  RunReply emulate(std::string text, llvm::json::Object launch,
                   int64_t limit = 1 << 20) {
    RunRequest request;
    request.id = 5;
    request.format = "ptx";
    request.entry = "k";
    request.artifact = std::move(text);
    request.facts["launch"] = std::move(launch);
    request.emulate = limit;
    return emulateKernel(*task, *reference, request);
  }
};
} // namespace

static llvm::json::Object launchOf(int grid, int block) {
  return llvm::json::Object{{"grid", llvm::json::Array{grid}},
                            {"block", llvm::json::Array{block}}};
}

TEST(EmulateKernel, AcceptsRightResultsAndNoOthers) {
  DoubledTask doubled(64);
  RunReply reply = doubled.emulate(kernel("0f40000000"), launchOf(1, 64));
  EXPECT_EQ(int(reply.status), int(MeasureStatus::Ok)) << reply.reason;
  EXPECT_EQ(reply.id, 5);
  EXPECT_EQ(reply.emulated, 1.0);
  EXPECT_FALSE(reply.verified);
  EXPECT_TRUE(reply.times.empty());

  auto expectWrong = [&](RunReply reply, const char *text) {
    EXPECT_EQ(int(reply.status), int(MeasureStatus::WrongResult));
    EXPECT_NE(reply.reason.find(text), std::string::npos) << reply.reason;
    EXPECT_FALSE(reply.emulated);
  };
  expectWrong(doubled.emulate(kernel("0f40400000"), launchOf(1, 64)),
              "in the PTX machine, reals: result 0: ");
  // Too few threads, and too many.
  expectWrong(doubled.emulate(kernel("0f40000000"), launchOf(1, 32)),
              "in the PTX machine, reals: result 0: element 32 was never "
              "written");
  expectWrong(doubled.emulate(kernel("0f40000000"), launchOf(1, 96)),
              "in the PTX machine, integers: k: line 14: ld.global.f32: thread "
              "(64, 0, 0) of block (0, 0, 0): ");
}

/// As `kernel`, for blocks of 32 threads. Blocks from `first` on multiply by 3.
static std::string blocksKernel(unsigned first, unsigned threads = 32) {
  std::string text = kernel("%f0");
  auto replace = [&](const std::string &from, const std::string &to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("mov.u32 %r1, %tid.x;",
          ".reg .pred %p<2>; .reg .u32 %b<3>;\n"
          "  mov.u32 %b1, %ctaid.x; mov.u32 %r1, %tid.x;\n"
          "  setp.ge.u32 %p1, %r1, " +
              std::to_string(threads) +
              ";\n  @%p1 ret;\n  mad.lo.u32 %r1, %b1, 32, %r1;\n"
              "  setp.ge.u32 %p0, %b1, " +
              std::to_string(first) +
              ";\n  selp.f32 %f0, 0f40400000, 0f40000000, %p0;");
  return text;
}

TEST(EmulateKernel, RunsAsManyBlocksAsTheLimitPermits) {
  constexpr int blocks = 64;
  DoubledTask doubled(32 * blocks);
  RunReply all = doubled.emulate(blocksKernel(blocks), launchOf(blocks, 32));
  EXPECT_EQ(int(all.status), int(MeasureStatus::Ok)) << all.reason;
  EXPECT_EQ(all.emulated, 1.0);

  // Some blocks of each set; the last one is among them.
  const int64_t limit = 16 * 6 * int64_t(doubled.reference->sets.size());
  RunReply some =
      doubled.emulate(blocksKernel(blocks), launchOf(blocks, 32), limit);
  EXPECT_EQ(int(some.status), int(MeasureStatus::Ok)) << some.reason;
  ASSERT_TRUE(some.emulated);
  EXPECT_GT(*some.emulated, 0);
  EXPECT_LT(*some.emulated, 0.2);
  RunReply last =
      doubled.emulate(blocksKernel(blocks - 1), launchOf(blocks, 32), limit);
  EXPECT_EQ(int(last.status), int(MeasureStatus::WrongResult));
  EXPECT_NE(last.reason.find("32 of 2048 elements differ, the first at [2016]"),
            std::string::npos)
      << last.reason;

  // The first block writes less than its share.
  RunReply part =
      doubled.emulate(blocksKernel(blocks, 8), launchOf(blocks, 32), limit);
  EXPECT_EQ(int(part.status), int(MeasureStatus::WrongResult));
  EXPECT_EQ(part.reason,
            "in the PTX machine, integers: result 0: the first of 64 blocks "
            "wrote 8 elements, expected 32 or more");

  // Not even one block, and what the machine does not run.
  RunReply none =
      doubled.emulate(blocksKernel(blocks), launchOf(blocks, 32), 10);
  EXPECT_EQ(int(none.status), int(MeasureStatus::Unmeasured));
  EXPECT_EQ(none.reason, "the PTX machine would execute more than 10 "
                         "instructions of warps");
  RunReply unknown =
      doubled.emulate(kernel("0f40000000;\n  wgmma.fence"), launchOf(1, 64));
  EXPECT_EQ(int(unknown.status), int(MeasureStatus::Unmeasured));
  EXPECT_NE(unknown.reason.find("unknown instruction 'wgmma.fence'"),
            std::string::npos);
  RunReply nothing = doubled.emulate(kernel("0f40000000"), {});
  EXPECT_EQ(int(nothing.status), int(MeasureStatus::RunError));
}
