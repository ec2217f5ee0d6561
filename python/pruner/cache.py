#===- cache.py - disk cache of libraries ----------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A disk cache of compiled libraries, keyed by the hash of their inputs.

    python -m pruner.cache                    directory, size, limit
    python -m pruner.cache --list             entries, least recently used first
    python -m pruner.cache --limit 500M       drop entries until 500 MB are left
    python -m pruner.cache --clear            drop all entries
    python -m pruner.cache --clear --records  and the records of tuning

The libraries are executed. The directory must therefore not be writable by other users,
and an entry is used only if each of its files has the recorded size and hash. Uses the
standard library only.

    <directory>/<key>/files.json    {"format": 1, "files": {name: {bytes, sha256}}}
    <directory>/<key>/<name>

The time of change of an entry's directory is the time of its last use. A process that
stores an entry drops the least recently used ones until the limit is kept.
"""

import contextlib
import grp
import hashlib
import json
import os
import pathlib
import pwd
import re
import shutil
import stat
import sys
import tempfile
import time

from .arguments import ArgumentParser
from .native import PrunerError
from .opening import read_file

LIST = "files.json"
FORMAT = 1
DIRECTORY, LIMIT = "PRUNER_CACHE_DIR", "PRUNER_CACHE_LIMIT"
DEFAULT_LIMIT = "4G"
# Records of tuning, which are not an entry: they took longer than any compilation.
TUNED = "tuning.db"
_SCRATCH = "making-"
_SECONDS_OF_SCRATCH = 24 * 3600


class CacheError(PrunerError):
    """The cache directory cannot be used or is not safe."""


class Damaged(Exception):
    """An entry differs from what was stored; the message says how."""


def default_directory():
    """Return `torch` in the directory that PRUNER_CACHE_DIR names, or in `pruner` in the
    cache directory of this user."""
    named = os.environ.get(DIRECTORY, "")
    if named:
        if not os.path.isabs(named):
            raise CacheError(f"{DIRECTORY} must be an absolute path, not '{named}'")
        return os.path.join(named, "torch")
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # The XDG specification ignores relative paths.
        base = os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(base):
        raise CacheError("no home directory; set the option 'cache'")
    return os.path.join(base, "pruner", "torch")


def size_of(text):
    """Return the number of bytes that "500M" or "4G" states. Raise CacheError."""
    found = re.fullmatch(r"(\d{1,15})([KMGT]?)B?", text.strip().upper())
    if not found:
        raise CacheError(f"expected a size such as 500M or 4G, but got '{text}'")
    return int(found[1]) * 1000 ** " KMGT".index(found[2] or " ")


def default_limit():
    """Return the limit of the cache in bytes: PRUNER_CACHE_LIMIT, or 4 GB."""
    return size_of(os.environ.get(LIMIT) or DEFAULT_LIMIT)


def _trusted_owners():
    """Return this user and root. Where root of the host has no id in this user
    namespace, include the id that stands for it."""
    owners = {os.geteuid(), 0}
    try:
        with open("/proc/self/uid_map", encoding="ascii") as file:
            if [line.split() for line in file] != [["0", "0", "4294967295"]]:
                with open("/proc/sys/kernel/overflowuid", encoding="ascii") as number:
                    owners.add(int(number.read()))
    except (OSError, ValueError):
        pass
    return owners


def _own_group(number):
    """Return whether this user is the only member of a group, as on systems with a
    group per user."""
    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    return group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}


def check_directory(path):
    """Raise CacheError if another user can write into the directory or replace it. The
    path must be absolute and without links."""
    owners = _trusted_owners()
    for place in [path, *path.parents]:
        status = os.lstat(place)
        mode = stat.S_IMODE(status.st_mode)
        if not stat.S_ISDIR(status.st_mode):
            raise CacheError(f"unsafe cache {path}: {place} is not a directory")
        if status.st_uid not in owners:
            raise CacheError(f"unsafe cache {path}: {place} belongs to user "
                             f"{status.st_uid}")
        others = mode & (0o002 if _own_group(status.st_gid) else 0o022)
        # In sticky directories such as /tmp only the owner can rename an entry.
        if others and (place == path or not mode & stat.S_ISVTX):
            raise CacheError(f"unsafe cache {path}: other users can write into {place} "
                             f"(mode {mode:04o}); run chmod go-w if no one else has")


def _sync(path):
    """Flush a file, or the names in a directory, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Cache:
    """A cache directory, created with access for this user only. Raises CacheError."""

    def __init__(self, directory):
        path = pathlib.Path(os.path.realpath(directory))
        try:
            for place in [*reversed(path.parents), path]:
                try:
                    os.mkdir(place, 0o700)
                except FileExistsError:
                    pass
                except OSError:
                    if not place.is_dir():
                        raise
            check_directory(path)
        except OSError as error:
            raise CacheError(f"the cache {path} cannot be used: {error}") from None
        self.path, self.limit = path, default_limit()

    def entry(self, key):
        return self.path / key

    def read(self, key):
        """Return the files of an entry as a dictionary of names to bytes; None if there
        is no entry. Raise Damaged."""
        place = self.entry(key)
        if not os.path.lexists(place):
            return None
        try:
            listed = json.loads(read_file(place / LIST))
            if listed["format"] != FORMAT:
                raise Damaged(f"it has format {listed['format']}")
            files = {}
            for name, facts in listed["files"].items():
                if os.path.basename(name) != name or name in ("", ".", ".."):
                    raise Damaged("its list names a file outside of the entry")
                files[name] = read_file(place / name)
                if len(files[name]) != facts["bytes"]:
                    raise Damaged(f"{name} has {len(files[name])} bytes instead of "
                                  f"{facts['bytes']}")
                if hashlib.sha256(files[name]).hexdigest() != facts["sha256"]:
                    raise Damaged(f"the content of {name} changed")
            if not files:
                raise Damaged("its list names no file")
            with contextlib.suppress(OSError):
                os.utime(place)
            return files
        except OSError as error:
            raise Damaged(f"{os.path.basename(error.filename or LIST)}: "
                          f"{error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise Damaged(f"its {LIST} cannot be read") from None

    def scratch(self):
        """Return a context manager for a temporary directory on the same file system.
        """
        return tempfile.TemporaryDirectory(prefix=_SCRATCH, dir=self.path)

    def store_texts(self, key, texts):
        """Store an entry of texts by name."""
        with self.scratch() as scratch:
            made = pathlib.Path(scratch) / "made"
            made.mkdir()
            for name, text in texts.items():
                (made / name).write_text(text, encoding="utf-8")
            self.store(key, made)

    def store(self, key, made):
        """Move the files of the directory `made`, which is in a scratch directory, into
        the entry, and return them like `read`. The entry appears atomically, after
        its files are on the disk. A damaged entry is replaced. Other entries are dropped
        if the cache is larger than its limit."""
        made = pathlib.Path(made)
        files = {path.name: read_file(path) for path in sorted(made.iterdir())}
        listed = {"format": FORMAT, "files": {
            name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in files.items()}}
        (made / LIST).write_text(json.dumps(listed), encoding="utf-8")
        for path in made.iterdir():
            _sync(path)
        _sync(made)
        try:
            self._replace(key, made)
        except OSError:
            # Another process may have stored the entry first.
            try:
                if self.read(key) is None:
                    raise
            except Damaged:
                self.remove(key)
                self._replace(key, made)
        self.shrink(self.limit, keep=key)
        return files

    def entries(self):
        """Return (time of the last use, bytes, key) of all entries, least recently used
        first. Other processes may change them meanwhile."""
        found = []
        for place in self.path.iterdir():
            with contextlib.suppress(OSError):
                if place.name.startswith(_SCRATCH) or not place.is_dir():
                    continue
                found.append((place.stat().st_mtime,
                              sum(file.stat().st_size for file in place.iterdir()),
                              place.name))
        return sorted(found)

    def shrink(self, limit, keep=None):
        """Drop the remains of processes that crashed, and the least recently used entries
        except `keep` until the cache has at most `limit` bytes. Return the number of
        dropped entries."""
        for place in self.path.glob(_SCRATCH + "*"):
            with contextlib.suppress(OSError):
                if place.stat().st_mtime < time.time() - _SECONDS_OF_SCRATCH:
                    shutil.rmtree(place)
        found, dropped = self.entries(), 0
        total = sum(size for _, size, _ in found)
        for _, size, key in found:
            if total <= limit:
                break
            if key != keep:
                self.remove(key)
                total, dropped = total - size, dropped + 1
        return dropped

    def _replace(self, key, made):
        os.rename(made, self.entry(key))
        _sync(self.path)

    def remove(self, key):
        """Remove an entry, whatever its type."""
        place = self.entry(key)
        with self.scratch() as scratch:
            try:
                os.rename(place, os.path.join(scratch, "removed"))
            except FileNotFoundError:
                return
            except OSError:
                shutil.rmtree(place, ignore_errors=True)


def _text_of(size):
    for unit, text in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= unit:
            return f"{size / unit:.1f} {text}"
    return f"{size} bytes"


def main(arguments=None):
    parser = ArgumentParser(
        prog="python -m pruner.cache", description="Shows and clears the cache of compiled "
        "libraries.", epilog=f"{DIRECTORY} names another directory, and {LIMIT} another "
        f"limit (default {DEFAULT_LIMIT}).")
    parser.add_argument("--directory", help="the directory of a cache; default: the one "
                        "that torch.compile uses without the option 'cache'")
    parser.add_argument("--list", action="store_true",
                        help="list all entries, the least recently used first")
    parser.add_argument("--limit", metavar="SIZE", help="drop the least recently used "
                        "entries until at most SIZE is left, such as 500M")
    parser.add_argument("--clear", action="store_true", help="drop all entries")
    parser.add_argument("--records", action="store_true",
                        help="with --clear: remove the records of tuning, too")
    options = parser.parse_args(arguments)
    if options.records and not options.clear:
        parser.error("--records requires --clear")
    try:
        cache = Cache(options.directory or default_directory())
        if options.clear or options.limit:
            dropped = cache.shrink(-1 if options.clear else size_of(options.limit))
            print(f"dropped {dropped} entries")
        if options.records:
            for path in cache.path.glob(TUNED + "*"):
                path.unlink()
        entries = cache.entries()
        if options.list:
            for used, size, key in entries:
                day = time.strftime("%Y-%m-%d %H:%M", time.localtime(used))
                print(f"{day}  {_text_of(size):>10}  {key}")
        total = sum(size for _, size, _ in entries)
        print(f"{cache.path}: {len(entries)} entries, {_text_of(total)}, limit "
              f"{_text_of(default_limit())}")
        tuned = cache.path / TUNED
        if tuned.exists():
            print(f"{tuned}: {_text_of(tuned.stat().st_size)} of records")
    except (CacheError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
