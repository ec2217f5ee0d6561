//===- FuzzInterfaces.cpp - networks that modules describe ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The attribute `pruner.interface` of a lowered module becomes the metadata and
// the C header of its library.

#include "NetworkInterface.h"
#include "NetworkMetadata.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <cstdlib>

using namespace pruner;

static void require(bool condition) {
  if (!condition)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned used = 0;
  if (!context || ++used % 5000 == 0) {
    context = std::make_unique<mlir::MLIRContext>(
        mlir::MLIRContext::Threading::DISABLED);
    context->loadDialect<PrunerDialect>();
    context->allowUnregisteredDialects();
  }
  mlir::ScopedDiagnosticHandler quiet(
      context.get(), [](mlir::Diagnostic &) { return mlir::success(); });
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  auto module = parseModuleText(text, context.get(), "input");
  if (!module)
    return 0;
  auto interface = NetworkInterface::read(*module);
  if (!interface) {
    llvm::consumeError(interface.takeError());
    return 0;
  }
  std::string header = interface->header("net.so");
  require(llvm::StringRef(header).split("*/").second.starts_with("\n#ifndef"));
  // The metadata are JSON. If a loader accepts them, they have the same
  // contents.
  auto metadata = parseNetworkMetadata(interface->metadata("cpu", "+avx2"));
  if (!metadata) {
    llvm::consumeError(metadata.takeError());
    return 0;
  }
  require(metadata->inputs.size() == interface->inputs.size() &&
          metadata->outputs.size() == interface->outputs.size());
  for (auto [read, written] : llvm::zip(metadata->inputs, interface->inputs))
    require(read.shape == written.shape && read.element == written.element);
  return 0;
}
