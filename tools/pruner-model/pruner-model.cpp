//===- pruner-model.cpp - main --------------------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Dataset/ModelTool.h"

int main(int argc, char **argv) { return pruner::prunerModelMain(argc, argv); }
