//===- ScheduleText.h - what the text of a schedule selects -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_PROGRAM_SCHEDULETEXT_H
#define PRUNER_PROGRAM_SCHEDULETEXT_H

#include "llvm/ADT/StringRef.h"

namespace pruner {

/// The schedule of the untuned default: plain loops by LLVM -O3.
inline constexpr llvm::StringLiteral kDefaultSchedule = "default";

/// Plain loops in the order of the reference.
inline constexpr llvm::StringLiteral kPlainSchedule = "plain";

/// Returns true for text that starts like a schedule attribute.
inline bool isScheduleText(llvm::StringRef text) {
  return text.starts_with("#pruner.schedule<");
}

} // namespace pruner

#endif // PRUNER_PROGRAM_SCHEDULETEXT_H
