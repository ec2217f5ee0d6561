//===- ReuseDistance.cpp - how far operands are away in a network ---------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Analysis/ReuseDistance.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Support/MemoryPlan.h"
#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace pruner;

static constexpr int64_t kPageBytes = 4096;
/// Networks of more bytes than these have larger pages, so that a trace fits
/// memory.
static constexpr int64_t kMostPages = int64_t(1) << 24;
/// A call takes so many steps through all its operands at once: kernels read
/// and write from begin to end.
static constexpr int64_t kSteps = 16;

/// Bytes of a tensor of static shape, else 0.
static int64_t bytesOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return 0;
  Type element = type.getElementType();
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return mulSizes(boxSize(type.getShape()), llvm::divideCeil(bits, 8));
}

namespace {

/// A stretch of a tensor that has memory of its own.
struct Place {
  Value root;
  int64_t offset = 0, bytes = 0;
};

/// A touched stretch, and which operand of the task it is; -1 of other ops.
struct Touch {
  Place place;
  int operand = -1;
};

struct Event {
  Operation *callee = nullptr; ///< A task's function, or null.
  SmallVector<Touch> touches;
};

/// When each page was touched last, and how much was touched since a moment.
class PageHistory {
public:
  PageHistory(int64_t pages, int64_t moments)
      : last(pages, -1), size(pages), tree(moments + 1) {}

  /// The moment of the last touch; -1 if there was none.
  int64_t lastTouch(int64_t page) const { return last[page]; }

  /// Bytes that were touched after `moment`, each page once.
  int64_t touchedAfter(int64_t moment) const {
    return sum(now + 1) - sum(moment + 1);
  }

  void touch(int64_t page, int64_t bytes) {
    if (last[page] >= 0)
      add(last[page], -size[page]);
    size[page] = bytes;
    last[page] = now;
    add(now, bytes);
  }
  void nextMoment() { ++now; }

private:
  // A Fenwick tree over moments: at each the bytes whose last touch it was.
  void add(int64_t moment, int64_t bytes) {
    for (size_t n = moment + 1; n < tree.size(); n += n & -n)
      tree[n] += bytes;
  }
  int64_t sum(int64_t moments) const {
    int64_t bytes = 0;
    for (size_t n = std::min<size_t>(moments, tree.size() - 1); n > 0;
         n -= n & -n)
      bytes += tree[n];
    return bytes;
  }

  std::vector<int64_t> last, size, tree;
  int64_t now = 0;
};

/// What a network touches, in order, and where that lies.
class NetworkTrace {
public:
  /// All tensors of the network must be small enough for sums of their sizes.
  NetworkTrace(func::FuncOp network, SymbolTable &symbols)
      : body(network.getBody().front()), network(network), symbols(symbols) {
    for (Operation &op : body)
      record(&op);
    placeRoots();
  }

  /// [operand][call]
  using Distances = SmallVector<SmallVector<ReuseDistance>>;
  void addDistances(llvm::MapVector<Operation *, Distances> &distances);

private:
  bool isConstant(Value value);
  Place placeOf(Value value);
  void record(Operation *op);
  void placeRoots();
  template <typename Visit>
  void forPages(const Place &place, int64_t step, Visit visit);
  int64_t distanceOf(const PageHistory &history, const Place &place,
                     int64_t step, int64_t before);

  Block &body;
  func::FuncOp network;
  SymbolTable &symbols;
  DenseMap<Value, bool> constants;
  std::vector<Event> events;
  DenseMap<Value, int64_t> addresses; ///< Of roots.
  int64_t end = 0;                    ///< Behind the last address.
  int64_t pageBytes = kPageBytes;
};

} // namespace

/// Known before the network runs: `pruner-hoist-constants` computes it ahead.
bool NetworkTrace::isConstant(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == &body &&
           network.getArgAttr(argument.getArgNumber(),
                              PrunerDialect::getConstantAttrName());
  Operation *op = value.getDefiningOp();
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  auto known = constants.find(value);
  if (known != constants.end())
    return known->second;
  bool any = false, all = true;
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()) ||
        operand.getDefiningOp<tensor::EmptyOp>())
      continue;
    bool constant = isConstant(operand);
    any |= constant;
    all &= constant;
  }
  return constants[value] = any && all && op->getNumRegions() <= 1;
}

