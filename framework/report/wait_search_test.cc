// Who waits, and for whom: the steps themselves. What becomes of them in
// sentences is tested by standstill_test.

#include "framework/report/wait_search.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/report/still_run_test_support.h"
#include "framework/report/wait_step.h"
#include "framework/scheduler/waiters.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using For = WaitReason::For;

constexpr char kChain[] = R"(
  input_stream: "in"
  node { name: "first" calculator: "TestLambda" input_stream: "in"
         output_stream: "x" }
  node { name: "second" calculator: "TestLambda" input_stream: "x"
         output_stream: "y" })";

// A node that lets packets into a loop, and gets its answers over a back edge.
constexpr char kLoop[] = R"(
  input_stream: "in"
  node { name: "gate" calculator: "TestLambda" input_stream: "in"
         input_stream: "DONE:done" output_stream: "let_in"
         input_stream_info { tag_index: "DONE" back_edge: true } }
  node { name: "work" calculator: "TestLambda" input_stream: "let_in"
         output_stream: "done" })";

std::vector<std::string> Names(const WaitSearch& search,
                               const std::vector<WaitStep>& steps) {
  std::vector<std::string> names;
  for (const WaitStep& step : steps) names.push_back(search.Name(step));
  return names;
}

class WaitSearchTest : public testing::Test {
 protected:
  // Who waits, by name.
  static std::vector<std::string> Waiting(StillRun* run) {
    const WaitSearch search(run->plan(), run->view());
    return Names(search, search.Starts());
  }
  // The chain from the first who waits.
  static std::vector<std::string> Chain(StillRun* run) {
    const WaitSearch search(run->plan(), run->view());
    const std::vector<WaitStep> starts = search.Starts();
    if (starts.empty()) return {};
    return Names(search, search.Follow(starts[0]));
  }
};

// --- Who waits

TEST_F(WaitSearchTest, NodesWithPacketsWaitThoseNearTheOutputsFirst) {
  StillRun run(kChain);
  EXPECT_THAT(Waiting(&run), IsEmpty());
  run.Queue("first", 0, 20);
  run.Queue("second", 0, 20);
  EXPECT_THAT(Waiting(&run), ElementsAre("\"second\"", "\"first\""));
  run.Node("second").state = NodeState::kClosed;
  EXPECT_THAT(Waiting(&run), ElementsAre("\"first\""));
}

TEST_F(WaitSearchTest, ANodeThatIsNotOpenOrIsInACallWaits) {
  StillRun run(kChain);
  run.Node("first").state = NodeState::kWaiting;
  EXPECT_THAT(Waiting(&run), ElementsAre("\"first\""));
  run.Node("first").state = NodeState::kOpen;
  run.Node("second").calls_in_flight = 1;
  EXPECT_THAT(Waiting(&run), ElementsAre("\"second\""));
  run.Node("second").calls_in_flight = 0;
  EXPECT_THAT(Waiting(&run), IsEmpty());
  run.Enter("first");
  EXPECT_THAT(Waiting(&run), ElementsAre("\"first\""));
}

TEST_F(WaitSearchTest, APausedOrPendingSourceWaits) {
  StillRun run(R"(
    node { name: "source" calculator: "TestLambda" output_stream: "x" })");
  EXPECT_THAT(Waiting(&run), IsEmpty());
  run.Source("source").is_paused = true;
  EXPECT_THAT(Waiting(&run), ElementsAre("\"source\""));
  run.Source("source").is_paused = false;
  run.Source("source").is_pending = true;
  EXPECT_THAT(Waiting(&run), ElementsAre("\"source\""));
}

TEST_F(WaitSearchTest, OfManyWaitersSixtyFourAreEnough) {
  std::string config = "input_stream: 'in'";
  for (int i = 0; i < 66; ++i) {
    absl::StrAppend(&config, " node { name: 'n", i,
                    "' calculator: 'TestLambda' input_stream: 'in' }");
  }
  StillRun run(config);
  for (int i = 0; i < 66; ++i) run.Queue(absl::StrCat("n", i), 0, 20);
  const std::vector<std::string> waiting = Waiting(&run);
  ASSERT_THAT(waiting, SizeIs(64));
  EXPECT_EQ(waiting.front(), "\"n65\"");
}

