//===- pruner-model.cpp - main --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dataset/ModelTool.h"

int main(int argc, char **argv) { return pruner::prunerModelMain(argc, argv); }
