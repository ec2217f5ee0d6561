//===- RunNetwork.h - whole networks, timed ---------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_WORKER_RUNNETWORK_H
#define PRUNER_WORKER_RUNNETWORK_H

#include "pruner/Measure/NetworkProtocol.h"

namespace pruner {

/// Loads the libraries of the request into this process and times them in
/// turns, with the calls that they make. Weights and inputs are random and the
/// same for all: reals of rank 2 and above are normal with variance 1 /
/// (elements of a row), others uniform in 0.5 to 1.5; integers are 0 or 1,
/// which are token ids, masks and types alike.
///
/// May not return, like runObject.
NetworkReply runNetworks(const NetworkRequest &request);

} // namespace pruner

#endif // PRUNER_WORKER_RUNNETWORK_H
