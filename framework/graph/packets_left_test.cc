// A run in which packets of open nodes were never processed ends with an error
// that says what they waited for; or well, with a warning, where the graph
// allows that, somebody ended it, conditions hold a node, or a node never
// opened. A run whose nodes drop packets by their rules says nothing.

#include <atomic>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/context.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_log_capture.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kWarning[] = "were never processed";
constexpr char kError[] = "hold packets that no call can take any more";
constexpr char kAllowed[] =
    "options { [syncline.PacketsLeftOptions.ext] { allowed: true } } ";
constexpr absl::StatusCode kUnavailable = absl::StatusCode::kUnavailable;

// A join that waits for its own result, which nobody begins.
std::string Loop(int number) {
  return absl::StrCat(R"(
    node { calculator: "TestLambda" name: "join)",
                      number, R"("
           input_side_packet: "PROCESS:f"
           input_stream: "in" input_stream: "loop)",
                      number, R"("
           input_stream_info { tag_index: ":1" back_edge: true }
           output_stream: "out)",
                      number, R"(" }
    node { calculator: "TestLambda" name: "back)",
                      number, R"("
           input_side_packet: "PROCESS:f"
           input_stream: "out)",
                      number, R"("
           output_stream: "loop)",
                      number, R"(" })");
}

// Packets that still waited at the end, of the first input of node `node`.
int NumLeftAtEnd(TestGraph* graph, int node) {
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph->graph().GetGraphRuntimeInfo();
  SYNCLINE_EXPECT_OK(info.status());
  int count = 0;
  for (const DroppedPacketsInfo& dropped :
       info->calculator_infos(node).input_stream_infos(0).dropped_packets()) {
    EXPECT_EQ(dropped.cause(), DroppedPacketsInfo::AT_END);
    count += static_cast<int>(dropped.number_of_packets());
  }
  return count;
}

class PacketsLeftTest : public ::testing::TestWithParam<Workers> {
 protected:
  LogCapture log_;
};
SYNCLINE_TEST_WITH_ALL_WORKERS(PacketsLeftTest);

TEST_P(PacketsLeftTest, ALoopThatNobodyBeginsIsAnError) {
  TestGraph graph(GetParam(), "input_stream: 'in'" + Loop(1));
  graph.Give("f", SendSum);
  graph.Start();
  for (int i = 0; i < 3; ++i) graph.Add("in", i, 1);
  const absl::Status status = graph.FinishWithStatus();
  EXPECT_THAT(
      status,
      StatusIs(kUnavailable,
               AllOf(HasSubstr("Detected a deadlock"), HasSubstr(kError),
                     HasSubstr("node \"join1\" (TestLambda) holds packets of "
                               "\"in\" (3 packets)"),
                     HasSubstr("waits for stream \"loop1\", whose bound is "
                               "Timestamp::PreStream(), to pass 0; it comes "
                               "from node \"back1\""),
                     HasSubstr("In a loop somebody has to begin"),
                     HasSubstr("[syncline.PacketsLeftOptions.ext]"))));
  EXPECT_EQ(NumLeftAtEnd(&graph, 0), 3);
  ASSERT_THAT(graph.graph().GetLeftAtEnd(), SizeIs(1));
  EXPECT_EQ(graph.graph().GetLeftAtEnd()[0].node, "join1");
  EXPECT_THAT(log_.With("The run ended well"), IsEmpty());
}

TEST_P(PacketsLeftTest, AGraphMayAllowItAndIsWarned) {
  TestGraph graph(GetParam(),
                  absl::StrCat(kAllowed, "input_stream: 'in'", Loop(1)));
  graph.Give("f", SendSum);
  graph.Start();
  for (int i = 0; i < 3; ++i) graph.Add("in", i, 1);
  graph.Finish();
  EXPECT_EQ(NumLeftAtEnd(&graph, 0), 3);
  EXPECT_THAT(graph.graph().GetLeftAtEnd(), SizeIs(1));
  const std::vector<std::string> warnings = log_.With(kWarning);
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_THAT(warnings[0], HasSubstr("node \"join1\" (TestLambda) holds "
                                     "packets of \"in\" (3 packets)"));
  EXPECT_THAT(warnings[0], HasSubstr("waits for stream \"loop1\", whose bound "
                                     "is Timestamp::PreStream(), to pass 0; it "
                                     "comes from node \"back1\""));
  EXPECT_THAT(warnings[0], HasSubstr("In a loop somebody has to begin"));
}

