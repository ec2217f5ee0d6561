#!/usr/bin/env python3
"""Packs the GPU kit: one archive that runs on another x86-64 Linux machine.

The build calls it with the locations of the parts (`cmake --build build --target
gpu-kit`)."""

import argparse
import hashlib
import io
import os
import sys
import tarfile

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../python"))

from pruner_tools.results import commit_of, json_bytes

# The modules that the kit shares with the packages in python/. The __init__ of `pruner`
# needs NumPy, so the kit has an empty one.
SHARED = ["pruner/worker.py"] + ["pruner_tools/%s.py" % module for module in (
    "__init__", "results", "tools", "torch_operations", "turns")]
LIMIT = 50 * 1000 * 1000  # Bytes; a size that is easy to copy.


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--source", required=True, help="the source tree")
    parser.add_argument("--executable", required=True, help="the tools, one file")
    parser.add_argument("--tool", action="append", required=True, help="a name of the tools")
    parser.add_argument("--library", action="append", default=[], help="a file for lib/")
    parser.add_argument("--plugin", action="append", default=[], metavar="SERIES=FILE",
                        help="cost models for the PyTorch releases SERIES.*")
    parser.add_argument("--version", required=True)
    parser.add_argument("--llvm", required=True)
    parser.add_argument("--level", type=int, default=6, help="compression level, 1 to 9")
    parser.add_argument("--output", required=True, help="<name>.tar.gz or .tar.xz")
    return parser.parse_args()


def glibc_of(executable):
    """Return the newest version of the C library that the file requires."""
    with open(executable, "rb") as file:
        data = file.read()
    versions = set()
    at = data.find(b"GLIBC_2.")
    while at >= 0:
        minor = data[at + 8:at + 10].rstrip(b"\0.")
        if minor.isdigit():
            versions.add(int(minor))
        at = data.find(b"GLIBC_2.", at + 1)
    return "2.%d" % max(versions)


class Archive:
    def __init__(self, path, top, level, when):
        mode = "w:xz" if path.endswith(".xz") else "w:gz"
        extra = {"preset": level} if mode == "w:xz" else {"compresslevel": level}
        self.tar = tarfile.open(path, mode, format=tarfile.PAX_FORMAT, **extra)
        self.top, self.when = top, when

    def entry(self, name, mode):
        info = tarfile.TarInfo(self.top + "/" + name)
        info.mode, info.mtime = mode, self.when
        return info

    def data(self, name, data, mode=0o644):
        info = self.entry(name, mode)
        info.size = len(data)
        self.tar.addfile(info, io.BytesIO(data))

    def file(self, name, path, mode=0o644):
        with open(path, "rb") as file:
            self.data(name, file.read(), mode)

    def link(self, name, to):
        info = self.entry(name, 0o755)
        info.type, info.linkname = tarfile.LNKTYPE, self.top + "/" + to
        self.tar.addfile(info)


def main():
    o = arguments()
    kit = os.path.join(o.source, "tools", "gpu-kit")
    name = os.path.basename(o.output)
    top = name.split(".tar")[0]
    temporary = o.output + ".part"
    if o.output.endswith(".xz"):
        temporary += ".xz"
    # Equal parts give equal archives.
    when = int(os.environ.get("SOURCE_DATE_EPOCH", "0")) or int(
        os.path.getmtime(o.executable))
    archive = Archive(temporary, top, o.level, when)
    plugins = dict(p.split("=", 1) for p in o.plugin)
    with open(o.executable, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    archive.data("manifest.json", json_bytes({
        "pruner": o.version, "llvm": o.llvm, "commit": commit_of(o.source),
        "glibc": glibc_of(o.executable), "torch": sorted(plugins),
        "tools": o.tool, "sha256": digest,
    }))
    first = "bin/" + o.tool[0]
    archive.file(first, o.executable, 0o755)
    for tool in o.tool[1:]:
        archive.link("bin/" + tool, first)
    for library in o.library:
        archive.file("lib/" + os.path.basename(library), library)
    for series, path in plugins.items():
        archive.file("lib/torch-%s/libPrunerTorch.so" % series, path, 0o755)
    archive.file("pruner-gpu-kit", os.path.join(kit, "pruner-gpu-kit"), 0o755)
    for package in ("gpukit", "gpukit/probes"):
        for entry in sorted(os.listdir(os.path.join(kit, package))):
            if entry.endswith(".py"):
                archive.file(package + "/" + entry, os.path.join(kit, package, entry))
    archive.data("pruner/__init__.py", b"")
    for module in SHARED:
        archive.file(module, os.path.join(o.source, "python", module))
    for entry in sorted(os.listdir(os.path.join(o.source, "examples"))):
        if entry.endswith(".mlir"):
            archive.file("examples/" + entry, os.path.join(o.source, "examples", entry))
    archive.file("README.md", os.path.join(o.source, "docs", "guides", "GpuKit.md"))
    for name in ("LICENSE", "LICENSE-third-party.txt"):
        archive.file(name, os.path.join(o.source, name))
    archive.tar.close()
    size = os.path.getsize(temporary)
    if size > LIMIT:
        os.unlink(temporary)
        sys.exit("the archive has %d bytes, more than %d" % (size, LIMIT))
    os.replace(temporary, o.output)
    print("%s: %.1f MB, glibc %s, PyTorch %s" % (
        o.output, size / 1e6, glibc_of(o.executable), ", ".join(sorted(plugins)) or "none"))


if __name__ == "__main__":
    main()
