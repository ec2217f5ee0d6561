//===- LibTorch.cpp - which LibTorch a plug-in may use --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibTorch.h"
#include "Plugin.h"
#include "pruner/CostModel/PluginLoader.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <link.h>
#include <mutex>
#include <sstream>

using namespace pruner;
namespace fs = std::filesystem;

static const std::string kMainLibrary = "libtorch_cpu.so";

static bool isPresent(const fs::path &path) {
  std::error_code error;
  return fs::exists(path, error);
}

/// The path without links, or the path itself if it does not exist.
static fs::path realPath(const fs::path &path) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  return error ? path : real;
}

/// The major and minor number of a version.
static std::string seriesOf(const std::string &version) {
  return version.substr(0, version.find('.', version.find('.') + 1));
}

std::string LibTorch::release() const {
  // A package without its own library is Debian's.
  bool named = realPath(file).filename() == kMainLibrary;
  return version.empty() || named ? seriesOf(version)
                                  : seriesOf(version) + "+system";
}

bool LibTorch::isFile(const LibTorch &other) const {
  return realPath(file) == realPath(other.file);
}

/// Reads `__version__ = '2.15.0+cu132'`.
static std::string versionOfPackage(const fs::path &directory) {
  std::ifstream file(directory / "version.py");
  for (std::string line; std::getline(file, line);) {
    std::size_t begin = line.find_first_of("'\"");
    if (line.compare(0, 11, "__version__") == 0 && begin != std::string::npos)
      return line.substr(begin + 1,
                         line.find(line[begin], begin + 1) - begin - 1);
  }
  return {};
}

LibTorch pruner::libTorchOf(const std::string &file) {
  const fs::path real = realPath(file);
  const std::string name = real.filename();
  // Debian's file is libtorch_cpu.so.1.13.0.
  if (name.size() > kMainLibrary.size() + 1)
    return {file, name.substr(kMainLibrary.size() + 1)};
  return {file, versionOfPackage(real.parent_path().parent_path())};
}

LibTorch pruner::libTorchOfPackage(const std::string &directory) {
  LibTorch found{"", versionOfPackage(directory)};
  // Debian's package uses the library in the system's directory.
  if (fs::path file = fs::path(directory) / "lib" / kMainLibrary;
      isPresent(file))
    found.file = file;
  return found;
}

std::optional<LibTorch> pruner::mappedLibTorch() {
  std::string file;
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *result) {
        const char *slash = std::strrchr(info->dlpi_name, '/');
        const char *name = slash ? slash + 1 : info->dlpi_name;
        if (std::strncmp(name, kMainLibrary.c_str(), kMainLibrary.size()))
          return 0;
        *static_cast<std::string *>(result) = info->dlpi_name;
        return 1;
      },
      &file);
  if (file.empty())
    return std::nullopt;
  LibTorch found = libTorchOf(file);
  found.mapped = true;
  // The file may have been replaced since. From 2.8 on, the library itself
  // returns its version, with major, minor and patch in the upper bytes.
  using VersionFn = std::uint64_t();
  void *library = dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  auto *abiVersion = library ? reinterpret_cast<VersionFn *>(
                                   dlsym(library, "aoti_torch_abi_version"))
                             : nullptr;
  if (abiVersion) {
    std::uint64_t number = abiVersion();
    std::string loaded = std::to_string(number >> 56) + "." +
                         std::to_string((number >> 48) & 0xff);
    if (loaded != seriesOf(found.version))
      found.version = loaded;
  }
  if (library)
    dlclose(library);
  return found;
}

/// The package `torch` that this process may load, and its lock.
static std::mutex packageMutex;
static std::string &packageDirectory() {
  static std::string &directory = *new std::string;
  return directory;
}

void pruner::setTorchPackage(const std::string &directory) {
  std::lock_guard<std::mutex> lock(packageMutex);
  packageDirectory() = directory;
}

std::optional<LibTorch> pruner::requiredLibTorch() {
  if (std::optional<LibTorch> mapped = mappedLibTorch())
    return mapped;
  std::lock_guard<std::mutex> lock(packageMutex);
  if (packageDirectory().empty())
    return std::nullopt;
  return libTorchOfPackage(packageDirectory());
}

