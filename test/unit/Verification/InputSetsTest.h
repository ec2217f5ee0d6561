//===- InputSetsTest.h - inputs detect wrong programs -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task and the same task with a fault, both as plain code in their own types.
// The inputs of the first one must show that the second one is wrong, and
// accept the first one.

#ifndef PRUNER_TEST_UNIT_VERIFICATION_INPUTSETSTEST_H
#define PRUNER_TEST_UNIT_VERIFICATION_INPUTSETSTEST_H

#include "InputSets.h"

#include "mlir/IR/MLIRContext.h"
#include "pruner/Builder/Candidate.h"
#include "pruner/Target/InvokeKernel.h"
#include "pruner/Target/JitModule.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

namespace pruner {
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

  /// Expects that the check accepts `right` and rejects it with each change.
  void rejects(const std::string &right,
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

inline std::string tensor(const std::string &shape,
                          const std::string &element) {
  return "tensor<" + shape + "x" + element + ">";
}

/// One elementwise op over 1-d arguments; `body` uses %a, %b, ... and yields
/// %r.
inline std::string elementwise(int64_t size,
                               const std::vector<std::string> &types,
                               const std::string &result,
                               const std::string &body) {
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
inline std::string requantize(const std::string &x, const std::string &scale) {
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

/// A product of m x k and k x n elements of i8, `body` from %v to %r.
inline std::string product(int64_t m, int64_t n, int64_t k,
                           const std::string &body) {
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
inline std::string reduction(int64_t m, int64_t n, bool rows,
                             const std::string &type, const std::string &start,
                             const std::string &body) {
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

using Faults = std::vector<std::pair<std::string, std::string>>;
} // namespace pruner

#endif // PRUNER_TEST_UNIT_VERIFICATION_INPUTSETSTEST_H
