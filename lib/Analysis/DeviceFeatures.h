//===- DeviceFeatures.h - device features of latency models -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_ANALYSIS_DEVICEFEATURES_H
#define PRUNER_LIB_ANALYSIS_DEVICEFEATURES_H

#include "pruner/CostModel/Features.h"
#include "pruner/Machine/Machine.h"

#include <vector>

namespace pruner {

/// The features of a machine for latency models (CDMPP, section 4.3):
/// kDeviceFeatureSize numbers between 0 and about 1, in the order
///
///   GPU or not, clock, f32 rate, bandwidth of the main memory, units, lanes
///   of a unit, bytes of L1, of L2, of L3, of shared memory of a unit, of the
///   main memory, and of a vector.
///
/// Sizes and rates are log2(1 + x / unit), divided by the same for a value
/// larger than any known one. They do not depend on other machines. A missing
/// property is 0. Rate and units of a CPU are those of \p threads cores (0:
/// all); its bandwidth is that of one core, as in the description.
std::vector<float> deviceFeatures(const Machine &machine, int64_t threads = 0);

} // namespace pruner

#endif // PRUNER_LIB_ANALYSIS_DEVICEFEATURES_H
