//===- Decisions.cpp - explain the choices between forms ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Explain/Decisions.h"

#include "pruner/Record/Choice.h"

#include "llvm/Support/JSON.h"

#include <cmath>

using namespace pruner;

std::vector<FormTimes>
pruner::explainDecisions(mlir::ModuleOp module,
                         llvm::ArrayRef<Subject> subjects) {
  std::vector<ModuleTask> tasks;
  std::vector<CallTimes> times;
  for (const Subject &subject : subjects) {
    tasks.push_back(subject.task);
    times.push_back(callTimes(subject.records));
  }
  chooseForms(module, tasks, times);
  return timeForms(module, tasks, times);
}

llvm::json::Object pruner::toJson(FormTimes times) {
  llvm::json::Array forms;
  for (auto [name, seconds] :
       llvm::zip_equal(times.op.getNames(), times.seconds)) {
    llvm::json::Object form{{"name", mlir::cast<mlir::StringAttr>(name).str()}};
    if (std::isfinite(seconds))
      form["seconds"] = seconds;
    forms.push_back(std::move(form));
  }
  std::string place;
  llvm::raw_string_ostream(place) << times.op.getLoc();
  llvm::json::Object part{{"part", std::move(place)},
                          {"forms", std::move(forms)}};
  if (times.inNetwork)
    part["in_network"] = true;
  if (times.op.getChosenAttr())
    part["chosen"] = times.op.getChosen()->str();
  return part;
}
