"""wheel.py <project version>: checks the locations of files of the installed wheel."""
import importlib.metadata
import pathlib
import sys

import pruner
from pruner.native import library

package = pathlib.Path(pruner.__file__).resolve().parent
here = pathlib.Path(library().prunerLibraryDirectory().decode())
print("in the wheel:", here == package / "_native" / "lib")
print("version:", pruner.__version__ == sys.argv[1])
(entry,) = [entry for entry in importlib.metadata.distribution("pruner-mlir").entry_points
            if entry.group == "torch_dynamo_backends"]
print("backend:", entry.value)
