//===- RecordCheck.h - whether a record can be true -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TASKRECORDS_RECORDCHECK_H
#define PRUNER_TASKRECORDS_RECORDCHECK_H

#include "pruner/ModuleTasks/Environment.h"
#include "pruner/Program/Task.h"

#include "mlir/IR/MLIRContext.h"

#include <map>
#include <optional>
#include <string>

namespace pruner {

/// Finds out why a record of a task cannot be true:
///
/// * Its machine key describes a machine, its target is the target of that
///   machine, and its number of threads does not exceed the machine's cores.
/// * Its schedule is `default`, or parses and satisfies the rules R1 to R27 of
///   Analysis/Legality.h for the task on that machine.
/// * No time is below `leastSeconds` if its status claims a correct result.
/// * Its time stamp has the format that Pruner writes and is at most a day
///   (clocks differ) after now.
///
/// A record that passes may still be false. Only a measurement can show this.
///
/// A key does not name the features of a CPU, so an instruction that the
/// machine may lack is not a problem. With `environment`, records with the key
/// of its machine are checked with the features of that machine.
class RecordCheck {
public:
  explicit RecordCheck(mlir::MLIRContext &context,
                       const Environment *environment = nullptr);

  /// Empty if the record passes.
  std::string problemOf(const Record &record, const TaskDesc &desc);

private:
  mlir::MLIRContext &context;
  /// By key; none for a key that describes no machine.
  std::map<std::string, std::optional<Machine>> machines;
};

} // namespace pruner

#endif // PRUNER_TASKRECORDS_RECORDCHECK_H
