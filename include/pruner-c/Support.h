//===- Support.h - contexts, errors, strings ----------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface of Pruner, in libPrunerC. All headers compile as C99.
//
// A handle is a struct with one opaque pointer; `ptr` is null if a call failed.
// You must destroy handles from functions with `Create`, `Parse`, `Load`,
// `Extract`, `Clone` or `FromMlir` in their names. Handles may be destroyed in
// any order and in callbacks: an object keeps its context alive, and the
// context ends with the last of them. A destroyed handle behaves like a null
// handle in all calls: destroying it does nothing, and every other call fails
// or returns nothing. The handles of one context may be used by one thread at a
// time.
//
// A callback may make other calls, which have errors of their own. One that
// would change the module that the outer call works on fails.
//
// Nothing throws through this border, prints, or changes the handlers of
// signals. A call that fails says so by its result; why is in
// prunerContextGetError() and, as it comes, in diagnostics. Strings end with a
// zero and are UTF-8; those that go in may be freed after the call, and those
// that come out stay as long as their handle unless stated otherwise.
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

/// ABI version of these headers. It grows by one with every change that breaks
/// programs compiled with the previous headers. Adding functions does not
/// change it.
#define PRUNER_C_ABI_VERSION 1

/// ABI version of the library. Use the library only if this equals
/// PRUNER_C_ABI_VERSION.
PRUNER_CAPI_EXPORTED int prunerAbiVersion(void);
/// Version of the project, such as "0.1.0".
PRUNER_CAPI_EXPORTED const char *prunerVersion(void);
/// First digits of the Git commit that was built; empty outside of Git.
PRUNER_CAPI_EXPORTED const char *prunerCommit(void);
/// Version of LLVM that the library was compiled against, such as "22.1.8".
PRUNER_CAPI_EXPORTED const char *prunerLLVMVersion(void);
/// Directory of this library's file. Workers, plug-ins and pretrained weights
/// are found relative to it. Empty if unknown: the file was removed or replaced
/// after it was opened, or /proc is not mounted.
PRUNER_CAPI_EXPORTED const char *prunerLibraryDirectory(void);

/// A process can use one release of LibTorch, so a host that can import
/// Python's package `torch` calls these two functions.
///
/// States the directory of that package; null or an empty path if the host
/// cannot import it.
/// Learned models then use its LibTorch and no other.
PRUNER_CAPI_EXPORTED void prunerSetTorchPackage(const char *directory);
/// Why the package in this directory must not be imported: a learned model has
/// opened another LibTorch. Empty if it may be imported. Valid until the next
/// call on the same thread.
PRUNER_CAPI_EXPORTED const char *prunerTorchConflict(const char *directory);

typedef enum PrunerStatus {
  PrunerStatusSuccess = 0,
  PrunerStatusFailure = 1,
  /// Stopped by a callback or by prunerStopTuning().
  PrunerStatusCancelled = 2
} PrunerStatus;

typedef enum PrunerSeverity {
  PrunerSeverityError = 0,
  PrunerSeverityWarning = 1,
  PrunerSeverityRemark = 2,
  PrunerSeverityNote = 3
} PrunerSeverity;

/// Receives a text in pieces, in order.
typedef void (*PrunerStringCallback)(const char *text, size_t length,
                                     void *userData);

/// Receives each diagnostic. `location` is "file:line:column", or what MLIR
/// prints for other kinds of locations. Both strings are valid during the call
/// only.
typedef void (*PrunerDiagnosticCallback)(PrunerSeverity severity,
                                         const char *location,
                                         const char *message, void *userData);

/// An MLIRContext with all dialects, to which all other objects belong. After
/// its handle is destroyed, the diagnostic callback is not called, and errors
/// of calls on its modules cannot be read.
typedef struct PrunerContext {
  void *ptr;
} PrunerContext;

PRUNER_CAPI_EXPORTED PrunerContext prunerContextCreate(void);
PRUNER_CAPI_EXPORTED void prunerContextDestroy(PrunerContext context);
/// A null callback removes the callback.
PRUNER_CAPI_EXPORTED void prunerContextSetDiagnosticCallback(
    PrunerContext context, PrunerDiagnosticCallback callback, void *userData);
/// The errors of the last call, one per line; empty if it succeeded. Valid
/// until the next call that may fail.
PRUNER_CAPI_EXPORTED const char *prunerContextGetError(PrunerContext context);

/// Writes a 128-bit hash of the contents and sizes of `count` blocks of memory
/// to `hash`, with at most `threads` threads (0 means 1). It is meant for
/// programs that cache results of weights. The hash is fast but not
/// cryptographic: it does not protect against deliberate collisions.
PRUNER_CAPI_EXPORTED void prunerHashMemory(const void *const *blocks,
                                           const size_t *bytes, size_t count,
                                           unsigned threads, uint64_t hash[2]);

/// Blocks of memory that are hashed again and again. Where Linux 6.7 or later
/// offers write protection by userfaultfd, whole pages of large blocks are not
/// read again unless they were written; all else is hashed in each call, and
/// everything if the process has mapped a device that may write to memory.
typedef struct PrunerContentWatch {
  void *ptr;
} PrunerContentWatch;

/// Watches `count` blocks, with at most `threads` threads (0 means 1) to read
/// them. Null if there is too little memory.
PRUNER_CAPI_EXPORTED PrunerContentWatch
prunerContentWatchCreate(const void *const *blocks, const size_t *bytes,
                         size_t count, unsigned threads);
/// The blocks need not be valid any more.
PRUNER_CAPI_EXPORTED void prunerContentWatchDestroy(PrunerContentWatch watch);
/// Writes the hash that prunerHashMemory computes for the blocks to `hash`;
/// zeros for null. All blocks must be valid.
PRUNER_CAPI_EXPORTED void prunerContentWatchHash(PrunerContentWatch watch,
                                                 uint64_t hash[2]);

#ifdef __cplusplus
}
#endif

#endif // PRUNER_C_SUPPORT_H
