"""The kit's `pruner-worker`: it builds and runs candidates and reports its failures as
statuses."""

from pruner.worker import Worker, WorkerFailed, artifact_of

from . import kit, process


class KitWorker(Worker):
    """Also starts again if the last process has ended. Without a guard, in a process
    group that is killed as a whole."""

    def __init__(self, environment, arguments=()):
        super().__init__(kit.tool("pruner-worker"), arguments, guarded=False,
                         environment=environment)
        self.tasks = set()  # The keys that the process was sent.

    def _spawn(self, **options):
        self.tasks = set()
        return process.start(self.command, **options)

    def _end_process(self):
        process.end(self.process, 0.2)

    def _register(self, key, text, seconds, reference):
        """Register a task, once per process. Raises WorkerFailed, or ValueError with
        the reason if the task is rejected."""
        if self.process and self.process.poll() is not None:
            self.stop()
        if self.process and (key, reference) in self.tasks:
            return
        reply = self.ask({"type": "task", "key": key, "text": text,
                          "reference": reference}, seconds)
        if reply.get("status") != "ok":
            raise ValueError(reply.get("reason", "no reason given"))
        self.tasks.add((key, reference))

    def _attempt(self, step, key, text, request, seconds, task_seconds, reference):
        """Return the reply, or one that describes the worker's failure."""
        try:
            self._register(key, text, task_seconds, reference)
            return self.ask(dict(request, type=step, task=key), seconds)
        except WorkerFailed as failed:
            if failed.failure == "lost":  # No candidate's fault.
                raise kit.Failed(str(failed))
            status = "timeout" if failed.failure == "timeout" else "crash"
            reason = failed
        except ValueError as rejected:
            status, reason = "error", rejected
        return {"status": step + "-" + status, "reason": str(reason)}

    def build(self, key, text, schedule, target, seconds):
        """Compile a schedule of the task `text`. Raises kit.Failed if the worker cannot
        be started."""
        return self._attempt("build", key, text, {"schedule": schedule, "target": target},
                             seconds, 120, False)

    def run(self, key, text, target, built, seconds, **limits):
        """Measure a reply of `build`. Raises like it."""
        return self._attempt("run", key, text,
                             dict(artifact_of(built), target=target, **limits),
                             seconds, 300, True)
