//===- Strategies.h - the strategies by name --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_SEARCH_STRATEGIES_H
#define PRUNER_LIB_SEARCH_STRATEGIES_H

#include "pruner/Search/Search.h"

namespace pruner::detail {

/// Purposes of the random numbers of a round.
enum Purpose : unsigned { Sampling, Drafting, Verifying, Picking, Sharing };

/// "draft-verify" if `drafting`, otherwise "learned-all".
std::unique_ptr<SearchStrategy>
createLearnedSearch(const ScheduleSpace &space, CostModel *model,
                    const SearchOptions &options, bool drafting);
std::unique_ptr<SearchStrategy> createDraftOnly(const ScheduleSpace &space,
                                                const SearchOptions &options);
std::unique_ptr<SearchStrategy>
createRandomSearch(const ScheduleSpace &space, const SearchOptions &options);
std::unique_ptr<SearchStrategy> createExhaustive(const ScheduleSpace &space,
                                                 const SearchOptions &options);
std::unique_ptr<SearchStrategy> createSurvey(const ScheduleSpace &space,
                                             const SearchOptions &options);

} // namespace pruner::detail

#endif // PRUNER_LIB_SEARCH_STRATEGIES_H
