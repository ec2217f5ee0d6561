//===- WarpWork.cpp - what a warp executes --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GpuModel.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace pruner;
using namespace pruner::detail;
using llvm::ArrayRef;

/// The larger staged operand of a reduction step streams through this many
/// registers.
static constexpr double kStreamRegisters = 8;
/// Instructions: to split an index by a constant and use both parts; for the
/// address of a copied element; for the bounds checks of a coordinate of it;
/// for the 64-bit address of an operand in place; of an iteration; of the
/// barriers of a step.
static constexpr double kSplit = 12, kElement = 1, kInside = 6, kAddress = 4,
                        kIteration = 3, kStep = 20;
/// More instructions of a step whose copies run ahead: conditions, and the
/// number of the buffer. Counted in the SASS of products for sm_90 with two to
/// five buffers (20 to 30).
static constexpr double kStepAhead = 24;
/// The elements that lowering holds between a load and a store, and the batches
/// of such elements that it expands.
static constexpr double kMostHeld = 32, kMostBatches = 4;
/// Addresses of copied elements that a thread keeps from step to step.
static constexpr double kKeptAddresses = 16;
/// More registers of a thread that multiplies on tensor cores: the positions of
/// its rows in both inputs, and the numbers of the buffers.
static constexpr double kMatrixRegisters = 8;
/// More registers for an asynchronous copy that starts between products: its
/// condition, and positions in the step that it runs ahead. With fewer, more
/// first drafts spill.
static constexpr double kAheadRegisters = 4;
/// Loads of a thread in place that are in flight together.
static constexpr double kInFlight = 8;
/// The part of a latency that each further load of a copy adds: measured on an
/// H200 for 1 to 32 loads of a warp.
static constexpr double kNextLoad = 0.02;
/// Latencies in cycles: of main memory (half of that for L2), of shared memory,
/// of a multiply-add; between dependent instructions. Round numbers for Volta
/// to Ampere; the order of schedules hardly depends on them.
static constexpr double kMemoryLatency = 500, kSharedLatency = 25,
                        kFmaLatency = 4, kDependent = 2;
/// Cycles of both barriers of a step: in all, and for each warp of the block.
/// Measured on an H200 with blocks of 32 to 1,024 threads.
static constexpr double kBarriers = 25, kBarrierOfWarp = 4;
/// A division or mathematical function, in multiply-adds.
static constexpr double kFunction = 12;
/// Instructions that compute the address of a copy in each step, because no
/// register holds it from step to step: a sum of 64 bits. On an H200, schedules
/// with hundreds of such addresses spill nothing or little.
static constexpr double kRecomputed = 2;
/// Loads and stores of a spilled register for each reduction point, and the
/// passes of one: 3.6 to 4 on an H200.
static constexpr double kSpillAccesses = 4, kSpillPasses = 4;
/// Instructions of an element that is written or read in place, with its
/// address; passes of a stored sector, because L2 takes half as many bytes as
/// it delivers.
static constexpr double kAccessInstructions = 3, kStorePasses = 2;

/// Multiply-add instructions of one iteration point.
static double arithmeticOf(const OpCounts &ops) {
  double functions = double(ops.floatMath + ops.floatDivMod + ops.intDivMod);
  double fused = double(std::min(ops.floatMul, ops.floatAddSub));
  return double(ops.arithmetic()) - fused + (kFunction - 1) * functions;
}

//===----------------------------------------------------------------------===//
// A reduction
//===----------------------------------------------------------------------===//

/// Passes of the load/store units for one load of `width` elements.
static double loadPasses(const Nest &nest, const AccessSummary &access,
                         int64_t width, const Machine &machine) {
  const BufferSummary &buffer = nest.bufferOf(access);
  Addresses address = nest.laneAddresses(access, machine);
  // In place at least two passes, according to records of an A100 and an A4000.
  // L1 has the banks of shared memory.
  double least = buffer.level == MemoryLevel::Shared
                     ? double(machine.lanes) / machine.sm.loadStoreLanes
                     : 2;
  return std::max(least,
                  bankPasses(address, double(width * buffer.elementBytes),
                             machine.sm.sharedBytesPerCycle,
                             buffer.level == MemoryLevel::Shared));
}

