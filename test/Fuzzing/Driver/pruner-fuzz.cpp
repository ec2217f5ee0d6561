//===- pruner-fuzz.cpp - random tests of the compiler ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Driver/Driver.h"
#include "pruner/Support/CommandLine.h"

using namespace pruner;

static const Command commands[] = {
    {"schedules", "Random schedules of random tasks, compared with plain loops",
     fuzzSchedules},
    {"networks", "Random networks, compared with an interpreter", fuzzNetworks},
    {"mutants", "Kernels with one fault each, which verification must reject",
     fuzzMutants},
};

int main(int argc, char **argv) {
  return runCommand({"pruner-fuzz", "random tests of the compiler", commands},
                    argc, argv);
}
