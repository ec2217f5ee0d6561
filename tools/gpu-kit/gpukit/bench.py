"""Compares the kit's operations with other software and with the ceilings of the
device, in one run.

Contenders are timed interleaved, on random data: warm (always the same buffers) and
rotated (buffers of twice the size of the L2 cache). Without PyTorch only the kernels of
this kit and the ceilings of the driver are timed."""

import subprocess
import tempfile

from . import kit, operators
from .contest import Contest
from .kit import say
from .report import finish, table
from .restart import LOST, Restart, become, resumed


def run(options):
    become(options.python)
    stop = kit.Stop()
    here = kit.Kit(options.python, learned=False)
    output = kit.Output(options.output)
    here.find_device()
    with tempfile.TemporaryDirectory(prefix="pruner-bench-") as work:
        contest = Contest(here, options, work)
        clock = kit.Clock(options.minutes)
        suite = [op for op in operators.bench_suite() if options.only.search(op.name)]
        rows, left, failures = [], [], {}
        torch = contest.torch.__version__ if contest.torch else contest.no_torch
        result = {"environment": here.describe(), "peers": {"torch": torch}, "rows": rows,
                  "not_reached": left, "failed": failures, "complete": False}
        if options.resume:
            resumed(output, result)
        restart = Restart(options, clock, output, result)
        try:
            result["ceilings"] = contest.find_ceilings()
            measured = {row["name"] for row in rows}
            suite = [op for op in suite if op.name not in measured.union(failures)]
            contest.begin(suite)
            for operation in suite:
                if stop.asked or clock.left() < 0.02 * clock.seconds:
                    left.append(operation.name)
                    continue
                say("%s ..." % operation.name)
                restart.begin(operation.name)
                try:
                    row = contest.measure(operation)
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
            if not options.one_file:
                output.write("bench.txt", table(rows) + "\n")
            contest.close()
    say(table(rows))
    for name, reason in failures.items():
        say("failed: %s: %s" % (name, reason))
    if left:
        say("not reached: " + " ".join(left))
    wrong = any(row["candidates"]["wrong"] for row in rows)
    return kit.WRONG if wrong or failures or not rows else kit.RIGHT


def add_options(parser):
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--only", type=kit.expression, default=".", metavar="REGEX",
                        help="operations")
    parser.add_argument("--drafts", type=int, default=12, help="candidates per task")
    parser.add_argument("--db", action="append", default=[],
                        help="databases of the command tune whose records are also timed")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--sample", type=float, default=5e-3, help="seconds")
    parser.add_argument("--operation-seconds", type=float, default=300,
                        help="time limit of an operation")
    parser.add_argument("--resume", action="store_true",
                        help="continue after the results in the folder")
    parser.add_argument("--compile", action="store_true", help="also time torch.compile; slow")
    parser.add_argument("--no-torch", action="store_true")
    parser.add_argument("--one-file", action="store_true",
                        help="write bench.json only, not bench.txt")
    parser.add_argument("--quick", action="store_true", help="measure small ceilings, for a quick test")
