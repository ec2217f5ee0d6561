//===- BoundedTask.h - kernels near the bounds of a task --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each test computes the result of a task as a right program might, in the
// types of the task, and as wrong ones do. All sets together must tell them
// apart.

#ifndef PRUNER_TEST_UNIT_VERIFICATION_BOUNDEDTASK_H
#define PRUNER_TEST_UNIT_VERIFICATION_BOUNDEDTASK_H

#include "../Measure/Tasks.h"
#include "mlir/IR/MLIRContext.h"
#include "pruner/Builder/Candidate.h"
#include "pruner/Verification/Reference.h"
#include "gtest/gtest.h"
#include <cmath>
#include <functional>

namespace pruner {

using Kernel =
    std::function<void(const std::vector<const float *> &in, float *out)>;

class BoundedTaskTest : public testing::Test {
protected:
  BoundedTaskTest() : context(mlir::MLIRContext::Threading::DISABLED) {
    mlir::DialectRegistry registry;
    registerBuilderDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  void make(const std::string &text) {
    auto parsed = TaskProgram::parse(context, text);
    ASSERT_TRUE(bool(parsed)) << toString(parsed.takeError()) << text;
    task.emplace(std::move(*parsed));
    auto made = makeReference(*task, text, /*seed=*/7, "");
    ASSERT_TRUE(bool(made)) << toString(made.takeError()) << text;
    reference = std::move(*made);
  }

  /// The error of `kernel` on the first set that shows one, or nothing; f32.
  std::string check(const Kernel &kernel) {
    for (const ReferenceSet &set : reference.sets) {
      std::vector<const float *> in;
      for (const auto &input : set.inputs)
        in.push_back(reinterpret_cast<const float *>(input.data()));
      std::vector<float> got(task->outputs()[0].elements());
      kernel(in, got.data());
      double worst = 0;
      if (auto wrong = compareOutput(task->outputs()[0], got.data(),
                                     set.outputs[0], worst))
        return patternName(set.pattern).str() + ": " + *wrong;
    }
    return "";
  }

  mlir::MLIRContext context;
  std::optional<TaskProgram> task;
  Reference reference;
};

inline std::string rows(int m, int n) {
  return "tensor<" + std::to_string(m) + "x" + std::to_string(n) + "xf32>";
}

inline const char *const maps = "#id = affine_map<(i, j) -> (i, j)>\n"
                                "#row = affine_map<(i, j) -> (i)>\n";

/// A linalg.generic over m x n; `in` are pairs of value and whether it is one
/// for each row. The result is one for each row if `reduces`.
inline std::string generic(std::string name, int m, int n,
                           std::vector<std::pair<std::string, bool>> in,
                           std::string init, bool reduces, std::string body) {
  std::string column = "tensor<" + std::to_string(m) + "xf32>";
  std::string maps, values, types, arguments;
  for (auto &[value, isRow] : in) {
    maps += isRow ? "#row, " : "#id, ";
    values += (values.empty() ? "" : ", ") + value;
    types += (types.empty() ? "" : ", ") + (isRow ? column : rows(m, n));
    arguments += "%a" + std::to_string(&value - &in[0].first) + ": f32, ";
  }
  arguments.clear();
  for (size_t i = 0; i < in.size(); ++i)
    arguments += "%a" + std::to_string(i) + ": f32, ";
  std::string out = reduces ? column : rows(m, n);
  return "  " + name + " = linalg.generic {indexing_maps = [" + maps +
         (reduces ? "#row" : "#id") + "], iterator_types = [\"parallel\", \"" +
         (reduces ? "reduction" : "parallel") + "\"]} ins(" + values + " : " +
         types + ") outs(" + init + " : " + out + ") {\n  ^bb0(" + arguments +
         "%o: f32):\n" + body + "  } -> " + out + "\n";
}

inline std::string prologue(int m, int n) {
  std::string column = "tensor<" + std::to_string(m) + "xf32>";
  return "  %e = tensor.empty() : " + rows(m, n) + "\n  %ec = tensor.empty() " +
         ": " + column +
         "\n  %zero = arith.constant 0.0 : f32\n"
         "  %least = arith.constant 0xFF800000 : f32\n"
         "  %z = linalg.fill ins(%zero : f32) outs(%ec : " +
         column + ") -> " + column +
         "\n  %l = linalg.fill ins(%least : f32) outs(%ec : " + column +
         ") -> " + column + "\n";
}

} // namespace pruner

#endif // PRUNER_TEST_UNIT_VERIFICATION_BOUNDEDTASK_H
