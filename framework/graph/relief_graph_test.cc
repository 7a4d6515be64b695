// Queues are given room when nodes wait for each other in a circle, whichever
// input is full, and also where a condition waits for more room than is free;
// and a node that stays behind is told of, not passed over.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/report/left_at_end.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ReliefGraphTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(ReliefGraphTest);

// The join needs packet 50 of "b" on "c"; "a" fills its queue, which has come
// to its ceiling, meanwhile.
int CallsOfJoin(const Workers& workers, const std::string& inputs,
                int port_of_a) {
  TestGraph graph(workers,
                  absl::StrCat(R"(
    max_queue_size: 10 max_queue_size_ceiling: 100
    node { calculator: "TestLambda" name: "a" output_stream: "a"
           input_side_packet: "PROCESS:a" }
    node { calculator: "TestLambda" name: "b" output_stream: "b"
           input_side_packet: "PROCESS:b" }
    node { calculator: "TestLambda" name: "late" input_stream: "b"
           output_stream: "c" input_side_packet: "PROCESS:late" }
    node { calculator: "TestLambda" name: "join" )",
                               inputs, R"( input_stream: "c"
           input_side_packet: "PROCESS:sum" output_stream: "sum"
           input_stream_info { tag_index: ":)",
                               port_of_a, R"(" max_queue_size: 200 } })"));
  graph.Give("a", CountTo(299));
  graph.Give("b", CountTo(119));
  graph.Give("late", [](CalculatorContext* cc) {
    return cc->InputTimestamp() == Timestamp(50) ? SendSum(cc)
                                                 : absl::OkStatus();
  });
  graph.Give("sum", SendSum);
  graph.Observe("sum");
  SYNCLINE_EXPECT_OK(graph.Run());
  return graph.Count("sum");
}

TEST_P(ReliefGraphTest, AnInputAtItsCeilingDoesNotHideTheOnesBehindIt) {
  EXPECT_EQ(CallsOfJoin(GetParam(), R"(input_stream: "a" input_stream: "b")",
                        /*port_of_a=*/0),
            300);
  EXPECT_EQ(CallsOfJoin(GetParam(), R"(input_stream: "b" input_stream: "a")",
                        /*port_of_a=*/1),
            300);
}

