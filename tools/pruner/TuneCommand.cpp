//===- TuneCommand.cpp - pruner tune and pruner compile -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Commands.h"

#include "Arguments.h"
#include "ModelFile.h"

#include "pruner/Conversion/NetworkToLLVM/Lowerable.h"
#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Draft/Passes.h"
#include "pruner/Library/EmitLibrary.h"
#include "pruner/Library/NetworkConstants.h"
#include "pruner/ModuleTasks/ModuleTask.h"
#include "pruner/Support/CommandLine.h"
#include "pruner/Support/FatalErrors.h"
#include "pruner/Support/NamedFiles.h"
#include "pruner/Support/OutputFile.h"
#include "pruner/Support/StandardStreams.h"
#include "pruner/Tools/PrunerOpt/CheckOptions.h"
#include "pruner/Tools/PrunerOpt/Registration.h"
#include "pruner/Tune/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pruner;

static constexpr StringRef kDefaultTrials = "200";

static const char kTuneHelp[] =
    R"(pruner tune: find the fastest schedules of a network

usage:
  pruner tune MODEL [-o OUT.mlir] [options]

MODEL is an MLIR module with linalg on tensors, or an .onnx or .pt2 file. The
output is the module with a schedule for each task; --lower=true lowers the
tasks. All measurements are kept in a database. The same command continues a run
that was interrupted.

options:
  -o <file>           the module with its schedules; default: stdout
  --db=<file>         the tuning database; default: the output with the suffix
                      .db, or MODEL with this suffix if the output is stdout
  --trials=<number>   measurements in total; default: 200
)";

static const char kCompileHelp[] =
    R"(pruner compile: tune a network and make a shared library of it

usage:
  pruner compile MODEL [-o NET.so] [options]

MODEL is an MLIR module with linalg on tensors, or an .onnx or .pt2 file. Its
weights become a part of the library, in the layouts that its kernels read. All
measurements are kept in a database. The same command continues a run that was
interrupted, and a finished one needs no more measurements.

options:
  -o <file>           the output; default: MODEL with the suffix .so
  --db=<file>         the tuning database; default: the output with the suffix
                      .db
  --trials=<number>   measurements in total; default: 200, or 0 for a module
                      that has schedules; 0: measure nothing and apply the best
                      records of the database, or without one the schedules that
                      the analytical model predicts to be fastest
  --emit=<kind>       library (default), or mlir: the module that is linked
  --header=<file>     also write a C header
  --linker=<program>  default: the first of cc, gcc, clang, ld.lld and ld
)";

static const char kPassHelp[] = R"(
options of the pass pruner-tune; 'pruner-opt --help' describes all of them:
  --target=<target>   cpu (this host, the default),
                      nvidia:<architecture or device>, or file:<machine.json>
  --threads=<number>  threads of a tuned kernel; 0, the default: all cores
  --accuracy=<list>   permitted changes of results, besides the order of sums:
                      wide-sums, bf16-products, tf32-products, bf16-tensors,
                      winograd, f16-sums
  --time-limit=<s>    seconds after which no measurement starts
  --only=<regex>      tune only the tasks whose names match
  --strategy=<name>   how candidates are proposed
  --model=<name>      the learned model
  --seed=<number>     seed of every random choice
)";

namespace {
/// A command line of one of the two commands, and what it works on.
class Run {
public:
  explicit Run(StringRef tool) : tool(tool) {}

  /// Parses the command line. Returns an exit code if the command ends here.
  std::optional<int> parse(int argc, char **argv, StringRef help,
                           ArrayRef<StringRef> own, ArrayRef<StringRef> hidden);
  /// Prints the error unless it is empty, which means that it was reported
  /// before.
  int fail(Error error);
  /// Reads the model. Returns an exit code if that fails.
  std::optional<int> read();
  /// Sets the options of a pass and runs it. Returns an exit code on failure.
  std::optional<int> runPass(std::unique_ptr<mlir::Pass> pass,
                             const std::string &options);
  void note(const Twine &message) { errs() << tool << ": " << message << '\n'; }

  std::string tool;
  Arguments arguments;
  std::string input;
  mlir::DialectRegistry registry;
  std::unique_ptr<mlir::MLIRContext> context;
  SourceMgr sources;
  std::unique_ptr<mlir::SourceMgrDiagnosticHandler> diagnostics;
  ModelFile model;
};
} // namespace

