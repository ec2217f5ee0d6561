#===- libraries.py - from linalg programs to libraries ---------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Schedules and compiles programs to libraries, and caches them on disk by the hash of
everything that they depend on."""

import dataclasses
import hashlib
import os
import pathlib
import re
import subprocess
import time

import torch

from ..cache import TUNED, Damaged
from ..module import Module, _option_text
from ..native import PrunerError, library
from ..opening import build_id
from .messages import log, warn

NET, PREPARE = "net.so", "prepare.so"


@dataclasses.dataclass
class Files:
    """The libraries of a program: their bytes and their location."""

    path: pathlib.Path
    threads: int
    net: bytes
    prepare: bytes = None


def _mapped(*names):
    """Return the files mapped by this process whose names begin like this."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as file:
        paths = {line.split(None, 5)[5].rstrip("\n") for line in file if "/" in line}
    return sorted(path for path in paths if os.path.basename(path).startswith(names))


def _identity():
    """Return what libraries depend on in addition to graph and options: this build of
    Pruner, what it links into libraries, LLVM, and the CPU."""
    if not _identity.known:
        own = pathlib.Path(library()._name)
        found = hashlib.sha256(own.read_bytes())
        for place in sorted(own.parent.glob("libPrunerNetwork*.a")):
            found.update(place.read_bytes())
        for path in _mapped("libLLVM", "libMLIR"):
            try:
                found.update(build_id(path).encode())
            except (OSError, ValueError):  # The file was replaced while this process ran.
                found.update(os.urandom(16))
        try:
            with open("/proc/cpuinfo", encoding="utf-8") as file:
                found.update("".join(sorted({line for line in file if line.startswith(
                    ("model name", "flags"))})).encode())
        except OSError:
            pass
        _identity.known.append(found.hexdigest())
    return _identity.known[0]


_identity.known = []


def build(text, constants, options, cache):
    """Return the libraries of a program, from the cache or newly built. `constants` are
    the positions of the arguments whose values are prepared. Raise PrunerError."""
    threads = options.threads or torch.get_num_threads()
    threads = min(threads, len(os.sched_getaffinity(0)))
    place = _place(threads, options)

    def parsed():
        module = Module.parse(text, name="graph")
        if constants:
            numbers = ",".join(map(str, constants))
            module.run(f"pruner-declare-constants{{arguments={numbers}}}")
        if options.db and not options.trials:
            module.apply_best(db=options.db, **place)
        return module

    key = _key(text, constants, parsed, threads, options)
    try:
        files = cache.read(key)
    except Damaged as reason:
        warn(f"pruner: the cache entry {cache.entry(key)} is damaged ({reason}); "
             "rebuilding it")
        files = None
    if files is not None and NET not in files:
        cache.remove(key)  # Else it would stay, and be made again in each process.
        files = None
    if files is None:
        start = time.perf_counter()
        with cache.scratch() as scratch:
            made = _make(parsed(), pathlib.Path(scratch), threads, options, cache)
            # Tuning adds to the database, so the key changes.
            key = _key(text, constants, parsed, threads, options)
            files = cache.store(key, made)
        log.info("compiled %s in %.1f s", cache.entry(key), time.perf_counter() - start)
    else:
        log.info("loaded %s", cache.entry(key))
    return Files(cache.entry(key), threads, files[NET], files.get(PREPARE))


def _place(threads, options):
    """Return the options that all passes take which choose schedules."""
    return {"threads": threads, "accuracy": options.accuracy or None}


def _key(text, constants, parsed, threads, options):
    """Return the hash of the inputs of the libraries. With a named database it includes
    the database's records for the program. The records that the cache has for itself are
    not included, so tuning of other graphs does not repeat that of this one."""
    words = [_identity(), text, ",".join(map(str, constants)), str(threads)]
    if options.accuracy:
        words.append("accuracy " + options.accuracy)
    if options.trials:
        words += [str(options.trials), str(options.time_limit)]
    if options.db and options.trials and os.path.exists(options.db):
        words.append(_scheduled(parsed().apply_best(
            db=options.db, **_place(threads, options))))
    elif options.db and not options.trials:
        words.append(_scheduled(parsed()))
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:40]


def _scheduled(module):
    """Return the text of a module without times, which later measurements change."""
    return re.sub(r"pruner\.seconds = \S+ : f64", "", str(module))


def _make(module, scratch, threads, options, cache):
    """Schedule and compile the module. Return the directory with the libraries."""
    made = scratch / "made"
    made.mkdir()
    if options.trials:
        database = options.db or cache.path / TUNED
        log.info("tuning with %d trials, records in %s", options.trials, database)
        module = _tune(module, scratch, threads, options, database)
    elif options.db:
        module.apply_best(db=options.db, draft=True, **_place(threads, options))
    else:
        module.draft(**_place(threads, options), lower=False)
    module.lower(threads=threads).run("pruner-hoist-constants")
    if "@main_prepare" in str(module):
        module.compile(made / PREPARE, entry="main_prepare")
    module.compile(made / NET, entry="main")
    return made


def _tune(module, scratch, threads, options, database):
    """Return the module with tuned schedules. Runs in a separate process, because the
    learned models need their own LibTorch."""
    given, tuned = scratch / "in.mlir", scratch / "out.mlir"
    given.write_bytes(module.bytecode())
    tool = pathlib.Path(library()._name).resolve().parents[1] / "bin" / "pruner-opt"
    words = _option_text({"trials": options.trials, "lower": False, "db": database,
                          "time_limit": options.time_limit, **_place(threads, options)})
    try:
        subprocess.run([tool, given, f"--pruner-tune={words.decode()}", "-o", tuned],
                       check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise PrunerError(f"tuning failed: {error}") from None
    return Module.open(tuned)
