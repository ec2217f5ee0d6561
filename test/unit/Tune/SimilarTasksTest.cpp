//===- SimilarTasksTest.cpp - distances of tasks --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimilarTasks.h"

#include "RecordFixtures.h"

using namespace llvm;
using namespace pruner;
using namespace pruner::test;

namespace {

/// One task for each function.
struct SimilarTasksTest : ProductsFixture {
  static std::string product(StringRef name, StringRef m, StringRef n,
                             StringRef k, StringRef type = "f32") {
    auto tensor = [&](StringRef rows, StringRef columns) {
      return ("tensor<" + rows + "x" + columns + "x" + type + ">").str();
    };
    std::string a = tensor(m, k), b = tensor(k, n), c = tensor(m, n);
    return ("func.func @" + name + "(%a: " + a + ", %b: " + b + ", %i: " + c +
            ") -> " + c + " { %0 = linalg.matmul ins(%a, %b : " + a + ", " + b +
            ") outs(%i : " + c + ") -> " + c + " return %0 : " + c + " }\n")
        .str();
  }
  const TaskDesc &named(StringRef part) {
    for (const ModuleTask &task : tasks)
      if (StringRef(task.desc.name).contains(part))
        return task.desc;
    ADD_FAILURE() << part.str();
    return tasks.front().desc;
  }
};

TEST_F(SimilarTasksTest, DistancesAreFactorsOfTwo) {
  load(product("twice", "64", "64", "48") + product("half", "16", "32", "48") +
       product("other", "32", "64", "48", "f64"));
  const TaskDesc &product = named("32x64x48");
  EXPECT_EQ(distanceBetween(product, product), 0);
  EXPECT_EQ(distanceBetween(product, named("64x64x48")), 1);
  EXPECT_EQ(distanceBetween(named("64x64x48"), product), 1);
  EXPECT_EQ(distanceBetween(product, named("16x32x48")), 2);
  TaskDesc map = product;
  map.statements[map.anchor].dims[2].reduction = false;
  EXPECT_EQ(distanceBetween(product, map), std::nullopt);
  TaskDesc known = product;
  known.tensors[known.anchorStatement().inputs[1].tensor].constant = true;
  EXPECT_EQ(distanceBetween(product, known), 1);
  TaskDesc wide = product;
  for (TensorDesc &tensor : wide.tensors)
    tensor.type = ElementType::F64;
  EXPECT_EQ(distanceBetween(product, wide), std::nullopt);
}

} // namespace
