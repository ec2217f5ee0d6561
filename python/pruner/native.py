#===- native.py - libPrunerC by ctypes -----------------------------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Finds and opens libPrunerC, and declares its functions.

It is looked for, in this order: as the file that `PRUNER_C_LIBRARY` names; in
this package, where the wheel with tools has it; in the installation or the build
that this package is a part of. Needs ctypes only.
"""

import ctypes
import os
import pathlib

ABI_VERSION = 1
NAME = f"libPrunerC.so.{ABI_VERSION}"


class PrunerError(Exception):
    """What the library refused or could not do, in its words."""


def candidates():
    """The files that the library may be, in order."""
    named = os.environ.get("PRUNER_C_LIBRARY")
    if named:
        return [pathlib.Path(named).absolute()]  # Else dlopen() would search for it.
    package = pathlib.Path(__file__).resolve().parent
    places = [package / "_native" / "lib"]
    if len(package.parents) > 3:
        places += [package.parents[3] / "lib"]  # <prefix>/share/pruner/python
    places += [package.parents[1] / "build" / "lib"]  # A source directory.
    return [place / NAME for place in places]


class Handle(ctypes.Structure):
    """Any of the structs with one pointer."""

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

# By name: the result and the arguments.
FUNCTIONS = {
    "prunerVersion": (_text,),
    "prunerLibraryDirectory": (_text,),
    "prunerHashMemory": (None, ctypes.POINTER(_pointer), ctypes.POINTER(_size), _size,
                         _unsigned, ctypes.POINTER(ctypes.c_uint64)),
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
    """The library, opened at the first call. Raises PrunerError."""
    if _loaded:
        return _loaded[0]
    tried = candidates()
    found = [path for path in tried if path.exists()]
    if not found:
        raise PrunerError(
            "there is no libPrunerC: this is the loader of compiled networks alone. "
            "Install the wheel with tools, or name the library in PRUNER_C_LIBRARY; "
            "tried " + ", ".join(map(str, tried)))
    try:
        opened = ctypes.CDLL(str(found[0]))
        version = opened.prunerAbiVersion()
    except (OSError, AttributeError) as error:
        raise PrunerError(f"{found[0]} cannot be used: {error}") from None
    if version != ABI_VERSION:
        raise PrunerError(f"{found[0]} has version {version} of the interface, this "
                          f"package was made for {ABI_VERSION}")
    for name, (result, *arguments) in FUNCTIONS.items():
        function = getattr(opened, name)
        function.restype, function.argtypes = result, arguments
    _loaded.append(opened)
    return opened


def hash_memory(blocks, threads=1):
    """128 bits of the content of memory: `blocks` are addresses with numbers of bytes,
    which must stay there meanwhile."""
    count = len(blocks)
    result = (ctypes.c_uint64 * 2)()
    library().prunerHashMemory((_pointer * count)(*(block[0] for block in blocks)),
                               (_size * count)(*(block[1] for block in blocks)),
                               count, threads, result)
    return tuple(result)
