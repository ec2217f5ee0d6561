#===- iree_worker.py - candidates built and run by IREE --------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs the candidates of pruner-tune with IREE (llvm-cpu, one core).

    export PYTHONPATH=<source>/python
    worker='exec:exec python -m pruner_tools.iree_worker --dispatches dispatches.mlir'
    pruner-opt dispatches.mlir --pruner-tune="builder=$worker runner=$worker threads=1 ..."

A schedule becomes a tuning specification (pruner-export-iree-spec), with which
iree-compile builds a module of the task alone. If the file of --dispatches (written by
import_iree) has a dispatch of that task, this form is compiled, because it is the one
inside of the network. If the specification does not match, the candidate is a build
error. The schedule `default` is compiled without a specification.

A result is correct if it differs from that of IREE's default code by at most 1e-4 of
the largest magnitude, for inputs in [-1, 1). The measured time includes IREE's overhead
for a call and for allocating its result.

The worker speaks docs/reference/WorkerProtocol.md on stdin and stdout. It requires a
Python with iree-base-compiler and iree-base-runtime.
"""

import base64
import importlib.metadata
import json
import os
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from pruner.arguments import ArgumentParser
from pruner.programs import find

from .import_iree import MARK, module, read_dispatches
from .tools import ToolError, run_tool, which

FLAGS = ["--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
         "--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3",
         # Variances in f64 put rows of a norm on the stack.
         "--iree-llvmcpu-stack-allocation-limit=1048576"]
TOLERANCE = 1e-4

HEAD = re.compile(r"func\.func (?:private |public )?@([\w$.]+)\((.*?)\) -> ", re.S)
TENSOR = re.compile(r"%\w+: tensor<((?:\d+x)*)(\w+)>")
ATTRIBUTES = re.compile(r" attributes (\{)")
CALL = re.compile(r"call @(task_\w+)\(")


def with_flags(more):
    """Return options of iree-compile: `more`, and those of FLAGS that it does not set."""
    names = {flag.partition("=")[0] for flag in more}
    return [flag for flag in FLAGS if flag.partition("=")[0] not in names] + list(more)


class Failure(Exception):
    """A failed candidate: a status of the protocol, and the reason."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status = status


def with_schedule(text, key, schedule):
    """Return the module of a task, marked as extracted and scheduled."""
    marks = (f"pruner.schedule = {schedule}, pruner.task = {{bytes = 0 : i64, "
             f"flops = 0 : i64, key = \"{key}\", weight = 1 : i64}}")
    head = HEAD.search(text)
    end = text.index("\n", head.end())
    line = text[head.end():end]
    if found := ATTRIBUTES.search(line):
        line = f"{line[:found.end()]}{marks}, {line[found.end():]}"
    else:
        line = f"{line.rstrip().rstrip('{')}attributes {{{marks}}} {{"
    return text[:head.end()] + line + text[end:]


def without_marks(text):
    """Return the module of a task without Pruner's attributes, which IREE cannot parse.
    """
    return re.sub(r" \{pruner\.[^}]*\}", "", text)


class Task:
    """The files of a task, in a directory of its own."""

    def __init__(self, key, text, dispatch, directory, flags, pruner_opt):
        self.key, self.text, self.flags, self.pruner_opt = key, text, flags, pruner_opt
        self.directory = pathlib.Path(directory)
        self.directory.mkdir()
        self.source = self.directory / "source.mlir"
        self.source.write_text(dispatch or without_marks(text))
        head = HEAD.search(self.source.read_text())
        self.entry = head.group(1)
        self.inputs = [([int(n) for n in shape.split("x")[:-1]], kind)
                       for shape, kind in TENSOR.findall(head.group(2))]
        self.code = None
        self.forms = []

    def compile(self, specification=None):
        """Return the module and the dumped dispatches. Raises Failure."""
        dumped = self.directory / "dumped"
        shutil.rmtree(dumped, ignore_errors=True)
        output = self.directory / "out.vmfb"
        command = [iree_compile(), *self.flags, self.source, "-o", output,
                   f"--iree-hal-dump-executable-configurations-to={dumped}"]
        if specification:
            command.append(f"--iree-codegen-tuning-spec-path={specification}")
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                              errors="replace", check=False)
        if done.returncode:
            # The first error. Later ones follow from it and list all features of the
            # CPU.
            found = re.search(r"error: [^\n]{0,300}", done.stderr)
            raise Failure("build-error", found.group(0) if found else done.stderr[-300:]
                          or f"iree-compile ended with {done.returncode}")
        return output.read_bytes(), dumped

    def default(self):
        """Compile IREE's default code. Its dispatches show IREE's form of the ops."""
        if self.code is None:
            self.code, dumped = self.compile()
            form = self.directory / "form.mlir"
            found = read_dispatches([dumped])
            if found:
                form.write_text(module(found.values()))
            self.forms = [form, self.source] if found else [self.source]
        return self.code

    def build(self, schedule):
        self.default()
        scheduled = self.directory / "scheduled.mlir"
        scheduled.write_text(with_schedule(self.text, self.key, schedule))
        specification = self.directory / "spec.mlir"
        reason = "IREE has another form of the task"
        for form in self.forms:
            try:
                said = run_tool(
                    [self.pruner_opt, form, "-o", os.devnull, "--pruner-export-iree-spec="
                     f"schedules={scheduled} output={specification}"]).stderr
            except ToolError as error:
                raise Failure("build-error", str(error)[-500:]) from None
            if "@match_" not in specification.read_text():
                if left := re.search(r"is not exported: ([^\n]*)", said):
                    reason = left.group(1)
                continue
            code, dumped = self.compile(specification)
            if any(MARK in file.read_text() for file in dumped.glob("*.mlir")):
                return code
            reason = "the specification matches no op that IREE makes of the task"
        raise Failure("build-error", reason)


