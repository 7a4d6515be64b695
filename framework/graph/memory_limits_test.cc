// Queues that pausing sources does not hold back: they are warned of, and end
// the run at a limit that somebody set, or at the graph's share of the memory.

#include <sys/resource.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/machine_memory.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/queue_test_support.h"
#include "framework/graph/test_log_capture.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/payload_size.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/run/output_stream_poller.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr absl::StatusCode kExhausted = absl::StatusCode::kResourceExhausted;

// Sends so many packets for each that comes, at times of its own.
TestFunction SendMany(int count) {
  return [count, next = std::int64_t{0}](CalculatorContext* cc) mutable {
    for (int i = 0; i < count; ++i) {
      cc->Outputs().Index(0).AddPacket(
          MakePacket<int>(1).At(Timestamp(next++)));
    }
    return absl::OkStatus();
  };
}

// A loop in which each packet becomes two.
std::string Loop(const std::string& settings, const char* calculator) {
  return absl::StrCat(settings, R"(
    input_stream: "in" max_queue_size: 50
    node { name: "doubler" calculator: ")",
                      calculator, R"("
           input_side_packet: "PROCESS:two"
           input_stream: "in" input_stream: "back" output_stream: "back"
           input_stream_info { tag_index: ":1" back_edge: true }
           input_stream_handler {
             input_stream_handler: "ImmediateInputStreamHandler" } })");
}

// "many" sends 3,000 packets for each of "in"; "join" waits for "b".
std::string Amplifier(const std::string& settings) {
  return settings + R"(
    input_stream: "in" input_stream: "b"
    node { name: "many" calculator: "TestLambda"
           input_side_packet: "PROCESS:many"
           input_stream: "in" output_stream: "a" }
    node { name: "join" calculator: "TestLambda"
           input_side_packet: "PROCESS:sum"
           input_stream: "a" input_stream: "b" output_stream: "out" })";
}

class MemoryLimitsTest : public ::testing::TestWithParam<Workers> {
 protected:
  LogCapture log_;
};
SYNCLINE_TEST_WITH_ALL_WORKERS(MemoryLimitsTest);

TEST_P(MemoryLimitsTest, ALoopThatDoublesItsPacketsEndsAtTheLimitOfTheGraph) {
  TestGraph graph(GetParam(), Loop("max_memory_bytes: 200000", "TestLambda"));
  graph.Give("two", SendMany(2));
  graph.Start();
  graph.Add("in", 0, 1);
  EXPECT_THAT(
      graph.FinishWithStatus(),
      StatusIs(kExhausted,
               AllOf(HasSubstr("more than max_memory_bytes, which is 200000"),
                     HasSubstr("stream \"back\", which comes from node "
                               "\"doubler\""))));
}

TEST_P(MemoryLimitsTest, AQueueEndsTheRunAtTheLengthThatTheGraphSays) {
  {
    TestGraph graph(GetParam(), Amplifier("queue_error_size: 3001"));
    graph.Give("many", SendMany(3000));
    graph.Give("sum", SendSum);
    graph.Start();
    graph.Add("in", 0, 1);
    graph.Finish();
  }
  TestGraph graph(GetParam(), Amplifier("queue_error_size: 3000"));
  graph.Give("many", SendMany(3000));
  graph.Give("sum", SendSum);
  graph.Start();
  graph.Add("in", 0, 1);
  EXPECT_THAT(
      graph.FinishWithStatus(),
      StatusIs(kExhausted, AllOf(HasSubstr("stream \"a\" at node \"join\""),
                                 HasSubstr("holds 3000 packets"),
                                 HasSubstr("They come from node \"many\""))));
}

// The same where the limit of the queue is above that length, and where there
// is none.
TEST_P(MemoryLimitsTest, AnObserverThatAddsTwoForOneEndsTheRunAtThatLength) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in" max_queue_size: 50 queue_error_size: 200
    node { name: "sum" calculator: "TestLambda"
           input_side_packet: "PROCESS:sum"
           input_stream: "in" output_stream: "out" })");
  graph.Give("sum", SendSum);
  int next = 1;
  SYNCLINE_ASSERT_OK(graph.graph().ObserveOutputStream(
      "out", [&](const Packet&) -> absl::Status {
        SYNCLINE_RETURN_IF_ERROR(graph.AddWithStatus("in", next++, 1));
        return graph.AddWithStatus("in", next++, 1);
      }));
  graph.Start();
  graph.Add("in", 0, 1);
  graph.graph().WaitUntilIdle().IgnoreError();
  EXPECT_THAT(
      graph.FinishWithStatus(),
      StatusIs(kExhausted, AllOf(HasSubstr("stream \"in\" at node \"sum\""),
                                 HasSubstr("holds 200 packets"))));
}

