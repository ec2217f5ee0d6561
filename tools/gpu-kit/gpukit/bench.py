"""The kit's operations beside what this machine offers, in one run.

Contenders take turns, on random data: warm (the same buffers again and again)
and rotated (more buffers than fit the L2 cache, twice over). Without PyTorch
only the kernels of this kit and the ceilings of the driver are timed."""

import base64
import concurrent.futures
import gzip
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from . import cuda, kit, operators
from .kit import say
from .worker import Died, Worker

# Relative error (Frobenius) that a right result may have: a few units in the
# last place of the element type; tf32 keeps ten bits.
TOLERANCE = {"f32": 1e-5, "f16": 2e-3, "bf16": 1.6e-2}


# Errors after which nothing runs in this process any more (700 to 719).
LOST = re.compile(r"CUDA error 7[01][0-9]|CUDA error: (an illegal|misaligned|unspecified launch)")

# --- kernels --------------------------------------------------------------------

CALL = re.compile(r"^\s*(%\w+) = (?:func\.)?call @(\w+)\(([^)]*)\) : "
                  r"\(([^)]*)\) -> (tensor<[^>]*>)\s*$")


TASK = re.compile(r"func\.func private @(\w+)\(.*?pruner\.task = \{[^}]*key = \"(\w+)\"")

RESHAPE = re.compile(r"^\s*(%\w+) = tensor\.(?:collapse|expand)_shape (%\w+) ")


def parse_calls(text):
    """The body of @main as [(function, operand names, result name, type)];
    raises ValueError if it does anything else. Other shapes of a tensor are the
    same bytes under another name."""
    match = re.search(r"func\.func @main\((.*?)\) -> .*?\{\n(.*?)\n  \}", text, re.S)
    if not match:
        raise ValueError("no function @main")
    calls, result, same = [], None, {}
    for line in match.group(2).splitlines():
        line = re.sub(r" \{[^}]*\} :", " :", line)
        call = CALL.match(line)
        done = re.match(r"^\s*(?:func\.)?return (%\w+) : ", line)
        if call:
            names = [same.get(n.strip(), n.strip()) for n in call.group(3).split(",")]
            calls.append((call.group(2), names, call.group(1), call.group(5)))
        elif RESHAPE.match(line):
            name, operand = RESHAPE.match(line).groups()
            same[name] = same.get(operand, operand)
        elif done:
            result = same.get(done.group(1), done.group(1))
        elif line.strip():
            raise ValueError("outside of its kernels: " + line.strip()[:100])
    if result is None or not calls or result != calls[-1][2]:
        raise ValueError("its result is not that of its last kernel")
    return calls