TEST_P(PacketsLeftTest, EachRunEndsByItself) {
  for (const char* const options : {"", kAllowed}) {
    TestGraph graph(GetParam(),
                    absl::StrCat(options, "input_stream: 'in'", Loop(1)));
    graph.Give("f", SendSum);
    const bool is_allowed = *options != '\0';
    for (size_t run = 1; run <= 2; ++run) {
      graph.Start();
      EXPECT_THAT(graph.graph().GetLeftAtEnd(), IsEmpty());
      graph.Add("in", 0, 1);
      EXPECT_EQ(graph.FinishWithStatus().ok(), is_allowed);
      EXPECT_EQ(NumLeftAtEnd(&graph, 0), 1);
      EXPECT_THAT(graph.graph().GetLeftAtEnd(), SizeIs(1));
      EXPECT_THAT(log_.With(kWarning), SizeIs(is_allowed ? run : 0));
    }
    // A run with another error says nothing of packets that are left.
    graph.Start();
    graph.Add("in", 0, 1);
    graph.graph().RecordError(absl::InternalError("of the application"));
    EXPECT_THAT(graph.FinishWithStatus(),
                StatusIs(absl::StatusCode::kInternal,
                         AllOf(HasSubstr("of the application"),
                               Not(HasSubstr(kError)))));
    EXPECT_THAT(graph.graph().GetLeftAtEnd(), IsEmpty());
  }
}

TEST_P(PacketsLeftTest, OfManyNodesAFewAreNamed) {
  std::string text = "input_stream: 'in'";
  for (int i = 1; i <= 8; ++i) text += Loop(i);
  TestGraph graph(GetParam(), text);
  graph.Give("f", SendSum);
  graph.Start();
  graph.Add("in", 0, 1);
  EXPECT_THAT(
      graph.FinishWithStatus(),
      StatusIs(kUnavailable,
               AllOf(HasSubstr("\"join5\""), Not(HasSubstr("\"join6\"")),
                     HasSubstr("And 3 more like these."))));
  EXPECT_THAT(graph.graph().GetLeftAtEnd(), SizeIs(8));
}

// The source ends by itself, so there is no input to be closed.
TEST_P(PacketsLeftTest, SourcesThatEndLeaveNothingBehindEither) {
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "in" })" +
                                  Loop(1));
  graph.Give("count", CountTo(2));
  graph.Give("f", SendSum);
  EXPECT_THAT(graph.Run(),
              StatusIs(kUnavailable, HasSubstr("\"in\" (3 packets)")));
}

// A batch that is not full is processed when the inputs close; here they do not
// close, as each waits for the other.
TEST_P(PacketsLeftTest, ABatchThatWasNeverFullIsNamed) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" name: "head" input_side_packet: "PROCESS:pass"
           input_stream: "in" input_stream: "loop"
           input_stream_info { tag_index: ":1" back_edge: true }
           input_stream_handler {
             input_stream_handler: "ImmediateInputStreamHandler" }
           output_stream: "mid" }
    node { calculator: "TestLambda" name: "batch" input_side_packet: "PROCESS:f"
           input_stream: "mid" output_stream: "loop"
           input_stream_handler { options {
             [syncline.DefaultInputStreamHandlerOptions.ext] {
               batch_size: 10 } } } })");
  graph.Give("pass", [](CalculatorContext* cc) {
    return cc->Inputs().Index(0).IsEmpty() ? absl::OkStatus() : SendSum(cc);
  });
  graph.Give("f", SendSum);
  graph.Start();
  for (int i = 0; i < 3; ++i) graph.Add("in", i, 1);
  EXPECT_THAT(
      graph.FinishWithStatus(),
      StatusIs(kUnavailable,
               HasSubstr("node \"batch\" (TestLambda) has collected 3 input "
                         "sets for a batch that is not full and waits for "
                         "stream \"mid\", whose bound is 3, to end; it comes "
                         "from node \"head\"")));
  EXPECT_EQ(NumLeftAtEnd(&graph, 1), 3);
}

