"""Compares the kit's fastest correct program of an operation with its peers."""

import base64
import concurrent.futures
import statistics

from pruner_tools.turns import interleave

from . import ceilings, cuda, kit, peers
from .buffers import Data
from .candidates import Builders, drafts
from .kit import say
from .program import Program
from .timing import Timing

# A sample while the fastest draft is chosen.
CHOICE_SECONDS = 1e-3


class Contest:
    """The device, its clock and the compared programs, for all operations of a run."""

    def __init__(self, here, options, work):
        self.here, self.options, self.work = here, options, work
        self.torch, self.no_torch = peers.load_torch(options)
        if not self.torch:
            say("without PyTorch: " + self.no_torch)
        self.triton = peers.load_triton() if self.torch else None
        self.driver = cuda.Driver()
        self.timing = Timing(self.driver, self.torch, options.sample)
        self.builders = Builders(here, kit.cores())
        self.target = here.target(work)
        self.roofs = None
        # Programs are drafted and compiled while others are measured.
        self.drafting = concurrent.futures.ThreadPoolExecutor(max(1, kit.cores() // 4))
        self.ahead = {}

    def close(self):
        for each in self.ahead.values():
            each.cancel()
        self.drafting.shutdown(wait=True)
        self.builders.close()

    def begin(self, suite):
        """Start to draft and compile operations, which are measured in this order."""
        for operation in suite:
            self.ahead[operation.name] = self.drafting.submit(self._compiled, operation)

    def _compiled(self, operation):
        """Return (calls of functions, [(schedule, reply of the builder)] by function)."""
        tasks, functions, calls = drafts(self.here, operation, self.target,
                                         self.options.drafts, self.work, self.options.db)
        built = {}
        for function, _, _, _ in calls:
            if functions.get(function) in tasks:
                task, schedules = tasks[functions[function]]
                schedules = schedules[: self.options.drafts]
                built[function] = list(zip(schedules, self.builders.build(
                    task, schedules, "nvidia:" + self.here.chip())))
        return calls, built

    def find_ceilings(self):
        self.roofs = ceilings.measure(
            self.driver, self.timing, self.torch, self.options.quick)
        return self.roofs

    def _kernels(self, operation, counts, notes):
        """Return (calls, for each of them the loaded kernels with their schedules);
        None for the kernels if a call has none, with a note."""
        calls, candidates = self.ahead.pop(operation.name).result()
        loaded = []
        for function, _, _, _ in calls:
            if function not in candidates:
                notes.append("%s: %s has no candidate" % (operation.name, function))
                return calls, None
            kernels = []
            for schedule, built in candidates[function]:
                if built["status"] != "ok":
                    counts["failed"] += 1
                    continue
                try:
                    kernels.append((cuda.Kernel(
                        self.driver, base64.b64decode(built["artifact"]), built["entry"],
                        built["facts"]["launch"]), schedule))
                    counts["built"] += 1
                except kit.Failed as error:
                    counts["failed"] += 1
                    notes.append("%s: %s" % (operation.name, error))
            loaded.append(kernels)
        if not all(loaded):
            notes.append("%s: no kernel could be built" % operation.name)
            return calls, None
        return calls, loaded

    def _seconds(self, program, data, best):
        """Time short programs for a millisecond, long ones once. Short ones are replayed:
        launches one by one take the time of the host, twice for a program of two kernels.
        """
        seconds = self.timing.events(lambda: program(data.sets[0]))
        if seconds >= CHOICE_SECONDS and best and seconds >= 1.5 * best:
            return seconds
        return self.timing.prepare(program, data.sets[:1], CHOICE_SECONDS)()

    def _choose(self, operation, data, want, counts, notes, times):
        """Return the fastest correct program among the drafts, and its schedules; None
        for both, with a note, if there is none. Adds (schedule, seconds) of each program
        that differs from the first one in this schedule to `times`."""
        calls, loaded = self._kernels(operation, counts, notes)
        if not loaded:
            return None, None

        def assemble(choice):
            return Program(self.driver, self.timing, calls,
                           [kernels[i][0] for kernels, i in zip(loaded, choice)])

        # Tasks are optimized one after the other; the others keep their first choice.
        chosen, best = [0] * len(loaded), None
        for task, kernels in enumerate(loaded):
            for index, (_, schedule) in enumerate(kernels):
                if best and index == chosen[task]:
                    continue
                trial = list(chosen)
                trial[task] = index
                program = assemble(trial)
                program(data.sets[0])
                self.driver.synchronize()
                error = peers.error_of(data.sets[0]["out"], want) if self.torch else 0.0
                if error > peers.TOLERANCE[operation.precision]:
                    counts["wrong"] += 1
                    notes.append("%s: WRONG by %.3g: %s" % (operation.name, error, schedule))
                else:
                    seconds = self._seconds(program, data, best)
                    times.append((schedule, seconds))
                    if not best or seconds < best:
                        best, chosen = seconds, trial
                program.free()
        if best is None:
            notes.append("%s: no right kernel" % operation.name)
            return None, None
        return assemble(chosen), [kernels[i][1] for kernels, i in zip(loaded, chosen)]

    def _peers(self, operation, data, want, notes):
        """Return the peers that run, in the form of `peers`."""
        found = {}
        for name, (call, comparable) in peers.contenders(
                self.torch, operation, self.options.compile, self.triton).items():
            try:
                call(data.sets[0])
                error = peers.error_of(data.sets[0]["kept"], want)
                limit = peers.TOLERANCE[operation.precision if comparable else "tf32"]
                if error > limit:
                    notes.append("%s: %s is off by %.3g" % (operation.name, name, error))
                found[name] = (call, comparable)
            except Exception as error:
                notes.append("%s: %s: %s" % (operation.name, name, str(error)[:300]))
        return found

    def measure(self, operation):
        """Return the operation's row of the results."""
        counts, notes, times = {"built": 0, "failed": 0, "wrong": 0}, [], []
        l2 = int(self.here.machine.get("l2Bytes", 0)) or (50 << 20)
        data = Data(self.driver, self.torch, operation, 2 * l2 + operation.bytes)
        program = want = None
        try:
            if self.torch:
                want = peers.reference(self.torch, operation, data.sets[0]["tensors"])
            program, schedules = self._choose(
                operation, data, want, counts, notes, times)
            contenders = {"pruner": (program, True)} if program else {}
            if self.torch:
                contenders.update(self._peers(operation, data, want, notes))
            del want  # Frees memory for graphs.
            row = {"name": operation.name, "dtype": operation.precision, "flops": operation.flops,
                   "bytes": operation.bytes, "candidates": counts, "schedules": schedules,
                   "notes": notes, "drafts": times, "contenders": {}, "sets": len(data.sets),
                   "bound_seconds": ceilings.bound_seconds(operation, self.roofs)}
            for mode, sets in (("warm", data.sets[:1]), ("rotated", data.sets)):
                prepared = {name: self.timing.prepare(call, sets)
                            for name, (call, _) in contenders.items()}
                for name, times in interleave(prepared, self.options.turns).items():
                    row["contenders"].setdefault(
                        name, {"same_precision": contenders[name][1]})[mode] = {
                            "median": statistics.median(times), "minimum": min(times),
                            "samples": times}
            return row
        finally:
            if program:
                program.free()
            data.free()
