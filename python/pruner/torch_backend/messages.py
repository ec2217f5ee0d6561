#===- messages.py - warnings and the log of the backend --------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Warnings at the user's line, and the log.

The logger is `pruner.torch_backend`. TORCH_LOGS="pruner" shows what is compiled, and
TORCH_LOGS="+pruner" also the programs, because TORCH_LOGS accepts names of modules.
"""

import logging
import os
import sys
import warnings

log = logging.getLogger("pruner.torch_backend")

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class PrunerWarning(UserWarning):
    """A graph is not compiled, or a cached library was damaged."""


class Unsupported(Exception):
    """The reason why PyTorch runs a graph. `operation` is the one that cannot be compiled,
    as torch-mlir writes it (torch.aten.fft_rfft), if it is known."""

    def __init__(self, reason, operation=None):
        super().__init__(reason)
        self.operation = operation


def _user_level():
    """Return the `stacklevel` of the innermost frame that belongs neither to PyTorch nor
    to Pruner, for a warning by the caller's caller."""
    import torch

    own = tuple(os.path.join(each, "") for each in
                (_PACKAGE, os.path.dirname(os.path.abspath(torch.__file__))))
    frame, level = sys._getframe(2), 2
    while frame is not None:
        name = frame.f_code.co_filename
        # Generated code has names such as <string>.
        if not name.startswith("<") and not os.path.abspath(name).startswith(own):
            return level
        frame, level = frame.f_back, level + 1
    return 2


def warn(message):
    warnings.warn(message, PrunerWarning, stacklevel=_user_level())


def brief(error):
    """Return the first line of the reason of an error."""
    cause = error if isinstance(error, Unsupported) else (error.__cause__ or error)
    return str(cause).splitlines()[0] if str(cause) else type(cause).__name__
