# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu_models.py LIBRARIES NAME...: compares libraries for a GPU, LIBRARIES/NAME.so, with
PyTorch's results for the networks of this directory."""

import json
import pathlib
import sys

import numpy
import pruner
from safetensors_file import read

HERE = pathlib.Path(__file__).parent
libraries = pathlib.Path(sys.argv[1])
for name in sys.argv[2:]:
    about = json.loads((HERE / f"{name}.args.json").read_text())
    weights, reference = (read(str(HERE / f"{name}{kind}.safetensors"))
                          for kind in ("", ".reference"))
    network = pruner.load(str(libraries / f"{name}.so"))
    arguments = []
    for argument, expected in zip(about["arguments"], network.inputs, strict=True):
        found = (reference["inputs/" + argument["name"]] if argument["kind"] == "input"
                 else weights[argument["name"]])
        arguments.append(numpy.frombuffer(found.data, expected.dtype).reshape(expected.shape))
    results = network(*arguments)
    results = results if isinstance(results, tuple) else (results,)
    errors = []
    for result, found in zip(about["results"], results, strict=True):
        want = numpy.array(reference["results/" + result["name"]].floats())
        errors.append(abs(found.ravel() - want).max() / abs(want).max())
    print(name, "close" if max(errors) < 4e-6 else max(errors))
