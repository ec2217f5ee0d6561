//===- SpecialInputs.h - rows of NaN, infinities and extremes ---*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_VERIFICATION_SPECIALINPUTS_H
#define PRUNER_LIB_VERIFICATION_SPECIALINPUTS_H

#include "ArgumentBoxes.h"
#include "pruner/Verification/ElementData.h"

namespace pruner {

/// How many kinds of special boxes there are.
inline constexpr int64_t numSpecialBoxes = 14;

/// Makes some boxes of a float tensor special: all -inf, as rows of a mask are,
/// all but one, all +inf or NaN, a NaN at the first, the last or a middle place
/// or at several, an infinity somewhere, zeros of both signs, the lowest
/// number, tiny ones. Tensors of few boxes have half of them special, one box
/// is special itself; others have each kind twice or more often. `repetition`
/// counts sets of inputs: each goes on where the last one ended. Boxes of one
/// element hold one special number. `minor`: another argument has more
/// elements; special elements of this one spoil many results, and are few.
void placeSpecials(void *data, const TensorSpec &spec,
                   const ArgumentBoxes &boxes, int64_t repetition, bool minor,
                   bool adds, ElementStream &random);

/// Small integers, and in each box one element far above all others and one far
/// below: what an extremum must not leave out, so far off that a softmax that
/// subtracts the next one overflows. In the first box the last element is
/// above, then the first, the middle, the ends of tiles, and each one in turn;
/// below is what is above in the next box.
void fillDominant(void *data, const TensorSpec &spec,
                  const ArgumentBoxes &boxes, int64_t repetition,
                  ElementStream &random);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_SPECIALINPUTS_H
