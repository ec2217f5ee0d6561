//===- MatmulOperands.cpp - shapes and data of products -------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulOperands.h"

#include "Rounds.h"

#include "pruner/Support/Random.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <limits>

using namespace pruner;
using namespace pruner::bench;
namespace json = llvm::json;

std::string Shape::text() const {
  return std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
}

llvm::Expected<Shape> Shape::parse(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, 'x');
  Shape shape;
  int64_t *extents[] = {&shape.m, &shape.n, &shape.k};
  bool good = parts.size() == 3;
  for (unsigned i = 0; good && i < 3; ++i)
    good = !parts[i].getAsInteger(10, *extents[i]) && *extents[i] > 0 &&
           *extents[i] <= 1 << 16;
  if (!good)
    return llvm::createStringError(
        "'%s' is no shape; expected MxNxK with extents from 1 to 65536",
        text.str().c_str());
  return shape;
}

Operands::Operands(const Shape &shape)
    : shape(shape), left(size_t(shape.m * shape.k)),
      right(size_t(shape.k * shape.n)), result(size_t(shape.m * shape.n)) {
  fillReals();
}

void Operands::fillReals() {
  Random random(1);
  for (FloatBuffer *buffer : {&left, &right})
    for (float &value : *buffer)
      value = float(2 * random.uniformReal() - 1);
}

/// The product with sums in `Number`.
template <typename Number>
static std::vector<Number> multiply(const Shape &shape, const float *a,
                                    const float *b) {
  std::vector<Number> result(size_t(shape.m * shape.n));
  for (int64_t i = 0; i < shape.m; ++i)
    for (int64_t l = 0; l < shape.k; ++l) {
      Number factor = a[i * shape.k + l];
      const float *row = b + l * shape.n;
      Number *sum = result.data() + i * shape.n;
      for (int64_t j = 0; j < shape.n; ++j)
        sum[j] += factor * Number(row[j]);
    }
  return result;
}

llvm::Error Operands::verify(const MatmulFunction &function) {
  // |sums| <= 9 * 65536 < 2^24: exact in f32 in any order.
  Random random(2);
  for (FloatBuffer *buffer : {&left, &right})
    for (float &value : *buffer)
      value = float(int64_t(random.uniform(7)) - 3);
  if (exact.empty())
    exact = multiply<float>(shape, a(), b());
  llvm::fill(result, std::numeric_limits<float>::quiet_NaN());
  function(a(), b(), c());
  for (size_t i = 0; i < exact.size(); ++i)
    if (!(result[i] == exact[i]))
      return llvm::createStringError(
          "wrong result: element [%lld, %lld] is %g instead of %g",
          (long long)(int64_t(i) / shape.n), (long long)(int64_t(i) % shape.n),
          double(result[i]), double(exact[i]));
  return llvm::Error::success();
}

llvm::Expected<json::Object>
Operands::describe(llvm::function_ref<std::string(llvm::StringRef)> file) {
  fillReals();
  std::vector<double> product = multiply<double>(shape, a(), b());
  for (auto [name, data, bytes] :
       {std::tuple("A", (const void *)a(), left.size() * sizeof(float)),
        std::tuple("B", (const void *)b(), right.size() * sizeof(float)),
        std::tuple("C", (const void *)product.data(),
                   product.size() * sizeof(double))})
    if (llvm::Error error = writeRaw(file(name), data, bytes))
      return error;
  auto tensor = [&](const char *name, int64_t rows, int64_t columns) {
    return json::Object{{"file", file(name)},
                        {"shape", json::Array{rows, columns}}};
  };
  json::Object weights = tensor("B", shape.k, shape.n);
  weights["constant"] = true;
  return json::Object{{"kind", "mm"},
                      {"parameters", json::Object{{"m", json::Array{shape.m}},
                                                  {"n", json::Array{shape.n}},
                                                  {"k", json::Array{shape.k}}}},
                      {"inputs", json::Array{tensor("A", shape.m, shape.k),
                                             std::move(weights)}},
                      {"result", tensor("C", shape.m, shape.n)},
                      {"tolerance", 1e-4}};
}

void bench::bindFunction(Contender &contender, Operands &operands,
                         MatmulFunction function) {
  contender.verify = [&operands, function] {
    return operands.verify(function);
  };
  contender.time =
      [&operands, function](
          const TimeRequest &request) -> llvm::Expected<std::vector<Batch>> {
    return timeBatches(
        [&] { function(operands.a(), operands.b(), operands.c()); }, request);
  };
}
