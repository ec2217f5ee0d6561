//===- KnownMachines.h - devices known by name ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_MACHINE_KNOWNMACHINES_H
#define PRUNER_MACHINE_KNOWNMACHINES_H

#include "pruner/Machine/Machine.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace pruner {

/// Names of the tables' devices ("nvidia:h200", ..., "amd:mi50"), newest of
/// each vendor first. A device is one die: the K80 and MI250X entries are one
/// of the board's two. Models predict for AMD's devices, but no code is
/// generated for them.
std::vector<std::string> knownMachineNames();

/// An architecture name ("sm_90a") and the device whose numbers it uses.
struct KnownArchitecture {
  std::string arch;
  std::string machine;
};

/// The architectures that may replace a device name, newest first, each with
/// the device that provides its numbers: sm_120a and sm_120 rtx5090, sm_100a
/// and sm_100 b200, sm_90a and sm_90 h200, sm_89 rtx4090, sm_87 orin, sm_86
/// rtx3090, sm_80 a100-40 (the default device of the released Pruner code),
/// sm_75 t4, sm_70 titanv, sm_37 k80.
std::vector<KnownArchitecture> knownArchitectures();

/// The device called `name`: "nvidia:h200", "h200", "nvidia:sm_90a", "sm_90a"
/// or "amd:mi50"; case does not matter. An architecture gets the numbers of its
/// device in `knownArchitectures` and the requested `arch` (sm_90 on an H200
/// means code without the sm_90a instructions). The error for an unknown name
/// lists the known ones.
llvm::Expected<Machine> knownMachine(llvm::StringRef name);

/// The properties that all GPUs of NVIDIA compute capability `major`.`minor`
/// share: registers, threads, shared memory, warp size, and the rates of whole
/// tensor cores. The caller sets
/// `units`, clock, rates, memory and L2, which are 0; `f32CoresPerUnit` helps
/// with this. An unlisted capability gets the newest listed one below it with
/// the same major number, and a note. It is an error if there is none.
llvm::Expected<Machine> gpuArchitecture(int major, int minor);

/// Halves the rates at which the tensor cores of `machine` multiply floats with
/// f32 accumulators, as GeForce devices have them.
void halveTensorFloats(Machine &machine);

/// f32 FMA units of one SM of compute capability `major`.`minor`; 128 for
/// capabilities not listed.
int64_t f32CoresPerUnit(int major, int minor);

} // namespace pruner

#endif // PRUNER_MACHINE_KNOWNMACHINES_H