TEST_F(WaitSearchTest, OfAPausedRunOnlyThePauseMatters) {
  StillRun run(kChain);
  run.Queue("first", 0, 20);
  run.view().is_paused = true;
  EXPECT_THAT(Waiting(&run), ElementsAre("the application"));
  EXPECT_THAT(Chain(&run), SizeIs(1));
}

// --- What the application waits for, where no node waits

TEST_F(WaitSearchTest, ThePacketThatTheApplicationWaitsForComesBeforePollers) {
  StillRun run(kChain);
  const int x = run.plan().nodes()[0].outputs[0].stream;
  const int y = run.plan().nodes()[1].outputs[0].stream;
  run.view().pollers = {{.stream = x, .is_empty = true}};
  EXPECT_THAT(Chain(&run),
              ElementsAre("the application", "\"first\"", "the application"));
  run.view().waiters = {{.what = For::kPacket, .stream = y}};
  EXPECT_THAT(Chain(&run), ElementsAre("the application", "\"second\"",
                                       "\"first\"", "the application"));
}

TEST_F(WaitSearchTest, NobodyWaitsForAStreamThatIsOver) {
  StillRun run(kChain);
  const int y = run.plan().nodes()[1].outputs[0].stream;
  run.view().pollers = {{.stream = y, .is_empty = true}};
  run.view().waiters = {{.what = For::kPacket, .stream = y}};
  run.view().waiters[0].stream = y;
  EXPECT_THAT(Waiting(&run), SizeIs(1));
  run.Node("second").state = NodeState::kClosed;
  EXPECT_THAT(Waiting(&run), IsEmpty());
}

TEST_F(WaitSearchTest, APollerWithPacketsIsNotWaitedFor) {
  StillRun run(kChain);
  const int y = run.plan().nodes()[1].outputs[0].stream;
  run.view().pollers = {{.stream = y, .is_empty = false}};
  EXPECT_THAT(Waiting(&run), IsEmpty());
}

TEST_F(WaitSearchTest, AnObservedStreamMattersToWhoWaitsForObservedOutput) {
  StillRun run(kChain);
  run.view().observed_streams = {run.plan().nodes()[1].outputs[0].stream};
  EXPECT_THAT(Waiting(&run), IsEmpty());
  run.view().waiters = {{.what = For::kObservedOutput}};
  EXPECT_THAT(Chain(&run), ElementsAre("the application", "\"second\"",
                                       "\"first\"", "the application"));
}

TEST_F(WaitSearchTest, WhoWaitsForTheEndWaitsForTheOpenInputs) {
  StillRun run(kChain);
  run.view().inputs = {{.is_open = true}};
  EXPECT_THAT(Waiting(&run), IsEmpty()) << "nobody waits for the run";
  run.view().program_waits = true;
  EXPECT_THAT(Chain(&run), ElementsAre("the run", "the application"));
  run.view().inputs[0].is_open = false;
  EXPECT_THAT(Waiting(&run), IsEmpty());
}

TEST_F(WaitSearchTest, WhoFeedsAnInputIsNamed) {
  StillRun run(kChain);
  run.Queue("second", 0, 20);
  run.Settle("second", 0, Timestamp(15));
  run.Node("second").batched_sets = 1;
  run.view().inputs = {{.is_open = true, .feeder = "--input=in=FILE"}};
  EXPECT_THAT(Chain(&run),
              ElementsAre("\"second\"", "\"first\"", "--input=in=FILE"));
}

// --- Chains

TEST_F(WaitSearchTest, AChainGoesToTheInputThatIsFurthestBehind) {
  StillRun run(R"(
    input_stream: "a" input_stream: "b" input_stream: "c"
    node { name: "slow" calculator: "TestLambda" input_stream: "b"
           output_stream: "x" }
    node { name: "fast" calculator: "TestLambda" input_stream: "c"
           output_stream: "y" }
    node { name: "join" calculator: "TestLambda" input_stream: "a"
           input_stream: "x" input_stream: "y" })");
  run.Queue("join", 0, 20);
  run.Settle("join", 1, Timestamp(12));
  run.Settle("join", 2, Timestamp(15));
  EXPECT_THAT(Chain(&run),
              ElementsAre("\"join\"", "\"slow\"", "the application"));
  run.Settle("join", 1, Timestamp(16));
  EXPECT_THAT(Chain(&run),
              ElementsAre("\"join\"", "\"fast\"", "the application"));
}

