//===- FuzzExports.cpp - schedules for other compilers --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The input is a schedule, which each task of a fixed module gets. A user may
// have written the file of schedules. Whatever it contains, the exported module
// can be parsed.

#include "MemoryFile.h"
#include "pruner/Conversion/ExtractTasks/Passes.h"
#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/TransformLibrary/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace pruner;

static constexpr llvm::StringLiteral kModule = R"(
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @linear(%x: tensor<30x24xf32>, %w: tensor<24x40xf32>, %b: tensor<40xf32>) -> tensor<30x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<30x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<30x40xf32>) -> tensor<30x40xf32>
  %m = linalg.matmul ins(%x, %w : tensor<30x24xf32>, tensor<24x40xf32>) outs(%f : tensor<30x40xf32>) -> tensor<30x40xf32>
  %a = linalg.generic {indexing_maps = [#id2, #column, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%m, %b : tensor<30x40xf32>, tensor<40xf32>) outs(%e : tensor<30x40xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    linalg.yield %0 : f32
  } -> tensor<30x40xf32>
  return %a : tensor<30x40xf32>
}
func.func @half(%x: tensor<64x32xf16>, %w: tensor<32x64xf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%x, %w : tensor<64x32xf16>, tensor<32x64xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %m : tensor<64x64xf32>
}
func.func @convolution(%x: tensor<1x3x9x9xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x7x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x7x7xf32>) -> tensor<1x4x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x9xf32>, tensor<4x3x3x3xf32>) outs(%f : tensor<1x4x7x7xf32>) -> tensor<1x4x7x7xf32>
  return %c : tensor<1x4x7x7xf32>
}
)";

static void require(bool condition) {
  if (!condition)
    std::abort();
}

namespace {
/// The module, and its tasks in a module of their own.
struct Subject {
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  mlir::OwningOpRef<mlir::ModuleOp> module, tasks;

  Subject() : module(parseModuleText(kModule, context.get(), "module")) {
    require(bool(module));
    tasks = module->clone();
    mlir::PassManager passes(context.get());
    buildNormalizePipeline(passes);
    passes.addPass(createExtractTasksPass());
    require(succeeded(passes.run(*tasks)));
  }

  static std::unique_ptr<mlir::MLIRContext> makeContext() {
    mlir::DialectRegistry registry;
    registerPipelineDialects(registry);
    createExportTransformPass()->getDependentDialects(registry);
    createExportIreeSpecPass()->getDependentDialects(registry);
    auto context = std::make_unique<mlir::MLIRContext>(
        registry, mlir::MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
    return context;
  }

  std::string withSchedule(ScheduleAttr schedule) {
    for (auto function : tasks->getOps<mlir::func::FuncOp>())
      if (function->hasAttr(PrunerDialect::getTaskAttrName()))
        function->setAttr(PrunerDialect::getScheduleAttrName(), schedule);
    std::string text;
    llvm::raw_string_ostream(text) << *tasks;
    return text;
  }

  void run(std::unique_ptr<mlir::Pass> pass, bool keepsModule) {
    mlir::OwningOpRef<mlir::ModuleOp> copy = module->clone();
    mlir::PassManager passes(context.get());
    passes.enableVerifier(false);
    passes.addPass(std::move(pass));
    if (failed(passes.run(*copy)) || keepsModule)
      return;
    require(succeeded(mlir::verify(*copy)));
    std::string text;
    llvm::raw_string_ostream(text) << *copy;
    require(bool(parseModuleText(text, context.get(), "exported")));
  }
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static std::unique_ptr<Subject> subject;
  static unsigned used = 0;
  // Attributes live as long as their context.
  if (!subject || ++used % 5000 == 0)
    subject = std::make_unique<Subject>();
  mlir::ScopedDiagnosticHandler quiet(
      subject->context.get(),
      [](mlir::Diagnostic &) { return mlir::success(); });
  ScheduleAttr schedule = parseScheduleText(
      llvm::StringRef(reinterpret_cast<const char *>(data), size),
      subject->context.get());
  if (!schedule)
    return 0;
  MemoryFile file(subject->withSchedule(schedule));
  ExportTransformPassOptions library;
  library.schedules = file.path();
  subject->run(createExportTransformPass(library), /*keepsModule=*/false);
  for (const char *target : {"llvm-cpu", "cuda"}) {
    ExportIreeSpecPassOptions specification;
    specification.schedules = file.path();
    specification.output = "/dev/null";
    specification.target = target;
    subject->run(createExportIreeSpecPass(specification),
                 /*keepsModule=*/true);
  }
  return 0;
}
