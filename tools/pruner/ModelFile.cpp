//===- ModelFile.cpp - models that commands read --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelFile.h"

#include "PythonProgram.h"
#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Conversion/SpecializeShapes/Passes.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Draft/Passes.h"
#include "pruner/Support/InputFile.h"
#include "pruner/Support/UniqueFile.h"
#include "pruner/Tools/PrunerOpt/CheckOptions.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/SourceMgr.h"

#include <unistd.h>

using namespace llvm;
using namespace pruner;

const char *const pruner::kModelOptionsHelp =
    "  --entry=<name>      the network's function; default: the only public "
    "one\n"
    "  --names=<file>      JSON file with the names of arguments and results,\n"
    "                      as pruner_tools.export writes it; arguments that "
    "it\n"
    "                      does not call inputs are weights\n"
    "  --weights=<file>    safetensors file with the values of the weights\n"
    "  --shape=<shapes>    shapes of ONNX inputs with dynamic dimensions, such "
    "as\n"
    "                      x=1x3x224x224,mask=1x128\n";

namespace {
/// An empty file that is removed at the end, also after a signal.
struct TemporaryFile {
  SmallString<128> path;

  static Expected<TemporaryFile> create(StringRef suffix) {
    TemporaryFile file;
    int fd = -1;
    if (std::error_code error = createUniqueFile(
            temporaryPrefix("pruner-import-"), suffix, fd, file.path, 0600))
      return createStringError("'" + file.path.str() + "': " + error.message());
    ::close(fd);
    sys::RemoveFileOnSignal(file.path);
    return std::move(file);
  }
  TemporaryFile() = default;
  TemporaryFile(TemporaryFile &&other) : path(std::move(other.path)) {
    other.path.clear();
  }
  ~TemporaryFile() {
    if (path.empty())
      return;
    sys::fs::remove(path);
    sys::DontRemoveFileOnSignal(path);
  }
};
} // namespace

mlir::LogicalResult pruner::runPass(mlir::ModuleOp module,
                                    std::unique_ptr<mlir::Pass> pass) {
  mlir::PassManager passes(module.getContext());
  passes.addPass(std::move(pass));
  return passes.run(module);
}

/// Makes functions of static shape for the sizes of a network of dynamic shape.
/// These functions can have neither calls of functions of dynamic shape nor
/// branches between blocks.
static mlir::LogicalResult specializeShapes(mlir::ModuleOp module) {
  mlir::PassManager passes(module.getContext());
  passes.addPass(mlir::createInlinerPass());
  passes.addNestedPass<mlir::func::FuncOp>(createLiftBranchesPass());
  passes.addPass(createChooseSizesPass());
  passes.addPass(createSpecializeShapesPass());
  return passes.run(module);
}

/// The function with the name `entry`, or the only public one with a body.
static Expected<mlir::func::FuncOp> findNetwork(mlir::ModuleOp module,
                                                StringRef entry) {
  mlir::func::FuncOp found;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (function.isExternal() ||
        (entry.empty() ? !function.isPublic() : function.getName() != entry))
      continue;
    if (found)
      return createStringError("the module has several public functions, @" +
                               found.getName() + " and @" + function.getName() +
                               "; choose one with --entry");
    found = function;
  }
  if (!found)
    return createStringError(entry.empty()
                                 ? Twine("the module has no public function "
                                         "with a body")
                                 : "the module has no function @" + entry +
                                       " with a body");
  return found;
}

static Expected<ModelFile> readMlir(mlir::MLIRContext &context, StringRef path,
                                    const std::string &weights,
                                    const Arguments &arguments) {
  ModelFile model;
  auto buffer = openInputFile(path);
  if (!buffer)
    return buffer.takeError();
  if (Error excess = checkModuleText(**buffer))
    return excess;
  SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), SMLoc());
  mlir::SourceMgrDiagnosticHandler diagnostics(sources, &context);
  model.module = mlir::parseSourceFile<mlir::ModuleOp>(
      sources, mlir::ParserConfig(&context));
  if (!model.module)
    return createStringError("");
  auto network = findNetwork(*model.module, arguments.get("entry"));
  if (!network)
    return createStringError("'" + path +
                             "': " + toString(network.takeError()));
  model.entry = network->getName().str();
  if (std::string names = arguments.get("names"); !names.empty()) {
    auto pass = createDeclareConstantsPass();
    std::string problem = setOptions(
        *pass, optionText("names", names) + optionText("entry", model.entry));
    if (!problem.empty())
      return createStringError(problem);
    if (failed(runPass(*model.module, std::move(pass))))
      return createStringError("");
  }
  if (!weights.empty())
    if (Error error = model.constants.read(weights, *network))
      return std::move(error);
  if (network->getBody().hasOneBlock() && !hasRanges(*network))
    model.constants.lift(*network);
  else if (hasRanges(*network) &&
           !network->getOperation()->hasAttr(
               PrunerDialect::getPlanAttrName()) &&
           failed(specializeShapes(*model.module)))
    return createStringError("");
  return std::move(model);
}

Expected<ModelFile> pruner::readModel(mlir::MLIRContext &context,
                                      StringRef path,
                                      const Arguments &arguments) {
  StringRef suffix = sys::path::extension(path);
  if (arguments.has("shape") && suffix != ".onnx")
    return createStringError("option 'shape' is for ONNX; '" + path +
                             "' contains the shapes");
  if (suffix != ".onnx" && suffix != ".pt2")
    return readMlir(context, path, arguments.get("weights"), arguments);
  for (StringRef option : {"names", "weights"})
    if (arguments.has(option))
      return createStringError("option '" + option + "' is for MLIR; '" + path +
                               "' contains names and weights");
  auto program = TemporaryFile::create(".mlir");
  if (!program)
    return program.takeError();
  auto weights = TemporaryFile::create(".safetensors");
  if (!weights)
    return weights.takeError();
  // An absolute path cannot be taken for an option.
  SmallString<128> file(path);
  sys::fs::make_absolute(file);
  std::vector<std::string> words = {file.str().str(), "-o",
                                    program->path.str().str(), "--weights",
                                    weights->path.str().str()};
  std::string shapes = arguments.get("shape");
  for (StringRef shape : split(shapes, ','))
    if (!shape.empty())
      words.push_back(("--shape=" + shape).str());
  auto code = runPython("pruner.importing", words);
  if (!code)
    return code.takeError();
  if (*code != 0)
    return createStringError(""); // The importer said why.
  // Weights that an operation needs as constants are in the program.
  uint64_t bytes = 0;
  bool hasWeights = !sys::fs::file_size(weights->path, bytes) && bytes > 0;
  return readMlir(context, program->path,
                  hasWeights ? weights->path.str().str() : "", arguments);
}
