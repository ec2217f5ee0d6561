//===- BuildNetwork.cpp - build a tuned network as a library --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BuildNetwork.h"

#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/IR/WholeText.h"
#include "pruner/Library/EmitLibrary.h"
#include "pruner/Support/Threads.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

#include <atomic>

using namespace mlir;
using namespace pruner;

func::FuncOp pruner::findNetwork(ModuleOp module) {
  func::FuncOp network;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    llvm::StringSet<> called;
    function.walk([&](func::CallOp call) {
      auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
      if (callee && callee->hasAttr(PrunerDialect::getTaskAttrName()))
        called.insert(call.getCallee());
    });
    if (called.empty())
      continue;
    if (network || called.size() < 2)
      return {};
    network = function;
  }
  return network;
}

/// Emits the function `entry` of the module as a library. `emitted` stays empty
/// if there is no such function.
static llvm::Error emitPart(ModuleOp module, llvm::StringRef entry,
                            const Environment &environment,
                            const std::string &path, ObjectCache &objects,
                            std::string &emitted) {
  if (!module.lookupSymbol(entry))
    return llvm::Error::success();
  OwningOpRef<ModuleOp> copy(module.clone());
  LibraryOptions options;
  options.output = path;
  options.entry = entry.str();
  options.objects = &objects;
  if (!environment.target.chip().empty())
    options.cpu.cpu = environment.target.chip();
  auto report = emitLibrary(*copy, options);
  if (!report)
    return report.takeError();
  emitted = path;
  return llvm::Error::success();
}

std::vector<std::string> pruner::chosenForms(ModuleOp module) {
  std::vector<std::string> forms;
  module.walk([&](AlternativesOp op) {
    forms.push_back(op.getChosen().value_or("").str());
  });
  return forms;
}

static void setForms(ModuleOp module, llvm::ArrayRef<std::string> forms) {
  module.walk([&](AlternativesOp op) {
    if (!forms.front().empty())
      op.setChosen(forms.front());
    forms = forms.drop_front();
  });
}

/// Builds the libraries of one variant. Changes the module.
static llvm::Expected<NetworkLibrary>
build(ModuleOp module, llvm::StringRef entry, const NetworkVariant &variant,
      const Environment &environment, const std::string &stem,
      ObjectCache &objects) {
  MLIRContext *context = module.getContext();
  std::string said;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (said.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      said = ": " + diagnostic.str();
  });
  for (auto task : module.getOps<func::FuncOp>()) {
    auto found = variant.schedules.find(task.getName());
    if (found != variant.schedules.end())
      task->setAttr(PrunerDialect::getScheduleAttrName(),
                    parseScheduleText(found->second, context));
  }
  setForms(module, variant.forms);
  PassManager hoist(context);
  hoist.enableVerifier(false); // Emitting the libraries verifies them.
  hoist.addPass(createHoistConstantsPass());
  if (failed(lowerScheduled(module, environment)) || failed(hoist.run(module)))
    return llvm::createStringError("the network cannot be lowered" + said);
  NetworkLibrary library;
  if (llvm::Error error = emitPart(module, entry, environment, stem + ".so",
                                   objects, library.network))
    return error;
  if (llvm::Error error =
          emitPart(module, (entry + "_prepare").str(), environment,
                   stem + "-prepare.so", objects, library.prepare))
    return error;
  return library;
}

llvm::Expected<std::vector<NetworkLibrary>>
pruner::buildNetworks(func::FuncOp network,
                      llvm::ArrayRef<NetworkVariant> variants,
                      const Environment &environment, llvm::StringRef directory,
                      ObjectCache &objects, llvm::function_ref<bool()> stop) {
  auto module = network->getParentOfType<ModuleOp>();
  const std::string entry = network.getName().str();
  auto stem = [&](size_t n) {
    return (directory + "/network" + llvm::Twine(n)).str();
  };
  std::vector<NetworkLibrary> libraries(variants.size());
  std::vector<std::string> problems(variants.size());
  std::atomic<size_t> next = 0;
  auto take = [&](llvm::function_ref<OwningOpRef<ModuleOp>()> make) {
    for (size_t n; (n = next++) < variants.size() && !stop();) {
      OwningOpRef<ModuleOp> own = make();
      auto built =
          own ? build(*own, entry, variants[n], environment, stem(n), objects)
              : llvm::createStringError(
                    "the text of the network cannot be parsed");
      if (built)
        libraries[n] = std::move(*built);
      else
        problems[n] = llvm::toString(built.takeError());
    }
  };
  // Build in parallel, each library in its own context, unless the text of the
  // network exceeds the limits of the parser.
  std::string text;
  if (variants.size() > 1) {
    llvm::raw_string_ostream os(text);
    module.print(os, wholeText());
  }
  if (variants.size() > 1 && text.size() <= TextLimits().maxBytes) {
    parallelFor(variants.size(), [&](size_t) {
      MLIRContext context(module.getContext()->getDialectRegistry(),
                          MLIRContext::Threading::DISABLED);
      take([&] { return parseModuleText(text, &context, "network"); });
    });
  } else {
    take([&] { return OwningOpRef<ModuleOp>(module.clone()); });
  }
  for (const std::string &problem : problems)
    if (!problem.empty())
      return llvm::createStringError(problem);
  llvm::erase_if(libraries, [](const NetworkLibrary &library) {
    return library.network.empty();
  });
  return libraries;
}