int Run::fail(Error error) {
  std::string text = toString(std::move(error));
  if (!text.empty())
    WithColor::error(errs(), tool) << text << '\n';
  return kExitFailure;
}

std::optional<int> Run::parse(int argc, char **argv, StringRef help,
                              ArrayRef<StringRef> own,
                              ArrayRef<StringRef> hidden) {
  ArrayRef<const char *> words(argv + 1, size_t(std::max(argc, 1) - 1));
  if (is_contained(words, StringRef("--help")) ||
      is_contained(words, StringRef("-h"))) {
    outs() << help << kModelOptionsHelp << kPassHelp;
    return finishStdout(tool);
  }
  std::vector<StringRef> names(own.begin(), own.end());
  append_range(names, kModelOptions);
  auto pass = createTunePass();
  auto parsed = Arguments::parse(words, names, pass.get(), hidden);
  if (!parsed)
    return failUsage(tool, toString(parsed.takeError()));
  arguments = std::move(*parsed);
  if (arguments.files.size() != 1)
    return failUsage(tool, "expected one model, but got " +
                               Twine(arguments.files.size()));
  input = arguments.files.front();
  std::string wrong = setOptions(
      *pass, optionText("trials", arguments.get("trials", kDefaultTrials)) +
                 arguments.ofPass);
  if (!wrong.empty())
    return failUsage(tool, wrong);
  return std::nullopt;
}

std::optional<int> Run::read() {
  registerDialects(registry);
  registerLibraryDialects(registry);
  context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  context->printOpOnDiagnostic(false); // The op may be a whole network.
  diagnostics = std::make_unique<mlir::SourceMgrDiagnosticHandler>(
      sources, context.get());
  // The table of the tuner shows what remains untuned. The handler that was
  // registered last comes first.
  if (!StringRef(arguments.ofPass).contains("verbose-remarks"))
    context->getDiagEngine().registerHandler([](mlir::Diagnostic &diagnostic) {
      return mlir::success(diagnostic.getSeverity() ==
                           mlir::DiagnosticSeverity::Remark);
    });
  auto loaded = readModel(*context, input, arguments);
  if (!loaded)
    return fail(loaded.takeError());
  model = std::move(*loaded);
  return std::nullopt;
}

std::optional<int> Run::runPass(std::unique_ptr<mlir::Pass> pass,
                                const std::string &options) {
  std::string wrong = setOptions(*pass, options);
  if (!wrong.empty())
    return failUsage(tool, wrong);
  if (failed(pruner::runPass(*model.module, std::move(pass))))
    return int(kExitFailure);
  return std::nullopt;
}

static std::string withSuffix(StringRef path, StringRef suffix) {
  SmallString<128> other(path);
  sys::path::replace_extension(other, suffix);
  return other.str().str();
}

/// Writes the module of a run to a file or stdout.
static int writeModule(Run &run, const std::string &output) {
  Error error = writeOutputFile(output, [&](raw_ostream &os) {
    run.model.module->print(os);
    os << '\n';
    return Error::success();
  });
  if (error)
    return run.fail(createStringError(
        "'" + (output == "-" ? std::string("stdout") : output) +
        "': " + toString(std::move(error))));
  return 0;
}

int pruner::prunerTuneMain(int argc, char **argv) {
  InitLLVM init(argc, argv);
  Run run("pruner tune");
  if (auto code = run.parse(argc, argv, kTuneHelp, {"o", "db", "trials"}, {}))
    return *code;
  exitAtFatalErrors("pruner tune");
  std::string output = run.arguments.get("o", "-");
  std::string database = run.arguments.get(
      "db", withSuffix(output == "-" ? run.input : output, ".db"));
  std::string wrong = findOverwrite(
      {{"model", run.input}, {"database", database}, {"output", output}});
  if (!wrong.empty())
    return failUsage(run.tool, wrong);
  if (auto code = run.read())
    return *code;
  if (auto code = run.runPass(
          createTunePass(),
          "lower=false" + optionText("db", database) +
              optionText("trials",
                         run.arguments.get("trials", kDefaultTrials)) +
              run.arguments.ofPass))
    return *code;
  run.model.constants.restore(run.model.network());
  return writeModule(run, output);
}