/// Whether blocks extend beyond the end of the result.
static bool isGuarded(const Nest &nest) {
  const AccessSummary &out = nest.statement.accesses.back();
  ArrayRef<int64_t> shape = nest.bufferOf(out).tensorShape;
  for (unsigned r = 0; r < shape.size(); ++r) {
    int64_t span = 1;
    for (unsigned l = 0; l < nest.roles.size(); ++l)
      span += std::abs(nest.movesOf(out, l)[r]) *
              (nest.statement.loops[l].extent - 1);
    if (span > shape[r])
      return true;
  }
  return false;
}

/// The elements that the unrolled code loads from memory. Overlapping windows
/// are read once if `room` registers hold the elements between the uses.
static double readsOf(const Nest &nest, const AccessSummary &access,
                      bool mayShare, double &room) {
  double reads = 1, inner = 1;
  unsigned rank = nest.bufferOf(access).tensorShape.size();
  for (unsigned r = rank; r-- > 0;) {
    double span = 1, points = 1, window = 1, copies = 1, distance = 0;
    for (unsigned l = 0; l < nest.roles.size(); ++l) {
      double extent = double(nest.statement.loops[l].extent);
      if (extent == 1)
        continue;
      double move = std::abs(double(nest.movesOf(access, l)[r]));
      if (move == 0)
        continue;
      if (nest.roles[l] == Role::Copy) {
        copies *= extent;
        distance = distance == 0 ? move : std::min(distance, move);
      } else if (nest.roles[l] == Role::Unrolled) {
        span += move * (extent - 1);
        points *= extent;
        if (nest.statement.loops[l].reduction)
          window += move * (extent - 1);
      }
    }
    span = std::min(span, points);
    double apart = (copies - 1) * std::min(distance, span);
    double distinct = span + apart;
    double hold = (span - std::min(window, span) + apart) * inner;
    bool shares = mayShare && distinct < points * copies && hold <= room;
    if (shares)
      room -= hold;
    reads *= shares ? distinct : points * copies;
    inner *= distinct;
  }
  return reads;
}

Reduction::Reduction(const Nest &nest, const Machine &machine) {
  const StatementSummary &statement = nest.statement;
  const KernelShape &kernel = nest.program.kernelOf(statement);
  accumulators = double(std::max<int64_t>(1, kernel.accumulators));
  if (const auto *instruction = WarpInstruction::of(statement.instruction)) {
    matrices = countMatrices(nest, machine);
    registers = accumulators * double(instruction->cRegisters()) /
                    double(instruction->laneElements()) +
                matrices->registers + kBaseRegisters + kMatrixRegisters;
    return;
  }
  double held = 0, streamed = 0;
  double most = std::min(double(machine.maxRegistersPerThread),
                         double(machine.registersPerUnit) /
                             double(std::max<int64_t>(1, kernel.block)));
  double room = most - accumulators - kBaseRegisters, before = room;
  bool guarded = isGuarded(nest);
  for (const AccessSummary &access : ArrayRef(statement.accesses).drop_back()) {
    const BufferSummary &buffer = nest.bufferOf(access);
    Operand &operand = operands.emplace_back();
    if (buffer.level == MemoryLevel::Local || nest.isLoaded(access))
      continue;
    // Values that all threads share are read through the constant cache.
    bool staged = buffer.level == MemoryLevel::Shared;
    if (!staged && nest.moving(access, Role::Block, Role::Thread).empty()) {
      operand.loads = readsOf(nest, access, true, room);
      continue;
    }
    operand.inPlace = !staged;
    double fragment = std::max(1.0, double(buffer.elementBytes) / 4);
    for (unsigned l : nest.moving(access, Role::Unrolled, Role::Copy))
      if (!statement.loops[l].reduction)
        fragment *= double(statement.loops[l].extent);
    double reads = readsOf(nest, access, staged || !guarded, room);
    int64_t width = nest.loadWidth(access, machine);
    fragment *= nest.termsOfLoad(access, width);
    held += fragment;
    if (staged)
      streamed = std::max(streamed, fragment - kStreamRegisters);
    operand.loads = reads / double(width);
    operand.passes = loadPasses(nest, access, width, machine);
  }
  registers = accumulators + held - streamed + kBaseRegisters + (before - room);
}

