"""installed.py <library> <environment> <project version>

Checks what `pip install ./python` installed in an environment: the loader, and no more.
"""
import importlib.metadata
import importlib.util
import pathlib
import sys

import numpy
import pruner

library, environment, version = sys.argv[1:]
print("in the environment:", pathlib.Path(environment).resolve()
      in pathlib.Path(pruner.__file__).resolve().parents)
print("of the project's version:",
      importlib.metadata.version("pruner-loader") == version == pruner.__version__)
print("is a package:", pruner.__spec__.name, pathlib.Path(pruner.__path__[0]).name)
print("with pruner_tools:", importlib.util.find_spec("pruner_tools") is not None)
net = pruner.load(library)
a = numpy.arange(12, dtype=numpy.float32).reshape(3, 4)
b = numpy.ones((4, 2), dtype=numpy.float32)
print(net(a, b).tolist())
