//===- ReuseDistanceTest.cpp - reuse distances in a network ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

TEST(CacheState, RoundsToTwoNumbersAnOctave) {
  constexpr int64_t K = 1 << 10, M = 1 << 20;
  EXPECT_EQ(CacheState::of({}).str(), "");
  EXPECT_TRUE(CacheState::of({{0, 0}, {0, 32 * K - 1}}).isWarm());
  EXPECT_EQ(CacheState::of({{0, 0},
                            {32 * K, 40 * K},
                            {3 * M, 0},
                            {100 * M, 100 * M},
                            {int64_t(1) << 50, M}})
                .str(),
            "0 32K-48K 3M-0 96M 1024M-1M");
}

TEST(CacheState, RoundTrips) {
  for (StringRef text :
       {"", "32K 0", "0 0 512K-0 1M", "1024M", "0-32K", "1536K 3M"}) {
    std::optional<CacheState> state = CacheState::parse(text);
    ASSERT_TRUE(state) << text.str();
    EXPECT_EQ(state->str(), text);
  }
  // Invalid texts.
  for (StringRef text : {"0", "0 0", "16K", "33K", "1024K", "1600K", "2048M",
                         "1M  0", " 1M", "1M ", "-1M", "1M-1M", "1M-", "1M-0-0",
                         "1G", "x", "1m", "99999999999999999999M"})
    EXPECT_FALSE(CacheState::parse(text)) << text.str();
}

namespace {
struct NetworkCaches : testing::Test {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;

  NetworkCaches() {
    context.loadDialect<PrunerDialect, func::FuncDialect, arith::ArithDialect,
                        linalg::LinalgDialect, tensor::TensorDialect>();
  }

  /// The cache states by task name. `main` comes in a module with tasks @one,
  /// @two and @add of 1 MiB tensors.
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

TEST_F(NetworkCaches, OneKernelAloneIsWarm) {
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

// x -one-> a -two(w)-> b -add(a)-> y: five tensors of 1 MiB, with the accesses
// between two uses.
TEST_F(NetworkCaches, AChainWithAResidual) {
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
            // x: then a, w, b, y. a: `add` read the begin before the rest of b,
            // a and y, and the end just now.
            (States{{"one", "4M 3M-0"},
                    // a: written together with x. w: b, a, y, x. b: read by
                    // `add`, followed by x and a.
                    {"two", "2M-0 4M 4M-2M"},
                    // b and a: accessed together with w. y: everything else.
                    {"add", "3M-0 3M-0 4M"}}));
}

TEST_F(NetworkCaches, DeadBuffersAreReused) {
  // c replaces a, which the previous task read last.
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
            "2M-0 4M 2M-0");
}

TEST_F(NetworkCaches, ViewsAndSlicesShareTheirSource) {
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
            // a: written together with s. t and y: followed by s and a.
            (States{{"one", "3M 3M-0"}, {"add", "2M-0 2M 2M"}}));
}

// Values that depend only on constants are precomputed. They have no accesses,
// and their results are constants.
TEST_F(NetworkCaches, ConstantValuesArePrecomputed) {
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

TEST_F(NetworkCaches, SeveralCallsUseTheMedian) {
  std::string text = R"mlir(
    func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
      %0 = call @one(%x) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  )mlir";
  for (int n = 0; n < 8; ++n)
    text += "%" + std::to_string(n + 1) + " = call @one(%" + std::to_string(n) +
            ") : (tensor<512x512xf32>) -> tensor<512x512xf32>\n";
  text += "return %8 : tensor<512x512xf32> }";
  EXPECT_EQ(states(text)["one"].substr(0, 5), "2M-0 ");
}

// The states do not depend on the choice: the first forms decide, then the
// second ones for the tasks that only they call.
TEST_F(NetworkCaches, FormsOfAPart) {
  for (const char *chosen : {"", "chosen \"b\""}) {
    auto with = [&](const std::string &forms) {
      return states(R"mlir(
        func.func @main(%x: tensor<512x512xf32>, %w: tensor<512x512xf32>) -> tensor<512x512xf32> {
          %a = call @one(%x) : (tensor<512x512xf32>) -> tensor<512x512xf32>
          )mlir" + forms +
                    R"mlir(
          %d = call @one(%b) : (tensor<512x512xf32>) -> tensor<512x512xf32>
          return %d : tensor<512x512xf32>
        }
      )mlir");
    };
    const std::string call =
        "(%a, %w) : (tensor<512x512xf32>, tensor<512x512xf32>) -> "
        "tensor<512x512xf32>\n";
    auto first = with("%b = call @two" + call);
    auto second = with("%b = call @add" + call);
    auto both = with("%b = pruner.alternatives " + std::string(chosen) +
                     R"mlir( -> tensor<512x512xf32>
            form "a" {
              %c = func.call @two)mlir" +
                     call + R"mlir(
              pruner.results %c : tensor<512x512xf32>
            }
            form "b" {
              %c = func.call @add)mlir" +
                     call + R"mlir(
              pruner.results %c : tensor<512x512xf32>
            })mlir");
    EXPECT_EQ(both["one"], first["one"]);
    EXPECT_EQ(both["two"], first["two"]);
    EXPECT_EQ(both["add"], second["add"]);
    EXPECT_EQ(both.size(), 3u);
  }
}

// No network can contain the first tensor, whose size exceeds 64 bits. The
// second takes half a TiB, which is traced in larger pages.
TEST_F(NetworkCaches, HugeTensors) {
  auto network = [&](const std::string &type) {
    return states("func.func private @big(%x: " + type + ") -> " + type +
                  R"mlir( attributes {pruner.task = {key = "4"}} {
        return %x : )mlir" +
                  type + "\n}\nfunc.func @main(%x: " + type + ") -> " + type +
                  "{\n%0 = call @big(%x) : (" + type + ") -> " + type +
                  "\n%1 = call @big(%0) : (" + type + ") -> " + type +
                  "\nreturn %1 : " + type + "\n}\n");
  };
  EXPECT_EQ(network("tensor<9223372036854775807x96xf32>"), States());
  EXPECT_EQ(network("tensor<131072x1048576xf32>"),
            (States{{"big", "1024M-0 1024M-0"}}));
}
