//===- Control.cpp - branches, barriers, fences ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lanes.h"

using namespace pruner::ptx;

static void doNothing(Warp &, const Op &, uint32_t) {}

static void decodeBranch(Decoder &d) {
  d.op.pipe = Pipe::Control;
  d.op.flow = Flow::Branch;
  d.take("uni");
  d.op.target = d.label();
}

static void decodeExit(Decoder &d) {
  d.op.pipe = Pipe::Control;
  d.op.flow = Flow::Exit;
  d.take("uni");
}

/// Orders the accesses of the lanes of its mask before it and after it, if
/// these are all lanes of the warp. With fewer lanes it only waits.
static void synchronizeWarp(Warp &warp, const Op &, uint32_t active) {
  if (active == warp.live)
    ++warp.clock[warp.index];
}

static void decodeBarrier(Decoder &d) {
  d.op.pipe = Pipe::Control;
  if (d.take("warp")) {
    if (!d.take("sync"))
      return d.fail("the instruction is not supported");
    d.op.flow = Flow::Converge;
    d.op.execute = synchronizeWarp;
    d.source(kB32);
    return;
  }
  d.take("cta");
  // bar.sync is barrier.sync.aligned.
  if (!d.take("sync"))
    return d.fail("the instruction is not supported");
  d.op.isAligned = d.take("aligned") || d.isOpcode("bar");
  d.op.flow = Flow::Barrier;
  d.source(kB32);
  if (d.operandsLeft())
    d.source(kB32);
}

/// Fences order accesses of one thread for others, but only a barrier
/// determines when. The race detector therefore ignores them.
static void decodeFence(Decoder &d) {
  d.op.pipe = Pipe::Lsu;
  d.op.execute = doNothing;
  d.takeOne({"sc", "acq_rel"});
  if (d.takeOne({"cta", "gl", "sys", "gpu", "cluster"}).empty())
    d.fail("expected a scope");
}

llvm::ArrayRef<InstructionClass> pruner::ptx::controlInstructions() {
  static const InstructionClass list[] = {
      {"bra", decodeBranch},      {"ret", decodeExit},
      {"exit", decodeExit},       {"bar", decodeBarrier},
      {"barrier", decodeBarrier}, {"membar", decodeFence},
      {"fence", decodeFence},
  };
  return list;
}
