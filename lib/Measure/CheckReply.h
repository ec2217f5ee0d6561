//===- CheckReply.h - checks of replies -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A well-formed reply may still be implausible: a negative time, a verified
// failure, a status that only the tuner assigns. These checks make every reply
// fit to be stored; an implausible reply becomes a failure of its candidate.

#ifndef PRUNER_LIB_MEASURE_CHECKREPLY_H
#define PRUNER_LIB_MEASURE_CHECKREPLY_H

#include "pruner/Measure/WorkerPool.h"

namespace pruner {

/// Whether a worker may report `status` itself
/// (docs/reference/WorkerProtocol.md).
bool mayReport(MeasureStatus status, bool building);

/// The beginning of `text`, without control characters.
std::string plainReason(llvm::StringRef text);

void checkReply(BuildReply &reply);
void checkReply(RunReply &reply, const MeasureJob &job);

} // namespace pruner

#endif // PRUNER_LIB_MEASURE_CHECKREPLY_H
