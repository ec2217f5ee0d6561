//===- FuzzSchedules.cpp - schedules of records ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/IR/ForeignText.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include <cstdlib>

using namespace pruner;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Attributes live as long as their context.
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned used = 0;
  if (!context || ++used % 10000 == 0) {
    context = std::make_unique<mlir::MLIRContext>(
        mlir::MLIRContext::Threading::DISABLED);
    context->loadDialect<PrunerDialect>();
  }
  mlir::ScopedDiagnosticHandler quiet(
      context.get(), [](mlir::Diagnostic &) { return mlir::success(); });
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  ScheduleAttr schedule = parseScheduleText(text, context.get());
  if (!schedule)
    return 0;
  std::string printed;
  llvm::raw_string_ostream(printed) << schedule;
  if (parseScheduleText(printed, context.get()) != schedule)
    std::abort();
  return 0;
}
