#===- cache.py - disk cache of libraries ----------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A disk cache of compiled libraries, keyed by the hash of their inputs.

The libraries are executed. The directory must therefore not be writable by other users,
and an entry is used only if each of its files has the recorded size and hash. Uses the
standard library only.

    <directory>/<key>/files.json    {"format": 1, "files": {name: {bytes, sha256}}}
    <directory>/<key>/<name>
"""

import grp
import hashlib
import json
import os
import pathlib
import pwd
import shutil
import stat
import tempfile

from .native import PrunerError
from .opening import read_file

LIST = "files.json"
FORMAT = 1


class CacheError(PrunerError):
    """The cache directory cannot be used or is not safe."""


class Damaged(Exception):
    """An entry differs from what was stored; the message says how."""


def default_directory():
    """Return `torch` in the cache directory of this user."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # The XDG specification ignores relative paths.
        base = os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(base):
        raise CacheError("no home directory; set the option 'cache'")
    return os.path.join(base, "pruner", "torch")


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
        self.path = path

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
            return files
        except OSError as error:
            raise Damaged(f"{os.path.basename(error.filename or LIST)}: "
                          f"{error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise Damaged(f"its {LIST} cannot be read") from None

    def scratch(self):
        """Return a context manager for a temporary directory on the same file system.
        """
        return tempfile.TemporaryDirectory(prefix="making-", dir=self.path)

    def store(self, key, made):
        """Move the files of the directory `made`, which is in a scratch directory, into
        the entry, and return them like `read`. The entry appears atomically, after
        its files are on the disk. A damaged entry is replaced."""
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
        return files

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