// A source that wants room for `room` packets; a node that sends each packet
// when the next one comes; and a join of both.
std::string Lag(const std::string& settings, int room) {
  return absl::StrCat(settings, R"(
    node { calculator: "TestLambda" name: "source" output_stream: "x"
           input_side_packet: "PROCESS:source"
           condition { type: "DownstreamMessageAffordableCondition" options {
             [syncline.DownstreamMessageAffordableConditionOptions.ext] {
               min_size: )",
                      room, R"( } } } }
    node { calculator: "TestLambda" name: "lag" input_stream: "x"
           output_stream: "y" input_side_packet: "PROCESS:lag" }
    node { calculator: "TestLambda" name: "join" input_stream: "x"
           input_stream: "y" output_stream: "sum"
           input_side_packet: "PROCESS:sum" })");
}

TestFunction SendTheOneBefore(int distance) {
  return [distance](CalculatorContext* cc) {
    const Timestamp time = cc->InputTimestamp() - distance;
    if (time < Timestamp(0)) return absl::OkStatus();
    cc->Outputs().Index(0).AddPacket(MakePacket<int>(1).At(time));
    return absl::OkStatus();
  };
}

void GiveLag(TestGraph* graph, int distance = 1) {
  graph->Give("source", CountTo(9));
  graph->Give("lag", SendTheOneBefore(distance));
  graph->Give("sum", SendSum);
  graph->Observe("sum");
}

TEST_P(ReliefGraphTest, ACircularWaitForRoomIsRelievedThoughNoQueueIsFull) {
  TestGraph graph(GetParam(), Lag("max_queue_size: 2", 2));
  GiveLag(&graph);
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Count("sum"), 10);
  EXPECT_THAT(graph.graph().GetLeftAtEnd(), IsEmpty());
}

// What comes through an open input may be what empties the queues, so the
// application is waited for, unless it waits itself.
TEST_P(ReliefGraphTest, AWaitForRoomLastsAsLongAsAnInputIsOpen) {
  TestGraph graph(GetParam(), absl::StrCat("input_stream: \"in\" ",
                                           Lag("max_queue_size: 2", 2), R"(
    node { calculator: "TestLambda" input_stream: "in" })"));
  GiveLag(&graph);
  graph.Start();
  graph.Idle();
  EXPECT_LT(graph.Count("sum"), 10);
  EXPECT_THAT(graph.graph().Explain(), HasSubstr("node \"source\""));
  graph.Add("in", 0, 1);
  graph.Idle();
  EXPECT_LT(graph.Count("sum"), 10);
  graph.Finish();
  EXPECT_EQ(graph.Count("sum"), 10);
}

// Calls that add packets to "in" wait until the circle has gone on, which waits
// for room.
TEST_P(ReliefGraphTest, WhoWaitsToAddAPacketDoesNotKeepOthersFromRoom) {
  TestGraph graph(GetParam(), absl::StrCat("input_stream: \"in\" ",
                                           Lag("max_queue_size: 2", 2), R"(
    node { calculator: "TestLambda" name: "with_in" input_stream: "y"
           input_stream: "in" output_stream: "out"
           input_side_packet: "PROCESS:sum" })"));
  GiveLag(&graph);
  graph.Observe("out");
  graph.Start();
  for (int i = 0; i < 10; ++i) graph.Add("in", i, 1);
  graph.Finish();
  EXPECT_EQ(graph.Count("sum"), 10);
  EXPECT_EQ(graph.Count("out"), 10);
  EXPECT_THAT(graph.graph().GetLeftAtEnd(), IsEmpty());
}

TEST_P(ReliefGraphTest, QueuesWithLimitsInBytesAreGivenRoomToo) {
  TestGraph graph(GetParam(),
                  Lag("max_queue_size: 2 max_queue_bytes: 100000", 2));
  GiveLag(&graph);
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Count("sum"), 10);
}

TEST_P(ReliefGraphTest, AtTheCeilingTheErrorNamesWhoWaitsForRoomAndWhere) {
  TestGraph graph(GetParam(),
                  Lag("max_queue_size: 2 max_queue_size_ceiling: 4", 2));
  GiveLag(&graph, /*distance=*/6);
  const absl::Status status = graph.Run();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(
      status.message(),
      AllOf(HasSubstr("Detected a deadlock"), HasSubstr("node \"source\""),
            HasSubstr("waits for room for 2 packets in the queue of stream "
                      "\"x\" at node \"join\""),
            HasSubstr("ceiling of 4 packets"),
            HasSubstr("max_queue_size_ceiling")));
}

TEST_P(ReliefGraphTest, AGraphMayWantToHearOfAWaitForRoomAtOnce) {
  TestGraph graph(GetParam(),
                  Lag("max_queue_size: 2 report_deadlock: true", 2));
  GiveLag(&graph);
  const absl::Status status = graph.Run();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("waits for room for 2 packets"));
}

// Circles of all rooms up to all limits up to three, with lags of all lengths
// up to four.
TEST_P(ReliefGraphTest, ManyCirclesOfRoomLoseNothing) {
  for (int number = 0; number < 36; ++number) {
    const int limit = 1 + number % 3;
    const int room = 1 + number / 3 % limit;
    const int distance = 1 + number / 9 % 4;
    TestGraph graph(GetParam(),
                    Lag(absl::StrCat("max_queue_size: ", limit), room));
    GiveLag(&graph, distance);
    SYNCLINE_EXPECT_OK(graph.Run()) << limit << " " << room << " " << distance;
    EXPECT_EQ(graph.Count("sum"), 10)
        << limit << " " << room << " " << distance;
  }
}

// --- What is left

// After one call the condition waits for a time that nobody sets.
TEST_P(ReliefGraphTest, AnAccessorTellsWhatADeadlockOfConditionsLeft) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" name: "held" input_stream: "in"
           condition { name: "next" type: "TargetTimeCondition" } }
    node { calculator: "TestLambda" name: "free" input_stream: "in" })");
  graph.Start();
  for (int i = 0; i < 3; ++i) graph.Add("in", i, i);
  EXPECT_THAT(graph.graph().GetLeftAtEnd(), IsEmpty());
  graph.Finish();
  const std::vector<LeftAtEnd> left = graph.graph().GetLeftAtEnd();
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left[0].node, "held");
  EXPECT_EQ(left[0].packets, 2);
  EXPECT_THAT(left[0].why,
              AllOf(HasSubstr("\"in\" (2 packets)"), HasSubstr("\"next\"")));
}

