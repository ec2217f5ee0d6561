#===- module.py - modules, tasks and models ------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles modules from text to a library, in this process.

    module = pruner.Module.open("model.mlir")
    module.tune(trials=200, threads=1, db="tuning.db", progress=print)
    module.lower(threads=1)
    module.compile("net.so")

This is a thin layer over libPrunerC (`pruner.native`). include/pruner-c documents the
calls, and `pruner-opt --help` the options of passes, which are keyword arguments here.
Use a module and its tasks from one thread at a time.
"""

from __future__ import annotations

import atexit
import collections
import ctypes
import json
import operator
import os
import re
import sys
import tempfile
import threading
import time
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

from .native import (CompileOptions, DiagnosticCallback, Handle, PrunerError,
                     StringCallback, TuneCallback, library)
from .progress import NotebookBar, Observer, Progress, TerminalBar, observer
from .tuning import TuneResult

_Path = Union[str, bytes, "os.PathLike[str]"]

Diagnostic = collections.namedtuple("Diagnostic", "severity location message")

_SEVERITIES = ("error", "warning", "remark", "note")
_CANCELLED = 2
# For the batch that is measured when the interpreter exits.
_SECONDS_TO_END = 20


def _c_text(value, what):
    """A str, bytes or path as a string of C, which ends at the first zero byte."""
    text = os.fsencode(value)
    if b"\0" in text:
        raise PrunerError(f"{what} must not have a zero byte: {value!r}")
    return text


def _whole(value, what, bits):
    """A whole number that a C parameter can hold: ctypes cuts off what it cannot."""
    number = operator.index(value)
    if not 0 <= number < 1 << bits:
        raise PrunerError(f"{what} must be from 0 to {(1 << bits) - 1}, but it is {number}")
    return number


def _value_text(value):
    """A value of an option; a list is its elements with commas between."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return ",".join(map(_value_text, value))
    return os.fsdecode(value) if isinstance(value, (bytes, os.PathLike)) else str(value)


def _option_text(options):
    """Return keywords as options of a pass: name=value, with hyphens in names."""
    words = []
    for name, value in options.items():
        if value is None:
            continue
        if not name.isidentifier():
            raise PrunerError(f"there is no option {name!r}")
        text = _value_text(value)
        if any(c.isspace() or c in "'\"{}" for c in text):
            if "'" in text:
                raise PrunerError(f"option '{name}': values must not contain quotes")
            text = f"'{text}'"
        words.append(f"{name.replace('_', '-')}={text}")
    return _c_text(" ".join(words), "an option")


class _Pieces:
    """Collects the strings that a StringCallback receives."""

    def __init__(self):
        self.pieces = []
        self.callback = StringCallback(
            lambda text, length, _: self.pieces.append(ctypes.string_at(text, length)))

    def joined(self):
        return b"".join(self.pieces)


def _destroy(owner, name, function, library=library):
    """Destroy a handle and set it to null. The garbage collector runs finalizers in any
    order, so an object may be used after its finalizer."""
    handle = owner.__dict__.get(name)
    if handle and handle.ptr:
        setattr(owner, name, Handle())
        getattr(library(), function)(handle)


_runs: List[threading.Event] = []  # An event for the end of each run.


@atexit.register
def _end_runs():
    """Ends runs of daemon threads: the interpreter ends threads that call back when it
    is gone, in the middle of a run."""
    for running in list(_runs):
        library().prunerStopTuning()
        running.wait(_SECONDS_TO_END)


class _Context:
    """A context and its diagnostics."""

    def __init__(self):
        self.library = library()
        self.diagnostics: List[Diagnostic] = []
        self.handle = self.library.prunerContextCreate()
        if not self.handle.ptr:
            raise PrunerError("cannot create a context")
        # A local, because a reference to self would form a cycle.
        said = self.diagnostics
        self._callback = DiagnosticCallback(
            lambda severity, place, message, _: said.append(Diagnostic(
                _SEVERITIES[severity], place.decode(errors="replace"),
                message.decode(errors="replace"))))
        self.library.prunerContextSetDiagnosticCallback(self.handle, self._callback, None)

    def __del__(self):
        _destroy(self, "handle", "prunerContextDestroy")

    def error(self):
        said = self.library.prunerContextGetError(self.handle).decode(
            errors="replace")
        return PrunerError(said if said and self.handle.ptr else "the object was destroyed")

    def check(self, status):
        if status:
            raise self.error()

    def checked(self, handle):
        if not handle.ptr:
            raise self.error()
        return handle


