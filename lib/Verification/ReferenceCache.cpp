//===- ReferenceCache.cpp - references stored for other workers -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReferenceCache.h"

#include "pruner/Support/Hashing.h"
#include "pruner/Support/UniqueFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace llvm;
using namespace pruner;

// File format: 32 hex digits, the hash of the rest. The rest consists of
// doubles only: whether the first set is exact; then, per set and output, the
// numbers of elements, of bounds, of sets of special values and of 64-bit
// integers, followed by these.
// Integers are stored by their bits.

ReferenceCache::ReferenceCache(StringRef directory, StringRef key) {
  if (directory.empty())
    return;
  SmallString<128> file(directory);
  sys::path::append(file, key + ".reference");
  path = std::string(file);
}

bool ReferenceCache::load(const TaskProgram &task, Reference &reference) const {
  if (path.empty())
    return false;
  auto file = MemoryBuffer::getFile(path);
  if (!file)
    return false;
  StringRef text = (*file)->getBuffer();
  if (text.size() < 32 + sizeof(double) ||
      (text.size() - 32) % sizeof(double) ||
      contentHash(text.drop_front(32)) != text.take_front(32))
    return false;
  std::vector<double> data((text.size() - 32) / sizeof(double));
  std::memcpy(data.data(), text.data() + 32, text.size() - 32);
  size_t next = 0;
  auto take = [&](std::vector<double> &out, double count) {
    if (!(count >= 0 && count <= double(data.size() - next)))
      return false;
    out.assign(data.begin() + next, data.begin() + next + size_t(count));
    next += size_t(count);
    return true;
  };
  bool exact = data[next++] != 0;
  std::vector<std::vector<ExpectedOutput>> sets;
  for (size_t set = 0; set < reference.sets.size(); ++set) {
    sets.emplace_back();
    for (const TensorSpec &spec : task.outputs()) {
      if (data.size() - next < 4)
        return false;
      double elements = data[next], bounds = data[next + 1],
             others = data[next + 2], integers = data[next + 3];
      next += 4;
      ExpectedOutput output;
      std::vector<double> special, bits;
      if (elements != double(spec.elements()) ||
          (bounds != 0 && bounds != elements) ||
          (others != 0 && others != elements) || !take(output.want, elements) ||
          integers != (spec.type == ElementType::I64 ? elements : 0) ||
          !take(output.bound, bounds) || !take(special, others) ||
          !take(bits, integers))
        return false;
      for (double set : special) {
        if (!(set >= 0 && set <= (NotANumber | PlusInfinity | MinusInfinity)))
          return false;
        output.others.push_back(uint8_t(set));
      }
      output.integers.resize(bits.size());
      if (!bits.empty())
        std::memcpy(output.integers.data(), bits.data(),
                    bits.size() * sizeof(double));
      sets.back().push_back(std::move(output));
    }
  }
  if (next != data.size())
    return false;
  for (auto [set, outputs] : zip(reference.sets, sets))
    set.outputs = std::move(outputs);
  if (reference.numerics.exact && !exact) {
    reference.numerics.exact = false;
    reference.numerics.inexactBecause =
        "the sums exceed the exact range of their type";
  }
  return true;
}

void ReferenceCache::store(const Reference &reference) const {
  if (path.empty())
    return;
  std::vector<double> data{reference.numerics.exact ? 1.0 : 0.0};
  for (const ReferenceSet &set : reference.sets)
    for (const ExpectedOutput &output : set.outputs) {
      data.push_back(double(output.want.size()));
      data.push_back(double(output.bound.size()));
      data.push_back(double(output.others.size()));
      data.push_back(double(output.integers.size()));
      data.insert(data.end(), output.want.begin(), output.want.end());
      data.insert(data.end(), output.bound.begin(), output.bound.end());
      data.insert(data.end(), output.others.begin(), output.others.end());
      size_t end = data.size();
      data.resize(end + output.integers.size());
      if (!output.integers.empty())
        std::memcpy(data.data() + end, output.integers.data(),
                    output.integers.size() * sizeof(double));
    }
  StringRef bytes(reinterpret_cast<const char *>(data.data()),
                  data.size() * sizeof(double));
  // Written to a temporary file and renamed, so that a reader sees all of it or
  // nothing.
  SmallString<128> temporary;
  int fd;
  if (createUniqueFile(path + ".", "", fd, temporary,
                       sys::fs::owner_read | sys::fs::owner_write))
    return;
  raw_fd_ostream os(fd, /*shouldClose=*/true);
  os << contentHash(bytes) << bytes;
  os.close();
  bool failed = os.has_error();
  os.clear_error();
  if (failed || sys::fs::rename(temporary, path))
    sys::fs::remove(temporary);
}
