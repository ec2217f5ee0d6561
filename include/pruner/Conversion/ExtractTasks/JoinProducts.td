//===- JoinProducts.td - the option join-products ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_EXTRACTTASKS_JOINPRODUCTS
#define PRUNER_CONVERSION_EXTRACTTASKS_JOINPRODUCTS

include "mlir/Pass/PassBase.td"

class JoinProductsOption<string value, string note>
    : Option<"joinProducts", "join-products", "::pruner::JoinProducts",
             "::pruner::JoinProducts::" # value,
             "Whether two products and the rows between them (attention, the "
             "products of an MLP) become one task, if the intermediate results "
             "have no other reader" # note,
             [{::llvm::cl::values(
               clEnumValN(::pruner::JoinProducts::Never, "never",
                          "separate tasks"),
               clEnumValN(::pruner::JoinProducts::Always, "always",
                          "one task"),
               clEnumValN(::pruner::JoinProducts::Measure, "measure",
                          "both, and measurements decide"),
               clEnumValN(::pruner::JoinProducts::Large, "large",
                          "as measure, for attention whose scores do not fit "
                          "into the second-level cache; never otherwise"))}]>;

#endif // PRUNER_CONVERSION_EXTRACTTASKS_JOINPRODUCTS
