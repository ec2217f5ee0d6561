//===- Ptxas.cpp - assemble PTX with NVIDIA's ptxas -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Target/Ptxas.h"

#include "LLVMSession.h"
#include "TemporaryFile.h"
#include "pruner/Support/FindProgram.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace pruner;
using namespace llvm;

char PtxasUnavailable::ID = 0;
char PtxasUnsupportedChip::ID = 0;

void PtxasUnavailable::log(raw_ostream &os) const { os << message; }
std::error_code PtxasUnavailable::convertToErrorCode() const {
  return std::make_error_code(std::errc::no_such_file_or_directory);
}

void PtxasUnsupportedChip::log(raw_ostream &os) const {
  os << ptxas << " cannot assemble for " << chip;
}
std::error_code PtxasUnsupportedChip::convertToErrorCode() const {
  return std::make_error_code(std::errc::not_supported);
}

std::optional<std::string> pruner::findPtxas() {
  if (std::optional<std::string> found = findProgram("ptxas"))
    return found;
  std::vector<std::string> roots;
  // An empty or relative value would mean the current directory.
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (const char *value = std::getenv(variable);
        value && sys::path::is_absolute(value))
      roots.push_back(value);
  roots.push_back("/usr/local/cuda");
  for (const std::string &root : roots) {
    SmallString<128> path(root);
    sys::path::append(path, "bin", "ptxas");
    if (sys::fs::can_execute(path))
      return path.str().str();
  }
  return std::nullopt;
}

/// The number before `word` in `line`, or 0: "40 bytes stack frame" and "stack
/// frame".
static unsigned numberBefore(StringRef line, StringRef word) {
  size_t end = line.find(word);
  if (end == StringRef::npos)
    return 0;
  StringRef before = line.take_front(end).rtrim();
  size_t begin = before.find_last_not_of("0123456789");
  unsigned number = 0;
  if (before.drop_front(begin == StringRef::npos ? 0 : begin + 1)
          .getAsInteger(10, number))
    return 0;
  return number;
}

std::vector<KernelResources> pruner::parsePtxasReport(StringRef report) {
  std::vector<KernelResources> kernels;
  StringRef line;
  bool inKernel = false;
  while (!report.empty()) {
    std::tie(line, report) = report.split('\n');
    if (line.contains("Compiling entry function '")) {
      KernelResources kernel;
      kernel.name = line.split('\'').second.split('\'').first.str();
      kernels.push_back(kernel);
      inKernel = true;
      continue;
    }
    // "Function properties for <device function>" describes a callee.
    if (line.contains("Function properties for "))
      inKernel = !kernels.empty() &&
                 line.split(" for ").second.trim() == kernels.back().name;
    if (kernels.empty())
      continue;
    KernelResources &kernel = kernels.back();
    if (inKernel && line.contains("bytes stack frame")) {
      kernel.stackFrameBytes = numberBefore(line, "bytes stack frame");
      kernel.spillStoreBytes = numberBefore(line, "bytes spill stores");
      kernel.spillLoadBytes = numberBefore(line, "bytes spill loads");
    }
    if (line.contains("Used ") && line.contains(" registers")) {
      kernel.registers = numberBefore(line, "registers");
      kernel.barriers = numberBefore(line, "barriers");
      kernel.sharedBytes = numberBefore(line, "bytes smem");
      StringRef rest = line;
      for (size_t at; (at = rest.find("bytes cmem")) != StringRef::npos;
           rest = rest.drop_front(at + 1))
        kernel.constantBytes +=
            numberBefore(rest.take_front(at + 10), "bytes cmem");
    }
  }
  return kernels;
}

Expected<CubinCode> pruner::assemblePtx(StringRef ptx,
                                        const PtxasOptions &options) {
  std::optional<std::string> program =
      options.path.empty() ? findPtxas() : options.path;
  if (!program)
    return make_error<PtxasUnavailable>(
        "ptxas was not found in PATH, CUDA_HOME, CUDA_PATH, CUDA_ROOT or "
        "/usr/local/cuda");

  TemporaryFile input, output, report;
  for (auto [file, suffix] :
       {std::pair(&input, "ptx"), std::pair(&output, "cubin"),
        std::pair(&report, "txt")})
    if (Error error = file->create(suffix))
      return error;
  if (Error error = input.write(ptx))
    return error;

  std::string level = "-O" + std::to_string(options.optLevel);
  std::string limit = std::to_string(options.maxRegisters);
  std::vector<StringRef> arguments = {*program, "-v", "-arch", options.chip,
                                      level};
  if (options.maxRegisters)
    arguments.insert(arguments.end(), {"-maxrregcount", limit});
  arguments.insert(arguments.end(), {input.path, "-o", output.path});
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(report.path),
                                          StringRef(report.path)};
  CubinCode result;
  std::string message;
  bool couldNotStart = false;
  int status;
  {
    StageTimer timer(result.assemble);
    status = sys::ExecuteAndWait(*program, arguments, std::nullopt, redirects,
                                 options.timeoutSeconds, /*MemoryLimit=*/0,
                                 &message, &couldNotStart);
  }
  if (couldNotStart)
    return make_error<PtxasUnavailable>("cannot run " + *program + ": " +
                                        message);
  std::string text = report.read();
  if (status == -2)
    return createStringError("ptxas was stopped: " + message);
  if (status != 0) {
    if (StringRef(text).contains("is not defined for option 'gpu-name'"))
      return make_error<PtxasUnsupportedChip>(options.chip, *program);
    return createStringError("ptxas failed (status " + Twine(status) +
                             "): " + StringRef(text).trim() + message);
  }
  result.kernels = parsePtxasReport(text);
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    if (line.contains("warning") || line.contains("Potential Performance Loss"))
      result.warnings.push_back(line.trim().str());
  auto cubin = MemoryBuffer::getFile(output.path, /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  if (!cubin)
    return createStringError("ptxas produced no cubin: " +
                             cubin.getError().message());
  result.bytes.assign((*cubin)->getBufferStart(), (*cubin)->getBufferEnd());
  return result;
}
