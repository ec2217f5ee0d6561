//===- Booster.cpp - XGBoost's booster as an object -----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Booster.h"

#include <xgboost/c_api.h>

#include <cmath>

using namespace pruner;

/// Of XGBoost's message what comes before the trace of its stack.
static std::string lastError() {
  std::string text = XGBGetLastError();
  std::size_t end = text.find("\nStack trace");
  return "XGBoost: " + text.substr(0, end);
}

namespace {
/// XGBoost's copy of the rows.
class Matrix {
public:
  ~Matrix() {
    if (handle)
      XGDMatrixFree(handle);
  }

  std::string fill(const BoosterData &data) {
    if (XGDMatrixCreateFromMat(data.values.data(), data.rows(), data.columns,
                               std::nanf(""), &handle) != 0)
      return lastError();
    return {};
  }

  DMatrixHandle handle = nullptr;
};
} // namespace

Booster::~Booster() { clear(); }

void Booster::clear() {
  if (handle)
    XGBoosterFree(handle);
  handle = nullptr;
}

/// A margin for each row of the matrix.
static std::string predictMatrix(BoosterHandle booster, const Matrix &matrix,
                                 std::size_t rows,
                                 std::vector<float> &margins) {
  // All trees, sums instead of what the objective makes of them.
  static const char config[] =
      R"({"type": 1, "training": false, "iteration_begin": 0,
          "iteration_end": 0, "strict_shape": false})";
  bst_ulong const *shape = nullptr;
  bst_ulong dimensions = 0;
  float const *found = nullptr;
  if (XGBoosterPredictFromDMatrix(booster, matrix.handle, config, &shape,
                                  &dimensions, &found) != 0)
    return lastError();
  bst_ulong count = 1;
  for (bst_ulong d = 0; d < dimensions; ++d)
    count *= shape[d];
  if (count != rows)
    return "XGBoost: " + std::to_string(count) + " predictions for " +
           std::to_string(rows) + " rows";
  margins.assign(found, found + count);
  return {};
}

std::string Booster::train(const BoosterData &data,
                           const BoosterParameters &parameters, int rounds,
                           BoosterLoss loss) {
  Matrix matrix;
  std::string problem = matrix.fill(data);
  if (!problem.empty())
    return problem;
  if (!handle && XGBoosterCreate(&matrix.handle, 1, &handle) != 0)
    return lastError();
  for (const auto &[name, value] : parameters)
    if (XGBoosterSetParam(handle, name.c_str(), value.c_str()) != 0)
      return lastError();
  std::vector<float> margins, gradient, hessian;
  for (int round = 0; round < rounds; ++round) {
    problem = predictMatrix(handle, matrix, data.rows(), margins);
    if (!problem.empty())
      return problem;
    loss(round, margins, gradient, hessian);
    if (XGBoosterBoostOneIter(handle, matrix.handle, gradient.data(),
                              hessian.data(), gradient.size()) != 0)
      return lastError();
  }
  return {};
}

std::string Booster::predict(const BoosterData &data,
                             std::vector<float> &margins) {
  Matrix matrix;
  std::string problem = matrix.fill(data);
  return problem.empty() ? predictMatrix(handle, matrix, data.rows(), margins)
                         : problem;
}

std::string Booster::write(std::vector<unsigned char> &bytes) const {
  bst_ulong size = 0;
  const char *data = nullptr;
  if (XGBoosterSaveModelToBuffer(handle, R"({"format": "ubj"})", &size,
                                 &data) != 0)
    return lastError();
  bytes.assign(data, data + size);
  return {};
}

std::string Booster::read(const std::vector<unsigned char> &bytes) {
  BoosterHandle next = nullptr;
  if (XGBoosterCreate(nullptr, 0, &next) != 0)
    return lastError();
  if (XGBoosterLoadModelFromBuffer(next, bytes.data(), bytes.size()) != 0) {
    std::string problem = lastError();
    XGBoosterFree(next);
    return problem;
  }
  clear();
  handle = next;
  return {};
}

std::string Booster::shape(int &trees, std::size_t &columns) const {
  bst_ulong features = 0;
  if (XGBoosterBoostedRounds(handle, &trees) != 0 ||
      XGBoosterGetNumFeature(handle, &features) != 0)
    return lastError();
  columns = features;
  return {};
}
