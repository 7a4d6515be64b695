// What runs note when they are traced, whoever runs the calls.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/context.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/graph/trace_graph_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/stream/drop_cause.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_event.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class TraceGraphTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(TraceGraphTest);

// "x<11" for each bound, in the order of the trace.
std::vector<std::string> BoundsOf(const Trace& trace) {
  std::vector<std::string> bounds;
  ForEachEvent(trace, [&](int, const TraceEvent& event) {
    if (event.kind() != TraceKind::kBound) return;
    bounds.push_back(absl::StrCat(trace.header.stream(event.id()).name(), "<",
                                  event.timestamp));
  });
  return bounds;
}

TEST_P(TraceGraphTest, HasTheCallsAndTheirPackets) {
  TestGraph graph(GetParam(), kTwo);
  graph.Give("f", SendOn);
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  graph.Start();
  for (int i = 1; i <= 3; ++i) graph.Add("in", 10 * i, i);
  graph.Finish();
  const Trace trace = graph.graph().TakeTrace();
  SYNCLINE_EXPECT_OK(CheckTrace(trace));
  EXPECT_EQ(trace.num_lost(), 0);
  EXPECT_THAT(CallsOf(trace, "a"),
              ElementsAre("Open", "10 <- in@10 -> x@10", "20 <- in@20 -> x@20",
                          "30 <- in@30 -> x@30", "Close"));
  EXPECT_THAT(
      CallsOf(trace, "b"),
      ElementsAre("Open", "10 <- x@10 -> out@10", "20 <- x@20 -> out@20",
                  "30 <- x@30 -> out@30", "Close"));
  std::vector<std::int64_t> added;
  const TraceCalls calls(trace);
  for (const TracedPacket& packet : calls.added()) {
    added.push_back(packet.timestamp);
  }
  EXPECT_THAT(added, ElementsAre(10, 20, 30));
  EXPECT_EQ(trace.header.node(1).name(), "b");
  EXPECT_EQ(trace.header.config().node_size(), 2);
}

TEST_P(TraceGraphTest, ACursorTakesEachEventOnce) {
  TestGraph graph(GetParam(), kTwo);
  graph.Give("f", SendOn);
  TraceCursor cursor;
  EXPECT_EQ(graph.graph().TakeTrace(&cursor).num_events(), 0);
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  graph.Start();
  graph.Add("in", 10, 1);
  graph.Idle();
  const Trace first = graph.graph().TakeTrace(&cursor);
  EXPECT_EQ(first.header.node_size(), 2);
  EXPECT_EQ(CountOf(first, TraceKind::kProcessBegin), 2);
  graph.Add("in", 20, 2);
  graph.Finish();
  const Trace second = graph.graph().TakeTrace(&cursor);
  EXPECT_EQ(second.header.node_size(), 0);
  EXPECT_EQ(CountOf(second, TraceKind::kProcessBegin), 2);
  EXPECT_EQ(CountOf(second, TraceKind::kCloseEnd), 2);
  EXPECT_EQ(second.num_lost(), 0);
  EXPECT_EQ(graph.graph().TakeTrace(&cursor).num_events(), 0);
  EXPECT_EQ(first.num_events() + second.num_events(),
            graph.graph().TakeTrace().num_events());
}

// Of a stream that one node reads, one that several do, and of an input of the
// graph.
TEST_P(TraceGraphTest, WhoLooksAtAStreamGetsItsNextPacket) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "a" calculator: "TestLambda" input_stream: "in"
           output_stream: "x" input_side_packet: "PROCESS:f" }
    node { name: "b" calculator: "TestLambda" input_stream: "x"
           output_stream: "y" output_stream: "z"
           input_side_packet: "PROCESS:f" }
    node { name: "c" calculator: "TestLambda" input_stream: "x" })");
  graph.Give("f", SendOn);
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  const auto time_of = [&](const std::string& stream) {
    const absl::StatusOr<Packet> packet = graph.graph().LookAtStream(stream);
    SYNCLINE_EXPECT_OK(packet.status());
    return packet.ok() && !packet->IsEmpty() ? packet->Timestamp().Value() : -1;
  };
  graph.Start();
  graph.Add("in", 10, 1);
  graph.Idle();
  for (const char* const stream : {"in", "x", "y", "z"}) {
    EXPECT_EQ(time_of(stream), -1) << stream;
  }
  graph.Add("in", 20, 2);
  graph.Add("in", 30, 3);
  graph.Idle();
  for (const char* const stream : {"in", "x", "y"}) {
    EXPECT_EQ(time_of(stream), 20) << stream;
  }
  EXPECT_EQ(time_of("z"), -1);
  SYNCLINE_EXPECT_OK(graph.graph().StopLookingAtStream("x"));
  graph.Add("in", 40, 4);
  graph.Finish();
  EXPECT_EQ(time_of("x"), -1);
  EXPECT_EQ(time_of("y"), 40);
  EXPECT_EQ(graph.graph().LookAtStream("none").status().code(),
            absl::StatusCode::kNotFound);
}

