//===- pruner-opt.cpp - main ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Tools/PrunerOpt/PrunerOptMain.h"

int main(int argc, char **argv) { return pruner::prunerOptMain(argc, argv); }
