"""Changes what the package reads at random; see ../readers.test.

    readers.py DIRECTORY [CASES [SEED [READER]]]

A reader returns, or raises what its documentation names. Everything else is a defect,
and is printed with the input that shows it.
"""

import copy
import io
import hashlib
import json
import pathlib
import random
import struct
import sys
import traceback
import types

directory = pathlib.Path(sys.argv[1])
CASES = int(sys.argv[2]) if len(sys.argv) > 2 else 400
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
ONLY = sys.argv[4] if len(sys.argv) > 4 else ""

# The farm without a cluster.
ray = types.ModuleType("ray")
ray.put = lambda content: content
ray.kill = lambda actor: None
ray.get = lambda reply, timeout: reply
ray.cloudpickle = types.SimpleNamespace(register_pickle_by_value=lambda module: None)
ray.remote = lambda *args, **kwargs: args[0] if args else (lambda each: each)
ray.exceptions = types.SimpleNamespace(GetTimeoutError=TimeoutError, RayError=RuntimeError)
scheduling = types.ModuleType("ray.util.scheduling_strategies")
scheduling.In = scheduling.NodeAffinitySchedulingStrategy = object
scheduling.NodeLabelSchedulingStrategy = object
experimental = types.ModuleType("ray.experimental")
experimental.internal_kv = types.ModuleType("internal_kv")
sys.modules.update({"ray": ray, "ray.experimental": experimental,
                    "ray.util": types.ModuleType("ray.util"),
                    "ray.util.scheduling_strategies": scheduling})

from pruner import network, opening, profile, report, safetensors, worker
from pruner.cache import Cache, Damaged
from pruner.farm import relay
from pruner.report import records
from pruner_tools import convert_trees, datasets

# --- changes --------------------------------------------------------------------

ODD = (None, True, False, 0, -1, 1, 2 ** 31, 2 ** 63, -2 ** 70, 1.5, 1e308, float("inf"),
       float("nan"), "", "x", "é\0", "7", "\ud800" * 5000, [], [1], [[]], {}, {"x": 1})


def places(value):
    """Every (container, key) below a JSON value."""
    found = []
    pairs = (value.items() if isinstance(value, dict)
             else enumerate(value) if isinstance(value, list) else ())
    for key, below in pairs:
        found.append((value, key))
        found += places(below)
    return found


def other_value(value, chance):
    """A JSON value with a few changes of its structure."""
    whole = [copy.deepcopy(value)]
    for _ in range(chance.choice((1, 1, 2, 3))):
        container, key = chance.choice(places(whole))
        change = chance.randrange(4)
        if change == 0 and isinstance(container, dict):
            del container[key]
        elif change == 1 and isinstance(container, dict):
            container[chance.choice(("x", "", "__metadata__"))] = container.pop(key)
        elif change == 2:
            donor, name = chance.choice(places(whole))
            container[key] = copy.deepcopy(donor[name])
        else:
            container[key] = copy.deepcopy(chance.choice(ODD))
    return whole[0] if whole else None


