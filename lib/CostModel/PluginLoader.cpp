//===- PluginLoader.cpp - plug-ins and files next to the code -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/PluginLoader.h"
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
#include <fstream>
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

/// Returns the word after the marker in a plug-in's file ("shared" or
/// "internal"), or nothing.
static std::string readMarker(const std::string &path) {
  const std::string marker = PRUNER_COSTMODEL_PLUGIN_MARKER;
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return {};
  std::string window;
  std::vector<char> buffer(1 << 16);
  std::string word;
  while (std::size_t count =
             std::fread(buffer.data(), 1, buffer.size(), file)) {
    window.append(buffer.data(), count);
    std::size_t found = window.find(marker);
    if (found != std::string::npos) {
      std::size_t begin = found + marker.size();
      std::size_t end = window.find(';', begin);
      if (end != std::string::npos) {
        word = window.substr(begin, end - begin);
        break;
      }
    }
    // Keeps enough of the window for a marker that spans two chunks.
    if (window.size() > 256)
      window.erase(0, window.size() - 256);
  }
  std::fclose(file);
  return word;
}

/// Opens one file. Returns an empty string or an error.
static std::string openFile(const std::string &path, int threads,
                            Plugin &plugin) {
  std::string blas = readMarker(path);
  if (blas.empty())
    return "'" + path +
           "' is not a Pruner cost model plug-in; pass the path of "
           "the " +
           plugin.file + " of this build";
  void *library = nullptr;
  {
    OpenBlasEnvironment environment(openBlasCoreType(CpuFeatures::host()),
                                    threads);
    if (blas == "shared")
      plugin.warnings = prepareSharedBlas();
    library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
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

std::string pruner::openPlugin(const PluginKind &kind, const std::string &path,
                               int threads, Plugin &result) {
  static std::mutex mutex;
  static std::deque<Plugin> &all = *new std::deque<Plugin>;
  std::lock_guard<std::mutex> lock(mutex);
  const Plugin *open = nullptr;
  for (const Plugin &plugin : all)
    if (plugin.file == kind.file)
      open = &plugin;
  std::vector<std::string> candidates =
      path.empty() ? costModelPluginCandidates(kind.file) : std::vector{path};
  std::string tried;
  for (const std::string &candidate : candidates) {
    char resolved[PATH_MAX];
    if (!realpath(candidate.c_str(), resolved)) {
      tried += (tried.empty() ? "'" : ", '") + candidate + "'";
      continue;
    }
    if (!open) {
      Plugin plugin;
      plugin.file = kind.file;
      std::string error = openFile(resolved, threads, plugin);
      if (!error.empty())
        return error;
      open = &all.emplace_back(std::move(plugin));
    } else if (open->path != resolved) {
      return "the plug-in '" + open->path +
             "' is already open, a second one ('" + resolved +
             "') cannot be opened in the same process";
    }
    result = *open;
    return {};
  }
  return "the cost model plug-in " + std::string(kind.file) +
         " was not found; " +
         (tried.empty() ? kNoCodeDirectory : "tried " + tried) +
         ". Build Pruner with -D" + kind.option +
         "=ON, name the file, or "
         "choose the model 'linear' or 'random'";
}
