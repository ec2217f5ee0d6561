"""two_distributions.py <directory with wheels> <new directory> <library of a network>

Installs and removes pruner-mlir and pruner-loader in one environment, in both orders, and
imports `pruner` after each step.
"""
import pathlib
import subprocess
import sys
import zipfile

wheels, directory = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
network = sys.argv[3]
(tools,) = wheels.glob("pruner_mlir-*.whl")
(loader,) = wheels.glob("pruner_loader-*.whl")
python = directory / "bin" / "python"

USE = """
import importlib.util, os, sys
import numpy, pruner, pruner.network
from pruner import PrunerError
net = pruner.load(sys.argv[1])
assert net(*(numpy.ones(i.shape, i.dtype) for i in net.inputs)).shape == (3, 2)
assert pruner.__version__ and pruner.__spec__.name == pruner.__name__ == "pruner"
assert importlib.util.find_spec("pruner.farm")
try:
    pruner.Module.parse("func.func private @f()")
    tools = "with"
except PrunerError as error:
    assert "libPrunerC was not found" in str(error), error
    tools = "without"
print(os.path.basename(os.path.dirname(pruner.__file__)) + ",", tools, "tools")
"""


def names(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def pip(*words):
    subprocess.run([python, "-m", "pip", "-q", *words], check=True,
                   stdout=subprocess.DEVNULL)


def use(step):
    print(f"{step}:", subprocess.check_output([python, "-c", USE, network], text=True),
          end="")
    subprocess.run([python, "-m", "pruner.profile", "--help"], check=True,
                   stdout=subprocess.DEVNULL)


def files():
    return {path for path in directory.rglob("*") if "__pycache__" not in path.parts}


print("common files:", sorted(names(tools) & names(loader)))
print("different modules:", sorted(
    {name for name in names(tools) if name.startswith("pruner/") and name.endswith(".py")}
    ^ {name.replace("_loader", "", 1) for name in names(loader)
       if name.startswith("pruner_loader/") and name.endswith(".py")}))
subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", directory],
               check=True)
before = files()
pip("install", "--no-deps", loader)
use("loader")
pip("install", "--no-deps", tools)
use("loader, then tools")
pip("uninstall", "-y", "pruner-loader")
use("loader removed")
pip("install", "--no-deps", loader)
use("tools, then loader")
pip("uninstall", "-y", "pruner-mlir")
use("tools removed")
pip("uninstall", "-y", "pruner-loader")
print("files left:", sorted(map(str, files() - before)))
