//===- TunedKernels.cpp - kernels of a tuning database --------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TunedKernels.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Measure/Candidate.h"
#include "pruner/Measure/Reference.h"
#include "pruner/Record/Database.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Target/JitModule.h"
#include "pruner/Tune/TuneTask.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace pruner;
using namespace pruner::bench;

/// C = A B as a user writes it.
static std::string moduleText(const Shape &shape) {
  auto tensor = [](int64_t rows, int64_t columns) {
    return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
           "xf32>";
  };
  std::string a = tensor(shape.m, shape.k), b = tensor(shape.k, shape.n),
              c = tensor(shape.m, shape.n);
  return "func.func @main(%a: " + a + ", %b: " + b + ") -> " + c + " {\n" +
         "  %zero = arith.constant 0.000000e+00 : f32\n" +
         "  %empty = tensor.empty() : " + c + "\n" +
         "  %init = linalg.fill ins(%zero : f32) outs(%empty : " + c + ") -> " +
         c + "\n" + "  %c = linalg.matmul ins(%a, %b : " + a + ", " + b +
         ") outs(%init : " + c + ") -> " + c + "\n" + "  return %c : " + c +
         "\n}\n";
}

struct TunedKernels::State {
  std::unique_ptr<mlir::MLIRContext> context;
  Environment environment;
  /// Of every contender that was handed out.
  std::vector<std::unique_ptr<JitModule>> code;

  /// The shape's one task, as the tuner sees it: the same passes make the same
  /// key. The task's function goes with `module`.
  llvm::Expected<TuneTask> task(const Shape &shape,
                                mlir::OwningOpRef<mlir::ModuleOp> &module);
  llvm::Error build(Contender &contender, const TuneTask &task,
                    Operands &operands, llvm::StringRef schedule,
                    unsigned threads);
};

llvm::Expected<TuneTask>
TunedKernels::State::task(const Shape &shape,
                          mlir::OwningOpRef<mlir::ModuleOp> &module) {
  std::optional<TuneTask> found;
  if (llvm::Error error =
          withDiagnostics(*context, "making the task of " + shape.text(), [&] {
            module = mlir::parseSourceString<mlir::ModuleOp>(moduleText(shape),
                                                             context.get());
            if (!module)
              return mlir::failure();
            auto tasks = collectTasks(*module);
            if (mlir::failed(tasks) || tasks->size() != 1)
              return mlir::failure();
            found = std::move(tasks->front());
            return mlir::success();
          }))
    return error;
  return std::move(*found);
}

llvm::Error TunedKernels::State::build(Contender &contender,
                                       const TuneTask &task, Operands &operands,
                                       llvm::StringRef schedule,
                                       unsigned threads) {
  auto program = TaskProgram::parse(*context, task.text);
  if (!program)
    return program.takeError();
  const Shape &shape = operands.shape;
  // Operands may not change places on the way to a task.
  auto is = [](const TensorSpec &spec, int64_t rows, int64_t columns) {
    return spec.type == ElementType::F32 && spec.elements() == rows * columns;
  };
  if (program->inputs().size() != 2 || program->outputs().size() != 1 ||
      !is(program->inputs()[0], shape.m, shape.k) ||
      !is(program->inputs()[1], shape.k, shape.n) ||
      !is(program->outputs()[0], shape.m, shape.n))
    return llvm::createStringError("the task of %s has other operands",
                                   shape.text().c_str());
  auto built = buildCandidate(*program, schedule, environment.target, threads);
  if (!built)
    return built.takeError();
  auto module = loadObject(built->artifact);
  if (!module)
    return module.takeError();
  auto function = (*module)->lookup(built->entry);
  if (!function)
    return function.takeError();
  code.push_back(std::move(*module));
  contender.facts["schedule"] = schedule.str();
  contender.facts["compile_ms"] = std::move(built->stages);
  contender.facts["object"] = std::move(built->facts);
  bindFunction(contender, operands,
               [entry = *function](const float *a, const float *b, float *c) {
                 void *arguments[] = {const_cast<float *>(a),
                                      const_cast<float *>(b), c};
                 invokeKernel(entry, arguments);
               });
  return llvm::Error::success();
}

TunedKernels::TunedKernels(std::unique_ptr<State> state)
    : state(std::move(state)) {}
TunedKernels::TunedKernels(TunedKernels &&) = default;
TunedKernels::~TunedKernels() = default;

llvm::Expected<TunedKernels> TunedKernels::create(unsigned threads) {
  auto environment = Environment::create("cpu", threads);
  if (!environment)
    return environment.takeError();
  auto state = std::make_unique<State>();
  mlir::DialectRegistry registry;
  registerMeasureDialects(registry);
  state->context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  state->context->loadAllAvailableDialects();
  state->environment = std::move(*environment);
  return TunedKernels(std::move(state));
}

std::string TunedKernels::machineKey() const {
  return state->environment.machineKey();
}

std::string TunedKernels::toolchain() { return Environment::toolchain(); }

//===----------------------------------------------------------------------===//
// Tuning
//===----------------------------------------------------------------------===//

