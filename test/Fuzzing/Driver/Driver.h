//===- Driver.h - the commands of pruner-fuzz -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each command parses the arguments that follow its name, and returns the exit
// code of the program: 1 if it found a defect.

#ifndef PRUNER_FUZZING_DRIVER_DRIVER_H
#define PRUNER_FUZZING_DRIVER_DRIVER_H

namespace pruner {

/// Random legal schedules of random tasks, compared with the task as loops.
int fuzzSchedules(int argc, char **argv);

/// Random networks through the whole pipeline, compared with an interpreter.
int fuzzNetworks(int argc, char **argv);

/// Kernels with one fault each, which verification must reject.
int fuzzMutants(int argc, char **argv);

} // namespace pruner

#endif // PRUNER_FUZZING_DRIVER_DRIVER_H
