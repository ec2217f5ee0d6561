//===- OpenLibraryTest.cpp - headers of shared libraries ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpenLibrary.h"

#include "llvm/BinaryFormat/ELF.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace llvm;

namespace {
/// A library that is nothing but its headers.
struct Library {
  ELF::Elf64_Ehdr header = {};
  ELF::Elf64_Phdr segment = {};
  ELF::Elf64_Shdr section = {};

  Library() {
    std::memcpy(header.e_ident, "\177ELF\2\1\1", 7);
    header.e_type = ELF::ET_DYN;
    header.e_version = 1;
    header.e_phoff = sizeof(header);
    header.e_shoff = sizeof(header) + sizeof(segment);
    header.e_phentsize = sizeof(segment);
    header.e_shentsize = sizeof(section);
    header.e_phnum = header.e_shnum = 1;
    segment.p_type = ELF::PT_LOAD;
    segment.p_filesz = sizeof(Library);
  }

  /// Why it is rejected; empty if it is not.
  std::string problem() const {
    const char *bytes = reinterpret_cast<const char *>(this);
    return toString(pruner::checkLibrary(StringRef(bytes, sizeof(Library))));
  }
};
} // namespace

TEST(OpenLibrary, SegmentsOutsideOfTheFileAreRejected) {
  Library library;
  EXPECT_EQ("", library.problem());
  library.segment.p_filesz = sizeof(Library) + 1;
  EXPECT_NE("", library.problem());
}

// ELF then has the number in a section, but dlopen() takes the header's.
TEST(OpenLibrary, SegmentsThatTheHeaderDoesNotCountAreRejected) {
  Library library;
  library.header.e_phnum = ELF::PN_XNUM;
  EXPECT_EQ("its header counts too many segments", library.problem());
}
