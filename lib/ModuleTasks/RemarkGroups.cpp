//===- RemarkGroups.cpp - group remarks of the same kind ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/ModuleTasks/RemarkGroups.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace pruner;

/// The number of locations shown after the first.
static constexpr size_t kPlaces = 3;

/// Replaces every number by '#' and every quoted name by '?'.
static std::string kindOf(llvm::StringRef text) {
  std::string kind;
  while (!text.empty()) {
    size_t quoted = text.front() == '\'' ? text.find('\'', 1) : text.npos;
    if (quoted != text.npos) {
      kind += '?';
      text = text.drop_front(quoted + 1);
    } else if (llvm::isDigit(text.front())) {
      kind += '#';
      text = text.drop_while(llvm::isDigit);
    } else {
      kind += text.front();
      text = text.drop_front();
    }
  }
  return kind;
}

void RemarkGroups::add(Location location, std::string text) {
  // With `verbose`, each remark is its own group.
  std::string kind = verbose ? "" : kindOf(text);
  auto group = llvm::find_if(
      groups, [&](const Group &g) { return !verbose && g.kind == kind; });
  if (group == groups.end())
    group = groups.insert(groups.end(), {kind, {}});
  group->remarks.push_back({location, std::move(text)});
}

void RemarkGroups::emit() {
  for (const Group &group : groups) {
    const Remark &first = group.remarks.front();
    size_t others = group.remarks.size() - 1;
    InFlightDiagnostic remark = emitRemark(first.location) << first.text;
    if (others > 0)
      remark << " (and " << others << " more of this kind"
             << (others > kPlaces ? "; option 'verbose-remarks' lists all)"
                                  : ")");
    for (const Remark &other :
         llvm::ArrayRef(group.remarks).drop_front().take_front(kPlaces))
      remark.attachNote(other.location) << other.text;
  }
  groups.clear();
}

RemarkCollector::RemarkCollector(MLIRContext *context, bool verbose)
    : groups(verbose) {
  handler.emplace(context, [this](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Remark ||
        !diagnostic.getNotes().empty())
      return failure();
    groups.add(diagnostic.getLocation(), diagnostic.str());
    return success();
  });
}

RemarkCollector::~RemarkCollector() {
  handler.reset(); // Let the emitted remarks through.
  groups.emit();
}
