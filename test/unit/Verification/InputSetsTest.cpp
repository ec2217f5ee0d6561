//===- InputSetsTest.cpp - inputs detect wrong programs -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task and the same task with a fault, both as plain code in their own types.
// The inputs of the first one must show that the second one is wrong, and
// accept the first one.

#include "InputSets.h"

#include "mlir/IR/MLIRContext.h"
#include "pruner/Builder/Candidate.h"
#include "pruner/Target/InvokeKernel.h"
#include "pruner/Target/JitModule.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace pruner;

namespace {
class InputSetsTest : public testing::Test {
protected:
  InputSetsTest() : context(mlir::MLIRContext::Threading::DISABLED) {
    mlir::DialectRegistry registry;
    registerBuilderDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  std::optional<TaskProgram> parse(const std::string &text) {
    auto task = TaskProgram::parse(context, text);
    if (!task) {
      ADD_FAILURE() << toString(task.takeError()) << "\n" << text;
      return std::nullopt;
    }
    return std::move(*task);
  }

  /// The results of the check with each of `references` for `candidate` as a
  /// program for `task`; empty if accepted.
  std::vector<std::string> check(const TaskProgram &task,
                                 const std::vector<Reference> &references,
                                 const std::string &candidate) {
    auto other = parse(candidate);
    if (!other)
      return {};
    auto object = compileReference(other->module(), /*brief=*/true);
    if (!object) {
      ADD_FAILURE() << toString(object.takeError());
      return {};
    }
    auto code =
        loadObject(llvm::ArrayRef<char>(object->data(), object->size()));
    if (!code) {
      ADD_FAILURE() << toString(code.takeError());
      return {};
    }
    void *function = llvm::cantFail((*code)->lookup(other->entry()));
    std::vector<std::string> verdicts;
    for (const Reference &reference : references)
      verdicts.push_back(check(task, reference, function));
    return verdicts;
  }

  std::string check(const TaskProgram &task, const Reference &reference,
                    void *function) {
    for (const ReferenceSet &set : reference.sets) {
      std::vector<std::unique_ptr<char[]>> memory;
      std::vector<void *> arguments;
      auto place = [&](size_t bytes) {
        memory.emplace_back(new char[bytes + 64]);
        auto address = reinterpret_cast<uintptr_t>(memory.back().get());
        arguments.push_back(reinterpret_cast<void *>((address + 63) & ~63ull));
      };
      for (const auto &input : set.inputs) {
        place(input.size());
        std::memcpy(arguments.back(), input.data(), input.size());
      }
      for (const TensorSpec &spec : task.outputs())
        place(spec.bytes());
      invokeKernel(function, arguments);
      double worst = 0;
      for (auto [n, output] : llvm::enumerate(set.outputs))
        if (auto wrong =
                compareOutput(task.outputs()[n],
                              arguments[set.inputs.size() + n], output, worst))
          return patternName(set.pattern).str() + ": " + *wrong;
    }
    return "";
  }

  /// A text in which `to` replaces `from`.
  static std::string changed(std::string text, const std::string &from,
                             const std::string &to) {
    size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
  }

  /// The check accepts `right`, and rejects it with each of the changes.
  void tells(const std::string &right,
             const std::vector<std::pair<std::string, std::string>> &faults) {
    auto task = parse(right);
    ASSERT_TRUE(task);
    std::vector<Reference> references;
    for (int64_t seed : {1, 2}) {
      auto reference = makeReference(*task, right, seed, "");
      ASSERT_TRUE(bool(reference)) << toString(reference.takeError());
      references.push_back(std::move(*reference));
    }
    for (const std::string &verdict : check(*task, references, right))
      EXPECT_EQ(verdict, "") << right;
    for (const auto &[from, to] : faults)
      for (const std::string &verdict :
           check(*task, references, changed(right, from, to)))
        EXPECT_NE(verdict, "")
            << "accepted " << to << " for " << from << " in\n"
            << right;
  }

  mlir::MLIRContext context;
};

std::string tensor(const std::string &shape, const std::string &element) {
  return "tensor<" + shape + "x" + element + ">";
}

/// One elementwise op over 1-d arguments; `body` uses %a, %b, ... and yields
/// %r.
std::string elementwise(int64_t size, const std::vector<std::string> &types,
                        const std::string &result, const std::string &body) {
  std::string shape = std::to_string(size), arguments, values, list, scalars;
  std::string maps;
  for (auto [n, type] : llvm::enumerate(types)) {
    std::string name(1, char('a' + n)), comma = n ? ", " : "";
    arguments += comma + "%t" + name + ": " + tensor(shape, type);
    values += comma + "%t" + name;
    list += comma + tensor(shape, type);
    scalars += "%" + name + ": " + type + ", ";
    maps += "#id, ";
  }
  std::string out = tensor(shape, result);
  return "#id = affine_map<(i) -> (i)>\nfunc.func @f(" + arguments + ") -> " +
         out + " {\n  %e = tensor.empty() : " + out +
         "\n  %v = linalg.generic {indexing_maps = [" + maps +
         "#id], iterator_types = [\"parallel\"]} ins(" + values + " : " + list +
         ") outs(%e : " + out + ") {\n  ^bb0(" + scalars + "%o: " + result +
         "):\n" + body + "    linalg.yield %r : " + result + "\n  } -> " + out +
         "\n  return %v : " + out + "\n}\n";
}

/// From `x`, an i32, to %r, an i8: times `scale`, rounded, plus a zero point,
/// clamped.
std::string requantize(const std::string &x, const std::string &scale) {
  return "    %s = arith.constant " + scale +
         " : f32\n"
         "    %z = arith.constant 3 : i32\n"
         "    %lo = arith.constant -128 : i32\n"
         "    %hi = arith.constant 127 : i32\n"
         "    %f = arith.sitofp " +
         x +
         " : i32 to f32\n"
         "    %m = arith.mulf %f, %s : f32\n"
         "    %n = math.roundeven %m : f32\n"
         "    %i = arith.fptosi %n : f32 to i32\n"
         "    %p = arith.addi %i, %z : i32\n"
         "    %c = arith.maxsi %p, %lo : i32\n"
         "    %d = arith.minsi %c, %hi : i32\n"
         "    %r = arith.trunci %d : i32 to i8\n";
}

using Faults = std::vector<std::pair<std::string, std::string>>;

/// Faults of `requantize`. `ties`: operands are fine enough to be at ties.
Faults requantizationFaults(const std::string &scale, bool ties) {
  Faults faults = {{"%s = arith.constant " + scale, "%s = arith.constant 25.0"},
                   {"%z = arith.constant 3", "%z = arith.constant 33"},
                   {"%z = arith.constant 3", "%z = arith.constant 4"},
                   {"%d : i32 to i8", "%w : i32 to i8"},
                   {"%hi = arith.constant 127", "%hi = arith.constant 126"},
                   {"%lo = arith.constant -128", "%lo = arith.constant -127"},
                   {"arith.maxsi %p, %lo", "arith.maxsi %p, %p"},
                   {"arith.minsi %c, %hi", "arith.minsi %c, %c"}};
  // Only the sign.
  faults[3] = {"%r = arith.trunci %d", "%u = arith.cmpi slt, %p, %z : i32\n"
                                       "    %w = arith.select %u, %lo, %hi"
                                       " : i32\n    %r = arith.trunci %w"};
  if (ties)
    for (const char *other : {"math.round ", "math.floor ", "math.trunc "})
      faults.emplace_back("math.roundeven ", other);
  return faults;
}

/// A product of m x k and k x n elements of i8, `body` from %v to %r.
std::string product(int64_t m, int64_t n, int64_t k, const std::string &body) {
  auto shape = [](int64_t rows, int64_t columns, const char *type) {
    return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
           "x" + type + ">";
  };
  std::string a = shape(m, k, "i8"), b = shape(k, n, "i8"),
              sum = shape(m, n, "i32"), out = shape(m, n, "i8");
  return "#id = affine_map<(i, j) -> (i, j)>\nfunc.func @f(%a: " + a +
         ", %b: " + b + ") -> " + out + " {\n  %c0 = arith.constant 0 : i32\n" +
         "  %e = tensor.empty() : " + sum +
         "\n  %g = linalg.fill ins(%c0 : i32) outs(%e : " + sum + ") -> " +
         sum + "\n  %t = linalg.matmul ins(%a, %b : " + a + ", " + b +
         ") outs(%g : " + sum + ") -> " + sum +
         "\n  %q = tensor.empty() : " + out +
         "\n  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types "
         "= [\"parallel\", \"parallel\"]} ins(%t : " +
         sum + ") outs(%q : " + out + ") {\n  ^bb0(%v: i32, %o: i8):\n" + body +
         "    linalg.yield %r : i8\n  } -> " + out + "\n  return %y : " + out +
         "\n}\n";
}

/// The rows, or the columns, of m x n numbers reduced from `start`; `body`
/// computes %r from %a and the accumulator %o.
std::string reduction(int64_t m, int64_t n, bool rows, const std::string &type,
                      const std::string &start, const std::string &body) {
  std::string in = tensor(std::to_string(m) + "x" + std::to_string(n), type),
              out = tensor(std::to_string(rows ? m : n), type);
  return "#id = affine_map<(i, j) -> (i, j)>\n#kept = affine_map<(i, j) -> (" +
         std::string(rows ? "i" : "j") + ")>\nfunc.func @f(%x: " + in +
         ") -> " + out + " {\n  %c = arith.constant " + start + " : " + type +
         "\n  %e = tensor.empty() : " + out +
         "\n  %g = linalg.fill ins(%c : " + type + ") outs(%e : " + out +
         ") -> " + out +
         "\n  %y = linalg.generic {indexing_maps = [#id, #kept], "
         "iterator_types = [" +
         (rows ? R"("parallel", "reduction")" : R"("reduction", "parallel")") +
         "]} ins(%x : " + in + ") outs(%g : " + out +
         ") {\n  ^bb0(%a: " + type + ", %o: " + type + "):\n" + body +
         "    linalg.yield %r : " + type + "\n  } -> " + out +
         "\n  return %y : " + out + "\n}\n";
}

/// A softmax of the rows of m x n numbers; the maximum includes %a if `sees`
/// holds for the column %j.
std::string softmax(int64_t m, int64_t n, const std::string &sees) {
  std::string in = tensor(std::to_string(m) + "x" + std::to_string(n), "f32"),
              row = tensor(std::to_string(m), "f32");
  auto generic = [&](const std::string &name, const std::string &ins,
                     const std::string &types, const std::string &maps,
                     const std::string &out, const std::string &type,
                     const std::string &kinds, const std::string &body) {
    return "  " + name + " = linalg.generic {indexing_maps = [" + maps +
           "], iterator_types = [\"parallel\", \"" + kinds + "\"]} ins(" + ins +
           " : " + types + ") outs(" + out + " : " + type + ") {\n  ^bb0(" +
           body + "    linalg.yield %r : f32\n  } -> " + type + "\n";
  };
  return "#id = affine_map<(i, j) -> (i, j)>\n#row = affine_map<(i, j) -> (i)>"
         "\nfunc.func @f(%x: " +
         in + ") -> " + in +
         " {\n  %inf = arith.constant 0xFF800000 : f32\n"
         "  %zero = arith.constant 0.0 : f32\n  %e = tensor.empty() : " +
         in + "\n  %h = tensor.empty() : " + row +
         "\n  %l = linalg.fill ins(%inf : f32) outs(%h : " + row + ") -> " +
         row + "\n  %z = linalg.fill ins(%zero : f32) outs(%h : " + row +
         ") -> " + row + "\n" +
         generic("%top", "%x", in, "#id, #row", "%l", row, "reduction",
                 "%a: f32, %o: f32):\n    %j = linalg.index 1 : index\n" +
                     sees +
                     "    %b = arith.select %see, %a, %inf : f32\n"
                     "    %r = arith.maximumf %o, %b : f32\n") +
         generic("%p", "%x, %top", in + ", " + row, "#id, #row, #id", "%e", in,
                 "parallel",
                 "%a: f32, %t: f32, %o: f32):\n"
                 "    %d = arith.subf %a, %t : f32\n"
                 "    %r = math.exp %d : f32\n") +
         generic("%sum", "%p", in, "#id, #row", "%z", row, "reduction",
                 "%a: f32, %o: f32):\n    %r = arith.addf %o, %a : f32\n") +
         generic("%y", "%p, %sum", in + ", " + row, "#id, #row, #id", "%e", in,
                 "parallel",
                 "%a: f32, %t: f32, %o: f32):\n"
                 "    %r = arith.divf %a, %t : f32\n") +
         "  return %y : " + in + "\n}\n";
}
} // namespace

TEST_F(InputSetsTest, RequantizationIsCheckedNextToItsBorders) {
  for (auto [size, scale] :
       {std::pair(40, "0.25"), {40, "1.52587890625E-5"}, {3000, "0.001953125"}})
    tells(elementwise(size, {"i32"}, "i8", requantize("%a", scale)),
          requantizationFaults(scale, true));
  // Faults that a single element can show.
  Faults faults = requantizationFaults("0.02", false);
  faults.resize(4);
  tells(elementwise(1, {"i32"}, "i8", requantize("%a", "0.02")), faults);
  tells(elementwise(500, {"i32"}, "i8", requantize("%a", "0.0123")),
        requantizationFaults("0.0123", false));
}

TEST_F(InputSetsTest, SumsOfProductsReachTheBordersOfTheirRequantization) {
  for (auto [m, n, k, scale] : {std::tuple(33, 17, 300, "0.0009765625"),
                                {64, 3, 27, "0.0009765625"},
                                {1, 64, 128, "0.0078125"}})
    tells(product(m, n, k, requantize("%v", scale)),
          requantizationFaults(scale, true));
}

TEST_F(InputSetsTest, FixedPointIsCheckedAtItsTies) {
  std::string body = "    %w = arith.extsi %a : i32 to i64\n"
                     "    %k = arith.constant 1518500250 : i64\n"
                     "    %h = arith.constant 17179869184 : i64\n"
                     "    %s = arith.constant 35 : i64\n"
                     "    %m = arith.muli %w, %k : i64\n"
                     "    %n = arith.addi %m, %h : i64\n"
                     "    %q = arith.shrsi %n, %s : i64\n"
                     "    %lo = arith.constant -128 : i64\n"
                     "    %hi = arith.constant 127 : i64\n"
                     "    %c = arith.maxsi %q, %lo : i64\n"
                     "    %d = arith.minsi %c, %hi : i64\n"
                     "    %r = arith.trunci %d : i64 to i8\n";
  tells(elementwise(400, {"i32"}, "i8", body),
        {{"arith.addi %m, %h", "arith.addi %m, %s"},
         {"constant 35", "constant 34"},
         {"constant 1518500250", "constant 1530000000"},
         {"constant 127", "constant 126"},
         {"arith.muli %w, %k : i64",
          "arith.muli %w, %w : i64\n    %t32 = arith.constant 0 : i64"},
         {"%q = arith.shrsi %n, %s", "%q = arith.shrui %n, %s"}});
}

TEST_F(InputSetsTest, RoundingFloatsIsCheckedAtTies) {
  std::string body = "    %k = arith.constant 16.0 : f32\n"
                     "    %lo = arith.constant -128.0 : f32\n"
                     "    %hi = arith.constant 127.0 : f32\n"
                     "    %m = arith.mulf %a, %k : f32\n"
                     "    %n = math.roundeven %m : f32\n"
                     "    %c = arith.maximumf %n, %lo : f32\n"
                     "    %d = arith.minimumf %c, %hi : f32\n"
                     "    %r = arith.fptosi %d : f32 to i8\n";
  for (int64_t size : {60, 1000})
    tells(elementwise(size, {"f32"}, "i8", body),
          {{"math.roundeven", "math.round"},
           {"math.roundeven", "math.floor"},
           {"constant 127.0", "constant 126.0"},
           {"constant -128.0", "constant -127.0"}});
}

TEST_F(InputSetsTest, ClampsOfRealsHaveElementsOnBothSides) {
  std::string body = "    %lo = arith.constant -0.375 : f32\n"
                     "    %hi = arith.constant 1000.5 : f32\n"
                     "    %c = arith.maximumf %a, %lo : f32\n"
                     "    %r = arith.minimumf %c, %hi : f32\n";
  tells(elementwise(50, {"f32"}, "f32", body),
        {{"1000.5", "1000.4"}, {"-0.375", "-0.376"}, {"-0.375", "-0.374"}});
}

TEST_F(InputSetsTest, WideIntegersHaveAHighHalf) {
  std::string narrow = "arith.trunci %a : i64 to i32\n"
                       "    %a2 = arith.extsi %a1 : i32 to i64\n";
  for (int64_t size : {9, 200})
    for (const char *op : {"addi", "muli", "maxsi", "xori"}) {
      std::string line = "%r = arith." + std::string(op) + " ";
      tells(elementwise(size, {"i64", "i64"}, "i64",
                        "    " + line + "%a, %b : i64\n"),
            {{line + "%a", "%a1 = " + narrow + "    " + line + "%a2"}});
    }
  for (const char *how : {"eq", "slt", "ult"}) {
    std::string line = "%r = arith.cmpi " + std::string(how) + ", ";
    tells(elementwise(200, {"i64", "i64"}, "i1",
                      "    " + line + "%a, %b : i64\n"),
          {{line + "%a, %b : i64",
            "%a1 = arith.trunci %a : i64 to i32\n"
            "    %b1 = arith.trunci %b : i64 to i32\n    " +
                line + "%a1, %b1 : i32"}});
  }
  tells(
      reduction(5, 40, true, "i64", "0", "    %r = arith.addi %o, %a : i64\n"),
      {{"%r = arith.addi %o, %a",
        "%a1 = " + narrow + "    %r = arith.addi %o, %a2"}});
}

TEST_F(InputSetsTest, RowsOfMinusInfinityShowTheStartOfAMaximum) {
  std::string body = "    %r = arith.maximumf %o, %a : f32\n";
  for (bool rows : {true, false})
    for (auto [m, n] : {std::pair(1, 5), {7, 3}, {40, 300}})
      tells(reduction(m, n, rows, "f32", "0xFF800000", body),
            {{"0xFF800000", "0xFF7FFFFF"},
             {"0xFF800000", "-1.0e+30"},
             {"arith.maximumf", "arith.maxnumf"}});
  tells(reduction(3, 9, true, "f32", "0x7F800000",
                  "    %r = arith.minimumf %o, %a : f32\n"),
        {{"0x7F800000", "0x7F7FFFFF"}});
}

TEST_F(InputSetsTest, SelectionsMeetNaNInSmallTensors) {
  std::string body = "    %g1 = arith.cmpf ogt, %o, %a : f32\n"
                     "    %r = arith.select %g1, %o, %a : f32\n";
  for (auto [m, n] : {std::pair(1, 6), {4, 8}, {16, 33}})
    tells(reduction(m, n, true, "f32", "0xFF800000", body),
          {{"cmpf ogt, %o, %a", "cmpf ugt, %o, %a"},
           {"%r = arith.select %g1, %o, %a", "%r = arith.maximumf %o, %a"},
           {"%r = arith.select %g1, %o, %a", "%r = arith.maxnumf %o, %a"}});
}

TEST_F(InputSetsTest, EveryPlaceOfASoftmaxDominates) {
  for (auto [m, n] : {std::pair(1, 100), {3, 1000}, {64, 100}, {2, 4000}}) {
    std::string all = "    %see = arith.constant true\n";
    auto without = [&](int64_t column) {
      return std::pair(all, "    %k = arith.constant " +
                                std::to_string(column) +
                                " : index\n    %see = arith.cmpi ne, %j, %k "
                                ": index\n");
    };
    Faults faults{without(n - 1), without(0)};
    if (m == 64)
      for (int64_t column : {31, 50, 63, 77})
        faults.push_back(without(column));
    tells(softmax(m, n, all), faults);
  }
}

TEST_F(InputSetsTest, MasksLeaveNothingOfSomeRows) {
  // Masked elements count as -inf; a row of these alone gives another number.
  for (auto [m, n] : {std::pair(1, 40), {5, 300}}) {
    std::string row = tensor(std::to_string(m), "f32"),
                in = tensor(std::to_string(m) + "x" + std::to_string(n), "f32"),
                mask =
                    tensor(std::to_string(m) + "x" + std::to_string(n), "i1");
    std::string text =
        "#id = affine_map<(i, j) -> (i, j)>\n#row = affine_map<(i, j) -> (i)>\n"
        "func.func @f(%x: " +
        in + ", %m: " + mask + ") -> " + row +
        " {\n  %inf = arith.constant 0xFF800000 : f32\n"
        "  %e = tensor.empty() : " +
        row + "\n  %g = linalg.fill ins(%inf : f32) outs(%e : " + row +
        ") -> " + row +
        "\n  %y = linalg.generic {indexing_maps = [#id, #id, #row], "
        "iterator_types = [\"parallel\", \"reduction\"]} ins(%x, %m : " +
        in + ", " + mask + ") outs(%g : " + row +
        ") {\n  ^bb0(%a: f32, %b: i1, %o: f32):\n"
        "    %k = arith.constant 0xFF800000 : f32\n"
        "    %s = arith.select %b, %a, %k : f32\n"
        "    %r = arith.maximumf %o, %s : f32\n    linalg.yield %r : f32\n"
        "  } -> " +
        row + "\n  return %y : " + row + "\n}\n";
    tells(text,
          {{"%k = arith.constant 0xFF800000", "%k = arith.constant -1.0e9"},
           {"%s = arith.select %b, %a, %k", "%s = arith.select %b, %a, %a"}});
  }
}

TEST_F(InputSetsTest, BoxesFollowReductionsAndWindows) {
  auto task = parse(R"(
func.func @f(%x: tensor<2x3x20x20xf32>, %k: tensor<4x3x3x3xf32>,
             %b: tensor<4xf32>) -> tensor<2x4x18x18xf32> {
  %e = tensor.empty() : tensor<2x4x18x18xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>)
      outs(%e : tensor<2x4x18x18xf32>) dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw
      ins(%x, %k : tensor<2x3x20x20xf32>, tensor<4x3x3x3xf32>)
      outs(%i : tensor<2x4x18x18xf32>) -> tensor<2x4x18x18xf32>
  return %y : tensor<2x4x18x18xf32>
})");
  ASSERT_TRUE(task);
  std::vector<ArgumentBoxes> boxes = argumentBoxes(*task);
  ASSERT_EQ(boxes.size(), 3u);
  // Windows of 3 in boxes of 6: 4 along each side of 20.
  EXPECT_EQ(boxes[0].length(), 3 * 6 * 6);
  EXPECT_EQ(boxes[0].count(), 2 * 4 * 4);
  EXPECT_EQ(boxes[1].length(), 27);
  EXPECT_EQ(boxes[1].count(), 4);
  EXPECT_FALSE(boxes[2].reduced());
  EXPECT_EQ(boxes[2].count(), 4);
  // Every element is in exactly one box.
  std::vector<int> seen(2 * 3 * 20 * 20, 0);
  llvm::SmallVector<int64_t> places;
  for (int64_t box = 0; box < boxes[0].count(); ++box) {
    boxes[0].elements(box, places);
    for (int64_t place : places)
      ++seen[place];
  }
  EXPECT_TRUE(llvm::all_of(seen, [](int count) { return count == 1; }));
}

