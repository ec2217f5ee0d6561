//===- LiteralTest.cpp - control flow and data movement -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Interpreter/Interpreter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace pruner;

namespace {

class Literally : public ::testing::Test {
protected:
  Literally() {
    context
        .loadDialect<mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                     mlir::tensor::TensorDialect, mlir::scf::SCFDialect,
                     mlir::cf::ControlFlowDialect, mlir::arith::ArithDialect>();
  }

  /// The first result of the first function, as numbers; an error is stored in
  /// `problem`.
  std::vector<int64_t> run(const char *text,
                           std::vector<RangeTensorRef> arguments) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    problem = "does not parse";
    if (!module)
      return {};
    auto results = Interpreter().run(
        *module->getOps<mlir::func::FuncOp>().begin(), arguments);
    if (!results) {
      problem = llvm::toString(results.takeError());
      return {};
    }
    problem.clear();
    std::vector<int64_t> values;
    for (const Cell &cell : results->front()->cells)
      values.push_back(cell.integer.isPoint() ? cell.integer.lo : -999);
    return values;
  }

  static RangeTensorRef tensor(std::vector<int64_t> shape,
                               std::vector<int64_t> values) {
    auto made = std::make_shared<RangeTensor>();
    made->shape = std::move(shape);
    for (int64_t value : values)
      made->cells.push_back(IntegerRange::exactly(value));
    return made;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string problem;
};

using Values = std::vector<int64_t>;

/// Fibonacci numbers by pairs, calls in a loop in a branch.
TEST_F(Literally, LoopsBranchesAndCalls) {
  const char *text = R"(
    func.func @main(%n: tensor<index>, %a: tensor<1xi32>, %b: tensor<1xi32>) -> tensor<1xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %m = tensor.extract %n[] : tensor<index>
      %few = arith.cmpi slt, %m, %c3 : index
      %r = scf.if %few -> (tensor<1xi32>) {
        scf.yield %a : tensor<1xi32>
      } else {
        %v:2 = scf.for %i = %c0 to %m step %c1 iter_args(%x = %a, %y = %b) -> (tensor<1xi32>, tensor<1xi32>) {
          %s = func.call @sum(%x, %y) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
          scf.yield %y, %s : tensor<1xi32>, tensor<1xi32>
        }
        scf.yield %v#0 : tensor<1xi32>
      }
      return %r : tensor<1xi32>
    }
    func.func private @sum(%x: tensor<1xi32>, %y: tensor<1xi32>) -> tensor<1xi32> {
      %r = linalg.add ins(%x, %y : tensor<1xi32>, tensor<1xi32>) outs(%y : tensor<1xi32>) -> tensor<1xi32>
      return %r : tensor<1xi32>
    })";
  auto of = [&](int64_t n) {
    return run(text, {tensor({}, {n}), tensor({1}, {0}), tensor({1}, {1})});
  };
  EXPECT_EQ(of(2), Values{0}) << problem;
  EXPECT_EQ(of(3), Values{2}) << problem;
  EXPECT_EQ(of(10), Values{55}) << problem;
}

TEST_F(Literally, WhileLoopsAndSwitches) {
  const char *text = R"(
    func.func @main(%x: tensor<i32>) -> tensor<2xi32> {
      %c1 = arith.constant 1 : index
      %two = arith.constant 2 : i32
      %limit = arith.constant 100 : i32
      %c0 = arith.constant 0 : index
      %v = tensor.extract %x[] : tensor<i32>
      %r:2 = scf.while (%n = %c0, %a = %v) : (index, i32) -> (index, i32) {
        %go = arith.cmpi slt, %a, %limit : i32
        scf.condition(%go) %n, %a : index, i32
      } do {
      ^bb0(%n: index, %a: i32):
        %next = arith.addi %n, %c1 : index
        %b = arith.muli %a, %two : i32
        scf.yield %next, %b : index, i32
      }
      %w = scf.index_switch %r#0 -> i32
      case 3 { scf.yield %two : i32 }
      default { scf.yield %limit : i32 }
      %t = tensor.from_elements %r#1, %w : tensor<2xi32>
      return %t : tensor<2xi32>
    })";
  EXPECT_EQ(run(text, {tensor({}, {13})}), (Values{104, 2})) << problem;
  EXPECT_EQ(run(text, {tensor({}, {50})}), (Values{100, 100})) << problem;
  run(text, {tensor({}, {0})});
  EXPECT_EQ(problem, "the program takes too many steps");
}

TEST_F(Literally, BlocksOfAFunction) {
  const char *text = R"(
    func.func @main(%c: tensor<i1>, %x: tensor<1xi32>, %y: tensor<1xi32>) -> tensor<1xi32> {
      %p = tensor.extract %c[] : tensor<i1>
      cf.cond_br %p, ^a(%y : tensor<1xi32>), ^b
    ^b:
      cf.br ^a(%x : tensor<1xi32>)
    ^a(%r: tensor<1xi32>):
      return %r : tensor<1xi32>
    })";
  for (int64_t condition : {0, 1})
    EXPECT_EQ(run(text, {tensor({}, {condition}), tensor({1}, {4}),
                         tensor({1}, {5})}),
              Values{4 + condition})
        << problem;
  auto either = std::make_shared<RangeTensor>();
  either->cells.push_back(IntegerRange{0, 1});
  run(text, {either, tensor({1}, {4}), tensor({1}, {5})});
  EXPECT_EQ(problem, "the condition of a branch may be several numbers");
}

