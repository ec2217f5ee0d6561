//===- StandardStreams.cpp - stdin, stdout and stderr of tools ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/StandardStreams.h"
#include "pruner/Support/CommandLine.h"
#include "pruner/Support/OutputFile.h"

#include "llvm/Support/Signals.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace llvm;

/// Reports what cannot be written to stdout at the end of the program, for
/// example by `--help`. LLVM would abort when it destroys the stream.
static void checkStdoutAtExit() {
  if (pruner::finishStdout(program_invocation_short_name) != 0)
    ::_exit(1);
}

/// Twice what the tools need for the examples.
static constexpr rlim_t kLeastStackBytes = rlim_t(512) << 10;

static void checkStack() {
  rlimit limit;
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 ||
      limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= kLeastStackBytes)
    return;
  // LLVM's streams need more stack than there may be.
  std::fprintf(stderr,
               "%s: error: the stack is limited to %llu KiB ('ulimit -s'), "
               "expected at least %llu KiB\n",
               program_invocation_short_name,
               (unsigned long long)(limit.rlim_cur >> 10),
               (unsigned long long)(kLeastStackBytes >> 10));
  ::_exit(1);
}

void pruner::prepareProgram() {
  // Constructs the stream first: what was registered last comes first.
  (void)outs();
  static const int registered = std::atexit(checkStdoutAtExit);
  (void)registered;
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
      continue;
    // All below are open, so this one is the next.
    int opened = ::open("/dev/null", fd == 2 ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != fd)
      ::close(opened);
  }
  // Writing beyond the limit of a file (`ulimit -f`) then fails. LLVM's
  // handlers would end the program; they are installed once, here before they
  // are wanted.
  sys::SetInterruptFunction(nullptr);
  ::signal(SIGXFSZ, SIG_IGN);
  checkStack();
}

int pruner::failUsage(StringRef tool, const Twine &what) {
  std::string text = what.str();
  WithColor::error(errs(), tool) << text;
  if (text.empty() || text.back() != '?')
    errs() << "; see '" << tool << " --help'";
  errs() << '\n';
  return kExitUsage;
}

int pruner::finishStdout(StringRef tool) {
  Error error = flushOutput(outs());
  if (!error)
    return 0;
  WithColor::error(errs(), tool)
      << "'stdout': " << toString(std::move(error)) << '\n';
  return 1;
}
