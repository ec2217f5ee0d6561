//===- PluginLoader.cpp - creation of cost models by name -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/PluginLoader.h"
#include "XgboostModel.h"
#include "pruner/CostModel/BlasSetup.h"
#include "pruner/CostModel/BuiltinModels.h"
#include "pruner/CostModel/Json.h"
#include "pruner/CostModel/PluginAbi.h"
#include "pruner/CostModel/Safetensors.h"

#include <algorithm>
#include <climits>
#include <cstdint>
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

namespace {
/// A kind of plug-in: its display name and how to obtain it.
struct PluginKind {
  const char *file, *option, *entry;
};
/// An open plug-in. It is never closed, because LibTorch cannot be unloaded.
struct Plugin {
  const PluginKind *kind = nullptr;
  std::string path;
  PrunerCreateCostModelFn create = nullptr; ///< Or null,
  PrunerGrowTreesFn grow = nullptr;         ///< or null.
  std::vector<std::string> warnings;
};
} // namespace

static const PluginKind &pluginOf(const std::string &model) {
  static const PluginKind torch = {"libPrunerTorch.so", "PRUNER_ENABLE_TORCH",
                                   "prunerCreateCostModel"};
  static const PluginKind xgboost = {
      "libPrunerXgboost.so", "PRUNER_ENABLE_XGBOOST", "prunerGrowTrees"};
  return model == "xgboost" ? xgboost : torch;
}

/// /proc/self/maps escapes newlines as \012.
static std::string unescape(std::string path) {
  for (std::size_t at = 0; (at = path.find("\\012", at)) != std::string::npos;
       ++at)
    path.replace(at, 4, "\n");
  return path;
}

std::optional<std::string> pruner::codeDirectory() {
  // dladdr() returns argv[0] for the main program, and for a library the name
  // by which it was opened. Both may be relative to another directory.
  // /proc/self/maps has the absolute path.
  auto address = reinterpret_cast<std::uintptr_t>(&codeDirectory);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    int path = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx %*s %*s %*s %*s %n", &begin, &end,
                    &path) != 2 ||
        address < begin || address >= end)
      continue;
    if (!path)
      return std::nullopt;
    // A replaced file has the suffix " (deleted)".
    const std::string written = line.substr(std::size_t(path));
    for (const std::string &name : {written, unescape(written)}) {
      char resolved[PATH_MAX];
      if (realpath(name.c_str(), resolved))
        return std::string(resolved, std::strrchr(resolved, '/') - resolved);
    }
    return std::nullopt;
  }
  return std::nullopt;
}

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
pruner::costModelPluginCandidates(const std::string &model) {
  return besideTheCode({"/", "/../lib/", "/../" PRUNER_INSTALL_LIBDIR "/"},
                       pluginOf(model).file);
}

std::vector<std::string> pruner::pretrainedWeights(const std::string &kind) {
  return besideTheCode({"/../share/pruner/models/",
                        "/../" PRUNER_INSTALL_DATADIR "/pruner/models/"},
                       kind + ".safetensors");
}