TEST_P(TraceGraphTest, ACallIsReadyBeforeItBegins) {
  TestGraph graph(GetParam(), kTwo);
  graph.Give("f", SendOn);
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  graph.Start();
  graph.Add("in", 10, 1);
  graph.Finish();
  const Trace trace = graph.graph().TakeTrace();
  const TraceCalls calls(trace);
  int count = 0;
  for (const TracedCall& call : calls.calls()) {
    if (call.kind != TraceKind::kProcessBegin) continue;
    // The thread of "a" may begin the call of "b" at once.
    if (call.ready == 0) continue;
    ++count;
    EXPECT_LE(call.ready, call.begin);
  }
  EXPECT_GE(count, 1);
}

// One thread calls "b" right after "a".
TEST(TraceOfOneThreadTest, ACallThatFollowsAtOnceBeginsWhenTheOneBeforeEnds) {
  TestGraph graph({.threads = 1}, R"(
    node { name: "source" calculator: "TestLambda" output_stream: "in"
           input_side_packet: "PROCESS:count" }
    node { name: "a" calculator: "TestLambdaOffset" input_stream: "in"
           output_stream: "x" input_side_packet: "PROCESS:f" }
    node { name: "b" calculator: "TestLambdaOffset" input_stream: "x"
           output_stream: "out" input_side_packet: "PROCESS:f" })");
  graph.Give("count", CountTo(99));
  graph.Give("f", SendOn);
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  SYNCLINE_ASSERT_OK(graph.Run());
  const Trace trace = graph.graph().TakeTrace();
  const TraceCalls calls(trace);
  const TracedCall* before = nullptr;
  int count = 0;
  for (const TracedCall& call : calls.calls()) {
    if (call.kind != TraceKind::kProcessBegin) continue;
    if (trace.header.node(call.node).name() == "b") {
      ASSERT_NE(before, nullptr);
      EXPECT_EQ(trace.header.node(before->node).name(), "a");
      EXPECT_GE(call.begin, before->end);
      if (call.begin == before->end) ++count;
    } else if (before != nullptr) {
      EXPECT_GT(call.begin, before->begin);
    }
    before = &call;
  }
  // Of calls that the scheduler measures, and of those after an interruption,
  // the begin is a reading of its own.
  EXPECT_GE(count, 1);
}

// What "a" takes is destroyed after its call, before that of "b".
TEST(TraceOfOneThreadTest, NoCallBeginsBeforeThePacketsOfTheLastAreDestroyed) {
  static constexpr int kValue = 1;
  const auto slowly = [] { absl::SleepFor(absl::Milliseconds(3)); };
  TestGraph graph({.threads = 1}, R"(
    node { name: "source" calculator: "TestLambda" output_stream: "in"
           input_side_packet: "PROCESS:make" }
    node { name: "a" calculator: "TestLambdaOffset" input_stream: "in"
           output_stream: "x" input_side_packet: "PROCESS:f" }
    node { name: "b" calculator: "TestLambdaOffset" input_stream: "x"
           output_stream: "out" input_side_packet: "PROCESS:g" })");
  int sent = 0;
  graph.Give("make", [&](CalculatorContext* cc) {
    if (sent == 9) return tool::StatusStop();
    cc->Outputs().Index(0).AddPacket(
        PointToForeign(&kValue, slowly).At(Timestamp(++sent)));
    return absl::OkStatus();
  });
  graph.Give("f", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(0).At(cc->InputTimestamp()));
    return absl::OkStatus();
  });
  graph.Give("g", SendOn);
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  SYNCLINE_ASSERT_OK(graph.Run());
  const Trace trace = graph.graph().TakeTrace();
  const TraceCalls calls(trace);
  const TracedCall* before = nullptr;
  int count = 0;
  for (const TracedCall& call : calls.calls()) {
    if (call.kind != TraceKind::kProcessBegin) continue;
    if (trace.header.node(call.node).name() == "b") {
      ASSERT_NE(before, nullptr);
      EXPECT_GE(trace.Ns(call.begin) - trace.Ns(before->end), 2'500'000);
      ++count;
    }
    before = &call;
  }
  EXPECT_EQ(count, 9);
}

