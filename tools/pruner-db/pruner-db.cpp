//===- pruner-db.cpp - main -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Record/DatabaseTool.h"
#include "pruner/TaskRecords/RecordJudge.h"

int main(int argc, char **argv) {
  pruner::RecordJudge judge;
  return pruner::prunerDbMain(argc, argv, judge);
}
