"""cluster.py SCENARIO MODULE DIRECTORY: tunes MODULE on the nodes of a cluster, which
is started on this machine, and prints the outcome.

Every node has a directory of its own with the programs on its PATH.
"""

import glob
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time

from ray.cluster_utils import Cluster

scenario, module, directory = sys.argv[1:]
package = os.environ["PYTHONPATH"]
fake = os.path.join(os.path.dirname(module), "fake_runner.py")
other_builder = os.path.join(os.path.dirname(module), "other_builder.py")
# A mark in the environment of all processes of this test, on nodes and of the tuner.
MARK = f"PRUNER_FARM_TEST={directory}"
machine = subprocess.run(["pruner-machine", "--key"], check=True, text=True,
                         stdout=subprocess.PIPE).stdout.strip()


def program(path, text):
    with open(path, "w") as file:
        file.write("#!/bin/sh\n" + text + "\n")
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)


class Node:
    """A node with one slot for a runner."""

    def __init__(self, cluster, name, key=machine, worker=None):
        self.bin = os.path.join(directory, name)
        self.events = os.path.join(self.bin, "events")
        os.makedirs(self.bin)
        program(os.path.join(self.bin, "pruner-machine"), f"echo '{key}'")
        program(os.path.join(self.bin, "pruner-worker"), worker or
                f"exec {sys.executable} {fake} --delay 0.2 --events {self.events}")
        self.node = cluster.add_node(
            num_cpus=2, resources={"pruner": 1}, object_store_memory=80 << 20,
            env_vars={"PATH": self.bin + os.pathsep + os.environ["PATH"],
                      "PYTHONPATH": "", **dict([MARK.split("=", 1)])})
        self.cluster = cluster

    def kill(self):
        self.cluster.remove_node(self.node, allow_graceful=False)

    def runs(self):
        try:
            with open(self.events) as file:
                return file.read().count("run ")
        except FileNotFoundError:
            return 0


def farm(cluster, *arguments):
    """Return a command for the tuner that logs every start in <directory>/started."""
    name = os.path.join(directory, f"farm-{len(os.listdir(directory))}")
    program(name, f"echo >> {directory}/started\n"
            f"export PYTHONPATH={package} {MARK}\n"
            f"exec {sys.executable} -m pruner.farm --address={cluster.address} "
            + " ".join(arguments) + f" 2>> {directory}/farm.words")
    return f"exec:exec {name}"


def tune(name, *options):
    """Start a tuner with its records in <name>.db."""
    database = os.path.join(directory, f"{name}.db")
    with open(os.path.join(directory, f"{name}.log"), "w") as log:
        return subprocess.Popen(
            ["pruner-opt", module, "-o", os.devnull, "--pruner-tune=threads=1 "
             f"strategy=random model=none lower=false finals=false db={database} "
             + " ".join(options)], stderr=log)


def records(name):
    """Return the trials in order."""
    lines = subprocess.run(["pruner", "db", "export", os.path.join(directory, f"{name}.db")],
                           check=True, text=True, stdout=subprocess.PIPE).stdout
    found = []
    for line in map(json.loads, lines.splitlines()):
        if line["pruner"]["kind"] == "record":
            found.append({**line["pruner"], **line["configuration"]})
    return sorted(found, key=lambda record: record["trial"])


def finish(tuner, name):
    status = tuner.wait(timeout=300)
    for path in (f"{name}.log", "farm.words"):
        path = os.path.join(directory, path)
        if os.path.exists(path):
            with open(path) as file:  # Output of relays, not of Ray.
                print("".join(line for line in file if not path.endswith("words")
                              or line.startswith("pruner.farm:")))
    return status


def wait_for(what, condition, tuner):
    until = time.monotonic() + 120
    while not condition():
        if time.monotonic() > until or tuner.poll() is not None:
            finish(tuner, "farm")
            sys.exit(f"no {what}")
        time.sleep(0.02)


def compare(whole, found, ordered=True):
    """Exit if the records of the run `found` differ from those of `whole`."""
    what = ("trial", "status", "times", "schedule", "machine")
    rows = [[[record.get(name) for name in what[not ordered:]] for record in records(name)]
            for name in (whole, found)]
    if not ordered:
        rows = [sorted(each, key=json.dumps) for each in rows]
    if rows[0] != rows[1]:
        sys.exit(f"the records differ: {rows}")


def started(words):
    """Return processes of this test whose command line contains `words`."""
    found = []
    for path in glob.glob("/proc/[0-9]*/environ"):
        process = os.path.dirname(path)
        try:
            with open(path, "rb") as file:
                marked = MARK.encode() in file.read().split(b"\0")
            with open(os.path.join(process, "cmdline"), "rb") as file:
                line = file.read().replace(b"\0", b" ").decode()
        except OSError:
            continue  # The process has ended.
        if marked and line and words in line:
            found.append(f"{os.path.basename(process)} {line}")
    return found


def wait_for_end(words):
    until = time.monotonic() + 30
    while left := started(words):
        if time.monotonic() > until:
            sys.exit("left running: " + "; ".join(left))
        time.sleep(0.1)


RUNNER = "--cpus=0 --resource=pruner"


