//===- LibTorchTest.cpp - which LibTorch a plug-in may use ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibTorch.h"
#include "Models.h"
#include "pruner/CostModel/PluginAbi.h"
#include "pruner/CostModel/PluginLoader.h"

#include "gtest/gtest.h"
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iostream>

using namespace pruner;
using namespace pruner_test;
namespace fs = std::filesystem;

namespace {
/// Directories with files that look like LibTorch and like plug-ins.
class LibTorchTest : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/pruner-libtorch-XXXXXX";
    ASSERT_NE(nullptr, mkdtemp(name));
    root = name;
    unsetenv("LD_LIBRARY_PATH");
  }
  void TearDown() override { fs::remove_all(root); }

  std::string write(const std::string &name, const std::string &text) const {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
    return root / name;
  }
  /// A directory such as <site-packages>/torch.
  LibTorch package(const std::string &name, const std::string &version) const {
    write(name + "/lib/libtorch_cpu.so", "");
    write(name + "/version.py", "from typing import Optional\n\n"
                                "__all__ = ['__version__']\n"
                                "__version__ = '" +
                                    version + "'\ndebug = False\n");
    return libTorchOfPackage(root / name);
  }
  std::string plugin(const std::string &name,
                     const std::string &release) const {
    return write(name, "... " PRUNER_COSTMODEL_PLUGIN_MARKER "internal;torch=" +
                           release + "; ...");
  }
  /// Copies a library that can be opened.
  std::string library(const std::string &name) const {
    fs::create_directories((root / name).parent_path());
    fs::copy_file(PRUNER_STALE_PLUGIN, root / name);
    return root / name;
  }
  std::vector<std::string> choose(const std::vector<std::string> &directories,
                                  const std::optional<LibTorch> &required = {},
                                  const std::vector<LibTorch> &reachable = {}) {
    auto relative = [&](const std::string &path) {
      return fs::path(path).lexically_relative(root).string();
    };
    std::vector<std::string> texts;
    for (const TorchPlugin &plugin :
         chooseTorchPlugins(findTorchPlugins(directories, "libPrunerTorch.so"),
                            required, reachable, problem)) {
      texts.push_back(relative(plugin.path));
      if (!plugin.libtorch.empty())
        texts.back() += " after " + relative(plugin.libtorch);
    }
    return texts;
  }

  using Texts = std::vector<std::string>;
  fs::path root;
  std::string problem;
};
} // namespace

TEST_F(LibTorchTest, VersionOfDebiansLibraryIsInItsName) {
  std::string file = write("libtorch_cpu.so.1.13.0", "");
  fs::create_symlink("libtorch_cpu.so.1.13.0", root / "libtorch_cpu.so");
  for (const std::string &name : {file, (root / "libtorch_cpu.so").string()}) {
    EXPECT_EQ("1.13.0", libTorchOf(name).version);
    EXPECT_EQ("1.13+system", libTorchOf(name).release());
  }
}

TEST_F(LibTorchTest, VersionOfAPackageIsInItsDirectory) {
  LibTorch found = package("site/torch", "2.15.0+cu132");
  EXPECT_EQ("2.15.0+cu132", found.version);
  EXPECT_EQ("2.15", found.release());
  EXPECT_EQ("2.15.0+cu132", libTorchOf(found.file).version);
  EXPECT_EQ("", libTorchOf(write("libtorch_cpu.so", "")).release());
  // Debian's package has no library of its own.
  write("dist/torch/version.py", "__version__ = '1.13.0a0+debian'\n");
  LibTorch debian = libTorchOfPackage(root / "dist/torch");
  EXPECT_EQ("", debian.file);
  EXPECT_EQ("1.13+system", debian.release());
}

TEST_F(LibTorchTest, PluginsAreSortedByRelease) {
  plugin("lib/libPrunerTorch.so", "1.13+system");
  for (const char *release : {"2.8", "2.15", "2.9"}) {
    std::string directory = std::string("lib/torch-") + release;
    plugin(directory + "/libPrunerTorch.so", release);
    package(std::string("site") + release + "/torch",
            std::string(release) + ".1");
    fs::create_directory_symlink(
        root / ("site" + std::string(release) + "/torch/lib"),
        root / directory / "libtorch");
  }
  const std::string lib = root / "lib";
  // Each is found once, even in two directories.
  EXPECT_EQ((Texts{"lib/libPrunerTorch.so",
                   "lib/torch-2.15/libPrunerTorch.so after "
                   "lib/torch-2.15/libtorch/libtorch_cpu.so",
                   "lib/torch-2.9/libPrunerTorch.so after "
                   "lib/torch-2.9/libtorch/libtorch_cpu.so",
                   "lib/torch-2.8/libPrunerTorch.so after "
                   "lib/torch-2.8/libtorch/libtorch_cpu.so"}),
            choose({lib, lib + "/../lib", root / "absent"}));
  EXPECT_EQ("", problem);
  // A link to a package of another release is not used.
  package("site2.9/torch", "2.10.0");
  EXPECT_EQ(3u, choose({lib}).size());
}

