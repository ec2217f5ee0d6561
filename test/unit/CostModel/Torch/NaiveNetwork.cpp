//===- NaiveNetwork.cpp - the networks, naively ---------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NaiveNetwork.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace pruner;
using Vec = std::vector<double>;

static Vec tensor(const TensorFile &file, const std::string &name) {
  const TensorData *data = file.find(name);
  Vec values;
  for (std::size_t i = 0; data && i < data->bytes.size() / 4; ++i) {
    float value;
    std::memcpy(&value, data->bytes.data() + 4 * i, 4);
    values.push_back(value);
  }
  return values;
}

static Vec multiply(const Vec &weight, const Vec &bias, const Vec &x) {
  Vec out = bias;
  for (std::size_t o = 0; o < out.size(); ++o)
    for (std::size_t i = 0; i < x.size(); ++i)
      out[o] += weight[o * x.size() + i] * x[i];
  return out;
}

static Vec linear(const TensorFile &file, const std::string &name,
                  const Vec &x) {
  return multiply(tensor(file, name + ".weight"), tensor(file, name + ".bias"),
                  x);
}

static Vec relu(Vec x) {
  for (double &value : x)
    value = std::max(value, 0.0);
  return x;
}

static void add(Vec &to, const Vec &from) {
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] += from[i];
}

static Vec slice(const Vec &x, std::size_t begin, std::size_t size) {
  return Vec(x.begin() + begin, x.begin() + begin + size);
}

/// Attention with residual over eight steps, summed.
static Vec flowBranch(const TensorFile &file, const ProgramFeatures &program) {
  Vec maximum = tensor(file, "dataflow_feature_max");
  std::vector<Vec> steps;
  for (int t = 0; t < kDataflowSteps; ++t) {
    Vec x(kDataflowFeatureSize);
    for (int c = 0; c < kDataflowFeatureSize; ++c)
      x[c] = program.dataflow[t * kDataflowFeatureSize + c] / maximum[c];
    steps.push_back(relu(linear(file, "gemm_encoder.2",
                                relu(linear(file, "gemm_encoder.0", x)))));
  }
  std::vector<Vec> projected;
  for (const Vec &step : steps)
    projected.push_back(multiply(tensor(file, "attention.in_proj_weight"),
                                 tensor(file, "attention.in_proj_bias"), step));
  Vec sum(128, 0.0);
  for (int t = 0; t < kDataflowSteps; ++t) {
    Vec attended(128, 0.0);
    for (int head = 0; head < 4; ++head) {
      Vec query = slice(projected[t], 32 * head, 32), logits;
      for (int s = 0; s < kDataflowSteps; ++s) {
        Vec key = slice(projected[s], 128 + 32 * head, 32);
        double dot = 0;
        for (int d = 0; d < 32; ++d)
          dot += query[d] * key[d];
        logits.push_back(dot / std::sqrt(32.0));
      }
      const double largest = *std::max_element(logits.begin(), logits.end());
      double total = 0;
      for (double &logit : logits)
        total += logit = std::exp(logit - largest);
      for (int s = 0; s < kDataflowSteps; ++s)
        for (int d = 0; d < 32; ++d)
          attended[32 * head + d] +=
              logits[s] / total * projected[s][256 + 32 * head + d];
    }
    add(sum, linear(file, "attention.out_proj", attended));
    add(sum, steps[t]);
  }
  return sum;
}

std::vector<double>
pruner_test::naiveScores(const TensorFile &file,
                         const std::vector<ProgramFeatures> &programs,
                         bool batchStatistics) {
  const bool hasFlow = file.find("fuse.0.weight");
  Vec maximum = tensor(file, "statement_feature_max");
  std::vector<Vec> encoded;
  for (const ProgramFeatures &program : programs) {
    Vec sum(256, 0.0);
    for (int r = 0; r < program.rows; ++r) {
      Vec x(kStatementFeatureSize);
      for (int c = 0; c < kStatementFeatureSize; ++c)
        x[c] = program.statements[r * kStatementFeatureSize + c] / maximum[c];
      add(sum, relu(linear(file, "segment_encoder.2",
                           relu(linear(file, "segment_encoder.0", x)))));
    }
    if (hasFlow) {
      Vec flow = flowBranch(file, program);
      sum.insert(sum.end(), flow.begin(), flow.end());
      sum = relu(linear(file, "fuse.0", sum));
    }
    encoded.push_back(sum);
  }
  if (hasFlow) {
    Vec mean = tensor(file, "norm.running_mean");
    Vec variance = tensor(file, "norm.running_var");
    Vec weight = tensor(file, "norm.weight"), bias = tensor(file, "norm.bias");
    for (int c = 0; c < 256; ++c) {
      if (batchStatistics) {
        double n = double(encoded.size()), sum = 0, squares = 0;
        for (const Vec &x : encoded)
          sum += x[c];
        mean[c] = sum / n;
        for (const Vec &x : encoded)
          squares += (x[c] - mean[c]) * (x[c] - mean[c]);
        variance[c] = squares / n;
      }
      for (Vec &x : encoded)
        x[c] = (x[c] - mean[c]) / std::sqrt(variance[c] + 1e-5) * weight[c] +
               bias[c];
    }
  }
  std::vector<double> scores;
  for (Vec &x : encoded) {
    for (const char *name : {"l0.0", "l1.0"}) {
      Vec next = relu(linear(file, name, x));
      add(x, next);
    }
    scores.push_back(linear(file, "decoder", x)[0]);
  }
  return scores;
}
