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
             "::pruner::joinProductsValues()">;

#endif // PRUNER_CONVERSION_EXTRACTTASKS_JOINPRODUCTS