def other_bytes(data, chance):
    """Bytes with a few of them changed, left out, repeated or added."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        at = chance.randrange(len(data) + 1)
        size = chance.choice((1, 1, 2, 8, 64))
        change = chance.randrange(5)
        if change == 0:
            del data[at:at + size]
        elif change == 1:
            data[at:at] = data[at:at + size]
        elif change == 2:
            data[at:at] = chance.choice((b"[" * 100000, b"\0", b"\xff", b'"', b"}", b"-"))
        elif change == 3:
            data[at:at + size] = chance.randbytes(len(data[at:at + size]))
        elif at < len(data):
            data[at] ^= 1 << chance.randrange(8)
    return bytes(data)


def packed(header, body):
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


# --- readers --------------------------------------------------------------------


def on_file(read):
    """A reader of a path, on bytes."""
    path = directory / "input"

    def on_bytes(data):
        path.write_bytes(data)
        return read(str(path))
    return on_bytes


def read_tensors(path):
    for array in safetensors.read(path).values():
        array.sum()


def read_network(data):
    """All that a network does with its metadata."""
    metadata = network.read_metadata("net.so", data)
    for tensor in network.tensors(metadata, "inputs") + network.tensors(metadata, "outputs"):
        repr(tensor)
        tensor.accepts((2, 3))
        tensor.shape_for(1)
    calls = metadata.get("calls", [])
    times = [network.Times(1, 1.0, 1.0, 1.0) for _ in range(len(calls) + 2)]
    roof = types.SimpleNamespace(flops=1e9, bytes=1e9)
    roof.seconds = types.MethodType(profile.Roof.seconds, roof)
    if "kernels" in metadata and "calls" in metadata:
        made = profile.Profile(metadata["kernels"], calls, times, roof, each=False)
        str(made)
        json.dumps(made.as_dict())


def read_roof(path):
    roof = profile.Roof(path, 2)
    roof.seconds({"flops": 1, "bytes": 1})


def read_records(data):
    for environment in records.environments(data.decode(errors="replace").splitlines()):
        environment.trials()
        for task in environment.tasks.values():
            task.progress()
            task.kind, task.best, task.failed


def read_profile(path):
    environment = records.Environment("h", "m", "cpu", "threads=2")
    environment.tasks["5"] = records.Task("5", "task_matmul_4x4_00000000", 1, 1)
    run, rest = records.read_profile(path, environment)
    return run + rest


def read_entry(data):
    (directory / "cache" / "k" / "net").write_bytes(b"12345")
    (directory / "cache" / "k" / "files.json").write_bytes(data)
    Cache(directory / "cache").read("k")


class Leaser:
    """Gives a place whose worker answers everything."""

    def lease(self, machine, seconds):
        assert seconds == seconds
        ask = types.SimpleNamespace(remote=self.answer)
        return (types.SimpleNamespace(ask=ask),
                {"node": "0123456789", "host": "h", "machine": machine})

    def suspect(self, node):
        pass

    @staticmethod
    def answer(request, parts, seconds):
        assert isinstance(request["type"], str) and seconds == seconds
        return {"type": request["type"], "id": request.get("id"), "protocol": 2}


def serve(data):
    """A relay answers each request with one line."""
    replies = io.BytesIO()
    relay.Relay(Leaser(), 1, lambda text: None).serve(io.BytesIO(data), replies)
    for line in replies.getvalue().splitlines():
        assert isinstance(json.loads(line)["type"], str)


class Answering(worker.Worker):
    """A worker whose replies are given."""

    def __init__(self, reply):
        super().__init__("none")
        self.reply, self.process = reply, None

    def start(self):
        self.process = self

    def stop(self):
        self.process = None

    def _exchange(self, line, seconds):
        return self.reply


def ask(data):
    """A line is the reply to one of two requests at most."""
    failures = []
    for request in ({"type": "hello", "id": -1}, {"type": "run", "id": 3}):
        try:
            assert isinstance(Answering(data.split(b"\n")[0]).ask(request, 1), dict)
        except worker.WorkerFailed as error:
            failures.append(error)
    assert failures
    if len(failures) == 2:
        raise failures[0]


METADATA = {
    "alignment": 64, "calls": [0, 1, 1], "cpu": "x", "cpu_features": ["sse2"],
    "entry": "main", "format": 1, "workspace_bytes": 0,
    "inputs": [{"dtype": "f32", "name": "x", "shape": [2, 3]},
               {"dtype": "i64", "kind": "parameter", "name": "w", "shape": []}],
    "outputs": [{"dtype": "bf16", "name": "r", "shape": [2]}],
    "kernels": [{"name": "a"}, {"bytes": 64, "flops": 8, "key": "5", "name": "b",
                                "seconds": 1e-6}]}
SIZED = {**METADATA, "format": 2,
         "inputs": [{"dtype": "f32", "name": "x", "shape": ["n", 3]}],
         "sizes": {"name": "n", "min": 1, "max": 64, "independent": True,
                   "functions": [{"name": "main_8", "size": 8}], "intervals": [[1, 64, 0]]}}
TASK = {"pruner": {"kind": "task", "key": "5", "name": "task_matmul_4x4_00000000",
                   "flops": 128, "bytes": 192}}
RECORD = {"timestamp": "2026-01-31T12:00:00Z", "configuration": {"schedule": "s"},
          "measurements": [{"name": "psa_latency", "value": 1e-3}],
          "pruner": {"kind": "record", "task": "5", "host": "h", "machine": "m",
                     "target": "cpu", "pipeline_options": "threads=2", "toolchain": "t",
                     "times": [1e-3, 2e-3], "status": "ok", "strategy": "draft-verify",
                     "run": "r", "trial": 1, "reason": "", "verified": True}}
FINAL = {**RECORD, "pruner": {**RECORD["pruner"], "strategy": "final", "trial": 2}}
TREES = (b"{L" + struct.pack(">q", 7) + b"learner{L" + struct.pack(">q", 19)
         + b"learner_model_param{L" + struct.pack(">q", 10) + b"base_scoreSL"
         + struct.pack(">q", 5) + b"[0.5]L" + struct.pack(">q", 11) + b"num_featureSL"
         + struct.pack(">q", 1) + b"3}L" + struct.pack(">q", 16) + b"gradient_booster{L"
         + struct.pack(">q", 5) + b"model{L" + struct.pack(">q", 5) + b"trees[{L"
         + struct.pack(">q", 13) + b"left_children[$l#L" + struct.pack(">q3i", 3, 1, -1, -1)
         + b"L" + struct.pack(">q", 14) + b"right_children[$l#L"
         + struct.pack(">q3i", 3, 2, -1, -1)
         + b"L" + struct.pack(">q", 13) + b"split_indices[$l#L"
         + struct.pack(">q3i", 3, 2, 0, 0)
         + b"L" + struct.pack(">q", 16) + b"split_conditions[$d#L"
         + struct.pack(">q3f", 3, 1.25, -0.5, 0.75)
         + b"L" + struct.pack(">q", 12) + b"default_left[$U#L" + struct.pack(">q3B", 3, 1, 0, 0)
         + b"}]}}}}")
WEIGHTS = {"__metadata__": {"model": "xgboost", "terms": "1"},
           "trees": {"dtype": "U8", "shape": [len(TREES)], "data_offsets": [0, len(TREES)]}}
DATASET = [{"dataset": 1, "machine": {}}, {"task": 0, "name": "a", "text": "t"},
           {"record": 0, "schedule": "s", "seconds": [1.0]}]


def elf():
    header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01" + bytes(9), 3, 62, 1, 0,
                         64, 0, 0, 64, 56, 2, 0, 0, 0)
    note = struct.pack("<III4s8s", 4, 8, 3, b"GNU\0", b"buildid!")
    at = 64 + 2 * 56
    segments = (struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, at, at, 4096)
                + struct.pack("<IIQQQQQQ", 4, 4, at, 0, 0, len(note), len(note), 4))
    return header + segments + note


def lines(*values):
    return "\n".join(json.dumps(value) for value in values).encode() + b"\n"


def gzipped(read):
    import gzip
    return on_file(lambda path: read(gzip_to(path, gzip)))


def gzip_to(path, gzip):
    data = pathlib.Path(path).read_bytes()
    with gzip.open(path + ".gz", "wb", compresslevel=1) as file:
        file.write(data)
    return path + ".gz"


def json_bytes(value):
    return json.dumps(value).encode()


# By name: the reader of bytes, what it raises, and seeds: JSON values with what makes
# bytes of one, or bytes.
READERS = {
    "safetensors": (on_file(read_tensors), (ValueError, OSError), [
        ({"__metadata__": {"a": "b"},
          "x": {"dtype": "F32", "shape": [2, 1], "data_offsets": [0, 8]},
          "y": {"dtype": "BOOL", "shape": [3], "data_offsets": [8, 11]},
          "z": {"dtype": "I64", "shape": [0, 7], "data_offsets": [11, 11]}},
         lambda header: packed(header, bytes(range(11))))]),
    "elf": (opening.elf_headers, (ValueError,), [(elf(), None)]),
    "build id": (on_file(opening.build_id), (ValueError, OSError), [(elf(), None)]),
    "network": (read_network, (network.NetworkError,),
                [(METADATA, json_bytes), (SIZED, json_bytes)]),
    "roof": (on_file(read_roof), (network.NetworkError, ValueError, OSError), [
        ({"kind": "cpu", "units": 4, "peakFlops": 16e9, "memoryBandwidth": 16e9},
         json_bytes)]),
    "records": (read_records, (records.ReportError,), [
        ([TASK, RECORD, RECORD, FINAL], lambda values: lines(*values)
         if isinstance(values, list) else json_bytes(values))]),
    "profile": (on_file(read_profile), (records.ReportError, ValueError, OSError), [
        ({"seconds": 1.0, "rows": [{"key": None, "seconds": 0.5, "calls": 1},
                                   {"key": "5", "seconds": 0.25, "calls": 2.0}]},
         json_bytes)]),
    "machine": (on_file(report.read_machine),
                (records.ReportError, ValueError, OSError), [
        ({"kind": "cpu", "units": 4, "peakFlops": 16e9, "memoryBandwidth": 16e9},
         json_bytes)]),
    "cache": (read_entry, (Damaged,), [
        ({"format": 1,
          "files": {"net": {"bytes": 5, "sha256": hashlib.sha256(b"12345").hexdigest()}}},
         json_bytes)]),
    "relay": (serve, (), [
        ([{"type": "hello", "id": 1, "machine": "cpu"},
          {"type": "task", "id": 2, "key": "k", "text": "t" * 5000, "deadline": 3.5},
          {"type": "run", "id": 3, "artifact": "AAAA", "deadline": 3}, {"type": "quit"}],
         lambda values: lines(*values) if isinstance(values, list)
         else json_bytes(values))]),
    "replies": (ask, (worker.WorkerFailed,), [
        ({"type": "hello", "id": -1, "protocol": 2, "pruner": "0.1"}, json_bytes),
        ({"type": "run", "id": 3, "status": "ok"}, json_bytes),
        ({"type": "error", "id": 3, "reason": "none"}, json_bytes)]),
    "trees": (convert_trees.convert, (ValueError,), [
        (WEIGHTS, lambda header: packed(header, TREES)), (TREES, lambda trees: packed(
            {**WEIGHTS, "trees": {**WEIGHTS["trees"], "data_offsets": [0, len(trees)]}},
            trees))]),
    "dataset": (gzipped(lambda path: list(datasets.parts(path))), (ValueError, OSError), [
        (DATASET, lambda values: lines(*values) if isinstance(values, list)
         else json_bytes(values))]),
}


def attempt(name, data, expected):
    """Whether the data were read."""
    read, raised, _ = READERS[name]
    try:
        read(data)
        return True
    except raised as error:
        if expected:
            raise
        assert str(error), "an error without words"
        return False
    except Exception:
        traceback.print_exc()
        sys.exit(f"{name}: {data[:3000]!r}")


(directory / "cache" / "k").mkdir(parents=True)
(directory / "cache").chmod(0o700)
for name, (_, _, seeds) in READERS.items():
    if ONLY not in ("", name):
        continue
    accepted = 0
    for number in range(CASES):
        chance = random.Random(f"{SEED} {name} {number}")
        seed, to_bytes = chance.choice(seeds)
        if isinstance(seed, bytes):
            data = other_bytes(seed, chance)
            data = to_bytes(data) if to_bytes else data
        else:
            data = to_bytes(other_value(seed, chance) if chance.randrange(3) else seed)
            if chance.randrange(3) == 0:
                data = other_bytes(data, chance)
        accepted += attempt(name, data, expected=False)
    for seed, to_bytes in seeds:
        data = to_bytes(seed) if to_bytes else seed
        if name != "replies":
            attempt(name, data, expected=True)
    print(f"{name}: {CASES} cases", "some read" if accepted else "none read")
