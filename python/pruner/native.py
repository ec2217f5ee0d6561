#===- native.py - bindings of libPrunerC ----------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds and opens libPrunerC, and declares its functions.

Searches, in this order: the file in `PRUNER_C_LIBRARY`; this package, which contains it
in the wheel with tools; the installation or build that contains this package. Requires
ctypes only.
"""

import ctypes
import os
import pathlib
import weakref

from . import one_torch

ABI_VERSION = 1
NAME = f"libPrunerC.so.{ABI_VERSION}"


class PrunerError(Exception):
    """An error that the library reports, with its message."""


def candidates():
    """Return the candidate paths of the library, in order."""
    named = os.environ.get("PRUNER_C_LIBRARY")
    if named:
        return [pathlib.Path(named).absolute()]  # dlopen() would search for a relative name.
    package = pathlib.Path(__file__).resolve().parent
    places = [package / "_native" / "lib"]
    if len(package.parents) > 3:
        places += [package.parents[3] / "lib"]  # <prefix>/share/pruner/python
    places += [package.parents[1] / "build" / "lib"]  # A source directory.
    return [place / NAME for place in places]


class Handle(ctypes.Structure):
    """A struct with one pointer, as all handles are."""

    _fields_ = [("ptr", ctypes.c_void_p)]


class TuneStatus(ctypes.Structure):
    """PrunerTuneStatus."""

    _fields_ = [("phase", ctypes.c_char_p), ("done", ctypes.c_uint),
                ("total", ctypes.c_uint), ("failed", ctypes.c_uint),
                ("task", ctypes.c_char_p), ("seconds", ctypes.c_double)]


class CompileOptions(ctypes.Structure):
    """PrunerCompileOptions."""

    _fields_ = [(name, ctypes.c_char_p) for name in
                ("header", "entry", "names", "linker", "cpu", "features")]


StringCallback = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_char),
                                  ctypes.c_size_t, ctypes.c_void_p)
DiagnosticCallback = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p,
                                      ctypes.c_char_p, ctypes.c_void_p)
TuneCallback = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.POINTER(TuneStatus),
                                ctypes.c_void_p)

_text, _size, _pointer = ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p
_texts = ctypes.POINTER(ctypes.c_char_p)
_unsigned, _status = ctypes.c_uint, ctypes.c_int

# By name: the type of the result and the types of the arguments.
FUNCTIONS = {
    "prunerVersion": (_text,),
    "prunerCommit": (_text,),
    "prunerLLVMVersion": (_text,),
    "prunerLibraryDirectory": (_text,),
    "prunerSetTorchPackage": (None, _text),
    "prunerTorchConflict": (_text, _text),
    "prunerHashMemory": (None, ctypes.POINTER(_pointer), ctypes.POINTER(_size), _size,
                         _unsigned, ctypes.POINTER(ctypes.c_uint64)),
    "prunerContentWatchCreate": (Handle, ctypes.POINTER(_pointer), ctypes.POINTER(_size),
                                 _size, _unsigned),
    "prunerContentWatchDestroy": (None, Handle),
    "prunerContentWatchHash": (None, Handle, ctypes.POINTER(ctypes.c_uint64)),
    "prunerContextCreate": (Handle,),
    "prunerContextDestroy": (None, Handle),
    "prunerContextSetDiagnosticCallback": (None, Handle, DiagnosticCallback, _pointer),
    "prunerContextGetError": (_text, Handle),
    "prunerModuleParseFile": (Handle, Handle, _text),
    "prunerModuleParse": (Handle, Handle, _text, _size, _text),
    "prunerModuleClone": (Handle, Handle),
    "prunerModuleDestroy": (None, Handle),
    "prunerModulePrint": (_status, Handle, StringCallback, _pointer),
    "prunerModuleWriteBytecode": (_status, Handle, StringCallback, _pointer),
    "prunerModuleRunPasses": (_status, Handle, _text),
    "prunerModuleApplyBest": (_status, Handle, _text),
    "prunerModuleDraft": (_status, Handle, _text),
    "prunerModuleLower": (_status, Handle, _text, _unsigned),
    "prunerModuleLiftConstants": (_status, Handle),
    "prunerModuleGetConstantType": (_status, Handle, _text, StringCallback, _pointer),
    "prunerModuleSetConstant": (_status, Handle, _text, _pointer, _size),
    "prunerModuleEmbedConstants": (_status, Handle, _text),
    "prunerModuleCompile": (_status, Handle, _text, ctypes.POINTER(CompileOptions)),
    "prunerModuleTune": (_status, Handle, _text, TuneCallback, StringCallback, _pointer),
    "prunerStopTuning": (None,),
    "prunerModuleExtractTasks": (Handle, Handle),
    "prunerTasksDestroy": (None, Handle),
    "prunerTasksGetSize": (_size, Handle),
    "prunerTasksGet": (Handle, Handle, _size),
    "prunerTaskGetName": (_text, Handle),
    "prunerTaskGetKey": (_text, Handle),
    "prunerTaskGetText": (_text, Handle),
    "prunerTaskGetWeight": (ctypes.c_double, Handle),
    "prunerTaskGetFlops": (ctypes.c_double, Handle),
    "prunerTaskGetBytes": (ctypes.c_double, Handle),
    "prunerTaskGetSchedule": (_text, Handle),
    "prunerTaskGetSeconds": (ctypes.c_double, Handle),
    "prunerTaskSample": (_status, Handle, _text, _size, ctypes.c_uint64,
                         StringCallback, _pointer),
    "prunerTaskPredict": (_status, Handle, _text, _unsigned, _texts, _size,
                          ctypes.POINTER(ctypes.c_double)),
    "prunerTaskExplain": (_status, Handle, _text, _unsigned, _text, StringCallback,
                          _pointer),
    "prunerCostModelLoad": (Handle, Handle, _text),
    "prunerCostModelDestroy": (None, Handle),
    "prunerCostModelGetName": (_text, Handle),
    "prunerCostModelPredict": (_status, Handle, Handle, _text, _unsigned, _texts, _size,
                               ctypes.POINTER(ctypes.c_float)),
}

_loaded = []


def library():
    """Return the library. Opens it at the first call. Raise PrunerError."""
    if _loaded:
        return _loaded[0]
    tried = candidates()
    found = [path for path in tried if path.exists()]
    if not found:
        raise PrunerError(
            "libPrunerC was not found: this package only loads compiled networks. "
            "Install the wheel with tools, or set PRUNER_C_LIBRARY to the library; "
            "tried " + ", ".join(map(str, tried)))
    try:
        opened = ctypes.CDLL(str(found[0]))
        version = opened.prunerAbiVersion()
    except (OSError, AttributeError) as error:
        raise PrunerError(f"{found[0]} cannot be used: {error}") from None
    if version != ABI_VERSION:
        raise PrunerError(f"{found[0]} has interface version {version}, but this "
                          f"package requires {ABI_VERSION}")
    for name, (result, *arguments) in FUNCTIONS.items():
        function = getattr(opened, name)
        function.restype, function.argtypes = result, arguments
    one_torch.watch(opened)
    _loaded.append(opened)
    return opened


def version():
    """Return the versions of the tools that this package uses: a dictionary with
    `pruner`, `commit` (empty if they were built outside of Git) and `llvm`. Raise
    `PrunerError` if only the loader is installed; `pruner.__version__` is its version."""
    opened = library()
    return {"pruner": opened.prunerVersion().decode(),
            "commit": opened.prunerCommit().decode(),
            "llvm": opened.prunerLLVMVersion().decode()}


class ContentWatch:
    """Hashes blocks of memory again and again. The kernel detects writes to large ones, where
    it can, so that they are read once."""

    def __init__(self, blocks, threads=1):
        """`blocks` are addresses with numbers of bytes; `threads` read them."""
        count = len(blocks)
        self._handle = library().prunerContentWatchCreate(
            (_pointer * count)(*(block[0] for block in blocks)),
            (_size * count)(*(block[1] for block in blocks)), count, threads)
        if not self._handle.ptr:
            raise MemoryError
        weakref.finalize(self, library().prunerContentWatchDestroy, self._handle)

    def hash(self):
        """Return a 128-bit hash of the memory, which must be valid."""
        result = (ctypes.c_uint64 * 2)()
        library().prunerContentWatchHash(self._handle, result)
        return tuple(result)
