//===- CheckLowerable.cpp - reject programs that cannot be lowered --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Lowerable.h"

#include "BufferPlan.h"

#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/Utils/DeviceMath.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/DynamicLibrary.h"

namespace pruner {
#define GEN_PASS_DEF_CHECKLOWERABLEPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

static bool hasTensors(func::FuncOp function) {
  auto isTensor = llvm::IsaPred<TensorType>;
  return llvm::any_of(function.getArgumentTypes(), isTensor) ||
         llvm::any_of(function.getResultTypes(), isTensor);
}

/// True if this process has a function of that name. It has those of the C
/// library and of libm, the only libraries that a library is linked with.
static bool isInCLibraries(const std::string &name) {
  using llvm::sys::DynamicLibrary;
  DynamicLibrary::LoadLibraryPermanently(nullptr);
  return DynamicLibrary::SearchForAddressOfSymbol(name) != nullptr;
}

namespace {
/// Follows calls from the entry.
class LowerableCheck {
public:
  LowerableCheck(ModuleOp module, bool whole, bool launches)
      : symbols(module), whole(whole), launches(launches) {}

  /// Checks `root` and the functions that it reaches, without recursion,
  /// because chains of calls may be long.
  void check(func::FuncOp root) {
    enqueue(root);
    while (!pending.empty())
      checkFunction(pending.pop_back_val());
    findCycles(root);
  }

  bool failed() const { return anyError; }

private:
  void enqueue(func::FuncOp function) {
    if (calls.try_emplace(function).second)
      pending.push_back(function);
  }

  void checkFunction(func::FuncOp function) {
    const bool isPlanned = function->hasAttr(PrunerDialect::getPlanAttrName());
    checkSignature(function);
    if (hasTensors(function) &&
        function.getBody().getOps<func::ReturnOp>().empty()) {
      anyError = true;
      emitError(function.getLoc())
          << "@" << function.getName() << " never returns";
    }
    function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!checkOp(op))
        return WalkResult::skip();
      if (auto call = dyn_cast<func::CallOp>(op)) {
        if (isPlanned)
          report(op, "calls are not supported in a network of dynamic "
                     "shape, expected the callee inlined");
        else
          checkCall(function, call);
      }
      return WalkResult::advance();
    });
  }

  /// Emits an error at the location of `op`, once per op and reason. Networks
  /// have hundreds of equal ops, and printing an op may take a page.
  void report(Operation *op, const Twine &reason) {
    anyError = true;
    std::string text = ("'" + op->getName().getStringRef() +
                        "' op cannot be lowered: " + reason)
                           .str();
    if (emitted.insert(text).second)
      emitError(op->getLoc(), text);
  }

  void checkSignature(func::FuncOp function) {
    auto check = [&](TypeRange types, StringRef what) {
      for (auto [n, type] : llvm::enumerate(types))
        if (std::string why = whyNotLowered(type); !why.empty()) {
          anyError = true;
          emitError(function.getLoc()) << what << " " << n << " of @"
                                       << function.getName() << " has " << why;
        }
    };
    check(function.getArgumentTypes(), "argument");
    check(function.getResultTypes(), "result");
  }

  /// Returns false if the regions of `op` need no check.
  bool checkOp(Operation *op) {
    if (launches && isa<gpu::LaunchFuncOp>(op))
      return true;
    if (std::string why = whyNotLowered(op); !why.empty()) {
      report(op, why);
      return false;
    }
    for (auto [n, type] : llvm::enumerate(op->getResultTypes()))
      if (std::string why = whyNotLowered(type); !why.empty()) {
        report(op, "result " + Twine(n) + " has " + why);
        return false;
      }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (std::string why = whyNotLowered(argument.getType());
              !why.empty()) {
            report(op, "its region has an argument of " + why);
            return false;
          }
    return true;
  }

  void checkCall(func::FuncOp function, func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee)
      return; // The verifier reports this.
    if (callee.isExternal()) {
      // Functions on scalars may be those of the C libraries.
      std::string name = callee.getName().str();
      if (whole && (hasTensors(callee) || !isInCLibraries(name)))
        report(call, "calls @" + callee.getName() +
                         ", which has no body, expected a function of this "
                         "module");
      return;
    }
    if (hasTensors(callee))
      calls[function].push_back({call, callee});
    enqueue(callee);
  }

  /// Reports calls of functions on tensors that form a cycle. Functions on
  /// scalars may be recursive.
  void findCycles(func::FuncOp root) {
    llvm::DenseMap<Operation *, bool> isActive{{root, true}};
    SmallVector<std::pair<func::FuncOp, size_t>> path{{root, 0}};
    while (!path.empty()) {
      auto &[function, next] = path.back();
      if (next == calls[function].size()) {
        isActive[function] = false;
        path.pop_back();
        continue;
      }
      auto [call, callee] = calls[function][next++];
      auto [known, isNew] = isActive.try_emplace(callee, true);
      if (isNew)
        path.push_back({callee, 0});
      else if (known->second)
        report(call,
               "calls @" + callee.getName() + " recursively, expected loops");
    }
  }

  SymbolTable symbols;
  bool whole, launches;
  /// For each visited function, its calls of functions on tensors.
  llvm::DenseMap<Operation *,
                 SmallVector<std::pair<func::CallOp, func::FuncOp>>>
      calls;
  SmallVector<func::FuncOp> pending;
  llvm::StringSet<> emitted;
  bool anyError = false;
};
} // namespace

