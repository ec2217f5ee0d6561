//===- MutantsOf.h - mutants of a module given as text ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_UNIT_MEASURE_MUTATION_MUTANTSOF_H
#define PRUNER_TEST_UNIT_MEASURE_MUTATION_MUTANTSOF_H

#include "Fuzzing/Mutation/Mutation.h"
#include "pruner/Builder/Candidate.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <string>
#include <utility>
#include <vector>

namespace pruner {

/// The mutations of a module given as text.
class MutantsOf {
public:
  explicit MutantsOf(std::string text) : text(std::move(text)) {
    mlir::DialectRegistry registry;
    registerBuilderDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  std::string original() { return print(*parse()); }

  /// Kind and description of every mutation, in order.
  std::vector<std::pair<MutationKind, std::string>> list() {
    auto module = parse();
    MutationList mutations(*module);
    std::vector<std::pair<MutationKind, std::string>> found;
    for (size_t n = 0; n < mutations.size(); ++n)
      found.emplace_back(mutations[n].kind, mutations[n].what);
    return found;
  }

  /// The module after mutation `n` of those of `kind`, or the error.
  std::string mutant(MutationKind kind, size_t n = 0) {
    auto module = parse();
    MutationList mutations(*module);
    for (size_t i = 0; i < mutations.size(); ++i)
      if (mutations[i].kind == kind && n-- == 0) {
        if (llvm::Error error = mutations.apply(i))
          return "error: " + toString(std::move(error));
        return print(*module);
      }
    return "no such mutation";
  }

  size_t count(MutationKind kind) {
    size_t found = 0;
    for (const auto &[other, what] : list())
      found += kind == other;
    return found;
  }

private:
  mlir::OwningOpRef<mlir::ModuleOp> parse() {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return module;
  }
  static std::string print(mlir::ModuleOp module) {
    std::string printed;
    llvm::raw_string_ostream(printed) << module;
    return printed;
  }

  std::string text;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

/// Whether `text` contains the lines of `expected` consecutively, with any
/// indentation.
inline testing::AssertionResult holds(llvm::StringRef text,
                                      llvm::StringRef expected) {
  llvm::SmallVector<llvm::StringRef> lines;
  expected.split(lines, '\n', -1, /*KeepEmpty=*/false);
  std::string joined;
  llvm::SmallVector<llvm::StringRef> have;
  text.split(have, '\n');
  for (llvm::StringRef line : have)
    joined += line.trim().str() + "\n";
  std::string want;
  for (llvm::StringRef line : lines)
    want += line.trim().str() + "\n";
  if (llvm::StringRef(joined).contains(want))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no\n" << want << "in\n" << joined;
}

} // namespace pruner

#endif // PRUNER_TEST_UNIT_MEASURE_MUTATION_MUTANTSOF_H
