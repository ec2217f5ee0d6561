//===- FuzzNames.cpp - lists of arguments ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two readers parse such a list (`*.args.json`): the one that names the tensors
// of a library, and the pass that declares arguments constant.

#include "MemoryFile.h"
#include "NetworkInterface.h"
#include "NetworkMetadata.h"
#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

using namespace pruner;

static constexpr llvm::StringLiteral kModule = R"(
func.func @main(%x: tensor<2x3xf32>, %n: tensor<i64>) -> tensor<2x3xf32> {
  return %x : tensor<2x3xf32>
}
)";

static void require(bool condition) {
  if (!condition)
    std::abort();
}

static void nameLibrary(const std::string &path) {
  NetworkInterface interface;
  interface.inputs = {{"arg0", "", "f32", {2, 3}}, {"arg1", "", "i64", {}}};
  interface.outputs = {{"result0", "", "f32", {2, 3}}};
  if (auto error = interface.nameFrom(path)) {
    llvm::consumeError(std::move(error));
    return;
  }
  require(interface.inputs[0].name != interface.inputs[1].name);
  // Names are part of a comment of the C header.
  std::string header = interface.header("net.so");
  require(llvm::StringRef(header).split("*/").second.starts_with("\n#ifndef"));
  auto metadata = parseNetworkMetadata(interface.metadata("", ""));
  require(bool(metadata));
  for (auto [read, written] : llvm::zip(metadata->inputs, interface.inputs))
    require(read.name == written.name && !read.name.empty() &&
            read.kind == written.kind && read.shape == written.shape);
}

static void declareConstants(const std::string &path) {
  static mlir::MLIRContext *context = [] {
    auto *context =
        new mlir::MLIRContext(mlir::MLIRContext::Threading::DISABLED);
    context->loadDialect<PrunerDialect, mlir::func::FuncDialect>();
    return context;
  }();
  static mlir::OwningOpRef<mlir::ModuleOp> module =
      parseModuleText(kModule, context, "module");
  mlir::ScopedDiagnosticHandler quiet(
      context, [](mlir::Diagnostic &) { return mlir::success(); });
  mlir::OwningOpRef<mlir::ModuleOp> copy = module->clone();
  DeclareConstantsPassOptions options;
  options.names = path;
  mlir::PassManager passes(context);
  passes.addPass(createDeclareConstantsPass(options));
  if (failed(passes.run(*copy)))
    return;
  // The module after the pass can be printed and parsed.
  std::string printed;
  llvm::raw_string_ostream(printed) << *copy;
  require(bool(parseModuleText(printed, context, "printed")));
  auto function = *copy->getOps<mlir::func::FuncOp>().begin();
  for (unsigned n = 0; n < 2; ++n)
    require(bool(function.getArgAttrOfType<mlir::StringAttr>(
        n, PrunerDialect::getNameAttrName())));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static unsigned used = 0;
  // Attributes live as long as their context.
  if (++used % 100000 == 0)
    return 0;
  MemoryFile file(llvm::StringRef(reinterpret_cast<const char *>(data), size));
  nameLibrary(file.path());
  declareConstants(file.path());
  return 0;
}
