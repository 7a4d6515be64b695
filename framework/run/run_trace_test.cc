#include "framework/run/run_trace.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/calculator/context.h"
#include "framework/calculator/output_stream.h"
#include "framework/node/effects.h"
#include "framework/node/invocation.h"
#include "framework/node/node.h"
#include "framework/node/node_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_looks.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/report_test_support.h"
#include "framework/stream/packet_peek.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_lane.h"
#include "framework/trace/trace_recorder.h"
#include "framework/trace/trace_switch.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kTwoInOut[] =
    "input_stream: 'a' input_stream: 'b' output_stream: 'out' ";
constexpr char kPairs[] =
    "input_stream: 'a' output_stream: 'out' input_stream_handler { options { "
    "[syncline.DefaultInputStreamHandlerOptions.ext] { batch_size: 2 } } } ";

OutputStream& Out(CalculatorContext* cc) { return *cc->Outputs().begin(); }

class RunTraceTest : public testing::Test {
 protected:
  // What was noted since this was last called: "kind id@timestamp extra", and
  // " at TICK" for the first event at each tick.
  std::vector<std::string> Noted() {
    std::vector<TraceEvent> events;
    read_ = lane_.ring().Read(read_, &events).end;
    std::vector<std::string> noted;
    for (const TraceEvent& event : events) {
      noted.push_back(absl::StrCat(Name(event.kind()), " ", event.id(), "@",
                                   Time(event.timestamp)));
      if (event.extra != 0) absl::StrAppend(&noted.back(), " ", event.extra);
      if (event.tick == told_tick_) continue;
      told_tick_ = event.tick;
      absl::StrAppend(&noted.back(), " at ", event.tick);
    }
    return noted;
  }
  static std::string Time(std::int64_t timestamp) {
    return Timestamp::CreateNoErrorChecking(timestamp).DebugString();
  }
  static std::string Name(TraceKind kind) {
    switch (kind) {
      case TraceKind::kOpenBegin:
        return "open";
      case TraceKind::kOpenEnd:
        return "opened";
      case TraceKind::kProcessBegin:
        return "process";
      case TraceKind::kProcessEnd:
        return "processed";
      case TraceKind::kCloseBegin:
        return "close";
      case TraceKind::kCloseEnd:
        return "closed";
      case TraceKind::kTaken:
        return "taken";
      case TraceKind::kSent:
        return "sent";
      case TraceKind::kBound:
        return "bound";
      case TraceKind::kReady:
        return "ready";
      default:
        return absl::StrCat("kind ", static_cast<int>(kind));
    }
  }
  // What is noted of the results of a call at 10 that does this. Streams "a",
  // "b" and "c" are 0, 1 and 2; the output is 3.
  std::vector<std::string> Results(
      const std::string& fields,
      const std::function<void(CalculatorContext*)>& process,
      const std::function<void(CalculatorContext*)>& open = nullptr) {
    NodeUnderTest node(fields);
    node.calculator.open = [&](CalculatorContext* cc) {
      if (open) open(cc);
      return absl::OkStatus();
    };
    node.calculator.process = [&](CalculatorContext* cc) {
      process(cc);
      NoteResults(node.node(), cc, &lane_, &peek_);
      return absl::OkStatus();
    };
    node.Open();
    told_tick_ = 0;
    node.Add(0, 10);
    node.Run();
    return Noted();
  }

  const std::function<std::uint64_t()> now_ = [this] { return ++tick_; };
  TraceLane lane_ = TraceLane(64, &now_, /*reader=*/&no_reader_);
  PacketPeek peek_ = PacketPeek(10);

 private:
  std::atomic<TraceReader*> no_reader_{nullptr};
  std::uint64_t tick_ = 0;
  std::uint64_t told_tick_ = 0;
  std::uint64_t read_ = 0;
};

// --- Where a thread notes

