//===- Support.h - contexts, errors, strings ----------------------*- C -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C interface of Pruner, in libPrunerC. All headers compile as C99.
//
// A handle is a struct with one pointer, which points to nothing; `ptr` is null
// where a call failed. Who gets a handle from a function with `Create`,
// `Parse`, `Load`, `Extract`, `Clone` or `FromMlir` in its name destroys it.
// Handles may be destroyed in any order, and in callbacks: what belongs to a
// context holds it, and it ends with the last of them. A handle that was
// destroyed is the same as a null one, in all calls: destroying either does
// nothing, and every other call fails or returns nothing. Handles of one
// context belong to one thread at a time.
//
// Nothing throws through this border, prints, or changes the handlers of
// signals. A call that fails says so by its result; why is in
// prunerContextGetError() and, as it comes, in diagnostics. Strings end with a
// zero and are UTF-8; those that go in may be freed after the call, and those
// that come out stay as long as their handle unless it is said otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_C_SUPPORT_H
#define PRUNER_C_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define PRUNER_CAPI_EXPORTED __declspec(dllexport)
#else
#define PRUNER_CAPI_EXPORTED __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// Of these headers. It grows by one with every change that a program compiled
/// with the headers of before would notice; functions may be added without.
#define PRUNER_C_ABI_VERSION 1

/// That of the library. A program goes on only where it is
/// PRUNER_C_ABI_VERSION.
PRUNER_CAPI_EXPORTED int prunerAbiVersion(void);
/// Of the project, "0.1.0".
PRUNER_CAPI_EXPORTED const char *prunerVersion(void);
/// The directory of the file of this library. Workers, plug-ins and pretrained
/// weights are found relative to it. Empty if it is not known: the file was
/// removed or replaced since it was opened, or /proc is not mounted.
PRUNER_CAPI_EXPORTED const char *prunerLibraryDirectory(void);

typedef enum PrunerStatus {
  PrunerStatusSuccess = 0,
  PrunerStatusFailure = 1,
  /// Ended by a callback, or by prunerStopTuning().
  PrunerStatusCancelled = 2
} PrunerStatus;

typedef enum PrunerSeverity {
  PrunerSeverityError = 0,
  PrunerSeverityWarning = 1,
  PrunerSeverityRemark = 2,
  PrunerSeverityNote = 3
} PrunerSeverity;

/// Called with pieces of a text, in order.
typedef void (*PrunerStringCallback)(const char *text, size_t length,
                                     void *userData);

/// Called with each diagnostic. `location` is "file:line:column", or what MLIR
/// prints for other locations; both strings are gone afterwards.
typedef void (*PrunerDiagnosticCallback)(PrunerSeverity severity,
                                         const char *location,
                                         const char *message, void *userData);

/// What everything else belongs to; an MLIRContext with all dialects. Once its
/// handle is destroyed, the diagnostic callback is called no more, and the
/// errors of calls on its modules cannot be asked for.
typedef struct PrunerContext {
  void *ptr;
} PrunerContext;

PRUNER_CAPI_EXPORTED PrunerContext prunerContextCreate(void);
PRUNER_CAPI_EXPORTED void prunerContextDestroy(PrunerContext context);
/// A null callback ends it.
PRUNER_CAPI_EXPORTED void prunerContextSetDiagnosticCallback(
    PrunerContext context, PrunerDiagnosticCallback callback, void *userData);
/// Why the last call failed, all its errors a line each; empty if it did not.
/// Until the next call that may fail.
PRUNER_CAPI_EXPORTED const char *prunerContextGetError(PrunerContext context);

/// 128 bits into `hash` that depend on the content and the sizes of `count`
/// blocks of memory, read by at most `threads` threads; 0 is 1. For programs
/// that keep what they made of weights as long as these stay the same. It is
/// fast and no protection against somebody who looks for two contents with one
/// hash.
PRUNER_CAPI_EXPORTED void prunerHashMemory(const void *const *blocks,
                                           const size_t *bytes, size_t count,
                                           unsigned threads, uint64_t hash[2]);

#ifdef __cplusplus
}
#endif

#endif // PRUNER_C_SUPPORT_H
