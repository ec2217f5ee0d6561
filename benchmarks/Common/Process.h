//===- Process.h - CPUs, children, results ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_COMMON_PROCESS_H
#define PRUNER_BENCHMARKS_COMMON_PROCESS_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace pruner::bench {

/// Binds this process to `count` of its permitted CPUs, starting with the
/// `first`-th, and returns them.
llvm::Expected<std::vector<unsigned>> bindToCpus(unsigned first,
                                                 unsigned count);

/// The path of a program next to this one.
std::string siblingTool(llvm::StringRef name);

/// The destination of a child's stderr.
enum class ToolOutput {
  Show, ///< The stderr of this process.
  Keep, ///< Discarded, except that the error of a failed child contains its
        ///< end.
};

/// Runs `program` and discards its stdout.
llvm::Error runTool(const std::string &program,
                    const std::vector<std::string> &arguments,
                    ToolOutput output);

/// Git's name of the state of the source tree that this was built from:
/// "5f3a1c2" or, with changes, "5f3a1c2-dirty"; empty without git.
std::string sourceCommit();

/// A new directory that is removed with this object.
class TemporaryDirectory {
public:
  static llvm::Expected<TemporaryDirectory> create(llvm::StringRef prefix);
  TemporaryDirectory(TemporaryDirectory &&other)
      : path(std::exchange(other.path, std::string())) {}
  TemporaryDirectory &operator=(TemporaryDirectory &&) = delete;
  ~TemporaryDirectory();

  std::string file(llvm::StringRef name) const;

private:
  explicit TemporaryDirectory(std::string path) : path(std::move(path)) {}
  std::string path;
};

/// Writes a whole file.
llvm::Error writeText(const std::string &path, llvm::StringRef text);

/// Writes an indented JSON file atomically. Does nothing for an empty path.
llvm::Error writeJson(const std::string &path, const llvm::json::Object &value);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMMON_PROCESS_H
