//===- SpecializeShapes.cpp - static functions for a dynamic one ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/SpecializeShapes/Passes.h"
#include "pruner/Conversion/SpecializeShapes/Specialize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"

namespace pruner {
#define GEN_PASS_DEF_SPECIALIZESHAPESPASS
#include "pruner/Conversion/SpecializeShapes/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

static bool hasRange(func::FuncOp function) {
  for (unsigned n = 0; n < function.getNumArguments(); ++n)
    if (function.getArgAttr(n, PrunerDialect::getRangeAttrName()))
      return true;
  return false;
}

FailureOr<func::FuncOp> pruner::findRanged(ModuleOp module, StringRef entry) {
  if (!entry.empty()) {
    auto function = module.lookupSymbol<func::FuncOp>(entry);
    if (!function || function.isExternal())
      return module.emitError("expected a function @")
             << entry << " with a body";
    return function;
  }
  func::FuncOp found;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal() || !hasRange(function))
      continue;
    if (found)
      return function.emitError("this is a second function with 'pruner.range' "
                                "in addition to @")
             << found.getName() << "; choose one with 'entry'";
    found = function;
  }
  if (!found)
    return module.emitError(
        "no public function has an argument with 'pruner.range'; expected a "
        "range for each dynamic dimension, such as tensor<?x4xf32> "
        "{pruner.range = [#pruner.range<n, 1 to 64>]}");
  return found;
}

FailureOr<RangeAttr> pruner::rangeOf(func::FuncOp function) {
  RangeAttr found;
  for (unsigned n = 0; n < function.getNumArguments(); ++n) {
    auto type = dyn_cast<RankedTensorType>(function.getArgument(n).getType());
    auto ranges = function.getArgAttrOfType<ArrayAttr>(
        n, PrunerDialect::getRangeAttrName());
    if (!ranges) {
      if (type && type.hasStaticShape())
        continue;
      return function.emitError("argument ")
             << n << " of @" << function.getName() << " has type "
             << function.getArgument(n).getType() << " and no 'pruner.range'";
    }
    for (auto range : ranges.getAsRange<RangeAttr>()) {
      if (found && found != range)
        return function.emitError("@")
               << function.getName() << " has the sizes '" << found.getName()
               << "' and '" << range.getName()
               << "', but only one can be specialized";
      found = range;
    }
  }
  if (!found)
    return function.emitError("@")
           << function.getName() << " has no argument with 'pruner.range'";
  return found;
}

namespace {
struct SpecializeShapesPass
    : public pruner::impl::SpecializeShapesPassBase<SpecializeShapesPass> {
  using SpecializeShapesPassBase::SpecializeShapesPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, linalg::LinalgDialect, scf::SCFDialect,
                    tensor::TensorDialect>();
  }

  void runOnOperation() override {
    FailureOr<func::FuncOp> function = findRanged(getOperation(), entry);
    if (failed(function) || failed(specialize(*function)))
      signalPassFailure();
  }

private:
  /// Chooses the sizes of the functions and the times of their calls.
  LogicalResult chooseSizes(func::FuncOp function, RangeAttr range,
                            SmallVector<int64_t> &chosen,
                            SmallVector<double> &seconds) {
    auto kept =
        function->getAttrOfType<DictionaryAttr>("pruner.representatives");
    function->removeAttr("pruner.representatives");
    if (!sizes.empty()) {
      llvm::append_range(chosen, sizes);
      llvm::sort(chosen);
      chosen.erase(llvm::unique(chosen), chosen.end());
    } else if (kept) {
      auto known = kept.getAs<DenseI64ArrayAttr>("sizes");
      auto times = kept.getAs<DenseF64ArrayAttr>("seconds");
      if (!known || !times || known.size() != times.size())
        return function.emitError(
            "'pruner.representatives' must have 'sizes' and equally "
            "many 'seconds'");
      chosen.assign(known.asArrayRef().begin(), known.asArrayRef().end());
      seconds.assign(times.asArrayRef().begin(), times.asArrayRef().end());
    } else {
      llvm::append_range(chosen, range.getSizes());
    }
    if (chosen.empty())
      return function.emitError("expected sizes of '")
             << range.getName() << "' between " << range.getMin() << " and "
             << range.getMax()
             << "; set the option 'sizes' or run pruner-choose-sizes";
    for (int64_t size : chosen)
      if (size < 1 || size > range.getMax())
        return function.emitError("option 'sizes': ")
               << size << " is not between 1 and " << range.getMax()
               << ", the largest '" << range.getName() << "'";
    // Nothing is known except that each call has a cost.
    if (seconds.empty())
      for (int64_t size : chosen)
        seconds.push_back(double(size + 1));
    return success();
  }

