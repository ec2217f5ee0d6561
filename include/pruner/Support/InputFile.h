//===- InputFile.h - bounded reads of files ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Users name files that may be anything: pipes, devices without an end, files
// larger than memory. All code that reads such a file as a whole reads it here.

#ifndef PRUNER_SUPPORT_INPUTFILE_H
#define PRUNER_SUPPORT_INPUTFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace pruner {

/// The largest file with names of arguments, and the largest module of
/// scheduled tasks, which may contain constants.
constexpr uint64_t kMaxNamesBytes = uint64_t(1) << 26,
                   kMaxSchedulesBytes = uint64_t(1) << 32;

/// Reads a file, pipe or device of at most `maxBytes` bytes. The errors do not
/// include the path.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInputFile(llvm::StringRef path, uint64_t maxBytes);

/// Opens a file of any size, or reads a pipe, a device or "-", which is stdin,
/// of at most 2 GiB.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
openInputFile(llvm::StringRef path);

} // namespace pruner

#endif // PRUNER_SUPPORT_INPUTFILE_H
