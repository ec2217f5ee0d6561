//===- TlpBatch.cpp - batches and files of TLP and MTL-TLP ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceSample.h"
#include "TlpNetwork.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <unordered_map>

using namespace pruner;

static constexpr std::size_t kColumns = kPrimitiveFeatureSize;
/// Limits for sizes in untrusted files.
static constexpr std::int64_t kMostWidth = 1024, kMostSequence = 256;
static constexpr std::size_t kMostPlatforms = 64;

void TlpBatch::to(at::Device device) {
  for (at::Tensor *tensor :
       {&rows, &rowOf, &programOf, &placeOf, &rowAt, &mask})
    *tensor = tensor->to(device);
  for (OfHead &of : heads)
    if (of.primitives.defined())
      of.primitives = of.primitives.to(device);
}

/// Reads numbers in the form of the network, before scaling.
static void readNumbers(const float *from, std::size_t count, bool logarithms,
                        float *to) {
  for (std::size_t i = 0; i < count; ++i) {
    float x = from[i];
    // Most are 0 and 1, whose transformed values are the same.
    if (logarithms && x != 0 && x != 1)
      x = std::copysign(std::log2(1 + std::fabs(x)), x);
    to[i] = x;
  }
}

static std::size_t stepsOf(const ProgramFeatures &program,
                           const TlpShape &shape) {
  return std::min(program.primitiveSteps(), std::size_t(shape.sequence));
}

/// The type of a primitive: its row begins with the one-hot vector of the type.
static std::size_t typeOf(const float *row) {
  for (std::size_t c = 0; c < kColumns; ++c)
    if (row[c] != 0)
      return c;
  return 0;
}

void TlpNetwork::computeScaling(
    const std::vector<const ProgramFeatures *> &programs, bool standard,
    bool byType) {
  std::vector<ColumnStatistics> types(kColumns, ColumnStatistics(kColumns));
  std::vector<float> numbers(kColumns);
  for (const ProgramFeatures *program : programs)
    for (std::size_t s = 0; s < stepsOf(*program, shape); ++s) {
      const float *row = &program->primitives[s * kColumns];
      readNumbers(row, kColumns, shape.logarithms, numbers.data());
      types[byType ? typeOf(row) : 0].add(numbers.data(), kColumns);
    }
  std::vector<at::Tensor> mean, scale;
  for (const ColumnStatistics &type : types) {
    const ColumnStatistics &used = byType ? type : types[0];
    Scaling each = used.any() ? used.scaling(standard, byType)
                              : Scaling::none(std::int64_t(kColumns));
    mean.push_back(each.mean);
    scale.push_back(each.scale);
  }
  scaling = {at::stack(mean), at::stack(scale)};
}

namespace {
/// Numbers distinct rows in order of appearance.
class Rows {
public:
  std::int64_t numberOf(const float *row) {
    std::string_view bytes(reinterpret_cast<const char *>(row),
                           kColumns * sizeof(float));
    auto [entry, isNew] =
        numbers.try_emplace(bytes, std::int64_t(different.size()));
    if (isNew)
      different.push_back(row);
    return entry->second;
  }
  const std::vector<const float *> &all() const { return different; }

private:
  std::unordered_map<std::string_view, std::int64_t> numbers;
  std::vector<const float *> different;
};
} // namespace

static at::Tensor indices(const std::vector<std::int64_t> &values) {
  at::Tensor tensor = at::empty({std::int64_t(values.size())}, at::kLong);
  std::copy(values.begin(), values.end(), tensor.data_ptr<std::int64_t>());
  return tensor;
}

