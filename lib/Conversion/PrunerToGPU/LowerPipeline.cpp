//===- LowerPipeline.cpp - copies that run ahead of their use -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A serial band whose copies have several buffers. Step t uses buffer t mod n,
// and fills another one for a later step. One barrier in each step suffices: it
// ends the copies of this step, and the use of the buffer that is filled next.
//
//   for each step t:
//     wait for the asynchronous copies of step t
//     barrier
//     start the asynchronous copies of step t + n - 1, end their group
//     load what goes through registers for step t + 1
//     the statements of step t
//     store these registers
//
// Where a matrix instruction multiplies, a share of the asynchronous copies
// starts before each of its sums.
//
// Copies beyond the last step are left out, or write zeros to a buffer that no
// step reads. Their groups exist, so that the number of groups that a step
// leaves pending is always the same.
//
//===----------------------------------------------------------------------===//

#include "StageCopy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

#include <algorithm>
#include <map>
#include <utility>

using namespace mlir;
using namespace pruner;

namespace pruner {
class Pipeline {
public:
  Pipeline(GpuLowering &parent, BandOp band, ArrayRef<StageOp> stages)
      : parent(parent), builder(parent.builder), memory(parent.memory),
        band(band), loc(band.getLoc()) {
    for (int64_t trips : band.getTrips())
      total *= trips;
    for (StageOp stage : stages) {
      (stage.getAsync() ? async : held).push_back(stage);
      farthest = std::max(farthest, ahead(stage));
    }
    band.walk([&](ComputeOp compute) {
      multipliesMatrices |= compute.getInstruction().has_value();
    });
  }

  LogicalResult lower();

private:
  using Copies = std::vector<StageCopy>;
  /// Asynchronous copies for a later step, which start during the current one.
  struct Ahead {
    StageOp stage;
    StageCopy copy;
    std::vector<StageCopy::Chunk> chunks;
    /// The induction variables of the band in the later step, and the start of
    /// the buffer.
    SmallVector<IndexForm> ivs;
    IndexForm bufferStart;
    /// That the band has the later step; null if it is known.
    Value exists;
  };
  /// Chunks that the thread holds in registers, and the copies they belong to.
  using Chunks = std::vector<std::pair<StageCopy *, StageCopy::Chunk>>;

  static int64_t ahead(StageOp stage) {
    return stage.getAsync() ? stage.getBuffers() - 1 : 1;
  }
  /// Whether a step is in the band; null if it is known to be.
  struct Condition {
    bool never = false;
    Value value;
  };
  IndexForm later(const IndexForm &step, int64_t by);
  Condition exists(const IndexForm &step, int64_t by);
  void enter(const IndexForm &step);
  Value numberAfter(Value number, int64_t by, int64_t count);
  IndexForm bufferNumber(int64_t count, const IndexForm &step, int64_t by);
  void select(ArrayRef<StageOp> stages, const IndexForm &step, int64_t by);
  Copies copiesOf(ArrayRef<StageOp> stages, const IndexForm &step, int64_t by);
  LogicalResult when(Condition condition,
                     llvm::function_ref<LogicalResult()> inside);
  LogicalResult start(StageOp stage, const IndexForm &step, int64_t by);
  SmallVector<IndexForm> currentIvs();
  std::vector<Ahead> prepare(const IndexForm &step);
  void startUpTo(std::vector<Ahead> &copies, size_t &started, size_t end);
  void load(Condition condition, Chunks &chunks);
  void endGroup();
  void wait();
  LogicalResult fill();
  LogicalResult step(const IndexForm &step);

  GpuLowering &parent;
  OpBuilder &builder;
  MemoryEmitter &memory;
  BandOp band;
  Location loc;
  int64_t total = 1;
  /// Copies that are asynchronous, and those that go through registers.
  SmallVector<StageOp> async, held;
  /// The largest number of steps that a copy runs ahead.
  int64_t farthest = 0;
  /// The step multiplies by a matrix instruction.
  bool multipliesMatrices = false;
  /// Copies beyond the last step write zeros.
  bool writesZeros = false;
  Value group;
  /// In a loop: the number of the buffer of the current step, for each number
  /// of buffers that is not a power of two, as i32.
  std::map<int64_t, unsigned> places;
  SmallVector<Value> numbers;
};
} // namespace pruner

