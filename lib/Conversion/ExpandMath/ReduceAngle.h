//===- ReduceAngle.h - angles modulo a quarter turn -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_EXPANDMATH_REDUCEANGLE_H
#define PRUNER_LIB_CONVERSION_EXPANDMATH_REDUCEANGLE_H

#include "Arithmetic.h"

namespace pruner::math_expansion {

/// x = quadrant pi/2 + angle - excess. |angle| is at most slightly above pi/4,
/// `excess` is below half a unit in the last place of `angle`, and only the
/// last two bits of `quadrant` have a meaning. All are NaN for infinities and
/// NaN. A zero keeps its sign and has the excess +0.
struct Angle {
  Value angle, excess, quadrant;
};

/// Reduces any f32 values. The full reduction of large values is in a branch
/// that is taken if a lane is beyond 2^17. Vectors must have one dimension.
Angle reduceAngle(const Arithmetic &arith, Value x);

} // namespace pruner::math_expansion

#endif // PRUNER_LIB_CONVERSION_EXPANDMATH_REDUCEANGLE_H
