//===- NaiveNetwork.cpp - naive reference networks ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

/// The columns \p x of these features as inputs of the network.
/// \p row: which row of the scaling, of \p columns columns.
static Vec scaled(const TensorFile &file, const std::string &features,
                  const float *x, std::size_t columns, std::size_t row = 0) {
  Vec maximum = tensor(file, features + "_feature_max");
  Vec mean = tensor(file, features + "_feature_mean");
  Vec scale =
      maximum.empty() ? tensor(file, features + "_feature_scale") : maximum;
  Vec out;
  for (std::size_t c = 0, at = row * columns; c < columns; ++c, ++at)
    out.push_back((x[c] - (mean.empty() ? 0 : mean[at])) / scale[at]);
  return out;
}

/// Attention with residual over eight steps, summed.
static Vec flowBranch(const TensorFile &file, const ProgramFeatures &program) {
  std::vector<Vec> steps;
  for (int t = 0; t < kDataflowSteps; ++t) {
    Vec x = scaled(file, "dataflow",
                   program.dataflow.data() + t * kDataflowFeatureSize,
                   kDataflowFeatureSize);
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
  const bool isPacm = file.find("fuse.0.weight");
  const bool hasFlow = file.find("gemm_encoder.0.weight");
  const bool hasStatements = file.find("segment_encoder.0.weight");
  std::vector<Vec> encoded;
  for (const ProgramFeatures &program : programs) {
    Vec sum(256, 0.0);
    for (int r = 0; hasStatements && r < program.rows; ++r) {
      Vec x = scaled(file, "statement",
                     program.statements.data() + r * kStatementFeatureSize,
                     kStatementFeatureSize);
      add(sum, relu(linear(file, "segment_encoder.2",
                           relu(linear(file, "segment_encoder.0", x)))));
    }
    if (file.find("terms_encoder.0.weight"))
      add(sum,
          relu(linear(file, "terms_encoder.2",
                      relu(linear(file, "terms_encoder.0",
                                  scaled(file, "term", program.terms.data(),
                                         program.terms.size()))))));
    if (isPacm) {
      Vec flow = hasFlow ? flowBranch(file, program) : Vec(128, 0.0);
      sum.insert(sum.end(), flow.begin(), flow.end());
      sum = relu(linear(file, "fuse.0", sum));
    }
    encoded.push_back(sum);
  }
  if (isPacm) {
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
  auto found = file.metadata.find("prior");
  double prior = found == file.metadata.end() ? 0 : std::stod(found->second);
  std::vector<double> scores;
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    Vec &x = encoded[i];
    for (const char *name : {"l0.0", "l1.0"}) {
      Vec next = relu(linear(file, name, x));
      add(x, next);
    }
    scores.push_back(linear(file, "decoder", x)[0]);
    if (prior > 0)
      scores.back() -= prior * programs[i].terms.front();
  }
  return scores;
}

/// Attention of heads of 32 among the steps, before the output projection.
static std::vector<Vec> attend(const TensorFile &file,
                               const std::vector<Vec> &steps) {
  const std::size_t width = steps.front().size();
  std::vector<Vec> projected, result;
  for (const Vec &step : steps)
    projected.push_back(multiply(tensor(file, "attention.in_proj_weight"),
                                 tensor(file, "attention.in_proj_bias"), step));
  for (const Vec &own : projected) {
    Vec attended(width, 0.0);
    for (std::size_t head = 0; head < width / 32; ++head) {
      double total = 0;
      Vec sum(32, 0.0);
      for (const Vec &other : projected) {
        double dot = 0;
        for (std::size_t d = 0; d < 32; ++d)
          dot += own[32 * head + d] * other[width + 32 * head + d];
        double weight = std::exp(dot / std::sqrt(32.0));
        total += weight;
        for (std::size_t d = 0; d < 32; ++d)
          sum[d] += weight * other[2 * width + 32 * head + d];
      }
      for (std::size_t d = 0; d < 32; ++d)
        attended[32 * head + d] = sum[d] / total;
    }
    result.push_back(std::move(attended));
  }
  return result;
}

std::vector<double>
pruner_test::naiveTlpScores(const TensorFile &file,
                            const std::vector<ProgramFeatures> &programs) {
  const std::size_t sequence =
      std::size_t(std::stoi(file.metadata.at("tlp.sequence")));
  const bool logarithms = file.metadata.at("tlp.numbers") == "log";
  std::vector<std::string> platforms{""};
  for (char letter : file.metadata.at("tlp.platforms"))
    if (letter == '\n')
      platforms.emplace_back();
    else
      platforms.back() += letter;
  std::vector<double> scores;
  for (const ProgramFeatures &program : programs) {
    auto found =
        std::find(platforms.begin(), platforms.end(), program.platform);
    std::size_t head =
        found == platforms.end() ? 0 : std::size_t(found - platforms.begin());
    std::string decoder = "decoder" + (head ? std::to_string(head) : "");
    std::vector<Vec> steps;
    for (std::size_t s = 0; s < std::min(sequence, program.primitiveSteps());
         ++s) {
      std::vector<float> row(kPrimitiveFeatureSize);
      for (std::size_t c = 0; c < row.size(); ++c) {
        row[c] = program.primitives[s * row.size() + c];
        if (logarithms)
          row[c] = std::copysign(std::log2(1 + std::fabs(row[c])), row[c]);
      }
      // A row begins with the one-hot vector of its type.
      auto type = std::find_if(row.begin(), row.end(),
                               [](float number) { return number != 0; });
      Vec x = scaled(file, "primitive", row.data(), row.size(),
                     std::size_t(type - row.begin()));
      for (const char *name :
           {"encoder.0", "encoder.2", "encoder.4", "encoder.6"})
        x = relu(linear(file, name, x));
      steps.push_back(std::move(x));
    }
    std::vector<Vec> attended = attend(file, steps);
    double score = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      Vec x = steps[s];
      add(x, linear(file, "attention.out_proj", attended[s]));
      for (const char *name : {"l0.0", "l1.0"}) {
        Vec next = relu(linear(file, name, x));
        add(x, next);
      }
      for (const char *name : {".0", ".2", ".4"})
        x = relu(linear(file, decoder + name, x));
      score += linear(file, decoder + ".6", x)[0];
    }
    scores.push_back(score);
  }
  return scores;
}
