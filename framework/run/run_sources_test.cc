#include "framework/run/run_sources.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/status_matchers.h"
#include "framework/report/report_test_support.h"
#include "framework/report/test_lambda.h"
#include "framework/run/idle_decision.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Sources: 0 the input "x", 1 the node of "a" and 2 that of "b", both of layer
// 2, 3 that of "c" of layer 1.
GraphPlan MakePlan() {
  return TestPlan(R"(
    input_stream: "x"
    node { calculator: "TestLambda" output_stream: "a" source_layer: 2 }
    node { calculator: "TestLambda" output_stream: "b" source_layer: 2 }
    node { calculator: "TestLambda" output_stream: "c" source_layer: 1 }
    node { calculator: "TestLambda" input_stream: "a" input_stream: "b"
           output_stream: "ab" }
    node { calculator: "TestLambda" input_stream: "c" input_stream: "x"
           output_stream: "cx" })");
}

class RunSourcesTest : public ::testing::Test {
 protected:
  std::vector<int> NoteFull(const std::string& stream, int change,
                            bool is_node = true) {
    std::vector<int> resumed;
    sources_.NoteFullQueue(plan_.streams()[plan_.FindStream(stream)].source_set,
                           change, is_node, &resumed);
    return resumed;
  }
  bool ParkIfPaused(int source) {
    std::vector<int> released;
    const bool is_parked = sources_.ParkIfPaused(source, &released);
    EXPECT_THAT(released, IsEmpty());
    return is_parked;
  }
  IdleState State() const {
    IdleState state;
    sources_.AddTo(&state);
    return state;
  }

  const GraphPlan plan_ = MakePlan();
  RunSources sources_{plan_};
};

TEST_F(RunSourcesTest, TheFirstLayerStartsWhenEachNodeIsOpen) {
  for (const int source : {1, 2, 3}) sources_.NoteOpened(source);
  for (int node = 0; node < 4; ++node) {
    EXPECT_FALSE(sources_.NoteNodeOpened()) << node;
  }
  EXPECT_TRUE(sources_.NoteNodeOpened());
  EXPECT_THAT(sources_.StartNextLayer(/*only_the_first=*/true), ElementsAre(3));
  EXPECT_EQ(State().pending_sources, 2);
  EXPECT_THAT(sources_.StartNextLayer(/*only_the_first=*/true), IsEmpty())
      << "the second layer";
  EXPECT_THAT(sources_.StartNextLayer(), ElementsAre(1, 2));
}

TEST_F(RunSourcesTest, AFirstLayerThatIdlenessStartedIsNotStartedAgain) {
  EXPECT_THAT(sources_.StartNextLayer(/*only_the_first=*/true), IsEmpty())
      << "none is open";
  for (const int source : {1, 2, 3}) sources_.NoteOpened(source);
  EXPECT_THAT(sources_.StartNextLayer(), ElementsAre(3));
  EXPECT_THAT(sources_.StartNextLayer(/*only_the_first=*/true), IsEmpty());
}

TEST(RunSourcesWithoutSourcesTest, NothingStartsWhenEachNodeIsOpen) {
  const GraphPlan plan = TestPlan(R"(
    input_stream: "x"
    node { calculator: "TestLambda" input_stream: "x" output_stream: "y" })");
  EXPECT_FALSE(RunSources(plan).NoteNodeOpened());
}

TEST_F(RunSourcesTest, StartsOneLayerAfterTheOther) {
  EXPECT_THAT(sources_.StartNextLayer(), IsEmpty()) << "none is open";
  for (const int source : {1, 2, 3}) sources_.NoteOpened(source);
  EXPECT_EQ(State().pending_sources, 3);
  EXPECT_EQ(State().active_sources, 0);
  EXPECT_TRUE(sources_.IsPending(3));
  EXPECT_THAT(sources_.StartNextLayer(), ElementsAre(3));
  EXPECT_FALSE(sources_.IsPending(3));
  EXPECT_TRUE(sources_.IsPending(1));
  EXPECT_EQ(State().pending_sources, 2);
  EXPECT_EQ(State().active_sources, 1);
  EXPECT_FALSE(sources_.AllStarted());
  EXPECT_THAT(sources_.StartNextLayer(), ElementsAre(1, 2));
  EXPECT_TRUE(sources_.AllStarted());
  EXPECT_EQ(State().pending_sources, 0);
  EXPECT_EQ(State().active_sources, 3);
  sources_.NoteClosed(2);
  EXPECT_EQ(State().active_sources, 2);
  EXPECT_TRUE(sources_.AllStarted());
  EXPECT_THAT(sources_.StartNextLayer(), IsEmpty());
}