TEST_F(RunTraceTest, AThreadHasALaneAtThePresentTimeWhileTheRunIsTraced) {
  TraceSwitch events;
  EXPECT_FALSE(IsTraced(events));
  EXPECT_EQ(TraceLaneIfTraced(events), nullptr);
  const auto recorder = std::make_shared<TraceRecorder>(
      TraceRecorder::Options{.events_per_lane = 64, .now_ns = now_});
  events.TurnOn(recorder);
  EXPECT_TRUE(IsTraced(events));
  TraceLane* const lane = TraceLaneIfTraced(events);
  ASSERT_NE(lane, nullptr);
  lane->Note(TraceKind::kSent, 1, 10);
  ASSERT_EQ(TraceLaneIfTraced(events), lane);
  lane->Note(TraceKind::kSent, 2, 10);
  std::vector<TraceEvent> noted;
  lane->ring().Read(0, &noted);
  ASSERT_EQ(noted.size(), 2);
  EXPECT_GT(noted[0].tick, 0);
  EXPECT_GT(noted[1].tick, noted[0].tick) << "the clock is read each time";
  events.TurnOff();
  EXPECT_FALSE(IsTraced(events));
  EXPECT_EQ(TraceLaneIfTraced(events), nullptr);
}

TEST_F(RunTraceTest, AThreadForWhichThereIsNoLaneNotesNothing) {
  const auto recorder = std::make_shared<TraceRecorder>(
      TraceRecorder::Options{.events_per_lane = 64, .max_lanes = 0});
  EXPECT_EQ(TraceLaneIn(recorder.get()), nullptr);
}

// --- The begin and the end of a call

TEST_F(RunTraceTest, ACallTakesThePacketsOfItsInputSetEachAtItsPort) {
  NodeUnderTest node(kTwoInOut);
  node.Open();
  node.Bound(0, 11);
  node.Add(1, 10);
  const Invocation* const call = node.Call();
  NoteCallBegins(TraceKind::kProcessBegin, node.node(), Timestamp(10),
                 absl::MakeSpan(call->sets).first(call->num_sets), &lane_);
  EXPECT_THAT(Noted(), ElementsAre("process 0@10 1 at 1", "taken 1@10 1"));
}

TEST_F(RunTraceTest, ABatchTakesThePacketsOfAllItsInputSets) {
  NodeUnderTest node(kPairs);
  node.Open();
  node.AddAll(0, {10, 20});
  const Invocation* const call = node.Call();
  NoteCallBegins(TraceKind::kProcessBegin, node.node(), Timestamp(20),
                 absl::MakeSpan(call->sets).first(call->num_sets), &lane_);
  EXPECT_THAT(Noted(),
              ElementsAre("process 0@20 2 at 1", "taken 0@10", "taken 0@20"));
}

TEST_F(RunTraceTest, OpenTakesNothing) {
  NodeUnderTest node(kTwoInOut);
  NoteCallBegins(TraceKind::kOpenBegin, node.node(), Timestamp::Unstarted(), {},
                 &lane_);
  EXPECT_THAT(Noted(), ElementsAre("open 0@Timestamp::Unstarted() at 1"));
}

TEST_F(RunTraceTest, ACallThatFollowsAtOnceBeginsAtTheTimeOfTheEndBefore) {
  NodeUnderTest node(kTwoInOut);
  node.Open();
  node.Add(0, 10);
  node.Add(1, 10);
  const InputSet& set = node.Call()->sets[0];
  NotePlainCallBegins(node.node(), set, /*follows_at_once=*/false, &lane_);
  NoteCallEnds(TraceKind::kProcessBegin, node.node(), Timestamp(10),
               absl::OkStatus(), &lane_);
  NotePlainCallBegins(node.node(), set, /*follows_at_once=*/true, &lane_);
  EXPECT_THAT(Noted(),
              ElementsAre("process 0@10 1 at 1", "taken 0@10", "taken 1@10 1",
                          "processed 0@10 at 2", "process 0@10 1", "taken 0@10",
                          "taken 1@10 1"));
}