TEST_P(PacketsLeftTest, ANodeThatNeverOpenedIsNamed) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" name: "maker" output_side_packet: "made" }
    node { calculator: "TestLambda" name: "closed" input_side_packet: "made"
           input_stream: "in" output_stream: "out" }
    node { calculator: "TestLambda" name: "behind" input_stream: "in"
           input_stream: "out" })");
  graph.Start();
  for (int i = 0; i < 3; ++i) graph.Add("in", i, 1);
  graph.Finish();
  EXPECT_EQ(NumLeftAtEnd(&graph, 1), 3);
  EXPECT_EQ(NumLeftAtEnd(&graph, 2), 3);
  const std::vector<std::string> warnings = log_.With(kWarning);
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_THAT(warnings[0],
              HasSubstr("is not open: it waits for side packet \"made\" from "
                        "node \"maker\" (TestLambda)."));
  EXPECT_THAT(warnings[0],
              HasSubstr("is not open: it waits for the header of stream "
                        "\"out\" from node \"closed\" (TestLambda)."));
}

// A node whose inputs do not end is closed when all is over. What it sends then
// has nobody to go to.
TEST_P(PacketsLeftTest, WhatIsSentInTheLastCloseIsNamed) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" name: "n" input_side_packet: "CLOSE:f"
           input_stream: "in" input_stream: "loop"
           input_stream_info { tag_index: ":1" back_edge: true }
           input_stream_handler {
             input_stream_handler: "ImmediateInputStreamHandler" }
           output_stream: "loop" })");
  graph.Observe("loop");
  graph.Give("f", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(MakePacket<int>(1).At(Timestamp(7)));
    return absl::OkStatus();
  });
  graph.Start();
  graph.Add("in", 0, 1);
  graph.Finish();
  EXPECT_EQ(graph.Seen("loop"), "");
  ASSERT_THAT(graph.graph().GetLeftAtEnd(), SizeIs(1));
  EXPECT_EQ(graph.graph().GetLeftAtEnd()[0].node, "n");
  EXPECT_EQ(graph.graph().GetLeftAtEnd()[0].packets, 0);
  EXPECT_EQ(graph.graph().GetLeftAtEnd()[0].sent_in_vain, 1);
  EXPECT_THAT(graph.graph().GetLeftAtEnd()[0].why,
              HasSubstr("in Close(), when nobody reads"));
  const std::vector<std::string> warnings = log_.With(kWarning);
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_THAT(warnings[0],
              HasSubstr("node \"n\" (TestLambda) sent 1 packet of \"loop\" in "
                        "Close(), when nobody reads"));
  EXPECT_THAT(warnings[0],
              HasSubstr("\"loop\" (bound Timestamp::PreStream())."));
  EXPECT_THAT(warnings[0], Not(HasSubstr("\"in\"")));
}