std::vector<LibTorch>
pruner::reachableLibTorches(const std::string &directory) {
  std::vector<LibTorch> found;
  auto add = [&](const fs::path &place) {
    // The dynamic linker reads an empty entry as the current directory.
    if (place.is_absolute() && isPresent(place / kMainLibrary))
      found.push_back(libTorchOf(place / kMainLibrary));
  };
  if (const char *path = std::getenv("LD_LIBRARY_PATH")) {
    std::istringstream entries(path);
    for (std::string entry; std::getline(entries, entry, ':');)
      add(entry);
  }
  // <site-packages>/pruner/_native/lib or bin
  fs::path native = fs::path(directory).parent_path();
  if (native.filename() == "_native")
    add(native.parent_path().parent_path() / "torch" / "lib");
  return found;
}

TorchPlugin pruner::torchPluginOf(const std::string &file) {
  const fs::path real = realPath(file);
  TorchPlugin plugin{real, readPluginMarker(real).torch, ""};
  const fs::path directory = fs::path(file).parent_path() / "libtorch";
  if (isPresent(directory / kMainLibrary)) {
    LibTorch libtorch = libTorchOf(directory / kMainLibrary);
    if (libtorch.release() == plugin.release)
      plugin.libtorch = libtorch.file;
  }
  return plugin;
}

TorchPlugins
pruner::findTorchPlugins(const std::vector<std::string> &directories,
                         const std::string &name) {
  TorchPlugins found;
  auto add = [](std::vector<TorchPlugin> &plugins, const fs::path &file) {
    TorchPlugin plugin = torchPluginOf(file);
    if (isPresent(plugin.path) &&
        std::none_of(plugins.begin(), plugins.end(),
                     [&](auto &other) { return other.path == plugin.path; }))
      plugins.push_back(std::move(plugin));
  };
  for (const std::string &directory : directories) {
    add(found.system, fs::path(directory) / name);
    std::error_code error;
    for (const fs::directory_entry &entry :
         fs::directory_iterator(directory, error))
      if (entry.path().filename().string().rfind("torch-", 0) == 0)
        add(found.packaged, entry.path() / name);
  }
  std::stable_sort(found.packaged.begin(), found.packaged.end(),
                   [](const TorchPlugin &a, const TorchPlugin &b) {
                     // As versions: 2.15 is later than 2.8.
                     return strverscmp(a.release.c_str(), b.release.c_str()) >
                            0;
                   });
  return found;
}

/// "1.13, 2.15".
static std::string releasesOf(const std::vector<TorchPlugin> &plugins) {
  std::string text;
  for (const TorchPlugin &plugin : plugins)
    text += (text.empty() ? "" : ", ") +
            (plugin.release.empty() ? "unknown" : plugin.release);
  return text;
}

std::vector<TorchPlugin> pruner::chooseTorchPlugins(
    const TorchPlugins &found, const std::optional<LibTorch> &required,
    const std::vector<LibTorch> &reachable, std::string &problem) {
  std::vector<TorchPlugin> all = found.system, chosen;
  all.insert(all.end(), found.packaged.begin(), found.packaged.end());
  auto addFor = [&](const LibTorch &libtorch) {
    for (TorchPlugin plugin : all)
      if (!plugin.release.empty() && plugin.release == libtorch.release()) {
        plugin.libtorch = libtorch.mapped ? "" : libtorch.file;
        chosen.push_back(std::move(plugin));
      }
  };
  problem.clear();
  if (required) {
    addFor(*required);
    if (chosen.empty() && !all.empty()) {
      std::string which = required->version.empty() ? "of an unknown release"
                                                    : required->version;
      if (!required->file.empty())
        which += " ('" + required->file + "')";
      problem = (required->mapped ? "LibTorch " + which + " is in this process"
                                  : "PyTorch " + which +
                                        " can be imported in this process") +
                ", and a second release must not be opened, but the plug-ins "
                "were built for LibTorch " +
                releasesOf(all) +
                "; use a process without PyTorch, such as pruner-opt, or build "
                "Pruner with -DPRUNER_TORCH_ROOT=<directory of that torch>";
    }
    return chosen;
  }
  for (const LibTorch &libtorch : reachable)
    addFor(libtorch);
  chosen.insert(chosen.end(), found.system.begin(), found.system.end());
  std::copy_if(found.packaged.begin(), found.packaged.end(),
               std::back_inserter(chosen),
               [](auto &plugin) { return !plugin.libtorch.empty(); });
  if (chosen.empty() && !all.empty()) {
    problem = "the plug-ins were built for LibTorch " + releasesOf(all) +
              ", and none of these was found";
    for (const LibTorch &libtorch : reachable)
      problem +=
          ", only LibTorch " + libtorch.version + " ('" + libtorch.file + "')";
    problem += "; install the package 'torch' of such a release next to "
               "Pruner's, or set LD_LIBRARY_PATH to <site-packages>/torch/lib";
  }
  return chosen;
}