void Reduction::addLoops(const Nest &nest, const Machine &machine, bool staged,
                         WarpWork &work) {
  double steps = nest.trips(Role::Step),
         iterations = steps * nest.trips(Role::Loop);
  bool ahead = false;
  for (const AccessSummary &access : ArrayRef(nest.statement.accesses))
    if (const StatementSummary *copy = nest.copyOf(access))
      ahead |= copy->buffers > 1;
  work.issue += kIteration * iterations + kStep * steps;
  if (ahead)
    work.issue += kStepAhead * steps;
  // With several buffers a step has one barrier.
  double block = double(nest.program.kernelOf(nest.statement).block);
  double barriers =
      kBarriers + kBarrierOfWarp * std::ceil(block / double(machine.lanes));
  if (staged)
    work.wait += steps * (ahead ? barriers / 2 : barriers);
}

WarpWork Reduction::work(const Nest &nest, const Machine &machine,
                         double spilled) const {
  WarpWork work;
  double unrolledTrips = nest.trips(Role::Unrolled, Role::Copy);
  double iterations = nest.trips(Role::Step, Role::Loop);
  double points = unrolledTrips * iterations;
  double reductions = points / accumulators;
  if (matrices) {
    work = matrixWork(nest, *matrices, machine);
    reductions = matrices->steps;
  } else {
    work.multiplyAdds = points * arithmeticOf(nest.statement.ops);
    work.issue = work.multiplyAdds;
  }
  double spills = kSpillAccesses * spilled * reductions;
  // Threads that share a sum combine their parts by halves: a shuffle and an
  // addition each.
  double halvings = 0;
  for (auto [role, loop] : llvm::zip_equal(nest.roles, nest.statement.loops))
    if (role == Role::Thread && loop.reduction)
      halvings += accumulators * double(llvm::Log2_64_Ceil(loop.extent));
  work.issue += spills + 2 * halvings;
  work.passes += kSpillPasses * spills;
  double loads = spills, inPlace = 0;
  bool staged = bool(matrices);
  for (const Operand &operand : operands) {
    double count = operand.loads * iterations;
    loads += count;
    work.issue += count * (operand.inPlace ? 1 + kAddress : 1);
    work.passes += count * operand.passes;
    inPlace += operand.inPlace ? operand.loads : 0;
    staged |= operand.passes > 0 && !operand.inPlace;
  }
  // The cycles of the warp's own share of the lanes, and latencies that nothing
  // else can hide.
  double scheduler =
      multiplyAddLanes(machine) / double(machine.schedulersPerUnit);
  work.wait +=
      work.multiplyAdds * std::max(1.0, double(machine.lanes) / scheduler) +
      kDependent * loads +
      (matrices ? 0 : reductions * std::max(0.0, kFmaLatency - accumulators)) +
      (iterations + halvings) * kSharedLatency +
      iterations * std::ceil(inPlace / kInFlight) * kMemoryLatency / 2;
  addLoops(nest, machine, staged, work);
  return work;
}

//===----------------------------------------------------------------------===//
// Copies to shared memory
//===----------------------------------------------------------------------===//

/// Coordinates that loops over several dimensions move, as in windows.
static unsigned windowCoordinates(const ProgramSummary &program,
                                  const StatementSummary &stage) {
  unsigned own = stage.loops.size() - stage.ownLoops, count = 0;
  for (const StatementSummary &reader : program.statements)
    for (const AccessSummary &access : reader.accesses) {
      if (access.buffer != stage.written().buffer ||
          reader.kind == StatementKind::Stage)
        continue;
      for (unsigned r = 0; r < stage.ownLoops; ++r) {
        int dim = -1;
        bool several = false;
        for (unsigned l = 0; l < reader.loops.size(); ++l) {
          if (access.moves[l * stage.ownLoops + r] == 0 ||
              reader.loops[l].extent == 1)
            continue;
          several |= dim >= 0 && dim != reader.loops[l].dim;
          dim = reader.loops[l].dim;
        }
        count += several && stage.loops[own + r].extent > 1;
      }
      return count;
    }
  return count;
}

static bool isAsync(const StatementSummary &copy, const Machine &machine) {
  return copy.async && machine.copiesAsynchronously();
}

