//===- Import.h - datasets of what other tuners recorded --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each importer reads files of one program and turns its parameters into
// schedules of ours. Code of theirs and code of ours for the same schedule
// differ, so such records speak for models of schedules, not for times; they
// are never records of a database. What databases export is imported, too.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DATASET_IMPORT_H
#define PRUNER_DATASET_IMPORT_H

#include "pruner/Dataset/Dataset.h"
#include "pruner/Program/Task.h"
#include "pruner/Sketch/Schedule.h"

#include "mlir/IR/MLIRContext.h"

#include <map>

namespace pruner {

struct OperationShape;

/// What became of the records of one or more files.
struct ImportCounts {
  size_t read = 0;    ///< Records that were well-formed.
  size_t written = 0; ///< Of these in the dataset.
  size_t tasks = 0;
  /// Why others are not, and in what those that are there differ from what was
  /// measured, with their numbers.
  std::map<std::string, size_t> leftOut, approximated;
};

/// Collects what an importer makes of its files.
class ImportSink {
public:
  /// What is written is of `machine`;
  /// what other tuners made programs by is written beside the schedules if
  /// `keepPrimitives`.
  ImportSink(DatasetWriter &writer, const Machine &machine,
             mlir::MLIRContext &context, bool keepPrimitives = false)
      : writer(writer), machine(machine), context(context),
        keepPrimitives(keepPrimitives) {}

  /// Writes the task of that operation, once, and returns its number. Fails if
  /// it is none: its sizes may be too large.
  llvm::Expected<unsigned> addTask(const OperationShape &shape);
  /// The same of a task that is written out already.
  llvm::Expected<unsigned> addTask(const DatasetTask &task);
  const TaskDesc &task(unsigned number) const { return descs[number]; }
  /// Writes a record of task `record.task` with `schedule`, whose text it gets,
  /// unless no program can be made of it (`checkProgramExists`): then it is
  /// counted as left out. `differences`: in what the schedule differs from what
  /// was measured, in words that are counted.
  void addRecord(DatasetRecord record, const Schedule &schedule,
                 llvm::ArrayRef<llvm::StringRef> differences = {});
  void leaveOut(const llvm::Twine &why);

  const ImportCounts &counts() const { return all; }
  bool keepsPrimitives() const { return keepPrimitives; }
  const Machine &ofMachine() const { return machine; }
  mlir::MLIRContext &inContext() { return context; }

private:
  DatasetWriter &writer;
  const Machine &machine;
  mlir::MLIRContext &context;
  bool keepPrimitives;
  ImportCounts all;
  std::vector<TaskDesc> descs;
  std::map<std::string, unsigned> numbers;
};

/// Reads a file of some program's. Returns the lines that are not as it writes
/// them; an error means that the file cannot be read.
using Importer = llvm::Expected<std::vector<BadLine>> (*)(
    llvm::StringRef path, llvm::StringRef device, ImportSink &sink);

struct ImportFormat {
  llvm::StringLiteral name;      ///< As `--from` has it.
  llvm::StringLiteral summary;   ///< A line for people.
  llvm::StringLiteral toolchain; ///< DatasetOrigin's.
  Importer import;
};

llvm::ArrayRef<ImportFormat> importFormats();

/// Lines that `pruner-db export` wrote. Records of other machines than the
/// sink's are left out.
llvm::Expected<std::vector<BadLine>>
importExported(llvm::StringRef path, llvm::StringRef device, ImportSink &sink);

/// Ansor's logs, version v0.6, of functions called `matmul_layer`,
/// `batch_matmul_layer`, `conv2d_layer`, `depthwise_conv2d_layer`,
/// `relu_layer` and `reduction_layer`. `device` means nothing here.
llvm::Expected<std::vector<BadLine>>
importAnsor(llvm::StringRef path, llvm::StringRef device, ImportSink &sink);

/// A table (comma-separated, with a header) of the parameters of CLBlast's
/// tiled SGEMM kernel (Xgemm), 4096^3, and `milliseconds`. With `device` only
/// rows that have it in the column of that name.
llvm::Expected<std::vector<BadLine>>
importClblast(llvm::StringRef path, llvm::StringRef device, ImportSink &sink);

/// The same of Kernel Tuner's 2-D convolution of an image of 4096^2 pixels.
llvm::Expected<std::vector<BadLine>> importConvolution(llvm::StringRef path,
                                                       llvm::StringRef device,
                                                       ImportSink &sink);

} // namespace pruner

#endif // PRUNER_DATASET_IMPORT_H
