//===- ExplainCommand.cpp - explain the choice of a schedule --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Commands.h"

#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Explain/Decisions.h"
#include "pruner/Explain/Explain.h"
#include "pruner/Support/CommandLine.h"
#include "pruner/Support/InputFile.h"
#include "pruner/Support/NamedFiles.h"
#include "pruner/Support/OutputFile.h"
#include "pruner/Support/StandardStreams.h"
#include "pruner/TaskRecords/TaskRecords.h"
#include "pruner/Tools/PrunerOpt/Registration.h"
#include "pruner/Tune/LocalWorkers.h"
#include "pruner/Tune/OptimizationRemarks.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Remark/RemarkStreamer.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace pruner;
namespace cl = llvm::cl;

namespace {
/// The options are registered by this command alone.
struct CommandOptions {
  cl::OptionCategory category{"pruner explain options"};
  cl::opt<std::string> databaseFile{cl::Positional, cl::Required,
                                    cl::desc("<database>"), cl::cat(category)};
  cl::opt<std::string> moduleFile{cl::Positional, cl::desc("[module]"),
                                  cl::cat(category)};
  cl::opt<std::string> task{
      "task", cl::value_desc("regular expression or key"),
      cl::desc("Only tasks whose name matches this regular expression, or "
               "whose key begins with this text"),
      cl::cat(category)};
  cl::opt<std::string> target{
      "target", cl::value_desc("cpu | nvidia:<name> | file:<path>"),
      cl::desc("Only records of this machine; default: those of this host, "
               "else the latest"),
      cl::cat(category)};
  cl::list<std::string> whyNot{
      "why-not", cl::value_desc("#pruner.schedule<...>"),
      cl::desc("Explain why this schedule was not chosen; may be repeated"),
      cl::cat(category)};
  cl::opt<unsigned> neighbors{
      "neighbours", cl::init(3), cl::value_desc("number"),
      cl::desc("Number of neighbors shown on each side; measured ones are "
               "always shown"),
      cl::cat(category)};
  cl::opt<bool> build{
      "build", cl::init(true),
      cl::desc("Build schedules whose machine code has no recorded facts"),
      cl::cat(category)};
  cl::opt<std::string> worker{
      "worker", cl::value_desc("path"),
      cl::desc("The pruner-worker that builds; default: the one next to this "
               "program"),
      cl::cat(category)};
  cl::opt<bool> asJson{"json", cl::desc("Write one JSON object"),
                       cl::cat(category)};
  cl::opt<std::string> output{"o", cl::init("-"), cl::value_desc("file"),
                              cl::desc("Write to a file instead of stdout"),
                              cl::cat(category)};
  cl::opt<std::string> remarksFile{
      "remarks", cl::value_desc("file"),
      cl::desc("Write LLVM optimization remarks about the applied schedules to "
               "this file, as YAML"),
      cl::cat(category)};
};
} // namespace

static int fail(llvm::Error error) {
  llvm::WithColor::error(llvm::errs(), "pruner explain")
      << llvm::toString(std::move(error)) << '\n';
  return 1;
}

/// The workers that build schedules in one environment; started by the first
/// build.
static llvm::Expected<std::unique_ptr<WorkerPool>>
startPool(const CommandOptions &command, const Environment &environment) {
  if (!command.build)
    return nullptr;
  llvm::Expected<WorkerCommand> local = localWorker(command.worker);
  if (!local)
    return local.takeError();
  return std::make_unique<WorkerPool>(poolOptions(environment, *local, *local));
}

static void remark(const Subject &subject, const Explanation &explanation) {
  const RemarkSource source{subject.task, subject.environment,
                            "pruner-explain"};
  std::map<MeasureStatus, uint64_t> trials;
  for (const Record &record : subject.records)
    ++trials[record.status];
  source.failures(trials);
  if (explanation.applied)
    source.scheduled(explanation.record, explanation.defaultSeconds);
  else
    source.untuned("no schedule is clearly faster than the untuned default");
}

