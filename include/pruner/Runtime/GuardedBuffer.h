//===- GuardedBuffer.h - memory that detects stray accesses -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RUNTIME_GUARDEDBUFFER_H
#define PRUNER_RUNTIME_GUARDEDBUFFER_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// An operand of a kernel under verification. Layout, by ascending addresses:
///
///     | fence | redzone | data | slack | fence |
///
/// The data start at a multiple of 64 bytes and end within 63 bytes of a fence.
/// Fences are inaccessible, so a read or write past the end faults (at once if
/// the size is a multiple of 64). The redzone before the data (at least 64
/// bytes) and the slack after it hold a pattern that `damage` checks, for
/// writes that do not fault. New data are poisoned.
///
/// Fences cost time where a vector extends past the end of the data and its
/// lanes there are masked out. Nothing faults, but some CPUs detect this slowly
/// (Zen 4: 190 to 500 ns for each load or store), whereas in a network other
/// tensors follow. Fences are therefore opened for timing.
class GuardedBuffer {
public:
  static constexpr size_t alignment = 64;
  /// Every byte of poison: a NaN in f64, f32, f16, bf16 and both f8 formats, -1
  /// in integers.
  static constexpr uint8_t poisonByte = 0xFF;

  /// Allocates `bytes` bytes (may be 0). std::nullopt if the system has no
  /// memory left.
  static std::optional<GuardedBuffer> allocate(size_t bytes);

  GuardedBuffer(GuardedBuffer &&other) noexcept;
  GuardedBuffer &operator=(GuardedBuffer &&other) noexcept;
  GuardedBuffer(const GuardedBuffer &) = delete;
  GuardedBuffer &operator=(const GuardedBuffer &) = delete;
  ~GuardedBuffer();

  void *data() const { return begin; }
  size_t size() const { return bytes; }
  template <typename T> T *as() const { return static_cast<T *>(data()); }

  /// Fills the data with poison, which reveals outputs that are never written
  /// and inputs that are read before they are set.
  void poison();

  /// Bytes of whole 4-byte words that still hold poison, counted from the
  /// start: the part of an output that was not written. Only valid for results
  /// that cannot be this NaN or -1 themselves.
  size_t poisonedBytes() const;

  /// Describes where the redzone, the slack or an open fence was overwritten,
  /// with the offset from the start of the data (negative before it).
  /// std::nullopt if nothing was.
  std::optional<std::string> damage() const;

  /// Makes the fences accessible, with the pattern in them, or inaccessible
  /// again. If this fails, they stay inaccessible.
  void open();
  void close();

private:
  GuardedBuffer() = default;
  void release();
  bool protectFences(int protection);
  /// The bytes that must not be written: from the first accessible one to the
  /// data, and after the data.
  uint8_t *first() const;
  uint8_t *last() const;

  uint8_t *mapping = nullptr; ///< The first byte of the lower fence.
  size_t mapped = 0;          ///< Bytes of the whole mapping.
  uint8_t *begin = nullptr;
  size_t bytes = 0;
  uint8_t *lower = nullptr; ///< First byte after the lower fence.
  uint8_t *upper = nullptr; ///< First byte of the upper fence.
  bool isOpen = false;
};

/// Opens the fences of buffers during its lifetime.
class OpenFences {
public:
  OpenFences() = default;
  OpenFences(const OpenFences &) = delete;
  OpenFences &operator=(const OpenFences &) = delete;
  ~OpenFences() {
    for (GuardedBuffer *buffer : buffers)
      buffer->close();
  }
  /// The buffer must outlive this.
  void of(GuardedBuffer &buffer) {
    buffer.open();
    buffers.push_back(&buffer);
  }

private:
  std::vector<GuardedBuffer *> buffers;
};

} // namespace pruner

#endif // PRUNER_RUNTIME_GUARDEDBUFFER_H