  /// Makes a function for calls of sizes above `below`, padded to `size`. If
  /// calls may run in pieces, it is for all sizes up to `size`; if it cannot be
  /// padded, for `size` only. `least` becomes the smallest of these sizes.
  FailureOr<StaticFunction> makeFunction(func::FuncOp function, RangeAttr range,
                                         int64_t below, int64_t size,
                                         int64_t &least) {
    std::optional<std::pair<Location, std::string>> reason;
    {
      ScopedDiagnosticHandler handler(
          &getContext(), [&](Diagnostic &diagnostic) {
            if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
                !reason)
              reason = {diagnostic.getLocation(), diagnostic.str()};
            return success();
          });
      const SmallVector<int64_t> pieces = callsUpTo(size);
      const SmallVector<int64_t> whole = callsUpTo(range, below, size);
      for (ArrayRef<int64_t> calls : {ArrayRef(pieces), ArrayRef(whole)}) {
        reason.reset();
        if (calls.size() == 1)
          break;
        auto made = specializeFunction(function, range, size, calls);
        if (succeeded(made) &&
            (made->independent || calls == ArrayRef(whole))) {
          least = calls.front();
          return made;
        }
        if (succeeded(made))
          made->function.erase();
      }
    }
    least = size;
    if (reason)
      emitRemark(reason->first) << reason->second;
    return specializeFunction(function, range, size, {size});
  }

  /// Whether calls may run in pieces, if all pieces have size 1. A call of this
  /// size does not show how larger ones behave.
  bool isIndependent(func::FuncOp function, RangeAttr range) {
    ScopedDiagnosticHandler quiet(&getContext(),
                                  [](Diagnostic &) { return success(); });
    auto made = specializeFunction(function, range, 2, callsUpTo(2));
    if (failed(made))
      return false;
    made->function->erase();
    return made->independent;
  }

  LogicalResult specialize(func::FuncOp function) {
    FailureOr<RangeAttr> range = rangeOf(function);
    SmallVector<int64_t> chosen;
    SmallVector<double> seconds;
    if (failed(range) || failed(chooseSizes(function, *range, chosen, seconds)))
      return failure();
    SymbolTable symbols(getOperation());
    SmallVector<FlatSymbolRefAttr> names;
    SmallVector<int64_t> least(chosen.size());
    bool independent = true;
    for (size_t k = chosen.size(); k-- > 0;) {
      const int64_t size = chosen[k];
      auto made = makeFunction(function, *range, k > 0 ? chosen[k - 1] : 0,
                               size, least[k]);
      if (failed(made))
        return failure();
      // Created after the original, but not in the symbol table yet.
      made->function->moveAfter(function);
      func::FuncOp copy = made->function;
      Block::iterator place = std::next(copy->getIterator());
      copy->remove();
      symbols.insert(copy, place);
      names.push_back(FlatSymbolRefAttr::get(copy));
      independent &= made->independent || size == 1;
      ++numFunctions;
      numPadded += least[k] < size;
    }
    if (chosen.back() == 1)
      independent = isIndependent(function, *range);
    std::reverse(names.begin(), names.end());
    SmallVector<int64_t> from, to, use;
    for (Interval each :
         planSizes(*range, independent, chosen, seconds, least)) {
      from.push_back(each.from);
      to.push_back(each.to);
      use.push_back(each.use);
    }
    function->setAttr(PrunerDialect::getPlanAttrName(),
                      PlanAttr::get(&getContext(), range->getName(),
                                    independent, chosen, names, from, to, use));
    return success();
  }
};
} // namespace
