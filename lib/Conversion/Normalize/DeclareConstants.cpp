//===- DeclareConstants.cpp - mark the arguments that are weights ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Support/InputFile.h"
#include "pruner/Support/JsonLines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/Support/MemoryBuffer.h"

namespace pruner {
#define GEN_PASS_DEF_DECLARECONSTANTSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

namespace {
struct DeclareConstantsPass
    : public pruner::impl::DeclareConstantsPassBase<DeclareConstantsPass> {
  using DeclareConstantsPassBase::DeclareConstantsPassBase;

  void runOnOperation() override {
    FailureOr<func::FuncOp> function = findEntry();
    if (failed(function) || failed(fromList(*function)) ||
        failed(fromFile(*function)))
      signalPassFailure();
  }

private:
  InFlightDiagnostic fail(const Twine &what) {
    return emitError(getOperation().getLoc())
           << "pruner-declare-constants: " << what;
  }

  FailureOr<func::FuncOp> findEntry() {
    func::FuncOp found;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() ||
          (entry.empty() ? !function.isPublic() : function.getName() != entry))
        continue;
      if (found)
        return fail("there is a second public function @" + function.getName() +
                    "; choose one with 'entry'");
      found = function;
    }
    if (!found)
      return fail(entry.empty() ? Twine("there is no public function")
                                : "there is no function @" + entry);
    return found;
  }

  void declare(func::FuncOp function, unsigned argument) {
    StringRef name = PrunerDialect::getConstantAttrName();
    if (!function.getArgAttr(argument, name))
      ++numDeclared;
    function.setArgAttr(argument, name, UnitAttr::get(&getContext()));
  }

  /// Parses a list such as "1-5,8".
  LogicalResult fromList(func::FuncOp function) {
    SmallVector<StringRef> parts;
    StringRef(arguments).split(parts, ',', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts) {
      auto [low, high] = part.trim().split('-');
      unsigned first, last;
      if (low.getAsInteger(10, first) ||
          (part.contains('-') ? high.getAsInteger(10, last)
                              : (last = first, false)) ||
          last < first)
        return fail("option 'arguments': '" + part +
                    "' is neither a number nor a range such as 1-5");
      if (last >= function.getNumArguments())
        return fail("option 'arguments': argument " + Twine(last) +
                    " does not exist, @" + function.getName() + " has " +
                    Twine(function.getNumArguments()) + " arguments");
      for (unsigned n = first; n <= last; ++n)
        declare(function, n);
    }
    return success();
  }

  /// Reads a list of arguments in the exporter's format.
  LogicalResult fromFile(func::FuncOp function) {
    if (names.empty())
      return success();
    auto buffer = readInputFile(names, kMaxNamesBytes);
    if (!buffer)
      return fail("option 'names': " + names + ": " +
                  llvm::toString(buffer.takeError()));
    auto parsed = parseJson((*buffer)->getBuffer());
    if (!parsed)
      return fail("option 'names': " + names + ": " +
                  llvm::toString(parsed.takeError()));
    const llvm::json::Object *file = parsed->getAsObject();
    const llvm::json::Array *entries =
        file ? file->getArray("arguments") : nullptr;
    if (!entries || entries->size() != function.getNumArguments())
      return fail("option 'names': " + names +
                  ": expected an array 'arguments' with one entry for each of "
                  "the " +
                  Twine(function.getNumArguments()) + " arguments of @" +
                  function.getName());
    Builder builder(&getContext());
    for (auto [n, value] : llvm::enumerate(*entries)) {
      const llvm::json::Object *object = value.getAsObject();
      auto name = object ? object->getString("name") : std::nullopt;
      auto kind = object ? object->getString("kind") : std::nullopt;
      if (!name || !kind)
        return fail("option 'names': " + names + ": argument " + Twine(n) +
                    ": expected 'name' and 'kind'");
      function.setArgAttr(n, PrunerDialect::getNameAttrName(),
                          builder.getStringAttr(*name));
      if (*kind != "input")
        declare(function, n);
    }
    const llvm::json::Array *results = file->getArray("results");
    if (!results || results->size() != function.getNumResults())
      return success();
    for (auto [n, value] : llvm::enumerate(*results))
      if (const llvm::json::Object *object = value.getAsObject())
        if (auto name = object->getString("name"))
          function.setResultAttr(n, PrunerDialect::getNameAttrName(),
                                 builder.getStringAttr(*name));
    return success();
  }
};
} // namespace