TEST_P(TraceGraphTest, CallsThatSendMoreOrLaterOrNothingAreNotedAsOthersAre) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "a" calculator: "TestLambda" input_stream: "in"
           output_stream: "x" input_side_packet: "PROCESS:f" }
    node { name: "b" calculator: "TestLambda" input_stream: "x"
           output_stream: "out" input_side_packet: "PROCESS:g" })");
  graph.Give("f", [](CalculatorContext* cc) {
    const Packet& packet = cc->Inputs().Index(0).Value();
    switch (const int kind = packet.Get<int>(); kind) {
      case 1:
        cc->Outputs().Index(0).AddPacket(packet);
        [[fallthrough]];
      case 2:
        cc->Outputs().Index(0).AddPacket(packet.At(packet.Timestamp() + 1));
        break;
      case 4:
        cc->Outputs().Index(0).AddPacket(packet);
        return tool::StatusStop();
      default:
        break;
    }
    return absl::OkStatus();
  });
  graph.Give("g", SendOn);
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  graph.Start();
  for (int i = 1; i <= 4; ++i) graph.Add("in", 10 * i, i);
  graph.Finish();
  const Trace trace = graph.graph().TakeTrace();
  SYNCLINE_EXPECT_OK(CheckTrace(trace));
  const std::string stop = absl::StrCat(tool::StatusStop().raw_code());
  EXPECT_THAT(
      CallsOf(trace, "a"),
      ElementsAre("Open", "10 <- in@10 -> x@10 x@11", "20 <- in@20 -> x@21",
                  "30 <- in@30", "40 <- in@40 -> x@40 ! " + stop, "Close"));
  EXPECT_THAT(
      CallsOf(trace, "b"),
      ElementsAre("Open", "10 <- x@10 -> out@10", "11 <- x@11 -> out@11",
                  "21 <- x@21 -> out@21", "40 <- x@40 -> out@40", "Close"));
}

// Of a packet, the source notes three events, and each of ten nodes two in
// place of four.
TEST(TraceOfOneThreadTest, MemoryHoldsTwiceAsManyCallsWhereEachSendsOnePacket) {
  std::string text = R"(
    node { name: "source" calculator: "TestLambda" output_stream: "x0"
           input_side_packet: "PROCESS:count" })";
  for (int i = 0; i < 10; ++i) {
    absl::StrAppend(&text, "node { calculator: \"TestLambdaOffset\" ",
                    "input_side_packet: \"PROCESS:f\" input_stream: \"x", i,
                    "\" output_stream: \"x", i + 1, "\" }\n");
  }
  TestGraph graph({.threads = 1}, text);
  graph.Give("count", CountTo(999));
  graph.Give("f", SendOn);
  constexpr int kCapacity = 1024;
  SYNCLINE_ASSERT_OK(
      graph.graph().EnableFlightRecorder({.events_per_thread = kCapacity}));
  SYNCLINE_ASSERT_OK(graph.Run());
  const Trace trace = graph.graph().TakeTrace();
  SYNCLINE_EXPECT_OK(CheckTrace(trace));
  EXPECT_GE(trace.num_events(), kCapacity * 3 / 2);
  EXPECT_LE(trace.num_events(), 2 * kCapacity);
}

