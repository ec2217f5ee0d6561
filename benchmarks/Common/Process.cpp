//===- Process.cpp - CPUs, children, results ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Process.h"

#include "FloatBuffer.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <sched.h>

using namespace pruner;
using namespace pruner::bench;
namespace sys = llvm::sys;

llvm::Expected<std::vector<unsigned>> bench::bindToCpus(unsigned first,
                                                        unsigned count) {
  cpu_set_t allowed, chosen;
  if (sched_getaffinity(0, sizeof(allowed), &allowed))
    return llvm::createStringError("cannot read the allowed CPUs");
  CPU_ZERO(&chosen);
  std::vector<unsigned> cpus;
  unsigned index = 0;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE && cpus.size() < count; ++cpu)
    if (CPU_ISSET(cpu, &allowed) && index++ >= first) {
      CPU_SET(cpu, &chosen);
      cpus.push_back(cpu);
    }
  if (cpus.size() < count)
    return llvm::createStringError(
        "%u threads from CPU %u on, but this process may use %d CPUs", count,
        first, CPU_COUNT(&allowed));
  if (sched_setaffinity(0, sizeof(chosen), &chosen))
    return llvm::createStringError("cannot bind to CPU %u", cpus.front());
  return cpus;
}

std::string bench::siblingTool(llvm::StringRef name) {
  static int anchor;
  std::string self = sys::fs::getMainExecutable(nullptr, &anchor);
  llvm::SmallString<256> program(sys::path::parent_path(self));
  sys::path::append(program, name);
  return program.str().str();
}

llvm::Error bench::runTool(const std::string &program,
                           const std::vector<std::string> &arguments,
                           ToolOutput output) {
  std::vector<llvm::StringRef> line{program};
  line.insert(line.end(), arguments.begin(), arguments.end());
  llvm::SmallString<128> log;
  std::optional<llvm::StringRef> redirects[3] = {std::nullopt, "",
                                                 std::nullopt};
  if (output == ToolOutput::Keep) {
    if (std::error_code error =
            sys::fs::createTemporaryFile("pruner-bench", "log", log))
      return llvm::createStringError(error, "no temporary file");
    redirects[2] = log.str();
  }
  std::string reason;
  int status = sys::ExecuteAndWait(program, line, std::nullopt, redirects, 0, 0,
                                   &reason);
  std::string tail = reason;
  if (output == ToolOutput::Keep) {
    if (auto text = llvm::MemoryBuffer::getFile(log); status && text)
      tail += (*text)->getBuffer().trim().take_back(600);
    sys::fs::remove(log);
  }
  if (status)
    return llvm::createStringError("%s ended with status %d %s",
                                   program.c_str(), status, tail.c_str());
  return llvm::Error::success();
}

std::string bench::sourceCommit() {
  auto git = sys::findProgramByName("git");
  llvm::SmallString<128> output;
  if (!git || sys::fs::createTemporaryFile("pruner-bench", "txt", output))
    return "";
  int status = sys::ExecuteAndWait(
      *git,
      {*git, "-C", PRUNER_BENCH_SOURCE, "describe", "--always", "--dirty"},
      std::nullopt, {std::nullopt, output.str(), llvm::StringRef("")});
  std::string result;
  if (auto text = llvm::MemoryBuffer::getFile(output); status == 0 && text)
    result = (*text)->getBuffer().trim().str();
  sys::fs::remove(output);
  return result;
}

llvm::Expected<TemporaryDirectory>
TemporaryDirectory::create(llvm::StringRef prefix) {
  llvm::SmallString<128> path;
  if (std::error_code error = sys::fs::createUniqueDirectory(prefix, path))
    return llvm::createStringError(error, "no temporary directory");
  return TemporaryDirectory(path.str().str());
}

TemporaryDirectory::~TemporaryDirectory() {
  if (!path.empty())
    sys::fs::remove_directories(path);
}

std::string TemporaryDirectory::file(llvm::StringRef name) const {
  llvm::SmallString<128> result(path);
  sys::path::append(result, name);
  return result.str().str();
}

llvm::Error bench::writeText(const std::string &path, llvm::StringRef text) {
  return writeRaw(path, text.data(), text.size());
}

llvm::Error bench::writeJson(const std::string &path,
                             const llvm::json::Object &value) {
  if (path.empty())
    return llvm::Error::success();
  std::string part = path + ".part";
  if (llvm::Error error = writeText(
          part,
          llvm::formatv("{0:1}\n", llvm::json::Value(llvm::json::Object(value)))
              .str()))
    return error;
  if (std::error_code error = sys::fs::rename(part, path))
    return llvm::createStringError(error, "cannot write '%s'", path.c_str());
  return llvm::Error::success();
}