TEST_F(RunTraceTest, BeforeACallTheReaderMayRead) {
  class Reader : public TraceReader {
   public:
    void ReadNow() override { ++reads; }
    int reads = 0;
  } reader;
  const std::atomic<TraceReader*> has_reader{&reader};
  TraceLane lane(/*capacity=*/2, &now_, &has_reader);
  NodeUnderTest node(kTwoInOut);
  node.Open();
  node.Add(0, 10);
  node.Add(1, 10);
  const InputSet& set = node.Call()->sets[0];
  NotePlainCallBegins(node.node(), set, /*follows_at_once=*/false, &lane);
  EXPECT_EQ(reader.reads, 0);
  NotePlainCallBegins(node.node(), set, /*follows_at_once=*/true, &lane);
  EXPECT_EQ(reader.reads, 1);
  NoteCallBegins(TraceKind::kCloseBegin, node.node(), Timestamp::Done(), {},
                 &lane);
  EXPECT_EQ(reader.reads, 2);
}

TEST_F(RunTraceTest, TheEndOfACallHasTheCodeOfItsStatus) {
  NodeUnderTest node(kTwoInOut);
  const absl::Status lost = absl::DataLossError("");
  NoteCallEnds(TraceKind::kOpenBegin, node.node(), Timestamp(1),
               absl::OkStatus(), &lane_);
  NoteCallEnds(TraceKind::kProcessBegin, node.node(), Timestamp(2), lost,
               &lane_);
  NoteCallEnds(TraceKind::kCloseBegin, node.node(), Timestamp(3),
               absl::OkStatus(), &lane_);
  EXPECT_THAT(Noted(), ElementsAre("opened 0@1 at 1", "processed 0@2 15 at 2",
                                   "closed 0@3 at 3"));
}

// --- What a call is about to send

TEST_F(RunTraceTest, PacketsSayHowFarTheirStreamHasCome) {
  EXPECT_THAT(Results("input_stream: 'a' output_stream: 'out'",
                      [](CalculatorContext* cc) {
                        Out(cc).AddPacket(NodeUnderTest::At(10));
                        Out(cc).AddPacket(NodeUnderTest::At(12));
                      }),
              ElementsAre("sent 3@10", "sent 3@12"));
}

TEST_F(RunTraceTest, ACallThatSendsNothingSaysNothing) {
  EXPECT_THAT(Results("input_stream: 'a' output_stream: 'out'",
                      [](CalculatorContext*) {}),
              IsEmpty());
}

TEST_F(RunTraceTest, ABoundIsNotedAlsoBesidePackets) {
  EXPECT_THAT(Results("input_stream: 'a' output_stream: 'out'",
                      [](CalculatorContext* cc) {
                        Out(cc).SetNextTimestampBound(Timestamp(15));
                      }),
              ElementsAre("bound 3@15"));
  EXPECT_THAT(Results("input_stream: 'a' output_stream: 'out'",
                      [](CalculatorContext* cc) {
                        Out(cc).AddPacket(NodeUnderTest::At(10));
                        Out(cc).SetNextTimestampBound(Timestamp(15));
                      }),
              ElementsAre("sent 3@10", "bound 3@15"));
}

TEST_F(RunTraceTest, AClosedStreamHasItsLastBound) {
  EXPECT_THAT(Results("input_stream: 'a' output_stream: 'out'",
                      [](CalculatorContext* cc) { Out(cc).Close(); }),
              ElementsAre("bound 3@Timestamp::Done()"));
}