TEST_P(TraceGraphTest, AJoinTakesWhatCameOnEachInput) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    input_stream: "other"
    node { name: "join" calculator: "TestLambda" input_stream: "X:0:in"
           input_stream: "X:1:other" output_stream: "out"
           output_stream: "never" input_side_packet: "PROCESS:f" })");
  graph.Give("f", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(1).At(cc->InputTimestamp()));
    return absl::OkStatus();
  });
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  graph.Start();
  graph.Add("in", 10, 1);
  graph.Add("other", 10, 1);
  graph.SetBound("other", 30);
  graph.Add("in", 20, 1);
  graph.Finish();
  const Trace trace = graph.graph().TakeTrace();
  EXPECT_THAT(CallsOf(trace, "join"),
              ElementsAre("Open", "10 <- in@10 other@10 -> out@10",
                          "20 <- in@20 -> out@20", "Close"));
}

TEST_P(TraceGraphTest, ASourceSendsWithoutTaking) {
  TestGraph graph(GetParam(), R"(
    node { name: "source" calculator: "TestLambda" output_stream: "out"
           input_side_packet: "PROCESS:f" }
    node { name: "sink" calculator: "TestLambda" input_stream: "out" })");
  graph.Give("f", [n = 0](CalculatorContext* cc) mutable -> absl::Status {
    if (n == 2) return tool::StatusStop();
    cc->Outputs().Index(0).AddPacket(MakePacket<int>(n).At(Timestamp(n)));
    ++n;
    return absl::OkStatus();
  });
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  SYNCLINE_ASSERT_OK(graph.Run());
  const Trace trace = graph.graph().TakeTrace();
  const std::vector<std::string> calls = CallsOf(trace, "source");
  ASSERT_EQ(calls.size(), 5);
  EXPECT_EQ(calls[1], "0 -> out@0");
  EXPECT_EQ(calls[2], "0 -> out@1");
  EXPECT_EQ(calls[4], "Close");
  EXPECT_THAT(CallsOf(trace, "sink"),
              ElementsAre("Open", "0 <- out@0", "1 <- out@1", "Close"));
}

TEST_P(TraceGraphTest, AFailedCallHasItsCode) {
  TestGraph graph(GetParam(), kTwo);
  graph.Give("f", [](CalculatorContext*) { return absl::DataLossError("x"); });
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  graph.Start();
  graph.AddWithStatus("in", 10, 1).IgnoreError();
  EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(CallsOf(graph.graph().TakeTrace(), "a"),
              ElementsAre("Open", "10 <- in@10 ! 15", "Close"));
}

TEST_P(TraceGraphTest, BoundsOfCallsThatSendNothingAreNoted) {
  TestGraph graph(GetParam(), kTwo);
  graph.Give("f", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).SetNextTimestampBound(
        cc->InputTimestamp().NextAllowedInStream());
    return absl::OkStatus();
  });
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  graph.Start();
  graph.Add("in", 10, 1);
  graph.Idle();
  EXPECT_THAT(BoundsOf(graph.graph().TakeTrace()), ElementsAre("x<11"));
  graph.Finish();
}

TEST_P(TraceGraphTest, ABoundThatSaysMoreThanThePacketBeforeItIsNoted) {
  TestGraph graph(GetParam(), kTwo);
  graph.Give("f", [](CalculatorContext* cc) {
    if (cc->NodeName() == "b") return absl::OkStatus();
    // The second bound is that of the packet itself.
    const int after = cc->InputTimestamp() == Timestamp(10) ? 5 : 1;
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    cc->Outputs().Index(0).SetNextTimestampBound(cc->InputTimestamp() + after);
    return absl::OkStatus();
  });
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  graph.Start();
  graph.Add("in", 10, 1);
  graph.Add("in", 20, 1);
  graph.Idle();
  EXPECT_THAT(BoundsOf(graph.graph().TakeTrace()), ElementsAre("x<15"));
  graph.Finish();
}