def iree_compile():
    """Return the iree-compile next to this Python, or on PATH. Raises Failure."""
    beside = pathlib.Path(sys.executable).absolute().parent / "iree-compile"
    found = str(beside) if beside.exists() else which("iree-compile")
    if not found:
        raise Failure("build-error", "iree-compile is neither next to this Python nor on the PATH")
    return found


class Program:
    """A compiled function with its inputs."""

    def __init__(self, code, entry, arrays):
        from iree import runtime
        self.runtime = runtime
        self.device = runtime.get_device("local-sync")
        self.instance = runtime.VmInstance()
        self.module = runtime.VmModule.copy_buffer(self.instance, code)
        self.context = runtime.VmContext(
            self.instance, [runtime.create_hal_module(self.instance, self.device), self.module])
        self.function = self.module.lookup_function(entry)
        self.inputs = runtime.VmVariantList(len(arrays))
        for array in arrays:
            self.inputs.push_ref(self.device.allocator.allocate_buffer_copy(
                memory_type=runtime.MemoryType.DEVICE_LOCAL,
                allowed_usage=runtime.BufferUsage.DEFAULT, device=self.device, buffer=array,
                element_type=runtime.array_interop.map_dtype_to_element_type(array.dtype)))

    def __call__(self):
        results = self.runtime.VmVariantList(1)
        self.context.invoke(self.function, self.inputs, results)
        return results

    def arrays(self):
        results = self()
        return [self.runtime.DeviceArray(
            self.device, results.get_as_object(n, self.runtime.HalBufferView),
            implicit_host_transfer=True).to_host() for n in range(results.size)]


def draw(inputs, seed):
    import numpy
    generator = numpy.random.default_rng(seed)
    names = {"f32": "float32", "f64": "float64", "f16": "float16", "i32": "int32",
             "i64": "int64", "i8": "int8"}
    arrays = []
    for shape, kind in inputs:
        if kind not in names:
            raise Failure("run-error", f"inputs of {kind} are not supported")
        if kind.startswith("f"):
            arrays.append((generator.random(shape) * 2 - 1).astype(names[kind]))
        else:
            arrays.append(generator.integers(0, 2, shape).astype(names[kind]))
    return arrays


