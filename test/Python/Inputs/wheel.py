"""Checks the locations of files in the wheel."""
import importlib.metadata
import pathlib

import pruner
from pruner.native import library

package = pathlib.Path(pruner.__file__).resolve().parent
here = pathlib.Path(library().prunerLibraryDirectory().decode())
print("in the wheel:", here == package / "_native" / "lib")
print("weights:", sorted(path.stem for path in
                         (package / "_native/share/pruner/models").glob("*.safetensors")))
(entry,) = [entry for entry in importlib.metadata.distribution("pruner").entry_points
            if entry.group == "torch_dynamo_backends"]
print("backend:", entry.value)
