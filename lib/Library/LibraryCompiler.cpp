//===- LibraryCompiler.cpp - from lowered modules to a library ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryCompiler.h"

#include "SplitFunctions.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Support/CodeDirectory.h"
#include "pruner/Support/OutputFile.h"
#include "pruner/Target/SharedLibrary.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pruner;

static constexpr StringLiteral kFacts = "pruner_network_facts";

double pruner::millisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - start)
      .count();
}

/// Finds the runtime library next to the program or library that contains this
/// code, in ../lib of a build tree or an installation.
static Expected<std::string> findRuntime(StringRef archive) {
  std::optional<std::string> directory = codeDirectory();
  if (!directory)
    return createStringError(archive + " was not found: " + kNoCodeDirectory);
  std::string tried;
  for (const char *relative : {"../lib", "../" PRUNER_INSTALL_LIBDIR, "."}) {
    SmallString<128> path(*directory);
    sys::path::append(path, relative, archive);
    sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    if (sys::fs::exists(path))
      return path.str().str();
    tried += "\n  " + path.str().str();
  }
  return createStringError(archive + " was not found:" + tried);
}

Error pruner::lowerNetwork(mlir::ModuleOp module, const std::string &entry) {
  if (module.lookupSymbol<mlir::LLVM::GlobalOp>(kFacts))
    return Error::success();
  NetworkToLLVMOptions pipeline;
  pipeline.entry = entry;
  mlir::PassManager passes(module.getContext());
  // Between passes the verifier would take half of their time.
  passes.enableVerifier(false);
  buildNetworkToLLVMPipeline(passes, pipeline);
  if (mlir::failed(passes.run(module)) || mlir::failed(mlir::verify(module)))
    return createStringError("the network cannot be lowered");
  return Error::success();
}

void pruner::addMetadata(mlir::ModuleOp module, std::string text) {
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(module.getBody());
  text.push_back('\0');
  mlir::LLVM::GlobalOp::create(
      builder, module.getLoc(),
      mlir::LLVM::LLVMArrayType::get(builder.getI8Type(), text.size()),
      /*isConstant=*/true, mlir::LLVM::Linkage::External, "pruner_metadata",
      builder.getStringAttr(text));
}

static Error writeText(StringRef path, StringRef text) {
  Error error = writeOutputFile(path, [&](raw_ostream &os) {
    os << text;
    return Error::success();
  });
  return error ? createStringError("'" + path +
                                   "': " + toString(std::move(error)))
               : Error::success();
}

/// Why a file cannot be written, as far as this can be checked before; empty if
/// the name is empty.
static Error checkOutput(StringRef path) {
  if (path.empty())
    return Error::success();
  StringRef directory = sys::path::parent_path(path);
  if (!directory.empty() && !sys::fs::is_directory(directory))
    return createStringError("'" + path + "': cannot write: '" + directory +
                             "' is not a directory");
  if (sys::fs::is_directory(path))
    return createStringError("'" + path + "': cannot write: Is a directory");
  if (directory.empty())
    directory = ".";
  // A file is replaced by a new one of the directory.
  bool replaces = !sys::fs::exists(path) || sys::fs::is_regular_file(path);
  if (std::error_code code = sys::fs::access(replaces ? directory : path,
                                             sys::fs::AccessMode::Write))
    return createStringError("'" + path + "': cannot write: " + code.message());
  return Error::success();
}

LibraryCompiler::LibraryCompiler(const LibraryOptions &options)
    : options(options), plain(options.cpu),
      objects(options.objects ? *options.objects : own) {
  plain.optLevel = options.plainLevel;
  plain.loopVectorize = options.plainLevel >= 2;
}

Error LibraryCompiler::open(ArrayRef<StringRef> archives) {
  // One would replace the other.
  for (StringRef file : {options.output, options.names})
    if (!options.header.empty() && isSameFile(options.header, file))
      return createStringError("the header '" + options.header +
                               "' would replace '" + file + "'");
  if (!options.names.empty() && isSameFile(options.output, options.names))
    return createStringError("the library '" + options.output +
                             "' would replace '" + options.names + "'");
  for (StringRef file : {options.output, options.header})
    if (Error error = checkOutput(file))
      return error;
  if (Error error = checkTemporaryDirectory())
    return error;
  Expected<std::string> program = findLinker(options.linker);
  if (!program)
    return program.takeError();
  linker = *program;
  for (StringRef archive : archives) {
    auto found = findRuntime(archive);
    if (!found)
      return found.takeError();
    runtime.push_back(*found);
  }
  auto target = describeCpu(plain);
  if (!target)
    return target.takeError();
  cpu = {target->first, target->second};
  return Error::success();
}

void LibraryCompiler::compile(mlir::ModuleOp part, const CpuOptions &options,
                              double &ms) {
  auto start = std::chrono::steady_clock::now();
  keys.push_back(ObjectCache::key(part, options));
  objects.compile(keys.back(), part, options);
  ms += millisecondsSince(start);
}

void LibraryCompiler::compile(mlir::ModuleOp module) {
  std::vector<FunctionApart> parts = splitFunctions(module);
  for (FunctionApart &part : parts) {
    ++(part.kernel ? report.kernels : report.plainFunctions);
    compile(*part.module, part.kernel ? options.cpu : plain,
            part.kernel ? report.kernelsMs : report.plainMs);
  }
  compileWhole(module);
}

void LibraryCompiler::compileWhole(mlir::ModuleOp module) {
  report.plainFunctions +=
      llvm::count_if(module.getOps<mlir::LLVM::LLVMFuncOp>(),
                     [](mlir::LLVM::LLVMFuncOp f) { return !f.isExternal(); });
  compile(module, plain, report.plainMs);
}

Expected<LibraryReport> LibraryCompiler::finish(ArrayRef<StringRef> exports,
                                                const std::string &header) {
  auto start = std::chrono::steady_clock::now();
  std::vector<ArrayRef<char>> bytes;
  for (const std::string &key : keys) {
    auto object = objects.get(key);
    if (!object)
      return object.takeError();
    bytes.emplace_back(object->bytes.data(), object->bytes.size());
  }
  LinkOptions link;
  link.linker = linker;
  link.archives = runtime;
  link.exports = {"pruner_run",      "pruner_error",
                  "pruner_metadata", "pruner_set_threads",
                  "pruner_threads",  "pruner_use_openmp",
                  "pruner_profile",  "pruner_profile_read"};
  for (StringRef symbol : exports)
    link.exports.push_back(symbol.str());
  if (Error error = linkSharedLibrary(bytes, options.output, link))
    return error;
  if (!options.header.empty())
    if (Error error = writeText(options.header, header))
      return error;
  report.linkMs = millisecondsSince(start);
  return report;
}
