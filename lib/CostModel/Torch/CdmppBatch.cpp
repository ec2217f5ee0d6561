//===- CdmppBatch.cpp - batches and files of CDMPP ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CdmppNetwork.h"
#include "pruner/CostModel/PositionalEncoding.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>

using namespace pruner;

static constexpr std::int64_t kLeaf = kAnsorFeatureSize;
/// Limits for sizes in untrusted files.
static constexpr std::int64_t kMostLayers = 64, kMostWidth = 8192;

void CdmppNetwork::computeScaling(
    const std::vector<const ProgramFeatures *> &programs, bool standard) {
  ColumnStatistics leaves(kLeaf), terms(std::max<std::int64_t>(1, shape.terms));
  for (const ProgramFeatures *program : programs) {
    for (int r = 0; r < program->rows; ++r)
      leaves.add(&program->statements[std::size_t(r) * kStatementFeatureSize],
                 kLeaf);
    if (shape.terms)
      terms.add(program->terms.data(), program->terms.size());
  }
  leafScaling = leaves.scaling(standard);
  if (shape.terms)
    termScaling = terms.scaling(standard);
}

/// Returns the encodings of all positions below `places`, one row each.
static at::Tensor codesOf(std::int64_t places) {
  at::Tensor codes = at::empty({places, kLeaf}, at::kFloat);
  float *to = codes.data_ptr<float>();
  for (std::int64_t place = 0; place < places; ++place)
    for (int entry = 0; entry < kLeaf; ++entry)
      *to++ = float(positionalEncoding(double(place), entry, int(kLeaf)));
  return codes;
}

CdmppBatch
CdmppNetwork::makeBatch(const std::vector<const ProgramFeatures *> &programs,
                        const std::size_t *indices, std::size_t count) const {
  CdmppBatch batch;
  std::int64_t n = std::int64_t(count), longest = 1, places = 1;
  for (std::size_t i = 0; i < count; ++i) {
    const ProgramFeatures &program = *programs[indices[i]];
    longest = std::max<std::int64_t>(longest, program.rows);
    for (float place : program.positions)
      places = std::max(places, std::int64_t(place) + 1);
  }
  batch.leaves = at::zeros({n, longest, kLeaf}, at::kFloat);
  batch.mask = at::full({n, longest}, -std::numeric_limits<float>::infinity(),
                        at::kFloat);
  batch.device = at::empty({n, std::int64_t(kDeviceFeatureSize)}, at::kFloat);
  at::Tensor placeOf = at::zeros({n, longest}, at::kLong);
  if (shape.terms)
    batch.terms = at::empty({n, shape.terms}, at::kFloat);
  for (std::size_t i = 0; i < count; ++i) {
    const ProgramFeatures &program = *programs[indices[i]];
    for (std::int64_t r = 0; r < program.rows; ++r) {
      std::int64_t at = std::int64_t(i) * longest + r;
      const float *row =
          &program.statements[std::size_t(r) * kStatementFeatureSize];
      std::copy(row, row + kLeaf, batch.leaves.data_ptr<float>() + at * kLeaf);
      batch.mask.data_ptr<float>()[at] = 0;
      placeOf.data_ptr<std::int64_t>()[at] =
          std::int64_t(program.positions[std::size_t(r)]);
    }
    std::copy(program.device.begin(), program.device.end(),
              batch.device.data_ptr<float>() + i * kDeviceFeatureSize);
    if (shape.terms)
      std::copy(program.terms.begin(), program.terms.end(),
                batch.terms.data_ptr<float>() + std::int64_t(i) * shape.terms);
  }
  at::Tensor codes =
      codesOf(places).index_select(0, placeOf.view(-1)).view_as(batch.leaves);
  for (at::Tensor *tensor :
       {&batch.leaves, &batch.mask, &batch.device, &batch.terms, &codes})
    if (tensor->defined())
      *tensor = tensor->to(device());
  leafScaling.apply(batch.leaves);
  batch.leaves.add_(codes);
  if (shape.terms)
    termScaling.apply(batch.terms);
  return batch;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {
struct Size {
  const char *name;
  std::int64_t CdmppShape::*field;
  std::int64_t least, most;
};
struct Number {
  const char *name;
  double LatencyScale::*field;
};
} // namespace

static constexpr Size kSizes[] = {
    {"cdmpp.layers", &CdmppShape::layers, 0, kMostLayers},
    {"cdmpp.feed_forward", &CdmppShape::feedForward, 1, kMostWidth},
    {"cdmpp.encoder_width", &CdmppShape::encoderWidth, 1, kMostWidth},
    {"cdmpp.embedding", &CdmppShape::embedding, 1, kMostWidth},
    {"cdmpp.decoder_width", &CdmppShape::decoderWidth, 1, kMostWidth},
    {"cdmpp.terms", &CdmppShape::terms, 0, kMostWidth}};

static constexpr Number kNumbers[] = {
    {"latency.scale", &LatencyScale::scale},
    {"latency.lambda", &LatencyScale::lambda},
    {"latency.mean", &LatencyScale::mean},
    {"latency.deviation", &LatencyScale::deviation},
    {"latency.lowest", &LatencyScale::lowest},
    {"latency.highest", &LatencyScale::highest}};

void CdmppNetwork::write(TensorFile &file) const {
  for (const auto &[name, tensor] : parameters)
    file.tensors.push_back(packTensor(name, tensor));
  file.tensors.push_back(packTensor("leaf_feature_mean", leafScaling.mean));
  file.tensors.push_back(packTensor("leaf_feature_scale", leafScaling.scale));
  file.tensors.push_back(packTensor("term_mean", termScaling.mean));
  file.tensors.push_back(packTensor("term_scale", termScaling.scale));
  for (const Size &size : kSizes)
    file.metadata[size.name] = std::to_string(shape.*size.field);
  for (const Number &number : kNumbers) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.17g", latency.*number.field);
    file.metadata[number.name] = text;
  }
}

std::string CdmppNetwork::read(const TensorFile &file) {
  CdmppShape next;
  for (const Size &size : kSizes) {
    auto value = numberAt(file, size.name, size.least, size.most);
    if (!value)
      return std::string("'") + size.name + "' is missing or wrong";
    next.*size.field = *value;
  }
  CdmppNetwork network = create(next, 0);
  for (const Number &number : kNumbers) {
    auto found = file.metadata.find(number.name);
    char *end = nullptr;
    if (found != file.metadata.end())
      network.latency.*number.field = std::strtod(found->second.c_str(), &end);
    if (!end || end == found->second.c_str() || *end)
      return std::string("'") + number.name + "' is missing or wrong";
  }
  if (!network.latency.isValid())
    return "labels cannot be inverted";
  auto &leaf = network.leafScaling;
  auto &term = network.termScaling;
  std::string problem;
  auto readInto = [&](const std::string &name, at::Tensor &to) {
    if (problem.empty())
      problem = readTensor(file, name, to);
  };
  for (auto &[name, tensor] : network.parameters)
    readInto(name, tensor);
  readInto("leaf_feature_mean", leaf.mean);
  readInto("leaf_feature_scale", leaf.scale);
  readInto("term_mean", term.mean);
  readInto("term_scale", term.scale);
  if (!problem.empty())
    return problem;
  std::size_t expected = network.parameters.size() + 4;
  if (file.tensors.size() != expected)
    return std::to_string(file.tensors.size()) + " tensors instead of " +
           std::to_string(expected);
  for (const at::Tensor *scale : {&leaf.scale, &term.scale})
    if (!scale->gt(0).all().item<bool>())
      return "a scale is not positive";
  *this = std::move(network);
  return {};
}
