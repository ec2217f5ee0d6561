#===- arguments.py - options of commands ----------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parses the command line of the commands that are written in Python."""

import argparse
import difflib


class ArgumentParser(argparse.ArgumentParser):
    """The standard parser. If an option is unknown it suggests the nearest one."""

    def parse_args(self, args=None, namespace=None):
        found, unknown = self.parse_known_args(args, namespace)
        if not unknown:
            return found
        given, _, _ = unknown[0].partition("=")
        if not given.startswith("-"):
            self.error(f"unexpected argument '{unknown[0]}'")
        near = difflib.get_close_matches(given, self._option_string_actions, n=1)
        self.error(f"unknown option '{given}'" +
                   "".join(f"; did you mean '{each}'?" for each in near))
        return found