static bool hasSchedules(mlir::ModuleOp module) {
  return any_of(module.getOps<mlir::func::FuncOp>(), [](auto function) {
    return function->hasAttr(PrunerDialect::getScheduleAttrName());
  });
}

static std::string trialsOf(const Run &run) {
  return run.arguments.get("trials", hasSchedules(*run.model.module)
                                         ? StringRef("0")
                                         : kDefaultTrials);
}

static bool measures(const Run &run) {
  uint64_t number = 0;
  (void)StringRef(trialsOf(run)).getAsInteger(0, number); // It was checked.
  return number > 0;
}

/// The options of pruner-tune that apply without measurements.
static constexpr StringRef kUnmeasured[] = {"join-products", "caches", "worker",
                                            "verbose-remarks"};

/// The name of an option that has no effect, because nothing is measured.
static std::string unusedOption(const Run &run) {
  if (!measures(run))
    for (const std::string &name : run.arguments.namesOfPass)
      if (!is_contained(kUnmeasured, name))
        return name;
  return "";
}

/// Gives the tasks of the module schedules, and lowers them.
static std::optional<int> chooseSchedules(Run &run,
                                          const Environment &environment,
                                          const std::string &database) {
  bool scheduled = hasSchedules(*run.model.module);
  std::string place = optionText("target", run.arguments.get("target", "cpu")) +
                      optionText("threads", run.arguments.get("threads", "0")) +
                      optionText("accuracy", run.arguments.get("accuracy"));
  std::string withDatabase = place + optionText("db", database);
  if (measures(run))
    return run.runPass(createTunePass(),
                       withDatabase + optionText("trials", trialsOf(run)) +
                           run.arguments.ofPass);
  if (run.arguments.has("db") || (!scheduled && sys::fs::exists(database))) {
    run.note("applying the best records of '" + database + "'");
    return run.runPass(createApplyBestPass(),
                       withDatabase + " draft=true" + run.arguments.ofPass);
  }
  if (!scheduled) {
    run.note("measuring nothing; the analytical model chooses the schedules");
    return run.runPass(createDraftPass(), place);
  }
  run.note("using the schedules of the module");
  if (failed(lowerScheduled(*run.model.module, environment)))
    return int(kExitFailure);
  return std::nullopt;
}

/// Lowers a copy of the network without schedules. Returns an exit code if that
/// fails: then it fails with schedules, too, and needs no measurements.
static std::optional<int> checkLowers(Run &run,
                                      const Environment &environment) {
  if (environment.machine.isGpu())
    return std::nullopt;
  mlir::OwningOpRef<mlir::ModuleOp> copy(run.model.module->clone());
  // The tuner emits the other diagnostics.
  mlir::ScopedDiagnosticHandler errors(
      run.context.get(), [](mlir::Diagnostic &diagnostic) {
        return mlir::success(diagnostic.getSeverity() !=
                             mlir::DiagnosticSeverity::Error);
      });
  TaskOptions extraction;
  extraction.accuracy = run.arguments.get("accuracy");
  extraction.machines = {environment.machine};
  if (failed(checkLowerable(*copy, run.model.entry, /*whole=*/true)) ||
      failed(collectTasks(*copy, extraction)))
    return int(kExitFailure);
  if (Error error = checkNetwork(*copy, run.model.entry))
    return run.fail(std::move(error));
  return std::nullopt;
}

static std::string formatBytes(uint64_t bytes) {
  std::string text;
  raw_string_ostream os(text);
  if (bytes < 1000000)
    os << (bytes + 500) / 1000 << " KB";
  else
    os << format("%.1f MB", double(bytes) / 1e6);
  return text;
}

static LibraryOptions libraryOptions(const Run &run, const std::string &output,
                                     const Environment &environment) {
  LibraryOptions options;
  options.output = output;
  options.linker = run.arguments.get("linker");
  if (environment.target.isGpu())
    options.chip = environment.target.chip();
  else if (!environment.target.chip().empty())
    options.cpu.cpu = environment.target.chip();
  return options;
}

static Error emit(Run &run, const LibraryOptions &options) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(run.model.module->clone());
  auto report = emitLibrary(*copy, options);
  return report ? Error::success() : report.takeError();
}

