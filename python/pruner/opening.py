#===- opening.py - shared libraries by content ----------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens shared libraries by content.

dlopen() identifies a library by its name. It does not reopen a file that was replaced,
and writing to an open file changes the code that runs. This module reads and checks the
file first, and then opens a private copy. The same content of the same file is opened
once. Requires ctypes only.
"""

import ctypes
import hashlib
import mmap
import os
import stat
import struct
import tempfile
import threading

_ELF_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_PROGRAM_HEADER = struct.Struct("<IIQQQQQQ")
_SHARED_OBJECT = 3
_NOTES = 4
_BUILD_ID = 3
# Since Linux 6.3; the system may otherwise forbid execution.
_MFD_EXEC = 0x10

_lock = threading.Lock()
_opened = {}  # Keyed by path and hash of the content.
_handles = {}  # Keyed by the handle of dlopen(): the same keys.
_files = []  # Kept open, so that the name of a library cannot be reused for another one.


def _renew_lock():
    global _lock
    _lock = threading.Lock()


# Another thread may have held it at a fork, and does not exist in the child.
os.register_at_fork(after_in_child=_renew_lock)


def elf_headers(data):
    """Return the ELF header of a file and those of its segments. Raise ValueError if
    they are invalid. A valid file contains everything that its headers refer to."""
    if not data:
        raise ValueError("the file is empty")
    if data[:4] != b"\x7fELF"[:len(data)]:
        raise ValueError("it is not a shared library")
    if len(data) < _ELF_HEADER.size:
        raise ValueError("the file is truncated")
    fields = _ELF_HEADER.unpack_from(data)
    if fields[0][4:6] != b"\x02\x01" or fields[1] != _SHARED_OBJECT:
        raise ValueError("it is not a 64-bit shared library")
    segments_at, sections_at = fields[5], fields[6]
    segment_size, segments, section_size, sections = fields[9:13]
    needed = max(segments_at + segment_size * segments,
                 sections_at + section_size * sections)
    if segments and segment_size != _PROGRAM_HEADER.size:
        raise ValueError("its headers are damaged")
    found = []
    if needed <= len(data):
        found = [_PROGRAM_HEADER.unpack_from(data, segments_at + n * segment_size)
                 for n in range(segments)]
        needed = max([needed] + [offset + size for _, _, offset, _, _, size, _, _ in found])
    if needed > len(data):
        raise ValueError(f"the file is truncated: it has {len(data)} bytes, "
                         f"its headers name {needed}")
    return fields, found


def build_id(path):
    """Return the linker's hash of a shared library's content, or the hash of the file
    if it has none. Raise OSError and ValueError."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as data:
        return _build_id(data)


def _build_id(data):
    for kind, _, offset, _, _, size, _, _ in elf_headers(data)[1]:
        notes = data[offset:offset + size] if kind == _NOTES else b""
        while len(notes) >= 12:
            name, length, what = struct.unpack_from("<III", notes)
            start = 12 + (name + 3) // 4 * 4
            if what == _BUILD_ID and notes[12:16] == b"GNU\0":
                return notes[start:start + length].hex()
            notes = notes[start + (length + 3) // 4 * 4:]
    return hashlib.sha256(data).hexdigest()


def read_file(path):
    """The bytes of a regular file. Raises OSError."""
    # Opening a pipe would wait for a process that writes to it.
    with open(path, "rb", opener=lambda name, flags: os.open(
            name, flags | os.O_NONBLOCK)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError("it is not a regular file")
        return file.read()


def open_library(path, data=None):
    """Open the library in a file, or in `data` if it was already read. Raise OSError
    with the reason."""
    path = os.path.realpath(path)
    if data is None:
        data = read_file(path)
    try:
        elf_headers(data)
    except ValueError as error:
        raise OSError(str(error)) from None
    key = path, hashlib.sha256(data).hexdigest()
    with _lock:
        if key not in _opened:
            _opened[key] = _open_copy(key, data)
        return _opened[key]


def _open_copy(key, data):
    reasons = []
    for open_in in (_open_in_memory, _open_in_directory):
        try:
            library = open_in(data)
        except (OSError, AttributeError) as error:
            reasons.append(str(error))
            continue
        # If a name were reused, dlopen() would return another library.
        if _handles.setdefault(library._handle, key) == key:
            return library
        reasons.append("dlopen() returned another library")
    raise OSError("; ".join(dict.fromkeys(reasons)))


def _renamed(error, name):
    """Return the error without the name of the copy."""
    return OSError(str(error).replace(name + ": ", ""))


def _open_in_memory(data):
    try:
        file = os.memfd_create("pruner-network", os.MFD_CLOEXEC | _MFD_EXEC)
    except OSError:
        file = os.memfd_create("pruner-network", os.MFD_CLOEXEC)
    _files.append(os.fdopen(file, "wb", buffering=0))
    view = memoryview(data)
    while view:
        view = view[os.write(file, view):]
    name = f"/proc/self/fd/{file}"
    try:
        return ctypes.CDLL(name)
    except OSError as error:
        _files.pop().close()
        raise _renamed(error, name) from None


def _open_in_directory(data):
    with tempfile.TemporaryDirectory(prefix="pruner-") as directory:
        name = os.path.join(directory, "network.so")
        with open(name, "wb") as file:
            file.write(data)
        try:
            return ctypes.CDLL(name)
        except OSError as error:
            raise _renamed(error, name) from None
