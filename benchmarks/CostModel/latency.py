#===- latency.py - errors of predicted times of unseen programs ------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains CDMPP on a part of datasets and measures the errors of its predicted times on
the other part, compared with the analytical model, over several seeds.

    python benchmarks/CostModel/latency.py --directory work --json latency.json.gz \\
        --data winners=mi50-convolutions.jsonl.gz,mi50-products.jsonl.gz \\
        --model '4,000 steps {"steps": 4000}' --seeds 3
    python benchmarks/CostModel/latency.py --table latency.json.gz

A dataset is NAME=FILE,...; a model is a name and options of `pruner model train
--model=cdmpp`. A model is trained on all datasets and evaluated on each. Weights that the
directory has are not trained again, so a stopped run can be continued.

The part that is left out is a share of the task shapes (`--leave-out structures`, a
third), or of the records (`--leave-out records`, a tenth), as in the paper. A task shape
consists of the extents of a task without the number of images or of other independent
products. All batch sizes, epilogues and machines of a layer are therefore in the same
part. If the columns of a task are pixels of several images, the record's variant has the
number of images (batch=8).

With `--device NAME=FILE,...`, each model is then adapted to that device with `--samples`
of its records, drawn at random from the task shapes that are not left out, by each of the
methods `--adapt 'NAME {options}'`. It is evaluated on the task shapes of the device that
are left out. The datasets are then the other domain.
"""

import argparse
import collections
import gzip
import hashlib
import itertools
import json
import os
import pathlib
import re
import shlex
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner_tools.datasets import family_of, parts
from pruner_tools.results import (commit_of, print_rows, processor, read, timestamp,
                                  without_folders, write_result, write_whole)
from training import file_name, made, run

EXTENTS = re.compile(r"_(\d+(?:x\d+)*)(?:_[0-9a-f]{8})?$")
BATCH = re.compile(r"(?:^| )batch=(\d+)(?: |$)")


class Form:
    """NAME {OPTIONS}."""

    def __init__(self, text):
        words, brace, options = text.partition("{")
        self.name, self.options = words.strip(), json.loads(brace + options or "{}")


def structure(task, record):
    """The text of the task shape of a record."""
    named = EXTENTS.search(task["name"])
    if not named:
        return task["name"]
    kind, extents = task["name"][:named.start()], list(map(int, named.group(1).split("x")))
    batch = BATCH.search(record.get("variant", ""))
    if kind == "matmul" and batch:
        extents[1] //= int(batch.group(1))
    elif kind == "contract" and len(extents) == 5:  # A convolution of one tap.
        _, filters, height, width, channels = extents
        extents = [filters, height * width, channels]
    elif kind == "rows" or (family_of(kind), len(extents)) in (("products", 4),
                                                               ("convolutions", 7)):
        del extents[0]
    return "x".join(map(str, extents))


def lot(text, seed):
    """A number from 0 to 1 that depends on the text and the seed only."""
    digest = hashlib.sha256(f"{text}\n{seed}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2 ** 64


def split(args, path, seed):
    """The parts of a dataset for training and for the evaluation, as paths."""
    stem = os.path.join(args.directory, file_name(
        pathlib.Path(path).name.split(".")[0], args.leave_out, args.share, args.first, seed))
    paths = [f"{stem}-{side}.jsonl.gz" for side in ("learn", "judge")]
    if all(map(os.path.exists, paths)):
        return paths
    texts, numbers = [[], []], itertools.count()
    for begin, records in parts(path):
        for text in texts:
            text.append(json.dumps(begin))
        written = [set(), set()]
        seen = collections.Counter()
        for (task, record), number in zip(records, numbers):
            seen[task["task"]] += 1
            if args.first and seen[task["task"]] > args.first:
                continue
            by = structure(task, record) if args.leave_out == "structures" else number
            side = lot(by, seed) < args.share
            if task["task"] not in written[side]:
                written[side].add(task["task"])
                texts[side].append(json.dumps(task))
            texts[side].append(json.dumps(record))
    for text, name in zip(texts, paths):
        write_whole(name, gzip.compress("\n".join(text + [""]).encode(), 3))
    return paths


def learn(args, path, *command):
    """Trains weights into a file, unless the file exists."""
    return made(path, [args.tools / "pruner", "model", *command])


def judge(args, files, weights):
    """By kind of operation and for all: {model: errors} of weights by name."""
    unseen = ["--unseen"] if args.leave_out == "structures" else []
    models = {**weights, "analytical": "psa"}
    command = [args.tools / "pruner", "model", "evaluate", "--latency", "--json", *unseen,
               f"--model={','.join(models.values())}", *files]
    key = hashlib.sha256("\n".join(map(str, command[1:])).encode()).hexdigest()[:16]
    path = os.path.join(args.directory, f"judged-{key}.json")
    if not os.path.exists(path):
        write_whole(path, run(command))
    found = read(path)
    names = {name: pathlib.Path(path).stem for name, path in models.items()}
    return [{"machine": group["machine"], "of": group["of"], "tasks": group["tasks"],
             "models": {name: {figure: value if figure == "schedules" else float(f"{value:.4g}")
                               for figure, value in group["models"][key].items()}
                        for name, key in names.items()}}
            for group in found["groups"]]


def trained(args, form, learning, seed):
    options = json.dumps({**form.options, "seed": seed})
    path = os.path.join(args.directory, file_name(
        args.name, form.name, args.leave_out, seed) + ".safetensors")
    return learn(args, path, "train", "--model=cdmpp", f"--options={options}",
                 f"--seed={seed}", *learning)


def adapted(args, weights, form, target, learning, sources, seed):
    options = json.dumps({**form.options, "seed": seed})
    path = weights.replace(".safetensors", "-" + file_name(target, form.name) +
                           ".safetensors")
    platforms = ",".join([f"{target}={args.samples}", *sources])
    return learn(args, path, "adapt", f"--weights={weights}", f"--target={target}",
                 f"--platform={platforms}", f"--options={options}", f"--seed={seed}",
                 *learning)


def machine_of(path):
    return next(parts(path))[0]["machine"]["name"]


def measure_seed(args, seed):
    sides = {name: list(zip(*(split(args, path, seed) for path in paths)))
             for name, paths in args.data.items()}
    learning = [path for learn_by, _ in sides.values() for path in learn_by]
    weights = {form.name: trained(args, form, learning, seed) for form in args.model}
    for name, (_, judging) in sides.items():
        yield {"data": name, "seed": seed, "groups": judge(args, judging, weights)}
    sources = dict.fromkeys(map(machine_of, learning))
    for name, paths in args.device.items():
        of, judging = zip(*(split(args, path, seed) for path in paths))
        models = {}
        for model, path in weights.items():
            models[f"{model}, not adapted"] = path
            for form in args.adapt:
                models[f"{model}, {form.name}"] = adapted(
                    args, path, form, machine_of(of[0]), [*of, *learning], sources, seed)
        yield {"data": name, "seed": seed, "groups": judge(args, judging, models)}


def toolchain(args):
    """The versions of Pruner, LLVM, LibTorch and the BLAS."""
    version = run([args.tools / "pruner", "--version"]).decode().split("\n")
    weights = next(pathlib.Path(args.directory).glob("*.safetensors"))
    model = run([args.tools / "pruner", "model", "describe", weights]).decode().split("\n")[0]
    return ", ".join(filter(None, [*version, re.sub(r" \(/.*", "", model)]))


def measure(args):
    os.makedirs(args.directory, exist_ok=True)
    runs = [each for seed in range(args.seeds) for each in measure_seed(args, seed)]
    write_result(args.json, {
        "benchmark": "latency", "time": timestamp(), "commit": commit_of(ROOT),
        "processor": processor(), "toolchain": toolchain(args),
        "leave_out": args.leave_out, "share": args.share,
        "command": shlex.join(map(without_folders, sys.argv)), "runs": runs})


def percent(errors):
    return f"{errors['mape']:.1%} ({errors['median']:.1%})"


def rows_of(runs, of):
    """A row for each dataset and model: the errors of each seed, and the median."""
    for data in dict.fromkeys(each["data"] for each in runs):
        found = collections.defaultdict(list)
        for each in runs:
            for group in each["groups"]:
                if each["data"] == data and re.fullmatch(of, group["of"]):
                    for model, errors in group["models"].items():
                        found[group["of"], model].append(errors)
        for (kind, model), seeds in found.items():
            name = data if kind == "all" else f"{data}: {kind}"
            counts = sorted({each["schedules"] for each in seeds})
            schedules = f"{counts[0]:,}" + (f" to {counts[-1]:,}" if counts[1:] else "")
            mape = statistics.median(each["mape"] for each in seeds)
            within = statistics.median(each["within_20_percent"] for each in seeds)
            yield [name, model, schedules, ", ".join(map(percent, seeds)), f"{mape:.1%}",
                   f"{within:.0%}"]


def print_table(paths, of):
    print_rows(["data", "model", "programs", "MAPE (median) by seed", "MAPE, median of seeds",
                "within 20 %"],
               [row for path in paths for row in rows_of(read(path)["runs"], of)], True, left=2)


def named_files(texts):
    return {name: files.split(",") for name, files in (text.split("=", 1) for text in texts)}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--table", nargs="+", metavar="FILE", help="print the table of results, as Markdown")
    add("--of", default="all", metavar="REGEX", help="kinds of operations in the table")
    add("--tools", type=pathlib.Path, default=ROOT / "build/bin")
    add("--directory", help="for weights and parts of datasets")
    add("--json", help="the result")
    add("--name", default="", help="name of the weights, if several runs share a directory")
    add("--data", action="append", default=[], metavar="NAME=FILE,...")
    add("--model", type=Form, action="append", default=[], metavar="NAME [JSON]")
    add("--device", action="append", default=[], metavar="NAME=FILE,...")
    add("--adapt", type=Form, action="append", default=[], metavar="NAME [JSON]")
    add("--samples", type=int, default=300, help="records of a new device")
    add("--seeds", type=int, default=3)
    add("--leave-out", choices=["structures", "records"], default="structures")
    add("--share", type=float, help="the share that is left out")
    add("--first", type=int, default=0, help="use only the first N records of each task")
    args = parser.parse_args()
    if args.table:
        print_table(args.table, args.of)
        return
    if not (args.directory and args.json and args.data and args.model):
        parser.error("expected --directory, --json, --data and --model, or --table")
    if args.share is None:
        args.share = 0.33 if args.leave_out == "structures" else 0.1
    args.data, args.device = named_files(args.data), named_files(args.device)
    measure(args)


if __name__ == "__main__":
    main()