TEST_P(ReliefGraphTest, AnAccessorTellsOfALoopThatNobodyBegan) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" name: "join" input_stream: "in"
           input_stream: "back" output_stream: "out"
           input_side_packet: "PROCESS:sum"
           input_stream_info { tag_index: ":1" back_edge: true } }
    node { calculator: "TestLambda" name: "effects" input_stream: "out"
           output_stream: "back" input_side_packet: "PROCESS:sum" })");
  graph.Give("sum", SendSum);
  graph.Start();
  for (int i = 0; i < 3; ++i) graph.Add("in", i, i);
  EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kUnavailable);
  const std::vector<LeftAtEnd> left = graph.graph().GetLeftAtEnd();
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left[0].node, "join");
  EXPECT_EQ(left[0].packets, 3);
}

TEST_P(ReliefGraphTest, NothingIsToldAfterACancel) {
  TestGraph graph(GetParam(), Lag("max_queue_size: 2 input_stream: \"in\"", 2));
  GiveLag(&graph);
  graph.Start();
  graph.graph().Cancel();
  EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kCancelled);
  EXPECT_THAT(graph.graph().GetLeftAtEnd(), IsEmpty());
}

// Each packet is in the join while its source waits for the next period; then
// the join is full, and "late" has nothing for it before packet 3.
TEST_P(ReliefGraphTest,
       ASourceThatWaitedForATimeWhenAQueueFilledIsNotInTheWay) {
  TestGraph graph(GetParam(), R"(
    max_queue_size: 1
    node { calculator: "TestLambda" output_stream: "a"
           input_side_packet: "PROCESS:count"
           condition {
             type: "PeriodicCondition"
             options { [syncline.PeriodicConditionOptions.ext] {
               recess_period: "20ms" } } } }
    node { calculator: "TestLambda" input_stream: "a" output_stream: "slow"
           input_side_packet: "PROCESS:slow" }
    node { calculator: "TestLambda" input_stream: "slow" output_stream: "late"
           input_side_packet: "PROCESS:late" }
    node { calculator: "TestLambda" input_stream: "slow" input_stream: "late"
           input_side_packet: "PROCESS:sum" output_stream: "sum" })");
  graph.Give("count", CountTo(5));
  graph.Give("slow", [](CalculatorContext* cc) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return SendSum(cc);
  });
  graph.Give("late", [](CalculatorContext* cc) {
    return cc->InputTimestamp() == Timestamp(3) ? SendSum(cc)
                                                : absl::OkStatus();
  });
  graph.Give("sum", SendSum);
  graph.Observe("sum");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Count("sum"), 6);
}

// Asks for room in the graph when it is destroyed, which is at the end of a
// run.
class AsksForRoomAtItsEnd : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  ~AsksForRoomAtItsEnd() override {
    if (graph != nullptr) gave_room = graph->UnthrottleSources();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }

  static CalculatorGraph* graph;
  static bool gave_room;
};
CalculatorGraph* AsksForRoomAtItsEnd::graph = nullptr;
bool AsksForRoomAtItsEnd::gave_room = false;
REGISTER_CALCULATOR(AsksForRoomAtItsEnd);

