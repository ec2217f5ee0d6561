"""Networks, arguments and sizes with arbitrary names: the library runs, the header
compiles."""
import json
import pathlib
import shutil
import subprocess
import sys

import numpy
import pruner

directory = pathlib.Path(sys.argv[1])
STATIC = """
func.func @ENTRY(%x: tensor<4xELEMENT>, %y: tensor<4xELEMENT>)
    -> (tensor<4xELEMENT>, tensor<4xELEMENT>) {
  return %y, %x : tensor<4xELEMENT>, tensor<4xELEMENT>
}
"""
SIZED = """
func.func @main(%x: tensor<?x4xf32> {pruner.range = [#pruner.range<SIZE, 1 to 8>]})
    -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %r = linalg.add ins(%x, %x : tensor<?x4xf32>, tensor<?x4xf32>)
                  outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
"""


def tool(*words):
    subprocess.run([str(word) for word in words], check=True)


def library(name, text, names=None):
    """Return the library and header of a module."""
    source, output = directory / f"{name}.mlir", directory / f"{name}.so"
    header = output.with_suffix(".h")
    source.write_text(text)
    given = []
    if names:
        (directory / "names.json").write_text(json.dumps(names))
        given = [f"--names={directory / 'names.json'}"]
    tool("pruner-translate", source, "--to=library", "-o", output, f"--header={header}", *given)
    return pruner.load(output), header


LANGUAGES = ["-xc -std=c99", "-xc -std=c2x", "-xc++ -std=c++98 -Wno-c++11-long-long "
             "-Wno-long-long", "-xc++ -std=c++2b"]
compilers = [found for found in map(shutil.which, ("gcc", "clang", "clang-22")) if found]


def compiles(header, call):
    text = f'#include "{header}"\n#include "{header}"\nint f(void); int f(void) {{ return {call}; }}\n'
    for compiler in compilers:
        for language in LANGUAGES:
            done = subprocess.run(
                [compiler, *language.split(), "-Wall", "-Wextra", "-Werror", "-pedantic",
                 "-fsyntax-only", "-"], input=text, text=True, capture_output=True)
            if done.returncode:
                return f"{compiler} {language}: {done.stderr}"
    return True


x, y = (numpy.arange(4, dtype="f") + n for n in (1, 10))
right = []
for entry in ("pruner_metadata", "pruner_run", "pruner_error", "pruner_network_entry",
              "pruner_network_facts", "malloc", "memcpy", "free", "abort", "main",
              "expf", "pthread_create", "_init", "__kmpc_fork_call", "int", "a b"):
    quoted = entry if entry.isidentifier() else f'"{entry}"'
    net, header = library("net", STATIC.replace("ENTRY", quoted).replace("ELEMENT", "f32"))
    results = net(x, y)
    right.append(net.metadata["entry"] == entry and (results[0] == y).all()
                 and (results[1] == x).all() and compiles(header, "pruner_threads()") is True)
print("entries:", len(right), all(right) or right)

names = ["self", "int", "int8_t", "*/ int z; /*", "//", "\\\nint q;", "é", "pruner_run", "inputs",
         "outputs", "", "a" * 300, "??/", "#define"]
compiled = []
for first in names:
    given = {"arguments": [{"name": first or "_"}, {"name": "co_yield"}],
             "results": [{"name": "class"}, {"name": "nullptr"}]}
    net, header = library("net", STATIC.replace("ENTRY", "f").replace("ELEMENT", "f32"), given)
    compiled.append(compiles(header, "pruner_run(0, 0)"))
    for result in (net(**{first or "_": x, "co_yield": y}),
                   net.bind(**{first or "_": x})(co_yield=y)):
        if not ((result[0] == y).all() and (result[1] == x).all()):
            compiled.append(first)
print("arguments:", len(compiled), all(each is True for each in compiled) or compiled)

compiled = []
for size in ("int", "inputs", "outputs", "size", "NULL", "co_await", "constexpr", "pruner_run",
             "INT64_MAX", "int64_t", "PRUNER_OK", "and", "typeof", "linux"):
    source = directory / "sized-source.mlir"
    source.write_text(SIZED.replace("SIZE", size))
    tool("pruner-opt", source, "--pruner-specialize-shapes=sizes=4", "-o", directory / "s.mlir")
    net, header = library("_sized--net_", (directory / "s.mlir").read_text())
    compiled.append(compiles(header, "pruner_run_sized(3, 0, 0)"))
    if not (net(numpy.ones((3, 4), "f")) == 2).all() or net.sizes["name"] != size:
        compiled.append(size)
print("sizes:", len(compiled), all(each is True for each in compiled) or compiled)
try:
    net(numpy.ones((0, 4), "f"))
except pruner.NetworkError as error:
    print("refused:", str(error).replace(str(directory), ""))

types = []
for sign, kind in (("u", "u"), ("s", "i")):
    for bits in (8, 16, 32, 64):
        element = f"{sign}i{bits}"
        net, header = library("net", STATIC.replace("ENTRY", "f").replace("ELEMENT", element))
        dtype = numpy.dtype(f"{kind}{bits // 8}")
        a = numpy.array([numpy.iinfo(dtype).min, numpy.iinfo(dtype).max, 0, 1], dtype)
        b, c = net(a, a[::-1])
        good = (b.dtype == dtype and (b == a[::-1]).all() and (c == a).all()
                and f"{'u' * (sign == 'u')}int{bits}_t arg0[4]" in header.read_text()
                and compiles(header, "PRUNER_NUM_INPUTS") is True)
        try:
            net(a.view(f"{'i' if kind == 'u' else 'u'}{bits // 8}"), a)
            good = False
        except pruner.NetworkError:
            pass
        types.append((element, good))
print("types:", len(types), all(good for _, good in types) or types)
