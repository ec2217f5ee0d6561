"""pruner.compile, pruner.TuneResult, pruner.Database and constants."""
import os
import sys
import tempfile

import numpy as np

import pruner

directory = sys.argv[1]
rng = np.random.default_rng(0)
w, b = rng.random((48, 40), "f") - 0.5, rng.random(40, "f")
x = rng.random((64, 48), "f")


def layer(x):
    return np.maximum(x @ w + b, 0)


def right(net):
    return np.allclose(net(x), layer(x), rtol=1e-4, atol=1e-5)


def refused(call, *arguments, **options):
    try:
        call(*arguments, **options)
    except pruner.PrunerError as error:
        print("refused:", str(error).splitlines()[0])


net = pruner.compile(layer, x, threads=1)
print(net)
print(f"right: {right(net)}, one kernel: {len(net.metadata['calls']) == 1}")
net.save(f"{directory}/net.so")
print("saved:", right(pruner.load(f"{directory}/net.so")))

options = {"threads": 1, "batch": 2, "model": "none", "finals": False, "network": False}
database = f"{directory}/net.db"
with tempfile.TemporaryFile() as file:
    kept = os.dup(2)
    os.dup2(file.fileno(), 2)
    try:
        net = pruner.compile(layer, x, trials=4, db=database, **options)
    finally:
        os.dup2(kept, 2)
    file.seek(0)
    print("stderr:", file.read())
result = net.tuning
print(result, bool(result), result.interrupted)
print("trials:", [trial.trial for trial in result.trials], len(result.best), "task")
(best,) = result.best.values()
print("best:", best[:25], right(net))
print(f"reason: {best in result.reason}, table: {'speed-up' in result.report}, "
      f"html: {all('<table>' in each._repr_html_() for each in (result, result.trials))}")
more = pruner.compile(layer, x, trials=5, db=database, **options).tuning
print("continued:", [trial.trial for trial in more.trials])
ended = pruner.compile(layer, x, trials=100, threads=1, progress=lambda p: p.done < 2,
                       batch=2, model="none")
print("ended:", bool(ended.tuning), ended.tuning.interrupted, "right:", right(ended))
print("from the database:", right(pruner.compile(layer, x, db=database, threads=1)))

TEXT = """
func.func @main(%x: tensor<8xf32> {pruner.name = "x"}, %w: tensor<8xf32> {pruner.name = "w"})
    -> (tensor<8xf32> {pruner.name = "y"}) {
  %y = linalg.add ins(%x, %w : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
"""
module, ones = pruner.Module.parse(TEXT), np.ones(8, "f")
before = str(module)
print(f"text: {(pruner.compile(TEXT)(ones, ones) == 2).all()}, module: "
      f"{(pruner.compile(module)(ones, ones) == 2).all()}, unchanged: {str(module) == before}")

database = pruner.Database(database)
print(database)
(task,) = database.tasks
found = database.best(task)
print("best of name, key and task:", found is not None and all(
    database.best(each) == found for each in (task.name, task.key[:8], result.tasks[0])))
print("of others:", database.best(task, target="nvidia:sm_80"))
database.export(f"{directory}/net.jsonl")
other = f"{directory}/other.db"
pruner.compile(layer, x, trials=2, db=other, seed=7, **options)
size = len(database.records)
database.merge(other)
print("exported and merged:", os.path.getsize(f"{directory}/net.jsonl") > 0
      and len(database.records) > size and len(database.to_dataframe()) == len(database.records)
      if "pandas" in sys.modules else len(database.records) > size)

refused(pruner.Database, f"{directory}/none.db")
refused(database.best, "none")
refused(pruner.compile, layer, x, seed=1)
refused(pruner.compile, layer)
refused(pruner.compile, "net.txt")
refused(pruner.compile, 1)
constant = pruner.Module.parse(TEXT).run("pruner-declare-constants{arguments=1}")
refused(constant.set_constant, "x", ones)
refused(constant.set_constant, "w", ones[:1])
