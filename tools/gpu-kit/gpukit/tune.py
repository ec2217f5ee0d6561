"""Tunes operations or networks on the device, within a time budget.

The database is exported as lines of JSON and replaced atomically every few seconds. The
same command with the same folder continues the run."""

import gzip
import os
import subprocess
import tempfile
import threading
import time

from pruner_tools.tools import ToolError

from . import kit, operators, process
from .kit import say


def join_modules(texts):
    """Return one module with every function of `texts`, whose names may repeat."""
    functions = []
    for number, text in enumerate(texts):
        body = text.strip()
        if body.startswith("module"):
            body = body[body.index("{") + 1: body.rindex("}")]
        functions.append(body.replace("@main(", "@main_%d(" % number))
    return "module {\n%s\n}\n" % "\n".join(functions)


def snapshot(here, database, output, name):
    """Export the whole database as lines of JSON."""
    if not os.path.exists(database):
        return 0
    try:
        lines = here.exported(database).encode()
    except ToolError:  # The tuner is just creating it.
        return 0
    if not lines:
        return 0
    data = gzip.compress(lines, 6)
    if len(data) > kit.MAX_FILE_BYTES:
        raise kit.Failed("'%s' has become too large to be copied back" % name)
    output.write(name, data)
    return sum(1 for line in lines.splitlines() if b'"kind":"record"' in line)


def restore(here, output, name, database):
    path = os.path.join(output.path, name)
    if not os.path.exists(path):
        return
    try:
        with gzip.open(path, "rt") as file:
            said = here.import_lines(database, file.read())
    except ToolError as error:
        said = str(error)
    say("continuing from '%s': %s" % (path, said[-200:]))


def modules(options):
    if not options.module:
        return [operation.module() for operation in operators.dataset_suite()
                if options.only.search(operation.name) and
                operation.precision not in operators.ACCURACY]
    texts = []
    for path in options.module:
        with open(path) as file:
            texts.append(file.read())
    return texts


def refusal(here):
    """Return why the plug-in does not work with this LibTorch, None if it does."""
    environment = dict(here.tuner_environment(), CUDA_VISIBLE_DEVICES="")
    try:
        done = subprocess.run(
            [kit.tool("pruner-opt"), "-", "-o", os.devnull,
             "--pruner-tune=target=nvidia:sm_80 trials=1 batch=1 model=pacm lower=false"],
            input=operators.matmul(16, 16, 16).module(), capture_output=True, text=True,
            errors="replace", env=environment, timeout=120)
    except subprocess.TimeoutExpired:
        return "the plug-in for PyTorch %s does not respond" % here.torch.series
    if done.returncode == 0:
        return None
    lines = [l for l in done.stderr.splitlines() if "error:" in l] or [done.stderr[-300:]]
    return "PyTorch %s: %s" % (here.torch.version, lines[-1].strip())


def strategy(here, options):
    """Return (strategy, model). Print why it is not the learned model."""
    if options.strategy:
        return options.strategy, options.model or "auto"
    if here.plugin:
        here.no_plugin = refusal(here)
        if not here.no_plugin:
            return "draft-verify", options.model or "pacm"
        here.plugin = None
    say("without learned cost models: %s; using the analytical model only "
        "(draft-only)" % here.no_plugin)
    return "draft-only", "none"


def run(options):
    stop = kit.Stop()
    here = kit.Kit(options.python, learned=not options.no_learned)
    output = kit.Output(options.output)
    here.find_device()
    name = "tuning.jsonl.gz"
    chosen, model = strategy(here, options)
    clock = kit.Clock(options.minutes)
    facts = here.describe()
    with tempfile.TemporaryDirectory(prefix="pruner-tune-") as work:
        database = os.path.join(work, "tuning.db")
        source = os.path.join(work, "input.mlir")
        with open(source, "w") as file:
            texts = modules(options)
            file.write(texts[0] if len(texts) == 1 else join_modules(texts))
        restore(here, output, name, database)
        environment = here.tuner_environment()
        settings = ("target=%s trials=%d strategy=%s model=%s batch=%d seed=%d lower=false "
                    "time-limit=%d db=%s" % (
                        here.target(work), options.trials, chosen, model, options.batch,
                        options.seed, max(1, 0.85 * clock.left()), database))
        if model != "none":
            settings += " model-device=" + options.model_device
        if options.weights:
            settings += " weights=" + os.path.abspath(options.weights)
        child = process.start([kit.tool("pruner-opt"), source, "-o",
                               os.path.join(work, "tuned.mlir"),
                               "--pruner-tune=" + settings],
                              stderr=subprocess.PIPE, text=True, errors="replace",
                              env=environment)
        report = []

        def listen():
            for line in child.stderr:
                line = line.split("\r")[-1].rstrip()
                report.append(line)
                del report[:-400]
                say(line)

        listener = threading.Thread(target=listen, daemon=True)
        listener.start()
        saved, asked, records = time.monotonic(), False, 0
        try:
            while child.poll() is None:
                time.sleep(0.2)
                if (stop.asked or clock.left() < 5) and not asked:
                    child.terminate()  # It ends after its current step.
                    asked = time.monotonic()
                if asked and time.monotonic() - asked > 20:
                    break
                if time.monotonic() - saved > 15:
                    records = snapshot(here, database, output, name) or records
                    saved = time.monotonic()
        finally:
            process.end(child, 0.5)
            records = snapshot(here, database, output, name) or records
        listener.join(5)
        output.write_json("tune.json", {
            "environment": facts, "settings": settings, "strategy": chosen, "model": model,
            "no_learned_models_because": None if here.plugin else here.no_plugin,
            "records": records, "exit": child.returncode, "stopped": bool(asked),
            "seconds": round(clock.spent(), 1), "report": report[-120:],
        })
    if asked:  # Reaching the time limit is not an error.
        return kit.RIGHT if records else kit.WRONG
    return kit.RIGHT if child.returncode == 0 else kit.WRONG


def add_options(parser):
    parser.add_argument("module", nargs="*", help="MLIR files (the kit's operations)")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--trials", type=int, default=100000)
    parser.add_argument("--only", type=kit.expression, default=".", metavar="REGEX",
                        help="of the operations")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--strategy", help="as of pruner-tune")
    parser.add_argument("--model", help="as of pruner-tune")
    parser.add_argument("--model-device", choices=("cpu", "cuda", "auto"), default="cpu",
                        help="device of the learned model (cpu)")
    parser.add_argument("--weights", help="as of pruner-tune")
    parser.add_argument("--no-learned", action="store_true")
