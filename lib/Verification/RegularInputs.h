//===- RegularInputs.h - inputs whose sums are known ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_VERIFICATION_REGULARINPUTS_H
#define PRUNER_LIB_VERIFICATION_REGULARINPUTS_H

#include "pruner/Verification/ElementData.h"
#include "pruner/Verification/Numerics.h"

namespace pruner {

/// Integers whose mean along any dimensions is `mean`: reflecting an index
/// changes the sign of the distance from it and keeps the magnitude. In the
/// middle of an odd extent they are `mean`.
void fillBalanced(void *data, const TensorSpec &spec, int64_t most, double mean,
                  ElementStream &random);

/// A power of two that the longest sum of numbers up to `most` away from it can
/// add without rounding in f32.
double exactMean(int64_t most, const TaskNumerics &numerics);

/// Integers up to `most` that are equal along all dimensions except the first.
/// `far`: they are 2^15 or -2^15 instead, the first -2^15, so that an extremum
/// that starts from a finite number shows.
void fillEqualRows(void *data, const TensorSpec &spec, int64_t most, bool far,
                   ElementStream &random);

/// Integers up to `most`, times the power of two that brings the standard
/// deviation of the longest sum of them, or of products of two, below 1.
void fillScaled(void *data, const TensorSpec &spec, int64_t most,
                const TaskNumerics &numerics, ElementStream &random);

/// Numbers from -most to most, in order, with as many different values as the
/// type has room for.
void fillInOrder(void *data, const TensorSpec &spec, bool ascending);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_REGULARINPUTS_H