/// Where a slice begins in its source, in bytes, as far as it is known.
static int64_t offsetIn(ArrayRef<int64_t> offsets, RankedTensorType source,
                        int64_t sourceBytes) {
  if (!source.hasStaticShape() || source.getNumElements() == 0)
    return 0;
  int64_t index = 0;
  for (auto [offset, extent] : llvm::zip_equal(offsets, source.getShape()))
    index = index * extent + (ShapedType::isDynamic(offset) ? 0 : offset);
  return index * (sourceBytes / source.getNumElements());
}

/// Follows views and operations that write in place to what has memory.
Place NetworkTrace::placeOf(Value value) {
  Place place{value, 0, bytesOf(value)};
  while (Operation *op = place.root.getDefiningOp()) {
    if (isConstant(place.root))
      break;
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
            tensor::ReshapeOp>(op)) {
      place.root = op->getOperand(0);
    } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
      place.offset += offsetIn(slice.getStaticOffsets(), slice.getSourceType(),
                               bytesOf(slice.getSource()));
      place.root = slice.getSource();
    } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      place.root = insert.getDest();
    } else if (auto inPlace = dyn_cast<DestinationStyleOpInterface>(op)) {
      Value init =
          inPlace.getDpsInits()[cast<OpResult>(place.root).getResultNumber()];
      // What is read later, too, is copied first.
      if (!init.hasOneUse() || isConstant(init) || isa<BlockArgument>(init))
        break;
      place.root = init;
    } else {
      break;
    }
  }
  return place;
}

void NetworkTrace::record(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() ||
      op->hasTrait<OpTrait::ConstantLike>() ||
      isa<tensor::EmptyOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::CastOp, tensor::ReshapeOp, tensor::ExtractSliceOp>(op) ||
      (op->getNumResults() > 0 &&
       llvm::all_of(op->getResults(), [&](Value v) { return isConstant(v); })))
    return;
  Event event;
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (callee && callee->hasAttr(PrunerDialect::getTaskAttrName()))
      event.callee = callee;
  }
  auto add = [&](Place place, int operand) {
    if (place.bytes > 0)
      event.touches.push_back({place, operand});
  };
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    add(placeOf(insert.getSource()), -1);
    Place whole = placeOf(insert.getResult());
    whole.offset +=
        offsetIn(insert.getStaticOffsets(), insert.getDestType(), whole.bytes);
    whole.bytes = bytesOf(insert.getSource());
    add(whole, -1);
  } else {
    auto inPlace = dyn_cast<DestinationStyleOpInterface>(op);
    int operand = 0;
    for (OpOperand &used : op->getOpOperands())
      if (!inPlace || !inPlace.isDpsInit(&used))
        add(placeOf(used.get()), operand++);
    for (Value result : op->getResults())
      add(placeOf(result), operand++);
  }
  if (!event.touches.empty())
    events.push_back(std::move(event));
}

/// Weights, constants, the network's arguments and its results have memory of
/// their own, the rest shares a workspace.
void NetworkTrace::placeRoots() {
  llvm::MapVector<Value, PlannedBuffer> shared;
  SmallVector<std::pair<Value, int64_t>> apart;
  DenseSet<Value> returned, seen;
  for (Value value : body.getTerminator()->getOperands())
    returned.insert(placeOf(value).root);
  for (auto [step, event] : llvm::enumerate(events))
    for (const Touch &touch : event.touches) {
      Value root = touch.place.root;
      if (isa<BlockArgument>(root) || isConstant(root) ||
          returned.contains(root)) {
        if (seen.insert(root).second)
          apart.push_back({root, bytesOf(root)});
        continue;
      }
      PlannedBuffer &buffer = shared[root];
      if (buffer.bytes == 0)
        buffer.begin = int64_t(step);
      buffer.end = int64_t(step);
      buffer.bytes = llvm::alignTo(bytesOf(root), 64);
    }
  SmallVector<PlannedBuffer *> buffers;
  for (auto &[root, buffer] : shared)
    buffers.push_back(&buffer);
  end = llvm::alignTo(planMemory(buffers), kPageBytes);
  for (auto &[root, buffer] : shared)
    addresses[root] = buffer.offset;
  for (auto [root, bytes] : apart) {
    addresses[root] = end;
    end += llvm::alignTo(bytes, kPageBytes);
  }
  while (end / pageBytes > kMostPages)
    pageBytes *= 2;
}