/// Chunks of `vector` elements that a thread copies in one step.
static double turnsOf(const StatementSummary &copy) {
  int64_t elements = 1;
  for (const LoopSummary &loop : ArrayRef(copy.loops).take_back(copy.ownLoops))
    elements *= loop.extent;
  int64_t threads = std::max<int64_t>(1, copy.sharingThreads);
  int64_t vector = std::max<int64_t>(1, copy.vector);
  return std::ceil(double(elements) / double(threads * vector));
}

double detail::heldRegisters(const Nest &nest, const Machine &machine) {
  const StatementSummary &copy = nest.statement;
  if (copy.buffers == 1 || isAsync(copy, machine))
    return 0;
  double elements = turnsOf(copy) * double(std::max<int64_t>(1, copy.vector));
  double bytes = double(nest.bufferOf(copy.written()).elementBytes);
  return elements > kMostHeld ? 0 : std::ceil(elements * bytes / 4);
}

double detail::addressRegisters(const Nest &nest, const Machine &machine) {
  const StatementSummary &copy = nest.statement;
  const StatementSummary *update = nest.updateOf(copy.written());
  if (!update || !WarpInstruction::of(update->instruction))
    return 0;
  const AccessSummary &read = copy.accesses.front();
  unsigned own = copy.loops.size() - copy.ownLoops;
  // The chunks that follow one another in the tensor according to its strides,
  // without the slowest loop.
  int64_t inner = 1, run = 1, next = 0;
  for (unsigned l = copy.loops.size(); l-- > own;) {
    int64_t extent = copy.loops[l].extent;
    if (extent == 1)
      continue;
    if (next != 0 && std::abs(read.strides[l]) != next) {
      inner *= run;
      run = 1;
    }
    next = std::abs(read.strides[l]) * extent;
    run *= extent;
  }
  int64_t vector = std::max<int64_t>(1, copy.vector);
  bool constant = copy.sharingThreads * vector % inner == 0;
  double guards = 0;
  for (auto [r, extent] : llvm::enumerate(nest.bufferOf(read).tensorShape)) {
    int64_t span = 1;
    for (unsigned l = 0; l < copy.loops.size(); ++l)
      span += std::abs(nest.movesOf(read, l)[r]) * (copy.loops[l].extent - 1);
    guards += span > extent;
  }
  // Lowering emits a loop around many batches of loads.
  double turns = turnsOf(copy);
  if (!isAsync(copy, machine))
    turns = std::min(turns, kMostBatches * kMostHeld / double(vector));
  double ahead = isAsync(copy, machine) ? kAheadRegisters : 0;
  return (constant ? 3 + 2 * guards : 1 + turns * (2 + 2 * guards)) + ahead;
}

double detail::spareRegisters(const Nest &nest, const Machine &machine) {
  return isAsync(nest.statement, machine) ? 0 : addressRegisters(nest, machine);
}

/// Cycles for which the statements between the start of a copy and its use keep
/// a warp busy with its own multiply-adds.
static double cyclesAhead(const Nest &nest, double steps,
                          const Machine &machine) {
  const StatementSummary &copy = nest.statement;
  const StatementSummary *update = nest.updateOf(copy.written());
  if (copy.buffers == 1 || !update)
    return 0;
  double points = 1;
  for (const LoopSummary &loop : update->loops)
    if (loop.level != LoopLevel::Block && loop.level != LoopLevel::Thread)
      points *= double(loop.extent);
  double scheduler =
      multiplyAddLanes(machine) / double(machine.schedulersPerUnit);
  double cycles = points * arithmeticOf(update->ops) / steps *
                  std::max(1.0, double(machine.lanes) / scheduler);
  if (auto *instruction = WarpInstruction::of(update->instruction))
    cycles = points / double(instruction->laneElements() * instruction->sums) /
             steps * productCycles(*instruction, machine);
  return cycles * (isAsync(copy, machine) ? double(copy.buffers - 1) : 1);
}

