//===- InstrumentAccesses.cpp - checks before loads and stores ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pruner;
using namespace pruner::emulator;

namespace {
/// A load or store in a common form.
struct MemoryOp {
  Value memref;
  ValueRange indices;
  AccessKind kind;
  VectorType vector = nullptr; ///< Null for a single element.
  Value mask = nullptr;
  uint64_t alignment = 1;
};
} // namespace

template <typename Op>
static MemoryOp describe(Op op, AccessKind kind, VectorType vector = nullptr,
                         Value mask = nullptr) {
  MemoryOp access;
  if constexpr (std::is_same_v<Op, memref::LoadOp> ||
                std::is_same_v<Op, memref::StoreOp> ||
                std::is_same_v<Op, memref::AtomicRMWOp>)
    access.memref = op.getMemref();
  else
    access.memref = op.getBase();
  access.indices = op.getIndices();
  access.kind = kind;
  access.vector = vector;
  access.mask = mask;
  if constexpr (!std::is_same_v<Op, memref::AtomicRMWOp>)
    access.alignment = op.getAlignment().value_or(1);
  return access;
}

static std::optional<MemoryOp> matchAccess(Operation *op) {
  using Result = std::optional<MemoryOp>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](memref::LoadOp op) { return describe(op, AccessKind::Read); })
      .Case([](memref::StoreOp op) { return describe(op, AccessKind::Write); })
      .Case([](memref::AtomicRMWOp op) {
        return describe(op, AccessKind::Atomic);
      })
      .Case([](vector::LoadOp op) {
        return describe(op, AccessKind::Read, op.getVectorType());
      })
      .Case([](vector::StoreOp op) {
        return describe(op, AccessKind::Write, op.getVectorType());
      })
      .Case([](vector::MaskedLoadOp op) {
        return describe(op, AccessKind::Read, op.getVectorType(), op.getMask());
      })
      .Case([](vector::MaskedStoreOp op) {
        return describe(op, AccessKind::Write, op.getVectorType(),
                        op.getMask());
      })
      .Default(Result());
}

/// The lanes of a mask as the bits of an i64.
static Value maskBits(HostBuilder &builder, Value mask) {
  int64_t lanes = cast<VectorType>(mask.getType()).getNumElements();
  Type bits = builder.getIntegerType(lanes);
  Value packed =
      vector::BitCastOp::create(builder, VectorType::get({1}, bits), mask);
  Value word = vector::ExtractOp::create(builder, packed, int64_t(0));
  if (lanes == 64)
    return word;
  return arith::ExtUIOp::create(builder, builder.getI64Type(), word);
}

static LogicalResult instrument(Operation *op, const MemoryOp &access,
                                const LoweringOptions &options,
                                std::vector<Site> &sites) {
  auto type = cast<MemRefType>(access.memref.getType());
  Site facts;
  facts.kind = access.kind;
  facts.elementBytes = elementBytesOf(type);
  facts.bytes = facts.elementBytes;
  facts.alignment = access.alignment;
  SmallVector<int64_t> counts(access.indices.size(), 1);
  if (access.vector) {
    if (access.vector.getRank() > 1 || access.vector.isScalable())
      return op->emitOpError("is not supported by the emulator for ")
             << access.vector << ": only vectors of rank 0 and 1 are";
    if (access.vector.getElementTypeBitWidth() % 8)
      return op->emitOpError("is not supported by the emulator for ")
             << access.vector << ": elements share bytes";
    if (isa<VectorType>(type.getElementType()))
      return op->emitOpError("is not supported by the emulator for ") << type;
    facts.bytes *= access.vector.getNumElements();
    if (access.vector.getRank() == 1 && !counts.empty())
      counts.back() = access.vector.getNumElements();
  }
  if (access.mask && access.vector.getNumElements() > 64)
    return op->emitOpError("is not supported by the emulator for ")
           << access.vector << ": masks have at most 64 lanes";

  MemorySpace space = memorySpaceOf(access.memref);
  bool watched =
      (space == MemorySpace::Workgroup && options.checkRaces) ||
      (space == MemorySpace::Global && options.checkGlobal) ||
      (options.checkBounds && access.alignment > facts.elementBytes &&
       space != MemorySpace::Private);
  if (!watched && !options.checkBounds)
    return success();

  unsigned site = addSite(sites, op, facts);
  HostBuilder builder(op);
  Value bits = access.mask ? maskBits(builder, access.mask) : Value();
  if (options.checkBounds) {
    Value first, end;
    if (bits) {
      auto asIndex = [&](Value value) -> Value {
        return arith::IndexCastOp::create(builder, builder.getIndexType(),
                                          value);
      };
      first = asIndex(math::CountTrailingZerosOp::create(builder, bits));
      Value leading = asIndex(math::CountLeadingZerosOp::create(builder, bits));
      end = arith::SubIOp::create(builder, builder.index(64), leading);
    }
    checkBounds(builder, site, access.memref, access.indices, counts, first,
                end);
  }
  if (watched)
    builder.call("pruner_emulator_access",
                 {builder.integer(site, 32),
                  builder.address(access.memref, access.indices),
                  bits ? bits : builder.integer(-1, 64)});
  return success();
}

LogicalResult emulator::instrumentAccesses(gpu::GPUFuncOp kernel,
                                           const LoweringOptions &options,
                                           std::vector<Site> &sites) {
  SmallVector<std::pair<Operation *, MemoryOp>> accesses;
  kernel.walk([&](Operation *op) {
    if (auto access = matchAccess(op))
      accesses.emplace_back(op, *access);
  });
  for (auto &[op, access] : accesses)
    if (failed(instrument(op, access, options, sites)))
      return failure();
  return success();
}
