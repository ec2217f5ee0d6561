//===- FuzzLibraries.cpp - headers of shared libraries --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Programs pass accepted files to dlopen(). This test does not, because that
// would run the code of the input.

#include "OpenLibrary.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"

#include <cstdlib>

using namespace llvm;

static void require(bool condition) {
  if (!condition)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  if (Error error = pruner::checkLibrary(text)) {
    consumeError(std::move(error));
    return 0;
  }
  // dlopen() maps the segments at the offsets in the program headers.
  require(size >= sizeof(ELF::Elf64_Ehdr));
  ELF::Elf64_Ehdr header;
  std::memcpy(&header, data, sizeof(header));
  for (unsigned n = 0; n < header.e_phnum; ++n) {
    ELF::Elf64_Phdr segment;
    uint64_t at = header.e_phoff + uint64_t(n) * header.e_phentsize;
    require(at <= size && size - at >= sizeof(segment));
    std::memcpy(&segment, data + at, sizeof(segment));
    require(segment.p_offset <= size &&
            segment.p_filesz <= size - segment.p_offset);
  }
  return 0;
}
