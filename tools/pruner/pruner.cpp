//===- pruner.cpp - one program for all steps -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links named `pruner-<command>` run a command, because earlier versions had
// one program per command.

#include "Commands.h"
#include "pruner/Dataset/DatasetTool.h"
#include "pruner/Dataset/ModelTool.h"
#include "pruner/Record/DatabaseTool.h"
#include "pruner/Support/CommandLine.h"
#include "pruner/TaskRecords/RecordJudge.h"

using namespace pruner;

static int runDatabaseCommand(int argc, char **argv) {
  RecordJudge judge;
  return prunerDbMain(argc, argv, judge);
}

static const Command commands[] = {
    {"compile", "Tune a network and make a shared library of it",
     prunerCompileMain},
    {"tune", "Find the fastest schedules of a network", prunerTuneMain},
    {"bench", "Time compiled networks", prunerBenchMain},
    {"explain", "Explain the schedules of tasks from a tuning database",
     prunerExplainMain},
    {"report", "Draw a tuning database as an HTML page", prunerReportMain},
    {"db", "Inspect tuning databases and move their records",
     runDatabaseCommand},
    {"dataset", "Import measured schedules into datasets and describe them",
     prunerDatasetMain},
    {"model", "Train and evaluate models that score schedules",
     prunerModelMain},
    {"version", "Print the versions of Pruner and LLVM", nullptr},
};

int main(int argc, char **argv) {
  return runCommand({"pruner", "tune and compile linalg programs", commands},
                    argc, argv);
}
