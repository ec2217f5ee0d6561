"""wheel_files.py <directory with the wheel> <new directory> <project version> <python/>

Checks the files in the wheel, without installing it. python/ has the sources.
"""
import ctypes
import email
import os
import pathlib
import re
import subprocess
import sys
import zipfile

directory, unpacked = map(pathlib.Path, sys.argv[1:3])
(wheel,) = directory.glob("pruner_mlir-*.whl")
print("file:", wheel.name)
print("below 45 MB:", wheel.stat().st_size < 45_000_000)
with zipfile.ZipFile(wheel) as archive:
    archive.extractall(unpacked)
(info,) = unpacked.glob("*.dist-info")
metadata = email.message_from_bytes((info / "METADATA").read_bytes())
print("metadata:", [metadata["Name"], metadata["Version"] == sys.argv[3],
                    metadata["Requires-Python"]])
print("author and license:", metadata["Author"], "-", metadata["License"])
print("extras:", metadata.get_all("Provides-Extra"))
print("licenses:", sorted(path.name for path in info.rglob("*")
                          if "LICENSE" in path.name.upper() and path.is_file()))
native = unpacked / "pruner" / "_native"
print("headers:", sorted(path.name for path in native.glob("include/pruner-c/*")))
print("weights:", sorted(path.name for path in native.glob("share/pruner/models/*")))
sources = pathlib.Path(sys.argv[4])
print("modules that are missing:", [
    str(path.relative_to(sources)) for package in ("pruner", "pruner_tools")
    for path in sources.joinpath(package).rglob("*.py")
    if not (unpacked / path.relative_to(sources)).exists()])
print("typed:", (unpacked / "pruner" / "py.typed").exists())


def readelf(*words):
    return subprocess.check_output(["readelf", "--wide", *words], text=True)


def needs(path):
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("-d", path)))


library = native / "lib" / "libPrunerC.so.1"
for path in sorted(native.glob("bin/*")):
    print(f"{path.name}: needs {sorted(needs(path))}")
# Those of glibc and GCC that manylinux allows and every system has.
allowed = {"libc.so.6", "libdl.so.2", "libgcc_s.so.1", "libm.so.6", "libpthread.so.0",
           "ld-linux-x86-64.so.2"}
print("the library needs others:", sorted(needs(library) - allowed))
symbols = [line.split()[6:8] for line in readelf("--dyn-syms", library).splitlines()
           if re.match(r" +[1-9]\d*:", line)]
defined = [name for section, name in symbols if section != "UND"]
others = [name for name in defined if not re.match("pruner[A-Z]", name)]
print("exported:", "only the C interface" if len(defined) > 30 and not others else others)
print("stripped:", all(".symtab" not in readelf("-S", path)
                       for path in [*native.glob("bin/*"), library]))
print("all symbols found at once:", bool(ctypes.CDLL(str(library), mode=os.RTLD_NOW)))
