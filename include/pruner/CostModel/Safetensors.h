//===- Safetensors.h - weight files, as data only ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights are stored as safetensors: eight bytes with the little-endian length
// of a JSON header, the header (name -> dtype, shape, byte range), then the raw
// bytes. Weight files contain only data and are untrusted. The reader checks
// these rules:
//
//   ST1  the header length is within the file and within kMaxHeaderBytes;
//   ST2  the header is one JSON object without duplicate names;
//   ST3  every entry has exactly dtype, shape and data_offsets;
//   ST4  the dtype is known, sizes are not negative and their product does not
//        overflow;
//   ST5  begin <= end <= size of the data, and end - begin matches dtype and
//        shape;
//   ST6  the byte ranges cover the data exactly: no overlap, no hole, and
//        nothing after the last one.

#ifndef PRUNER_COSTMODEL_SAFETENSORS_H
#define PRUNER_COSTMODEL_SAFETENSORS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pruner {

/// The largest accepted header, in bytes (rule ST1).
constexpr std::uint64_t kMaxHeaderBytes = 1 << 20;
/// The largest accepted file, in bytes.
constexpr std::uint64_t kMaxTensorFileBytes = std::uint64_t(1) << 30;

/// One named array.
struct TensorData {
  std::string name;
  /// "F32", "I64", ... as in the format's specification.
  std::string dtype;
  std::vector<std::int64_t> shape;
  /// Elements in row-major order, little-endian.
  std::vector<unsigned char> bytes;
};

/// The header's free `__metadata__`, text to text.
using Metadata = std::map<std::string, std::string>;

/// The content of a file.
struct TensorFile {
  Metadata metadata;
  /// In the order of their bytes.
  std::vector<TensorData> tensors;

  /// Returns the text of that name in the metadata, or an empty string.
  std::string stated(const std::string &name) const;
  /// The tensor of that name, or null.
  const TensorData *find(const std::string &name) const;
};

/// Bytes per element of a dtype, 0 if it is unknown.
std::size_t tensorElementSize(const std::string &dtype);

/// Parses the content of a file. Returns an empty string, or an error that
/// names the violated rule. \p file is unchanged after an error.
std::string parseSafetensors(const std::string &content, TensorFile &file);

/// Returns the content of a file with these tensors, in their order, or sets \p
/// error (unknown dtype, bytes that do not match the shape, duplicate name).
std::string formatSafetensors(const TensorFile &file, std::string &error);

/// Writes a file atomically: a reader sees the old or the new content. Errors
/// start with the path.
std::string writeSafetensors(const std::string &path, const TensorFile &file);

} // namespace pruner

#endif // PRUNER_COSTMODEL_SAFETENSORS_H
