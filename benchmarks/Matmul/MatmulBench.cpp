//===- MatmulBench.cpp - tuned matrix products beside their peers ---------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See docs/Benchmarks.md.
//
//===----------------------------------------------------------------------===//

#include "LibraryPeers.h"
#include "MatmulReport.h"
#include "Process.h"
#include "PythonPeers.h"
#include "Rounds.h"
#include "TunedKernels.h"

#include "pruner/Record/Record.h"
#include "pruner/Runtime/FmaPeak.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"

using namespace pruner;
using namespace pruner::bench;
namespace cl = llvm::cl;
namespace json = llvm::json;

namespace {
/// The libraries have options of these names, so this is made after they were
/// taken off the command line.
struct Options {
  cl::OptionCategory category{"Benchmark options"};
  cl::list<std::string> shapeTexts{
      "shapes", cl::cat(category), cl::CommaSeparated,
      cl::desc("Shapes to compare (default: 1024x1024x1024, "
               "128x3072x768, 511x513x509)"),
      cl::value_desc("MxNxK,...")};
  cl::opt<std::string> database{"db", cl::cat(category), cl::Required,
                                cl::desc("Tuning database"),
                                cl::value_desc("file")};
  cl::opt<unsigned> trials{
      "trials", cl::cat(category), cl::init(0),
      cl::desc("Tune a shape first if the database has fewer trials")};
  cl::opt<std::string> tuneOptions{
      "tune-options", cl::cat(category),
      cl::desc("More options of pruner-tune, such as 'seed=1'")};
  cl::opt<unsigned> threads{"threads", cl::cat(category), cl::init(1),
                            cl::desc("Threads of every contender")};
  cl::opt<unsigned> firstCpu{
      "cpu", cl::cat(category), cl::init(0),
      cl::desc("The (first) CPU to run on, of those allowed")};
  cl::opt<double> minSeconds{
      "min-seconds", cl::cat(category), cl::init(0.5),
      cl::desc("Time of each contender and shape, in all")};
  cl::opt<unsigned> rounds{"rounds", cl::cat(category), cl::init(10),
                           cl::desc("Turns of every contender")};
  cl::opt<std::string> jsonFile{"json", cl::cat(category),
                                cl::desc("Write the result here"),
                                cl::value_desc("file")};
  cl::opt<std::string> openBlas{"openblas", cl::cat(category),
                                cl::init("libopenblas.so.0"),
                                cl::desc("OpenBLAS to load; empty: none")};
  cl::opt<std::string> oneDnn{"onednn", cl::cat(category),
                              cl::init("libdnnl.so.2"),
                              cl::desc("oneDNN to load; empty: none")};
  cl::opt<std::string> python{
      "python", cl::cat(category), cl::init("python3"),
      cl::desc("A Python with torch, onnxruntime or iree; empty: none")};
  cl::list<std::string> schedules{
      "schedule", cl::cat(category),
      cl::desc("Time this schedule too, in every shape"),
      cl::value_desc("#pruner.schedule<...>")};
  cl::opt<bool> withDefault{"default", cl::cat(category), cl::init(true),
                            cl::desc("Time the untuned loops too")};
};
} // namespace

static int fail(llvm::Error error) {
  llvm::errs() << "pruner-bench-matmul: " << llvm::toString(std::move(error))
               << "\n";
  return 1;
}

/// The products of BLAS libraries.
static std::vector<Contender> libraryContenders(const LibraryPeers &libraries,
                                                Operands &operands) {
  std::vector<Contender> result;
  for (const LibraryPeer &library : libraries.all()) {
    Contender contender;
    contender.name = library.name;
    contender.detail = library.detail;
    contender.failure = library.failure;
    contender.threads = library.threads;
    if (library.run)
      bindFunction(contender, operands,
                   [run = library.run, shape = operands.shape](
                       const float *a, const float *b, float *c) {
                     run(shape.m, shape.n, shape.k, a, b, c);
                   });
    result.push_back(std::move(contender));
  }
  return result;
}

