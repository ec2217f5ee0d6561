"""The cache of compiled libraries, and results cached by the content of memory; no
torch."""
import contextlib
import hashlib
import io
import json
import os
import pathlib
import stat
import tempfile

import numpy
from pruner.cache import Cache, CacheError, Damaged, default_directory, main, size_of
from pruner.kept import KeptByContent

temporary = tempfile.TemporaryDirectory()
directory = pathlib.Path(temporary.name).resolve()
os.umask(0)  # The cache must restrict access by itself.


def mode(path):
    return f"{stat.S_IMODE(os.lstat(path).st_mode):04o}"


def store(cache, key, **files):
    with cache.scratch() as scratch:
        made = pathlib.Path(scratch) / "made"
        made.mkdir()
        for name, data in files.items():
            (made / name).write_bytes(data)
        return cache.store(key, made)


def read(cache, key):
    try:
        return cache.read(key)
    except Damaged as reason:
        return f"damaged: {reason}"


def refused(path):
    try:
        Cache(path)
        return "opened"
    except CacheError as error:
        return str(error).replace(str(directory), "")


cache = Cache(directory / "new" / "torch")
print("modes:", mode(directory / "new"), mode(cache.path))
print("not there:", cache.read("k"))
print("stored:", store(cache, "k", net=b"12345", prepare=b"") == cache.read("k"))
# Another process was first; its entry is valid.
print("twice:", store(cache, "k", net=b"54321")["net"], cache.read("k")["net"])
print("nothing else left:", sorted(os.listdir(cache.path)))

entry = cache.entry("k")
whole = {path.name: path.read_bytes() for path in entry.iterdir()}


def damaged(name, data):
    """Print how a damaged file is reported, and whether it is rebuilt."""
    if data is None:
        (entry / name).unlink()
    else:
        (entry / name).write_bytes(data)
    said = read(cache, "k")
    store(cache, "k", net=b"12345", prepare=b"")
    again = cache.read("k") == {"net": b"12345", "prepare": b""}
    print(f"{name}:", said, again)


damaged("net", b"12346")
damaged("net", b"1234")
damaged("net", b"")
damaged("net", None)
damaged("files.json", whole["files.json"][:20])
damaged("files.json", b"")
damaged("files.json", b"[]")
damaged("files.json", b"[" * 100000)
damaged("files.json", None)
damaged("files.json", json.dumps({"format": 1, "files": {"../net": {
    "bytes": 0, "sha256": hashlib.sha256().hexdigest()}}}).encode())
damaged("files.json", b'{"format": 2, "files": {}}')
damaged("files.json", b'{"format": 1, "files": {}}')
# An entry of a version without lists, and a file instead of a directory.
for path in entry.iterdir():
    path.unlink()
print("empty:", read(cache, "k"), store(cache, "k", net=b"1") == cache.read("k"))
for path in entry.iterdir():
    path.unlink()
entry.rmdir()
entry.write_bytes(b"no directory")
print("a file:", read(cache, "k"), store(cache, "k", net=b"1") == cache.read("k"))

# Owners of a directory, and write access to it and its parents.
for place in ("", "/of", "/of/this"):
    path = directory / "writable" / "of" / "this"
    Cache(path)
    os.chmod(f"{directory}/writable{place}", 0o702)
    print("refused:", refused(path))
    os.chmod(f"{directory}/writable{place}", 0o700)
print("again:", refused(path))
os.chmod(directory / "writable", 0o1777)  # Like /tmp.
print("sticky above:", refused(path))
os.chmod(path, 0o1777)
print("sticky itself:", refused(path))
os.symlink(path, directory / "link")
print("by a link:", refused(directory / "link"))
(directory / "file").write_bytes(b"")
print("a file:", refused(directory / "file"))
print("below a file:", refused(directory / "file" / "torch"))
if os.geteuid() == 0:  # Only root can change the owner of files.
    os.chmod(path, 0o770)
    assert refused(path) == "opened"  # The group of root alone.
    os.chown(path, -1, 4321)
    assert "other users can write into /writable/of/this (mode 0770)" in refused(path)
    os.chmod(path, 0o700)
    os.chown(path, 4321, -1)
    assert "/writable/of/this belongs to user 4321" in refused(path)
    os.chown(path, 0, 0)

