//===- RunArtifact.h - verify and time one artifact -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_WORKER_RUNARTIFACT_H
#define PRUNER_WORKER_RUNARTIFACT_H

#include "pruner/Measure/FaultInjection.h"
#include "pruner/Measure/Protocol.h"
#include "pruner/Runtime/GuardedBuffer.h"
#include "pruner/Verification/Reference.h"
#include <memory>
#include <vector>

namespace pruner {

/// Memory for the arguments of a task, between guard zones. It may be reused
/// for the next candidate, which fills it again. The crash reporter knows its
/// addresses, so only one may exist at a time.
class Operands {
public:
  /// Null if there is not enough memory.
  static std::unique_ptr<Operands> allocate(const TaskProgram &task);
  Operands(const Operands &) = delete;
  Operands &operator=(const Operands &) = delete;
  ~Operands();

  /// Sets the inputs and poisons the outputs.
  void fill(llvm::ArrayRef<std::vector<uint8_t>> inputs);
  /// Describes writes next to the arguments, if there are any.
  std::optional<std::string> damage() const;
  /// Describes what the kernel changed outside of its outputs since fill():
  /// inputs and guard zones.
  std::optional<std::string> forbiddenWrites(const ReferenceSet &set) const;
  void open(OpenFences &fences);

  /// Inputs, then outputs.
  llvm::ArrayRef<void *> addresses() const { return places; }
  void *output(size_t n) const { return places[numInputs + n]; }

private:
  explicit Operands(size_t numInputs) : numInputs(numInputs) {}

  size_t numInputs;
  std::vector<GuardedBuffer> buffers;
  std::vector<void *> places;
};

/// Runs host code in this process. Loads the object and verifies it on every
/// set of the reference: outputs are poisoned before, guard zones surround
/// every buffer, inputs must be unchanged after. Then times it on the last set,
/// in the cache state of the request. `operands` are those of the task, or null
/// until they are allocated.
///
/// May not return: code under test can crash, hang, or overwrite this process.
RunReply runObject(const TaskProgram &task, const Reference &reference,
                   const RunRequest &request,
                   std::unique_ptr<Operands> &operands,
                   std::optional<Fault> fault);

/// Runs a GPU kernel (`ptx` or `cubin`) in the same way, with the launch
/// described by `facts.launch`: {"grid": [x, y, z], "block": [x, y, z],
/// "cluster": [..]?, "dynamic_shared": bytes?}. Without a driver or device the
/// status is Unmeasured, with the reason from the driver.
RunReply runKernel(const TaskProgram &task, const Reference &reference,
                   const RunRequest &request);

/// Runs the kernels of `ptx` in the PTX machine (docs/design/PtxMachine.md) and
/// compares their results with the reference, without timing them. If all
/// blocks on all sets would execute more than `request.emulate` instructions of
/// warps, the same blocks of each set run, and only what they write is
/// compared; if that is still too much, on fewer sets. `emulated` in the reply
/// is the share of the blocks. The status is Unmeasured if the machine cannot
/// run the kernels, or not within that limit.
RunReply emulateKernel(const TaskProgram &task, const Reference &reference,
                       const RunRequest &request);

} // namespace pruner

#endif // PRUNER_WORKER_RUNARTIFACT_H
