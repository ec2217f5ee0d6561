//===- TypedKind.h - descriptions with a struct of options ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_COSTMODEL_TYPEDKIND_H
#define PRUNER_LIB_COSTMODEL_TYPEDKIND_H

#include "Plugin.h"
#include "pruner/CostModel/ModelKind.h"
#include "pruner/CostModel/Models/NetworkOptions.h"

namespace pruner {

/// A model with these options, which `Options::declare` binds.
template <typename Options> class TypedKind : public ModelKind {
public:
  std::vector<OptionInfo> options() const override {
    Options options;
    OptionTable table;
    options.declare(table);
    return table.list();
  }
  CostModelOrError create(const OptionValues &values,
                          const std::string &plugin) const final {
    CostModelOrError result;
    Options options;
    result.error = read(values, options);
    if (result.error.empty())
      result = make(options, plugin);
    if (!result.error.empty())
      result.error = "cost model '" + this->name() + "': " + result.error;
    return result;
  }

protected:
  virtual std::string read(const OptionValues &values, Options &options) const {
    OptionTable table;
    options.declare(table);
    return table.read(values);
  }
  /// Creates the model. Errors need not name it.
  virtual CostModelOrError make(const Options &options,
                                const std::string &plugin) const = 0;
};

/// Reads options, of which the table has been declared, and creates the
/// adaptation that they name.
std::string readNetworkOptions(const ModelKind &kind,
                               const OptionValues &values, OptionTable &table,
                               NetworkOptions &options);

/// A network in the plug-in of LibTorch.
template <typename Options> class NetworkKind : public TypedKind<Options> {
protected:
  /// The plug-in's function that creates it (PluginAbi.h).
  virtual const char *entry() const = 0;

  std::string read(const OptionValues &values,
                   Options &options) const override {
    OptionTable table;
    options.declare(table);
    return readNetworkOptions(*this, values, table, options);
  }
  CostModelOrError make(const Options &options,
                        const std::string &path) const override {
    CostModelOrError result;
    Plugin plugin;
    result.error = openPlugin(kTorchPlugin, path, int(options.threads), plugin);
    if (!result.error.empty())
      return result;
    result.warnings = plugin.warnings;
    if (auto *create = plugin.function<PrunerCreateModelFn<Options>>(
            entry(), result.error)) {
      char error[1024] = "";
      result.model.reset(create(options, error, sizeof(error)));
      if (!result.model)
        result.error = error[0] ? error : "the plug-in gave no reason";
    }
    return result;
  }
};

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TYPEDKIND_H
