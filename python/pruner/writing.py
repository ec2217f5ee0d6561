#===- writing.py - files that are replaced as a whole -----------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that are replaced as a whole."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Iterable, Union


def write_whole(path: Union[str, os.PathLike[str]],
                data: Union[str, bytes, Iterable[Any]]) -> None:
    """Write text, or one or several objects with bytes, to a file atomically: an old file
    remains until the new one is on the disk. What a link leads to is replaced, and a
    device or pipe is written to."""
    path = os.path.realpath(os.fspath(path))
    content = data.encode() if isinstance(data, str) else data
    parts = [content] if isinstance(content, (bytes, bytearray, memoryview)) else content
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as file:
            file.writelines(parts)
        return
    directory, name = os.path.split(path)
    try:
        descriptor, part = tempfile.mkstemp(prefix=f".{os.fsdecode(name)}.", suffix=".part",
                                            dir=os.fsdecode(directory))
    except OSError as error:
        error.filename = path
        raise
    try:
        with open(descriptor, "wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(part, _mode(path))
        os.replace(part, path)
    except BaseException:
        os.remove(part)
        raise


def _mode(path):
    """Return the permissions of the file, or those of a new one."""
    try:
        return os.stat(path).st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
