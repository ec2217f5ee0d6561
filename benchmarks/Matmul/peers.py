#!/usr/bin/env python3
"""Matrix products of Python packages, timed on request.

pruner-bench-matmul starts this with a Python that has some of the packages
torch, onnxruntime (with onnx) and iree (compiler and runtime), and talks to it
by lines of JSON:

  {"op": "hello"}                         -> {"packages": [..], "versions": {..}}
  {"op": "prepare", "m":, "n":, "k":}     -> {"peers": [{"name":, "detail":,
                                              "packed":, "failure":?}, ..]}
  {"op": "verify", "peer":}               -> {} or {"error":}
  {"op": "time", "peer":, "seconds":,
   "batch_seconds":, "watch_threads":}    -> {"batches": [[runs, wall, cpu,
                                                           waited], ..]}

wall, cpu (of the calling thread) and waited (time that threads of this process
were ready to run but had no CPU; -1 if not asked for) are seconds of a whole
batch.
"""

import argparse
import glob
import importlib
import json
import os
import sys
import tempfile
import time


def waited():
    """Seconds that threads of this process waited for a CPU, or None."""
    total, known = 0, False
    for path in glob.glob("/proc/self/task/*/schedstat"):
        try:
            with open(path) as file:
                total += int(file.read().split()[1])
                known = True
        except (OSError, IndexError, ValueError):
            pass
    return total * 1e-9 if known else None


class Peer:
    """One way to compute C = A B: run() computes, result() gives C."""

    name, packed = "", False

    def __init__(self, package, shape, data, threads):
        self.m, self.n, self.k = shape
        self.package, self.threads = package, threads
        self.detail = self.describe()
        self.build(data["ints"], data["reals"])

    def describe(self):
        return ""


class Torch(Peer):
    name = "torch"

    def describe(self):
        return "mm(out=), eager, " + self.package.__version__

    def build(self, ints, reals):
        torch = self.package
        torch.set_num_threads(self.threads)
        torch.set_grad_enabled(False)
        self.sets = [[torch.from_numpy(v) for v in s] for s in (ints, reals)]
        self.out = torch.empty(self.m, self.n)
        self.select(0)

    def select(self, which):
        self.a, self.b = self.sets[which]

    def run(self):
        self.package.mm(self.a, self.b, out=self.out)

    def result(self):
        return self.out.numpy()


class OnnxRuntime(Peer):
    name = "onnxruntime"

    def describe(self):
        return "MatMul, " + self.package.__version__

    def model(self, constant):
        import onnx
        from onnx import TensorProto, helper, numpy_helper

        def info(name, *shape):
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

        inputs, weights = [info("A", self.m, self.k)], []
        if constant is None:
            inputs.append(info("B", self.k, self.n))
        else:
            weights.append(numpy_helper.from_array(constant, "B"))
        graph = helper.make_graph(
            [helper.make_node("MatMul", ["A", "B"], ["C"])],
            "matmul", inputs, [info("C", self.m, self.n)], weights)
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = min(model.ir_version, 9)
        onnx.checker.check_model(model)
        return model.SerializeToString()

    def session(self, constant):
        options = self.package.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        return self.package.InferenceSession(
            self.model(constant), options, providers=["CPUExecutionProvider"])

    def build(self, ints, reals):
        import numpy
        self.out = numpy.empty((self.m, self.n), numpy.float32)
        self.bound = []
        for a, b in (ints, reals):
            session = self.session(b if self.packed else None)
            binding = session.io_binding()
            values = {"A": a} if self.packed else {"A": a, "B": b}
            for name, value in values.items():
                binding.bind_input(name, "cpu", 0, numpy.float32, value.shape,
                                   value.ctypes.data)
            binding.bind_output("C", "cpu", 0, numpy.float32, self.out.shape,
                                self.out.ctypes.data)
            # What is bound by address must stay alive.
            self.bound.append((session, binding, values))
        self.select(0)

    def select(self, which):
        self.current, self.binding, _ = self.bound[which]

    def run(self):
        self.current.run_with_iobinding(self.binding)

    def result(self):
        return self.out


class OnnxRuntimePacked(OnnxRuntime):
    name, packed = "onnxruntime-packed", True

    def describe(self):
        return super().describe() + ", B constant (packed ahead of time)"


