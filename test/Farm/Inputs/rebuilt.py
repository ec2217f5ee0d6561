"""A worker whose program is replaced: the next process has another build and must not
be used."""
import pathlib
import stat
import sys

from pruner.farm.slot_worker import SlotWorker
from pruner.worker import WorkerFailed

program = pathlib.Path(sys.argv[1]) / "worker"


def build(generator):
    program.write_text(f"""#!{sys.executable}
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "crash":
        sys.exit(3)
    print(json.dumps({{**request, "protocol": 2, "generator": "{generator}"}}), flush=True)
""")
    program.chmod(stat.S_IRWXU)


def ask(kind):
    try:
        return worker.ask({"type": kind, "id": 1}, 20)["type"]
    except WorkerFailed as failed:
        return f"{failed.failure}: {failed}"


build("first")
worker = SlotWorker(str(program))
print(ask("hello"), ask("run"))
print(ask("crash"))
print(ask("run"))  # The next process has the same build.
build("second")
print(ask("run"))  # The running process.
print(ask("crash"))
print(ask("run"))
print(ask("run"))
build("first")
print(ask("run"))
worker.stop()
