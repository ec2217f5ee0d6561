//===- OldGlibc.c - functions that glibc 2.28 lacks -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Archives that were compiled for a newer glibc refer to these functions. Only
// wheels that are linked with PRUNER_WHEEL_SYSROOT contain them, as local
// symbols.

#define _GNU_SOURCE
#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <sys/types.h>

// Before 2.33 these functions had a version of the structure as an argument.
struct stat;
struct stat64;
int __xstat(int, const char *, struct stat *);
int __fxstat(int, int, struct stat *);
int __lxstat(int, const char *, struct stat *);
int __xstat64(int, const char *, struct stat64 *);
int __fxstat64(int, int, struct stat64 *);
int __lxstat64(int, const char *, struct stat64 *);
int __xmknod(int, const char *, mode_t, dev_t *);
int stat(const char *path, struct stat *s) { return __xstat(1, path, s); }
int fstat(int file, struct stat *s) { return __fxstat(1, file, s); }
int lstat(const char *path, struct stat *s) { return __lxstat(1, path, s); }
int stat64(const char *path, struct stat64 *s) { return __xstat64(1, path, s); }
int fstat64(int file, struct stat64 *s) { return __fxstat64(1, file, s); }
int lstat64(const char *path, struct stat64 *s) {
  return __lxstat64(1, path, s);
}
int mknod(const char *path, mode_t mode, dev_t device) {
  return __xmknod(0, path, mode, &device);
}

// 2.32: 0 means that there may be several threads.
char __libc_single_threaded = 0;

// 2.33: the fields of mallinfo() as size_t.
struct mallinfo2 mallinfo2(void) {
  struct mallinfo narrow = mallinfo();
  struct mallinfo2 wide;
  const int *from = (const int *)&narrow;
  size_t *to = (size_t *)&wide;
  for (size_t i = 0; i < sizeof narrow / sizeof *from; ++i)
    to[i] = (unsigned)from[i];
  return wide;
}

// 2.32
const char *sigabbrev_np(int number) {
  switch (number) {
#define NAME(name)                                                             \
  case SIG##name:                                                              \
    return #name;
    NAME(HUP)
    NAME(INT)
    NAME(QUIT)
    NAME(ILL)
    NAME(TRAP)
    NAME(ABRT)
    NAME(BUS)
    NAME(FPE)
    NAME(KILL)
    NAME(USR1)
    NAME(SEGV)
    NAME(USR2)
    NAME(PIPE)
    NAME(ALRM)
    NAME(TERM)
    NAME(XCPU)
    NAME(XFSZ)
    NAME(SYS)
#undef NAME
  }
  return NULL;
}

// 2.29 has faster versions of these functions, which report errors differently.
// The linker redirects calls to __wrap_<name> (--wrap).
#define OLD(name, parameters, arguments)                                       \
  double old_##name parameters;                                                \
  __asm__(".symver old_" #name "," #name "@GLIBC_2.2.5");                      \
  double __wrap_##name parameters { return old_##name arguments; }
OLD(exp, (double x), (x))
OLD(exp2, (double x), (x))
OLD(log, (double x), (x))
OLD(log2, (double x), (x))
OLD(pow, (double x, double y), (x, y))