LogicalResult Pipeline::lower() {
  parent.startCopies();
  SmallVector<StageOp> stages(async);
  llvm::append_range(stages, held);
  enter(IndexForm(0));
  for (StageOp stage : async)
    if (failed(StageCopy(parent, stage).checkAsync()))
      return failure();
  parent.beforeOverwrite(stages);
  if (failed(fill()))
    return failure();
  if (total == 1)
    return step(IndexForm(0));
  for (StageOp stage : stages)
    if (int64_t count = stage.getBuffers();
        !llvm::isPowerOf2_64(count) &&
        places.try_emplace(count, numbers.size()).second)
      numbers.push_back(
          arith::ConstantIntOp::create(builder, loc, 0, /*width=*/32));
  Value filled = group;
  LogicalResult lowered = parent.emitLoop(
      total, parent.enterLoop(band),
      [&](Value index) {
        IndexForm here(IndexTerm{index, 1, total, {}});
        if (failed(step(here)))
          return failure();
        for (auto [count, place] : places)
          numbers[place] = numberAfter(numbers[place], /*by=*/1, count);
        return success();
      },
      numbers);
  // The buffers may be filled again.
  if (writesZeros)
    nvgpu::DeviceAsyncWaitOp::create(builder, loc, filled,
                                     builder.getI32IntegerAttr(0));
  return lowered;
}

/// The step `by` after `step`. It is in the band where code uses it.
IndexForm Pipeline::later(const IndexForm &step, int64_t by) {
  if (step.isConstant() || by == 0)
    return step + by;
  Value value = memory.address(loc, step + by);
  return IndexForm(IndexTerm{value, 1, total, {}});
}

Pipeline::Condition Pipeline::exists(const IndexForm &step, int64_t by) {
  if (step.isConstant())
    return {step.getConstant() + by >= total, {}};
  if (by >= total)
    return {/*never=*/true, {}};
  return {false, arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                       memory.address(loc, step),
                                       memory.index(loc, total - by))};
}

/// Emits `inside` if the condition holds.
LogicalResult Pipeline::when(Condition condition,
                             llvm::function_ref<LogicalResult()> inside) {
  if (condition.never)
    return success();
  if (!condition.value)
    return inside();
  auto ifOp =
      scf::IfOp::create(builder, loc, condition.value, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  MemoryEmitter::Scope scope(memory);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  return inside();
}

/// Lets the induction variables have their values in `step`.
void Pipeline::enter(const IndexForm &step) {
  SmallVector<IndexForm> digits = memory.digits(loc, step, band.getTrips());
  for (auto [l, digit] : llvm::enumerate(digits))
    parent.ivs[band.getBody().getArgument(l)] = digit * band.getSteps()[l];
}

/// The number, of `count`, that follows `number` after `by` < `count` steps.
Value Pipeline::numberAfter(Value number, int64_t by, int64_t count) {
  if (by == 0)
    return number;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, /*width=*/32);
  };
  Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                      number, constant(count - by));
  Value next = arith::AddIOp::create(builder, loc, number, constant(by));
  Value less =
      arith::AddIOp::create(builder, loc, number, constant(by - count));
  return arith::SelectOp::create(builder, loc, wraps, less, next);
}

/// The number of the buffer for the step `by` after `step`, of `count`.
IndexForm Pipeline::bufferNumber(int64_t count, const IndexForm &step,
                                 int64_t by) {
  if (step.isConstant())
    return IndexForm((step.getConstant() + by) % count);
  auto place = places.find(count);
  if (place == places.end()) {
    // The step may be beyond the last one.
    Value value = memory.address(loc, step + by);
    IndexForm number(IndexTerm{value, 1, total + by, {}});
    return memory.divide(loc, number, count).second;
  }
  // A counter takes fewer instructions than a division.
  Value index = arith::IndexCastUIOp::create(
      builder, loc, builder.getIndexType(),
      numberAfter(numbers[place->second], by % count, count));
  return IndexForm(IndexTerm{index, 1, count, {}});
}

