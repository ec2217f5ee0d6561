//===- ReuseDistanceTest.cpp - how far operands are away in a network -----===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Analysis/ReuseDistance.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <map>

using namespace mlir;
using namespace pruner;

TEST(CacheState, RoundsToPowersOfTwo) {
  constexpr int64_t K = 1 << 10, M = 1 << 20;
  EXPECT_EQ(CacheState::of({}).str(), "");
  EXPECT_TRUE(CacheState::of({0, 32 * K - 1}).isWarm());
  EXPECT_EQ(CacheState::of({0, 32 * K, 3 * M, 100 * M, int64_t(1) << 50}).str(),
            "0 32K 4M 128M 1024M");
}

TEST(CacheState, ReadsBackWhatItWrote) {
  for (StringRef text : {"", "32K 0", "0 0 512K 1M", "1024M"}) {
    std::optional<CacheState> state = CacheState::parse(text);
    ASSERT_TRUE(state) << text.str();
    EXPECT_EQ(state->str(), text);
  }
  // None of these is written.
  for (StringRef text :
       {"0", "0 0", "16K", "33K", "1024K", "2048M", "1M  0", " 1M", "1M ",
        "-1M", "1G", "x", "1m", "99999999999999999999M"})
    EXPECT_FALSE(CacheState::parse(text)) << text.str();
}

namespace {
struct ReuseDistance : testing::Test {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;

  ReuseDistance() {
    context.loadDialect<PrunerDialect, func::FuncDialect, arith::ArithDialect,
                        linalg::LinalgDialect, tensor::TensorDialect>();
  }

  /// The states by the names of the tasks. `main` comes in a module with tasks
  /// @one, @two and @add of 1 MiB tensors.
  std::map<std::string, std::string> states(const std::string &main) {
    std::string text = R"mlir(
      func.func private @one(%x: tensor<512x512xf32>) -> tensor<512x512xf32>
          attributes {pruner.task = {key = "1"}} {
        return %x : tensor<512x512xf32>
      }
      func.func private @two(%x: tensor<512x512xf32>, %w: tensor<512x512xf32>)
          -> tensor<512x512xf32> attributes {pruner.task = {key = "2"}} {
        return %x : tensor<512x512xf32>
      }
      func.func private @add(%x: tensor<512x512xf32>, %y: tensor<512x512xf32>)
          -> tensor<512x512xf32> attributes {pruner.task = {key = "3"}} {
        return %x : tensor<512x512xf32>
      }
    )mlir" + main;
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context, false));
    EXPECT_TRUE(module);
    std::map<std::string, std::string> found;
    for (auto &[function, state] : reuseDistances(*module))
      found[cast<func::FuncOp>(function).getName().str()] = state.str();
    return found;
  }
};
using States = std::map<std::string, std::string>;
} // namespace

TEST_F(ReuseDistance, OneKernelAloneIsWarm) {
  EXPECT_EQ(states(R"mlir(
    func.func @main(%x: tensor<512x512xf32>, %w: tensor<512x512xf32>)
        -> tensor<512x512xf32> {
      %0 = call @two(%x, %w) : (tensor<512x512xf32>, tensor<512x512xf32>)
             -> tensor<512x512xf32>
      return %0 : tensor<512x512xf32>
    })mlir"),
            (States{{"two", ""}}));
  EXPECT_EQ(states(""), States());
}

// x -one-> a -two(w)-> b -add(a)-> y: five tensors of 1 MiB, and those that are
// touched between two uses.
TEST_F(ReuseDistance, AChainWithAResidual) {
  EXPECT_EQ(states(R"mlir(
    func.func @main(%x: tensor<512x512xf32>, %w: tensor<512x512xf32>)
        -> tensor<512x512xf32> {
      %a = call @one(%x) : (tensor<512x512xf32>) -> tensor<512x512xf32>
      %b = call @two(%a, %w) : (tensor<512x512xf32>, tensor<512x512xf32>)
             -> tensor<512x512xf32>
      %y = call @add(%b, %a) : (tensor<512x512xf32>, tensor<512x512xf32>)
             -> tensor<512x512xf32>
      return %y : tensor<512x512xf32>
    })mlir"),
            // x: a, w, b, y since. a: y, since `add` read it a pass ago.
            (States{{"one", "4M 1M"},
                    // a: just written. w: b, a, y, x. b: a, y, x.
                    {"two", "0 4M 4M"},
                    // b: just written. a: w, b. y: everything else.
                    {"add", "0 2M 4M"}}));
}