// The queue of the join is full when the graph is cancelled, and "a" waits for
// it. It is destroyed before the calculator that asks.
TEST_P(ReliefGraphTest, ARunThatIsOverGivesNoRoom) {
  TestGraph graph(GetParam(), R"(
    max_queue_size: 1 input_stream: "never"
    node { calculator: "TestLambda" output_stream: "a"
           input_side_packet: "PROCESS:a" }
    node { calculator: "TestLambda" output_stream: "b"
           input_side_packet: "PROCESS:b" }
    node { calculator: "AsksForRoomAtItsEnd" input_stream: "b" }
    node { calculator: "TestLambda" input_stream: "a" input_stream: "never"
           input_side_packet: "PROCESS:sum" output_stream: "sum" })");
  graph.Give("a", CountTo(5));
  graph.Give("b", CountTo(5));
  graph.Give("sum", SendSum);
  SYNCLINE_ASSERT_OK(graph.graph().ObserveOutputStream("a", [&](const Packet&) {
    graph.graph().Cancel();
    return absl::OkStatus();
  }));
  AsksForRoomAtItsEnd::graph = &graph.graph();
  AsksForRoomAtItsEnd::gave_room = true;
  graph.Start();
  EXPECT_EQ(graph.graph().WaitUntilDone().code(), absl::StatusCode::kCancelled);
  AsksForRoomAtItsEnd::graph = nullptr;
  EXPECT_FALSE(AsksForRoomAtItsEnd::gave_room);
}

// Two of the three packets wait while the first is processed.
TEST_P(ReliefGraphTest, ARunThatGoesOnIsNoDeadlockForWhoAsksForRoom) {
  for (const char* const setting :
       {"report_deadlock: true", "max_queue_size_ceiling: 1"}) {
    TestGraph graph(GetParam(), absl::StrCat("max_queue_size: 1 ", setting, R"(
      node { calculator: "TestLambda" output_stream: "a"
             input_side_packet: "PROCESS:three" }
      node { calculator: "TestLambda" input_stream: "a" output_stream: "out"
             input_side_packet: "PROCESS:ask" })"));
    graph.Give("three", [](CalculatorContext* cc) {
      for (int i = 0; i < 3; ++i) {
        cc->Outputs().Index(0).AddPacket(MakePacket<int>(i).At(Timestamp(i)));
      }
      cc->Outputs().Index(0).Close();
      return tool::StatusStop();
    });
    graph.Give("ask", [&](CalculatorContext* cc) {
      EXPECT_FALSE(graph.graph().UnthrottleSources());
      return SendSum(cc);
    });
    graph.Observe("out");
    SYNCLINE_EXPECT_OK(graph.Run());
    EXPECT_EQ(graph.Count("out"), 3);
  }
}

// --- Turns of sources

// The first source sends nothing until the second has ended.
TEST_P(ReliefGraphTest, ASourceThatSendsNothingDoesNotStarveAnother) {
  for (const int silent : {1, 2, 3}) {
    std::string text;
    for (int i = 0; i < silent; ++i) {
      absl::StrAppend(&text, R"(
        node { calculator: "TestLambda" input_side_packet: "PROCESS:silent"
               output_stream: "silent)",
                      i, R"(" })");
    }
    TestGraph graph(GetParam(), text + R"(
      node { calculator: "TestLambda" input_side_packet: "PROCESS:loud"
             output_stream: "loud" })");
    constexpr std::int64_t kMany = 200'000;
    auto left = std::make_shared<std::atomic<std::int64_t>>(kMany);
    auto has_ended = std::make_shared<std::atomic<bool>>(false);
    graph.Give("silent", [=](CalculatorContext*) {
      if (has_ended->load() || left->fetch_sub(1) <= 0) {
        return tool::StatusStop();
      }
      return absl::OkStatus();
    });
    graph.Give("loud", [=, count = CountTo(20)](CalculatorContext* cc) {
      absl::Status status = count(cc);
      if (!status.ok()) has_ended->store(true);
      return status;
    });
    SYNCLINE_EXPECT_OK(graph.Run());
    EXPECT_GT(left->load(), 0) << "with " << silent;
  }
}

}  // namespace
}  // namespace syncline