// The second part waits inside the node for what the first one does not send,
// and gets it when that one is closed, which is at the end of the run.
// A part joins what it holds with what never comes: as in nodes of their own,
// it is not called for half a set.
TEST_P(PacketsLeftTest, WhatWaitsInsideAFusedNodeIsLeft) {
  for (const bool is_allowed : {false, true}) {
    TestGraph graph(GetParam(), absl::StrCat(is_allowed ? kAllowed : "", R"(
      input_stream: "in"
      node {
        name: "fused"
        input_stream_handler {
          input_stream_handler: "ImmediateInputStreamHandler" }
        fused_node { calculator: "TestLambda" input_side_packet: "PROCESS:drop"
                     input_stream: "in" input_stream: "back"
                     input_stream_info { tag_index: ":1" back_edge: true }
                     output_stream: "middle" }
        fused_node { name: "join" calculator: "TestLambda"
                     input_side_packet: "PROCESS:count"
                     input_stream: "in" input_stream: "middle"
                     output_stream: "out" }
      }
      node { calculator: "TestLambda" input_side_packet: "PROCESS:f"
             input_stream: "out" output_stream: "back" })"));
    std::atomic<int> calls{0};
    graph.Give("drop", [](CalculatorContext*) { return absl::OkStatus(); });
    graph.Give("count", [&calls](CalculatorContext* cc) {
      ++calls;
      return SendSum(cc);
    });
    graph.Give("f", SendSum);
    graph.Start();
    for (int i = 0; i < 3; ++i) graph.Add("in", i, 1);
    const absl::Status status = graph.FinishWithStatus();
    if (is_allowed) {
      SYNCLINE_EXPECT_OK(status);
    } else {
      EXPECT_THAT(
          status,
          StatusIs(absl::StatusCode::kUnavailable,
                   HasSubstr("for other inputs at parts of it: \"fused/join\" "
                             "(TestLambda): 3 (for stream \"middle\").")));
    }
    EXPECT_EQ(calls, 0);
    ASSERT_THAT(graph.graph().GetLeftAtEnd(), SizeIs(1));
    EXPECT_EQ(graph.graph().GetLeftAtEnd()[0].node, "fused");
    EXPECT_EQ(graph.graph().GetLeftAtEnd()[0].packets, 3);
  }
}

// --- Ends that are no error

// A node that somebody told to stop, and an application that says so.
TEST_P(PacketsLeftTest, ARequestedEndIsAWarning) {
  for (const bool is_by_node : {true, false}) {
    TestGraph graph(GetParam(),
                    "input_stream: 'in' input_stream: 'stop'" + Loop(1) + R"(
      node { calculator: "TestLambda" input_side_packet: "PROCESS:stops"
             input_stream: "stop" })");
    graph.Give("f", SendSum);
    graph.Give("stops", [](CalculatorContext*) { return tool::StatusStop(); });
    graph.Start();
    for (int i = 0; i < 3; ++i) graph.Add("in", i, 1);
    if (is_by_node) {
      graph.Add("stop", 0, 1);
    } else {
      SYNCLINE_EXPECT_OK(graph.graph().CloseAllPacketSources());
    }
    graph.Finish();
    EXPECT_THAT(graph.graph().GetLeftAtEnd(), SizeIs(1));
  }
  EXPECT_THAT(log_.With(kWarning), SizeIs(2));
}

TEST_P(PacketsLeftTest, TheEndOfMaxDurationIsAWarning) {
  TestGraph graph(GetParam(), R"(
    clock { type: "ManualClock" } scheduler { max_duration_ms: 10 }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "in"
           condition { type: "PeriodicCondition" options {
             [syncline.PeriodicConditionOptions.ext] {
               recess_period: "4ms" } } } })" +
                                  Loop(1));
  graph.Give("count", CountTo(1000));
  graph.Give("f", SendSum);
  SYNCLINE_EXPECT_OK(graph.Run());
  ASSERT_THAT(graph.graph().GetLeftAtEnd(), SizeIs(1));
  EXPECT_EQ(graph.graph().GetLeftAtEnd()[0].node, "join1");
  EXPECT_THAT(log_.With(kWarning), SizeIs(1));
}

// "held" waits for a time that nobody sets; "behind" waits for "held".
constexpr char kHeld[] = R"(
    node { calculator: "TestLambda" name: "held" input_stream: "in"
           input_side_packet: "PROCESS:f" output_stream: "late"
           condition { type: "TargetTimeCondition" } }
    node { calculator: "TestLambda" name: "behind" input_stream: "in"
           input_stream: "late" })";