TEST_F(RunTraceTest, AnOffsetTakesTheBoundFurtherThanThePackets) {
  const auto offset_of_five = [](CalculatorContext* cc) {
    cc->SetOffset(TimestampDiff(5));
  };
  EXPECT_THAT(Results(
                  "input_stream: 'a' output_stream: 'out'",
                  [](CalculatorContext*) {}, offset_of_five),
              ElementsAre("bound 3@16"));
  EXPECT_THAT(Results(
                  "input_stream: 'a' output_stream: 'out'",
                  [](CalculatorContext* cc) {
                    Out(cc).AddPacket(NodeUnderTest::At(10));
                  },
                  offset_of_five),
              ElementsAre("sent 3@10", "bound 3@16"));
}

TEST_F(RunTraceTest, EachOutputIsNotedUnderItsStream) {
  EXPECT_THAT(
      Results("input_stream: 'a' output_stream: 'x' output_stream: 'y' "
              "output_stream: 'z'",
              [](CalculatorContext* cc) {
                cc->Outputs().Index(0).AddPacket(NodeUnderTest::At(10));
                cc->Outputs().Index(2).SetNextTimestampBound(Timestamp(20));
              }),
      ElementsAre("sent 3@10", "bound 5@20"));
}

TEST_F(RunTraceTest, TheFirstBoundOfAStreamSaysNothing) {
  NodeUnderTest node("output_stream: 'out'");
  node.calculator.open = [&](CalculatorContext* cc) {
    Out(cc).SetNextTimestampBound(Timestamp::PreStream());
    NoteResults(node.node(), cc, &lane_, &peek_);
    return absl::OkStatus();
  };
  node.Open();
  EXPECT_THAT(Noted(), IsEmpty());
}

// --- What goes to the readers of a stream

TEST_F(RunTraceTest, ABoundIsNotedOnlyWhereItSaysMoreThanTheLastPacket) {
  const std::vector<Packet> packets = {NodeUnderTest::At(10),
                                       NodeUnderTest::At(20)};
  NoteSent(7, packets, Timestamp(21), &lane_, &peek_);
  EXPECT_THAT(Noted(), ElementsAre("sent 7@10", "sent 7@20"));
  NoteSent(7, packets, Timestamp(15), &lane_, &peek_);
  EXPECT_THAT(Noted(), ElementsAre("sent 7@10", "sent 7@20"));
  NoteSentApart(7, packets, Timestamp(22), &lane_, &peek_);
  EXPECT_THAT(Noted(), ElementsAre("sent 7@10", "sent 7@20", "bound 7@22"));
  NoteSent(7, {}, Timestamp(22), &lane_, &peek_);
  EXPECT_THAT(Noted(), ElementsAre("bound 7@22"));
}

TEST_F(RunTraceTest, TheBoundAfterTheLastPacketThereCanBeIsNotNoted) {
  const Packet last = MakePacket<int>(1).At(Timestamp::PostStream());
  NoteSent(7, absl::MakeConstSpan(&last, 1), Timestamp::OneOverPostStream(),
           &lane_, &peek_);
  EXPECT_THAT(Noted(), ElementsAre("sent 7@Timestamp::PostStream()"));
  NoteSent(7, absl::MakeConstSpan(&last, 1), Timestamp::Done(), &lane_, &peek_);
  EXPECT_THAT(Noted(), ElementsAre("sent 7@Timestamp::PostStream()",
                                   "bound 7@Timestamp::Done()"));
}

TEST_F(RunTraceTest, WhoLooksAtAStreamGetsTheLastPacket) {
  const PacketLook look;
  EXPECT_TRUE(peek_.Look(7).IsEmpty());
  NoteSent(7, std::vector<Packet>{NodeUnderTest::At(10), NodeUnderTest::At(20)},
           Timestamp(21), &lane_, &peek_);
  EXPECT_EQ(peek_.Look(7).Timestamp(), Timestamp(20));
}

// --- Calls that are ready

