#===- arguments.py - options of commands ----------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parses the command line of the commands that are written in Python."""

import argparse
import difflib
import itertools
import sys


class ArgumentParser(argparse.ArgumentParser):
    """The standard parser. If an option is unknown it suggests the nearest one."""

    def parse_args(self, args=None, namespace=None):
        words = sys.argv[1:] if args is None else list(args)
        # The standard parser names missing arguments first, and a misspelled option may
        # be one of them.
        for word in itertools.takewhile(lambda word: word != "--", words):
            name, _, _ = word.partition("=")
            if name.startswith("--") and not any(
                    each.startswith(name) for each in self._option_string_actions):
                near = difflib.get_close_matches(name, self._option_string_actions, n=1)
                self.error(f"unknown option '{name}'" +
                           "".join(f"; did you mean '{each}'?" for each in near))
        return super().parse_args(words, namespace)