TEST_P(PacketsLeftTest, WhatWaitsForANodeThatConditionsHoldIsAWarning) {
  TestGraph graph(GetParam(), absl::StrCat("input_stream: 'in'", kHeld));
  graph.Give("f", SendSum);
  graph.Start();
  for (int i = 0; i < 3; ++i) graph.Add("in", i, 1);
  graph.Finish();
  EXPECT_THAT(graph.graph().GetLeftAtEnd(), SizeIs(2));
  EXPECT_THAT(log_.With(kWarning), SizeIs(1));
}

TEST_P(PacketsLeftTest, ANodeThatConditionsHoldExcusesNoLoopBesideIt) {
  TestGraph graph(GetParam(),
                  absl::StrCat("input_stream: 'in'", kHeld, Loop(1)));
  graph.Give("f", SendSum);
  graph.Start();
  for (int i = 0; i < 3; ++i) graph.Add("in", i, 1);
  EXPECT_THAT(graph.FinishWithStatus(),
              StatusIs(kUnavailable, AllOf(HasSubstr("\"join1\""),
                                           Not(HasSubstr("node \"held\"")),
                                           Not(HasSubstr("node \"behind\"")))));
  EXPECT_THAT(graph.graph().GetLeftAtEnd(), SizeIs(3));
}

// The terms of GXF on a node whose input set never comes: one of its receivers
// is empty, so it waits, as an entity does.
TEST_P(PacketsLeftTest, ALoopOfMessageConditionsIsADeadlockOfThese) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" name: "join" gxf_defaults: true
           input_side_packet: "PROCESS:f"
           input_stream: "in" input_stream: "loop"
           input_stream_info { tag_index: ":1" back_edge: true }
           output_stream: "loop" })");
  graph.Give("f", SendSum);
  graph.Start();
  graph.Add("in", 0, 1);
  graph.Finish();
  EXPECT_THAT(graph.graph().GetLeftAtEnd(), SizeIs(1));
  EXPECT_THAT(log_.With(kWarning), SizeIs(1));
}

// A join that waits for its own result, with this.
std::string ConditionedLoop(const std::string& settings,
                            const std::string& condition) {
  return absl::StrCat(settings, R"(
    input_stream: "in"
    node { calculator: "TestLambda" name: "join"
           input_side_packet: "PROCESS:f"
           input_stream: "in" input_stream: "loop"
           input_stream_info { tag_index: ":1" back_edge: true }
           output_stream: "loop" )",
                      condition, " }");
}

std::string Condition(const std::string& type, const std::string& options) {
  return absl::StrCat("condition { type: \"", type, "\" options { [syncline.",
                      type, "Options.ext] { ", options, " } } }");
}

absl::Status RunLoop(TestGraph* graph) {
  graph->Give("f", SendSum);
  graph->Start();
  for (int i = 0; i < 3; ++i) graph->Add("in", i, 1);
  return graph->FinishWithStatus();
}

// Nothing waits for a condition there, so it is the loop that is told.
TEST_P(PacketsLeftTest, AConditionThatNeverHoldsTheNodeExcusesNothing) {
  const std::string conditions[] = {
      Condition("MessageAvailableCondition", "receiver: ':1' min_size: 0"),
      Condition("MultiMessageAvailableCondition", "min_sum: 0"),
      Condition("MultiMessageAvailableCondition",
                "sampling_mode: PER_RECEIVER min_sizes: [ 1, 0 ]"),
      Condition("MultiMessageAvailableCondition", "min_sum: 3"),
      Condition("MultiMessageAvailableTimeoutCondition",
                "min_sum: 9 execution_frequency: '1ms'"),
      Condition("NoneCondition", "receivers: ':1'"),
      absl::StrCat(
          "any_of { ",
          Condition("MessageAvailableCondition", "receiver: ':1' min_size: 1"),
          Condition("MultiMessageAvailableCondition", "min_sum: 1"), " }")};
  for (const std::string& condition : conditions) {
    for (const char* const settings : {"", "report_deadlock: true"}) {
      TestGraph graph(GetParam(), ConditionedLoop(settings, condition));
      EXPECT_THAT(RunLoop(&graph),
                  StatusIs(kUnavailable,
                           AllOf(HasSubstr(kError), HasSubstr("\"join\""))))
          << condition << " " << settings;
      EXPECT_EQ(NumLeftAtEnd(&graph, 0), 3);
      EXPECT_THAT(graph.graph().GetLeftAtEnd(), SizeIs(1));
    }
  }
}

