"""The bindings: tasks, models, tuning that is interrupted and continued, a library."""
import sys

import numpy
import pruner

from product import TEXT

directory, *weights = sys.argv[1:]
# A name with a space, which pass options must preserve.
database = f"{directory}/a b.db"


def refused(call, *arguments, **options):
    try:
        call(*arguments, **options)
    except pruner.PrunerError as error:
        print("refused:", str(error).splitlines()[0])


module = pruner.Module.parse(TEXT, name="net")
print("bytecode:", str(pruner.Module.parse(module.bytecode())) == str(module))
(task,) = module.tasks()
print(task)
schedules = task.sample(8, seed=3)
seconds = task.predict(schedules, threads=1)
print("predicted:", len(seconds), all(0 < each < 1 for each in seconds))
report = task.explain(schedules[0], threads=1)
print("explained:", report["task"] == task.name, report["seconds"] == seconds[0],
      len(report["statements"]) > 0)
for path in weights:
    scores = pruner.CostModel.load(path).predict(task, schedules, threads=1)
    print("scored:", len(scores), len(set(scores)) > 1)

phases = []


def until_first(progress):
    phases.append(progress)
    return progress.done == 0


options = {"trials": 3, "batch": 1, "threads": 1, "model": "none", "db": database}
print("to the end:", bool(module.tune(progress=until_first, **options)))
print("trials:", [(p.done, p.total) for p in phases])


def fails(progress):
    raise KeyboardInterrupt


try:
    module.tune(progress=fails, **options)
except KeyboardInterrupt:
    print("Ctrl-C: raised")
log = []
print("to the end:", bool(module.tune(log=log.append, **options)))
print("goes on:", "continuing after 1" in "".join(log))
(task,) = module.tasks()
print("tuned:", task.schedule is None or task.schedule.startswith("#pruner.schedule<"))

applied = pruner.Module.parse(TEXT).apply_best(db=database, threads=1)
print("applied the same:", applied.tasks()[0].schedule == task.schedule)
draft = pruner.Module.parse(TEXT).draft(threads=1, population=64)
copy = draft.clone()
for each in (draft, copy):
    each.lower(threads=1)
    each.compile(f"{directory}/net.so", header=f"{directory}/net.h")
net = pruner.load(f"{directory}/net.so")
a, b = (numpy.random.rand(*tensor.shape).astype("f") for tensor in net.inputs)
print("right:", numpy.allclose(net(a, b), a @ b, rtol=1e-5))
# A module that another process scheduled. Only lowering passes run here.
read = pruner.Module.parse(str(pruner.Module.parse(TEXT).draft(threads=1, lower=False)))
read.lower(threads=1).compile(f"{directory}/read.so")
print("read:", numpy.allclose(pruner.load(f"{directory}/read.so")(a, b), a @ b, rtol=1e-5))

refused(pruner.Module.open, f"{directory}/none.mlir")
refused(pruner.Module.parse, "func.func", name="net")
refused(module.tune, trials=0)
refused(module.tune, no_such_option=1)
refused(module.run, "nonsense")
refused(task.predict, ["#pruner.schedule<nonsense>"])
refused(pruner.CostModel.load, f"{directory}/none.safetensors")
refused(module.tune, db="it's")
print("said:", sorted({each.severity for each in module.diagnostics}))
