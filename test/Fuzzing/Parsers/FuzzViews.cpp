//===- FuzzViews.cpp - datasets as tasks with schedules -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FeatureTable.h"
#include "MemoryFile.h"
#include "pruner/Dataset/DatasetView.h"

#include <cmath>

using namespace pruner;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MemoryFile file(llvm::StringRef(reinterpret_cast<const char *>(data), size));
  auto view = readDatasets({file.path()});
  if (!view) {
    llvm::consumeError(view.takeError());
    return 0;
  }
  for (const MeasuredTask &task : view->tasks)
    for (const MeasuredSchedule &schedule : task.schedules)
      if (schedule.seconds &&
          !(*schedule.seconds > 0 && std::isfinite(*schedule.seconds)))
        std::abort();
  std::string table;
  llvm::raw_string_ostream os(table);
  printFeatureTable(*view, os);
  return 0;
}
