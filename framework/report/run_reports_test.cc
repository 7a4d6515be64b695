#include "framework/report/run_reports.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/condition/condition_result.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/status_matchers.h"
#include "framework/report/memory_budget.h"
#include "framework/report/report_test_support.h"
#include "framework/report/test_lambda.h"
#include "framework/stream/drop_cause.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

GraphPlan MakePlan(absl::string_view settings = "") {
  return TestPlan(absl::StrCat(settings, R"(
    input_stream: "x"
    max_queue_size_ceiling: 500
    node { name: "maker" calculator: "TestLambda" output_stream: "a"
           output_side_packet: "side" }
    node { name: "join" calculator: "TestLambda" input_stream: "a"
           input_stream: "x" input_side_packet: "side"
           output_stream: "ax" })"));
}

constexpr int kMaker = 0;
constexpr int kJoin = 1;

class RunReportsTest : public ::testing::Test {
 protected:
  // Of "join": both inputs have come as far as 10, and nothing waits.
  static NodeSnapshot Idle() { return OpenNode(2, Timestamp(10)); }
  // "a" has a packet at 20, and "x" none.
  static NodeSnapshot Waiting() {
    NodeSnapshot snapshot = Idle();
    snapshot.inputs[0].queue_size = 1;
    snapshot.inputs[0].bound = Timestamp(21);
    snapshot.inputs[0].min_timestamp_or_bound = Timestamp(20);
    return snapshot;
  }
  std::string Report(const NodeSnapshot& snapshot,
                     const MissingToOpen& missing = {}) const {
    return StallReport(plan_, kJoin, snapshot, missing, feeders_);
  }
  int Stream(const std::string& name) const { return plan_.FindStream(name); }

  const GraphPlan plan_ = MakePlan();
  FeederNames feeders_;
};

TEST_F(RunReportsTest, NamesWhoSendsAStream) {
  EXPECT_EQ(ProducerText(plan_, Stream("x"), {}), "the application");
  EXPECT_EQ(ProducerText(plan_, Stream("a"), {}),
            R"(node "maker" (TestLambda))");
  EXPECT_EQ(ProducerText(plan_, Stream("x"), {{"x", "--input=x=pipe"}}),
            "--input=x=pipe");
}

TEST_F(RunReportsTest, ANodeHoldsPacketsABatchItsConditionsOrATime) {
  EXPECT_FALSE(HasSomethingToSay(Idle()));
  EXPECT_TRUE(HasSomethingToSay({.packets_inside = 1}));
  EXPECT_TRUE(HasSomethingToSay(Waiting()));
  NodeSnapshot snapshot = Idle();
  snapshot.inputs[1].queue_size = 1;
  EXPECT_TRUE(HasSomethingToSay(snapshot));
  snapshot = Idle();
  snapshot.batched_sets = 1;
  EXPECT_TRUE(HasSomethingToSay(snapshot));
  snapshot = Idle();
  snapshot.is_held = true;
  EXPECT_TRUE(HasSomethingToSay(snapshot));
  snapshot = Idle();
  snapshot.input_wait.until_ns = 7;
  EXPECT_TRUE(HasSomethingToSay(snapshot));
}

TEST_F(RunReportsTest, TellsWhatANodeHoldsAndWhichStreamItWaitsFor) {
  EXPECT_EQ(Report(Waiting()),
            "The node \"join\" (TestLambda) holds packets of \"a\" (1 packet) "
            "and waits for stream \"x\", whose bound is 10, to pass 20; it "
            "comes from the application.");
  feeders_ = {{"x", "--input=x=pipe"}};
  EXPECT_THAT(Report(Waiting()), HasSubstr("it comes from --input=x=pipe."));
}

TEST_F(RunReportsTest, TellsOfBytesAndFullQueues) {
  NodeSnapshot snapshot = Waiting();
  snapshot.inputs[0].queue_size = 3;
  snapshot.inputs[0].bytes = 0;
  snapshot.inputs[0].is_full = true;
  snapshot.inputs[1].queue_size = 2;
  EXPECT_THAT(Report(snapshot),
              HasSubstr("packets of \"a\" (3 packets, 0 bytes, full), \"x\" "
                        "(2 packets)"));
}

TEST_F(RunReportsTest, WaitsOnlyForStreamsThatHaveNotPassedItsPackets) {
  NodeSnapshot snapshot = Waiting();
  snapshot.inputs[1].bound = Timestamp(20);
  EXPECT_THAT(Report(snapshot), HasSubstr("waits for stream \"x\""));
  snapshot.inputs[1].bound = Timestamp(21);
  EXPECT_THAT(Report(snapshot), Not(HasSubstr("waits for stream")));
  snapshot.inputs[1].bound = Timestamp::Done();
  EXPECT_THAT(Report(snapshot), Not(HasSubstr("waits for stream")));
}

TEST_F(RunReportsTest, AnEmptyNodeWaitsForEveryStreamThatHasNotEnded) {
  NodeSnapshot snapshot = Idle();
  EXPECT_EQ(Report(snapshot),
            "The node \"join\" (TestLambda) waits for stream \"a\", whose "
            "bound is 10; it comes from node \"maker\" (TestLambda), and for "
            "stream \"x\", whose bound is 10; it comes from the application.");
  snapshot.inputs[0].bound = Timestamp::Done();
  snapshot.inputs[1].bound = Timestamp::Done();
  EXPECT_EQ(Report(snapshot), "The node \"join\" (TestLambda).");
}

TEST_F(RunReportsTest, ABatchWaitsForItsInputsToEnd) {
  NodeSnapshot snapshot = Idle();
  snapshot.inputs[1].bound = Timestamp::Done();
  snapshot.batched_sets = 2;
  EXPECT_EQ(Report(snapshot),
            "The node \"join\" (TestLambda) has collected 2 input sets for a "
            "batch that is not full and waits for stream \"a\", whose bound is "
            "10, to end; it comes from node \"maker\" (TestLambda).");
  snapshot = Waiting();
  snapshot.batched_sets = 2;
  EXPECT_THAT(Report(snapshot), HasSubstr("(1 packet), has collected 2"));
}

TEST_F(RunReportsTest, TellsWhatKeepsANodeFromOpening) {
  NodeSnapshot snapshot = Waiting();
  snapshot.state = NodeState::kWaiting;
  EXPECT_THAT(Report(snapshot, {.side_packets = {plan_.FindSidePacket("side")},
                                .streams = {Stream("a")}}),
              HasSubstr("(1 packet) and is not open: it waits for side packet "
                        "\"side\" from node \"maker\" (TestLambda), and for "
                        "the header of stream \"a\" from node \"maker\" "
                        "(TestLambda)."));
  EXPECT_THAT(Report(snapshot), HasSubstr("and is not open."));
}

TEST_F(RunReportsTest, FindsWhatKeepsANodeFromOpening) {
  bool has_side_packet = false;
  bool has_opened = false;
  const auto find = [&](int node) {
    return FindMissing(
        plan_, node,
        [&](int id) {
          EXPECT_EQ(id, plan_.FindSidePacket("side"));
          return has_side_packet;
        },
        [&](int producer) {
          EXPECT_EQ(producer, kMaker);
          return has_opened;
        });
  };
  EXPECT_THAT(find(kJoin).side_packets,
              ElementsAre(plan_.FindSidePacket("side")));
  EXPECT_THAT(find(kJoin).streams, ElementsAre(Stream("a")))
      << "the application sends \"x\"";
  has_opened = true;
  EXPECT_THAT(find(kJoin).streams, IsEmpty());
  has_side_packet = true;
  EXPECT_THAT(find(kJoin).side_packets, IsEmpty());
  EXPECT_THAT(find(kMaker).side_packets, IsEmpty());
}

TEST_F(RunReportsTest, ALoopAndTheApplicationKeepNobodyFromOpening) {
  const absl::StatusOr<GraphPlan> plan = Compile(TestConfig(R"(
    input_side_packet: "given"
    node { calculator: "TestLambda" input_stream: "b" output_stream: "a"
           input_side_packet: "given"
           input_stream_info { tag_index: ":0" back_edge: true } }
    node { calculator: "TestLambda" input_stream: "a" output_stream: "b" })"));
  SYNCLINE_ASSERT_OK(plan.status());
  const auto no = [](int) { return false; };
  const MissingToOpen missing = FindMissing(*plan, 0, no, no);
  EXPECT_THAT(missing.side_packets, IsEmpty());
  EXPECT_THAT(missing.streams, IsEmpty());
}

TEST_F(RunReportsTest, TellsWhichConditionsHoldANode) {
  const absl::StatusOr<GraphPlan> plan = Compile(TestConfig(R"(
    input_stream: "x"
    node { name: "held" calculator: "TestLambda" input_stream: "x"
           condition { name: "often" type: "PeriodicCondition" options {
             [syncline.PeriodicConditionOptions.ext] {
               recess_period: "10ms" } } }
           condition { name: "late" type: "PeriodicCondition" options {
             [syncline.PeriodicConditionOptions.ext] {
               recess_period: "10ms" } } }
           condition { name: "done" type: "PeriodicCondition" options {
             [syncline.PeriodicConditionOptions.ext] {
               recess_period: "10ms" } } } })"));
  SYNCLINE_ASSERT_OK(plan.status());
  NodeSnapshot snapshot;
  snapshot.state = NodeState::kOpen;
  snapshot.is_held = true;
  snapshot.inputs.resize(1);
  snapshot.conditions = {ConditionResult::WaitUntil(12, "its period"),
                         ConditionResult::Ready(), ConditionResult::Wait("")};
  const std::string report = StallReport(*plan, 0, snapshot, {}, {});
  EXPECT_THAT(report, HasSubstr("(TestLambda) is held by "));
  EXPECT_THAT(
      report,
      HasSubstr("until 12ns of the graph's clock (its period), and by "));
  EXPECT_THAT(report, Not(HasSubstr("\"late\"")));
  EXPECT_THAT(report, HasSubstr("\"done\""));
  snapshot.batched_sets = 1;
  EXPECT_THAT(StallReport(*plan, 0, snapshot, {}, {}),
              HasSubstr("not full and is held by "));
  snapshot.batched_sets = 0;
  snapshot.inputs[0].queue_size = 1;
  EXPECT_THAT(StallReport(*plan, 0, snapshot, {}, {}),
              HasSubstr("(1 packet) and is held by "));
}

TEST_F(RunReportsTest, TellsWhenTheWaitForInputsEnds) {
  NodeSnapshot snapshot = Waiting();
  snapshot.input_wait.until_ns = 99;
  EXPECT_THAT(Report(snapshot),
              HasSubstr("the application. At 99ns of the graph's clock it is "
                        "called all the same."));
}

TEST_F(RunReportsTest, TellsThatANodeIsBeingCalled) {
  NodeSnapshot snapshot = Waiting();
  snapshot.inputs[1].bound = Timestamp::Done();
  snapshot.calls_in_flight = 1;
  EXPECT_THAT(Report(snapshot), HasSubstr("(1 packet) and is being called."));
}

TEST_F(RunReportsTest, AHandlerMayWaitForTheStreamThatHasComeLeastFar) {
  NodeSnapshot snapshot = Waiting();
  snapshot.inputs[0].bound = Timestamp(30);
  snapshot.inputs[1].bound = Timestamp(25);
  EXPECT_THAT(Report(snapshot),
              HasSubstr(" waits for more of stream \"x\", whose bound is 25."));
  snapshot.inputs[1].bound = Timestamp(35);
  EXPECT_THAT(Report(snapshot),
              HasSubstr(" waits for more of stream \"a\", whose bound is 30."));
  snapshot.inputs[1].bound = Timestamp(30);
  EXPECT_THAT(Report(snapshot), HasSubstr(" waits for more of stream \"a\""))
      << "the first of several";
  snapshot.state = NodeState::kClosed;
  EXPECT_EQ(Report(snapshot),
            "The node \"join\" (TestLambda) holds packets of \"a\" (1 "
            "packet).");
}

TEST_F(RunReportsTest, TellsWhatWasDropped) {
  NodeSnapshot snapshot = Waiting();
  snapshot.inputs[1].drops.Add(DropCause::kSkipped, 4);
  const std::string report = Report(snapshot);
  EXPECT_THAT(report, HasSubstr(". It has dropped 4 packets of \"x\""));
  snapshot.inputs[0].drops.Add(DropCause::kLate, 2);
  EXPECT_THAT(Report(snapshot), HasSubstr(". It has dropped 2 packets of "
                                          "\"a\""));
  EXPECT_THAT(Report(snapshot), HasSubstr(", 4 packets of \"x\""));
}

TEST_F(RunReportsTest, ADeadlockAtTheCeilingNamesTheCeilings) {
  NodeSnapshot snapshot = Waiting();
  EXPECT_EQ(DeadlockReport(plan_, snapshot, "STALL."),
            "Detected a deadlock due to input throttling, and queues have "
            "reached their ceiling of 500 packets. STALL. Feed that stream or "
            "move its bound; or give the queue room with max_queue_size or "
            "max_queue_bytes, or a higher ceiling with max_queue_size_ceiling "
            "or max_queue_bytes_ceiling.");
  snapshot.inputs[0].bytes = 0;
  EXPECT_THAT(DeadlockReport(plan_, snapshot, ""),
              HasSubstr("500 packets, or of ten times their bytes. "));
  EXPECT_THAT(
      DeadlockReport(MakePlan("max_queue_bytes_ceiling: 77"), snapshot, ""),
      HasSubstr("500 packets, or of 77 bytes. "));
}

TEST_F(RunReportsTest, ADeadlockThatIsReportedAtOnceAdvisesToLetQueuesGrow) {
  EXPECT_EQ(DeadlockReport(MakePlan("report_deadlock: true"), Waiting(), "S."),
            "Detected a deadlock due to input throttling. S. Feed that stream "
            "or move its bound; or give the queue room with max_queue_size or "
            "max_queue_bytes, or let it grow with report_deadlock: false.");
}

TEST_F(RunReportsTest, NamesQueuesThatLackRoom) {
  EXPECT_EQ(RoomReport(plan_, {}, "ALL"), "");
  const ShortRoom room = {
      .node = kMaker, .queue = {kJoin, 0}, .wanted = 5, .room = 2};
  EXPECT_EQ(RoomReport(plan_, {room}, "ALL\n"),
            "Detected a deadlock: nodes wait for room in queues behind them. "
            "The node \"maker\" (TestLambda) waits for room for 5 packets in "
            "the queue of stream \"a\" at node \"join\" (TestLambda), which "
            "has it for 2, and may not grow beyond its ceiling of 500 packets. "
            "What waits for what:\nALL\nGive the queue room with "
            "max_queue_size, or a higher ceiling with max_queue_size_ceiling; "
            "or ask for less with min_size.");
  EXPECT_THAT(
      RoomReport(MakePlan("report_deadlock: true"), {room, room}, ""),
      HasSubstr("has it for 2. What waits for what:\nGive the queue room with "
                "max_queue_size, or let it grow with report_deadlock: false; "
                "or ask for less with min_size."));
}

TEST_F(RunReportsTest, WarningsNameNodesStreamsAndNumbers) {
  EXPECT_THAT(StallWarning("ALL"), HasSubstr("What waits for what:\nALL"));
  EXPECT_THAT(
      OffsetWarning(plan_.nodes()[kJoin]),
      AllOf(StartsWith("node \"join\" (TestLambda) has a timestamp offset"),
            HasSubstr("should say SetProcessTimestampBounds(true), in place")));
  EXPECT_THAT(
      LongQueueWarning(plan_, kJoin, Stream("x"), 1000, "STALL."),
      StartsWith("The input queue of stream \"x\" at node \"join\" "
                 "(TestLambda) has no limit and holds 1000 packets. STALL. "));
  EXPECT_THAT(FewMatchesWarning(plan_, kJoin, Stream("x"), 100, 7),
              StartsWith("At node \"join\" (TestLambda), only 7 of the first "
                         "100 packets of stream \"x\" matched"));
  EXPECT_THAT(LongPollerWarning(plan_, Stream("ax"), 1000),
              StartsWith("An OutputStreamPoller of stream \"ax\" has no limit "
                         "and holds 1000 packets"));
}

TEST_F(RunReportsTest, QueuesThatEndARunAreNamedWithWhatHelps) {
  const GraphPlan plan = MakePlan("queue_error_size: 300");
  EXPECT_EQ(
      QueueErrorReport(plan, kJoin, plan.FindStream("a"), 301, "Why.", {}),
      "The input queue of stream \"a\" at node \"join\" (TestLambda) holds "
      "301 packets, and queue_error_size is 300. They come from node "
      "\"maker\" (TestLambda). Why. Let less be sent, or more be "
      "processed, or set a greater queue_error_size.");
}

TEST_F(RunReportsTest, MemoryNamesTheLargestQueue) {
  MemoryBudget budget(1000);
  QueueTally tally(plan_.streams().size(), &budget);
  tally.AddReader({this, 0}, {3, 500}, plan_.FindStream("x"), "somewhere");
  EXPECT_THAT(
      MemoryReport(plan_, tally, "the limit", {}),
      StartsWith(
          "The packets that wait in the queues of the graph take 620 "
          "bytes, more than the limit. Most of them, 3 packets with 500 "
          "bytes, are of stream \"x\", which comes from the application; "
          "they wait somewhere. What comes from sources"));
}

TEST_F(RunReportsTest, AQueueOverItsLimitIsWarnedOfWithTheLimit) {
  NodeSnapshot::Input input;
  input.limit = -1;
  input.byte_limit = 77;
  const int stream = plan_.FindStream("a");
  EXPECT_THAT(
      OverfullQueueWarning(plan_, kJoin, stream, 130, input, "Why.", {}),
      StartsWith("The input queue of stream \"a\" at node \"join\" "
                 "(TestLambda) holds 130 packets, and its limit is 77 "
                 "bytes: pausing sources does not hold it back. The "
                 "packets come from node \"maker\" (TestLambda). Why. "
                 "(queue_warning_size"));
  input.limit = 0;
  EXPECT_THAT(
      OverfullQueueWarning(plan_, kJoin, stream, 130, input, "Why.", {}),
      HasSubstr("its limit is 0: pausing"));
}

}  // namespace
}  // namespace syncline
