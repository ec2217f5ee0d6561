//===- PluginLoader.cpp - plug-ins and files next to the code -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/PluginLoader.h"
#include "LibTorch.h"
#include "Plugin.h"
#include "pruner/CostModel/BlasSetup.h"
#include "pruner/Support/CodeDirectory.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <mutex>

#if !defined(PRUNER_INSTALL_LIBDIR) || !defined(PRUNER_INSTALL_DATADIR)
#error "CMake passes the directories of libraries and data, from the prefix"
#endif

using namespace pruner;

/// The paths of the file in each candidate directory, relative to the directory
/// of this code.
static std::vector<std::string>
besideTheCode(std::initializer_list<const char *> places,
              const std::string &file) {
  std::optional<std::string> directory = codeDirectory();
  if (!directory)
    return {};
  std::vector<std::string> candidates;
  for (const char *place : places) {
    std::string path = *directory + place + file;
    // NOLINTNEXTLINE(llvm-use-ranges): this component does not use LLVM.
    if (std::find(candidates.begin(), candidates.end(), path) ==
        candidates.end())
      candidates.push_back(path);
  }
  return candidates;
}

std::vector<std::string>
pruner::costModelPluginCandidates(const std::string &file) {
  return besideTheCode({"/", "/../lib/", "/../" PRUNER_INSTALL_LIBDIR "/"},
                       file);
}

std::vector<std::string> pruner::pretrainedWeights(const std::string &kind) {
  return besideTheCode({"/../share/pruner/models/",
                        "/../" PRUNER_INSTALL_DATADIR "/pruner/models/"},
                       kind + ".safetensors");
}

/// Returns the text before the next semicolon and removes both from `text`.
static std::string takeWord(std::string &text) {
  std::size_t end = text.find(';');
  std::string word = text.substr(0, end);
  text.erase(0, end == std::string::npos ? end : end + 1);
  return word;
}

PluginMarker pruner::readPluginMarker(const std::string &path) {
  const std::string marker = PRUNER_COSTMODEL_PLUGIN_MARKER;
  // No marker is longer.
  const std::size_t longest = 128;
  PluginMarker found;
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return found;
  std::string window;
  std::vector<char> buffer(1 << 16);
  bool more = true;
  while (more) {
    std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file);
    more = count != 0;
    window.append(buffer.data(), count);
    std::size_t at = window.find(marker);
    if (at != std::string::npos && (!more || window.size() > at + longest)) {
      std::string text = window.substr(at + marker.size(), longest);
      found.blas = takeWord(text);
      if (text.compare(0, 6, "torch=") == 0)
        found.torch = takeWord(text.erase(0, 6));
      break;
    }
    // Keeps enough of the window for a marker that spans two chunks.
    if (at == std::string::npos && window.size() > longest)
      window.erase(0, window.size() - longest);
  }
  std::fclose(file);
  return found;
}

/// Opens one file, after the LibTorch that it needs (or none). Returns an empty
/// string or an error.
static std::string openFile(const std::string &path,
                            const std::string &libtorch, int threads,
                            Plugin &plugin) {
  const std::string blas = readPluginMarker(path).blas;
  if (blas.empty())
    return "'" + path +
           "' is not a Pruner cost model plug-in; pass the path of "
           "the " +
           plugin.file + " of this build";
  // The dynamic linker identifies libraries by their names, so the plug-in is
  // bound to a LibTorch that is open.
  void *library = nullptr;
  auto open = [&] {
    if (libtorch.empty() || dlopen(libtorch.c_str(), RTLD_NOW | RTLD_LOCAL))
      library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  };
  if (blas == "shared") {
    OpenBlasEnvironment environment(openBlasCoreType(CpuFeatures::host()),
                                    threads);
    plugin.warnings = prepareSharedBlas();
    open();
  } else {
    open();
  }
  if (!library) {
    const char *reason = dlerror();
    return "cannot open '" + path +
           "': " + (reason ? reason : "unknown error") +
           "; install the library it was built with, or build the plug-in "
           "again";
  }
  plugin.path = path;
  plugin.library = library;
  std::string error;
  auto *abi =
      plugin.function<PrunerPluginAbiFn>("prunerCostModelPluginAbi", error);
  if (!abi)
    return error;
  if (abi() != PRUNER_COSTMODEL_PLUGIN_ABI)
    return "'" + path + "' has plug-in ABI version " + std::to_string(abi()) +
           ", but version " + std::to_string(PRUNER_COSTMODEL_PLUGIN_ABI) +
           " is needed; use the plug-in of this build";
  if (auto *warn = plugin.function<PrunerPluginWarningFn>(
          "prunerCostModelPluginWarning", error)) {
    char text[1024] = "";
    warn(text, sizeof(text));
    if (text[0] && plugin.warnings.empty())
      plugin.warnings.push_back(text);
  }
  return {};
}

