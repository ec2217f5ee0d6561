#===- database.py - tuning databases --------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads tuning databases, through `pruner db` and `pruner explain`.

    database = pruner.Database("tuning.db")
    for task in database.tasks:
        print(task.name, database.best(task))
    frame = database.to_dataframe()            # one row for each record
"""

from __future__ import annotations

import html
import json
import os
import statistics
import subprocess
from typing import Any, Callable, Iterable, List, NamedTuple, Optional, Union

from . import programs
from .native import PrunerError, candidates
from .progress import seconds_text

_FINALS = ("final", "network-final")
# Records that no search proposed: also schedules of other builds, verified again.
_NOT_SEARCHED = (*_FINALS, "reverified")


class TaskInfo(NamedTuple):
    """A task of a database. `flops` and `bytes` are those of one call; `text` is its
    MLIR."""

    name: str
    key: str
    flops: float
    bytes: float
    text: str


class Record(NamedTuple):
    """A measurement. `strategy` is that of the search, or "final" or "network-final" in
    a head-to-head comparison. `schedule` is "default" for the untuned code. `seconds` is
    the median time of one call, None for a failure, whose `reason` is a text."""

    task: str
    key: str
    run: str
    trial: int
    strategy: str
    schedule: str
    status: str
    reason: str
    seconds: Optional[float]
    verified: bool
    predicted: Optional[float]  # Seconds, by the analytical model.
    score: Optional[float]  # By the learned model; larger is faster.
    target: str
    machine: str
    options: str
    timestamp: str

    @property
    def is_trial(self) -> bool:
        """Whether it is a candidate of the search."""
        return self.strategy not in _NOT_SEARCHED and self.schedule != "default"


class Records(List[Record]):
    """A list of records that converts to a table."""

    def to_dataframe(self) -> Any:
        """Return a pandas.DataFrame with one row for each record. Needs pandas."""
        try:
            import pandas
        except ImportError as error:
            raise PrunerError(f"the package 'pandas' cannot be imported ({error}); "
                              "install it: pip install pandas") from error
        return pandas.DataFrame(list(self), columns=Record._fields)

    def _repr_html_(self) -> str:
        shown = self[:50]
        rows = [(r.task, r.trial, r.strategy, r.status,
                 seconds_text(r.seconds) if r.seconds else "", r.schedule) for r in shown]
        rest = f"<p>... and {len(self) - len(shown)} more</p>" if len(self) > 50 else ""
        return html_table(("task", "trial", "strategy", "status", "time", "schedule"),
                          rows) + rest


def html_table(heads: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as an HTML table."""
    def line(tag, cells):
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>"
                                for cell in cells) + "</tr>"
    return "<table>" + line("th", heads) + "".join(line("td", row) for row in rows) + "</table>"


def _program() -> str:
    """Return the path of the program `pruner`: of the library that this package uses,
    else of the package, else on the PATH."""
    places = [library.parents[1] / "bin" for library in candidates()] + programs.places()
    for place in places:
        if os.access(place / "pruner", os.X_OK):
            return str(place / "pruner")
    found = programs.which("pruner")
    if not found:
        raise PrunerError("the program 'pruner' was not found: tried "
                          + ", ".join(map(str, places)) + " and the PATH")
    return found


def _run(*words: Union[str, os.PathLike[str]]) -> str:
    """Run `pruner` and return its output. Raise `PrunerError` with its message."""
    try:
        done = subprocess.run([_program(), *words], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False, text=True,
                              errors="replace")
    except OSError as error:
        raise PrunerError(f"pruner: {error.strerror}") from None
    # A damaged database is exported as far as it is valid.
    if done.returncode and not done.stdout:
        raise PrunerError(done.stderr.strip() or f"pruner {words[0]} failed")
    return done.stdout


class Database:
    """An existing database. It is read when it is opened, and by `reload`."""

    tasks: List[TaskInfo]
    records: Records

    def __init__(self, path: Union[str, os.PathLike[str]]):
        self.path = os.path.abspath(os.fspath(path))
        self.reload()

    def __repr__(self) -> str:
        return (f"<database {self.path}: {len(self.tasks)} tasks, "
                f"{len(self.records)} records>")

    def reload(self) -> None:
        """Read the file again."""
        self.tasks, self.records, names = [], Records(), {}
        for line in _run("db", "export", self.path).splitlines():
            entry = json.loads(line)
            part = entry["pruner"]
            if part["kind"] == "task":
                names[part["key"]] = part["name"]
                self.tasks.append(TaskInfo(part["name"], part["key"], part["flops"],
                                           part["bytes"], part["text"]))
                continue
            value = {each["name"]: each["value"] for each in entry["measurements"]}
            good = part["status"] == "ok" and part["times"]
            self.records.append(Record(
                names[part["task"]], part["task"], part["run"], part["trial"],
                part["strategy"], entry["configuration"]["schedule"], part["status"],
                part["reason"], statistics.median(part["times"]) if good else None,
                part["verified"], value.get("psa_latency"), value.get("predicted_score"),
                part["target"], part["machine"], part["pipeline_options"],
                entry["timestamp"]))

    @property
    def trials(self) -> Records:
        """The records of candidates: no defaults, no head-to-head comparisons."""
        return Records(each for each in self.records if each.is_trial)

    def _key(self, task):
        name = getattr(task, "key", task)
        found = {each.key for each in self.tasks
                 if name == each.name or each.key.startswith(name)}
        if len(found) != 1:
            raise PrunerError(f"{self.path} has {len(found)} tasks '{name}'")
        return found.pop()

    def best(self, task: Any, target: str = "cpu",
             where: Optional[Callable[[Record], bool]] = None) -> Optional[Record]:
        """Return the record with the best schedule of a task, or None.

        `task` is a task of this database or of a module, a name, or the beginning of a
        key. The latest head-to-head comparison decides if there was one, else the
        fastest verified trial. Times of different machines or options are not
        comparable: `where` may select records."""
        key = self._key(task)
        known = [each for each in self.records if each.key == key and each.target == target
                 and each.seconds and (where is None or where(each))]
        finals = [each for each in known if each.strategy in _FINALS]
        if finals:
            latest = max(enumerate(finals), key=lambda pair: (pair[1].timestamp, pair[0]))[1]
            known = [each for each in finals if each.run == latest.run]
        return min((each for each in known if each.verified),
                   key=lambda each: each.seconds or 0, default=None)

    def explain(self, task: Any = None) -> str:
        """Return why tasks have their schedules: the text of `pruner explain`."""
        words = [] if task is None else [f"--task={self._key(task)}"]
        return _run("explain", *words, self.path)

    def to_dataframe(self) -> Any:
        """Return all records as a pandas.DataFrame."""
        return self.records.to_dataframe()

    def _repr_html_(self) -> str:
        rows = []
        for task in self.tasks:
            best = self.best(task)
            own = [each for each in self.records if each.key == task.key and each.is_trial]
            rows.append((task.name, len(own), sum(each.seconds is None for each in own),
                         seconds_text(best.seconds) if best and best.seconds else "",
                         best.schedule if best else ""))
        return html_table(("task", "trials", "failed", "best", "schedule"), rows)

    def merge(self, *others: Union[str, os.PathLike[str]]) -> None:
        """Add the records of other databases to the file."""
        _run("db", "merge", self.path, *map(os.path.abspath, others))
        self.reload()

    def export(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write the file `path` in the exchange format, lines of JSON."""
        _run("db", "export", self.path, "-o", os.path.abspath(path))
