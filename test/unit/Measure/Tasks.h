//===- Tasks.h - tasks for several tests ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_UNIT_MEASURE_TASKS_H
#define PRUNER_TEST_UNIT_MEASURE_TASKS_H

#include <string>

/// C[m, n] = sum over k of A[m, k] B[k, n], in `type`.
inline std::string matmulTask(int m, int n, int k, std::string type = "f32") {
  auto tensor = [&](int rows, int columns) {
    return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
           "x" + type + ">";
  };
  std::string a = tensor(m, k), b = tensor(k, n), c = tensor(m, n);
  bool integer = type[0] == 'i';
  return "func.func @matmul(%a: " + a + ", %b: " + b + ") -> " + c + " {\n" +
         "  %zero = arith.constant 0" + (integer ? "" : ".0") + " : " + type +
         "\n  %e = tensor.empty() : " + c + "\n" +
         "  %c = linalg.fill ins(%zero : " + type + ") outs(%e : " + c +
         ") -> " + c + "\n  %r = linalg.matmul ins(%a, %b : " + a + ", " + b +
         ") outs(%c : " + c + ") -> " + c + "\n  return %r : " + c + "\n}\n";
}

/// The same for f32, with `body` applied to every sum: it yields from %in, with
/// %s as the constant `constant`.
inline std::string finishedMatmulTask(int m, int n, int k, std::string constant,
                                      std::string body) {
  std::string text = matmulTask(m, n, k);
  std::string c =
      "tensor<" + std::to_string(m) + "x" + std::to_string(n) + "xf32>";
  text.resize(text.find("  return"));
  return "#id = affine_map<(i, j) -> (i, j)>\n" + text +
         "  %s = arith.constant " + constant +
         " : f32\n  %y = linalg.generic {indexing_maps = [#id, #id], "
         "iterator_types = [\"parallel\", \"parallel\"]} ins(%r : " +
         c + ") outs(%e : " + c + ") {\n  ^bb0(%in: f32, %o: f32):\n" + body +
         "  } -> " + c + "\n  return %y : " + c + "\n}\n";
}

/// With every sum multiplied by the constant `scale`.
inline std::string scaledMatmulTask(int m, int n, int k, std::string scale) {
  return finishedMatmulTask(
      m, n, k, scale,
      "    %p = arith.mulf %in, %s : f32\n    linalg.yield %p : f32\n");
}

/// y[i] = body of x[i]; `body` yields from %x with %c as a constant `c`.
inline std::string mapTask(int n, std::string body, std::string c = "1.0",
                           std::string type = "f32") {
  std::string t = "tensor<" + std::to_string(n) + "x" + type + ">";
  return "#id = affine_map<(d0) -> (d0)>\nfunc.func @map(%x: " + t + ") -> " +
         t + " {\n  %c = arith.constant " + c + " : " + type +
         "\n  %e = tensor.empty() : " + t +
         "\n  %r = linalg.generic {indexing_maps = [#id, #id], "
         "iterator_types = [\"parallel\"]} ins(%x : " +
         t + ") outs(%e : " + t + ") {\n  ^bb0(%a: " + type + ", %o: " + type +
         "):\n" + body + "  } -> " + t + "\n  return %r : " + t + "\n}\n";
}

#endif // PRUNER_TEST_UNIT_MEASURE_TASKS_H
