//===- OperatorsBench.cpp - a suite of operations and their peers ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See docs/guides/Benchmarking.md.

#include "InterleavedTiming.h"
#include "LibraryPeers.h"
#include "OperatorReport.h"
#include "PythonPeers.h"

#include "pruner/Record/Record.h"
#include "pruner/Runtime/FmaPeak.h"
#include "pruner/Runtime/InstructionProbe.h"
#include "pruner/Support/CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"

#include <malloc.h>
#include <unistd.h>

using namespace pruner;
using namespace pruner::bench;
namespace cl = llvm::cl;
namespace json = llvm::json;

namespace {
/// Created after the libraries' options of the same names were removed from the
/// command line.
struct Options {
  cl::OptionCategory category{"Benchmark options"};
  cl::opt<std::string> suite{
      "suite", cl::cat(category),
      cl::init(PRUNER_BENCH_OPERATORS_DIR "/operators.suite"),
      cl::desc("The operations to compare"), cl::value_desc("file")};
  cl::list<std::string> operations{
      "op", cl::cat(category),
      cl::desc("An operation to compare instead of the suite's; repeatable"),
      cl::value_desc("kind name=number ...")};
  cl::opt<std::string> only{
      "only", cl::cat(category), cl::init("."),
      cl::desc("Regular expression that selects operations by name"),
      cl::value_desc("regex")};
  cl::opt<std::string> database{
      "db", cl::cat(category),
      cl::desc("Tuning database; without one, only untuned code is timed"),
      cl::value_desc("file")};
  cl::opt<unsigned> trials{
      "trials", cl::cat(category), cl::init(0),
      cl::desc("Tune an operation first if the database has fewer trials")};
  cl::opt<std::string> tuneOptions{
      "tune-options", cl::cat(category),
      cl::desc("More options of pruner-tune, such as 'seed=1'")};
  cl::opt<bool> weightsAtRunTime{
      "weights-at-run-time", cl::cat(category),
      cl::desc("Do not declare weights constant, so that nothing is packed "
               "ahead of time")};
  cl::opt<unsigned> threads{"threads", cl::cat(category), cl::init(1),
                            cl::desc("Threads of every peer")};
  cl::opt<bool> draft{
      "draft", cl::cat(category),
      cl::desc("Also time the schedule that the analytical model chooses")};
  cl::list<std::string> schedules{
      "schedule", cl::cat(category),
      cl::desc("Also time operations with one task under this schedule"),
      cl::value_desc("#pruner.schedule<...>")};
  cl::opt<bool> withDefault{"default", cl::cat(category), cl::init(true),
                            cl::desc("Also time the untuned loops")};
  cl::opt<bool> contenders{
      "contenders", cl::cat(category),
      cl::desc("Print a table of every operation's peers")};
  cl::opt<unsigned> cpu{
      "cpu", cl::cat(category), cl::init(0),
      cl::desc("The (first) CPU to run on, of those allowed")};
  cl::opt<double> minSeconds{"min-seconds", cl::cat(category), cl::init(0.3),
                             cl::desc("Total seconds per peer and operation")};
  cl::opt<unsigned> rounds{"rounds", cl::cat(category), cl::init(6),
                           cl::desc("Number of rounds")};
  cl::opt<bool> cold{
      "cold", cl::cat(category),
      cl::desc("Empty the caches before each run; for one thread")};
  cl::opt<std::string> jsonFile{
      "json", cl::cat(category),
      cl::desc("Write the result to this file after every operation"),
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
  cl::opt<std::string> peers{
      "peers", cl::cat(category),
      cl::desc("Regular expression that selects Python peers by name"),
      cl::value_desc("regex")};
  cl::opt<std::string> emitModules{
      "emit-modules", cl::cat(category),
      cl::desc("Only write the operations' modules to this directory"),
      cl::value_desc("directory")};
};

/// An operation in progress.
struct Entry {
  Operator op;
  OwnKernels kernels;
  bool isEmptyCall = false;
};

/// State that the phases of a run share.
struct Run {
  const Options &options;
  TuningSession session;
  TemporaryDirectory directory;
  /// The session of one thread, to compare with several.
  std::optional<TuningSession> single = {};
  std::optional<LibraryPeers> libraries = {};
  std::optional<PythonPeers> packages = {};
  CallTimes calls = {};
};
} // namespace

/// The caches of one core, including shared ones; 64 MiB if the system does not
/// report them.
static size_t allCacheBytes() {
  long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE) + sysconf(_SC_LEVEL3_CACHE_SIZE);
  return bytes > 0 ? size_t(bytes) : size_t(64) << 20;
}