/// Lets `stages` mean their buffers for the step `by` after `step`.
void Pipeline::select(ArrayRef<StageOp> stages, const IndexForm &step,
                      int64_t by) {
  for (StageOp stage : stages) {
    int64_t count = stage.getBuffers();
    int64_t elements =
        cast<MemRefType>(parent.sharedBuffer(stage).memref.getType())
            .getNumElements();
    parent.buffers[stage.getResult()].start =
        bufferNumber(count, step, by) * (elements / count);
  }
}

/// The copies for the step `by` after `step`, with their buffers selected.
Pipeline::Copies Pipeline::copiesOf(ArrayRef<StageOp> stages,
                                    const IndexForm &step, int64_t by) {
  enter(later(step, by));
  select(stages, step, by);
  Copies copies;
  for (StageOp stage : stages) {
    copies.emplace_back(parent, stage);
    if (copies.back().getWidth() > 1)
      parent.vectorCopies.insert(stage);
  }
  return copies;
}

SmallVector<IndexForm> Pipeline::currentIvs() {
  SmallVector<IndexForm> forms;
  for (Value iv : band.getBody().getArguments())
    forms.push_back(parent.ivs.lookup(iv));
  return forms;
}

/// The asynchronous copies that start in `step`.
std::vector<Pipeline::Ahead> Pipeline::prepare(const IndexForm &step) {
  std::vector<Ahead> prepared;
  for (StageOp stage : async) {
    Condition condition = exists(step, ahead(stage));
    if (condition.never)
      continue;
    StageCopy copy = copiesOf(stage, step, ahead(stage)).front();
    std::vector<StageCopy::Chunk> chunks = copy.locateAsync();
    prepared.push_back({stage, copy, std::move(chunks), currentIvs(),
                        parent.buffers[stage.getResult()].start,
                        condition.value});
  }
  enter(step);
  select(async, step, /*by=*/0);
  return prepared;
}

/// Starts the chunks of `copies` from number `started` to `end`, in the current
/// step. All of them are under a branch for each copy. A part of them is under
/// none, because it would divide the statements of the step.
void Pipeline::startUpTo(std::vector<Ahead> &copies, size_t &started,
                         size_t end) {
  size_t first = 0, count = 0;
  for (const Ahead &each : copies)
    count += each.chunks.size();
  bool all = started == 0 && end == count;
  SmallVector<IndexForm> here = currentIvs();
  auto setIvs = [&](ArrayRef<IndexForm> forms) {
    for (auto [iv, form] :
         llvm::zip_equal(band.getBody().getArguments(), forms))
      parent.ivs[iv] = form;
  };
  for (Ahead &each : copies) {
    size_t last = first + each.chunks.size();
    size_t from = std::clamp(started, first, last) - first;
    size_t to = std::clamp(end, first, last) - first;
    first = last;
    if (from == to)
      continue;
    ArrayRef<StageCopy::Chunk> chunks =
        ArrayRef(each.chunks).slice(from, to - from);
    IndexForm &start = parent.buffers[each.stage.getResult()].start;
    IndexForm startHere = start;
    setIvs(each.ivs);
    start = each.bufferStart;
    if (all || !each.copy.fillsWithZeros()) {
      (void)when({false, each.exists}, [&] {
        each.copy.copyAsync(chunks);
        return success();
      });
    } else {
      each.copy.copyAsync(chunks, each.exists);
      writesZeros |= bool(each.exists);
    }
    parent.buffers[each.stage.getResult()].start = startHere;
    setIvs(here);
  }
  started = end;
}

/// Starts the asynchronous copy for the step `by` after `step`.
LogicalResult Pipeline::start(StageOp stage, const IndexForm &step,
                              int64_t by) {
  Condition condition = exists(step, by);
  if (condition.never)
    return success();
  Copies copies = copiesOf(stage, step, by);
  return when(condition, [&] {
    StageCopy &copy = copies.front();
    copy.copyAsync(copy.locateAsync());
    return success();
  });
}

