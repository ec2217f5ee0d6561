// RUN: pruner-opt %s --pruner-choose-sizes='target=known:xeon threads=1' -o %t 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: FileCheck %s --input-file=%t
