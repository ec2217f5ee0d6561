#===- progress.py - progress bars -----------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows the progress of a tuning run, in a terminal or a notebook.

    tuning |#########...............| 24/64  00:31, 00:52 left  1 failed  task_matmul 1.2 ms
"""

from __future__ import annotations

import shutil
import sys
import time
from typing import Any, Callable, NamedTuple, Optional, TextIO, Union


class Progress(NamedTuple):
    """The progress of a run: steps of a phase, trials that failed, and the task of the
    last step with its best seconds, if known."""

    phase: str
    done: int
    total: int
    failed: int
    task: str
    seconds: Optional[float]


# What `progress=` accepts: "auto" for a bar where somebody can see it, None for
# silence, or a function that may return False to end the run.
Observer = Union[None, str, Callable[[Progress], Any]]

LABELS = {"trials": "tuning", "defaults": "untuned code", "finals": "comparing",
          "network": "the network"}
_WIDTH = 24


def seconds_text(seconds: float) -> str:
    """Return a time with three digits and its unit."""
    for scale, unit in ((1, "s"), (1e3, "ms"), (1e6, "us"), (1e9, "ns")):
        if seconds * scale >= 1 or unit == "ns":
            return f"{seconds * scale:.3g} {unit}"
    return ""


def _clock(seconds):
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes:02}:{rest:02}"


class _Line:
    """The text of a bar. Each phase has its own clock."""

    def __init__(self):
        self.phase, self.start, self.first = "", 0.0, 0

    def __call__(self, now):
        clock = time.monotonic()
        if now.phase != self.phase:
            self.phase, self.start, self.first = now.phase, clock, now.done
        filled = _WIDTH * now.done // max(now.total, 1)
        words = [f"{LABELS.get(now.phase, now.phase)} |{'#' * filled}"
                 f"{'.' * (_WIDTH - filled)}| {now.done}/{now.total}"]
        spent, steps = clock - self.start, now.done - self.first
        left = f", {_clock(spent / steps * (now.total - now.done))} left" if (
            steps and now.done < now.total) else ""
        words.append(_clock(spent) + left)
        if now.failed:
            words.append(f"{now.failed} failed")
        if now.task:
            words.append(now.task + (f" {seconds_text(now.seconds)}" if now.seconds else ""))
        return "  ".join(words)


class TerminalBar:
    """Rewrites one line of a terminal for each phase."""

    def __init__(self, stream: Optional[TextIO] = None):
        self.stream, self.line, self.phase = stream or sys.stderr, _Line(), None

    def __call__(self, now: Progress) -> None:
        text = self.line(now)[:shutil.get_terminal_size().columns - 1]
        if self.phase not in (None, now.phase):
            self.stream.write("\n")
        self.phase = now.phase
        self.stream.write(f"\r\x1b[K{text}")
        self.stream.flush()

    def close(self) -> None:
        """End the line."""
        if self.phase is not None:
            self.stream.write("\n")
            self.stream.flush()


class NotebookBar:
    """Updates one output of a notebook's cell."""

    def __init__(self):
        self.line, self.handle = _Line(), None

    def __call__(self, now: Progress) -> None:
        from IPython.display import display

        content = {"text/plain": self.line(now)}
        if self.handle is None:
            self.handle = display(content, raw=True, display_id=True)
        else:
            self.handle.update(content, raw=True)

    def close(self) -> None:
        """Nothing to do: the output stays."""


def observer(progress: Observer) -> Optional[Callable[[Progress], Any]]:
    """Return the function that shows progress, or None."""
    if progress != "auto":
        if isinstance(progress, str):
            raise TypeError(f"progress must be 'auto', None or a function, not {progress!r}")
        return progress
    shell = sys.modules.get("IPython")
    if shell and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell":
        return NotebookBar()
    try:
        return TerminalBar() if sys.stderr.isatty() else None
    except (AttributeError, ValueError):  # It is None or closed.
        return None