void *Plugin::symbol(const char *name, std::string &error) const {
  void *found = dlsym(library, name);
  error =
      found ? "" : "'" + path + "' lacks " + name + "; build the plug-in again";
  return found;
}

/// The files to try, in this order. None, with the reason in \p problem, if no
/// plug-in can be used.
static std::vector<TorchPlugin>
filesOf(const PluginKind &kind, const std::string &path, std::string &problem) {
  std::vector<TorchPlugin> files;
  std::vector<std::string> directories;
  std::string tried;
  for (const std::string &candidate : path.empty()
                                          ? costModelPluginCandidates(kind.file)
                                          : std::vector{path}) {
    directories.push_back(candidate.substr(0, candidate.rfind('/')));
    char resolved[PATH_MAX];
    if (!realpath(candidate.c_str(), resolved))
      tried += (tried.empty() ? "'" : ", '") + candidate + "'";
    else if (files.empty())
      files.push_back({resolved, "", ""});
  }
  if (kind.needsLibTorch) {
    TorchPlugins found;
    if (path.empty())
      found = findTorchPlugins(directories, kind.file);
    else if (!files.empty())
      found.system = {torchPluginOf(path)};
    files = chooseTorchPlugins(
        found, requiredLibTorch(),
        reachableLibTorches(codeDirectory().value_or("")), problem);
  }
  if (files.empty() && problem.empty())
    problem = "the cost model plug-in " + std::string(kind.file) +
              " was not found; " +
              (tried.empty() ? kNoCodeDirectory : "tried " + tried) +
              ". Build Pruner with -D" + kind.option +
              "=ON, name the file, or "
              "choose the model 'linear' or 'random'";
  return files;
}

namespace {
struct OpenPlugins {
  std::mutex mutex;
  std::deque<Plugin> plugins;
  /// Whether LibTorch came into the process with a plug-in.
  bool openedLibTorch = false;
};
} // namespace

static OpenPlugins &openPlugins() {
  static OpenPlugins &open = *new OpenPlugins;
  return open;
}

std::string pruner::openPlugin(const PluginKind &kind, const std::string &path,
                               int threads, Plugin &result) {
  OpenPlugins &all = openPlugins();
  std::lock_guard<std::mutex> lock(all.mutex);
  std::string problem;
  const std::vector<TorchPlugin> files = filesOf(kind, path, problem);
  if (files.empty())
    return problem;
  for (const Plugin &open : all.plugins) {
    if (open.file != kind.file)
      continue;
    for (const TorchPlugin &file : files)
      if (open.path == file.path) {
        result = open;
        return {};
      }
    return "the plug-in '" + open.path + "' is already open, a second one ('" +
           files.front().path + "') cannot be opened in the same process";
  }
  const bool hadLibTorch = mappedLibTorch().has_value();
  for (const TorchPlugin &file : files) {
    // An attempt that failed may have left its LibTorch in the process.
    if (!problem.empty() && kind.needsLibTorch)
      if (std::optional<LibTorch> mapped = mappedLibTorch();
          mapped && mapped->release() != file.release)
        continue;
    Plugin plugin;
    plugin.file = kind.file;
    std::string error = openFile(file.path, file.libtorch, threads, plugin);
    all.openedLibTorch |= !hadLibTorch && mappedLibTorch();
    if (error.empty()) {
      result = all.plugins.emplace_back(std::move(plugin));
      return {};
    }
    problem += (problem.empty() ? "" : "; ") + error;
  }
  return problem;
}

std::string pruner::torchConflict(const std::string &directory) {
  OpenPlugins &all = openPlugins();
  std::lock_guard<std::mutex> lock(all.mutex);
  std::optional<LibTorch> mapped = mappedLibTorch();
  if (!all.openedLibTorch || !mapped)
    return {};
  LibTorch wanted = libTorchOfPackage(directory);
  if (wanted.release() == mapped->release() &&
      (wanted.file.empty() || wanted.version == mapped->version ||
       wanted.isFile(*mapped)))
    return {};
  return "PyTorch " + wanted.version + " ('" + directory +
         "') cannot be imported: a learned model of Pruner has opened "
         "LibTorch " +
         mapped->version + " ('" + mapped->file +
         "'), and a second release would crash this process; import torch "
         "before Pruner";
}
