#===- cache.py - compiled libraries on disk --------------------------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Libraries by the hash of what they are made of, in a directory of this user's.

What is there will be run, so the directory must be one that nobody else can write,
and an entry is used only if each of its files has the size and the hash that were
noted when it was made. Standard library only.

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
    """A directory that cannot be used, or must not be."""


class Damaged(Exception):
    """An entry that is not what was stored; the text says why."""


def default_directory():
    """`torch` in this user's cache directory."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # Ignored then, says the XDG specification.
        base = os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(base):
        raise CacheError("there is no home directory; name one with the option 'cache'")
    return os.path.join(base, "pruner", "torch")


def _trusted_owners():
    """This user and root; where root of the machine has no name in this user
    namespace, what stands for it."""
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
    """Whether a group is that of this user alone, as many systems make one for each."""
    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(number)
    except KeyError:
        return False
    return group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}


def check_directory(path):
    """Raises CacheError if somebody else can write into the directory, which is
    absolute and without links, or put another one in its place."""
    owners = _trusted_owners()
    for place in [path, *path.parents]:
        status = os.lstat(place)
        mode = stat.S_IMODE(status.st_mode)
        if not stat.S_ISDIR(status.st_mode):
            raise CacheError(f"the cache {path} is refused: {place} is not a directory")
        if status.st_uid not in owners:
            raise CacheError(f"the cache {path} is refused: {place} belongs to user "
                             f"{status.st_uid}")
        others = mode & (0o002 if _own_group(status.st_gid) else 0o022)
        # In a directory such as /tmp nobody may rename what belongs to others.
        if others and (place == path or not mode & stat.S_ISVTX):
            raise CacheError(f"the cache {path} is refused: others can write into {place} "
                             f"(mode {mode:04o}); chmod go-w if nobody else has")


def _sync(path):
    """What is in a file, or the names in a directory, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Cache:
    """The directory; it is made for this user alone where it is not there. Raises
    CacheError."""

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
        """The files of an entry: bytes by name; None where there is no entry. Raises
        Damaged."""
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
                    raise Damaged("its list names a file elsewhere")
                files[name] = read_file(place / name)
                if len(files[name]) != facts["bytes"]:
                    raise Damaged(f"{name} has {len(files[name])} bytes instead of "
                                  f"{facts['bytes']}")
                if hashlib.sha256(files[name]).hexdigest() != facts["sha256"]:
                    raise Damaged(f"{name} has another content")
            return files
        except OSError as error:
            raise Damaged(f"{os.path.basename(error.filename or LIST)}: "
                          f"{error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise Damaged(f"its {LIST} cannot be read") from None

    def scratch(self):
        """A directory on the same file system, gone after a `with`."""
        return tempfile.TemporaryDirectory(prefix="making-", dir=self.path)

    def store(self, key, made):
        """Moves the files in the directory `made`, which is in a scratch directory,
        into the entry, all or none, and returns them as `read` does. They are on the
        disk before the entry has its name. A damaged entry is replaced."""
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
            # Another process may have been first.
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
        """Takes an entry away, whatever it is."""
        place = self.entry(key)
        with self.scratch() as scratch:
            try:
                os.rename(place, os.path.join(scratch, "removed"))
            except FileNotFoundError:
                return
            except OSError:
                shutil.rmtree(place, ignore_errors=True)
