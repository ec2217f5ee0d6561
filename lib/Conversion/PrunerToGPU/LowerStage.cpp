//===- LowerStage.cpp - groups of copies and their barriers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageCopy.h"

using namespace mlir;
using namespace pruner;

/// Batches that are expanded instead of emitted as a loop.
static constexpr int64_t kMaxBatches = 4;

/// Repeatedly loads as many chunks as registers may hold and stores them.
LogicalResult StageCopy::copyInBatches() {
  int64_t batch = std::max<int64_t>(1, kMaxHeldElements / width);
  auto copy = [&](const IndexForm &first, int64_t count) {
    std::vector<Chunk> chunks;
    for (int64_t n = 0; n < count; ++n)
      load(chunks.emplace_back(locate(first + n)));
    for (const Chunk &chunk : chunks)
      store(chunk);
  };
  int64_t batches = iterations() / batch;
  if (batches <= kMaxBatches) {
    for (int64_t n = 0; n < batches; ++n)
      copy(IndexForm(n * batch), batch);
  } else if (failed(parent.emitLoop(batches, {}, [&](Value index) {
               copy(IndexForm(IndexTerm{index, batch, batches, {}}), batch);
               return success();
             }))) {
    return failure();
  }
  copy(IndexForm(batches * batch), iterations() % batch);
  return success();
}

LogicalResult GpuLowering::lowerStages(ArrayRef<StageOp> stages) {
  startCopies();
  std::vector<StageCopy> copies;
  int64_t held = 0;
  for (StageOp stage : stages) {
    copies.emplace_back(*this, stage);
    held += copies.back().elementsPerThread();
    if (copies.back().getWidth() > 1)
      vectorCopies.insert(stage);
  }
  // Global loads in flight are free while the block waits for its slowest
  // thread.
  if (held <= kMaxHeldElements) {
    std::vector<std::pair<StageCopy *, StageCopy::Chunk>> chunks;
    for (StageCopy &copy : copies)
      for (int64_t n = 0; n < copy.iterations(); ++n) {
        chunks.push_back({&copy, copy.locate(IndexForm(n))});
        copy.load(chunks.back().second);
      }
    beforeOverwrite(stages);
    for (auto &[copy, chunk] : chunks)
      copy->store(chunk);
  } else {
    beforeOverwrite(stages);
    for (StageCopy &copy : copies)
      if (failed(copy.copyInBatches()))
        return failure();
  }
  for (StageOp stage : stages)
    writtenShared.insert(stage.getResult());
  return success();
}