TEST_F(RunSourcesTest, OneThatClosesBeforeItStartsIsNotWaitedFor) {
  sources_.NoteClosed(1);  // unopened
  sources_.NoteOpened(2);
  sources_.NoteClosed(2);  // pending
  EXPECT_FALSE(sources_.AllStarted());
  sources_.NoteOpened(3);
  EXPECT_THAT(sources_.StartNextLayer(), ElementsAre(3));
  EXPECT_TRUE(sources_.AllStarted());
  sources_.NoteClosed(3);
  EXPECT_TRUE(sources_.AllStarted()) << "it was started, and is counted once";
}

TEST_F(RunSourcesTest, ALowerLayerThatIsNotOpenIsSeen) {
  EXPECT_FALSE(State().lower_layer_is_unopened) << "no layer is pending";
  sources_.NoteOpened(1);
  EXPECT_TRUE(State().lower_layer_is_unopened) << "3 is of layer 1";
  sources_.NoteOpened(3);
  EXPECT_FALSE(State().lower_layer_is_unopened) << "2 is of a higher layer";
  sources_.NoteClosed(3);
  EXPECT_FALSE(State().lower_layer_is_unopened)
      << "2 is of the layer that is pending";
}

TEST_F(RunSourcesTest, AGraphWithoutSourceNodesHasAllStarted) {
  const GraphPlan plan = TestPlan(R"(
    input_stream: "x"
    node { calculator: "TestLambda" input_stream: "x" output_stream: "y" })");
  EXPECT_TRUE(RunSources(plan).AllStarted());
}

TEST_F(RunSourcesTest, AFullQueueParksASourceUntilItHasRoom) {
  EXPECT_FALSE(ParkIfPaused(1));
  EXPECT_THAT(NoteFull("a", 1), IsEmpty());
  EXPECT_TRUE(sources_.IsPaused(1));
  EXPECT_TRUE(ParkIfPaused(1));
  EXPECT_FALSE(ParkIfPaused(2)) << "it is another source";
  EXPECT_THAT(NoteFull("a", -1), ElementsAre(1));
  EXPECT_FALSE(sources_.IsPaused(1));
}

TEST_F(RunSourcesTest, AFullQueuePausesWhatFeedsIt) {
  EXPECT_THAT(NoteFull("a", 1), IsEmpty());
  EXPECT_FALSE(sources_.IsPaused(0));
  EXPECT_TRUE(sources_.IsPaused(1));
  EXPECT_FALSE(sources_.IsPaused(2));
  NoteFull("ab", 1);
  EXPECT_TRUE(sources_.IsPaused(2));
  EXPECT_FALSE(sources_.IsPaused(3));
  NoteFull("cx", 1);
  EXPECT_TRUE(sources_.IsPaused(0));
  EXPECT_TRUE(sources_.IsPaused(3));
}

TEST_F(RunSourcesTest, TheLastQueueBringsAParkedSourceBack) {
  NoteFull("a", 1);
  NoteFull("ab", 1);
  EXPECT_TRUE(ParkIfPaused(1));
  EXPECT_THAT(NoteFull("a", -1), IsEmpty());
  EXPECT_THAT(NoteFull("ab", -1), ElementsAre(1))
      << "2 was paused too, but it is not parked";
  EXPECT_FALSE(ParkIfPaused(1));
}

TEST_F(RunSourcesTest, ASourceThatIsNotParkedDoesNotComeBack) {
  NoteFull("a", 1);
  EXPECT_THAT(NoteFull("a", -1), IsEmpty()) << "its call still goes on";
  NoteFull("a", 1);
  EXPECT_TRUE(ParkIfPaused(1));
  EXPECT_THAT(NoteFull("a", -1), ElementsAre(1));
  NoteFull("a", 1);
  EXPECT_THAT(NoteFull("a", -1), IsEmpty()) << "it is parked no more";
}

TEST_F(RunSourcesTest, GraphInputsAlwaysHearThatTheyMayGoOn) {
  NoteFull("x", 1);
  EXPECT_THAT(NoteFull("x", -1), ElementsAre(0));
}

TEST_F(RunSourcesTest, ReportsMayComeInTheWrongOrder) {
  EXPECT_THAT(NoteFull("a", -1), IsEmpty());
  EXPECT_FALSE(sources_.IsPaused(1));
  EXPECT_THAT(NoteFull("a", 1), IsEmpty());
  EXPECT_FALSE(sources_.IsPaused(1));
}

