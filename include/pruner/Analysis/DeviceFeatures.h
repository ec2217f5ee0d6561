//===- DeviceFeatures.h - a machine as a row of numbers ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_ANALYSIS_DEVICEFEATURES_H
#define PRUNER_ANALYSIS_DEVICEFEATURES_H

#include "pruner/CostModel/Features.h"
#include "pruner/Machine/Machine.h"

#include <vector>

namespace pruner {

/// What models of latency see of a machine (CDMPP, section 4.3):
/// kDeviceFeatureSize numbers between 0 and about 1, in the order
///
///   GPU or not, clock, f32 rate, bandwidth of the main memory, units, lanes
///   of a unit, bytes of L1, of L2, of L3, of shared memory of a unit, of the
///   main memory, and of a vector.
///
/// Sizes and rates are log2(1 + x / unit) over the same of a value beyond what
/// there is, so that they depend on no other machine; what a machine does not
/// have is 0. Rate and units of a CPU are those of \p threads cores, 0: of all;
/// its bandwidth is what the description says, one core's.
std::vector<float> deviceFeatures(const Machine &machine, int64_t threads = 0);

} // namespace pruner

#endif // PRUNER_ANALYSIS_DEVICEFEATURES_H
