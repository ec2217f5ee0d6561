//===- Multicall.cpp - several tools in one executable --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the tools' object files each `main` was renamed, and the static
// constructors of each tool were moved to a section of their own, which the
// dynamic loader does not run, because two tools may declare the same option.
// Only the constructors of the tool that is started run.
//
// The GPU kit has one executable, and its name selects the tool. The
// executables are hard links, so that /proc/self/exe names the tool too. The
// Python wheel has one shared library, which executables of a few kilobytes
// call with a name.

#include <cstdio>
#include <cstring>

namespace {
using Constructor = void (*)(int, char **, char **);

struct Tool {
  const char *name;
  int (*main)(int, char **);
  Constructor *begin, *end; ///< Null for a tool without constructors.
};
} // namespace

// The linker defines the bounds of a section whose name is an identifier.
#define TOOL(id, name)                                                         \
  extern "C" int id##_main(int, char **);                                      \
  extern "C" __attribute__((weak)) Constructor __start_##id##_constructors[];  \
  extern "C" __attribute__((weak)) Constructor __stop_##id##_constructors[];
#include PRUNER_TOOL_LIST
#undef TOOL

static const Tool tools[] = {
#define TOOL(id, name)                                                         \
  {name, id##_main, __start_##id##_constructors, __stop_##id##_constructors},
#include PRUNER_TOOL_LIST
#undef TOOL
};

extern "C" __attribute__((visibility("default"))) int
prunerRunTool(const char *name, int argc, char **argv, char **environment) {
  for (const Tool &tool : tools) {
    if (std::strcmp(name, tool.name))
      continue;
    for (Constructor *constructor = tool.begin; constructor != tool.end;
         ++constructor)
      (*constructor)(argc, argv, environment);
    return tool.main(argc, argv);
  }
  std::fprintf(stderr,
               "error: '%s' is not one of the tools in this file:", name);
  for (const Tool &tool : tools)
    std::fprintf(stderr, " %s", tool.name);
  std::fprintf(stderr, "\n");
  return 1;
}

#ifndef PRUNER_SHARED
int main(int argc, char **argv, char **environment) {
  const char *slash = argc > 0 ? std::strrchr(argv[0], '/') : nullptr;
  const char *name = slash ? slash + 1 : argc > 0 ? argv[0] : "";
  return prunerRunTool(name, argc, argv, environment);
}
#endif
