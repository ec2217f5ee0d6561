//===- ReuseDistance.cpp - reuse distances of operands in a network -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Analysis/ReuseDistance.h"

#include "pruner/Dialect/Pruner/Utils/Alternatives.h"
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
/// Larger networks use larger pages, so that the trace fits memory.
static constexpr int64_t kMostPages = int64_t(1) << 24;
/// The steps in which a call streams through all its operands concurrently.
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

/// A part of a tensor that has memory of its own.
struct Place {
  Value root;
  int64_t offset = 0, bytes = 0;
};

/// An accessed part, and the index of the task's operand; -1 for other ops.
struct OperandAccess {
  Place place;
  int operand = -1;
};

struct Event {
  Operation *callee = nullptr; ///< The function of a task, or null.
  SmallVector<OperandAccess> accesses;
};

/// Records when each page was last accessed, and how many bytes were accessed
/// since.
class PageHistory {
public:
  PageHistory(int64_t pages, int64_t moments)
      : last(pages, -1), size(pages), tree(moments + 1) {}

  /// The time of the last access; -1 if there was none.
  int64_t lastAccess(int64_t page) const { return last[page]; }

  /// Bytes that were accessed after `moment`, counting each page once.
  int64_t accessedAfter(int64_t moment) const {
    return sum(now + 1) - sum(moment + 1);
  }

  void access(int64_t page, int64_t bytes) {
    if (last[page] >= 0)
      add(last[page], -size[page]);
    size[page] = bytes;
    last[page] = now;
    add(now, bytes);
  }
  void nextMoment() { ++now; }

private:
  // A Fenwick tree over time: at each moment the bytes that were last accessed
  // then.
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

/// The accesses of a network in order, with addresses.
class NetworkTrace {
public:
  /// All tensors of the network must be small enough that sums of their sizes
  /// do not overflow.
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
  DenseMap<Value, int64_t> addresses; ///< Addresses of roots.
  int64_t end = 0;                    ///< The end of the last address.
  int64_t pageBytes = kPageBytes;
};

} // namespace

/// Whether the value is known before the network runs, so that
/// `pruner-hoist-constants` precomputes it.
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

/// The byte offset of a slice in its source, as far as it is known.
static int64_t offsetIn(ArrayRef<int64_t> offsets, RankedTensorType source,
                        int64_t sourceBytes) {
  if (!source.hasStaticShape() || source.getNumElements() == 0)
    return 0;
  int64_t index = 0;
  for (auto [offset, extent] : llvm::zip_equal(offsets, source.getShape()))
    index = index * extent + (ShapedType::isDynamic(offset) ? 0 : offset);
  return index * (sourceBytes / source.getNumElements());
}

/// Follows views and in-place operations to the value that has memory.
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
      // A value that is also read later is copied first.
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
      event.accesses.push_back({place, operand});
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
  if (!event.accesses.empty())
    events.push_back(std::move(event));
}

/// Places weights, constants, the network's arguments and its results in memory
/// of their own, and all others in a shared workspace.
void NetworkTrace::placeRoots() {
  llvm::MapVector<Value, PlannedBuffer> shared;
  SmallVector<std::pair<Value, int64_t>> apart;
  DenseSet<Value> returned, seen;
  for (Value value : body.getTerminator()->getOperands())
    returned.insert(placeOf(value).root);
  for (auto [step, event] : llvm::enumerate(events))
    for (const OperandAccess &access : event.accesses) {
      Value root = access.place.root;
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

/// Calls `visit(page, bytes)` for each page that a step accesses.
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

/// The mean distance of the pages of a step. Accesses of the same call in the
/// previous pass, from time `before` on, recur in every replay, so only the end
/// of these counts.
int64_t NetworkTrace::distanceOf(const PageHistory &history, const Place &place,
                                 int64_t step, int64_t before) {
  double sum = 0, total = 0;
  forPages(place, step, [&](int64_t page, int64_t bytes) {
    int64_t last = history.lastAccess(page);
    if (last >= before && last < before + kSteps)
      last = before + kSteps - 1;
    sum += double(history.accessedAfter(last)) * double(bytes);
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
        for (const OperandAccess &access : event.accesses) {
          if (known.size() <= size_t(access.operand))
            known.resize(access.operand + 1);
          int64_t before = int64_t(number) * kSteps;
          known[access.operand].push_back(
              {distanceOf(history, access.place, 0, before),
               distanceOf(history, access.place, kSteps - 1, before)});
        }
      }
      for (int64_t step = 0; step < kSteps; ++step) {
        for (const OperandAccess &access : event.accesses)
          forPages(access.place, step, [&](int64_t page, int64_t bytes) {
            history.access(page, bytes);
          });
        history.nextMoment();
      }
    }
}

/// The median, rounded down.
static int64_t median(ArrayRef<ReuseDistance> calls,
                      int64_t ReuseDistance::*which) {
  SmallVector<int64_t> sorted;
  for (const ReuseDistance &distance : calls)
    sorted.push_back(distance.*which);
  llvm::sort(sorted);
  return sorted.empty() ? 0 : sorted[(sorted.size() - 1) / 2];
}

/// Whether all tensors have sizes that a network may have.
static bool isSized(func::FuncOp function) {
  auto fits = [](Value value) { return bytesOf(value) <= kMaxTensorBytes; };
  return llvm::all_of(function.getArguments(), fits) &&
         llvm::all_of(function.getBody().front(), [&](Operation &op) {
           return llvm::all_of(op.getResults(), fits);
         });
}

/// The states of a module without alternatives.
static llvm::DenseMap<Operation *, CacheState> statesOf(ModuleOp module) {
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

llvm::DenseMap<Operation *, CacheState>
pruner::reuseDistances(ModuleOp module) {
  unsigned forms = 0;
  module.walk([&](AlternativesOp op) {
    forms = std::max<unsigned>(forms, op.getForms().size());
  });
  if (forms == 0)
    return statesOf(module);
  SymbolTable symbols(module);
  llvm::DenseMap<Operation *, CacheState> states;
  for (unsigned n = 0; n < forms; ++n) {
    OwningOpRef<ModuleOp> network = module.clone();
    chooseAlternatives(*network, [&](AlternativesOp op) {
      return std::min<unsigned>(n, op.getForms().size() - 1);
    });
    for (auto &[task, state] : statesOf(*network))
      states.try_emplace(symbols.lookup(cast<func::FuncOp>(task).getName()),
                         state);
  }
  return states;
}
