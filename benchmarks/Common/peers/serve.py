#===- serve.py - operators of Python packages, timed on request ------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times operators of Python packages on request.

The benchmarks start this with a Python that has some of the packages torch, onnxruntime
(with onnx) and iree (compiler and runtime). Both sides exchange lines of JSON:

  {"op": "hello"}                -> {"packages": [..], "versions": {..}}
  {"op": "prepare", "kind":, "parameters": {name: [number, ..]}, "types":,
   "inputs": [{"file":, "shape":, "constant":?}, ..],
   "result": {"file":, "shape":}, "tolerance":,
   "programs": [{"layout":, "text":, ..}]}
                                 -> {"peers": [{"name":, "packed":}, ..]}
  {"op": "build", "peer":}       -> {"detail":, "seconds":}
  {"op": "verify", "peer":}      -> {"error_of_result":}
  {"op": "time", "peer":, "seconds":, "batch_seconds":, "watch_threads":}
                                 -> {"batches": [[runs, wall, cpu, waited], ..]}

or {"error":}. Input files hold elements of "types" (see problem.py), the file of the
expected result holds f64. "program" texts are MLIR, one for each layout; the "nhwc" one
also has "input_permutations" and "result_permutation" (from that layout to the
operator's). wall, cpu (of the calling
thread) and waited (time in which threads of this process were ready to run but had no
CPU; -1 if not requested) are seconds of a whole batch.
"""

import argparse
import importlib
import json
import os
import pathlib
import re
import sys
import tempfile
import time

import numpy

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[3] / "python"))

from problem import Problem
from pruner_tools.turns import time_batches

PACKAGES = [("torch", "torch_peers"), ("onnxruntime", "onnxruntime_peers"),
            ("iree", "iree_peers")]


class Server:
    def __init__(self, threads, only):
        self.threads, self.only = threads, re.compile(only)
        self.kinds, self.live, self.problem = {}, {}, None
        self.other = numpy.ones(0, numpy.int64)

    def hello(self, _):
        packages = []
        versions = {"python": sys.version.split()[0],
                    "numpy": numpy.__version__}
        for name, module in PACKAGES:
            try:
                module = importlib.import_module(module)
                self.kinds.update((kind.name, kind) for kind in module.PEERS)
                packages.append(name)
                versions[name] = module.version()
            except Exception as error:
                versions[name] = "not used: %s" % error
        return {"packages": packages, "versions": versions}

    def prepare(self, request):
        self.live.clear()
        self.problem = problem = Problem(request, self.threads)
        return {"peers": [{"name": name, "packed": kind.packed(problem)}
                          for name, kind in self.kinds.items()
                          if self.only.search(name) and problem.types in kind.types
                          and kind.applies(problem)]}

    def build(self, request):
        name = request["peer"]
        start = time.perf_counter()
        peer = self.live[name] = self.kinds[name](self.problem)
        return {"detail": peer.detail(),
                "seconds": time.perf_counter() - start}

    def verify(self, request):
        peer = self.live[request["peer"]]
        peer.run()
        error = self.problem.error(peer.result())
        if not error <= self.problem.tolerance:
            return {"error": "wrong result: off by %.2g of its root mean square"
                             % error}
        return {"error_of_result": error}

    def between(self, size):
        """Return a function that reads `size` bytes of memory that no peer uses; None
        for 0."""
        if not size:
            return None
        if self.other.nbytes < size:
            self.other = numpy.ones(size // 8, numpy.int64)
        return self.other[:size // 8].max

    def time(self, request):
        return {"batches": time_batches(
            self.live[request["peer"]].run, request["seconds"],
            request["batch_seconds"], request["watch_threads"],
            self.between(request.get("cold_bytes", 0)))}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default="", help="peers, by regular expression")
    options = parser.parse_args()
    server = Server(options.threads, options.only)
    # Packages print to stdout, so the protocol uses a private copy.
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    # Compilers leave files in the current directory.
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", scratch)
        for line in sys.stdin:
            request = json.loads(line)
            try:
                reply = getattr(server, request["op"])(request)
            except Exception as error:
                text = "%s: %s" % (type(error).__name__, error)
                reply = {"error": text if len(text) < 900 else
                                  text[:300] + " ... " + text[-600:]}
            replies.write(json.dumps(reply) + "\n")
            replies.flush()
        os.chdir("/")


if __name__ == "__main__":
    main()