class Worker:
    def __init__(self, args, directory):
        self.directory = pathlib.Path(directory)
        self.flags, self.pruner_opt = with_flags(args.flag), args.pruner_opt
        self.dispatches = {}
        self.tasks, self.seeds, self.expected = {}, {}, {}
        if args.dispatches:
            self.read_dispatches(args.dispatches)

    def read_dispatches(self, path):
        """Return each dispatch as a module, by the name of its only task."""
        functions = {}
        text = pathlib.Path(path).read_text()
        for part in re.split(r"(?m)^(?=  func\.func )", text)[1:]:
            functions[HEAD.search(part).group(1)] = part.rsplit("\n}", 1)[0] + "\n" \
                if part.endswith("\n}\n") else part
        cut = run_tool([self.pruner_opt, path, "--pruner-normalize",
                        "--pruner-extract-tasks"]).stdout
        for part in re.split(r"(?m)^(?=  func\.func )", cut)[1:]:
            tasks, name = CALL.findall(part), HEAD.search(part)
            if len(tasks) == 1 and name and name.group(1) in functions:
                self.dispatches.setdefault(
                    tasks[0], "module {\n" + functions[name.group(1)] + "}\n")

    def hello(self, _):
        return {"protocol": 2, "pruner": "iree-" + importlib.metadata.version(
                    "iree-base-compiler"), "llvm": "iree", "host": socket.gethostname(),
                "cpu": "host", "pid": os.getpid()}

    def task(self, request):
        text, key = request["text"], request["key"]
        name = HEAD.search(text).group(1)
        self.tasks[key] = Task(key, text, self.dispatches.get(name),
                               self.directory / f"task{len(os.listdir(self.directory))}",
                               self.flags, self.pruner_opt)
        self.seeds[key] = request.get("seed", 0)
        self.expected.pop(key, None)
        start = time.monotonic()
        if request.get("reference"):
            self.reference(key)
        return {"status": "ok", "reason": "", "exact": False,
                "inexact_because": "IREE's own code is the reference",
                "seconds": time.monotonic() - start}

    def reference(self, key):
        """Return inputs, and the results of IREE's default code for them."""
        if key not in self.expected:
            task = self.tasks[key]
            arrays = draw(task.inputs, self.seeds[key])
            self.expected = {key: (arrays, Program(task.default(), task.entry,
                                                   arrays).arrays())}
        return self.expected[key]

    def build(self, request):
        task, schedule = self.tasks[request["task"]], request["schedule"]
        if request.get("threads", 1) != 1 or not request["target"].startswith("cpu"):
            raise Failure("build-error", "only one thread of a CPU is supported")
        start = time.monotonic()
        if schedule == "default":
            code = task.default()
        elif schedule.startswith("#"):
            code = task.build(schedule)
        else:
            raise Failure("build-error", f"IREE has no code for '{schedule}'")
        return {"status": "ok", "reason": "", "format": "vmfb", "entry": task.entry,
                "artifact": base64.b64encode(code).decode(), "facts": {},
                "stages": {"iree": 1e3 * (time.monotonic() - start)}}

    def run(self, request):
        import numpy
        start = time.monotonic()
        arrays, expected = self.reference(request["task"])
        known = time.monotonic()
        program = Program(base64.b64decode(request["artifact"]), request["entry"], arrays)
        loaded = time.monotonic()
        share = 0.0
        if request.get("verify", True):
            for wanted, got in zip(expected, program.arrays()):
                wanted, got = wanted.astype(numpy.float64), got.astype(numpy.float64)
                bound = TOLERANCE * max(float(numpy.max(numpy.abs(wanted))), 1e-30)
                share = max(share, float(numpy.max(numpy.abs(wanted - got))) / bound)
            if not share <= 1:
                raise Failure("wrong-result", f"a result is off by {share:.3g} times the "
                                              "tolerance")
        checked = time.monotonic()
        times, censored = self.timed(program, request)
        done = time.monotonic()
        times.sort()
        reply = {"status": "ok", "reason": "", "retire": False, "times": times,
                 "samples": len(times), "minimum": times[0],
                 "median": statistics.median(times), "p90": times[len(times) * 9 // 10],
                 "spread": statistics.median(times) / times[0], "runs_per_sample": 1,
                 "repeats": 1, "censored": censored, "noisy": False,
                 "verified": bool(request.get("verify", True)), "error_over_bound": share,
                 "spent": {"reference": known - start, "load": loaded - known,
                           "check": checked - loaded, "timing": done - checked}}
        return reply

    @staticmethod
    def timed(program, request):
        clock = time.perf_counter
        program()
        times, start = [], clock()
        least, enough = request.get("min_seconds", 0.01), request.get("min_samples", 5)
        limit = request.get("censor_above", 0)
        while len(times) < enough or clock() - start < least:
            begin = clock()
            program()
            times.append(clock() - begin)
            if limit and len(times) == 1 and times[0] > limit:
                return times, True
            if 0 < request.get("max_seconds", 0) < clock() - start:
                break
        return times, False

    def answer(self, line):
        request = json.loads(line)
        kind, number = request.get("type"), request.get("id", -1)
        handler = {"hello": self.hello, "task": self.task, "build": self.build,
                   "run": self.run}.get(kind)
        if handler is None:
            return {"type": "error", "id": number, "reason": f"unknown request '{kind}'"}
        try:
            reply = handler(request)
        except Failure as failure:
            reply = {"status": failure.status, "reason": str(failure), "retire": False,
                     "exact": False, "seconds": 0.0, "verified": False}
        except KeyError as missing:
            return {"type": "error", "id": number, "reason": f"{kind} lacks {missing}"}
        return {"type": kind, "id": number, **reply}


def main():
    parser = ArgumentParser(prog="pruner_tools.iree_worker",
                            description=__doc__.splitlines()[0])
    parser.add_argument("--dispatches", help="a module written by pruner_tools.import_iree")
    parser.add_argument("--flag", action="append", default=[],
                        help="one more option for iree-compile; may be repeated")
    parser.add_argument("--pruner-opt", default=find("pruner-opt") or "pruner-opt",
                        metavar="PROGRAM", help="(default %(default)s)")
    args = parser.parse_args()
    # Output of libraries must not mix with replies.
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with tempfile.TemporaryDirectory(prefix="pruner-iree-") as directory:
        try:
            worker = Worker(args, directory)
        except (OSError, ToolError) as error:
            sys.exit(f"pruner_tools.iree_worker: {error}")
        for line in sys.stdin:
            try:
                if json.loads(line).get("type") == "quit":
                    break
                reply = worker.answer(line)
            except (ValueError, AttributeError) as error:
                reply = {"type": "error", "reason": f"invalid request: {error}"}
            print(json.dumps(reply), file=replies, flush=True)


if __name__ == "__main__":
    main()
