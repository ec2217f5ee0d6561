//===- RunArtifact.h - verify and time one artifact -------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_WORKER_RUNARTIFACT_H
#define PRUNER_WORKER_RUNARTIFACT_H

#include "pruner/Measure/FaultInjection.h"
#include "pruner/Measure/Protocol.h"
#include "pruner/Verification/Reference.h"

namespace pruner {

/// Runs host code in this process: loads the object, verifies it on every set
/// of the reference (outputs poisoned before, guard zones around every buffer,
/// inputs unchanged after), then times it on the last set, in the state of the
/// caches that the request asks for.
///
/// May not return: code under test crashes, hangs, or overwrites this process.
RunReply runObject(const TaskProgram &task, const Reference &reference,
                   const RunRequest &request, std::optional<Fault> fault);

/// The same for a GPU kernel (`ptx` or `cubin`), with the launch described by
/// `facts.launch`: {"grid": [x, y, z], "block": [x, y, z], "cluster": [..]?,
/// "dynamic_shared": bytes?}. Without a driver or device the status is
/// Unmeasured and the reason the driver's.
RunReply runKernel(const TaskProgram &task, const Reference &reference,
                   const RunRequest &request);

} // namespace pruner

#endif // PRUNER_WORKER_RUNARTIFACT_H