/// Trials of the task that were measured in this environment.
static llvm::Expected<unsigned> countTrials(const Environment &environment,
                                            const TuneTask &task,
                                            llvm::StringRef path) {
  if (!llvm::sys::fs::exists(path))
    return 0u;
  auto database = Database::open(path, OpenMode::ReadOnly);
  if (!database)
    return database.takeError();
  unsigned count = 0;
  std::string options = environment.pipelineOptions();
  if (llvm::Error error = database->forEach(
          environment.query(task), [&](Record record) -> llvm::Error {
            count += record.pipelineOptions == options &&
                     llvm::StringRef(record.schedule).starts_with("#pruner.");
            return llvm::Error::success();
          }))
    return error;
  return count;
}

llvm::Error TunedKernels::tune(const Shape &shape, const TuneCommand &command) {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  auto task = state->task(shape, module);
  if (!task)
    return task.takeError();
  auto have = countTrials(state->environment, *task, command.database);
  if (!have)
    return have.takeError();
  if (*have >= command.trials)
    return llvm::Error::success();

  static int anchor;
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, &anchor);
  llvm::SmallString<256> program(llvm::sys::path::parent_path(self));
  llvm::sys::path::append(program, "pruner-opt");
  llvm::SmallString<128> input;
  int descriptor;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile(
          "pruner-bench", "mlir", descriptor, input))
    return llvm::createStringError(error, "no temporary file");
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << moduleText(shape);
  std::string pass =
      "--pruner-tune=target=cpu trials=" + std::to_string(command.trials) +
      " db=" + command.database +
      " threads=" + std::to_string(state->environment.threads) +
      " lower=false " + command.options;
  llvm::errs() << "tuning " << shape.text() << ": " << *have << " of "
               << command.trials << " trials recorded\n";
  std::string reason;
  int status = llvm::sys::ExecuteAndWait(
      program, {program, input, pass}, std::nullopt,
      {std::nullopt, llvm::StringRef(""), std::nullopt}, 0, 0, &reason);
  llvm::sys::fs::remove(input);
  if (status)
    return llvm::createStringError("%s ended with status %d %s",
                                   program.c_str(), status, reason.c_str());
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Contenders
//===----------------------------------------------------------------------===//

static std::string secondsText(double seconds) {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%.3f ms when tuned", 1e3 * seconds);
  return text;
}

Contender TunedKernels::tuned(Operands &operands, llvm::StringRef path) {
  Contender contender;
  contender.name = "pruner";
  contender.role = Role::Tuned;
  contender.threads = state->environment.threads;
  auto make = [&]() -> llvm::Error {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    auto task = state->task(operands.shape, module);
    if (!task)
      return task.takeError();
    auto database = Database::open(path, OpenMode::ReadOnly);
    if (!database)
      return database.takeError();
    auto record = bestRecord(*database, state->environment, *task,
                             /*unmeasured=*/false);
    if (!record)
      return record.takeError();
    if (!*record)
      return llvm::createStringError(
          "the database has no verified record of this shape for this machine, "
          "toolchain and number of threads");
    auto trials = countTrials(state->environment, *task, path);
    if (!trials)
      return trials.takeError();
    contender.detail = std::to_string(*trials) + " trials";
    if (auto seconds = medianTime(**record))
      contender.detail += ", " + secondsText(*seconds);
    contender.facts["trials"] = int64_t(*trials);
    contender.facts["trial"] = (*record)->trial;
    contender.facts["task"] = task->key;
    return state->build(contender, *task, operands, (*record)->schedule,
                        contender.threads);
  };
  if (llvm::Error error = make())
    contender.failure = llvm::toString(std::move(error));
  return contender;
}

Contender TunedKernels::scheduled(Operands &operands, llvm::StringRef name,
                                  llvm::StringRef schedule) {
  Contender contender;
  contender.name = name.str();
  contender.role = Role::Own;
  contender.threads = schedule == "default" ? 1 : state->environment.threads;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  auto task = state->task(operands.shape, module);
  llvm::Error error = task ? state->build(contender, *task, operands, schedule,
                                          contender.threads)
                           : task.takeError();
  if (error)
    contender.failure = llvm::toString(std::move(error));
  return contender;
}

Contender TunedKernels::untuned(Operands &operands) {
  Contender contender = scheduled(operands, "default", "default");
  contender.detail = "plain loops, LLVM -O3";
  return contender;
}

Contender TunedKernels::drafted(Operands &operands) {
  Contender contender;
  contender.name = "draft";
  contender.detail = "analytical model, nothing measured";
  contender.role = Role::Own;
  contender.threads = state->environment.threads;
  auto make = [&]() -> llvm::Error {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    auto task = state->task(operands.shape, module);
    if (!task)
      return task.takeError();
    // The draft model fills all cores of the machine it is given.
    Machine machine = state->environment.machine;
    machine.units = contender.threads;
    ScheduleSpace space(task->desc, std::move(machine));
    std::optional<Schedule> schedule = space.defaultSchedule();
    if (!schedule)
      return llvm::createStringError("the space has no legal schedule");
    std::string text;
    llvm::raw_string_ostream(text)
        << ScheduleAttr::get(state->context.get(), *schedule);
    return state->build(contender, *task, operands, text, contender.threads);
  };
  if (llvm::Error error = make())
    contender.failure = llvm::toString(std::move(error));
  return contender;
}