def tensor_bytes(text):
    """tensor<4x5xf32> -> 80."""
    *shape, dtype = text[len("tensor<"):-1].split("x")
    bits = int(dtype.lstrip("bfi"))
    size = max(1, bits // 8)
    for extent in shape:
        size *= int(extent)
    return size


def drafts(here, operation, target, count, work, databases=()):
    """({task key: (task line, schedules, best first)}, {function: key}, calls).
    Recorded schedules that were measured come before drafts."""
    database = os.path.join(work, operation.name + ".db")
    tuned = os.path.join(work, operation.name + ".mlir")
    # The device is hidden: candidates are ranked and compiled, and measured
    # here, against PyTorch and not against loops on the CPU.
    environment = dict(here.environment, CUDA_VISIBLE_DEVICES="")
    kernels = 1
    while True:
        done = subprocess.run(
            [kit.tool("pruner-opt"), "-", "-o", tuned,
             "--pruner-tune=target=%s strategy=draft-only model=none trials=%d batch=%d "
             "lower=false db=%s" % (target, count * kernels, count, database)],
            input=operation.module(), capture_output=True, text=True, env=environment,
            timeout=900)
        if done.returncode != 0:
            raise ValueError("pruner-tune: " + done.stderr.strip()[-300:])
        with open(tuned) as file:
            text = file.read()
        functions = {}
        for match in TASK.finditer(text):
            functions[match.group(1)] = match.group(2)
        if len(functions) <= kernels:
            break
        kernels = len(functions)  # Trials for each; what was done is kept.
    tasks = {}
    for path in [database] + list(databases):
        if path.endswith(".jsonl.gz"):
            with gzip.open(path, "rt") as file:
                lines = file.read()
        else:
            lines = subprocess.run([kit.tool("pruner-db"), "export", path],
                                   capture_output=True, text=True, env=environment).stdout
        for entry in lines.splitlines():
            line = json.loads(entry)
            pruner = line["pruner"]
            if pruner["kind"] == "task":
                if path == database:
                    tasks[pruner["key"]] = (pruner, [])
            elif pruner["task"] in tasks and pruner["status"] in ("ok", "unmeasured"):
                times = pruner.get("times") or []
                rank = ((0, statistics.median(times)) if times and pruner["verified"]
                        else (1, pruner.get("psa_latency") or 1e9))
                tasks[pruner["task"]][1].append(
                    (rank, line["configuration"]["schedule"]))
    result = {}
    for key, (task, ranked) in tasks.items():
        schedules = []
        for rank, schedule in sorted(ranked):
            if schedule not in schedules:
                schedules.append(schedule)
        result[key] = (task, schedules)
    return result, functions, parse_calls(text)


class Builders:
    """Workers that compile, one per core."""

    def __init__(self, here, count):
        self.local, self.here, self.all = threading.local(), here, []
        self.pool = concurrent.futures.ThreadPoolExecutor(count)

    def _build(self, key, text, schedule, target):
        if not hasattr(self.local, "worker"):
            self.local.worker = Worker(self.here.environment)
            self.all.append(self.local.worker)
        try:
            self.local.worker.know(key, text)
            return self.local.worker.build(key, schedule, target, 60)
        except (Died, ValueError) as error:
            return {"status": "build-error", "reason": str(error)}

    def build(self, task, schedules, target):
        return list(self.pool.map(
            lambda s: self._build(task["key"], task["text"], s, target), schedules))

    def close(self):
        self.pool.shutdown(wait=True)
        for worker in self.all:
            worker.close()


# --- timing ---------------------------------------------------------------------


class Timing:
    """Events around launches on one stream, a sample of at least `sample`
    seconds. With PyTorch the launches are replayed as a graph."""

    def __init__(self, driver, torch, sample=5e-3):
        self.driver, self.torch, self.sample = driver, torch, sample
        self.stream = driver.stream() if not torch else None
        self.start, self.end = driver.event(), driver.event()

    def current(self):
        if not self.torch:
            return self.stream
        return cuda.c_void_p(self.torch.cuda.current_stream().cuda_stream)

    def events(self, work):
        """Seconds that `work` takes on the device."""
        stream = self.current()
        self.driver.record(self.start, stream)
        work()
        self.driver.record(self.end, stream)
        return self.driver.elapsed(self.start, self.end)

    def prepare(self, call, sets):
        """A function that runs a sample and returns seconds per launch."""
        for n in range(3):
            call(sets[n % len(sets)])
        self.driver.synchronize()
        once = max(1e-7, self.events(lambda: call(sets[0])))
        launches = min(2000, max(len(sets), int(self.sample / once) + 1))
        launches = -(-launches // len(sets)) * len(sets)

        def loop():
            for n in range(launches):
                call(sets[n % len(sets)])

        work = loop
        if self.torch:
            work = self._graph(loop) or loop
        repeats = [1]
        seconds = self.events(work)
        repeats[0] = max(1, min(1000, int(self.sample / max(seconds, 1e-7)) + 1))

        def sample():
            def again():
                for _ in range(repeats[0]):
                    work()
            return self.events(again) / (launches * repeats[0])
        return sample

    def _graph(self, loop):
        torch = self.torch
        try:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                loop()
            graph.replay()
            torch.cuda.synchronize()
            return graph.replay
        except Exception:  # What cannot be captured is launched.
            torch.cuda.synchronize()
            return None


def interleave(samples, turns, stop=lambda: False):
    """{name: sample()} -> {name: [seconds]}; each turn begins with the next."""
    names, times = list(samples), {name: [] for name in samples}
    for turn in range(turns):
        for n in range(len(names)):
            name = names[(turn + n) % len(names)]
            times[name].append(samples[name]())
        if stop():
            break
    return times


# --- one operation ----------------------------------------------------------------


class Data:
    """Random inputs on the device, several sets, with their outputs."""

    def __init__(self, here, driver, torch, operation, rotate_bytes):
        self.driver, self.torch, self.operation = driver, torch, operation
        self.owned = []
        copies = max(1, min(64, -(-rotate_bytes // max(1, operation.bytes))))
        free = 8 << 30
        copies = max(1, min(copies, free // max(1, operation.bytes)))
        self.sets = [self._make(seed) for seed in range(copies)]

    def _make(self, seed):
        o = self.operation
        if self.torch:
            torch = self.torch
            dtype = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}[o.dtype]
            generator = torch.Generator(device="cuda").manual_seed(seed)
            tensors = [torch.rand(s, generator=generator, device="cuda", dtype=torch.float32)
                       .mul_(2).sub_(1).to(dtype) for s in o.inputs]
            out = torch.full(o.output, float("nan"), device="cuda", dtype=dtype)
            return {"tensors": tensors, "out": out,
                    "pointers": [t.data_ptr() for t in tensors], "result": out.data_ptr()}
        size = operators.BYTES[o.dtype]
        pointers = []
        for shape in o.inputs:
            count = operators.math.prod(shape) * size
            pointer = self.driver.allocate(count)
            # Bytes whose exponents are ordinary: halves of either sign.
            unit = os.urandom(1 << 16)
            cell = {"f32": b"\x00\x00\x00\x3f", "f16": b"\x00\x38", "bf16": b"\x00\x3f"}[o.dtype]
            block = bytearray(cell * (len(unit) // size))
            for n in range(0, len(block), size):
                block[n] = unit[n]
                block[n + size - 1] |= unit[n + 1] & 0x80
            whole = (bytes(block) * (count // len(block) + 1))[:count]
            self.driver.upload(pointer, whole)
            pointers.append(pointer)
        result = self.driver.allocate(operators.math.prod(o.output) * size)
        self.owned += pointers + [result]
        return {"pointers": pointers, "result": result}

    def free(self):
        for pointer in self.owned:
            self.driver.free(pointer)
        self.owned, self.sets = [], []
        if self.torch:
            self.torch.cuda.empty_cache()


class Program:
    """An operation's kernels in order, with buffers between them."""

    def __init__(self, driver, timing, calls, kernels, inputs):
        self.driver, self.timing, self.kernels = driver, timing, kernels
        self.calls, self.inputs, self.owned = calls, inputs, []
        self.between = {}
        for function, names, result, kind in calls[:-1]:
            self.between[result] = driver.allocate(tensor_bytes(kind))
            self.owned.append(self.between[result])

    def __call__(self, data):
        where = dict(self.between)
        for n, pointer in enumerate(data["pointers"]):
            where["%%arg%d" % n] = pointer
        where[self.calls[-1][2]] = data["result"]
        stream = self.timing.current()
        for (function, names, result, kind), kernel in zip(self.calls, self.kernels):
            kernel.launch([where[n] for n in names] + [where[result]], stream)

    def free(self):
        for pointer in self.owned:
            self.driver.free(pointer)
        self.owned = []


def error_of(torch, got, want):
    want = want.double()
    norm = want.norm().item()
    difference = (got.double() - want).norm().item()
    if difference != difference:
        return float("inf")
    return difference / norm if norm else difference


def reference(torch, operation, tensors):
    """In f64 where that is affordable, else in f32 without TF32."""
    wide = torch.float64 if operation.flops < 3e11 else torch.float32
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    return operation.call(torch, [t.to(wide) for t in tensors])


def choose(here, operation, target, o, work, builders, driver, timing, torch, data, notes):
    """The fastest right program among the drafts; None with a note."""
    tasks, functions, calls = drafts(here, operation, target, o.drafts, work, o.db)
    counts = {"built": 0, "failed": 0, "wrong": 0}
    options = []
    for function, names, result, kind in calls:
        if functions.get(function) not in tasks:
            notes.append("%s: %s has no candidate" % (operation.name, function))
            return None, counts, None
        task, schedules = tasks[functions[function]]
        kernels = []
        for schedule, built in zip(
                schedules[: o.drafts],
                builders.build(task, schedules[: o.drafts], "nvidia:" + here.chip())):
            if built["status"] != "ok":
                counts["failed"] += 1
                continue
            try:
                kernels.append((cuda.Kernel(
                    driver, base64.b64decode(built["artifact"]), built["entry"],
                    built["facts"]["launch"]), schedule))
                counts["built"] += 1
            except kit.Failed as error:
                counts["failed"] += 1
                notes.append("%s: %s" % (operation.name, error))
        options.append(kernels)
    if not all(options):
        notes.append("%s: no kernel could be built" % operation.name)
        return None, counts, None
    want = reference(torch, operation, data.sets[0]["tensors"]) if torch else None
    # Tasks one after the other: the others stay at their first choice.
    chosen, best = [0] * len(options), None
    for task, kernels in enumerate(options):
        for index in range(len(kernels)):
            if best and index == chosen[task]:
                continue
            trial = list(chosen)
            trial[task] = index
            program = Program(driver, timing, calls,
                              [options[t][i][0] for t, i in enumerate(trial)], data)
            program(data.sets[0])
            driver.synchronize()
            if torch:
                error = error_of(torch, data.sets[0]["out"], want)
                if error > TOLERANCE[operation.dtype]:
                    counts["wrong"] += 1
                    notes.append("%s: WRONG by %.3g: %s" % (
                        operation.name, error, kernels[index][1]))
                    program.free()
                    continue
            # Long programs are timed once, short ones for a millisecond.
            seconds = timing.events(lambda: program(data.sets[0]))
            if not best or seconds < 1.5 * best:
                repeats = max(1, min(200, int(1e-3 / max(seconds, 1e-7))))

                def again():
                    for _ in range(repeats):
                        program(data.sets[0])
                seconds = timing.events(again) / repeats
            if not best or seconds < best:
                best, chosen = seconds, trial
            program.free()
    if best is None:
        notes.append("%s: no right kernel" % operation.name)
        return None, counts, None
    program = Program(driver, timing, calls,
                      [options[t][i][0] for t, i in enumerate(chosen)], data)
    return program, counts, [options[t][i][1] for t, i in enumerate(chosen)]


def peers(torch, operation, compiled, triton):
    """{name: (call(data), whether it counts as the same precision)}."""
    found = {}

    def eager(data, tf32):
        torch.backends.cuda.matmul.allow_tf32 = tf32
        torch.backends.cudnn.allow_tf32 = tf32
        data["kept"] = operation.call(torch, data["tensors"])

    found["torch"] = (lambda data: eager(data, False), True)
    product = operation.flops > 0 and operation.dtype == "f32"
    if product:
        found["torch-tf32"] = (lambda data: eager(data, True), False)
    if compiled:
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
        function = torch.compile(lambda *t: operation.call(torch, t),
                                 mode="max-autotune-no-cudagraphs", dynamic=False)

        def call(data):
            data["kept"] = function(*data["tensors"])
        found["torch.compile"] = (call, True)
    if triton and operation.name.startswith("mm_") and len(operation.inputs) == 2:
        def call(data):
            data["kept"] = triton.matmul(*data["tensors"])
        found["triton"] = (call, True)
    return found


def ceilings(driver, timing, torch, small=False):
    """Copy bandwidth (bytes read and written per second) and, with PyTorch, the
    rate of a large product for each type."""
    size = (1 << 26) if small else (1 << 30)
    a, b = driver.allocate(size), driver.allocate(size)
    best = min(timing.events(lambda: driver.copy(b, a, size, timing.current())) for _ in range(10))
    driver.free(a)
    driver.free(b)
    found = {"copy_bytes_per_second": 2.0 * size / max(best, 1e-9), "matrix_flops": {}}
    if not torch:
        return found
    n = 512 if small else 8192
    for name, dtype, tf32 in (("f32", torch.float32, False), ("tf32", torch.float32, True),
                              ("f16", torch.float16, False), ("bf16", torch.bfloat16, False)):
        torch.backends.cuda.matmul.allow_tf32 = tf32
        x = torch.rand(n, n, device="cuda").to(dtype)
        y = torch.rand(n, n, device="cuda").to(dtype)
        torch.mm(x, y)
        best = min(timing.events(lambda: torch.mm(x, y)) for _ in range(5))
        found["matrix_flops"][name] = 2.0 * n ** 3 / best
    torch.backends.cuda.matmul.allow_tf32 = False
    return found


def bound_seconds(operation, roofs):
    """The least time that the ceilings allow."""
    rate = roofs["matrix_flops"].get(operation.dtype)
    seconds = operation.bytes / roofs["copy_bytes_per_second"]
    return max(seconds, operation.flops / rate) if rate else seconds


def measure(here, operation, o, target, work, builders, driver, timing, torch, roofs, extra):
    notes = []
    l2 = int(here.machine.get("l2Bytes", 0)) or (50 << 20)
    data = Data(here, driver, torch, operation, 2 * l2 + operation.bytes)
    program = None
    try:
        program, counts, schedules = choose(
            here, operation, target, o, work, builders, driver, timing, torch, data, notes)
        calls, same = {}, {"pruner"}
        if program:
            calls["pruner"] = program
        if torch:
            want = reference(torch, operation, data.sets[0]["tensors"])
            for name, (call, comparable) in peers(
                    torch, operation, extra.get("compile"), extra.get("triton")).items():
                try:
                    call(data.sets[0])
                    error = error_of(torch, data.sets[0]["kept"], want)
                    limit = 3e-3 if not comparable else TOLERANCE[operation.dtype]
                    if error > limit:
                        notes.append("%s: %s is off by %.3g" % (operation.name, name, error))
                    calls[name] = call
                    if comparable:
                        same.add(name)
                except Exception as error:
                    notes.append("%s: %s: %s" % (operation.name, name, str(error)[:300]))
            del want
        row = {"name": operation.name, "dtype": operation.dtype, "flops": operation.flops,
               "bytes": operation.bytes, "candidates": counts, "schedules": schedules,
               "notes": notes, "contenders": {}, "sets": len(data.sets)}
        row["bound_seconds"] = bound_seconds(operation, roofs)
        for mode, sets in (("warm", data.sets[:1]), ("rotated", data.sets)):
            prepared = {name: timing.prepare(call, sets) for name, call in calls.items()}
            for name, times in interleave(prepared, o.turns).items():
                row["contenders"].setdefault(name, {"same_precision": name in same})[mode] = {
                    "median": statistics.median(times), "minimum": min(times),
                    "samples": times}
        return row
    finally:
        if program:
            program.free()
        data.free()


def finish(row):
    """Rates, percent of the ceiling and the ratio to the best peer."""
    for mode in ("warm", "rotated"):
        rivals = {n: c[mode]["median"] for n, c in row["contenders"].items()
                  if n != "pruner" and c["same_precision"]}
        best = min(rivals, key=rivals.get) if rivals else None
        for name, c in row["contenders"].items():
            seconds = c[mode]["median"]
            c[mode]["flops"] = row["flops"] / seconds if seconds else 0
            c[mode]["bytes_per_second"] = row["bytes"] / seconds if seconds else 0
            c[mode]["percent_of_ceiling"] = 100 * row["bound_seconds"] / seconds if seconds else 0
        ours = row["contenders"].get("pruner")
        if ours and best:
            row.setdefault("best_peer", {})[mode] = best
            row.setdefault("ratio", {})[mode] = rivals[best] / ours[mode]["median"]


def table(rows):
    lines = ["%-34s %-14s %10s %10s %9s %7s %7s" % (
        "operation (rotated buffers)", "contender", "warm us", "rotated us",
        "TF|GB/s", "ceil %", "ratio")]
    for row in rows:
        for name, c in row["contenders"].items():
            r = c["rotated"]
            rate = r["flops"] / 1e12 if row["flops"] else r["bytes_per_second"] / 1e9
            ratio = row.get("ratio", {}).get("rotated") if name == "pruner" else None
            lines.append("%-34s %-14s %10.2f %10.2f %9.1f %7.1f %7s" % (
                row["name"], name, c["warm"]["median"] * 1e6, r["median"] * 1e6, rate,
                r["percent_of_ceiling"], "%.2f" % ratio if ratio else ""))
        for note in row["notes"]:
            lines.append("    " + note)
    ratios = [row["ratio"]["rotated"] for row in rows if "ratio" in row]
    if ratios:
        lines.append("geometric mean of best peer / pruner over %d operations: %.3f" % (
            len(ratios), statistics.geometric_mean(ratios)))
    return "\n".join(lines)


def load_torch(options):
    if options.no_torch:
        return None, "not asked for"
    try:
        import torch
    except Exception as error:
        return None, "no PyTorch in this Python: %s" % error
    if not torch.cuda.is_available():
        return None, "PyTorch %s finds no CUDA device" % torch.__version__
    torch.backends.cudnn.benchmark = True
    return torch, None


class Restart:
    """A kernel that hangs or breaks the device's context takes the process with
    it: what is known is written, and the command begins again behind it."""

    def __init__(self, options, clock, output, result):
        self.options, self.clock = options, clock
        self.output, self.result = output, result
        self.name, self.since, self.lock = None, 0.0, threading.Lock()
        threading.Thread(target=self._watch, daemon=True).start()

    def begin(self, name):
        with self.lock:
            self.name, self.since = name, time.monotonic()

    def done(self):
        with self.lock:
            self.name = None

    def _watch(self):
        while True:
            time.sleep(1)
            with self.lock:
                name, since = self.name, self.since
            if name and time.monotonic() - since > self.options.operation_seconds:
                self.now(name, "took over %d s; killed" % self.options.operation_seconds)

    def now(self, name, reason):
        self.result["failed"][name] = reason
        say("%s: %s; beginning again behind it" % (name, reason))
        self.output.write_json("bench.json", self.result)
        arguments = [a for a in sys.argv[1:] if a != "--resume"]
        minutes = max(0.0, self.clock.left() / 60)
        os.execv(sys.executable, [sys.executable, "-m", "gpukit.bench"] + arguments +
                 ["--resume", "--minutes", "%.3f" % minutes])


def resumed(output, result):
    """Takes over the rows and failures of an earlier run."""
    try:
        with open(os.path.join(output.path, "bench.json")) as file:
            former = json.load(file)
    except (OSError, ValueError):
        return
    result["rows"] += former.get("rows", [])
    result["failed"].update(former.get("failed", {}))


def run(options):
    stop = kit.Stop()
    here = kit.Kit(options.python, learned=False)
    output = kit.Output(options.output)
    here.find_device()
    torch, why = load_torch(options)
    if torch:
        torch.cuda.init()
        torch.zeros(1, device="cuda")
    else:
        say("without PyTorch: " + why)
    extra = {"compile": options.compile and torch is not None}
    if torch:
        try:
            from . import triton_peer
            extra["triton"] = triton_peer
        except Exception as error:
            say("without Triton: %s" % error)
    driver = cuda.Driver()
    timing = Timing(driver, torch, options.sample)
    clock = kit.Clock(options.minutes)
    builders = Builders(here, kit.cores())
    suite = [op for op in operators.bench_suite() if re.search(options.only, op.name)]
    rows, left, failures = [], [], {}
    result = {"environment": here.describe(), "peers": {"torch": torch.__version__ if torch else why},
              "rows": rows, "not_reached": left, "failed": failures, "complete": False}
    if options.resume:
        resumed(output, result)
    restart = Restart(options, clock, output, result)
    with tempfile.TemporaryDirectory(prefix="pruner-bench-") as work:
        target = here.target(work)
        try:
            roofs = ceilings(driver, timing, torch, options.quick)
            result["ceilings"] = roofs
            for operation in suite:
                if operation.name in failures or any(
                        row["name"] == operation.name for row in rows):
                    continue
                if stop.asked or clock.left() < 0.02 * clock.seconds:
                    left.append(operation.name)
                    continue
                say("%s ..." % operation.name)
                restart.begin(operation.name)
                try:
                    row = measure(here, operation, options, target, work, builders,
                                  driver, timing, torch, roofs, extra)
                    finish(row)
                    rows.append(row)
                except (ValueError, KeyError, kit.Failed, OSError,
                        subprocess.SubprocessError, RuntimeError) as error:
                    if LOST.search(str(error)):
                        restart.now(operation.name, str(error)[:1000])
                    failures[operation.name] = str(error)[:1000]
                    say("%s: %s" % (operation.name, error))
                restart.done()
                output.write_json("bench.json", result)
            result["complete"] = not left
        finally:
            restart.done()
            output.write_json("bench.json", result)
            output.write("bench.txt", table(rows) + "\n")
            builders.close()
    say(table(rows))
    for name, reason in failures.items():
        say("failed: %s: %s" % (name, reason))
    if left:
        say("not reached: " + " ".join(left))
    wrong = any(row["candidates"]["wrong"] for row in rows)
    return kit.WRONG if wrong or failures or not rows else kit.RIGHT


def become(python):
    """Goes on as the Python with PyTorch, if that is another one."""
    found = shutil.which(python) if python else None
    if not found or os.environ.get("PRUNER_GPU_KIT_BENCH") == found:
        return
    if os.path.abspath(found) != os.path.abspath(sys.executable):
        os.environ["PRUNER_GPU_KIT_BENCH"] = found
        os.execv(found, [found, "-m", "gpukit.bench"] + sys.argv[1:])


def main():
    parser = kit.parser(__doc__.split("\n")[0], "gpu-results")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--only", default=".", metavar="REGEX", help="operations")
    parser.add_argument("--drafts", type=int, default=12, help="candidates per task")
    parser.add_argument("--db", action="append", default=[],
                        help="databases of run-gpu-tune whose records compete too")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--sample", type=float, default=5e-3, help="seconds")
    parser.add_argument("--operation-seconds", type=float, default=300,
                        help="an operation that takes longer is given up")
    parser.add_argument("--resume", action="store_true",
                        help="go on behind what the folder has")
    parser.add_argument("--compile", action="store_true", help="torch.compile too; slow")
    parser.add_argument("--no-torch", action="store_true")
    parser.add_argument("--quick", action="store_true", help="small ceilings, to try it out")
    options = parser.parse_args()
    become(options.python)
    kit.main(run, options)


if __name__ == "__main__":
    main()