static int writeLibraries(Run &run, const std::string &output,
                          const Environment &environment) {
  LibraryOptions options = libraryOptions(run, output, environment);
  options.entry = run.model.entry;
  options.header = run.arguments.get("header");
  if (Error error = emit(run, options))
    return run.fail(std::move(error));
  std::string prepareEntry = run.model.entry + "_prepare";
  if (run.model.module->lookupSymbol(prepareEntry)) {
    std::string prepare = withSuffix(output, ".prepare.so");
    options = libraryOptions(run, prepare, environment);
    options.chip.clear(); // It runs once, on the CPU.
    options.entry = prepareEntry;
    if (Error error = emit(run, options))
      return run.fail(std::move(error));
    run.note("wrote '" + prepare +
             "', which computes inputs of the network from its weights; "
             "--weights makes them a part of the network");
  }
  uint64_t bytes = 0;
  (void)sys::fs::file_size(output, bytes);
  run.note("wrote '" + output + "' (" + formatBytes(bytes) + ")");
  return 0;
}

int pruner::prunerCompileMain(int argc, char **argv) {
  InitLLVM init(argc, argv);
  Run run("pruner compile");
  if (auto code =
          run.parse(argc, argv, kCompileHelp,
                    {"o", "db", "trials", "target", "threads", "emit", "header",
                     "linker", "accuracy"},
                    {"lower", "targets", "target", "threads", "accuracy"}))
    return *code;
  exitAtFatalErrors("pruner compile");
  std::string kind = run.arguments.get("emit", "library");
  if (kind != "library" && kind != "mlir")
    return failUsage(run.tool,
                     "option 'emit': expected 'library' or 'mlir', but got '" +
                         kind + "'");
  std::string output = run.arguments.get(
      "o",
      kind == "mlir" ? "-" : withSuffix(sys::path::filename(run.input), ".so"));
  if (kind == "library" && output == "-")
    return failUsage(run.tool, "a library needs a file, but option 'o' is '-'");
  std::string database = run.arguments.get(
      "db", withSuffix(output == "-" ? run.input : output, ".db"));
  std::string wrong = findOverwrite({{"model", run.input},
                                     {"database", database},
                                     {"output", output},
                                     {"header", run.arguments.get("header")}});
  if (!wrong.empty())
    return failUsage(run.tool, wrong);
  unsigned threads = 0;
  std::string threadsText = run.arguments.get("threads", "0");
  if (StringRef(threadsText).getAsInteger(0, threads))
    return failUsage(run.tool,
                     "option 'threads': expected a whole number of at least 0, "
                     "but got '" +
                         threadsText + "'");
  std::string target = run.arguments.get("target", "cpu");
  auto environment = Environment::create(target, threads);
  if (!environment)
    return run.fail(environment.takeError());
  if (kind == "library") {
    LibraryOptions options = libraryOptions(run, output, *environment);
    options.header = run.arguments.get("header");
    if (Error error = checkLibraryOptions(options))
      return run.fail(std::move(error));
  }
  if (auto code = run.read())
    return *code;
  if (std::string name = unusedOption(run); !name.empty())
    return failUsage(run.tool, "option '" + name +
                                   "' needs measurements, but "
                                   "'trials' is 0");
  if (run.model.constants.count())
    run.note(Twine(run.model.constants.count()) + " weights (" +
             formatBytes(run.model.constants.bytes()) +
             ") are a part of the library");
  if (kind == "library" && measures(run))
    if (auto code = checkLowers(run, *environment))
      return *code;
  if (auto code = chooseSchedules(run, *environment, database))
    return *code;

  mlir::PassManager passes(run.context.get());
  passes.addPass(createHoistConstantsPass());
  if (failed(passes.run(*run.model.module)))
    return kExitFailure;
  if (Error error = run.model.constants.embed(run.model.network(),
                                              run.arguments.get("linker")))
    return run.fail(std::move(error));
  // The functions that packed the weights are not called any more.
  mlir::PassManager cleanup(run.context.get());
  cleanup.addPass(mlir::createSymbolDCEPass());
  if (failed(cleanup.run(*run.model.module)))
    return kExitFailure;
  return kind == "mlir" ? writeModule(run, output)
                        : writeLibraries(run, output, *environment);
}
