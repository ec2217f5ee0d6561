//===- StandardStreams.cpp - stdin, stdout and stderr of tools ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/StandardStreams.h"
#include "pruner/Support/OutputFile.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

void pruner::reserveStandardStreams() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
      continue;
    // All below are open, so this one is the next.
    int opened = ::open("/dev/null", fd == 2 ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != fd)
      ::close(opened);
  }
}

int pruner::finishStdout(StringRef tool) {
  Error error = flushOutput(outs());
  if (!error)
    return 0;
  WithColor::error(errs(), tool)
      << "'stdout': " << toString(std::move(error)) << '\n';
  return 1;
}