/// Almost no work through every interface of a peer: one operand, a product
/// with a weight, images with a weight and without.
static const char *const kEmptyCalls[] = {
    "call_relu relu shape=16", "call_mm mm m=2 n=1 k=1",
    "call_conv conv c=1 h=1 f=1 k=1", "call_maxpool maxpool c=1 h=1 k=1"};

static llvm::Error emitModules(llvm::ArrayRef<Operator> operators,
                               const std::string &directory) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    return llvm::createStringError(error, "cannot create '%s'",
                                   directory.c_str());
  for (const Operator &op : operators)
    if (llvm::Error error =
            writeText(directory + "/" + op.name + ".mlir", moduleText(op)))
      return error;
  return llvm::Error::success();
}

/// Products of BLAS libraries, if `op` is one.
static std::vector<Contender> libraryContenders(const LibraryPeers &libraries,
                                                const Operator &op,
                                                OperatorData &data) {
  std::vector<Contender> result;
  if ((op.kind != "mm" && op.kind != "bmm") ||
      op.types->operands != ElementType::F32)
    return result;
  int64_t m = op.get("m"), n = op.get("n"), k = op.get("k");
  int64_t batches = op.kind == "bmm" ? op.get("b") : 1;
  for (const LibraryPeer &library : libraries.all()) {
    Contender contender;
    contender.name = library.name;
    contender.detail = library.detail;
    contender.failure = library.failure;
    contender.threads = library.threads;
    if (library.run)
      data.bind(contender, [=, &data, run = library.run] {
        for (int64_t b = 0; b < batches; ++b)
          run(m, n, k, data.inputs()[0].data() + b * m * k,
              data.inputs()[1].data() + b * k * n,
              data.output().data() + b * m * n);
      });
    result.push_back(std::move(contender));
  }
  return result;
}

static std::vector<Contender> packageContenders(Run &run,
                                                const OperatorData &data) {
  if (!run.packages)
    return {};
  auto problem = data.describe(
      [&](llvm::StringRef name) { return run.directory.file(name); });
  if (!problem) {
    llvm::errs() << "no Python peers: " << llvm::toString(problem.takeError())
                 << "\n";
    return {};
  }
  return run.packages->contenders(*problem);
}

/// The rate of one core for products in these types, and its instruction.
static double rateOf(const ElementTypes &types, std::string &instruction) {
  if (types.operands == ElementType::F32) {
    instruction = fmaPeakVariant();
    return measureFmaPeak(0.05);
  }
  ProductRate rate =
      productRate(measureInstructions(0.1), types.operands,
                  types.integers() ? ElementType::I32 : ElementType::F32);
  instruction = rate.instruction;
  return rate.perSecond;
}

/// Times everything that computes the operation, interleaved.
static OperatorResult measure(Run &run, Entry &entry) {
  OperatorData data(entry.op);
  OperatorResult result;
  result.op = entry.op;
  result.trials = entry.kernels.trials;
  result.tasks = entry.kernels.tasks;
  result.applied = entry.kernels.applied;
  result.taskFacts = std::move(entry.kernels.taskFacts);
  result.limit = entry.kernels.limit;
  auto add = [&](std::vector<Contender> more) {
    std::move(more.begin(), more.end(), std::back_inserter(result.contenders));
  };
  add(ownContenders(entry.kernels, data));
  add(libraryContenders(*run.libraries, entry.op, data));
  add(packageContenders(run, data));
  setOpenMPThreads(run.options.threads);

  auto probe = [&] {
    if (entry.isEmptyCall)
      return;
    result.flops.add(rateOf(*entry.op.types, result.instruction));
    result.bytes.add(measureReadBandwidth(size_t(entry.op.bytes()), 0.05));
  };
  InterleavedOptions turns;
  turns.rounds = run.options.rounds;
  turns.minSeconds = run.options.minSeconds;
  turns.threads = run.options.threads;
  if (run.options.cold)
    turns.coldBytes = 2 * allCacheBytes();
  probe();
  timeInterleaved(result.contenders, turns, probe);
  probe();
  // The programs are freed with `data`; the numbers stay.
  for (Contender &contender : result.contenders)
    contender.verify = nullptr, contender.time = nullptr;
  return result;
}

