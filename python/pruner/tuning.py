#===- tuning.py - results of tuning runs ----------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a tuning run found: its trials, the schedule of each task, and the reasons."""

from __future__ import annotations

import os
import tempfile
import weakref
from typing import Any, Dict, List, Optional

from .database import Database, Records, html_table
from .progress import seconds_text


class TuneResult:
    """The result of `Module.tune`. It is true if the run completed, and false if the
    progress callback ended it.

    completed:  whether the run completed
    seconds:    duration of the run
    tasks:      the tasks of the module, with `schedule` and `seconds`
    report:     what pruner-tune printed, with the table at its end
    path:       the database
    """

    def __init__(self, completed: bool, seconds: float, tasks: List[Any], report: str,
                 path: str,
                 temporary: Optional[tempfile.TemporaryDirectory[str]] = None):
        """`temporary` is removed when this object is not used any more."""
        self.completed, self.seconds, self.tasks = completed, seconds, tasks
        self.report, self.path = report, path
        if temporary:
            weakref.finalize(self, temporary.cleanup)
        self._database: Optional[Database] = None

    def __bool__(self) -> bool:
        return self.completed

    @property
    def interrupted(self) -> bool:
        return not self.completed

    @property
    def database(self) -> Database:
        """The database, as it is at the first use of this property."""
        if self._database is None:
            self._database = Database(self.path)
        return self._database

    @property
    def trials(self) -> Records:
        """The candidates of this run in the order of measurement, including those that
        the database had when the run continued."""
        if not os.path.exists(self.path):
            return Records()
        keys = {task.key for task in self.tasks}
        own = [each for each in self.database.trials if each.key in keys]
        last = max(enumerate(own), key=lambda pair: (pair[1].timestamp, pair[0]),
                   default=(0, None))[1]
        return Records(sorted((each for each in own if last and each.run == last.run),
                              key=lambda each: each.trial))

    @property
    def best(self) -> Dict[str, Optional[str]]:
        """The schedule of each task by name; None where the untuned code is kept."""
        return {task.name: task.schedule for task in self.tasks}

    @property
    def reason(self) -> str:
        """Why the tasks have their schedules: the text of `pruner explain`."""
        keys = {task.key for task in self.tasks}
        return "\n".join(self.database.explain(task) for task in self.database.tasks
                         if task.key in keys)

    def to_dataframe(self) -> Any:
        """Return the trials as a pandas.DataFrame."""
        return self.trials.to_dataframe()

    def __repr__(self) -> str:
        end = "completed" if self.completed else "interrupted"
        return f"<tuning {end} after {self.seconds:.1f} s, {len(self.tasks)} tasks>"

    def _repr_html_(self) -> str:
        trials = self.trials
        rows = [(task.name, f"{task.weight:g}", sum(t.key == task.key for t in trials),
                 seconds_text(task.seconds) if task.seconds else "",
                 task.schedule or "untuned") for task in self.tasks]
        return html_table(("task", "weight", "trials", "time", "schedule"), rows)
