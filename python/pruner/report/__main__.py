#===- __main__.py - python -m pruner.report --------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from . import main

main()
