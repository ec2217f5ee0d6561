//===- PrunerOptMain.cpp - the driver as a library ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Tools/PrunerOpt/PrunerOptMain.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Support/CommandLine.h"
#include "pruner/Support/StandardStreams.h"
#include "pruner/Tools/PrunerOpt/CheckOptions.h"
#include "pruner/Tools/PrunerOpt/Registration.h"

#include "pruner/Support/FatalErrors.h"
#include "pruner/Support/InputFile.h"
#include "pruner/Support/OutputFile.h"
#include "pruner/Support/Threads.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

/// Hides the options that LLVM's passes and code generators register before
/// main. --help-hidden still lists them.
static void hideOptionsOfLLVM() {
  for (auto &entry : llvm::cl::getRegisteredOptions())
    if (llvm::none_of(entry.second->Categories,
                      [](const llvm::cl::OptionCategory *category) {
                        return category->getName() == "Generic Options";
                      }))
      entry.second->setHiddenFlag(llvm::cl::Hidden);
}

/// By default a diagnostic does not print the op, which may be a whole network.
/// mlir-opt's option still does so.
static void keepOpsOutOfDiagnostics() {
  mlir::registerMLIRContextCLOptions();
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find("mlir-print-op-on-diagnostic");
  if (found != options.end())
    static_cast<llvm::cl::opt<bool> *>(found->second)->setInitialValue(false);
}

/// Like MLIR's own main, but replaces an output file only when it is complete.
static llvm::Error run(llvm::StringRef input, llvm::StringRef output,
                       mlir::DialectRegistry &registry,
                       const mlir::MlirOptMainConfig &config) {
  auto buffer = pruner::openInputFile(input);
  if (!buffer)
    return llvm::createStringError("pruner-opt: error: " +
                                   llvm::toString(buffer.takeError()));
  if (llvm::Error excess = pruner::checkModuleText(**buffer))
    return llvm::createStringError("pruner-opt: error: " +
                                   llvm::toString(std::move(excess)));
  bool processed = true;
  llvm::Error error =
      pruner::writeOutputFile(output, [&](llvm::raw_ostream &os) {
        processed = mlir::succeeded(
            mlir::MlirOptMain(os, std::move(*buffer), registry, config));
        return processed ? llvm::Error::success() : llvm::createStringError("");
      });
  if (error && processed)
    return llvm::createStringError(
        "pruner-opt: error: '" +
        (output == "-" ? llvm::StringRef("stdout") : output) +
        "': " + llvm::toString(std::move(error)));
  return error; // Empty: it was already reported.
}

int pruner::prunerOptMain(int argc, char **argv) {
  prepareProgram();
  hideOptionsOfLLVM();
  keepOpsOutOfDiagnostics();
  // MLIR's thread pool aborts if the system cannot start a thread.
  std::vector<char *> arguments(argv, argv + argc);
  std::string alone = "--mlir-disable-threading";
  if (Thread probe; argc > 0 && !probe.start([] {})) {
    arguments.insert(arguments.begin() + 1, alone.data());
    ++argc;
  }
  arguments.push_back(nullptr);
  argv = arguments.data();
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  // As mlir::parseCLIOptions does, which would end with another exit code.
  llvm::cl::opt<std::string> input(llvm::cl::Positional,
                                   llvm::cl::desc("<input file>"),
                                   llvm::cl::init("-"));
  llvm::cl::opt<std::string> output("o", llvm::cl::desc("Output filename"),
                                    llvm::cl::value_desc("filename"),
                                    llvm::cl::init("-"));
  parseCommandLine(
      argc, argv,
      mlir::registerCLIOptions(
          "Pruner: draft, verify and measure schedules of linalg programs\n",
          registry));
  if (!checkPassOptions({argv, size_t(argc)}))
    return kExitUsage;
  std::string wrong = findOverwriteInArguments({argv, size_t(argc)}, output);
  if (!wrong.empty())
    return failUsage("pruner-opt", wrong);
  mlir::MlirOptMainConfig config =
      mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return mlir::asMainReturnCode(
        mlir::MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  exitAtFatalErrors("pruner-opt");
  if (llvm::Error error = run(input, output, registry, config)) {
    std::string problem = llvm::toString(std::move(error));
    if (!problem.empty())
      llvm::errs() << problem << "\n";
    return 1;
  }
  return 0;
}
