"""Objects in reference cycles, whose finalizers the garbage collector runs in any order.

Each kind of object in a cycle alone and with the others, in all orders of attributes;
objects that are used after their finalizer ran; an exception that keeps a frame.
"""
import gc
import itertools
import sys

import pruner

TEXT = """
func.func @main(%a: tensor<32x48xf32>, %b: tensor<48x32xf32>,
                %i: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %c = linalg.matmul ins(%a, %b : tensor<32x48xf32>, tensor<48x32xf32>)
                     outs(%i : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %c : tensor<32x32xf32>
}
"""
weights = sys.argv[1:]


class Holder:
    pass


def objects():
    """One object of each kind, with its parts."""
    module = pruner.Module.parse(TEXT)
    (task,) = module.tasks()
    made = [module, module.clone(), task, task._tasks, module._context]
    return made + [pruner.CostModel.load(path) for path in weights]


kinds = len(objects())
cycles = 0
for chosen in itertools.chain.from_iterable(
        itertools.permutations(range(kinds), count) for count in (1, 2, 3)):
    made = objects()
    holder = Holder()
    holder.me = holder
    for n in chosen:
        setattr(holder, f"of{n}", made[n])
        made[n].__dict__["holder"] = holder
    del made, holder
    gc.collect()
    cycles += 1
print("cycles:", cycles)


class Last:
    """Uses objects in its finalizer, which may run after theirs."""

    said = set()

    def __init__(self, made):
        self.made, self.me = made, self

    def __del__(self):
        module, clone, task, *_ = self.made
        for call in (lambda: str(module), clone.clone, lambda: task.sample(2),
                     module.tasks, lambda: module.run("cse")):
            try:
                call()
                Last.said.add("worked")
            except pruner.PrunerError as error:
                Last.said.add(str(error))


for rest in itertools.permutations(range(3)):
    made = objects()
    Last([made[n] for n in sorted(rest)] if rest[0] else made)
    for n in rest:
        made[n].__dict__["last"] = made
    del made
    gc.collect()
print("used after their end:", Last.said <= {"worked", "the object was destroyed",
                                             "cannot create a module"} or Last.said)

kept = []
for _ in range(3):
    try:
        pruner.Module.parse(TEXT).run("nonsense")
    except pruner.PrunerError as error:
        kept.append(error)
        error.itself = error
del kept[:]
gc.collect()

# Destroyed explicitly, twice, and in the wrong order.
module, clone, task, tasks, context, *models = objects()
for _ in range(2):
    for each in (context, tasks, module, clone, *models):
        each.__del__()
for call in (module.clone, lambda: str(module), lambda: task.sample(1)):
    try:
        call()
        print("worked")
    except pruner.PrunerError as error:
        print("refused:", error)
print("survived")