TlpBatch
TlpNetwork::makeBatch(const std::vector<const ProgramFeatures *> &programs,
                      const std::size_t *list, std::size_t count) const {
  TlpBatch batch;
  batch.programs = std::int64_t(count);
  std::vector<std::int64_t> heads(count);
  for (std::size_t p = 0; p < count; ++p) {
    const ProgramFeatures &program = *programs[list[p]];
    batch.longest =
        std::max(batch.longest, std::int64_t(stepsOf(program, shape)));
    heads[p] = std::max<std::int64_t>(0, headOf(program.platform));
  }
  Rows rows;
  std::vector<std::int64_t> rowOf, programOf, placeOf,
      rowAt(count * std::size_t(batch.longest), -1);
  batch.mask = at::full({batch.programs, batch.longest},
                        -std::numeric_limits<float>::infinity(), at::kFloat);
  std::vector<std::vector<std::int64_t>> ofHead(platforms.size());
  for (std::size_t p = 0; p < count; ++p) {
    const ProgramFeatures &program = *programs[list[p]];
    for (std::size_t s = 0; s < stepsOf(program, shape); ++s) {
      std::int64_t row = rows.numberOf(&program.primitives[s * kColumns]);
      std::int64_t place = std::int64_t(p) * batch.longest + std::int64_t(s);
      ofHead[std::size_t(heads[p])].push_back(std::int64_t(rowOf.size()));
      rowOf.push_back(row);
      programOf.push_back(std::int64_t(p));
      placeOf.push_back(place);
      rowAt[std::size_t(place)] = row;
      batch.mask.data_ptr<float>()[place] = 0;
    }
  }
  std::int64_t different = std::int64_t(rows.all().size());
  std::replace(rowAt.begin(), rowAt.end(), std::int64_t(-1), different);
  batch.rows = at::empty({different, std::int64_t(kColumns)}, at::kFloat);
  std::vector<std::int64_t> types;
  for (std::size_t u = 0; u < rows.all().size(); ++u) {
    readNumbers(rows.all()[u], kColumns, shape.logarithms,
                batch.rows.data_ptr<float>() + u * kColumns);
    types.push_back(std::int64_t(typeOf(rows.all()[u])));
  }
  batch.rowOf = indices(rowOf);
  batch.programOf = indices(programOf);
  batch.placeOf = indices(placeOf);
  batch.rowAt = indices(rowAt);
  for (std::size_t head = 0; head < ofHead.size(); ++head)
    if (ofHead[head].size() == rowOf.size())
      batch.heads.push_back({std::int64_t(head), {}});
    else if (!ofHead[head].empty())
      batch.heads.push_back({std::int64_t(head), indices(ofHead[head])});
  batch.to(device());
  at::Tensor type = indices(types).to(device());
  Scaling{scaling.mean.index_select(0, type),
          scaling.scale.index_select(0, type)}
      .apply(batch.rows);
  return batch;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

void TlpNetwork::write(TensorFile &file) const {
  for (const auto &[name, tensor] : parameters)
    file.tensors.push_back(packTensor(name, tensor));
  file.tensors.push_back(packTensor("primitive_feature_mean", scaling.mean));
  file.tensors.push_back(packTensor("primitive_feature_scale", scaling.scale));
  std::string names;
  for (const std::string &platform : platforms)
    names += (&platform == &platforms.front() ? "" : "\n") + platform;
  file.metadata["tlp.platforms"] = names;
  file.metadata["tlp.width"] = std::to_string(shape.width);
  file.metadata["tlp.sequence"] = std::to_string(shape.sequence);
  file.metadata["tlp.numbers"] = shape.logarithms ? "log" : "raw";
  file.metadata["tlp.language"] = shape.recorded ? "recorded" : "schedule";
}

/// The index of a metadata value among two words; -1 for another value.
static int wordAt(const TensorFile &file, const char *name, const char *first,
                  const char *second) {
  auto found = file.metadata.find(name);
  if (found == file.metadata.end())
    return -1;
  return found->second == first ? 0 : found->second == second ? 1 : -1;
}

/// Older files have one row for all types.
static std::string readScaling(const TensorFile &file, const char *name,
                               at::Tensor &to) {
  const TensorData *found = file.find(name);
  if (!found || found->shape.size() != 1)
    return readTensor(file, name, to);
  at::Tensor row = at::empty({std::int64_t(kColumns)}, at::kFloat);
  std::string error = readTensor(file, name, row);
  to.copy_(row.expand_as(to));
  return error;
}

std::string TlpNetwork::read(const TensorFile &file) {
  TlpShape next;
  next.width = numberAt(file, "tlp.width", 32, kMostWidth).value_or(0);
  next.sequence = numberAt(file, "tlp.sequence", 1, kMostSequence).value_or(0);
  int raw = wordAt(file, "tlp.numbers", "log", "raw");
  int recorded = wordAt(file, "tlp.language", "schedule", "recorded");
  auto names = file.metadata.find("tlp.platforms");
  if (next.width <= 0 || next.width % 32 || !next.sequence || raw < 0 ||
      recorded < 0 || names == file.metadata.end())
    return "the file does not describe its network";
  next.logarithms = raw == 0;
  next.recorded = recorded == 1;
  std::vector<std::string> heads{""};
  for (char letter : names->second)
    if (letter != '\n')
      heads.back() += letter;
    else if (heads.emplace_back(); heads.size() > kMostPlatforms)
      return "more than " + std::to_string(kMostPlatforms) + " platforms";
  TlpNetwork network = create(next, std::move(heads), 0);
  std::size_t expected = network.parameters.size() + 2 + samplesIn(file);
  if (file.tensors.size() != expected)
    return std::to_string(file.tensors.size()) + " tensors instead of " +
           std::to_string(expected);
  for (auto &[name, tensor] : network.parameters)
    if (std::string error = readTensor(file, name, tensor); !error.empty())
      return error;
  for (auto [name, tensor] :
       {std::pair("primitive_feature_mean", &network.scaling.mean),
        std::pair("primitive_feature_scale", &network.scaling.scale)})
    if (std::string error = readScaling(file, name, *tensor); !error.empty())
      return error;
  if (!(network.scaling.scale > 0).all().item<bool>())
    return "tensor 'primitive_feature_scale' is not positive";
  *this = std::move(network);
  return {};
}