TEST_P(MemoryLimitsTest, ThatLengthComesBeforeTheLimitOfTheQueue) {
  for (const char* const limit : {"max_queue_size: 100", "max_queue_size: -1",
                                  "max_queue_bytes: 100000"}) {
    TestGraph graph(GetParam(), absl::StrCat("queue_error_size: 20 ", limit, R"(
      input_stream: "a" input_stream: "b"
      node { name: "join" calculator: "TestLambda"
             input_stream: "a" input_stream: "b" })"));
    graph.Start();
    for (int i = 0; i < 19; ++i) graph.Add("a", i, 1);
    graph.Idle();
    EXPECT_FALSE(graph.graph().HasError());
    graph.Add("a", 19, 1);
    EXPECT_THAT(graph.FinishWithStatus(),
                StatusIs(kExhausted, AllOf(HasSubstr("holds 20 packets"),
                                           HasSubstr("the application"))))
        << limit;
  }
}

TEST_P(MemoryLimitsTest, AQueueThatIsOverItsLimitIsWarnedOf) {
  constexpr char kOver[] = "pausing sources does not hold it back";
  TestGraph graph(GetParam(), Amplifier("queue_warning_size: 500"));
  graph.Give("many", SendMany(300));
  graph.Give("sum", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("in", 0, 1);
  graph.Idle();
  EXPECT_THAT(log_.With(kOver), IsEmpty());
  graph.graph().SetGraphInputStreamAddMode(
      CalculatorGraph::GraphInputStreamAddMode::ADD_IF_NOT_FULL);
  graph.Close("b");
  graph.Finish();
  EXPECT_EQ(graph.Count("out"), 300);
}

TEST_P(MemoryLimitsTest, TheWarningNamesWhoSendsThePackets) {
  constexpr char kOver[] = "pausing sources does not hold it back";
  TestGraph graph(GetParam(), Amplifier("queue_warning_size: 500"));
  graph.Give("many", SendMany(3000));
  graph.Give("sum", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("in", 0, 1);
  graph.Idle();
  EXPECT_THAT(log_.With(kOver),
              Contains(AllOf(HasSubstr("stream \"a\" at node \"join\""),
                             HasSubstr("holds 3000 packets"),
                             HasSubstr("its limit is 100"),
                             HasSubstr("come from node \"many\""))));
  graph.Finish();
  EXPECT_EQ(graph.Count("out"), 3000);
}

TEST_P(MemoryLimitsTest, AHundredThousandPacketsOfOneCallPassByDefault) {
  TestGraph graph(GetParam(), Amplifier(""));
  graph.Give("many", SendMany(100'000));
  graph.Give("sum", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("in", 0, 1);
  graph.Finish();
  EXPECT_EQ(graph.Count("out"), 100'000);
}

TEST_P(MemoryLimitsTest, WhatHasBeenTakenDoesNotCount) {
  std::string text =
      "max_queue_size: 5 max_memory_bytes: 4400 input_stream: \"s0\" ";
  for (int i = 0; i < 5; ++i) {
    absl::StrAppend(&text,
                    "node { calculator: \"TestLambda\" input_side_packet: "
                    "\"PROCESS:sum\" input_stream: \"s",
                    i, "\" output_stream: \"s", i + 1, "\" } ");
  }
  TestGraph graph(GetParam(), text);
  graph.Give("sum", SendSum);
  graph.Observe("s5");
  graph.Start();
  for (int i = 0; i < 3000; ++i) graph.Add("s0", i, 1);
  graph.Finish();
  EXPECT_EQ(graph.Count("s5"), 3000);
}

TEST_P(MemoryLimitsTest, ALimitInBytesCountsForPacketsThatWaitForTheirOrder) {
  TestGraph graph(GetParam(), R"(
    max_queue_bytes: 100
    input_stream: "in"
    graph_input_info { stream: "in" bad_timestamps: REORDER
                       reorder_window: 1000000 }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "in" output_stream: "out" })");
  graph.Give("sum", SendSum);
  graph.Observe("out");
  graph.Start();
  for (int i = 0; i < 25; ++i) graph.Add("in", i, 1);
  graph.Idle();
  EXPECT_EQ(graph.Count("out"), 0);
  for (int i = 25; i < 100; ++i) graph.Add("in", i, 1);
  graph.Idle();
  EXPECT_EQ(graph.Count("out"), 75);
  graph.Finish();
  EXPECT_EQ(graph.Count("out"), 100);
}

TEST_P(MemoryLimitsTest, PacketsThatWaitForTheirOrderCountForTheGraph) {
  TestGraph graph(GetParam(), R"(
    max_memory_bytes: 4400
    input_stream: "in"
    graph_input_info { stream: "in" bad_timestamps: REORDER
                       reorder_window: 1000000 }
    node { calculator: "TestLambda" input_stream: "in" })");
  graph.Start();
  for (int i = 0; i < 100; ++i) graph.Add("in", i, 1);
  EXPECT_FALSE(graph.graph().HasError());
  graph.AddWithStatus("in", 100, 1).IgnoreError();
  EXPECT_THAT(graph.FinishWithStatus(),
              StatusIs(kExhausted, AllOf(HasSubstr("stream \"in\""),
                                         HasSubstr("reorder_window"))));
}

TEST_P(MemoryLimitsTest, PacketsThatNobodyReadsFromAPollerCount) {
  TestGraph graph(GetParam(), R"(
    max_memory_bytes: 20000
    node { name: "source" calculator: "TestLambda"
           input_side_packet: "PROCESS:count" output_stream: "a" }
    node { calculator: "TestLambda" input_stream: "a" })");
  graph.Give("count", CountTo(100000));
  absl::StatusOr<OutputStreamPoller> poller =
      graph.graph().AddOutputStreamPoller("a");
  SYNCLINE_ASSERT_OK(poller.status());
  EXPECT_THAT(graph.Run(),
              StatusIs(kExhausted, AllOf(HasSubstr("OutputStreamPoller"),
                                         HasSubstr("node \"source\""))));
}

// Says that it takes a share of what queues may have by default, and takes
// nothing.
struct Large {
  int parts = 1;
};

}  // namespace

template <>
struct PayloadSize<Large> {
  static std::size_t Bytes(const Large& large) {
    return FindMachineMemory().bytes / 2 / large.parts;
  }
};

namespace {

class AnySink : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (auto& type : cc->Inputs()) type.SetAny();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    ++calls;
    return absl::OkStatus();
  }

  inline static std::atomic<int> calls{0};
};
REGISTER_CALCULATOR(AnySink);

constexpr char kJoin[] = R"(
  input_stream: "a" input_stream: "b"
  node { name: "join" calculator: "AnySink" input_stream: "a"
         input_stream: "b" })";

Packet LargePacket(int time, int parts) {
  return MakePacket<Large>(Large{parts}).At(Timestamp(time));
}

TEST_P(MemoryLimitsTest, AFewLargePacketsEndTheRun) {
  TestGraph graph(GetParam(), kJoin);
  graph.Start();
  absl::Status status;
  for (int i = 0; i < 4 && status.ok(); ++i) {
    EXPECT_FALSE(graph.graph().HasError()) << i;
    status = graph.graph().AddPacketToInputStream("a", LargePacket(i, 3));
  }
  EXPECT_THAT(graph.FinishWithStatus(),
              StatusIs(kExhausted,
                       AllOf(HasSubstr("4 packets"),
                             HasSubstr("which is the limit where a graph sets "
                                       "no max_memory_bytes"),
                             HasSubstr("stream \"a\""),
                             HasSubstr("queue of the node \"join\""))));
}

TEST_P(MemoryLimitsTest, LargePacketsOfSeveralStreamsCountTogether) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a" input_stream: "b" input_stream: "c"
    node { name: "join" calculator: "AnySink" input_stream: "a"
           input_stream: "b" input_stream: "c" })");
  graph.Start();
  for (int i = 0; i < 2; ++i) {
    for (const char* const stream : {"a", "b"}) {
      graph.graph()
          .AddPacketToInputStream(stream, LargePacket(i, 3))
          .IgnoreError();
    }
  }
  EXPECT_THAT(graph.FinishWithStatus(),
              StatusIs(kExhausted, HasSubstr("2 packets")));
}

// At six packets it is not looked at by itself.
TEST_P(MemoryLimitsTest, LargePacketsAreLookedAtFromTimeToTime) {
  TestGraph graph(GetParam(), kJoin);
  graph.Start();
  for (int i = 0; i < 6; ++i) {
    SYNCLINE_EXPECT_OK(
        graph.graph().AddPacketToInputStream("a", LargePacket(i, 5)));
  }
  for (int i = 0; i < 1000 && !graph.graph().HasError(); ++i) {
    absl::SleepFor(absl::Milliseconds(20));
  }
  EXPECT_THAT(graph.FinishWithStatus(),
              StatusIs(kExhausted, HasSubstr("6 packets")));
}

// A call that lasts keeps the run from being idle, so that no limit is raised.
TEST(LateLargePacketsTest, PacketsThatAreLargeOnlyLaterCount) {
  constexpr int kLimit = 4;
  LongCall long_call;
  TestGraph graph({.threads = 2},
                  absl::StrCat("max_queue_size: ", kLimit, kJoin,
                               R"(
    input_stream: "busy"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:long"
           input_stream: "busy" })"));
  graph.Give("long", long_call.Function());
  graph.Start();
  graph.Add("busy", 0, 1);
  long_call.WaitUntilStarted();
  const auto fill = [&](const char* stream, int begin, int parts) {
    absl::Status status;
    for (int i = begin; i < begin + kLimit && status.ok(); ++i) {
      status =
          graph.graph().AddPacketToInputStream(stream, LargePacket(i, parts));
    }
    return status;
  };
  constexpr int kSmall = 1 << 30;
  constexpr int kRounds = 255;
  AnySink::calls.store(0);
  for (int round = 0; round < kRounds; ++round) {
    SYNCLINE_ASSERT_OK(fill("a", kLimit * round, kSmall));
    SYNCLINE_ASSERT_OK(fill("b", kLimit * round, kSmall));
    while (AnySink::calls.load() < kLimit * (round + 1)) {
      absl::SleepFor(absl::Microseconds(10));
    }
  }
  fill("a", kLimit * kRounds, 2).IgnoreError();
  long_call.End();
  EXPECT_THAT(graph.FinishWithStatus(),
              StatusIs(kExhausted, HasSubstr("4 packets")));
}

TEST_P(MemoryLimitsTest, PacketsThatSeveralNodesReadCountOnce) {
  std::string text = "input_stream: \"a\" input_stream: \"b\" ";
  for (int i = 0; i < 8; ++i) {
    absl::StrAppend(&text, "node { calculator: \"AnySink\" ",
                    "input_stream: \"a\" input_stream: \"b\" } ");
  }
  TestGraph graph(GetParam(), text);
  graph.Start();
  for (int i = 0; i < 4; ++i) {
    SYNCLINE_EXPECT_OK(
        graph.graph().AddPacketToInputStream("a", LargePacket(i, 5)));
  }
  SYNCLINE_EXPECT_OK(graph.FinishWithStatus());
}

TEST_P(MemoryLimitsTest, WithoutALimitLargePacketsPass) {
  TestGraph graph(GetParam(), absl::StrCat("max_memory_bytes: -1", kJoin));
  graph.Start();
  for (int i = 0; i < 10; ++i) {
    SYNCLINE_EXPECT_OK(
        graph.graph().AddPacketToInputStream("a", LargePacket(i, 1)));
  }
  SYNCLINE_EXPECT_OK(graph.FinishWithStatus());
}

TEST_P(MemoryLimitsTest, AFewLargePacketsOfAPollerCount) {
  TestGraph graph(GetParam(), R"(
    max_memory_bytes: 1000000
    input_stream: "a"
    node { calculator: "AnySink" input_stream: "a" })");
  absl::StatusOr<OutputStreamPoller> poller =
      graph.graph().AddOutputStreamPoller("a");
  SYNCLINE_ASSERT_OK(poller.status());
  graph.Start();
  for (int i = 0; i < 4; ++i) {
    graph.graph()
        .AddPacketToInputStream(
            "a", MakePacket<std::string>(400'000, 'x').At(Timestamp(i)))
        .IgnoreError();
    // It waits nowhere else.
    graph.graph().WaitUntilIdle().IgnoreError();
  }
  EXPECT_THAT(graph.FinishWithStatus(),
              StatusIs(kExhausted, HasSubstr("OutputStreamPoller")));
}

// Each packet becomes two of a hundred thousand bytes.
class LargeDoubler : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (auto& type : cc->Inputs()) type.SetAny();
    cc->InputSidePackets().Tag("PROCESS").SetAny().Optional();
    cc->Outputs().Index(0).Set<std::string>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    for (int i = 0; i < 2; ++i) {
      cc->Outputs().Index(0).AddPacket(
          MakePacket<std::string>(100'000, 'x').At(Timestamp(next_++)));
    }
    return absl::OkStatus();
  }

 private:
  std::int64_t next_ = 0;
};
REGISTER_CALCULATOR(LargeDoubler);

// Sanitizers need the address space that the test takes away.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

[[noreturn]] void RunWithHalfOfFewBytes() {
  const rlimit limit = {std::size_t{600} << 20, std::size_t{600} << 20};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(2);
  TestGraph graph({.threads = 0}, Loop("", "LargeDoubler"));
  graph.Give("two", SendMany(2));
  graph.Start();
  graph.Add("in", 0, 1);
  const absl::Status status = graph.FinishWithStatus();
  std::cerr << status << "\n";
  std::_Exit(status.code() == kExhausted ? 0 : 1);
}

TEST(DefaultMemoryLimitTest, ALoopEndsAtHalfOfTheMemoryThereIs) {
  EXPECT_EXIT(RunWithHalfOfFewBytes(), ::testing::ExitedWithCode(0),
              "half of the 629145600 bytes that the limit of the address "
              "space has.*node \"doubler\"");
}

#endif

}  // namespace
}  // namespace syncline