TEST_F(LibTorchTest, TheLibTorchOfTheProcessDecides) {
  plugin("lib/libPrunerTorch.so", "1.13+system");
  plugin("lib/torch-2.15/libPrunerTorch.so", "2.15");
  const std::string lib = root / "lib";
  LibTorch torch = package("site/torch", "2.15.0+cpu");
  torch.mapped = true;
  EXPECT_EQ((Texts{"lib/torch-2.15/libPrunerTorch.so"}), choose({lib}, torch));
  LibTorch other = package("old/torch", "2.14.1+cpu");
  other.mapped = true;
  EXPECT_EQ(Texts{}, choose({lib}, other, {torch}));
  EXPECT_EQ(
      "LibTorch 2.14.1+cpu ('" + other.file +
          "') is in this process, and a second release must not be "
          "opened, but the plug-ins were built for LibTorch 1.13+system, 2.15; "
          "use a process without PyTorch, such as pruner-opt, or build "
          "Pruner with -DPRUNER_TORCH_ROOT=<directory of that torch>",
      problem);
  // One of unknown version fits none.
  EXPECT_EQ(Texts{}, choose({lib}, LibTorch{"/x/libtorch_cpu.so", "", true}));
  EXPECT_EQ(problem.find("LibTorch of an unknown release ('/x/libtorch_cpu.so')"
                         " is in this process"),
            0u)
      << problem;
}

// The dynamic linker would open both, as their names differ.
TEST_F(LibTorchTest, PyTorchsLibraryIsNotTheSystemsOfTheSameRelease) {
  plugin("lib/libPrunerTorch.so", "1.13+system");
  LibTorch torch = package("site/torch", "1.13.1");
  torch.mapped = true;
  EXPECT_EQ(Texts{}, choose({root / "lib"}, torch));
  plugin("lib/torch-1.13/libPrunerTorch.so", "1.13");
  EXPECT_EQ((Texts{"lib/torch-1.13/libPrunerTorch.so"}),
            choose({root / "lib"}, torch));
}

TEST_F(LibTorchTest, TheLibTorchThatCanBeImportedIsOpenedFirst) {
  plugin("lib/libPrunerTorch.so", "1.13+system");
  plugin("lib/torch-2.15/libPrunerTorch.so", "2.15");
  const std::string lib = root / "lib";
  LibTorch torch = package("site/torch", "2.15.2");
  EXPECT_EQ((Texts{"lib/torch-2.15/libPrunerTorch.so after "
                   "site/torch/lib/libtorch_cpu.so"}),
            choose({lib}, torch));
  write("dist/torch/version.py", "__version__ = '1.13.0'\n");
  EXPECT_EQ((Texts{"lib/libPrunerTorch.so"}),
            choose({lib}, libTorchOfPackage(root / "dist/torch")));
  EXPECT_EQ(Texts{}, choose({lib}, package("old/torch", "2.14.1")));
  EXPECT_EQ(problem.find("PyTorch 2.14.1 ('" + root.string() +
                         "/old/torch/lib/libtorch_cpu.so') can be imported in "
                         "this process, and a second release"),
            0u)
      << problem;
}

TEST_F(LibTorchTest, ReachableOnesComeFirst) {
  plugin("lib/libPrunerTorch.so", "1.13+system");
  plugin("lib/torch-2.15/libPrunerTorch.so", "2.15");
  const std::string lib = root / "lib";
  EXPECT_EQ((Texts{"lib/torch-2.15/libPrunerTorch.so after "
                   "site/torch/lib/libtorch_cpu.so",
                   "lib/libPrunerTorch.so"}),
            choose({lib}, {},
                   {package("old/torch", "2.14.1"),
                    package("site/torch", "2.15.0")}));
}

