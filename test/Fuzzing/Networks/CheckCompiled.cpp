//===- CheckCompiled.cpp - compile a network at random --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckSteps.h"

#include "Fuzzing/Schedules/ScheduleFuzz.h"
#include "pruner/Conversion/ExtractTasks/Passes.h"
#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Conversion/SpecializeShapes/Passes.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Draft/Passes.h"
#include "pruner/Library/EmitLibrary.h"
#include "pruner/ModuleTasks/ModuleTask.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Support/FindProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace llvm;
using namespace pruner;

bool Check::schedule(mlir::ModuleOp module, const Environment &environment) {
  // Mostly with a lower limit for the work of a task; otherwise small networks
  // would have few tasks.
  bool relaxes = !choices.accuracy.empty();
  if (choices.random.uniform(3) || relaxes) {
    mlir::PassManager normalize(&context);
    buildNormalizePipeline(normalize);
    if (mlir::failed(normalize.run(module)))
      return fail("normalizing failed");
    if (relaxes && !relax(module))
      return false;
    mlir::PassManager passes(&context);
    ExtractTasksPassOptions extract;
    extract.minElements = choices.random.uniform(2) ? 1 : 128;
    if (choices.chip.empty())
      extract.joinProducts = JoinProducts(choices.random.uniform(3));
    if (choices.random.uniform(2))
      passes.addPass(createMoveChannelsLastPass({environment.machine}));
    passes.addPass(createExtractTasksPass(extract));
    if (mlir::failed(passes.run(module)))
      return fail("normalizing or extracting tasks failed");
    drawForms(module);
  }
  auto tasks = collectTasks(module);
  if (mlir::failed(tasks))
    return fail("normalizing or extracting tasks failed");
  at("drawing schedules");
  // If a network names none of its arguments, the dialect is not loaded yet.
  context.getOrLoadDialect<PrunerDialect>();
  // Schedule all tasks of most networks, and some or no tasks of the rest.
  unsigned share = choices.random.uniform(8);
  for (const ModuleTask &task : *tasks) {
    ++verdict.tasks;
    if (share == 0 || (share == 1 && choices.random.uniform(2)))
      continue;
    ScheduleSpace space(task.desc, environment.machine);
    std::optional<Schedule> schedule = space.sample(choices.random);
    // A schedule that takes long to compile is mostly drawn again.
    for (unsigned again = 0; again < 4 && schedule && isLong(*schedule);
         ++again)
      schedule = space.sample(choices.random);
    if (!schedule)
      continue;
    ++verdict.scheduled;
    mlir::func::FuncOp function = task.function;
    auto attribute = ScheduleAttr::get(&context, *schedule);
    function->setAttr(PrunerDialect::getScheduleAttrName(), attribute);
    raw_string_ostream(verdict.how)
        << "  task " << task.key << ": " << attribute << "\n";
  }
  return true;
}