int pruner::prunerExplainMain(int argc, char **argv) {
  prepareProgram();
  llvm::InitLLVM init(argc, argv);
  CommandOptions command;
  cl::HideUnrelatedOptions(command.category);
  parseCommandLine(argc, argv,
                   "Explain the schedules of tasks from a tuning database\n");
  std::string wrong = findOverwrite({{"database", command.databaseFile},
                                     {"module", command.moduleFile},
                                     {"output", command.output},
                                     {"file of remarks", command.remarksFile}});
  if (!wrong.empty())
    return failUsage("pruner explain", wrong);
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false); // The op may be a whole network.
  context.getOrLoadDialect<PrunerDialect>();
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler diagnostics(sources, &context);
  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (!command.moduleFile.empty()) {
    auto buffer = openInputFile(command.moduleFile);
    if (!buffer)
      return fail(buffer.takeError());
    if (llvm::Error excess = checkModuleText(**buffer))
      return fail(std::move(excess));
    sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
    module = mlir::parseSourceFile<mlir::ModuleOp>(
        sources, mlir::ParserConfig(&context));
    if (!module)
      return 1;
  }
  llvm::Expected<Database> database =
      Database::open(command.databaseFile, OpenMode::ReadOnly);
  if (!database)
    return fail(database.takeError());
  if (llvm::Error error =
          warnOfBadRows(*database, mlir::UnknownLoc::get(&context)))
    return fail(std::move(error));
  auto subjects = findSubjects(*database, context, module ? *module : nullptr,
                               {command.target, command.task});
  if (!subjects)
    return fail(subjects.takeError());

  // MLIR uses `all` only for kinds that have a filter, even an empty one.
  mlir::remark::RemarkCategories everything{".*", "", "", "", ""};
  if (!command.remarksFile.empty() &&
      failed(mlir::remark::enableOptimizationRemarksWithLLVMStreamer(
          context, command.remarksFile, llvm::remarks::Format::YAML,
          std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(),
          everything)))
    return fail(llvm::createStringError("option 'remarks': cannot write '" +
                                        command.remarksFile + "'"));
  std::vector<Explanation> explanations;
  for (const Subject &subject : *subjects) {
    auto pool = startPool(command, subject.environment);
    if (!pool)
      return fail(pool.takeError());
    ExplainOptions options;
    options.whyNot.assign(command.whyNot.begin(), command.whyNot.end());
    options.neighbors = command.neighbors;
    options.pool = pool->get();
    llvm::Expected<Explanation> explanation = explain(subject, options);
    if (!explanation)
      return fail(explanation.takeError());
    remark(subject, *explanation);
    explanations.push_back(std::move(*explanation));
  }
  std::vector<FormTimes> decisions;
  if (module)
    decisions = explainDecisions(*module, *subjects);
  remarkForms(decisions, "pruner-explain");
  llvm::Error error = writeOutputFile(
      command.output, [&](llvm::raw_ostream &os) -> llvm::Error {
        if (command.asJson) {
          llvm::json::Object whole;
          llvm::json::Array tasks, parts;
          for (const Explanation &explanation : explanations)
            tasks.push_back(toJson(explanation));
          whole["tasks"] = std::move(tasks);
          for (const FormTimes &times : decisions)
            parts.push_back(toJson(times));
          if (!parts.empty())
            whole["parts"] = std::move(parts);
          os << llvm::formatv("{0:2}", llvm::json::Value(std::move(whole)))
             << "\n";
        } else {
          llvm::ListSeparator separator("\n");
          for (const Explanation &explanation : explanations) {
            os << separator;
            print(explanation, os);
          }
          if (!decisions.empty())
            os << separator;
          for (const std::string &line : describeForms(decisions))
            os << "parts with several forms: " << line << "\n";
        }
        return llvm::Error::success();
      });
  return error ? fail(llvm::createStringError(
                     "'" +
                     (command.output == "-" ? std::string("stdout")
                                            : command.output) +
                     "': " + llvm::toString(std::move(error))))
               : 0;
}
