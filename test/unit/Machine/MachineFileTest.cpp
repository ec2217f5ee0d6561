//===- MachineFileTest.cpp - the file format and target names ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Machine/MachineFile.h"
#include "pruner/Machine/HostCpu.h"
#include "pruner/Machine/KnownMachines.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

using namespace pruner;

static std::string text(const Machine &machine) {
  std::string out;
  llvm::raw_string_ostream os(out);
  printMachineJson(machine, os);
  return out;
}

static llvm::json::Object object(const Machine &machine) {
  return *llvm::cantFail(llvm::json::parse(text(machine))).getAsObject();
}

static std::string errorOf(llvm::json::Object o) {
  std::string out;
  llvm::raw_string_ostream os(out);
  os << llvm::json::Value(std::move(o));
  llvm::Expected<Machine> machine = parseMachine(out, "m.json");
  return machine ? "no error" : llvm::toString(machine.takeError());
}

static Machine h200() { return llvm::cantFail(knownMachine("h200")); }

TEST(MachineFile, RoundTripsEveryKnownMachineAndTheHost) {
  std::vector<Machine> all = {queryHostCpu()};
  for (const std::string &name : knownMachineNames())
    all.push_back(llvm::cantFail(knownMachine(name)));
  all.back().memoryBandwidth = 1.0 / 3; // No short decimal form.
  for (const Machine &machine : all) {
    llvm::Expected<Machine> again = parseMachine(text(machine), "text");
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(*again, machine);
    EXPECT_EQ(text(*again), text(machine));
  }
}

TEST(MachineFile, EveryMissingFieldIsNamed) {
  llvm::json::Object full = object(h200());
  EXPECT_GT(full.size(), 25u);
  for (const auto &member : full) {
    llvm::StringRef name = member.first;
    llvm::json::Object without = full;
    without.erase(name);
    // Older files do not have `sm`.
    EXPECT_EQ(errorOf(std::move(without)),
              name == "sm" ? "no error"
                           : ("m.json: field '" + name + "' is missing").str());
  }
}

TEST(MachineFile, UnknownAndMistypedFieldsAreNamed) {
  llvm::json::Object o = object(h200());
  o["sharedBytes"] = 1;
  EXPECT_EQ(errorOf(o), "m.json: field 'sharedBytes' is unknown");
  o = object(h200());
  o["units"] = "many";
  EXPECT_EQ(errorOf(o), "m.json: field 'units' must be an integer");
  o = object(h200());
  o["units"] = 1.5;
  EXPECT_EQ(errorOf(o), "m.json: field 'units' must be an integer");
  o = object(h200());
  o["arch"] = 90;
  EXPECT_EQ(errorOf(o), "m.json: field 'arch' must be a string");
  o = object(h200());
  o["notes"] = "one";
  EXPECT_EQ(errorOf(o), "m.json: field 'notes' must be an array of strings");
  o = object(h200());
  o["kind"] = "tpu";
  EXPECT_EQ(errorOf(o),
            "m.json: field 'kind' must be \"cpu\" or \"gpu\", but is \"tpu\"");
  o = object(h200());
  o["version"] = 2;
  EXPECT_EQ(errorOf(o), "m.json: field 'version' is 2, but this program reads "
                        "version 1");
}

TEST(MachineFile, RulesAndBrokenTextAreErrors) {
  llvm::json::Object o = object(h200());
  o["lanes"] = 0;
  EXPECT_EQ(errorOf(o), "m.json: 'lanes' must be at least 1, but is 0");
  for (const char *broken : {"", "{", "[]", "3", "{\"version\": 1}"}) {
    llvm::Expected<Machine> machine = parseMachine(broken, "m.json");
    ASSERT_FALSE(bool(machine)) << broken;
    EXPECT_EQ(llvm::toString(machine.takeError()).rfind("m.json: ", 0), 0u);
  }
  auto deep = parseMachine(std::string(300000, '['), "m.json");
  ASSERT_FALSE(bool(deep));
  EXPECT_EQ(llvm::toString(deep.takeError()),
            "m.json: more than 128 nested arrays and objects");
}

TEST(Target, EveryFormIsUnderstood) {
  EXPECT_TRUE(llvm::cantFail(parseTarget("cpu")).isCpu());
  Machine host = queryHostCpu();
  EXPECT_EQ(llvm::cantFail(parseTarget(host.name)).name, host.name);
  EXPECT_EQ(llvm::cantFail(parseTarget("nvidia:sm_80")).name, "nvidia:a100-40");
  EXPECT_EQ(llvm::cantFail(parseTarget("nvidia:h200")), h200());

  llvm::SmallString<128> file;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("machine", "json", file));
  Machine mine = h200();
  mine.name = "nvidia:mine";
  ASSERT_FALSE(bool(writeMachine(mine, file)));
  EXPECT_EQ(llvm::cantFail(parseTarget(("file:" + file).str())), mine);
  llvm::sys::fs::remove(file);
}

TEST(Target, ErrorsListTheAllowedForms) {
  for (const char *wrong :
       {"", "gpu", "cpu:", "nvidia", "nvidia:", "file:", "h200", "amd:"}) {
    llvm::Expected<Machine> machine = parseTarget(wrong);
    ASSERT_FALSE(bool(machine)) << wrong;
    std::string message = llvm::toString(machine.takeError());
    EXPECT_EQ(message.rfind("unknown target '" + std::string(wrong) +
                                "'; allowed: cpu, file:<path>, nvidia:sm_120a",
                            0),
              0u)
        << message;
  }
  llvm::Expected<Machine> other = parseTarget("cpu:no-such-cpu");
  ASSERT_FALSE(bool(other));
  EXPECT_NE(llvm::toString(other.takeError()).find("this host is 'cpu:"),
            std::string::npos);
  llvm::Expected<Machine> file = parseTarget("file:/no/such/file.json");
  ASSERT_FALSE(bool(file));
  EXPECT_EQ(llvm::toString(file.takeError()),
            "/no/such/file.json: No such file or directory");
}