/// Loads the values of chunks that exist on `condition`.
void Pipeline::load(Condition condition, Chunks &chunks) {
  if (!condition.value) {
    for (auto &[copy, chunk] : chunks)
      copy->load(chunk);
    return;
  }
  SmallVector<Type> types;
  for (auto &[copy, chunk] : chunks)
    types.push_back(copy->valueType());
  auto ifOp = scf::IfOp::create(builder, loc, types, condition.value,
                                /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> loaded, none;
  {
    MemoryEmitter::Scope scope(memory);
    builder.setInsertionPointToStart(ifOp.thenBlock());
    for (auto &[copy, chunk] : chunks) {
      copy->load(chunk);
      loaded.push_back(chunk.value);
    }
    scf::YieldOp::create(builder, loc, loaded);
  }
  builder.setInsertionPointToStart(ifOp.elseBlock());
  for (Type type : types)
    none.push_back(
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)));
  scf::YieldOp::create(builder, loc, none);
  for (auto [entry, result] : llvm::zip_equal(chunks, ifOp.getResults()))
    entry.second.value = result;
}

void Pipeline::endGroup() {
  if (async.empty())
    return;
  auto end = nvgpu::DeviceAsyncCreateGroupOp::create(
      builder, loc, nvgpu::DeviceAsyncTokenType::get(builder.getContext()),
      ValueRange());
  // The parser takes what follows an op without operands and attributes for
  // operands.
  end->setAttr("all", builder.getUnitAttr());
  group = end;
}

/// Waits for the copies of the current step. The groups of later steps may be
/// pending.
void Pipeline::wait() {
  if (async.empty())
    return;
  int64_t nearest = farthest;
  for (StageOp stage : async)
    nearest = std::min(nearest, ahead(stage));
  nvgpu::DeviceAsyncWaitOp::create(builder, loc, group,
                                   builder.getI32IntegerAttr(nearest - 1));
}

/// Emits the copies that the first steps use, as steps before the first one
/// would have made them.
LogicalResult Pipeline::fill() {
  for (int64_t t = -farthest; t < 0; ++t) {
    for (StageOp stage : async)
      if (t + ahead(stage) >= 0 &&
          failed(start(stage, IndexForm(t), ahead(stage))))
        return failure();
    endGroup();
  }
  for (StageCopy &copy : copiesOf(held, IndexForm(0), /*by=*/0))
    if (failed(copy.copyInBatches()))
      return failure();
  return success();
}

LogicalResult Pipeline::step(const IndexForm &step) {
  wait();
  parent.barrier();
  std::vector<Ahead> starting = prepare(step);
  size_t numChunks = 0, numStarted = 0;
  for (const Ahead &each : starting)
    numChunks += each.chunks.size();
  bool isGroupOpen = true;
  parent.copiesAhead = [&](int64_t part, int64_t parts) {
    startUpTo(starting, numStarted,
              std::max(numStarted, numChunks * (part + 1) / parts));
    if (numStarted == numChunks && std::exchange(isGroupOpen, false))
      endGroup();
  };
  if (!multipliesMatrices)
    parent.startCopies();

  Condition more = exists(step, 1);
  Copies copies;
  Chunks chunks;
  if (!held.empty() && !more.never) {
    copies = copiesOf(held, step, /*by=*/1);
    int64_t elements = 0;
    for (StageCopy &copy : copies)
      elements += copy.elementsPerThread();
    if (elements > kMaxHeldElements) {
      parent.startCopies(); // Not under the condition.
      // Too many for registers. Other warps compute meanwhile.
      if (failed(when(more, [&] {
            for (StageCopy &copy : copies)
              if (failed(copy.copyInBatches()))
                return failure();
            return success();
          })))
        return failure();
    } else {
      for (StageCopy &copy : copies)
        for (int64_t n = 0; n < copy.iterations(); ++n)
          chunks.push_back({&copy, copy.locate(IndexForm(n))});
      load(more, chunks);
    }
  }

  enter(step);
  select(held, step, /*by=*/0);
  LogicalResult lowered = parent.lowerBlock(band.getBody().front());
  parent.startCopies();
  parent.copiesAhead = nullptr;
  if (failed(lowered))
    return failure();

  if (chunks.empty())
    return success();
  select(held, step, /*by=*/1);
  return when(more, [&] {
    for (auto &[copy, chunk] : chunks)
      copy->store(chunk);
    return success();
  });
}

LogicalResult GpuLowering::lowerPipeline(BandOp band,
                                         ArrayRef<StageOp> stages) {
  return Pipeline(*this, band, stages).lower();
}