bool Check::makeLibrary(mlir::ModuleOp module, StringRef entry,
                        const std::string &path) {
  LibraryOptions options;
  options.output = path;
  options.entry = entry.str();
  options.plainLevel = choices.random.uniform(4) ? 1 : 3;
  if (entry == "main") // Constants are prepared on the CPU.
    options.chip = choices.chip;
  verdict.how += "  @" + entry.str() + " at level " +
                 std::to_string(options.plainLevel) + "\n";
  // Takes a fraction of the time of a compiler driver.
  if (findProgram("ld.lld"))
    options.linker = "ld.lld";
  // In a separate context with the dialects of pruner-translate. Additional
  // dialects would register interfaces that the tools of users lack.
  std::string text;
  raw_string_ostream os(text);
  module.print(os);
  mlir::MLIRContext fresh(libraryDialects(),
                          mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler handler(
      &fresh, [this](mlir::Diagnostic &diagnostic) { note(diagnostic); });
  auto copy = parseModuleText(text, &fresh, "lowered");
  if (!copy)
    return fail("the lowered module does not parse");
  auto report = emitLibrary(*copy, options);
  return report ? true : fail(report.takeError());
}

/// Makes functions of static shape for some sizes.
bool Check::specialize() {
  at("specializing");
  mlir::PassManager passes(&context);
  passes.addNestedPass<mlir::func::FuncOp>(createLiftBranchesPass());
  if (choices.random.uniform(4) == 0)
    buildNormalizePipeline(passes);
  SpecializeShapesPassOptions options;
  options.entry = "main";
  if (choices.random.uniform(12) == 0) {
    ChooseSizesPassOptions choose;
    choose.entry = "main";
    choose.population = 2;
    choose.threads = 1;
    choose.candidates = {range.getMax()};
    for (int64_t n = 1; n < range.getMax(); ++n)
      if (choices.random.uniform(range.getMax()) < 3)
        choose.candidates.push_back(n);
    passes.addPass(createChooseSizesPass(choose));
  } else {
    for (int64_t n = 1; n <= range.getMax(); ++n)
      if (choices.random.uniform(range.getMax()) < 2)
        options.sizes.push_back(n);
    if (options.sizes.empty())
      options.sizes = {1 + int64_t(choices.random.uniform(range.getMax()))};
  }
  passes.addPass(createSpecializeShapesPass(options));
  if (mlir::failed(passes.run(*module))) {
    // Sizes are chosen by the times of tasks, padded to all sizes. Those below
    // the range may not have a shape.
    bool chooses = options.sizes.empty();
    if ((chooses && StringRef(message).contains("cannot be padded along")) ||
        (StringRef(message).contains(": an extent is -") && range.getMin() > 1))
      verdict.skipped = message;
    else
      fail("specializing failed");
    return false;
  }
  module->walk([&](mlir::func::FuncOp function) {
    if (auto plan = function->getAttr(PrunerDialect::getPlanAttrName()))
      raw_string_ostream(verdict.how) << "  " << plan << "\n";
  });
  // Users write it to a file.
  std::string text;
  raw_string_ostream os(text);
  module->print(os);
  module = parseModuleText(text, &context, "specialized");
  return module ? true : fail("the specialized module does not parse");
}

bool Check::compile() {
  at("normalizing and extracting");
  Environment environment;
  if (choices.chip.empty()) {
    environment.machine = anyCpu(16 << choices.random.uniform(3));
    threads = environment.threads =
        choices.random.uniform(3) ? 1 : 1 + choices.random.uniform(3);
  } else {
    auto device = Environment::create("nvidia:" + choices.chip, 1);
    if (!device)
      return fail(device.takeError());
    environment = std::move(*device);
  }
  // Some networks as pruner-translate accepts them: neither normalized nor
  // scheduled. Numbers of 4 bits must be normalized.
  bool asWritten = choices.random.uniform(6) == 0 && choices.accuracy.empty() &&
                   none_of(network.inputTypes, isNibbleTensor);
  verdict.how += asWritten ? "  as written\n" : "  normalized\n";
  if (range && !specialize())
    return false;
  if (!asWritten && !schedule(*module, environment))
    return false;
  at("lowering kernels");
  if (!asWritten && mlir::failed(lowerScheduled(*module, environment)))
    return fail("lowering kernels failed");
  bool hoist = !asWritten && !range && choices.random.uniform(4);
  if (hoist) {
    at("hoisting constants");
    mlir::PassManager passes(&context);
    passes.addPass(createHoistConstantsPass());
    if (mlir::failed(passes.run(*module)))
      return fail("hoisting constants failed");
  }
  at("making the library");
  main = Signature::of(module->lookupSymbol<mlir::func::FuncOp>("main"));
  auto ahead = module->lookupSymbol<mlir::func::FuncOp>("main_prepare");
  prepares = bool(ahead);
  if (ahead) {
    prepare = Signature::of(ahead);
    if (!makeLibrary(*module, "main_prepare",
                     choices.directory + "/prepare.so"))
      return false;
  }
  return makeLibrary(*module, "main", choices.directory + "/main.so");
}