TEST_P(TraceGraphTest, SoIsABoundThatAnOffsetTakesBeyondThePacket) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "a" calculator: "TestLambda" input_stream: "in"
           output_stream: "x" output_stream: "y"
           input_side_packet: "OPEN:open" input_side_packet: "PROCESS:f" })");
  graph.Give("open", [](CalculatorContext* cc) {
    cc->SetOffset(TimestampDiff(0));
    return absl::OkStatus();
  });
  graph.Give("f", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(1).At(cc->InputTimestamp() - 3));
    cc->Outputs().Index(1).AddPacket(
        MakePacket<int>(1).At(cc->InputTimestamp()));
    return absl::OkStatus();
  });
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  graph.Start();
  graph.Add("in", 10, 1);
  graph.Idle();
  EXPECT_THAT(BoundsOf(graph.graph().TakeTrace()), ElementsAre("x<11"));
  graph.Finish();
}

TEST_P(TraceGraphTest, DroppedPacketsHaveTheirCause) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    input_stream: "other"
    node { name: "join" calculator: "TestLambda" input_stream: "X:0:in"
           input_stream: "X:1:other"
           input_stream_info { tag_index: "X:0" max_queue_size: 2
                               queue_policy: POP } })");
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  graph.Start();
  for (int i = 1; i <= 4; ++i) graph.Add("in", i, i);
  graph.Idle();
  graph.graph().Cancel();
  EXPECT_EQ(graph.graph().WaitUntilDone().code(), absl::StatusCode::kCancelled);
  const Trace trace = graph.graph().TakeTrace();
  std::vector<std::string> dropped;
  ForEachEvent(trace, [&](int, const TraceEvent& event) {
    if (event.kind() != TraceKind::kDropped) return;
    EXPECT_EQ(event.extra & TraceEvent::kNoNode, 0);
    const auto cause =
        static_cast<DropCause>(event.extra >> TraceEvent::kIdBits);
    dropped.push_back(absl::StrCat(trace.header.stream(event.id()).name(), "@",
                                   event.timestamp,
                                   cause == DropCause::kQueueFull   ? " full"
                                   : cause == DropCause::kRunFailed ? " failed"
                                                                    : " ?"));
  });
  EXPECT_THAT(dropped, UnorderedElementsAre("in@1 full", "in@2 full",
                                            "in@3 failed", "in@4 failed"));
}

// One call fails; the other one has failed too by then, or never begins.
TEST_P(TraceGraphTest, APacketIsTakenOrDroppedWhenTheRunFails) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" input_stream: "in"
           input_side_packet: "PROCESS:f" }
    node { calculator: "TestLambda" input_stream: "in"
           input_side_packet: "PROCESS:f" })");
  graph.Give("f", [](CalculatorContext*) { return absl::DataLossError("x"); });
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  graph.Start();
  graph.AddWithStatus("in", 10, 1).IgnoreError();
  EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kDataLoss);
  const Trace trace = graph.graph().TakeTrace();
  EXPECT_EQ(
      CountOf(trace, TraceKind::kTaken) + CountOf(trace, TraceKind::kDropped),
      2);
}

TEST_P(TraceGraphTest, AFullQueueAndTheSourceThatItHoldsBack) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    max_queue_size: 1
    node { name: "source" calculator: "TestLambda" output_stream: "s"
           input_side_packet: "PROCESS:f" }
    node { name: "join" calculator: "TestLambda" input_stream: "X:0:s"
           input_stream: "X:1:in" })");
  graph.Give("f", [n = 0](CalculatorContext* cc) mutable -> absl::Status {
    if (n == 3) return tool::StatusStop();
    cc->Outputs().Index(0).AddPacket(MakePacket<int>(n).At(Timestamp(n)));
    ++n;
    return absl::OkStatus();
  });
  SYNCLINE_ASSERT_OK(graph.graph().EnableFlightRecorder());
  graph.Start();
  graph.Idle();
  graph.Finish();
  const Trace trace = graph.graph().TakeTrace();
  // The queue of one packet is full again and again.
  EXPECT_GE(CountOf(trace, TraceKind::kQueueFull), 1);
  EXPECT_EQ(CountOf(trace, TraceKind::kQueueNotFull),
            CountOf(trace, TraceKind::kQueueFull));
  EXPECT_GE(CountOf(trace, TraceKind::kThrottled), 1);
  EXPECT_EQ(CountOf(trace, TraceKind::kUnthrottled),
            CountOf(trace, TraceKind::kThrottled));
}

}  // namespace
}  // namespace syncline