/// Calls `visit(page, bytes)` for each page of a stretch that a step touches.
template <typename Visit>
void NetworkTrace::forPages(const Place &place, int64_t step, Visit visit) {
  int64_t begin = addresses.lookup(place.root) + place.offset;
  int64_t at = begin + place.bytes * step / kSteps;
  int64_t last = std::min(begin + place.bytes * (step + 1) / kSteps, end);
  while (at < last) {
    int64_t next = std::min(last, (at / pageBytes + 1) * pageBytes);
    visit(at / pageBytes, next - at);
    at = next;
  }
}

/// The mean distance of the pages of a step. What the same call touched a pass
/// ago, in the moments from `before` on, every replay of it touches, too: of
/// that only the end counts.
int64_t NetworkTrace::distanceOf(const PageHistory &history, const Place &place,
                                 int64_t step, int64_t before) {
  double sum = 0, total = 0;
  forPages(place, step, [&](int64_t page, int64_t bytes) {
    int64_t last = history.lastTouch(page);
    if (last >= before && last < before + kSteps)
      last = before + kSteps - 1;
    sum += double(history.touchedAfter(last)) * double(bytes);
    total += double(bytes);
  });
  return total > 0 ? int64_t(sum / total) : 0;
}

void NetworkTrace::addDistances(
    llvm::MapVector<Operation *, Distances> &distances) {
  const int64_t moments = int64_t(events.size()) * kSteps;
  PageHistory history(ceilDiv(end, pageBytes), 2 * moments);
  // The first pass fills the caches.
  for (int64_t pass : {0, 1})
    for (auto [number, event] : llvm::enumerate(events)) {
      if (pass == 1 && event.callee) {
        Distances &known = distances[event.callee];
        for (const Touch &touch : event.touches) {
          if (known.size() <= size_t(touch.operand))
            known.resize(touch.operand + 1);
          int64_t before = int64_t(number) * kSteps;
          known[touch.operand].push_back(
              {distanceOf(history, touch.place, 0, before),
               distanceOf(history, touch.place, kSteps - 1, before)});
        }
      }
      for (int64_t step = 0; step < kSteps; ++step) {
        for (const Touch &touch : event.touches)
          forPages(touch.place, step, [&](int64_t page, int64_t bytes) {
            history.touch(page, bytes);
          });
        history.nextMoment();
      }
    }
}

/// The one in the middle, the smaller of two.
static int64_t median(ArrayRef<ReuseDistance> calls,
                      int64_t ReuseDistance::*which) {
  SmallVector<int64_t> sorted;
  for (const ReuseDistance &distance : calls)
    sorted.push_back(distance.*which);
  llvm::sort(sorted);
  return sorted.empty() ? 0 : sorted[(sorted.size() - 1) / 2];
}

/// Whether all tensors are of a size that a network may have.
static bool isSized(func::FuncOp function) {
  auto fits = [](Value value) { return bytesOf(value) <= kMaxTensorBytes; };
  return llvm::all_of(function.getArguments(), fits) &&
         llvm::all_of(function.getBody().front(), [&](Operation &op) {
           return llvm::all_of(op.getResults(), fits);
         });
}

llvm::DenseMap<Operation *, CacheState>
pruner::reuseDistances(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::MapVector<Operation *, NetworkTrace::Distances> distances;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && function.getBody().hasOneBlock() &&
        !function->hasAttr(PrunerDialect::getTaskAttrName()) &&
        isSized(function))
      NetworkTrace(function, symbols).addDistances(distances);
  llvm::DenseMap<Operation *, CacheState> states;
  for (auto &[callee, operands] : distances) {
    SmallVector<ReuseDistance> medians;
    for (ArrayRef<ReuseDistance> calls : operands)
      medians.push_back({median(calls, &ReuseDistance::first),
                         median(calls, &ReuseDistance::last)});
    states[callee] = CacheState::of(medians);
  }
  return states;
}
