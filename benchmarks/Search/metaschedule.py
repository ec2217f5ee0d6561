#===- metaschedule.py - operations tuned by TVM's MetaSchedule -------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MetaSchedule (apache-tvm from PyPI) on single operations of the suites, with its
own evolutionary search, XGBoost model and measure loop, as `tune_tir` sets it up.

Two changes do not affect the search otherwise:

* The import of TVM's tensor intrinsics reads the source of every caller. In a process
  that has PyTorch this takes 25 to 60 seconds, for each builder and within its time
  limit. `inspect.stack` therefore returns no sources.
* On a machine with other work, wall times are wrong by up to a factor of two, which
  would mislead the search. Candidates are timed in CPU time, which for one thread
  equals the wall time on an idle core.
"""

import inspect
import os
import sys
import tempfile
import time

import numpy


def _stack_without_sources(context=1):
    frame, found = sys._getframe(1), []
    while frame is not None:
        code = frame.f_code
        found.append(inspect.FrameInfo(frame, code.co_filename, frame.f_lineno,
                                       code.co_name, None, None))
        frame = frame.f_back
    return found


inspect.stack = _stack_without_sources

# TVM reads it once.
os.environ.setdefault("TVM_NUM_THREADS", "1")
# TVM's workers get functions of this module by name.
os.environ["PYTHONPATH"] = os.pathsep.join(
    [os.path.dirname(os.path.abspath(__file__)), *filter(None, [os.environ.get("PYTHONPATH")])])

import tvm  # noqa: E402
from tvm import te, topi  # noqa: E402
from tvm.ir.utils import derived_object  # noqa: E402
from tvm.s_tir import meta_schedule  # noqa: E402
from tvm.s_tir.meta_schedule.builder.local_builder import default_build  # noqa: E402


def _start_worker():
    """Once in each builder, which imports this module to find it."""
    import tvm.s_tir.tensor_intrin  # noqa: F401


def _time_by_cpu(module, device, config, repeated_args):
    """What the stock evaluator measures, in CPU seconds."""
    function, found = module[module.entry_name], []
    for args in repeated_args:
        function(*args)
        for _ in range(config.repeat):
            runs = config.number
            while True:
                start = time.process_time()
                for _ in range(runs):
                    function(*args)
                seconds = time.process_time() - start
                if seconds * 1e3 >= config.min_repeat_ms:
                    break
                wanted = config.min_repeat_ms / 1e3 / max(seconds / runs, 1e-9)
                runs = max(int(wanted) + 1, 2 * runs)
            found.append(seconds / runs)
    return found


def tensors_of(operator):
    """The operation as TVM's tensor expressions: operands, then the result. Raises
    KeyError for a kind that is not here."""
    n = operator.number
    if operator.kind in ("mm", "bmm"):
        batch = (n("b"),) if operator.kind == "bmm" else ()
        a = te.placeholder((*batch, n("m"), n("k")), name="A")
        b = te.placeholder((*batch, n("k"), n("n")), name="B")
        step = te.reduce_axis((0, n("k")), name="step")
        result = te.compute((*batch, n("m"), n("n")), lambda *i: te.sum(
            a[(*i[:-2], i[-2], step)] * b[(*i[:-2], step, i[-1])], axis=step), name="C")
        return [a, b, result]
    if operator.kind == "conv" and not n("bias", 0):
        groups = n("g", 1)
        image = te.placeholder((1, n("c"), n("h"), n("h")), name="X")
        weights = te.placeholder((n("f"), n("c") // groups, n("k"), n("k")), name="W")
        stride, pad = n("s", 1), n("p", 0)
        if groups == 1:
            result = topi.nn.conv2d_nchw(image, weights, stride, pad, 1)
        elif groups == n("c") == n("f"):
            weights = te.placeholder((n("c"), 1, n("k"), n("k")), name="W")
            result = topi.nn.depthwise_conv2d_nchw(image, weights, stride, pad, 1)
        else:
            result = topi.nn.group_conv2d_nchw(image, weights, stride, pad, 1, groups)
        return [image, weights, result]
    if operator.kind == "softmax":
        x = te.placeholder(operator.shape, name="X")
        return [x, topi.nn.softmax(x, axis=-1)]
    raise KeyError(operator.kind)


class Tuned:
    """What was found: `curve` has (trials, seconds since the start, best seconds of a
    run) after each round, `failed` the number of candidates without a time."""

    def __init__(self, tensors, target):
        self.tensors, self.target = tensors, target
        self.curve, self.trials, self.failed = [], 0, 0
        self.best, self.module = float("inf"), None

    def runner(self, arrays):
        """A function that computes the operation from `arrays` by the best module, and
        the array of its result."""
        library = default_build(self.module, self.target, None)
        device = tvm.cpu(0)
        shape = [int(extent) for extent in self.tensors[-1].shape]
        buffers = [tvm.runtime.tensor(array, device) for array in arrays]
        buffers.append(tvm.runtime.tensor(numpy.zeros(shape, "float32"), device))
        function = library["main"]
        return (lambda: function(*buffers)), (lambda: buffers[-1].numpy())


def tune(operator, trials, batch, seed, cores):
    """Tunes for one thread; `cores` builders at a time."""
    tensors = tensors_of(operator)
    target = tvm.target.Target({"kind": "llvm", "num-cores": 1,
                                "mcpu": tvm.target.codegen.llvm_get_system_cpu()})
    result = Tuned(tensors, target)
    start = time.perf_counter()

    @derived_object
    class Recorder(meta_schedule.measure_callback.PyMeasureCallback):
        def apply(self, task_scheduler, task_id, candidates, builds, runs):
            for candidate, run in zip(candidates, runs):
                result.trials += 1
                if run is None or not run.run_secs:
                    result.failed += 1
                    continue
                seconds = float(numpy.median([float(s) for s in run.run_secs]))
                if seconds < result.best:
                    result.best, result.module = seconds, candidate.sch.mod
            result.curve.append((result.trials, time.perf_counter() - start, result.best))

    # Scores before the first training come from NumPy's generator.
    numpy.random.seed(seed)
    with tempfile.TemporaryDirectory() as directory:
        meta_schedule.tune_tir(
            tvm.IRModule({"main": te.create_prim_func(tensors)}), target, directory,
            max_trials_global=trials, num_trials_per_iter=batch, seed=seed,
            num_tuning_cores=cores,
            builder=meta_schedule.builder.LocalBuilder(max_workers=cores,
                                                       initializer=_start_worker),
            runner=meta_schedule.runner.LocalRunner(f_run_evaluator=_time_by_cpu),
            cost_model=meta_schedule.CostModel.create(
                "xgb", num_tuning_cores=cores, tree_method="auto"),
            measure_callbacks=[*meta_schedule.MeasureCallback.create("default"),
                               Recorder()])
    return result
