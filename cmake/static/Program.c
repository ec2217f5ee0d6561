//===- Program.c - an executable of the wheel -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wheels have no links, so each tool is an executable that contains only its
// name. The code is in libPrunerC.so.

int prunerRunTool(const char *name, int argc, char **argv, char **environment);

int main(int argc, char **argv, char **environment) {
  return prunerRunTool(PRUNER_TOOL_NAME, argc, argv, environment);
}