class Iree(Peer):
    name = "iree"
    flags = ["--iree-opt-level=O3", "--iree-dispatch-creation-data-tiling",
             "--iree-llvmcpu-target-cpu=host"]

    def describe(self):
        return "O3, data tiling, " + iree_version()

    def build(self, ints, reals):
        from iree import compiler
        runtime = self.package
        text = """
func.func @main(%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>)
    -> tensor<{m}x{n}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{m}x{n}xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<{m}x{n}xf32>)
      -> tensor<{m}x{n}xf32>
  %c = linalg.matmul
      ins(%a, %b : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>)
      outs(%init : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %c : tensor<{m}x{n}xf32>
}}""".format(m=self.m, n=self.n, k=self.k)
        code = compiler.compile_str(
            text, target_backends=["llvm-cpu"], extra_args=self.flags)
        driver = "local-sync" if self.threads == 1 else "local-task"
        config = runtime.Config(driver)
        self.device = config.device
        module = runtime.load_vm_module(
            runtime.VmModule.copy_buffer(config.vm_instance, code), config)
        self.main = module.main
        self.sets = [[runtime.asdevicearray(self.device, v) for v in s]
                     for s in (ints, reals)]
        self.select(0)

    def select(self, which):
        self.a, self.b = self.sets[which]

    def run(self):
        self.out = self.main(self.a, self.b)

    def result(self):
        return self.out.to_host()


def iree_version():
    from importlib.metadata import PackageNotFoundError, version
    for name in ("iree-base-compiler", "iree-compiler"):
        try:
            return version(name)
        except PackageNotFoundError:
            pass
    return "?"


PEERS = [("torch", ["torch"], [Torch]),
         ("onnxruntime", ["onnxruntime", "onnx"],
          [OnnxRuntime, OnnxRuntimePacked]),
         ("iree", ["iree.runtime", "iree.compiler"], [Iree])]


class Server:
    def __init__(self, threads):
        self.threads = threads
        self.packages, self.versions, self.live = {}, {}, {}

    def hello(self, _):
        import numpy
        self.numpy = numpy
        self.versions["python"] = sys.version.split()[0]
        self.versions["numpy"] = numpy.__version__
        for name, modules, _ in PEERS:
            try:
                self.packages[name] = [importlib.import_module(m)
                                       for m in modules][0]
                self.versions[name] = (iree_version() if name == "iree" else
                                       self.packages[name].__version__)
            except Exception as error:
                self.versions[name] = "not used: %s" % error
        return {"packages": list(self.packages), "versions": self.versions}

    def prepare(self, request):
        numpy = self.numpy
        shape = m, n, k = request["m"], request["n"], request["k"]
        random = numpy.random.default_rng(1)
        ints = [random.integers(-3, 4, s).astype(numpy.float32)
                for s in ((m, k), (k, n))]
        reals = [random.uniform(-1, 1, s).astype(numpy.float32)
                 for s in ((m, k), (k, n))]
        self.exact = ints[0].astype(numpy.float64) @ ints[1]
        self.live.clear()
        answers = []
        for package, _, kinds in PEERS:
            if package not in self.packages:
                continue
            for kind in kinds:
                answer = {"name": kind.name, "packed": kind.packed}
                try:
                    peer = kind(self.packages[package], shape,
                                {"ints": ints, "reals": reals}, self.threads)
                    self.live[kind.name] = peer
                    answer["detail"] = peer.detail
                except Exception as error:
                    answer["failure"] = str(error)[-600:] or repr(error)
                answers.append(answer)
        return {"peers": answers}

    def verify(self, request):
        peer = self.live[request["peer"]]
        peer.select(0)
        peer.run()
        got = peer.result()
        bad = int((got != self.exact).sum())
        peer.select(1)
        return {"error": "%d elements are wrong" % bad} if bad else {}

    def time(self, request):
        run = self.live[request["peer"]].run
        clock, cpu = time.perf_counter, time.thread_time
        start = clock()
        run()
        once = max(clock() - start, 1e-9)
        runs = max(1, int(request["batch_seconds"] / once))
        batches, total = [], 0.0
        while not batches or total < request["seconds"]:
            delay = waited() if request["watch_threads"] else None
            c, w = cpu(), clock()
            for _ in range(runs):
                run()
            w, c = clock() - w, cpu() - c
            delay = -1 if delay is None else waited() - delay
            batches.append([runs, w, c, delay])
            total += w
        return {"batches": batches}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--threads", type=int, default=1)
    server = Server(parser.parse_args().threads)
    # Packages print; the protocol has the real stdout for itself.
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    # Compilers leave files behind.
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        for line in sys.stdin:
            request = json.loads(line)
            try:
                reply = getattr(server, request["op"])(request)
            except Exception as error:
                reply = {"error": "%s: %s" % (type(error).__name__, error)}
            replies.write(json.dumps(reply) + "\n")
            replies.flush()
        os.chdir("/")


if __name__ == "__main__":
    main()