TEST_F(RunTraceTest, AReadyCallHasTheTimesOfItsInputSets) {
  NodeUnderTest node(kPairs);
  node.Open();
  node.Add(0, 10);
  node.After([this](Node* under_test, Effects* effects) {
    Packet packet = NodeUnderTest::At(20);
    under_test->Deliver(0, absl::MakeSpan(&packet, 1), /*may_move=*/true,
                        Timestamp(21), effects);
    NoteReady(effects->ready, &lane_);
  });
  EXPECT_THAT(Noted(), ElementsAre("ready 0@10", "ready 0@20"));
}

TEST_F(RunTraceTest, OpenAndCloseAreReadyWithoutATime) {
  NodeUnderTest node("input_stream: 'a'");
  node.After([this](Node* under_test, Effects* effects) {
    under_test->Start(/*missing_side_packets=*/0, effects);
    under_test->HeaderArrived(0, Packet(), effects);
    NoteReady(effects->ready, &lane_);
  });
  node.Run();
  node.After([this](Node* under_test, Effects* effects) {
    under_test->Deliver(0, {}, /*may_move=*/true, Timestamp::Done(), effects);
    NoteReady(effects->ready, &lane_);
  });
  EXPECT_THAT(Noted(), ElementsAre("ready 0@Timestamp::Unset() 1",
                                   "ready 0@Timestamp::Unset() 2"));
}

TEST_F(RunTraceTest, ACallThatTakesItsInputsLaterIsReadyWithoutATime) {
  NodeUnderTest node(
      "input_stream: 'a' output_stream: 'out' input_stream_handler { "
      "input_stream_handler: 'FixedSizeInputStreamHandler' }");
  node.Open();
  node.After([this](Node* under_test, Effects* effects) {
    Packet packet = NodeUnderTest::At(10);
    under_test->Deliver(0, absl::MakeSpan(&packet, 1), /*may_move=*/true,
                        Timestamp(11), effects);
    NoteReady(effects->ready, &lane_);
  });
  EXPECT_THAT(Noted(), ElementsAre("ready 0@Timestamp::Unset()"));
}

TEST_F(RunTraceTest, ASourceIsReadyWithoutATime) {
  NodeUnderTest node("output_stream: 'out'");
  node.Open();
  node.After([this](Node* under_test, Effects* effects) {
    effects->ready.push_back(under_test->first_invocation());
    NoteReady(effects->ready, &lane_);
  });
  EXPECT_THAT(Noted(), ElementsAre("ready 0@Timestamp::Unset()"));
}

// --- Sources

TEST_F(RunTraceTest, APausedSourceIsANodeOrAGraphInput) {
  const GraphPlan plan = TestPlan(R"(
    node { calculator: "TestLambda" output_stream: "x" }
    input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" input_stream: "x" input_stream: "a"
           input_stream: "b" })");
  for (const int node : {-1, 0}) {
    for (std::size_t source = 0; source < plan.sources().size(); ++source) {
      if (plan.sources()[source].node != node) continue;
      NoteThrottling(TraceKind::kThrottled, plan, static_cast<int>(source),
                     &lane_);
      NoteThrottling(TraceKind::kUnthrottled, plan, static_cast<int>(source),
                     /*lane=*/nullptr);
    }
  }
  const int a = plan.FindStream("a");
  const int b = plan.FindStream("b");
  const auto of_input = [](int stream, int tick) {
    return absl::StrCat("kind 32 ", TraceEvent::kNoNode, "@0",
                        stream == 0 ? "" : absl::StrCat(" ", stream), " at ",
                        tick);
  };
  EXPECT_THAT(Noted(),
              ElementsAre(of_input(a, 1), of_input(b, 2), "kind 32 0@0 at 3"));
}

TEST_F(RunTraceTest, NoNodeHasANumberOfItsOwn) {
  EXPECT_EQ(TraceNodeOrNone(3), 3u);
  EXPECT_EQ(TraceNodeOrNone(0), 0u);
  EXPECT_EQ(TraceNodeOrNone(-1), TraceEvent::kNoNode);
}

}  // namespace
}  // namespace syncline
