//===- RunNetwork.h - time whole networks -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_WORKER_RUNNETWORK_H
#define PRUNER_LIB_WORKER_RUNNETWORK_H

#include "pruner/Measure/NetworkProtocol.h"

namespace pruner {

/// Loads the libraries of the request into this process and times them
/// interleaved, with the calls that they make. Weights and inputs are random
/// and the same for all. Reals of rank 2 and above are normal with variance 1 /
/// (elements of a row), others uniform in 0.5 to 1.5. Integers are 0 or 1,
/// which is valid for token ids, masks and types.
///
/// May not return, like runObject.
NetworkReply runNetworks(const NetworkRequest &request);

} // namespace pruner

#endif // PRUNER_LIB_WORKER_RUNNETWORK_H
