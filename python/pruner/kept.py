#===- kept.py - what is computed from memory, kept by its content ---------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""A result that is kept as long as the memory it was computed from holds the same.

Nothing else tells whether weights were written: PyTorch counts no write through
`.data`, none by NumPy or C, and none of another view of the same memory. So what they
hold is hashed in each call, at about the speed of memory.
"""

from .native import hash_memory


class KeptByContent:
    """Results by the memory that they were computed from: several sets of weights may
    take turns, as where layers share one function. Those whose memory was given back
    are forgotten when another set comes."""

    def __init__(self, threads=1, frozen=False):
        """`threads` read the memory. With `frozen` the caller promises that nobody
        writes there, and nothing is read."""
        self.threads, self.frozen = threads, frozen
        self.kept = {}  # By place: what tells whether it is gone, the hash, the result.

    def __call__(self, place, blocks, gone, compute):
        """The result of `compute()` for memory at `place`, something hashable:
        addresses, and how the bytes are read. `blocks()` gives addresses and numbers of
        bytes; `gone` is called later and says whether any of it was given back."""
        known = self.kept.get(place)
        if known and self.frozen and not known[0]():
            return known[2]
        content = None if self.frozen else hash_memory(blocks(), self.threads)
        if known and not self.frozen and known[1] == content:
            return known[2]
        result = compute()
        self.kept = {each: value for each, value in self.kept.items() if not value[0]()}
        self.kept[place] = gone, content, result
        return result