// A fault at any single weight of a small quantized product shows, although the
// full range of the bias saturates most results: some sets have a narrow bias
// and weights of the full range.
TEST_F(InputSetsTest, EverySingleWeightOfAQuantizedProductCounts) {
  const std::string body = "    %x = arith.extsi %a : i8 to i32\n"
                           "    %y = arith.extsi %b : i8 to i32\n"
                           "    %m = arith.muli %x, %y : i32\n";
  const std::string right =
      "#l = affine_map<(i, j, k) -> (i, k)>\n"
      "#r = affine_map<(i, j, k) -> (k, j)>\n"
      "#o = affine_map<(i, j, k) -> (i, j)>\n"
      "#id = affine_map<(i, j) -> (i, j)>\n#row = affine_map<(i, j) -> (j)>\n"
      "func.func @f(%l: tensor<64x8xi8>, %w: tensor<8x3xi8>, %bias: "
      "tensor<3xi32>) -> tensor<64x3xi8> {\n"
      "  %e = tensor.empty() : tensor<64x3xi32>\n"
      "  %zero = arith.constant 0 : i32\n"
      "  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<64x3xi32>) -> "
      "tensor<64x3xi32>\n"
      "  %sums = linalg.generic {indexing_maps = [#l, #r, #o], iterator_types "
      "= "
      "[\"parallel\", \"parallel\", \"reduction\"]} ins(%l, %w : "
      "tensor<64x8xi8>, tensor<8x3xi8>) outs(%init : tensor<64x3xi32>) {\n"
      "  ^bb0(%a: i8, %b: i8, %acc: i32):\n" +
      body +
      "    %s = arith.addi %acc, %m : i32\n    linalg.yield %s : i32\n"
      "  } -> tensor<64x3xi32>\n"
      "  %out = tensor.empty() : tensor<64x3xi8>\n"
      "  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types "
      "= [\"parallel\", \"parallel\"]} ins(%sums, %bias : tensor<64x3xi32>, "
      "tensor<3xi32>) outs(%out : tensor<64x3xi8>) {\n"
      "  ^bb0(%a: i32, %b: i32, %old: i8):\n"
      "    %x = arith.addi %a, %b : i32\n" +
      requantize("%x", "2.79083935e-03") +
      "    linalg.yield %r : i8\n  } -> tensor<64x3xi8>\n"
      "  return %q : tensor<64x3xi8>\n}\n";
  Faults faults;
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 3; ++column) {
      std::string at = std::to_string(row), in = std::to_string(column);
      faults.emplace_back(body,
                          "    %x = arith.extsi %a : i8 to i32\n"
                          "    %ik = linalg.index 2 : index\n"
                          "    %ij = linalg.index 1 : index\n"
                          "    %ck = arith.constant " +
                              at +
                              " : index\n"
                              "    %cj = arith.constant " +
                              in +
                              " : index\n"
                              "    %ek = arith.cmpi eq, %ik, %ck : index\n"
                              "    %ej = arith.cmpi eq, %ij, %cj : index\n"
                              "    %here = arith.andi %ek, %ej : i1\n"
                              "    %ys = arith.extsi %b : i8 to i32\n"
                              "    %yu = arith.extui %b : i8 to i32\n"
                              "    %y = arith.select %here, %yu, %ys : i32\n"
                              "    %m = arith.muli %x, %y : i32\n");
    }
  tells(right, faults);
}