# No default depends on the current directory.
os.environ.update(XDG_CACHE_HOME="", HOME="/home/x")
print("default:", default_directory())
os.environ["XDG_CACHE_HOME"] = "relative"
print("default:", default_directory())
os.environ["XDG_CACHE_HOME"] = "/absolute"
print("default:", default_directory())
os.environ.update(XDG_CACHE_HOME="", HOME="relative")
try:
    print("default:", default_directory())
except CacheError as error:
    print("default:", error)

for name in ("/named", "relative"):
    os.environ["PRUNER_CACHE_DIR"] = name
    try:
        print("default:", default_directory())
    except CacheError as error:
        print("default:", error)
del os.environ["PRUNER_CACHE_DIR"]

# The limit: what was not used for the longest time is dropped.
for text in ("1", "20K", " 500MB ", "4g", "", "4X", "-1"):
    try:
        print("size:", size_of(text))
    except CacheError as error:
        print("size:", error)
small = Cache(directory / "small")
for n, key in enumerate("abcd"):
    store(small, key, net=bytes(1000))
    os.utime(small.entry(key), (n, n))
read(small, "a")
(small.path / "tuning.db").write_bytes(b"records")
(small.path / "making-old").mkdir()
os.utime(small.path / "making-old", (0, 0))
os.environ["PRUNER_CACHE_LIMIT"] = "3500"
store(Cache(small.path), "e", net=bytes(1000))
print("left:", sorted(os.listdir(small.path)))
os.environ["PRUNER_CACHE_LIMIT"] = "10"
store(Cache(small.path), "f", net=bytes(1000))
print("left:", sorted(os.listdir(small.path)))
os.environ["PRUNER_CACHE_LIMIT"] = "much"
try:
    Cache(small.path)
except CacheError as error:
    print("limit:", error)
del os.environ["PRUNER_CACHE_LIMIT"]
for words in ([], ["--list"], ["--limit", "0"], ["--clear", "--records"], ["--limit", "x"]):
    with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
        code = main(["--directory", str(small.path), *words])
    print("command:", code, said.getvalue().replace(str(directory), "").splitlines())

# Results cached by the content of memory.
arrays = [numpy.arange(100000.0), numpy.zeros(0), numpy.ones(5, numpy.int8)]
others = [array.copy() for array in arrays]
computed = []


def ask(kept, arrays, gone=lambda: False):
    def compute():
        computed.append(1)
        return sum(array.sum() for array in arrays)
    before = len(computed)
    place = tuple(array.ctypes.data for array in arrays)
    result = kept(place, lambda: [(a.ctypes.data, a.nbytes) for a in arrays], gone, compute)
    assert frozen or result == compute() and computed.pop()
    return len(computed) - before


frozen = False
kept = KeptByContent(threads=2)
print("kept:", ask(kept, arrays), ask(kept, arrays), end=" ")
arrays[0].view(numpy.uint8)[777777 - 7] ^= 1
arrays[2].data[4] = 3
print(ask(kept, arrays), ask(kept, arrays))
print("in turns:", ask(kept, others), [ask(kept, each) for each in (arrays, others) * 2])
frozen = True
kept = KeptByContent(frozen=True)
print("frozen:", ask(kept, arrays), end=" ")
arrays[2].data[4] = 5
print(ask(kept, arrays), ask(kept, others, lambda: gone), end=" ")
gone = False
print(ask(kept, others, lambda: gone), end=" ")
gone = True
print(ask(kept, others), len(kept.kept))
