//===- JoinProducts.h - whether two products become one task ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_EXTRACTTASKS_JOINPRODUCTS_H
#define PRUNER_CONVERSION_EXTRACTTASKS_JOINPRODUCTS_H

namespace llvm::cl {
class ValuesClass;
} // namespace llvm::cl

namespace pruner {

/// Whether two products and the rows between them become one task.
enum class JoinProducts {
  Never,
  Always,
  /// Both forms are in `pruner.alternatives`, and measurements decide.
  Measure,
  /// As Measure for attention whose scores do not fit into the second-level
  /// cache; as Never for others.
  Large,
};

/// The values of the option join-products.
llvm::cl::ValuesClass joinProductsValues();

} // namespace pruner

#endif // PRUNER_CONVERSION_EXTRACTTASKS_JOINPRODUCTS_H
