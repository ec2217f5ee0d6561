//===- ProtocolTest.cpp - conversion of messages --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Measure/Protocol.h"
#include "pruner/Measure/FaultInjection.h"
#include "pruner/Measure/NetworkProtocol.h"
#include "pruner/Measure/WorkerProcess.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace pruner;

template <typename T> static T thereAndBack(const T &message) {
  json::Value value = toJSON(message);
  auto text = json::parse(formatv("{0}", value).str());
  EXPECT_TRUE(bool(text));
  auto back = parseMessage<T>(*text, "message");
  EXPECT_TRUE(bool(back)) << toString(back.takeError());
  return *back;
}

TEST(Protocol, BuildReplyKeepsBytes) {
  BuildReply reply;
  reply.id = 41;
  reply.format = "object";
  for (int i = 0; i < 256; ++i)
    reply.artifact += char(i);
  reply.entry = "k";
  reply.stages["lower"] = 1.5;
  reply.facts["nested"] = json::Object{{"fma", 8}};
  BuildReply back = thereAndBack(reply);
  EXPECT_EQ(back.id, 41);
  EXPECT_EQ(back.status, MeasureStatus::Ok);
  EXPECT_EQ(back.artifact, reply.artifact);
  EXPECT_EQ(back.entry, "k");
  EXPECT_EQ(back.stages.getNumber("lower"), 1.5);
  EXPECT_EQ(back.facts.getObject("nested")->getInteger("fma"), 8);
}

TEST(Protocol, EveryStatusRoundTrips) {
  for (MeasureStatus status : allMeasureStatuses()) {
    RunReply reply;
    reply.id = 7;
    reply.status = status;
    // Not UTF-8; the message must still be valid.
    reply.reason = "because \xff";
    reply.median = 1e-6;
    reply.retire = true;
    RunReply back = thereAndBack(reply);
    EXPECT_EQ(back.status, status);
    EXPECT_TRUE(StringRef(back.reason).starts_with("because "));
    EXPECT_TRUE(back.retire);
    EXPECT_EQ(back.median, status == MeasureStatus::Ok ? 1e-6 : 0);
  }
}

TEST(Protocol, RunRequestKeepsLimits) {
  RunRequest request;
  request.id = 3;
  request.task = "t";
  request.target = "cpu";
  request.format = "ptx";
  request.entry = "k";
  request.threads = 4;
  request.verify = false;
  request.censorAbove = 0.25;
  request.minSeconds = 0.5;
  request.minSamples = 9;
  request.maxSeconds = 2;
  request.reuseDistances = {{0, 0}, {1 << 20, 7}};
  RunRequest back = thereAndBack(request);
  EXPECT_EQ(back.threads, 4);
  EXPECT_FALSE(back.verify);
  EXPECT_EQ(back.censorAbove, 0.25);
  EXPECT_EQ(back.minSeconds, 0.5);
  EXPECT_EQ(back.minSamples, 9);
  EXPECT_EQ(back.maxSeconds, 2);
  EXPECT_EQ(back.reuseDistances, request.reuseDistances);
}

TEST(Protocol, GreetingsIdentifyTheWorker) {
  HelloReply hello;
  hello.protocol = workerProtocolVersion;
  hello.machine = "cpu:here;x86-64";
  hello.generator = "0123";
  hello.relay = true;
  HelloReply back = thereAndBack(hello);
  EXPECT_EQ(back.machine, hello.machine);
  EXPECT_EQ(back.generator, "0123");
  EXPECT_EQ(back.codeGenerator(), "0123");
  EXPECT_TRUE(back.relay);
  // Older workers do not send these fields.
  HelloReply other;
  other.pruner = "iree-3";
  back = thereAndBack(other);
  EXPECT_EQ(back.codeGenerator(), "iree-3");
  EXPECT_TRUE(back.machine.empty() && back.generator.empty() && !back.relay);

  RunReply run;
  run.status = MeasureStatus::Ok;
  run.place = "node 1";
  EXPECT_EQ(thereAndBack(run).place, "node 1");
}

TEST(Protocol, RelaysReportSomeFailures) {
  EXPECT_EQ(symbolizeReportedFailure("died"), WorkerFailure::Died);
  EXPECT_EQ(symbolizeReportedFailure("timeout"), WorkerFailure::Timeout);
  EXPECT_EQ(symbolizeReportedFailure("out-of-memory"),
            WorkerFailure::OutOfMemory);
  EXPECT_EQ(symbolizeReportedFailure("bad-reply"), WorkerFailure::BadReply);
  EXPECT_EQ(symbolizeReportedFailure("lost"), WorkerFailure::Lost);
  EXPECT_EQ(symbolizeReportedFailure("no-worker"), WorkerFailure::NoWorker);
  for (const char *bad : {"", "stopped", "cannot-start", "Lost"})
    EXPECT_EQ(symbolizeReportedFailure(bad), std::nullopt) << bad;
}