WarpWork detail::copyWork(const Nest &nest, const Machine &machine, bool waits,
                          double lost) {
  const StatementSummary &statement = nest.statement;
  ArrayRef<LoopSummary> loops = statement.loops;
  unsigned own = loops.size() - statement.ownLoops;
  double steps = 1, splits = 0;
  int64_t elements = 1;
  for (const LoopSummary &loop : loops.take_front(own))
    if (Nest::isSerial(loop))
      steps *= double(loop.extent);
  for (const LoopSummary &loop : loops.drop_front(own)) {
    splits += elements > 1 && loop.extent > 1;
    elements *= loop.extent;
  }
  // Threads are contiguous in the box, with a vector each.
  int64_t threads = std::max<int64_t>(1, statement.sharingThreads);
  int64_t vector = std::max<int64_t>(1, statement.vector);
  double turns = turnsOf(statement);
  Loops box;
  for (unsigned l = loops.size(); l-- > own;)
    if (loops[l].extent > 1)
      box.push_back(l);
  auto widthOf = [&](const AccessSummary &access) {
    Loops rest = box;
    if (statement.padded || box.empty() ||
        std::abs(access.strides[box.front()]) != 1 ||
        nest.contiguousRun(access, rest) % vector != 0)
      return int64_t(1);
    return nest.widest(vector, access, machine);
  };
  int64_t lanes =
      std::min({threads, machine.lanes, (elements - 1) / vector + 1});

  double inside = kElement;
  if (statement.padded)
    inside += kInside * windowCoordinates(nest.program, statement);
  double longest = 0;
  WarpWork step;
  step.multiplyAdds = turns * double(vector) * arithmeticOf(statement.ops);
  for (const AccessSummary &access : statement.accesses) {
    int64_t width = widthOf(access);
    double count = turns * double(vector) / double(width);
    Addresses address = nest.addresses(access, box, lanes, vector);
    if (access.kind == AccessKind::Write) {
      double bytes = double(width * nest.bufferOf(access).elementBytes);
      step.passes +=
          count * bankPasses(address, bytes, machine.sm.sharedBytesPerCycle);
      // An asynchronous copy is one instruction.
      if (!isAsync(statement, machine))
        step.issue += count;
      continue;
    }
    step.issue += count;
    step.passes += count * std::max(double(width), pieces(address, kLineBytes));
    double together = isAsync(statement, machine)
                          ? count
                          : std::max(1.0, kMostHeld / double(width));
    double batches = std::max(1.0, count / together);
    longest += batches + kNextLoad * std::max(0.0, count - batches);
    double places = width > 1 ? turns : count;
    double kept = std::min(places, kKeptAddresses);
    step.integer +=
        kSplit * splits * (kept / steps + places - kept) + places * inside;
  }
  step.integer += kRecomputed * lost;
  step.issue += step.integer + step.multiplyAdds;
  step.wait = kDependent * step.issue;
  double latency = waits ? kMemoryLatency * longest : 0;
  double hidden = cyclesAhead(nest, steps, machine);
  step.wait += std::max(0.0, latency - hidden);
  WarpWork work = step.times(steps);
  // No work overlaps with the copies before the first step.
  work.wait += std::min(latency, hidden);
  return work;
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

WarpWork detail::elementwiseWork(const Nest &nest, const Machine &machine) {
  const StatementSummary &statement = nest.statement;
  WarpWork work;
  double points =
      nest.trips(Role::Step, Role::Loop, Role::Copy, Role::Unrolled);
  work.multiplyAdds = points * arithmeticOf(statement.ops);
  work.issue = work.multiplyAdds;
  double reads = 0;
  for (const AccessSummary &access : statement.accesses) {
    const BufferSummary &buffer = nest.bufferOf(access);
    if (buffer.level != MemoryLevel::Global || nest.isLoaded(access))
      continue;
    bool store = access.kind != AccessKind::Read;
    double count =
        nest.moved(access, Role::Step, Role::Loop, Role::Copy, Role::Unrolled);
    int64_t width = nest.loadWidth(access, machine);
    count /= double(width);
    Addresses address = nest.laneAddresses(access, machine);
    work.issue += kAccessInstructions * count;
    double least =
        store ? kStorePasses * pieces(address, machine.transactionBytes)
              : pieces(address, kLineBytes);
    work.passes += count * std::max(double(width), least);
    reads += store ? 0 : count;
  }
  if (reads > 0)
    work.wait = kMemoryLatency * std::ceil(reads / kInFlight);
  return work;
}
