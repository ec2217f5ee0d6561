//===- SpecialInputs.h - rows of NaN, infinities and extremes ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_VERIFICATION_SPECIALINPUTS_H
#define PRUNER_LIB_VERIFICATION_SPECIALINPUTS_H

#include "ArgumentBoxes.h"
#include "pruner/Verification/ElementData.h"

namespace pruner {

/// The number of kinds of special boxes.
inline constexpr int64_t numSpecialBoxes = 16;

/// Makes some boxes of a float tensor special: all -inf, like rows of a mask;
/// all but one; all +inf or NaN; a NaN at the first, the last, a middle or
/// several positions; an infinity somewhere, also among numbers whose sums
/// overflow; zeros of both signs; the lowest number; numbers whose sums
/// overflow; tiny numbers. Of few boxes, half are special; a single box is
/// special; tensors with many boxes have each kind twice or more often.
/// `repetition` counts sets of inputs; each continues where the previous one
/// ended. Boxes of one element hold one special number. `minor`: another
/// argument has more elements, so that special elements of this one affect many
/// results; they are then few.
void placeSpecials(void *data, const TensorSpec &spec,
                   const ArgumentBoxes &boxes, int64_t repetition, bool minor,
                   bool adds, ElementStream &random);

/// Small integers, and in each box one element far above all others and one far
/// below. An extremum must include these; they are so far off that a softmax
/// overflows if it subtracts the next one. In the first box the last element is
/// the largest, then the first, the middle, the ends of tiles, and each
/// position in turn. The position of the smallest element is that of the
/// largest one in the next box.
void fillDominant(void *data, const TensorSpec &spec,
                  const ArgumentBoxes &boxes, int64_t repetition,
                  ElementStream &random);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_SPECIALINPUTS_H
