//===- Import.h - import of other tuners' records ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Importers translate the parameters in files of other tuners into schedules of
// Pruner, and also read exported databases. For the same schedule, other tuners
// generate different code. Imported records are therefore useful to train and
// evaluate models, but they never enter a tuning database.

#ifndef PRUNER_LIB_DATASET_IMPORT_H
#define PRUNER_LIB_DATASET_IMPORT_H

#include "pruner/Dataset/Dataset.h"
#include "pruner/Program/Task.h"
#include "pruner/Sketch/Schedule.h"

#include "mlir/IR/MLIRContext.h"

#include <map>

namespace pruner {

struct OperationShape;

/// Counts over the records of one or more files.
struct ImportCounts {
  size_t read = 0;    ///< Well-formed records.
  size_t written = 0; ///< Records in the dataset.
  size_t tasks = 0;
  /// The reasons why records were skipped, and the differences of written
  /// records from the measured programs, each with its number.
  std::map<std::string, size_t> leftOut, approximated;
};

/// Collects the tasks and records of an importer.
class ImportSink {
public:
  /// All records are measured on `machine`. If `keepPrimitives`, the other
  /// tuner's primitives are written next to the schedules.
  ImportSink(DatasetWriter &writer, const Machine &machine,
             mlir::MLIRContext &context, bool keepPrimitives = false)
      : writer(writer), machine(machine), context(context),
        keepPrimitives(keepPrimitives) {}

  /// Writes the task of an operation unless it exists, and returns its number.
  /// Fails if it is not a task, for example because its sizes are too large.
  llvm::Expected<unsigned> addTask(const OperationShape &shape);
  /// The same for a task that is given as IR.
  llvm::Expected<unsigned> addTask(const DatasetTask &task);
  const TaskDesc &task(unsigned number) const { return descs[number]; }
  /// Writes a record of task `record.task` and fills in the text of `schedule`.
  /// Skips and counts the record if no program can be built from it
  /// (`checkProgramExists`). `differences` names how the schedule differs from
  /// the measured program; each name is counted.
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

/// Reads a file in the format of another program. Returns the malformed lines.
/// Fails if the file cannot be read.
using Importer = llvm::Expected<std::vector<BadLine>> (*)(
    llvm::StringRef path, llvm::StringRef device, ImportSink &sink);

struct ImportFormat {
  llvm::StringLiteral name;      ///< The value of `--from`.
  llvm::StringLiteral summary;   ///< One line for the help text.
  llvm::StringLiteral toolchain; ///< See DatasetOrigin.
  Importer import;
};

llvm::ArrayRef<ImportFormat> importFormats();

/// Reads the output of `pruner db export`. Skips records of machines other than
/// the sink's.
llvm::Expected<std::vector<BadLine>>
importExported(llvm::StringRef path, llvm::StringRef device, ImportSink &sink);

/// Reads Ansor's logs, version v0.6, of the functions `matmul_layer`,
/// `batch_matmul_layer`, `conv2d_layer`, `depthwise_conv2d_layer`, `relu_layer`
/// and `reduction_layer`. `device` is ignored.
llvm::Expected<std::vector<BadLine>>
importAnsor(llvm::StringRef path, llvm::StringRef device, ImportSink &sink);

/// Reads a table (comma-separated, with a header) of the parameters of
/// CLBlast's tiled SGEMM kernel (Xgemm), 4096^3, and `milliseconds`. With
/// `device`, reads only rows with that value in the column `device`.
llvm::Expected<std::vector<BadLine>>
importClblast(llvm::StringRef path, llvm::StringRef device, ImportSink &sink);

/// The same for Kernel Tuner's 2-D convolution of an image of 4096^2 pixels.
llvm::Expected<std::vector<BadLine>> importConvolution(llvm::StringRef path,
                                                       llvm::StringRef device,
                                                       ImportSink &sink);

/// Reads a table of 2-D f32 convolutions, each with the tile that rocMLIR's
/// tuner chose and with its time, as MIOpen's databases have them. `device` is
/// ignored. Columns: batch, in_channels, height, width, out_channels,
/// filter_{h,w}, pad_{h,w}, stride_{h,w}, dilation_{h,w}, groups, block_size
/// (threads of a block), {m,n,k}_per_block, {m,n}_per_thread, milliseconds.
llvm::Expected<std::vector<BadLine>> importMiopenWinners(llvm::StringRef path,
                                                         llvm::StringRef device,
                                                         ImportSink &sink);

/// Reads a table of f32 products of column-major matrices, each with the kernel
/// that rocBLAS chooses (Tensile's logic files). `device` is ignored. Columns:
/// transposes ("nt": A is not transposed, B is), m, n, batch, k, block_{m,n},
/// thread_{m,n} (elements of a thread), work_group_{0,1} (threads), local_split
/// and global_split (parts of the reduction in a block and in the grid),
/// depth_k, vector, global_read_vector, gflops (10^9 operations per second).
llvm::Expected<std::vector<BadLine>> importSgemmWinners(llvm::StringRef path,
                                                        llvm::StringRef device,
                                                        ImportSink &sink);

} // namespace pruner

#endif // PRUNER_LIB_DATASET_IMPORT_H