// Those end a run with OK only where the graph does not ask for the deadlock.
TEST_P(PacketsLeftTest, ADeadlockOfMessageConditionsIsReportedIfAskedFor) {
  const std::string conditions[] = {
      "gxf_defaults: true",
      Condition("MessageAvailableCondition", "receiver: ':1' min_size: 1"),
      Condition("MultiMessageAvailableCondition", "min_sum: 4"),
      Condition("ExpiringMessageAvailableCondition",
                "receiver: ':1' max_batch_size: 1 max_delay_ns: 1")};
  for (const std::string& condition : conditions) {
    TestGraph graph(GetParam(), ConditionedLoop("", condition));
    SYNCLINE_EXPECT_OK(RunLoop(&graph)) << condition;
    ASSERT_THAT(graph.graph().GetLeftAtEnd(), SizeIs(1));
    EXPECT_EQ(graph.graph().GetLeftAtEnd()[0].packets, 3);
    TestGraph reported(GetParam(),
                       ConditionedLoop("report_deadlock: true ", condition));
    EXPECT_THAT(RunLoop(&reported),
                StatusIs(kUnavailable, AllOf(HasSubstr("Detected a deadlock"),
                                             HasSubstr("\"join\""),
                                             HasSubstr("(3 packets)"))))
        << condition;
  }
  EXPECT_THAT(log_.With(kWarning), SizeIs(4));
}

// "join" waits for a message and holds none; the packets wait behind it.
TEST_P(PacketsLeftTest, PacketsBehindADeadlockAreReportedIfAskedFor) {
  for (const char* const settings : {"", "report_deadlock: true "}) {
    TestGraph graph(
        GetParam(),
        absl::StrCat(ConditionedLoop(settings, "gxf_defaults: true"),
                     R"( input_stream: "other"
      node { calculator: "TestLambda" name: "behind" input_stream: "other"
             input_stream: "loop" })"));
    graph.Give("f", SendSum);
    graph.Start();
    graph.Add("other", 0, 1);
    const absl::Status status = graph.FinishWithStatus();
    if (*settings == '\0') {
      SYNCLINE_EXPECT_OK(status);
    } else {
      EXPECT_THAT(status, StatusIs(kUnavailable, HasSubstr("\"behind\"")));
    }
    EXPECT_THAT(graph.graph().GetLeftAtEnd(), SizeIs(1));
  }
}

// --- No warning

// Each sum needs the one before. The loop ends with a packet that nobody waits
// for: its reader is closed.
TEST_P(PacketsLeftTest, TheLastPacketOfALoopIsNotMissed) {
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" input_side_packet: "PROCESS:count"
           output_stream: "in" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "in" input_stream: "old"
           input_stream_info { tag_index: ":1" back_edge: true }
           input_stream_handler {
             input_stream_handler: "EarlyCloseInputStreamHandler" }
           output_stream: "sum" }
    node { calculator: "TestLambda" input_side_packet: "OPEN:begin"
           input_side_packet: "PROCESS:delay"
           input_stream: "sum" output_stream: "old" })");
  graph.Give("count", CountTo(9));
  graph.Give("sum", SendSum);
  graph.Give("begin", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(MakePacket<int>(0).At(Timestamp(0)));
    return absl::OkStatus();
  });
  graph.Give("delay", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(
        cc->Inputs().Index(0).Value().At(cc->InputTimestamp() + 1));
    return absl::OkStatus();
  });
  graph.Observe("sum");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Count("sum"), 10);
  EXPECT_THAT(graph.graph().GetLeftAtEnd(), IsEmpty());
  EXPECT_THAT(log_.With(kWarning), IsEmpty());
}