class Module:
    """An MLIR module. Create it with `open` or `parse`."""

    def __init__(self, context, handle):
        self._context, self._handle = context, handle
        self._library = context.library

    def __del__(self):
        _destroy(self, "_handle", "prunerModuleDestroy")

    @classmethod
    def open(cls, path: _Path) -> Module:
        """Read a module from a file of text or bytecode."""
        context = _Context()
        return cls(context, context.checked(context.library.prunerModuleParseFile(
            context.handle, _c_text(path, "a path"))))

    @classmethod
    def parse(cls, data: Union[str, bytes], name: str = "module") -> Module:
        """Parse a module from a str, or from bytes of text or bytecode."""
        context = _Context()
        # bytes() of a number would be as many zeros.
        data = data.encode() if isinstance(data, str) else bytes(memoryview(data))
        return cls(context, context.checked(context.library.prunerModuleParse(
            context.handle, data, len(data), _c_text(name, "a name"))))

    def clone(self) -> Module:
        handle = self._library.prunerModuleClone(self._handle)
        if not handle.ptr:
            raise PrunerError("cannot create a module")
        return Module(self._context, handle)

    def __copy__(self) -> Module:
        return self.clone()

    def __deepcopy__(self, memo: Any) -> Module:
        return self.clone()

    def __reduce__(self) -> Any:
        raise TypeError("a Module cannot be pickled; pickle its bytecode()")

    @property
    def diagnostics(self) -> List[Diagnostic]:
        """All diagnostics so far, as tuples (severity, location, message)."""
        return self._context.diagnostics

    def _text(self, function):
        pieces = _Pieces()
        self._context.check(function(self._handle, pieces.callback, None))
        return pieces.joined()

    def __str__(self) -> str:
        return self._text(self._library.prunerModulePrint).decode()

    def bytecode(self) -> bytes:
        return self._text(self._library.prunerModuleWriteBytecode)

    def run(self, passes: str) -> Module:
        """Run passes, in the syntax of `pruner-opt --pass-pipeline`."""
        self._context.check(
            self._library.prunerModuleRunPasses(
                self._handle, _c_text(passes, "a pipeline")))
        return self

    def tasks(self) -> List[Task]:
        """Return a list of `Task`. Extracts tasks first if the module has none."""
        tasks = _Tasks(self._context, self._context.checked(
            self._library.prunerModuleExtractTasks(self._handle)))
        size = self._library.prunerTasksGetSize(tasks.handle)
        return [Task(tasks, self._library.prunerTasksGet(tasks.handle, n))
                for n in range(size)]

    def tune(self, progress: Observer = "auto",
             log: Optional[Callable[[str], Any]] = None, **options: Any) -> TuneResult:
        """Run `pruner-tune`: trials=64, db="", target="cpu", threads=0, accuracy="", ...

        `progress` is called with a `Progress` at the start of each phase and after each
        batch. The run ends early if it returns False or raises, and on Ctrl-C. "auto"
        draws a bar if stderr is a terminal and in notebooks; None draws nothing. `log`
        receives what pruner-tune prints.

        Return a `TuneResult`, which is true if the run completed. Measurements are in
        the database in either case; without `db`, in one that lives as long as the
        result."""
        start, shown = time.monotonic(), observer(progress)
        temporary = None
        if not options.get("db"):
            temporary = tempfile.TemporaryDirectory(prefix="pruner-tune-")
            options["db"] = os.path.join(temporary.name, "tuning.db")
        path = os.path.abspath(os.fsdecode(options["db"]))
        report: List[str] = []

        def keep(text):
            report.append(text)
            if log:
                log(text)

        try:
            completed = self._tune(shown, keep, options)
        except BaseException:
            if temporary:
                temporary.cleanup()
            raise
        finally:
            if isinstance(shown, (NotebookBar, TerminalBar)) and shown is not progress:
                shown.close()
        return TuneResult(completed, time.monotonic() - start, self.clone().tasks(),
                          "".join(report), path, temporary)

    def _tune(self, progress, log, options):
        """Run `pruner-tune` and return whether it completed."""
        raised = []
        process = os.getpid()

        def told(status, _):
            try:
                now = status.contents
                seconds = now.seconds if now.seconds >= 0 else None
                if progress is None:
                    return True
                return progress(Progress(now.phase.decode(), now.done, now.total,
                                         now.failed, now.task.decode(), seconds)) is not False
            except BaseException as error:  # KeyboardInterrupt above all.
                if os.getpid() != process:
                    # A child that the callback forked has none of the threads of the
                    # run, so it cannot go back there.
                    os._exit(error.code if isinstance(getattr(error, "code", None), int)
                             else 1)
                raised.append(error)
                return False

        def logged(text, length, _):
            try:
                log(ctypes.string_at(text, length).decode(errors="replace"))
            except BaseException as error:
                raised.append(error)
                self._library.prunerStopTuning()

        def ignored(unraisable):
            # A handler of a signal runs at the start of a callback, where nothing
            # catches what it raises yet.
            trace = unraisable.exc_traceback
            if not trace or trace.tb_frame.f_code.co_filename != told.__code__.co_filename:
                return before(unraisable)
            raised.append(unraisable.exc_value)
            return self._library.prunerStopTuning()

        text = _option_text(options)
        before, sys.unraisablehook = sys.unraisablehook, ignored
        running = threading.Event()
        _runs.append(running)
        try:
            status = self._library.prunerModuleTune(
                self._handle, text, TuneCallback(told),
                StringCallback(logged), None)
        finally:
            running.set()
            _runs.remove(running)
            if sys.unraisablehook is ignored:
                sys.unraisablehook = before
        if raised:
            raise raised[0]
        if status == _CANCELLED:
            return False
        self._context.check(status)
        return True

    def apply_best(self, **options: Any) -> Module:
        """Run `pruner-apply-best`: db=, target="cpu", threads=0, accuracy="", ..."""
        self._context.check(
            self._library.prunerModuleApplyBest(self._handle, _option_text(options)))
        return self

    def draft(self, **options: Any) -> Module:
        """Run `pruner-draft`, which chooses schedules by the analytical model alone."""
        self._context.check(
            self._library.prunerModuleDraft(self._handle, _option_text(options)))
        return self

    def lower(self, target: str = "cpu", threads: int = 0) -> Module:
        """Lower the tasks that have a schedule."""
        self._context.check(
            self._library.prunerModuleLower(self._handle, _c_text(target, "a target"),
                                            _whole(threads, "threads", 32)))
        return self

    def lift_constants(self) -> Module:
        """Turn the constants of the network into arguments marked `pruner.constant`, and
        keep their values, so that schedules may choose their layouts. Call it before
        `tune` or `draft`, and `embed_constants` after `lower`."""
        self._context.check(self._library.prunerModuleLiftConstants(self._handle))
        return self

    def set_constant(self, name: str, array: Any) -> Module:
        """Set the value of the argument with the `pruner.name` `name`, which is marked
        `pruner.constant`, to a NumPy array of its elements."""
        import numpy

        kept, pieces = _c_text(name, "a name"), _Pieces()
        self._context.check(self._library.prunerModuleGetConstantType(
            self._handle, kept, pieces.callback, None))
        element = re.sub(r"^tensor<(\d+x)*|>$", "", pieces.joined().decode())
        if isinstance(array, numpy.ma.MaskedArray):
            raise PrunerError(f"expected elements of {element} for the constant '{name}', "
                              "but the array is masked")
        array = numpy.asarray(array)
        if (array.dtype.kind == "f") != (element in ("f16", "f32", "f64")):
            raise PrunerError(f"expected elements of {element} for the constant '{name}', "
                              f"but the array has {array.dtype}")
        array = numpy.ascontiguousarray(array, array.dtype.newbyteorder("="))
        self._context.check(self._library.prunerModuleSetConstant(
            self._handle, kept, array.ctypes.data, array.nbytes))
        return self

    def embed_constants(self, linker: Optional[_Path] = None) -> Module:
        """Compute what depends on known constants alone, and make it a part of the
        network."""
        self._context.check(self._library.prunerModuleEmbedConstants(
            self._handle, None if linker is None else _c_text(linker, "a linker")))
        return self

    def compile(self, path: _Path, **options: Any) -> _Path:
        """Compile to a library in the file `path`, which `pruner.load` can load.
        Options: header, entry, names, linker, cpu, features."""
        known = {name for name, _ in CompileOptions._fields_}
        if unknown := set(options) - known:
            raise TypeError(f"unknown option {', '.join(sorted(unknown))}")
        self._context.check(self._library.prunerModuleCompile(
            self._handle, _c_text(path, "a path"),
            CompileOptions(**{name: _c_text(value, f"the option '{name}'") for name, value in options.items()
                              if value is not None})))
        return path