/// Tunes and compiles everything before the process is bound to CPUs.
static llvm::Expected<std::vector<Entry>> prepare(Run &run) {
  const Options &options = run.options;
  auto operators =
      selectOperators(options.operations, options.suite, options.only);
  if (!operators)
    return operators.takeError();
  bool havePeers = !options.python.empty() || !options.openBlas.empty() ||
                   !options.oneDnn.empty();
  OwnOptions own;
  own.weights =
      options.weightsAtRunTime ? Weights::AtRunTime : Weights::Constant;
  std::vector<Entry> entries;
  for (const char *line : kEmptyCalls) {
    if (!havePeers)
      break;
    auto op = Operator::parse(line);
    if (!op)
      return op.takeError();
    OwnKernels kernels = makeOwnKernels(run.session, *op, own, run.directory);
    entries.push_back({std::move(*op), std::move(kernels), true});
  }
  own.command = {options.database, options.trials, options.tuneOptions};
  own.single = run.single ? &*run.single : nullptr;
  own.draft = options.draft;
  own.schedules.assign(options.schedules.begin(), options.schedules.end());
  own.untuned = options.withDefault;
  for (Operator &op : *operators) {
    OwnKernels kernels = makeOwnKernels(run.session, op, own, run.directory);
    const std::string &failure = kernels.libraries.front().failure;
    if (!failure.empty() && !options.database.empty())
      llvm::errs() << op.name << ": " << failure << "\n";
    entries.push_back({std::move(op), std::move(kernels)});
  }
  return entries;
}

/// Returns whether every operation was tuned and timed.
static llvm::Expected<bool> runSuite(const Options &options,
                                     std::string commandLine) {
  auto session = TuningSession::create(options.threads);
  if (!session)
    return session.takeError();
  auto directory = TemporaryDirectory::create("pruner-bench");
  if (!directory)
    return directory.takeError();
  Run run{options, std::move(*session), std::move(*directory)};
  if (options.threads > 1) {
    auto single = TuningSession::create(/*threads=*/1);
    if (!single)
      return single.takeError();
    run.single.emplace(std::move(*single));
  }
  const Machine &machine = run.session.environment().machine;
  json::Object document = describeRun("operators", std::move(commandLine));

  auto entries = prepare(run);
  if (!entries)
    return entries.takeError();
  auto cpus = bindToCpus(options.cpu, options.threads);
  if (!cpus)
    return cpus.takeError();
  document["threads"] = int64_t(options.threads);
  document["caches"] = options.cold ? "cold" : "warm";
  document["cpus"] = json::Array(*cpus);
  run.libraries.emplace(options.openBlas, options.oneDnn, options.threads);
  document["environment_removed"] = json::Array(run.libraries->removed());
  if (auto peers = PythonPeers::startOrExplain(
          {options.python, options.peers, options.threads, *cpus}))
    run.packages.emplace(std::move(*peers));
  if (run.packages) {
    json::Object versions = run.packages->versions();
    document["python"] = std::move(versions);
  }

  std::vector<OperatorResult> results;
  for (Entry &entry : *entries) {
    OperatorResult result = measure(run, entry);
    if (entry.isEmptyCall) {
      run.calls.add(result.contenders);
      continue;
    }
    OperatorSummary summary = summarize(result, run.calls, machine);
    printProgress(llvm::errs(), result, summary);
    if (options.contenders) {
      printContenders(llvm::outs(), result, summary);
      llvm::outs().flush();
    }
    results.push_back(std::move(result));
    for (auto &member : toJson(results, run.calls, machine))
      document[member.first] = std::move(member.second);
    document["load_average_after"] = loadAverage();
    if (llvm::Error error = writeJson(options.jsonFile, document))
      return error;
  }
  printSuite(llvm::outs(), results, run.calls, machine);
  return llvm::all_of(results, [&](const OperatorResult &result) {
    return summarize(result, run.calls, machine).tuned != nullptr;
  });
}

int main(int argc, char **argv) {
  cl::ResetCommandLineParser();
  Options options;
  cl::HideUnrelatedOptions(options.category);
  parseCommandLine(argc, argv,
                   "Compares a suite of operations with other software\n");
  // As in the Python child: freed memory is not returned to the system.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  auto fail = [](llvm::Error error) {
    llvm::errs() << "pruner-bench-operators: "
                 << llvm::toString(std::move(error)) << "\n";
    return 1;
  };
  if (options.rounds == 0 || options.threads == 0)
    return fail(llvm::createStringError(
        "expected --rounds and --threads to be at least 1"));
  if (options.cold && options.threads > 1)
    return fail(llvm::createStringError("--cold requires --threads=1"));
  if (!options.emitModules.empty()) {
    auto operators =
        selectOperators(options.operations, options.suite, options.only);
    llvm::Error error = operators ? emitModules(*operators, options.emitModules)
                                  : operators.takeError();
    return error ? fail(std::move(error)) : 0;
  }
  std::vector<std::string> words(argv, argv + argc);
  auto complete = runSuite(options, llvm::join(words, " "));
  if (!complete)
    return fail(complete.takeError());
  return *complete ? 0 : 1;
}
