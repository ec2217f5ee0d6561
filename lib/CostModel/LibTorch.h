//===- LibTorch.h - which LibTorch a plug-in may use ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process can hold only one LibTorch: a second one of another release crashes
// it or the host program. A plug-in is built for one release. This file finds
// the LibTorch that is already in the process, or that it will load later, and
// chooses the plug-ins that fit it.

#ifndef PRUNER_LIB_COSTMODEL_LIBTORCH_H
#define PRUNER_LIB_COSTMODEL_LIBTORCH_H

#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// A LibTorch by its main library.
struct LibTorch {
  /// The path of libtorch_cpu.so. Empty for the one that the dynamic linker
  /// finds.
  std::string file;
  /// For example "2.15.0+cu132"; empty if unknown.
  std::string version;
  /// Whether it is in this process.
  bool mapped = false;

  /// The release that a plug-in is built for: for example "2.15", or
  /// "1.13+system" for a library with a version in its name, as in Debian's
  /// packages, which the dynamic linker takes for another library than
  /// PyTorch's.
  std::string release() const;
  /// Whether both are the same file.
  bool isFile(const LibTorch &other) const;
};

/// The LibTorch of a main library's file. Its version is in the file's name, as
/// in Debian's packages, or in a file of the directory that contains its lib/.
LibTorch libTorchOf(const std::string &file);

/// The LibTorch in the directory of Python's package `torch`.
LibTorch libTorchOfPackage(const std::string &directory);

/// The LibTorch in this process.
std::optional<LibTorch> mappedLibTorch();

/// The only LibTorch that a plug-in may use: the one in this process, or else
/// the one of setTorchPackage().
std::optional<LibTorch> requiredLibTorch();

/// The LibTorches along LD_LIBRARY_PATH, and the one next to the Python package
/// that contains \p directory, the directory of this code.
std::vector<LibTorch> reachableLibTorches(const std::string &directory);

/// A plug-in, and the LibTorch to open before it.
struct TorchPlugin {
  std::string path;
  /// The release that it was built for; empty if its file does not name it.
  std::string release;
  /// The file of that release in the directory `libtorch` next to the plug-in,
  /// usually a link. Empty for the LibTorch that is in the process or that the
  /// dynamic linker finds.
  std::string libtorch;
};
TorchPlugin torchPluginOf(const std::string &file);

/// Plug-ins for the system's LibTorch, of which the linker finds one, and for
/// releases of PyTorch, the latest first.
struct TorchPlugins {
  std::vector<TorchPlugin> system, packaged;
};

/// The files `<name>` and `torch-<release>/<name>` of the directories.
TorchPlugins findTorchPlugins(const std::vector<std::string> &directories,
                              const std::string &name);

/// The plug-ins to try, in this order. A plug-in for a release of PyTorch needs
/// a LibTorch of that release. Sets \p problem if there are plug-ins, but none
/// of them can be used.
std::vector<TorchPlugin> chooseTorchPlugins(
    const TorchPlugins &found, const std::optional<LibTorch> &required,
    const std::vector<LibTorch> &reachable, std::string &problem);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_LIBTORCH_H
