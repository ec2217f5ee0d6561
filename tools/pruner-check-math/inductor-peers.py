#!/usr/bin/env python3
"""Compiles functions of one or two f32 numbers with PyTorch's Inductor, for one
thread, as peers of `pruner-check-math --throughput --peer=inductor=DIRECTORY`.

    inductor-peers.py DIRECTORY        # needs torch and a C++ compiler
"""
import ctypes
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile

NUMBERS = 4096  # kBlock of Kernel.h
FUNCTIONS = {
    name: name for name in (
        "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh "
        "atanh erf erfc rsqrt atan2").split()
} | {"powf": "pow"}
WRAPPER = """extern "C" void {entry}({parameters});
extern "C" void pruner_peer(const float *x, const float *y, float *z) {{ {entry}({arguments}); }}
"""


def compile_peer(torch, name, directory, work):
    """Writes directory/name.so around the kernel that Inductor makes."""
    cache = pathlib.Path(work) / name
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(cache)
    torch._dynamo.reset()
    arity = 2 if name in ("powf", "atan2") else 1
    operands = [torch.rand(NUMBERS) for _ in range(arity)]
    torch.compile(getattr(torch, FUNCTIONS[name]))(*operands)
    for source in cache.rglob("*.cpp"):
        found = re.search(r'extern "C"\s+void\s+(\w+)\(([^)]*)\)', source.read_text())
        library = source.with_suffix(".so")
        if found is None or found.group(1).startswith("_") or not library.exists():
            continue
        ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
        wrapper = cache / "wrapper.cpp"
        wrapper.write_text(WRAPPER.format(
            entry=found.group(1), parameters=found.group(2),
            arguments="x, y, z" if arity == 2 else "x, z"))
        # Kernels come with their binding to Python.
        python = sysconfig.get_config_var("LIBDIR")
        libraries = f"{os.path.join(os.path.dirname(torch.__file__), 'lib')}:{python}"
        kernel = directory / f"inductor-{name}.so"
        kernel.write_bytes(library.read_bytes())
        subprocess.run(
            ["c++", "-O1", "-shared", "-fPIC", str(wrapper), str(kernel), "-Wl,--no-as-needed",
             os.path.join(python, sysconfig.get_config_var("INSTSONAME")),
             "-Wl,--disable-new-dtags", f"-Wl,-rpath,{directory}:{libraries}",
             "-o", str(directory / f"{name}.so")], check=True)
        return
    sys.exit(f"inductor-peers.py: no kernel of {name} in {cache}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    import torch

    torch.set_num_threads(1)
    directory = pathlib.Path(sys.argv[1]).resolve()
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        for name in FUNCTIONS:
            compile_peer(torch, name, directory, work)
            print(name, file=sys.stderr)


if __name__ == "__main__":
    main()
