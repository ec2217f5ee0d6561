//===- FeatureTable.cpp - features of datasets as CSV ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FeatureTable.h"

#include "pruner/Analysis/ProgramTerms.h"
#include "pruner/Dataset/Evaluate.h"

#include "llvm/Support/Format.h"

using namespace llvm;
using namespace pruner;

void pruner::printFeatureTable(const DatasetView &view, raw_ostream &os) {
  os << "machine,kind,task,structure,schedule,seconds";
  for (const std::string &name : programTermNames())
    os << ',' << name;
  os << '\n';
  for (auto [number, task] : enumerate(view.tasks)) {
    MeasuredFeatures features(task, {false, true});
    for (auto [position, measured] : enumerate(task.schedules)) {
      os << task.machine->name << ',' << task.kind << ',' << number << ','
         << taskShape(task.desc) << ',' << position << ',';
      if (measured.seconds)
        os << format("%.6g", *measured.seconds);
      for (float value : features(measured).terms)
        os << ',' << format("%.6g", double(value));
      os << '\n';
    }
  }
}
