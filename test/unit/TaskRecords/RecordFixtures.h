//===- RecordFixtures.h - a task and its records for tests ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_UNIT_TASKRECORDS_RECORDFIXTURES_H
#define PRUNER_TEST_UNIT_TASKRECORDS_RECORDFIXTURES_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Pipelines/GeneratorIdentity.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Record/Choice.h"
#include "pruner/Schedule/Space.h"
#include "pruner/TaskRecords/TaskRecords.h"
#include "pruner/Verification/Method.h"

#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

namespace pruner::test {

/// Returns the value; ends the test with the text of an error.
template <typename T> T get(llvm::Expected<T> value) {
  if (!value) {
    std::string text = toString(value.takeError());
    fprintf(stderr, "unexpected error: %s\n", text.c_str());
    abort();
  }
  return std::move(*value);
}

/// Two products on this host; the second reads the result of the first.
struct ProductsFixture : testing::Test {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Environment environment = get(Environment::create("cpu", 1));
  std::vector<ModuleTask> tasks;

  /// Sets `tasks` to those of the products and of the functions `more`.
  void load(llvm::StringRef more = "") {
    mlir::DialectRegistry registry;
    registerPipelineDialects(registry);
    registry.insert<PrunerDialect>();
    context = std::make_unique<mlir::MLIRContext>(registry);
    context->loadAllAvailableDialects();
    std::string text = R"mlir(
      func.func @main(%a: tensor<32x48xf32>, %b: tensor<48x64xf32>,
                      %c: tensor<64x16xf32>) -> tensor<32x16xf32> {
        %zero = arith.constant 0.0 : f32
        %e = tensor.empty() : tensor<32x64xf32>
        %i = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64xf32>)
               -> tensor<32x64xf32>
        %0 = linalg.matmul ins(%a, %b : tensor<32x48xf32>, tensor<48x64xf32>)
               outs(%i : tensor<32x64xf32>) -> tensor<32x64xf32>
        %f = tensor.empty() : tensor<32x16xf32>
        %j = linalg.fill ins(%zero : f32) outs(%f : tensor<32x16xf32>)
               -> tensor<32x16xf32>
        %1 = linalg.matmul ins(%0, %c : tensor<32x64xf32>, tensor<64x16xf32>)
               outs(%j : tensor<32x16xf32>) -> tensor<32x16xf32>
        return %1 : tensor<32x16xf32>
      })mlir";
    module = mlir::parseSourceString<mlir::ModuleOp>(text + more.str(),
                                                     context.get());
    ASSERT_TRUE(module);
    auto found = collectTasks(*module);
    ASSERT_TRUE(mlir::succeeded(found));
    tasks = std::move(*found);
  }
};

/// The products with legal schedules for the first, and a database in memory.
struct TuneFixture : ProductsFixture {
  Database database = get(Database::open("", OpenMode::Create));
  std::vector<std::string> schedules;
  std::vector<std::string> diagnostics;

  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(load());
    ASSERT_EQ(tasks.size(), 2u);
    ScheduleSpace space(task().desc, environment.machine);
    Random random(3);
    while (schedules.size() < 6) {
      std::optional<Schedule> schedule = space.sample(random);
      ASSERT_TRUE(schedule);
      std::string text;
      llvm::raw_string_ostream(text)
          << ScheduleAttr::get(context.get(), *schedule);
      if (!llvm::is_contained(schedules, text))
        schedules.push_back(text);
    }
    context->getDiagEngine().registerHandler([&](mlir::Diagnostic &d) {
      diagnostics.push_back(d.str());
      return mlir::success();
    });
  }

  const ModuleTask &task() const { return tasks[0]; }

  /// Returns a verified record of the first task by this build.
  Record makeRecord(llvm::StringRef schedule, double seconds) {
    Record record = blankRecord(environment, task(), schedule);
    record.strategy = "random";
    record.runId = "run";
    record.trial = trials++;
    record.status = MeasureStatus::Ok;
    record.times = {seconds};
    record.verified = true;
    record.verification = verificationMethod.str();
    return record;
  }
  /// Returns the same record by another build.
  Record makeOlder(llvm::StringRef schedule, double seconds) {
    Record record = makeRecord(schedule, seconds);
    record.generator = std::string(32, '0');
    return record;
  }
  void store(std::vector<Record> records) {
    RecordBatch batch;
    batch.records = records;
    get(database.append(batch));
  }

  int64_t trials = 0;
};

} // namespace pruner::test

#endif // PRUNER_TEST_UNIT_TASKRECORDS_RECORDFIXTURES_H