// What run_sources.h says it may cost: one call, and all is well after it.
TEST_F(RunSourcesTest, ReportsInTheWrongOrderMayGiveASourceOneCallTooMany) {
  NoteFull("ab", 1);
  EXPECT_TRUE(ParkIfPaused(1));
  EXPECT_THAT(NoteFull("a", -1), ElementsAre(1)) << "though \"ab\" is full";
  NoteFull("a", 1);
  EXPECT_TRUE(ParkIfPaused(1)) << "after that call";
  EXPECT_THAT(NoteFull("ab", -1), ElementsAre(1));
  EXPECT_FALSE(sources_.IsPaused(1));
}

TEST_F(RunSourcesTest, FullQueuesOfNodesAndOfReadersAreSeen) {
  EXPECT_FALSE(State().has_full_queue);
  EXPECT_FALSE(State().has_full_poller);
  NoteFull("a", 1);
  EXPECT_TRUE(State().has_full_queue);
  EXPECT_FALSE(State().has_full_poller);
  NoteFull("ab", 1, /*is_node=*/false);
  EXPECT_TRUE(State().has_full_poller);
  NoteFull("a", -1);
  EXPECT_FALSE(State().has_full_queue);
  EXPECT_TRUE(State().has_full_poller);
}

TEST_F(RunSourcesTest, AGraphInputThatIsPausedIsSeen) {
  NoteFull("a", 1);
  EXPECT_FALSE(State().has_full_input) << "a source node is no input";
  NoteFull("x", 1);
  EXPECT_TRUE(State().has_full_input);
  NoteFull("x", -1);
  EXPECT_FALSE(State().has_full_input);
}

TEST_F(RunSourcesTest, CallsThatWaitToAddAreSeenWhileTheirInputIsPaused) {
  NoteFull("x", 1);
  EXPECT_FALSE(State().application_waits);
  sources_.BeginWaitToAdd(0);
  EXPECT_TRUE(State().application_waits);
  sources_.BeginWaitToAdd(0);
  sources_.EndWaitToAdd(0);
  EXPECT_TRUE(State().application_waits) << "of two calls one is left";
  NoteFull("x", -1);
  EXPECT_FALSE(State().application_waits) << "it is about to go on";
  NoteFull("x", 1);
  sources_.EndWaitToAdd(0);
  EXPECT_FALSE(State().application_waits);
}

TEST_F(RunSourcesTest, ASourceInFrontGivesWayAtEveryFourthCall) {
  EXPECT_FALSE(sources_.GivesWay(1, false));
  for (int round = 0; round < 3; ++round) {
    for (int call = 0; call < 3; ++call) {
      EXPECT_FALSE(sources_.GivesWay(1, true)) << round << " " << call;
    }
    EXPECT_TRUE(sources_.GivesWay(1, true)) << round;
  }
}

TEST_F(RunSourcesTest, ASourceWhosePlaceChangesStartsAnew) {
  for (int call = 0; call < 3; ++call) sources_.GivesWay(1, true);
  EXPECT_FALSE(sources_.GivesWay(2, true)) << "another counts for itself";
  EXPECT_FALSE(sources_.GivesWay(1, false));
  for (int call = 0; call < 3; ++call) {
    EXPECT_FALSE(sources_.GivesWay(1, true)) << call;
  }
  EXPECT_TRUE(sources_.GivesWay(1, true));
}

TEST_F(RunSourcesTest, ASourceAloneGivesWayToNobody) {
  const absl::StatusOr<GraphPlan> plan = Compile(TestConfig(R"(
    node { calculator: "TestLambda" output_stream: "a" })"));
  SYNCLINE_ASSERT_OK(plan.status());
  RunSources sources(*plan);
  for (int call = 0; call < 20; ++call) {
    EXPECT_FALSE(sources.GivesWay(0, true));
  }
}

TEST_F(RunSourcesTest, StopReleasesThoseThatAreParkedOnce) {
  NoteFull("ab", 1);
  EXPECT_TRUE(ParkIfPaused(2));
  EXPECT_TRUE(ParkIfPaused(1));
  EXPECT_FALSE(sources_.is_stopping());
  std::vector<int> released;
  EXPECT_TRUE(sources_.Stop(&released));
  EXPECT_THAT(released, ElementsAre(1, 2));
  EXPECT_TRUE(sources_.is_stopping());
  released.clear();
  EXPECT_TRUE(sources_.ParkIfPaused(1, &released));
  EXPECT_THAT(released, ElementsAre(1)) << "nothing keeps it any more";
  released.clear();
  EXPECT_FALSE(sources_.Stop(&released));
  EXPECT_THAT(released, IsEmpty());
}

}  // namespace
}  // namespace syncline
