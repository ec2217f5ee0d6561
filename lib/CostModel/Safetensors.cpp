//===- Safetensors.cpp - validation of weight files -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/Safetensors.h"
#include "StrictJson.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <limits>
#include <set>

using namespace llvm;
using namespace pruner;

/// Computes the size of a tensor from its dtype and shape. Returns false if
/// either is invalid.
static bool tensorBytes(const TensorData &tensor, std::uint64_t &bytes) {
  bytes = tensorElementSize(tensor.dtype);
  if (bytes == 0)
    return false;
  for (std::int64_t size : tensor.shape) {
    if (size < 0)
      return false;
    std::uint64_t factor = static_cast<std::uint64_t>(size);
    if (factor && bytes > std::numeric_limits<std::uint64_t>::max() / factor)
      return false;
    bytes *= factor;
  }
  return true;
}

namespace {
/// A tensor and the range of its bytes in the data.
struct Entry {
  TensorData tensor;
  std::uint64_t begin = 0, end = 0;
};
} // namespace

/// Checks one entry of the header (rules ST3 to ST5).
static std::string parseEntry(const std::string &name, const json::Value &value,
                              std::uint64_t dataSize, Entry &entry) {
  std::string where = "tensor '" + name + "'";
  const json::Object *object = value.getAsObject();
  std::optional<StringRef> dtype =
      object ? object->getString("dtype") : std::nullopt;
  const json::Array *shape = object ? object->getArray("shape") : nullptr;
  const json::Array *offsets =
      object ? object->getArray("data_offsets") : nullptr;
  if (!dtype || !shape || !offsets || object->size() != 3 ||
      offsets->size() != 2)
    return "ST3: " + where + " must have exactly dtype, shape and data_offsets";

  entry.tensor.name = name;
  entry.tensor.dtype = dtype->str();
  if (!tensorElementSize(entry.tensor.dtype))
    return "ST4: " + where + " has the unknown dtype '" + entry.tensor.dtype +
           "'";
  for (const json::Value &size : *shape) {
    if (size.getAsInteger().value_or(-1) < 0)
      return "ST4: a size of " + where + " is not a non-negative integer";
    entry.tensor.shape.push_back(*size.getAsInteger());
  }
  std::uint64_t bytes;
  if (!tensorBytes(entry.tensor, bytes))
    return "ST4: the size of " + where + " overflows";

  for (const json::Value &offset : *offsets)
    if (offset.getAsInteger().value_or(-1) < 0)
      return "ST5: an offset of " + where + " is not a non-negative integer";
  entry.begin = static_cast<std::uint64_t>(*(*offsets)[0].getAsInteger());
  entry.end = static_cast<std::uint64_t>(*(*offsets)[1].getAsInteger());
  if (entry.begin > entry.end || entry.end > dataSize)
    return "ST5: " + where + " is at " + std::to_string(entry.begin) + " to " +
           std::to_string(entry.end) + ", but there are " +
           std::to_string(dataSize) + " bytes of data";
  if (entry.end - entry.begin != bytes)
    return "ST5: " + where + " has " + std::to_string(entry.end - entry.begin) +
           " bytes, but its dtype and shape need " + std::to_string(bytes);
  return {};
}

