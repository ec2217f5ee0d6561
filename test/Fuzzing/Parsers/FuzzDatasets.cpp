//===- FuzzDatasets.cpp - datasets, and logs that are imported ------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Dataset/Dataset.h"
#include "pruner/Dataset/Import.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Pipelines/Pipelines.h"

#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

using namespace pruner;

namespace {
/// The text as a file.
class File {
public:
  explicit File(llvm::StringRef text) : fd(memfd_create("input", 0)) {
    if (fd < 0 || write(fd, text.data(), text.size()) != ssize_t(text.size()))
      std::abort();
  }
  ~File() { close(fd); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd); }

private:
  int fd;
};

/// Writes what it is told; tasks get their numbers by order.
class Copy : public DatasetVisitor {
public:
  llvm::Error begin(DatasetOrigin origin) override {
    writer.begin(origin);
    numbers.clear();
    return llvm::Error::success();
  }
  llvm::Error add(unsigned number, DatasetTask task) override {
    numbers[number] = writer.add(task);
    return llvm::Error::success();
  }
  llvm::Error add(DatasetRecord record) override {
    record.task = numbers.at(record.task);
    writer.add(record);
    return llvm::Error::success();
  }
  std::string text;

private:
  llvm::raw_string_ostream os{text};
  DatasetWriter writer{os};
  std::map<unsigned, unsigned> numbers;
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  File file(text);
  Copy first;
  // Errors end the reading; what was read is right.
  auto bad = readDataset(file.path(), first);
  if (!bad)
    llvm::consumeError(bad.takeError());
  // What is read is written, and read again as the same, without an error.
  if (!first.text.empty()) {
    File again(first.text);
    Copy second;
    auto none = readDataset(again.path(), second);
    if (!none || !none->empty() || second.text != first.text)
      std::abort();
  }
  // As the files of other tuners.
  static std::unique_ptr<mlir::MLIRContext> context = createTaskContext();
  static const Machine machine = llvm::cantFail(knownMachine("v100"));
  for (const ImportFormat &format : importFormats()) {
    std::string written;
    llvm::raw_string_ostream os(written);
    DatasetWriter writer(os);
    ImportSink sink(writer, machine, *context);
    auto lines = format.import(file.path(), "", sink);
    if (!lines)
      llvm::consumeError(lines.takeError());
  }
  return 0;
}
