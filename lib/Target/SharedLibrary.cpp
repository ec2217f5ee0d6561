//===- SharedLibrary.cpp - link objects to a shared library ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Target/SharedLibrary.h"

#include "TemporaryFile.h"
#include "pruner/Support/CodeDirectory.h"
#include "pruner/Support/FindProgram.h"
#include "pruner/Support/OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <deque>

using namespace pruner;
using namespace llvm;

Expected<std::string> pruner::findLinker(StringRef linker) {
  if (!linker.empty()) {
    if (std::optional<std::string> found = findProgram(linker))
      return *found;
    return createStringError("the linker '" + linker +
                             "' was not found, or is not executable");
  }
  // A compiler in PATH may lack the C library's development files.
  if (std::optional<std::string> directory = codeDirectory()) {
    SmallString<128> path(*directory);
    sys::path::append(path, "..", "bin", "ld.lld");
    sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    if (sys::fs::can_execute(path))
      return path.str().str();
  }
  for (const char *name :
       {"cc", "gcc", "clang", "clang-22", "ld.lld", "ld.lld-22", "ld"})
    if (std::optional<std::string> found = findProgram(name))
      return *found;
  return createStringError(
      "a shared library needs a linker, and none of cc, gcc, clang, ld.lld and "
      "ld is in PATH (Debian and Ubuntu: package gcc or lld-22)");
}

Error pruner::checkTemporaryDirectory() {
  TemporaryFile probe;
  return probe.create("o");
}

/// True for a linker, which takes its options directly; a driver needs
/// -Xlinker.
static bool isBareLinker(StringRef program) {
  StringRef name = sys::path::filename(program);
  return name == "ld" || name.starts_with("ld.") || name.starts_with("ld-") ||
         name.starts_with("mold");
}

static std::string versionScript(ArrayRef<std::string> exports) {
  std::string text = "{\n";
  if (!exports.empty())
    text += "global:\n";
  for (const std::string &symbol : exports)
    text += "  " + symbol + ";\n";
  return text + "local:\n  *;\n};\n";
}

/// Runs the linker. Its output is the error.
static Error runLinker(const std::string &program,
                       const std::vector<std::string> &arguments) {
  TemporaryFile report;
  if (Error error = report.create("txt"))
    return error;
  std::vector<StringRef> words(arguments.begin(), arguments.end());
  std::string message;
  std::optional<StringRef> redirects[] = {StringRef(""), report.path.str(),
                                          report.path.str()};
  int status =
      sys::ExecuteAndWait(program, words, std::nullopt, redirects,
                          /*SecondsToWait=*/300, /*MemoryLimit=*/0, &message);
  if (status == 0)
    return Error::success();
  std::string text = report.read();
  return createStringError(program + " failed" +
                           (message.empty() ? "" : ": " + message) +
                           (text.empty() ? "" : ":\n" + text));
}

Error pruner::linkSharedLibrary(ArrayRef<ArrayRef<char>> objects,
                                const std::string &output,
                                const LinkOptions &options) {
  Expected<std::string> program = findLinker(options.linker);
  if (!program)
    return program.takeError();

  std::deque<TemporaryFile> files; // Does not move its elements when it grows.
  TemporaryFile script;
  if (Error error = script.create("map"))
    return error;
  if (Error error = script.write(versionScript(options.exports)))
    return error;

  std::vector<std::string> arguments;
  bool bare = isBareLinker(*program);
  // -Wl would split paths at commas.
  auto pass = [&](const std::string &option) {
    if (!bare)
      arguments.push_back("-Xlinker");
    arguments.push_back(option);
  };
  for (const char *option :
       {"-z", "defs", "-z", "noexecstack", "-Bsymbolic", "--gc-sections"})
    pass(option);
  pass("--version-script=" + script.path.str().str());
  for (ArrayRef<char> object : objects) {
    TemporaryFile &file = files.emplace_back();
    if (Error error = file.create("o"))
      return error;
    if (Error error = file.write(StringRef(object.data(), object.size())))
      return error;
    arguments.push_back(file.path.str().str());
  }
  if (!options.archives.empty()) {
    pass("--whole-archive");
    for (const std::string &archive : options.archives)
      arguments.push_back(archive);
    pass("--no-whole-archive");
  }
  if (bare) {
    std::vector<std::string> parts;
    for (const char *directory :
         {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64",
          "/usr/lib64", "/usr/lib"})
      if (sys::fs::is_directory(directory)) {
        arguments.push_back(std::string("-L") + directory);
        // Before 2.34 they were not part of glibc's libc.so.6.
        for (const char *part : {"libpthread.so.0", "libdl.so.2"})
          if (sys::fs::exists(Twine(directory) + "/" + part) &&
              !is_contained(parts, "-l:" + std::string(part)))
            parts.push_back("-l:" + std::string(part));
      }
    arguments.insert(arguments.end(), {"-l:libm.so.6", "-l:libc.so.6",
                                       "-l:ld-linux-x86-64.so.2"});
    arguments.push_back("--as-needed");
    arguments.insert(arguments.end(), parts.begin(), parts.end());
  } else {
    arguments.insert(arguments.end(), {"-lm", "-lpthread"});
    pass("--as-needed");
    arguments.push_back("-ldl");
  }
  Error error = replaceOutputFile(output, [&](StringRef temporary) -> Error {
    std::vector<std::string> all = {*program, "-shared", "-o", temporary.str()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    if (Error error = runLinker(*program, all))
      return error;
    sys::fs::file_status made;
    if (!sys::fs::status(temporary, made) && sys::fs::is_regular_file(made) &&
        made.getSize() == 0)
      return createStringError(*program + " wrote nothing");
    return Error::success();
  });
  return error ? createStringError("'" + output +
                                   "': " + toString(std::move(error)))
               : Error::success();
}
