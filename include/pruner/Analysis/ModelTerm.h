//===- ModelTerm.h - a term of the analytical model ----------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analytical model is a list of terms for CPUs and one for GPUs. A term is
// one cost of a statement, such as the cycles of the load ports: a class in a
// file of its own (lib/Analysis/CpuModel/Terms, lib/Analysis/GpuModel/Terms),
// registered once. The total, the limit of a statement, ablations, reports and
// the columns of learned models iterate over the lists.

#ifndef PRUNER_ANALYSIS_MODELTERM_H
#define PRUNER_ANALYSIS_MODELTERM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace pruner {

struct Machine;
struct StatementPsa;

class ModelTerm {
public:
  ModelTerm(llvm::StringLiteral name, unsigned version,
            llvm::StringLiteral summary)
      : name(name), version(version), summary(summary) {}
  virtual ~ModelTerm() = default;
  ModelTerm(const ModelTerm &) = delete;
  ModelTerm &operator=(const ModelTerm &) = delete;

  /// Explains the term as the limit of a statement. `share` says which part of
  /// the time it takes: "40 % of the time".
  virtual std::string explain(const StatementPsa &statement,
                              const Machine &machine,
                              const std::string &share) const {
    return share;
  }

  /// Whether learned models have columns for it. A new term gets its columns
  /// together with weights that were trained on it (kProgramTermsVersion).
  virtual bool hasColumns() const { return true; }

  /// In options, JSON and columns of learned models: "set-conflicts".
  const llvm::StringLiteral name;
  /// Raised whenever the meaning or a constant of the term changes.
  const unsigned version;
  /// In reports: "conflict misses between operands".
  const llvm::StringLiteral summary;
};

/// The terms of each model, in the order of `StatementPsa::termSeconds`.
llvm::ArrayRef<const ModelTerm *> cpuTerms();
llvm::ArrayRef<const ModelTerm *> gpuTerms();

/// The term of a list with that name, or null.
const ModelTerm *findTerm(llvm::ArrayRef<const ModelTerm *> terms,
                          llvm::StringRef name);

} // namespace pruner

#endif // PRUNER_ANALYSIS_MODELTERM_H
