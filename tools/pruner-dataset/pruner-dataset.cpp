//===- pruner-dataset.cpp - main ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dataset/DatasetTool.h"

int main(int argc, char **argv) {
  return pruner::prunerDatasetMain(argc, argv);
}