def lost(cluster):
    """Two equal nodes, one of which is killed while it runs a candidate, and a node
    with another machine."""
    nodes = [Node(cluster, "first"), Node(cluster, "second")]
    other = Node(cluster, "other", key=OTHER)
    options = "trials=16 batch=8"
    alone = tune("alone", options, f'runner="exec:{sys.executable} {fake}"')
    assert finish(alone, "alone") == 0
    tuner = tune("farm", options, "runners=2", f'runner="{farm(cluster, RUNNER)}"')
    wait_for("runs on both nodes", lambda: all(node.runs() for node in nodes), tuner)
    before = nodes[0].runs()
    wait_for("another run", lambda: nodes[0].runs() > before, tuner)
    nodes[0].kill()
    print("killed a node during a run")
    assert finish(tuner, "farm") == 0
    print("other:", f"{other.runs()} runs" if other.runs() else "no runs")
    compare("alone", "farm")
    found = records("farm")
    places = {record["facts"]["place"] for record in found}
    print(f"records as of a run on one machine: {len(found)}, on {len(places)} nodes")


def workers(cluster):
    """Real workers, which crash and hang."""
    worker = "exec " + shutil.which("pruner-worker") + ' "$@"'
    for name in ("first", "second"):
        Node(cluster, name, worker=worker)
    runner = farm(cluster, RUNNER, "-- --inject=crash@run:1,hang@run:3")
    tuner = tune("farm", "trials=6 batch=6 runners=2 builders=1", f'runner="{runner}"',
                 f'builder="{farm(cluster)}"')
    assert finish(tuner, "farm") == 0
    reasons = {}
    for record in records("farm"):
        reasons.setdefault(record["status"], []).append(record["reason"])
    for status, of in reasons.items():
        print(f"{status}: {len(of)} {'; '.join(of)}")
    with open(os.path.join(directory, "started")) as file:
        print("relays started:", len(file.read()))


def gone(cluster):
    """All nodes are killed; another one continues the run."""
    nodes = [Node(cluster, "first"), Node(cluster, "second")]
    options = "trials=16 batch=8"
    assert finish(tune("alone", options, f'runner="exec:{sys.executable} {fake}"'),
                  "alone") == 0
    runner = f'runner="{farm(cluster, RUNNER, "--lease-seconds=5")}"'
    tuner = tune("farm", options, "runners=2", runner)
    wait_for("second batch", lambda: sum(node.runs() for node in nodes) > 9, tuner)
    for node in nodes:
        node.kill()
    assert finish(tuner, "farm")
    kept = len(records("farm"))
    print("ended with some records:", 8 <= kept < 16)
    Node(cluster, "third")
    assert finish(tune("farm", options, "runners=1", runner), "farm") == 0
    compare("alone", "farm", ordered=False)
    print("continued to the records of a run on one machine")


def ended(cluster):
    """The tuner is interrupted, and then killed, while it measures."""
    node = Node(cluster, "only")
    options = "trials=16 batch=8"
    assert finish(tune("alone", options, f'runner="exec:{sys.executable} {fake}"'),
                  "alone") == 0
    runner = f'runner="{farm(cluster, RUNNER)}"'
    for number in (signal.SIGINT, signal.SIGKILL):
        before = node.runs()
        tuner = tune("farm", options, runner)
        wait_for("run", lambda: node.runs() > before + 1, tuner)
        tuner.send_signal(number)
        status = finish(tuner, "farm")
        wait_for_end("pruner.farm")
        wait_for_end("fake_runner.py")
        print(f"{number.name}: status {status}, nothing runs")
    assert finish(tune("farm", options, runner), "farm") == 0
    compare("alone", "farm", ordered=False)
    print("continued to the records of a run on one machine")


def builds(cluster):
    """A builder's node is lost, and the remaining one has another build."""
    worker = shutil.which("pruner-worker")
    first = Node(cluster, "first", worker=f'exec {worker} "$@"')
    events = os.path.join(directory, "events")
    tuner = tune("farm", "trials=16 batch=2", "builders=1", f'builder="{farm(cluster)}"',
                 f'runner="exec:{sys.executable} {fake} --delay 0.5 --events {events}"')

    def runs():
        if not os.path.exists(events):
            return 0
        with open(events) as file:
            return file.read().count("run ")

    wait_for("run", runs, tuner)
    Node(cluster, "second", worker=f"PATH={os.path.dirname(worker)}:$PATH "
         f"exec {sys.executable} {other_builder} generator=other")
    first.kill()
    assert finish(tuner, "farm")
    print("all built:", {record["status"] for record in records("farm")})


def compiler(cluster):
    """The builder is another compiler."""
    Node(cluster, "only", worker=f"PATH={os.path.dirname(shutil.which('pruner-worker'))}:$PATH "
         f"exec {sys.executable} {other_builder} generator= pruner=other-1.2")
    tuner = tune("farm", "trials=2 caches=warm builders=1", f'builder="{farm(cluster)}"',
                 f'runner="exec:{sys.executable} {fake}"')
    assert finish(tuner, "farm") == 0
    for record in records("farm"):
        print("made by", record["pipeline_options"])


def unfit(cluster):
    Node(cluster, "other", key=OTHER)
    assert finish(tune("farm", "trials=2", f'runner="{farm(cluster, RUNNER)}"'), "farm")


OTHER = "cpu:other;x86-64;units=1"

shutil.rmtree(directory, ignore_errors=True)
os.makedirs(directory)
head = {"num_cpus": 0, "object_store_memory": 80 << 20, "include_dashboard": False}
cluster = Cluster(initialize_head=True, head_node_args=head)
try:
    {"lost": lost, "workers": workers, "gone": gone, "ended": ended, "builds": builds,
     "compiler": compiler, "unfit": unfit}[scenario](cluster)
finally:
    cluster.shutdown()
for program_name in ("pruner.farm", "pruner-worker", "fake_runner.py", "raylet"):
    wait_for_end(program_name)
print("nothing is left running")
