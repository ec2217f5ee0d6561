//===- FuzzIR.cpp - modules of the dialect --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/IR/ForeignText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include <cstdlib>

using namespace pruner;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned used = 0;
  if (!context || ++used % 2000 == 0) {
    context = std::make_unique<mlir::MLIRContext>(
        mlir::MLIRContext::Threading::DISABLED);
    context
        ->loadDialect<PrunerDialect, mlir::arith::ArithDialect,
                      mlir::func::FuncDialect, mlir::memref::MemRefDialect>();
  }
  mlir::ScopedDiagnosticHandler quiet(
      context.get(), [](mlir::Diagnostic &) { return mlir::success(); });
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  auto module = parseModuleText(text, context.get(), "input");
  if (!module)
    return 0;
  // A module that verifies can be printed, and the text can be parsed.
  std::string printed;
  llvm::raw_string_ostream os(printed);
  module->print(os);
  if (!parseModuleText(printed, context.get(), "printed"))
    std::abort();
  return 0;
}
