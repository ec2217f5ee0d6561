//===- Cases.cpp - run networks in child processes ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cases.h"

#include "pruner/Library/EmitLibrary.h"
#include "pruner/Tools/PrunerOpt/Registration.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/FileSystem.h"

#include <climits>
#include <cstring>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

CaseProgress *pruner::shareProgress() {
  void *shared = mmap(nullptr, sizeof(CaseProgress), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return shared == MAP_FAILED ? nullptr : new (shared) CaseProgress();
}

ChildEnd pruner::runChild(function_ref<void()> body) {
  outs().flush();
  errs().flush();
  pid_t child = fork();
  if (child < 0)
    return {true, std::string("cannot fork: ") + std::strerror(errno)};
  if (child == 0) {
    rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    // Ctrl-C on a terminal signals the whole group. The parent handles it; this
    // process ends with its case, or with the parent.
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    body();
    outs().flush();
    errs().flush();
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFSIGNALED(status)) {
    int signal = WTERMSIG(status);
    bool late = signal == SIGPROF || signal == SIGALRM;
    return {true, late ? "out of time" : strsignal(signal)};
  }
  if (WEXITSTATUS(status) != 0)
    return {true, "exit code " + std::to_string(WEXITSTATUS(status))};
  return {};
}

bool pruner::executableIsReplaced() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  // Linux adds this to the names of deleted files.
  return length > 0 && StringRef(path, size_t(length)).ends_with(" (deleted)");
}

TemporaryDirectory::TemporaryDirectory() {
  SmallString<128> made;
  if (!sys::fs::createUniqueDirectory("pruner-fuzz-networks", made))
    path = made.str().str();
}

TemporaryDirectory::~TemporaryDirectory() {
  if (!path.empty())
    sys::fs::remove_directories(path);
}

mlir::DialectRegistry &pruner::networkDialects() {
  static mlir::DialectRegistry registry;
  static bool filled = [] {
    registerDialects(registry);
    registerLibraryDialects(registry);
    return true;
  }();
  (void)filled;
  return registry;
}

mlir::DialectRegistry &pruner::libraryDialects() {
  static mlir::DialectRegistry registry;
  static bool filled = [] {
    registerLibraryDialects(registry);
    return true;
  }();
  (void)filled;
  return registry;
}

NetworkChoices pruner::choicesOf(const NetworkFuzzOptions &options,
                                 uint64_t number, uint64_t schedules,
                                 const std::string &directory) {
  NetworkChoices choices;
  choices.inputSeed = Random(options.seed).fork(2 * number).next();
  choices.random = Random(options.seed).fork(2 * number + 1).fork(schedules);
  choices.directory = directory;
  choices.chip = options.chip;
  choices.accuracy = options.accuracy;
  choices.wrongIf = options.wrongIf;
  return choices;
}