static std::string errorOf(StringRef text) {
  auto value = json::parse(text);
  EXPECT_TRUE(bool(value));
  auto message = parseMessage<BuildReply>(*value, "reply");
  return message ? "" : toString(message.takeError());
}

TEST(Protocol, MalformedMessagesNameTheField) {
  EXPECT_EQ(errorOf("[1]"), "expected object when parsing reply");
  EXPECT_EQ(errorOf(R"({"id":"x"})"), "expected integer at reply.id");
  EXPECT_EQ(errorOf(R"({"id":1})"), "missing value at reply.status");
  EXPECT_EQ(errorOf(R"({"id":1,"status":"fine"})"),
            "unknown status at reply.status");
  EXPECT_EQ(errorOf(R"({"id":1,"status":"ok","reason":"","artifact":"%"})"),
            "not base64 at reply.artifact");
  EXPECT_EQ(errorOf(R"({"id":1,"status":"ok","reason":"","facts":3})"),
            "expected object at reply.facts");
}

TEST(Faults, PlansAreParsed) {
  auto plan = FaultPlan::parse("crash@build:3,hang@run:1%7,exit@task:*");
  ASSERT_TRUE(bool(plan));
  EXPECT_EQ(plan->at(FaultStage::Build, 3), Fault::Crash);
  EXPECT_EQ(plan->at(FaultStage::Build, 4), std::nullopt);
  EXPECT_EQ(plan->at(FaultStage::Run, 8), Fault::Hang);
  EXPECT_EQ(plan->at(FaultStage::Run, 7), std::nullopt);
  EXPECT_EQ(plan->at(FaultStage::Task, 12345), Fault::Exit);
  for (const char *bad : {"x@run:1", "crash@x:1", "crash@run", "crash@run:a",
                          "crash@run:1%0", "crash"}) {
    auto refused = FaultPlan::parse(bad);
    EXPECT_FALSE(bool(refused)) << bad;
    if (!refused)
      consumeError(refused.takeError());
  }
}

TEST(Runner, OptionIsParsed) {
  auto local = parseRunner("local", WorkerCommand());
  ASSERT_TRUE(bool(local));
  EXPECT_EQ(local->exec, "");
  auto remote = parseRunner("exec: ssh host pruner-worker", WorkerCommand());
  ASSERT_TRUE(bool(remote));
  EXPECT_EQ(remote->exec, "ssh host pruner-worker");
  auto bad = parseRunner("cluster", WorkerCommand());
  ASSERT_FALSE(bool(bad));
  EXPECT_EQ(toString(bad.takeError()),
            "unknown runner 'cluster'; expected 'local' or 'exec:<command>'");
}

TEST(Protocol, NetworkMessages) {
  NetworkRequest request;
  request.id = 5;
  request.libraries = {{"/a.so", "/a-prepare.so"}, {"/b.so", ""}};
  request.threads = 2;
  request.turns = 2;
  request.minSeconds = 0.125;
  NetworkRequest asked = thereAndBack(request);
  EXPECT_EQ(asked.id, 5);
  ASSERT_EQ(asked.libraries.size(), 2u);
  EXPECT_EQ(asked.libraries[0].prepare, "/a-prepare.so");
  EXPECT_EQ(asked.libraries[1].network, "/b.so");
  EXPECT_EQ(asked.threads, 2);
  EXPECT_EQ(asked.turns, 2);
  EXPECT_EQ(asked.minSeconds, 0.125);

  NetworkReply reply;
  reply.libraries = {{{1, 2}, {{"key", 3, {0.25, 0.5}}}}, {{1, 3}, {}}};
  NetworkReply back = thereAndBack(reply);
  EXPECT_EQ(networkProblem(back, request), "");
  ASSERT_EQ(back.libraries.size(), 2u);
  EXPECT_EQ(back.libraries[1].seconds, std::vector<double>({1, 3}));
  ASSERT_EQ(back.libraries[0].tasks.size(), 1u);
  EXPECT_EQ(back.libraries[0].tasks[0].key, "key");
  EXPECT_EQ(back.libraries[0].tasks[0].calls, 3);
  EXPECT_EQ(back.libraries[0].tasks[0].seconds,
            std::vector<double>({0.25, 0.5}));

  // Replies that do not fit the request.
  NetworkReply bad = back;
  bad.libraries.pop_back();
  EXPECT_NE(networkProblem(bad, request), "");
  bad = back;
  bad.libraries[0].seconds.push_back(1);
  EXPECT_NE(networkProblem(bad, request), "");
  for (double time : {0.0, -1.0, double(INFINITY), double(NAN)}) {
    bad = back;
    bad.libraries[0].tasks[0].seconds[1] = time;
    EXPECT_NE(networkProblem(bad, request), "");
  }
  bad = back;
  bad.status = MeasureStatus::RunError;
  bad.reason = "because";
  EXPECT_EQ(networkProblem(bad, request), "because");
}
