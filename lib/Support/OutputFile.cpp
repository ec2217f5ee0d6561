//===- OutputFile.cpp - files that are there whole or not at all ----------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Support/OutputFile.h"

#include "llvm/Support/FileSystem.h"

using namespace llvm;
using namespace pruner;

Error pruner::flushOutput(raw_fd_ostream &os) {
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  if (!code)
    return Error::success();
  return createStringError("cannot write: " + code.message());
}

Error pruner::writeOutputFile(StringRef path,
                              function_ref<Error(raw_ostream &)> write) {
  auto writeAll = [&](raw_fd_ostream &os) {
    Error error = write(os);
    return joinErrors(std::move(error), flushOutput(os));
  };
  // writeToOutput would put a file in the place of these.
  if (path != "-" && sys::fs::exists(path) && !sys::fs::is_regular_file(path)) {
    std::error_code code;
    raw_fd_ostream os(path, code);
    return code ? createStringError("cannot write: " + code.message())
                : writeAll(os);
  }
  // Its streams are all of files. It closes one that it gives up before it
  // destroys it: what is left in the buffer then would abort.
  return writeToOutput(path, [&](raw_ostream &os) {
    return writeAll(static_cast<raw_fd_ostream &>(os));
  });
}
