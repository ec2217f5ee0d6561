//===- TunedKernels.cpp - kernels of a tuning database --------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TunedKernels.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Tune/ApplyRecords.h"

#include "mlir/IR/MLIRContext.h"

using namespace pruner;
using namespace pruner::bench;

std::string bench::moduleText(const Shape &shape) {
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

llvm::Expected<TunedKernels> TunedKernels::create(unsigned threads) {
  auto session = TuningSession::create(threads);
  if (!session)
    return session.takeError();
  return TunedKernels(std::move(*session));
}

llvm::Expected<ModuleTasks> TunedKernels::task(const Shape &shape) {
  auto found = session.tasks(shape.text(), moduleText(shape));
  if (found && found->tasks.size() != 1)
    return llvm::createStringError("%s became %zu tasks instead of one",
                                   shape.text().c_str(), found->tasks.size());
  return found;
}

llvm::Error TunedKernels::build(Contender &contender, const TuneTask &task,
                                Operands &operands, llvm::StringRef schedule,
                                unsigned threads) {
  auto built = session.compile(task, schedule, threads);
  if (!built)
    return built.takeError();
  const Shape &shape = operands.shape;
  // Operands may not change places on the way to a task.
  auto is = [](const TensorSpec &spec, int64_t rows, int64_t columns) {
    return spec.type == ElementType::F32 && spec.elements() == rows * columns;
  };
  if (built->inputs.size() != 2 || built->outputs.size() != 1 ||
      !is(built->inputs[0], shape.m, shape.k) ||
      !is(built->inputs[1], shape.k, shape.n) ||
      !is(built->outputs[0], shape.m, shape.n))
    return llvm::createStringError("the task of %s has other operands",
                                   shape.text().c_str());
  contender.facts["schedule"] = schedule.str();
  contender.facts["compile_ms"] = std::move(built->stages);
  contender.facts["object"] = std::move(built->facts);
  bindFunction(
      contender, operands,
      [run = std::move(built->run)](const float *a, const float *b, float *c) {
        void *arguments[] = {const_cast<float *>(a), const_cast<float *>(b), c};
        run(arguments);
      });
  return llvm::Error::success();
}

llvm::Error TunedKernels::tune(const Shape &shape, const TuneCommand &command) {
  return session.tune(shape.text(), moduleText(shape), command);
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
  contender.threads = session.environment().threads;
  auto make = [&]() -> llvm::Error {
    auto found = this->task(operands.shape);
    if (!found)
      return found.takeError();
    const TuneTask &task = found->tasks.front();
    auto database = Database::open(path, OpenMode::ReadOnly);
    if (!database)
      return database.takeError();
    auto record = bestRecord(*database, session.environment(), task,
                             /*unmeasured=*/false);
    if (!record)
      return record.takeError();
    if (!*record)
      return llvm::createStringError(
          "the database has no verified record of this shape for this machine, "
          "toolchain and number of threads");
    auto trials = session.countTrials(found->tasks, path);
    if (!trials)
      return trials.takeError();
    contender.detail = std::to_string(*trials) + " trials";
    if (auto seconds = medianTime(**record))
      contender.detail += ", " + secondsText(*seconds);
    contender.facts["trials"] = int64_t(*trials);
    contender.facts["trial"] = (*record)->trial;
    contender.facts["task"] = task.key;
    return build(contender, task, operands, (*record)->schedule,
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
  contender.threads = schedule == "default" ? 1 : session.environment().threads;
  auto found = task(operands.shape);
  llvm::Error error = found ? build(contender, found->tasks.front(), operands,
                                    schedule, contender.threads)
                            : found.takeError();
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
  contender.threads = session.environment().threads;
  auto make = [&]() -> llvm::Error {
    auto found = this->task(operands.shape);
    if (!found)
      return found.takeError();
    const TuneTask &task = found->tasks.front();
    // The draft model fills all cores of the machine it is given.
    Machine machine = session.environment().machine;
    machine.units = contender.threads;
    ScheduleSpace space(task.desc, std::move(machine));
    std::optional<Schedule> schedule = space.defaultSchedule();
    if (!schedule)
      return llvm::createStringError("the space has no legal schedule");
    std::string text;
    llvm::raw_string_ostream(text)
        << ScheduleAttr::get(&session.context(), *schedule);
    return build(contender, task, operands, text, contender.threads);
  };
  if (llvm::Error error = make())
    contender.failure = llvm::toString(std::move(error));
  return contender;
}
