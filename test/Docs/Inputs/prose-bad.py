# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what the weights know.

    code that stands in a block is not checked

The block ends here.
"""

NAME = "beside"  # A name is not prose, but a comment beside it
# is, and None is no word here: of others.
print(f"the file {NAME} is left alone, and there is none")