TEST_F(ReuseDistance, DeadBuffersAreUsedAgain) {
  // c takes the place of a, which was read last by the task before.
  EXPECT_EQ(states(R"mlir(
    func.func @main(%x: tensor<512x512xf32>, %w: tensor<512x512xf32>)
        -> tensor<512x512xf32> {
      %a = call @one(%x) : (tensor<512x512xf32>) -> tensor<512x512xf32>
      %b = call @one(%a) : (tensor<512x512xf32>) -> tensor<512x512xf32>
      %c = call @two(%b, %w) : (tensor<512x512xf32>, tensor<512x512xf32>)
             -> tensor<512x512xf32>
      %y = call @one(%c) : (tensor<512x512xf32>) -> tensor<512x512xf32>
      return %y : tensor<512x512xf32>
    })mlir")["two"],
            "0 4M 1M");
}

TEST_F(ReuseDistance, ViewsAndSlicesLieInTheirSource) {
  EXPECT_EQ(states(R"mlir(
    func.func @main(%x: tensor<1024x512xf32>, %w: tensor<512x512xf32>)
        -> tensor<512x512xf32> {
      %s = tensor.extract_slice %x[0, 0] [512, 512] [1, 1]
             : tensor<1024x512xf32> to tensor<512x512xf32>
      %t = tensor.extract_slice %x[512, 0] [512, 512] [1, 1]
             : tensor<1024x512xf32> to tensor<512x512xf32>
      %a = call @one(%s) : (tensor<512x512xf32>) -> tensor<512x512xf32>
      %f = tensor.collapse_shape %a [[0, 1]]
             : tensor<512x512xf32> into tensor<262144xf32>
      %g = tensor.expand_shape %f [[0, 1]] output_shape [512, 512]
             : tensor<262144xf32> into tensor<512x512xf32>
      %y = call @add(%g, %t) : (tensor<512x512xf32>, tensor<512x512xf32>)
             -> tensor<512x512xf32>
      return %y : tensor<512x512xf32>
    })mlir"),
            // a: just written. t and y: s and a since.
            (States{{"one", "4M 2M"}, {"add", "0 2M 2M"}}));
}

// What follows from constants alone is computed ahead: it takes no part, and
// what comes of it is another constant.
TEST_F(ReuseDistance, WhatConstantsDecideIsComputedAhead) {
  EXPECT_EQ(states(R"mlir(
    func.func @main(%x: tensor<512x512xf32>,
                    %w: tensor<512x512xf32> {pruner.constant})
        -> tensor<512x512xf32> {
      %p = call @one(%w) : (tensor<512x512xf32>) -> tensor<512x512xf32>
      %y = call @two(%x, %p) : (tensor<512x512xf32>, tensor<512x512xf32>)
             -> tensor<512x512xf32>
      return %y : tensor<512x512xf32>
    })mlir"),
            (States{{"two", ""}}));
}

TEST_F(ReuseDistance, SeveralCallsHaveTheirMedian) {
  std::string text = R"mlir(
    func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
      %0 = call @one(%x) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  )mlir";
  for (int n = 0; n < 8; ++n)
    text += "%" + std::to_string(n + 1) + " = call @one(%" + std::to_string(n) +
            ") : (tensor<512x512xf32>) -> tensor<512x512xf32>\n";
  text += "return %8 : tensor<512x512xf32> }";
  EXPECT_EQ(states(text)["one"].substr(0, 2), "0 ");
}