std::string pruner::parseSafetensors(const std::string &content,
                                     TensorFile &file) {
  if (content.size() < 8)
    return "ST1: the file has " + std::to_string(content.size()) +
           " bytes, but the length of the header alone takes 8";
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i)
    length = length << 8 | static_cast<unsigned char>(content[i]);
  std::uint64_t limit =
      std::min<std::uint64_t>(kMaxHeaderBytes, content.size() - 8);
  if (length > limit)
    return "ST1: the header claims " + std::to_string(length) +
           " bytes, but at most " + std::to_string(limit) + " are possible";
  const std::uint64_t dataBegin = 8 + length;
  const std::uint64_t dataSize = content.size() - dataBegin;

  Expected<json::Value> parsed =
      parseStrictJson(StringRef(content).substr(8, length));
  if (!parsed)
    return "ST2: " + toString(parsed.takeError());
  const json::Object *header = parsed->getAsObject();
  if (!header)
    return "ST2: the header is not a JSON object";

  TensorFile result;
  std::vector<Entry> entries;
  for (const json::Object::value_type *member : sortedElements(*header)) {
    const auto &[name, value] = *member;
    if (name == "__metadata__") {
      const json::Object *metadata = value.getAsObject();
      if (!metadata)
        return "ST2: __metadata__ is not a JSON object";
      for (const auto &[key, text] : *metadata) {
        if (!text.getAsString())
          return "ST2: __metadata__ '" + key.str() + "' is not a string";
        result.metadata[key.str()] = text.getAsString()->str();
      }
      continue;
    }
    entries.emplace_back();
    std::string error = parseEntry(name.str(), value, dataSize, entries.back());
    if (!error.empty())
      return error;
  }

  // An empty tensor may share its offset with the next one, so the end is
  // compared too.
  std::stable_sort(
      entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
        return std::make_pair(a.begin, a.end) < std::make_pair(b.begin, b.end);
      });
  std::uint64_t covered = 0;
  for (Entry &entry : entries) {
    if (entry.begin != covered)
      return "ST6: tensor '" + entry.tensor.name + "' begins at byte " +
             std::to_string(entry.begin) + ", but the one before it ends at " +
             std::to_string(covered);
    covered = entry.end;
    auto data = content.begin() + static_cast<std::ptrdiff_t>(dataBegin);
    entry.tensor.bytes.assign(data + static_cast<std::ptrdiff_t>(entry.begin),
                              data + static_cast<std::ptrdiff_t>(entry.end));
    result.tensors.push_back(std::move(entry.tensor));
  }
  if (covered != dataSize)
    return "ST6: the tensors end at byte " + std::to_string(covered) +
           ", but there are " + std::to_string(dataSize) + " bytes of data";
  file = std::move(result);
  return {};
}

/// Returns \p text as a JSON string. Every control character has the long form,
/// so that the bytes of a file depend on no library.
static std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      out += formatv("\\u{0:x-4}", unsigned(c)).str();
    else
      out += c;
  }
  return out + '"';
}

std::string pruner::formatSafetensors(const TensorFile &file,
                                      std::string &error) {
  error.clear();
  std::string header = "{", data;
  std::set<std::string> names;
  if (!file.metadata.empty()) {
    const char *comma = "";
    header += "\"__metadata__\":{";
    for (const auto &[key, value] : file.metadata) {
      header += comma + quoted(key) + ':' + quoted(value);
      comma = ",";
    }
    header += '}';
  }
  for (const TensorData &tensor : file.tensors) {
    std::uint64_t bytes;
    if (!tensorBytes(tensor, bytes) || bytes != tensor.bytes.size()) {
      error = "tensor '" + tensor.name +
              "' has a dtype or shape that does not fit its bytes";
      return {};
    }
    if (tensor.name == "__metadata__" || !names.insert(tensor.name).second) {
      error = "tensor name '" + tensor.name + "' is already used";
      return {};
    }
    if (header.size() > 1)
      header += ',';
    header += quoted(tensor.name) + ":{\"dtype\":" + quoted(tensor.dtype) +
              ",\"shape\":[";
    for (std::size_t i = 0; i < tensor.shape.size(); ++i)
      header += (i ? "," : "") + std::to_string(tensor.shape[i]);
    header += "],\"data_offsets\":[" + std::to_string(data.size()) + ',';
    data.append(tensor.bytes.begin(), tensor.bytes.end());
    header += std::to_string(data.size()) + "]}";
  }
  header += '}';
  // Pads with JSON white space, so that the data are aligned and can be mapped.
  header.append((8 - header.size() % 8) % 8, ' ');
  if (header.size() > kMaxHeaderBytes) {
    error = "the header would be longer than " +
            std::to_string(kMaxHeaderBytes) + " bytes";
    return {};
  }
  std::string content;
  for (int i = 0; i < 8; ++i)
    content += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return content + header + data;
}