std::string pruner::modelOfWeights(const std::string &path,
                                   std::string &error) {
  TensorFile file;
  error = readSafetensors(path, file);
  std::string name = file.metadata["model"];
  // Published weights do not name their model, which is always PaCM. "moa" is
  // an older name of "pacm".
  return name.empty() || name == "moa" ? "pacm" : name;
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
static std::string openPlugin(const std::string &path, int threads,
                              Plugin &plugin) {
  std::string blas = readMarker(path);
  if (blas.empty())
    return "'" + path +
           "' is not a Pruner cost model plug-in; pass the path of "
           "the " +
           plugin.kind->file + " of this build";
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
  auto abi = reinterpret_cast<PrunerPluginAbiFn>(
      dlsym(library, "prunerCostModelPluginAbi"));
  void *entry = dlsym(library, plugin.kind->entry);
  if (!abi || !entry)
    return "'" + path + "' lacks prunerCostModelPluginAbi or " +
           plugin.kind->entry + "; build the plug-in again";
  if (abi() != PRUNER_COSTMODEL_PLUGIN_ABI)
    return "'" + path + "' has plug-in ABI version " + std::to_string(abi()) +
           ", but version " + std::to_string(PRUNER_COSTMODEL_PLUGIN_ABI) +
           " is needed; use the plug-in of this build";
  if (auto warn = reinterpret_cast<PrunerPluginWarningFn>(
          dlsym(library, "prunerCostModelPluginWarning"))) {
    char text[1024] = "";
    warn(text, sizeof(text));
    if (text[0] && plugin.warnings.empty())
      plugin.warnings.push_back(text);
  }
  plugin.path = path;
  if (plugin.kind == &pluginOf("xgboost"))
    plugin.grow = reinterpret_cast<PrunerGrowTreesFn>(entry);
  else
    plugin.create = reinterpret_cast<PrunerCreateCostModelFn>(entry);
  return {};
}

/// Returns the plug-in of a model, from \p path or the default locations. Opens
/// it at most once.
static std::string getPlugin(const std::string &model, const std::string &path,
                             int threads, const Plugin *&result) {
  static std::mutex mutex;
  static std::deque<Plugin> &all = *new std::deque<Plugin>;
  const PluginKind &kind = pluginOf(model);
  std::lock_guard<std::mutex> lock(mutex);
  const Plugin *open = nullptr;
  for (const Plugin &plugin : all)
    if (plugin.kind == &kind)
      open = &plugin;
  std::vector<std::string> candidates =
      path.empty() ? costModelPluginCandidates(model) : std::vector{path};
  std::string tried;
  for (const std::string &candidate : candidates) {
    char resolved[PATH_MAX];
    if (!realpath(candidate.c_str(), resolved)) {
      tried += (tried.empty() ? "'" : ", '") + candidate + "'";
      continue;
    }
    if (!open) {
      Plugin plugin;
      plugin.kind = &kind;
      std::string error = openPlugin(resolved, threads, plugin);
      if (!error.empty())
        return error;
      open = &all.emplace_back(std::move(plugin));
    } else if (open->path != resolved) {
      return "the plug-in '" + open->path +
             "' is already open, a second one ('" + resolved +
             "') cannot be opened in the same process";
    }
    result = open;
    return {};
  }
  return "the cost model plug-in " + std::string(kind.file) +
         " was not found; " +
         (tried.empty() ? kNoCodeDirectory : "tried " + tried) +
         ". Build Pruner with -D" + kind.option +
         "=ON, name the file, or "
         "choose the model 'linear' or 'random'";
}

/// Creates a built-in model that has at most the one option \p key.
template <typename Create>
static CostModelOrError createBuiltin(const std::string &name,
                                      const JsonValue &options, const char *key,
                                      JsonValue::Kind kind, Create create) {
  CostModelOrError result;
  for (const auto &[option, value] : options.object)
    if (option != key) {
      result.error = "the model '" + name + "' has no option '" + option +
                     "'; it has: " + key;
      return result;
    }
  const JsonValue *value = options.find(key);
  if (value && value->kind != kind &&
      !(kind == JsonValue::Real && value->kind == JsonValue::Integer))
    result.error = "the option '" + std::string(key) + "' of the model '" +
                   name + "' must be " +
                   (kind == JsonValue::Integer ? "an integer" : "a number");
  else if (value && value->number < 0)
    result.error = "the option '" + std::string(key) + "' of the model '" +
                   name + "' must not be negative";
  else
    result.model = create(value);
  return result;
}

CostModelOrError pruner::createCostModel(const std::string &name,
                                         const std::string &optionsJson,
                                         const std::string &pluginPath) {
  CostModelOrError result;
  JsonValue options;
  result.error = parseJson(optionsJson, options);
  if (result.error.empty() && options.kind != JsonValue::Object)
    result.error = "not a JSON object";
  if (!result.error.empty()) {
    result.error = "options of the model '" + name + "': " + result.error;
    return result;
  }
  if (name == "random")
    return createBuiltin(name, options, "seed", JsonValue::Integer,
                         [](const JsonValue *seed) {
                           return createRandomModel(seed ? seed->integer : 0);
                         });
  if (name == "linear")
    return createBuiltin(
        name, options, "ridge", JsonValue::Real, [](const JsonValue *ridge) {
          return ridge ? createLinearModel(ridge->number) : createLinearModel();
        });

  XgboostOptions trees;
  if (name == "xgboost")
    result.error = parseXgboostOptions(optionsJson, trees);
  if (!result.error.empty()) {
    result.error = "cost model '" + name + "': " + result.error;
    return result;
  }
  int threads = 1;
  if (const JsonValue *value = options.find("threads"))
    if (value->kind == JsonValue::Integer && value->integer > 0 &&
        value->integer <= 1024)
      threads = static_cast<int>(value->integer);
  const Plugin *plugin = nullptr;
  std::string problem = getPlugin(name, pluginPath, threads, plugin);
  if (!problem.empty())
    problem = "cost model '" + name + "': " + problem;
  // Trees need the plug-in only for training. A plug-in that the user names
  // must exist.
  if (name == "xgboost" && (plugin || pluginPath.empty())) {
    result.model =
        createXgboostModel(trees, plugin ? plugin->grow : nullptr, problem);
    if (plugin)
      result.warnings = plugin->warnings;
    return result;
  }
  if (!plugin) {
    result.error = problem;
    return result;
  }
  char error[1024] = "";
  result.model.reset(
      plugin->create(name.c_str(), optionsJson.c_str(), error, sizeof(error)));
  if (!result.model)
    result.error = error[0] ? error : "the plug-in gave no reason";
  result.warnings = plugin->warnings;
  return result;
}
