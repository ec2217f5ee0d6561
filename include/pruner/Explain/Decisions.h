//===- Decisions.h - explain the choices between forms ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_EXPLAIN_DECISIONS_H
#define PRUNER_EXPLAIN_DECISIONS_H

#include "pruner/Explain/Subject.h"
#include "pruner/ModuleTasks/Forms.h"

namespace pruner {

/// The times of the forms of all parts of `module`, by the records of the tasks
/// in `subjects`. Where no form is chosen, chooses the one that
/// `pruner-apply-best` would choose.
std::vector<FormTimes> explainDecisions(mlir::ModuleOp module,
                                        llvm::ArrayRef<Subject> subjects);

/// {"part": "loc(...)", "chosen": "joined", "forms": [{"name": "joined",
/// "seconds": 1.2e-3}, ...]}, with "in_network": true if the tasks were timed
/// there.
llvm::json::Object toJson(FormTimes times);

} // namespace pruner

#endif // PRUNER_EXPLAIN_DECISIONS_H