TEST_F(LibTorchTest, APluginForPyTorchNeedsIt) {
  plugin("lib/torch-2.14/libPrunerTorch.so", "2.14");
  plugin("lib/torch-2.15/libPrunerTorch.so", "2.15");
  EXPECT_EQ(Texts{}, choose({root / "lib"}));
  EXPECT_EQ("the plug-ins were built for LibTorch 2.15, 2.14, and none of "
            "these was found; install the package 'torch' of such a release "
            "next to Pruner's, or set LD_LIBRARY_PATH to "
            "<site-packages>/torch/lib",
            problem);
  LibTorch other = package("other/torch", "2.13.0");
  EXPECT_EQ(Texts{}, choose({root / "lib"}, {}, {other}));
  EXPECT_NE(problem.find("was found, only LibTorch 2.13.0 ('" + other.file +
                         "'); install"),
            std::string::npos)
      << problem;
  EXPECT_EQ(Texts{}, choose({root / "empty"}));
  EXPECT_EQ("", problem);
}

TEST_F(LibTorchTest, ReachableIsTheSearchPathAndTheNeighbor) {
  LibTorch neighbor = package("site/torch", "2.15.0");
  const std::string code = root / "site/pruner/_native/lib";
  ASSERT_EQ(1u, reachableLibTorches(code).size());
  EXPECT_EQ(neighbor.file, reachableLibTorches(code)[0].file);
  // Only a Python package has a neighbor.
  EXPECT_TRUE(reachableLibTorches(root / "site/pruner/build/lib").empty());
  LibTorch other = package("other/torch", "2.14.0");
  setenv("LD_LIBRARY_PATH",
         ("::relative:" + (root / "other/torch/lib").string()).c_str(), 1);
  std::vector<LibTorch> found = reachableLibTorches(code);
  unsetenv("LD_LIBRARY_PATH");
  ASSERT_EQ(2u, found.size());
  EXPECT_EQ("2.14", found[0].release());
  EXPECT_EQ("2.15", found[1].release());
}

TEST_F(LibTorchTest, MappedOneIsFound) {
  EXPECT_FALSE(mappedLibTorch().has_value());
  std::string file = library("libtorch_cpu.so.9.8.7");
  void *opened = dlopen(file.c_str(), RTLD_NOW);
  ASSERT_NE(nullptr, opened);
  std::optional<LibTorch> found = mappedLibTorch();
  dlclose(opened);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(file, found->file);
  EXPECT_EQ("9.8+system", found->release());
  EXPECT_TRUE(found->mapped);
  EXPECT_FALSE(mappedLibTorch().has_value());
}

TEST_F(LibTorchTest, AModelOfAnotherReleaseIsRejected) {
  package("site/torch", "2.14.1");
  setTorchPackage(root / "site/torch");
  std::string error =
      createModel("pacm", "{}", plugin("p.so", "1.13+system")).error;
  setTorchPackage("");
  EXPECT_EQ(error.find("cost model 'pacm': PyTorch 2.14.1 ('"), 0u) << error;
  EXPECT_NE(error.find("were built for LibTorch 1.13+system;"),
            std::string::npos)
      << error;
}

// In a process of its own, because the libraries stay open.
TEST_F(LibTorchTest, AnotherPackageConflictsWithAnOpenOne) {
  std::string file = library("p.so");
  library("libtorch/libtorch_cpu.so.9.9.0");
  fs::create_symlink("libtorch_cpu.so.9.9.0",
                     root / "libtorch/libtorch_cpu.so");
  package("site/torch", "2.15.0");
  write("dist/torch/version.py", "__version__ = '9.9.1'\n");
  const std::string site = root / "site/torch", dist = root / "dist/torch";
  EXPECT_EXIT(
      {
        if (!torchConflict(site).empty())
          std::exit(1);
        std::string error = createModel("pacm", "{}", file).error;
        if (error.find("ABI version 999") == std::string::npos)
          std::exit(2);
        if (!torchConflict(dist).empty())
          std::exit(3);
        std::cerr << torchConflict(site) << "\n";
        std::exit(0);
      },
      testing::ExitedWithCode(0),
      "^PyTorch 2.15.0 \\('.*/site/torch'\\) cannot be imported: a learned "
      "model of Pruner has opened LibTorch 9.9.0 "
      "\\('.*/libtorch_cpu.so'\\), and a second release would crash this "
      "process; import torch before Pruner\n$");
}