// As a flow limiter has it: the reader of the back edge never closes, and takes
// whatever comes.
TEST_P(PacketsLeftTest, ANodeThatTakesPacketsAsTheyComeIsLeftWithNone) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:pass"
           input_stream: "in" input_stream: "finished"
           input_stream_info { tag_index: ":1" back_edge: true }
           input_stream_handler {
             input_stream_handler: "ImmediateInputStreamHandler" }
           output_stream: "mid" }
    node { calculator: "TestLambda" input_side_packet: "PROCESS:sum"
           input_stream: "mid" output_stream: "finished" })");
  graph.Give("pass", [](CalculatorContext* cc) {
    return cc->Inputs().Index(0).IsEmpty() ? absl::OkStatus() : SendSum(cc);
  });
  graph.Give("sum", SendSum);
  graph.Observe("finished");
  graph.Start();
  for (int i = 0; i < 100; ++i) graph.Add("in", i, 1);
  graph.Finish();
  EXPECT_EQ(graph.Count("finished"), 100);
  EXPECT_THAT(graph.graph().GetLeftAtEnd(), IsEmpty());
}

TEST_P(PacketsLeftTest, NothingIsSaidWhereAllWasProcessed) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:f"
           input_stream: "a" input_stream: "b" output_stream: "out" })");
  graph.Give("f", SendSum);
  graph.Start();
  for (int i = 0; i < 3; ++i) graph.Add("a", i, 1);
  graph.Finish();
  EXPECT_THAT(log_.With(kWarning), IsEmpty());
}

TEST_P(PacketsLeftTest, NothingIsSaidWhereTheRuleIsToDrop) {
  for (const char* const handler :
       {"FixedSizeInputStreamHandler", "EarlyCloseInputStreamHandler",
        "BarrierInputStreamHandler"}) {
    TestGraph graph(GetParam(), absl::StrCat(R"(
      input_stream: "a" input_stream: "b"
      node { calculator: "TestLambda" input_side_packet: "PROCESS:f"
             input_stream: "a" input_stream: "b" output_stream: "out"
             input_stream_handler { input_stream_handler: ")",
                                             handler, "\" } }"));
    graph.Give("f", SendSum);
    graph.Start();
    for (int i = 0; i < 5; ++i) graph.Add("a", i, 1);
    graph.Close("b");
    graph.Idle();
    graph.Add("a", 10, 1);
    graph.Finish();
    const absl::StatusOr<GraphRuntimeInfo> info =
        graph.graph().GetGraphRuntimeInfo();
    SYNCLINE_ASSERT_OK(info.status());
    EXPECT_GT(
        info->calculator_infos(0).input_stream_infos(0).dropped_packets_size(),
        0)
        << handler;
  }
  EXPECT_THAT(log_.With(kWarning), IsEmpty());
}

TEST_P(PacketsLeftTest, NothingIsSaidAfterAnErrorOrACancel) {
  for (const bool is_cancelled : {true, false}) {
    TestGraph graph(GetParam(), "input_stream: 'in'" + Loop(1));
    graph.Give("f", SendSum);
    graph.Start();
    graph.Add("in", 0, 1);
    graph.Idle();
    if (is_cancelled) {
      graph.graph().Cancel();
    } else {
      graph.graph().RecordError(absl::InternalError("of the application"));
    }
    const absl::Status status = graph.FinishWithStatus();
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(status.message(), Not(HasSubstr(kError)));
    EXPECT_THAT(graph.graph().GetLeftAtEnd(), IsEmpty());
  }
  EXPECT_THAT(log_.With(kWarning), IsEmpty());
}

}  // namespace
}  // namespace syncline
