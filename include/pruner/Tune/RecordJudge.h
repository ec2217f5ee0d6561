//===- RecordJudge.h - what cannot be true of a record ----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TUNE_RECORDJUDGE_H
#define PRUNER_TUNE_RECORDJUDGE_H

#include "pruner/Program/Task.h"
#include "pruner/Record/Exchange.h"

#include "mlir/IR/MLIRContext.h"

#include <map>
#include <memory>

namespace pruner {

/// What cannot be true of a record of the task `desc`, as a sentence; empty if
/// nothing speaks against it:
///
/// * its machine key must be that of a machine, its target that machine's, and
///   its number of threads no more than that has cores;
/// * its schedule must be `default`, or parse and keep the rules R1 to R24 of
///   Analysis/Legality.h for the task on that machine;
/// * no time may be below `leastSeconds`, where its status says that the result
///   was right;
/// * its time stamp must be of the form that we write, and no more than a day
///   (clocks differ) after `now`, seconds since 1970.
///
/// It says nothing about whether the record *is* true: only measuring does.
std::string problemOf(const Record &record, const TaskDesc &desc,
                      mlir::MLIRContext &context, int64_t now);

/// The judge of imports. Of tasks it also holds the text against the key, and
/// the numbers of operations and bytes against the text, as they are counted
/// now or were when only floating point counted.
class RecordJudge : public Judge {
public:
  RecordJudge();
  ~RecordJudge() override;
  std::string problemOf(const StoredTask &task) override;
  std::string problemOf(const Record &record, const StoredTask &task) override;

private:
  struct Known {
    std::string text, problem;
    TaskDesc desc;
  };
  const Known &know(const StoredTask &task);

  /// Made when it is needed: most commands judge nothing.
  mlir::MLIRContext &context();
  std::unique_ptr<mlir::MLIRContext> owned;
  std::map<std::string, Known> tasks;
};

} // namespace pruner

#endif // PRUNER_TUNE_RECORDJUDGE_H