/// Those of Python packages. They read their operands when they are built.
static std::vector<Contender> packageContenders(PythonPeers &packages,
                                                Operands &operands) {
  auto directory = TemporaryDirectory::create("pruner-bench");
  llvm::Expected<json::Object> problem =
      directory ? operands.describe([&](llvm::StringRef name) {
        return directory->file(name);
      })
                : llvm::Expected<json::Object>(directory.takeError());
  if (!problem) {
    llvm::errs() << "no Python peers: " << llvm::toString(problem.takeError())
                 << "\n";
    return {};
  }
  problem->insert(
      {"programs", json::Array{json::Object{
                       {"layout", ""}, {"text", moduleText(operands.shape)}}}});
  return packages.contenders(*problem);
}

int main(int argc, char **argv) {
  cl::ResetCommandLineParser();
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Tuned matrix products beside other software\n");
  if (options.shapeTexts.empty())
    for (const char *text : {"1024x1024x1024", "128x3072x768", "511x513x509"})
      options.shapeTexts.push_back(text);
  std::vector<Shape> shapes;
  for (const std::string &text : options.shapeTexts) {
    auto shape = Shape::parse(text);
    if (!shape)
      return fail(shape.takeError());
    shapes.push_back(*shape);
  }
  if (options.threads == 0 || options.rounds == 0)
    return fail(llvm::createStringError("threads and rounds are at least 1"));

  auto kernels = TunedKernels::create(options.threads);
  if (!kernels)
    return fail(kernels.takeError());
  // What the tuned kernels of several threads gain over one.
  std::optional<TunedKernels> single;
  if (options.threads > 1) {
    auto created = TunedKernels::create(1);
    if (!created)
      return fail(created.takeError());
    single.emplace(std::move(*created));
  }
  json::Object machine = describeMachine();
  machine["key"] = kernels->machineKey();
  for (const Shape &shape : shapes)
    if (llvm::Error error =
            kernels->tune(shape, {options.database, unsigned(options.trials),
                                  options.tuneOptions}))
      return fail(std::move(error));

  auto cpus = bindToCpus(options.firstCpu, options.threads);
  if (!cpus)
    return fail(cpus.takeError());
  LibraryPeers libraries(options.openBlas, options.oneDnn, options.threads);
  auto packages =
      PythonPeers::startOrExplain({options.python, "", options.threads, *cpus});

  json::Array results;
  for (const Shape &shape : shapes) {
    Operands operands(shape);
    ShapeResult result;
    result.shape = shape;
    result.threads = options.threads;
    auto add = [&](std::vector<Contender> more) {
      std::move(more.begin(), more.end(),
                std::back_inserter(result.contenders));
    };
    result.contenders.push_back(kernels->tuned(operands, options.database));
    if (single) {
      result.contenders.push_back(single->tuned(operands, options.database));
      result.contenders.back().name = "pruner, 1 thread";
      result.contenders.back().role = Role::Own;
    }
    add(libraryContenders(libraries, operands));
    if (packages)
      add(packageContenders(*packages, operands));
    result.contenders.push_back(kernels->drafted(operands));
    for (auto [index, schedule] : llvm::enumerate(options.schedules))
      result.contenders.push_back(kernels->scheduled(
          operands, "schedule " + std::to_string(index + 1), schedule));
    if (options.withDefault)
      result.contenders.push_back(kernels->untuned(operands));
    setOpenMPThreads(options.threads);

    RoundOptions turns;
    turns.rounds = options.rounds;
    turns.minSeconds = options.minSeconds;
    turns.threads = options.threads;
    auto probe = [&] { result.roofs.add(measureFmaPeak(0.1)); };
    probe();
    runRounds(result.contenders, turns, [&] { operands.fillReals(); }, probe);
    probe();
    printShape(llvm::outs(), result);
    llvm::outs().flush();
    results.push_back(toJson(result));
  }

  json::Object document{
      {"benchmark", "matmul"},         {"time", currentTimestamp()},
      {"commit", sourceCommit()},      {"toolchain", TunedKernels::toolchain()},
      {"machine", std::move(machine)}, {"shapes", std::move(results)}};
  document["cpus"] = json::Array(*cpus);
  document["environment_removed"] = json::Array(libraries.removed());
  document["load_average_after"] = loadAverage();
  if (packages) {
    json::Object versions = packages->versions();
    document["python"] = std::move(versions);
  }
  if (llvm::Error error = writeJson(options.jsonFile, document))
    return fail(std::move(error));
  return 0;
}
