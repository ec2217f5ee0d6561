//===- Safetensors.h - weight files, as data only ---------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights travel as safetensors: eight bytes with the little-endian length of
// a JSON header, the header (name -> dtype, shape, byte range), then the raw
// bytes. It is data and nothing else, so a file from a stranger can do no more
// than be refused. The reader therefore checks everything before it believes
// anything:
//
//   ST1  the header length is within the file and within kMaxHeaderBytes;
//   ST2  the header is one JSON object without duplicate names;
//   ST3  every entry has exactly dtype, shape and data_offsets;
//   ST4  the dtype is known, sizes are not negative and their product does not
//        overflow;
//   ST5  begin <= end <= size of the data, and end - begin is what dtype and
//        shape say;
//   ST6  the byte ranges cover the data exactly: no overlap, no hole, nothing
//        behind the last one.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_COSTMODEL_SAFETENSORS_H
#define PRUNER_COSTMODEL_SAFETENSORS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pruner {

/// Longest header that is accepted, in bytes (rule ST1).
constexpr std::uint64_t kMaxHeaderBytes = 1 << 20;
/// Largest file that is accepted, in bytes.
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

/// What a file holds.
struct TensorFile {
  /// The header's free `__metadata__`, text to text.
  std::map<std::string, std::string> metadata;
  /// In the order of their bytes.
  std::vector<TensorData> tensors;

  /// The tensor of that name, or null.
  const TensorData *find(const std::string &name) const;
};

/// Bytes per element of a dtype, 0 if it is unknown.
std::size_t tensorElementSize(const std::string &dtype);

/// Reads the content of a file. Returns an empty string, or which rule it
/// breaks. \p file is untouched after an error.
std::string parseSafetensors(const std::string &content, TensorFile &file);

/// Reads a file; errors start with its path.
std::string readSafetensors(const std::string &path, TensorFile &file);

/// The content of a file with these tensors, in their order, or an error in
/// \p error (an unknown dtype, bytes that do not fit the shape, a name twice).
std::string formatSafetensors(const TensorFile &file, std::string &error);

/// Writes a file, at once: a reader sees the old or the new content, never a
/// part. Errors start with the path.
std::string writeSafetensors(const std::string &path, const TensorFile &file);

} // namespace pruner

#endif // PRUNER_COSTMODEL_SAFETENSORS_H
