//===- FuzzDatasets.cpp - datasets, and logs that are imported ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Import.h"
#include "MemoryFile.h"
#include "pruner/Dataset/Dataset.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Pipelines/Pipelines.h"

#include "pruner/Support/JsonLines.h"

#include <cstdlib>

using namespace pruner;

namespace {
/// Writes all records; tasks are numbered in the order of their arrival.
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

/// The lines of an exported file as lines of `machine`, without their
/// checksums. Otherwise all altered lines would be rejected.
static std::string asExported(llvm::StringRef text, const Machine &machine) {
  std::string result;
  auto add = [&](llvm::json::Object object, size_t) -> llvm::Error {
    if (llvm::json::Object *about = object.getObject("pruner")) {
      about->erase("check");
      if (about->get("machine"))
        (*about)["machine"] = machine.key();
    }
    result += toJsonLine(object) + "\n";
    return llvm::Error::success();
  };
  readJsonLines(text, add);
  return result;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  MemoryFile file(text);
  Copy first;
  // An error ends the reading. Records that were read before are valid.
  auto bad = readDataset(file.path(), first);
  if (!bad)
    llvm::consumeError(bad.takeError());
  // Records that were read are written, and reading them again gives the same
  // records without an error.
  if (!first.text.empty()) {
    MemoryFile again(first.text);
    Copy second;
    auto none = readDataset(again.path(), second);
    if (!none || !none->empty() || second.text != first.text)
      std::abort();
  }
  // Read the input as files of other tuners.
  static std::unique_ptr<mlir::MLIRContext> context = createTaskContext();
  static const Machine machine = llvm::cantFail(knownMachine("v100"));
  MemoryFile exported(asExported(text, machine));
  for (const ImportFormat &format : importFormats()) {
    const MemoryFile &source = format.name == "pruner" ? exported : file;
    std::string written;
    llvm::raw_string_ostream os(written);
    DatasetWriter writer(os);
    ImportSink sink(writer, machine, *context);
    auto lines = format.import(source.path(), "", sink);
    if (!lines)
      llvm::consumeError(lines.takeError());
  }
  return 0;
}