TEST_F(Literally, SelectionsOfTensorsAndSlicesAtComputedOffsets) {
  const char *text = R"(
    func.func @main(%c: tensor<i1>, %at: tensor<index>, %x: tensor<4xi8>, %y: tensor<4xi8>) -> tensor<4xi8> {
      %p = tensor.extract %c[] : tensor<i1>
      %i = tensor.extract %at[] : tensor<index>
      %s = arith.select %p, %x, %y : tensor<4xi8>
      %part = tensor.extract_slice %s[%i] [2] [1] : tensor<4xi8> to tensor<2xi8>
      %r = tensor.insert_slice %part into %y[0] [2] [2] : tensor<2xi8> into tensor<4xi8>
      return %r : tensor<4xi8>
    })";
  auto of = [&](int64_t condition, int64_t at) {
    return run(text, {tensor({}, {condition}), tensor({}, {at}),
                      tensor({4}, {1, 2, 3, 4}), tensor({4}, {5, 6, 7, 8})});
  };
  EXPECT_EQ(of(1, 1), (Values{2, 6, 3, 8})) << problem;
  EXPECT_EQ(of(0, 2), (Values{7, 6, 8, 8})) << problem;
  of(1, 3);
  EXPECT_EQ(problem, "a slice may be out of bounds");
}

TEST_F(Literally, PadsCutOffAndCompute) {
  EXPECT_EQ(run(R"(
    func.func @main(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
      %r = tensor.pad %x low[-1, 1] high[1, -1] {
      ^bb0(%i: index, %j: index):
        %k = arith.index_cast %j : index to i32
        tensor.yield %k : i32
      } : tensor<2x3xi32> to tensor<2x3xi32>
      return %r : tensor<2x3xi32>
    })",
                {tensor({2, 3}, {1, 2, 3, 4, 5, 6})}),
            (Values{0, 4, 5, 0, 1, 2}))
      << problem;
}

/// Elements that an output map leaves out are unchanged; iterations that write
/// one element run in order.
TEST_F(Literally, PartialAndOverlappingWrites) {
  EXPECT_EQ(run(R"(
    func.func @main(%x: tensor<2xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i * 2 + 1)>], iterator_types = ["parallel"]}
          ins(%x : tensor<2xi32>) outs(%y : tensor<4xi32>) {
      ^bb0(%a: i32, %o: i32):
        %s = arith.subi %a, %o : i32
        linalg.yield %s : i32
      } -> tensor<4xi32>
      return %r : tensor<4xi32>
    })",
                {tensor({2}, {10, 20}), tensor({4}, {1, 2, 3, 4})}),
            (Values{1, 8, 3, 16}))
      << problem;
  EXPECT_EQ(run(R"(
    func.func @main(%x: tensor<3xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (1)>], iterator_types = ["reduction"]}
          ins(%x : tensor<3xi32>) outs(%y : tensor<2xi32>) {
      ^bb0(%a: i32, %o: i32):
        %s = arith.subi %a, %o : i32
        linalg.yield %s : i32
      } -> tensor<2xi32>
      return %r : tensor<2xi32>
    })",
                {tensor({3}, {1, 2, 4}), tensor({2}, {7, 0})}),
            (Values{7, 4 - (2 - 1)}))
      << problem;
}

TEST_F(Literally, PacksAndUnpacks) {
  EXPECT_EQ(run(R"(
    func.func @main(%x: tensor<3x2xi32>) -> tensor<1x2x2x2xi32> {
      %z = arith.constant 0 : i32
      %e = tensor.empty() : tensor<1x2x2x2xi32>
      %r = linalg.pack %x padding_value(%z : i32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %e : tensor<3x2xi32> -> tensor<1x2x2x2xi32>
      return %r : tensor<1x2x2x2xi32>
    })",
                {tensor({3, 2}, {1, 2, 3, 4, 5, 6})}),
            (Values{1, 3, 2, 4, 5, 0, 6, 0}))
      << problem;
  EXPECT_EQ(run(R"(
    func.func @main(%x: tensor<1x2x2x2xi32>) -> tensor<3x2xi32> {
      %e = tensor.empty() : tensor<3x2xi32>
      %r = linalg.unpack %x outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %e : tensor<1x2x2x2xi32> -> tensor<3x2xi32>
      return %r : tensor<3x2xi32>
    })",
                {tensor({1, 2, 2, 2}, {1, 3, 2, 4, 5, 0, 6, 0})}),
            (Values{1, 2, 3, 4, 5, 6}))
      << problem;
}

TEST_F(Literally, GathersRows) {
  const char *text = R"(
    func.func @main(%x: tensor<3x2xi32>, %i: tensor<2x1xindex>) -> tensor<2x2xi32> {
      %r = tensor.gather %x[%i] gather_dims([0]) : (tensor<3x2xi32>, tensor<2x1xindex>) -> tensor<2x2xi32>
      return %r : tensor<2x2xi32>
    })";
  auto x = tensor({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(run(text, {x, tensor({2, 1}, {2, 0})}), (Values{5, 6, 1, 2}))
      << problem;
  run(text, {x, tensor({2, 1}, {3, 0})});
  EXPECT_EQ(problem, "an index may be out of bounds");
}

/// The quotient of the least number and -1 does not fit, in any width; in i1,
/// -1 by -1 does not fit.
TEST_F(Literally, DivisionsThatOverflowAreUndefined) {
  const char *text = R"(
    func.func @main(%x: tensor<i8>, %y: tensor<i8>) -> tensor<i8> {
      %a = tensor.extract %x[] : tensor<i8>
      %b = tensor.extract %y[] : tensor<i8>
      %q = arith.divsi %a, %b : i8
      %r = tensor.from_elements %q : tensor<i8>
      return %r : tensor<i8>
    })";
  EXPECT_EQ(run(text, {tensor({}, {-127}), tensor({}, {-1})}), Values{127})
      << problem;
  run(text, {tensor({}, {-128}), tensor({}, {-1})});
  EXPECT_EQ(problem, "an integer operation may be undefined");
}

} // namespace
