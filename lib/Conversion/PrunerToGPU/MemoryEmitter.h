//===- MemoryEmitter.h - loads and stores of one thread ------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_PRUNERTOGPU_MEMORYEMITTER_H
#define PRUNER_LIB_CONVERSION_PRUNERTOGPU_MEMORYEMITTER_H

#include "pruner/Dialect/Pruner/Utils/IndexBuilder.h"

#include <map>

namespace pruner {

/// Emits element accesses at linear addresses of flat memrefs. Reuses values
/// that dominate the insertion point: sums of address terms, quotients, and
/// elements already loaded.
class MemoryEmitter {
public:
  explicit MemoryEmitter(mlir::OpBuilder &builder) : builder(builder) {}

  /// Values emitted while a scope exists are in a nested region and are
  /// forgotten at its end.
  class Scope {
  public:
    explicit Scope(MemoryEmitter &emitter) : emitter(emitter) {
      emitter.frames.emplace_back();
    }
    ~Scope() { emitter.frames.pop_back(); }

  private:
    MemoryEmitter &emitter;
  };

  /// Forgets loaded elements, because they may have changed.
  void forgetLoads();

  mlir::Value index(mlir::Location loc, int64_t value);
  mlir::Value address(mlir::Location loc, const IndexForm &form);

  /// The minimum (maximum) of an index and a constant.
  mlir::Value atMost(mlir::Location loc, mlir::Value value, int64_t bound);
  mlir::Value atLeast(mlir::Location loc, mlir::Value value, int64_t bound);

  /// Quotient and remainder of a form whose terms have known trip counts.
  std::pair<IndexForm, IndexForm>
  divide(mlir::Location loc, const IndexForm &form, int64_t divisor);

  /// The digits of `form`, which is less than the product of `extents`. The
  /// last extent belongs to the fastest digit.
  llvm::SmallVector<IndexForm> digits(mlir::Location loc, IndexForm form,
                                      llvm::ArrayRef<int64_t> extents);

  /// Loads the elements of `memref` at `addresses`, by aligned vectors of at
  /// most 16 bytes where addresses are contiguous.
  llvm::SmallVector<mlir::Value> load(mlir::Location loc, mlir::Value memref,
                                      llvm::ArrayRef<IndexForm> addresses);

  /// Stores `values` at `addresses` in the same way.
  void store(mlir::Location loc, mlir::Value memref,
             llvm::ArrayRef<IndexForm> addresses,
             llvm::ArrayRef<mlir::Value> values);

private:
  /// The terms of a form in a canonical order.
  using Key = llvm::SmallVector<std::pair<void *, int64_t>, 4>;
  struct Frame {
    std::map<Key, mlir::Value> sums;
    std::map<std::pair<void *, int64_t>, std::pair<mlir::Value, mlir::Value>>
        quotients;
    std::map<std::tuple<void *, int64_t, bool>, mlir::Value> bounds;
    std::map<std::tuple<void *, Key, int64_t>, mlir::Value> loads;
  };
  /// Addresses that differ only in their constant.
  struct Group {
    Key key;
    IndexForm form;
    /// Constant to position in the list of addresses.
    std::map<int64_t, unsigned> members;
  };

  mlir::Value bound(mlir::Location loc, mlir::Value value, int64_t bound,
                    bool above);
  static Key keyOf(const IndexForm &form);
  /// The sum of the terms of a form without its constant.
  mlir::Value sumOf(mlir::Location loc, const IndexForm &form);
  static std::vector<Group> group(llvm::ArrayRef<IndexForm> addresses);
  mlir::Value findLoad(mlir::Value memref, const Key &key, int64_t constant);

  mlir::OpBuilder &builder;
  llvm::SmallVector<Frame, 4> frames{1};
};

/// Widest access in bytes (ld.global.v4.b32 and ld.shared.v4.b32).
constexpr int64_t kMaxAccessBytes = 16;

/// Bytes of an element in memory, or 0 if its vectors have another layout.
int64_t vectorizableBytes(mlir::Type element);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_PRUNERTOGPU_MEMORYEMITTER_H