LogicalResult pruner::checkLowerable(ModuleOp module, StringRef entry,
                                     bool whole, bool launches) {
  LowerableCheck check(module, whole, launches);
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() &&
        (entry.empty() ? function.isPublic() : function.getName() == entry))
      check.check(function);
  return failure(check.failed());
}

/// An alternative to a tensor that libraries do not accept, as text for a
/// message.
static StringRef alternativeFor(RankedTensorType tensor) {
  if (tensor && tensor.getElementType().isInteger(4))
    return ", or of 4 bits that pruner-normalize stores as bytes: an even "
           "number in the last dimension, which all readers extend";
  if (tensor && !tensor.hasStaticShape())
    return "; functions for several sizes are made by pruner-specialize-shapes "
           "from the attribute 'pruner.range' of arguments";
  return "";
}

LogicalResult pruner::checkInterface(func::FuncOp network, bool dynamic) {
  auto check = [&](TypeRange types, StringRef what) -> LogicalResult {
    for (auto [n, type] : llvm::enumerate(types)) {
      auto error = [&, n = n, type = type] {
        return network.emitError() << what << " " << n << " of @"
                                   << network.getName() << " has type " << type;
      };
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || (!tensor.hasStaticShape() && !dynamic) ||
          tensor.getEncoding() || !isElementOfC(tensor.getElementType()))
        return error() << ", expected a tensor of static shape with elements "
                          "of 1, 8, 16, 32 or 64 bits"
                       << alternativeFor(tensor);
      if (tensor.hasStaticShape() && bufferBytes(tensor) > kMaxTensorBytes)
        return error() << ", which exceeds the limit of " << kMaxTensorBytes
                       << " bytes";
    }
    return success();
  };
  if (failed(check(network.getArgumentTypes(), "argument")) ||
      failed(check(network.getResultTypes(), "result")))
    return failure();
  if (network.getNumResults() == 0)
    return network.emitError("@") << network.getName() << " has no result";
  return success();
}

LogicalResult pruner::checkLowerableOnGpu(ArrayRef<func::FuncOp> tasks) {
  llvm::StringSet<> said;
  for (func::FuncOp task : tasks)
    task->walk([&](Operation *op) {
      std::string why = whyNotLowered(op);
      if (why.empty())
        why = whyNotOnDevice(op);
      if (why.empty())
        return;
      std::string text = ("'" + op->getName().getStringRef() +
                          "' op cannot be lowered for a GPU: " + why)
                             .str();
      if (said.insert(text).second)
        emitError(op->getLoc(), text);
    });
  return success(said.empty());
}

static SmallVector<func::FuncOp> tasksOf(ModuleOp module) {
  return llvm::filter_to_vector(
      module.getOps<func::FuncOp>(), [](func::FuncOp function) {
        return function->hasAttr(PrunerDialect::getTaskAttrName()) &&
               !function.isExternal();
      });
}

namespace {
struct CheckLowerablePass
    : public pruner::impl::CheckLowerablePassBase<CheckLowerablePass> {
  using CheckLowerablePassBase::CheckLowerablePassBase;

  void runOnOperation() override {
    if (target != "cpu" && target != "gpu") {
      emitError(getOperation().getLoc(),
                "pruner-check-lowerable: option 'target': '" + target +
                    "' is neither 'cpu' nor 'gpu'");
      return signalPassFailure();
    }
    if (failed(target == "gpu" ? checkLowerableOnGpu(tasksOf(getOperation()))
                               : checkLowerable(getOperation(), entry,
                                                /*whole=*/true, launches)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