TEST_F(WaitSearchTest, AChainEndsWithACall) {
  StillRun run(kChain);
  run.Queue("second", 0, 20);
  run.Settle("second", 0, Timestamp(15));
  run.Node("second").batched_sets = 1;
  run.Enter("first");
  const WaitSearch search(run.plan(), run.view());
  const std::vector<WaitStep> chain = search.Follow(search.Starts()[0]);
  EXPECT_THAT(Names(search, chain), ElementsAre("\"second\"", "\"first\""));
  EXPECT_EQ(chain.back().next, WaitStep::kNobody);
}

TEST_F(WaitSearchTest, ALoopEndsWhereItComesBackToItself) {
  StillRun run(kLoop);
  run.Node("gate").outputs.resize(1);
  run.AwaitLoop("gate", 1);
  const WaitSearch search(run.plan(), run.view());
  const std::vector<WaitStep> chain = search.Follow(search.Starts()[0]);
  EXPECT_THAT(Names(search, chain), ElementsAre("\"gate\"", "\"work\""));
  EXPECT_TRUE(chain[0].goes_back);
  EXPECT_EQ(chain[1].next, run.Id("gate"));
  EXPECT_EQ(WaitSearch::FindLoop(chain), 0);
  EXPECT_THAT(chain[0].advice, HasSubstr("let \"work\" send a first packet"));
}

// --- Loops

WaitStep Step(int who, int next, bool goes_back = false) {
  WaitStep step;
  step.who = who;
  step.next = next;
  step.goes_back = goes_back;
  return step;
}

TEST_F(WaitSearchTest, AChainThatDoesNotComeBackHasNoLoop) {
  EXPECT_EQ(WaitSearch::FindLoop({Step(1, 2), Step(2, 3)}), 2);
  EXPECT_EQ(WaitSearch::FindLoop({Step(1, WaitStep::kNobody)}), 1);
}

TEST_F(WaitSearchTest, ALoopBeginsAtTheNodeThatItComesBackTo) {
  EXPECT_EQ(WaitSearch::FindLoop({Step(1, 2), Step(2, 3), Step(3, 2)}), 1);
  EXPECT_EQ(WaitSearch::FindLoop({Step(1, 2), Step(2, 1)}), 0);
}

TEST_F(WaitSearchTest, ALoopOverABackEdgeBeginsThere) {
  EXPECT_EQ(WaitSearch::FindLoop(
                {Step(1, 2), Step(2, 3, /*goes_back=*/true), Step(3, 1)}),
            3)
      << "1 is before the back edge";
  EXPECT_EQ(WaitSearch::FindLoop(
                {Step(1, 2), Step(2, 3, /*goes_back=*/true), Step(3, 2)}),
            1);
}

TEST_F(WaitSearchTest, TheApplicationIsNoLoop) {
  EXPECT_EQ(WaitSearch::FindLoop({Step(WaitStep::kApplication, 1),
                                  Step(1, WaitStep::kApplication)}),
            2);
}

// --- Names

TEST_F(WaitSearchTest, AStepHasItsOwnNameOrThatOfWhoWaits) {
  StillRun run(kChain);
  const WaitSearch search(run.plan(), run.view());
  EXPECT_EQ(search.Name(WaitStep::kApplication), "the application");
  EXPECT_EQ(search.Name(run.Id("second")), "\"second\"");
  WaitStep step = Step(run.Id("first"), WaitStep::kNobody);
  EXPECT_EQ(search.Name(step), "\"first\"");
  step.name = "thread 7";
  EXPECT_EQ(search.Name(step), "thread 7");
}

}  // namespace
}  // namespace syncline