class _Tasks:
    """A list of tasks in the library."""

    def __init__(self, context, handle):
        self.context, self.handle = context, handle

    def __del__(self):
        _destroy(self, "handle", "prunerTasksDestroy")


def _schedule_array(schedules):
    return (ctypes.c_char_p * len(schedules))(*(_c_text(text, "a schedule") for text in schedules))


class Task:
    """A copy of a task: `name`, `key`, `text`, `weight`, `flops`, `bytes`, and
    `schedule` and `seconds`, or None."""

    name: str
    key: str
    text: str
    weight: float
    flops: float
    bytes: float
    schedule: Optional[str]
    seconds: Optional[float]

    def __init__(self, tasks, handle):
        self._tasks, self._handle = tasks, handle
        self._context, self._library = tasks.context, tasks.context.library
        get = {name: getattr(self._library, f"prunerTaskGet{name.capitalize()}")(handle)
               for name in ("name", "key", "text", "schedule", "weight", "flops",
                            "bytes", "seconds")}
        for name in ("name", "key", "text", "schedule"):
            get[name] = get[name].decode()
        self.__dict__.update(get)
        self.schedule = get["schedule"] or None
        self.seconds = get["seconds"] if get["seconds"] >= 0 else None

    def __repr__(self):
        return f"<task {self.name}, {self.flops:.4g} FLOP, weight {self.weight:g}>"

    def sample(self, count: int, target: str = "cpu", seed: int = 0) -> List[str]:
        """Return at most `count` (up to a million) distinct random legal schedules, as text."""
        pieces = _Pieces()
        self._context.check(self._library.prunerTaskSample(
            self._handle, _c_text(target, "a target"), _whole(count, "count", 63),
            _whole(seed, "seed", 64), pieces.callback, None))
        return [text.decode() for text in pieces.pieces]

    def predict(self, schedules: Sequence[str], target: str = "cpu",
                threads: int = 0) -> List[float]:
        """Return the seconds that the analytical model predicts, as a list."""
        seconds = (ctypes.c_double * len(schedules))()
        self._context.check(self._library.prunerTaskPredict(
            self._handle, _c_text(target, "a target"), _whole(threads, "threads", 32),
            _schedule_array(schedules), len(schedules), seconds))
        return list(seconds)

    def explain(self, schedule: Optional[str] = None, target: str = "cpu",
                threads: int = 0) -> Dict[str, Any]:
        """Return the analytical model's report on a schedule, as a dictionary."""
        text = schedule or self.schedule
        if text is None:
            raise PrunerError(f"the task '{self.name}' has no schedule")
        pieces = _Pieces()
        self._context.check(self._library.prunerTaskExplain(
            self._handle, _c_text(target, "a target"), _whole(threads, "threads", 32),
            _c_text(text, "a schedule"), pieces.callback, None))
        return json.loads(pieces.joined())


class CostModel:
    """A learned model. Create it with `load`."""

    def __init__(self, context, handle):
        self._context, self._handle = context, handle
        self.name = context.library.prunerCostModelGetName(handle).decode()

    def __del__(self):
        _destroy(self, "_handle", "prunerCostModelDestroy")

    def __copy__(self) -> CostModel:
        return self

    def __deepcopy__(self, memo: Any) -> CostModel:
        return self

    @classmethod
    def load(cls, path: _Path) -> CostModel:
        """Load a weight file and create its model."""
        context = _Context()
        return cls(context, context.checked(
            context.library.prunerCostModelLoad(context.handle, _c_text(path, "a path"))))

    def predict(self, task: Task, schedules: Sequence[str], target: str = "cpu",
                threads: int = 0) -> List[float]:
        """Return a score for each schedule of a task, as a list; larger is faster."""
        scores = (ctypes.c_float * len(schedules))()
        task._context.check(self._context.library.prunerCostModelPredict(
            self._handle, task._handle, _c_text(target, "a target"),
            _whole(threads, "threads", 32), _schedule_array(schedules), len(schedules), scores))
        return list(scores)
