// What FindStandstill names as the cause, for each kind of waiting, without a
// graph that runs.

#include "framework/report/standstill.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/condition/condition_result.h"
#include "framework/node/node_snapshot.h"
#include "framework/node/node_state.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/run_view.h"
#include "framework/report/still_run_test_support.h"
#include "framework/scheduler/waiters.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kDetector[] = R"(
  input_stream: "frames"
  node { name: "detector" calculator: "TestLambda" input_stream: "frames"
         output_stream: "detections" }
  node { name: "tracker" calculator: "TestLambda" input_stream: "frames"
         input_stream: "detections" output_stream: "tracks" }
  node { name: "shown" calculator: "TestLambda" input_stream: "frames"
         input_stream: "tracks" })";

TEST(StandstillTest, NobodyWaits) {
  StillRun run(kDetector);
  EXPECT_EQ(run.Cause(), "");
  EXPECT_EQ(StandstillText(run.Find()), "");
}

TEST(StandstillTest, ASenderThatPromisesNoBounds) {
  StillRun run(kDetector);
  run.Queue("tracker", 0, 1'500'000);
  run.Queue("shown", 0, 1'500'000);
  run.Settle("detector", 0, Timestamp(1'500'001));
  EXPECT_EQ(run.Cause(),
            "\"tracker\" waits for stream \"detections\" up to 1,500,000, and "
            "\"detector\", which sends it, promises no bounds while it sends "
            "nothing");
  const Standstill found = run.Find();
  EXPECT_THAT(
      found.chain,
      ElementsAre("\"shown\" waits for stream \"tracks\" up to 1,500,000",
                  "\"tracker\" waits for stream \"detections\" up to 1,500,000",
                  "\"detector\" promises no bounds while it sends nothing"));
  EXPECT_THAT(found.advice, HasSubstr("Let \"detector\" say how far "
                                      "\"detections\" has come"));
  EXPECT_THAT(found.advice, HasSubstr("SetTimestampOffset(0)"));
}

TEST(StandstillTest, TheApplicationHasNotSentWhatIsWaitedFor) {
  StillRun run(R"(
    input_stream: "a" input_stream: "b"
    node { name: "join" calculator: "TestLambda" input_stream: "a"
           input_stream: "b" })");
  run.Queue("join", 0, 20);
  EXPECT_EQ(run.Cause(),
            "\"join\" waits for stream \"b\" up to 20, and the application, "
            "which sends it, has not sent that, nor closed it");
  EXPECT_THAT(run.Find().advice, HasSubstr("CloseInputStream()"));
}

// The sender has all that it needs for 15, but not for 20.
TEST(StandstillTest, WhoIsBehindIsFoundThroughNodesWithoutPackets) {
  StillRun run(kDetector);
  run.Queue("tracker", 0, 20);
  run.Settle("detector", 0, Timestamp(15));
  EXPECT_THAT(run.Cause(), HasSubstr("\"detector\" waits for stream "
                                     "\"frames\" up to 20, and the "
                                     "application"));
  run.Settle("detector", 0, Timestamp(20));
  EXPECT_THAT(run.Cause(), HasSubstr("and the application"));
  run.Settle("detector", 0, Timestamp(21));
  EXPECT_THAT(run.Cause(), HasSubstr("promises no bounds"));
}

TEST(StandstillTest, AnOffsetSaysHowFarTheInputHasToCome) {
  constexpr char kOffset[] = R"(
    input_stream: "in"
    node { name: "late" calculator: "TestLambdaOffset" input_stream: "in"
           output_stream: "out" }
    node { name: "join" calculator: "TestLambda" input_stream: "in"
           input_stream: "out" })";
  StillRun run(kOffset);
  run.Queue("join", 0, 20);
  EXPECT_THAT(run.Cause(), HasSubstr("\"late\" waits for stream \"in\" up "
                                     "to 20, and the application"));
  run.Settle("late", 0, Timestamp(21));
  EXPECT_THAT(run.Cause(), HasSubstr("has not raised the bound of \"out\""));
  EXPECT_THAT(run.Find().advice, HasSubstr("SetNextTimestampBound()"));
}

TEST(StandstillTest, ABatchThatIsNotFullWaitsForTheEnd) {
  StillRun run(kDetector);
  run.Node("detector").batched_sets = 2;
  EXPECT_THAT(run.Cause(), HasSubstr("\"detector\" waits for stream "
                                     "\"frames\", and the application"));
}

TEST(StandstillTest, ACallThatDoesNotEnd) {
  StillRun run(kDetector);
  run.Queue("tracker", 0, 20);
  run.Node("detector").calls_in_flight = 1;
  run.Enter("detector");
  EXPECT_THAT(run.Cause(), HasSubstr("and \"detector\", which sends it, has "
                                     "been in Process at 20 on thread 7"));
  EXPECT_THAT(run.Find().advice, HasSubstr("the call of \"detector\""));
}

constexpr char kDiamond[] = R"(
  node { name: "source" calculator: "TestLambda" output_stream: "a" }
  node { name: "left" calculator: "TestLambda" input_stream: "a"
         output_stream: "l" }
  node { name: "right" calculator: "TestLambda" input_stream: "a"
         output_stream: "r" }
  node { name: "join" calculator: "TestLambda" input_stream: "l"
         input_stream: "r" })";

TEST(StandstillTest, FullQueuesThatHoldBackWhatWouldEmptyThem) {
  StillRun run(kDiamond);
  run.Source("source").is_paused = true;
  run.Queue("join", 0, 20);
  run.Node("join").inputs[0].is_full = true;
  run.Settle("left", 0, Timestamp(21));
  run.Settle("right", 0, Timestamp(15));
  EXPECT_EQ(run.Cause(),
            "full queues hold back what would empty them: \"join\" waits for "
            "stream \"r\" up to 20, and \"right\" waits for stream \"a\" up to "
            "20, and \"source\" is paused by the full queue of stream \"l\" at "
            "\"join\"");
  EXPECT_THAT(run.Find().advice, HasSubstr("max_queue_size"));
}

TEST(StandstillTest, AFullQueueWhoseReaderIsInACall) {
  StillRun run(kDiamond);
  run.Source("source").is_paused = true;
  run.Queue("left", 0, 20, 3);
  run.Node("left").inputs[0].is_full = true;
  run.Node("left").calls_in_flight = 1;
  run.Enter("left");
  EXPECT_EQ(run.Find().chain[0],
            "\"source\" is paused by the full queue of stream \"a\" at "
            "\"left\"");
  EXPECT_THAT(run.Cause(), HasSubstr("and that node has been in Process"));
}

TEST(StandstillTest, APollerThatNobodyReads) {
  StillRun run(kDiamond);
  run.Source("source").is_paused = true;
  run.view().pollers.push_back(
      {.stream = run.plan().FindStream("l"), .is_full = true});
  EXPECT_EQ(run.Cause(),
            "\"source\" is paused by the full poller of stream \"l\", which "
            "the application does not read");
  EXPECT_THAT(run.Find().advice, HasSubstr("Next()"));
}

TEST(StandstillTest, AnApplicationThatIsPausedAndOneThatIsNot) {
  StillRun run(R"(
    input_stream: "a" input_stream: "b"
    node { name: "join" calculator: "TestLambda" input_stream: "a"
           input_stream: "b" })");
  run.Queue("join", 0, 20);
  run.Node("join").inputs[0].is_full = true;
  const int b = run.plan().graph_inputs()[1].source;
  run.view().sources[b].is_paused = true;
  EXPECT_THAT(run.Cause(), Not(HasSubstr("is paused")))
      << "the full queue is not of that input";
}

TEST(StandstillTest, APollerThatWaitsForAnInput) {
  StillRun run(kDetector);
  run.view().pollers.push_back(
      {.stream = run.plan().FindStream("tracks"), .is_empty = true});
  EXPECT_EQ(run.Find().chain[0],
            "the application has a poller of stream \"tracks\"");
  EXPECT_THAT(run.Cause(), HasSubstr("and the application, which sends it"));
  run.Node("tracker").state = NodeState::kClosed;
  EXPECT_EQ(run.Cause(), "");
}

TEST(StandstillTest, PacketsThatWaitInsideOfANode) {
  StillRun run(R"(
    input_stream: "x"
    node { name: "fused" calculator: "TestLambda" input_stream: "x"
           output_stream: "y" }
    node { name: "join" calculator: "TestLambda" input_stream: "x"
           input_stream: "y" })");
  run.Queue("join", 0, 20);
  run.Settle("fused", 0, Timestamp(21));
  run.Node("fused").packets_inside = 2;
  run.Node("fused").where_inside = "\"p2\" (Join): 2 (for stream \"a\")";
  EXPECT_THAT(run.Cause(),
              HasSubstr("and \"fused\", which sends it, holds packets at parts "
                        "of it, which wait for others: \"p2\" (Join): 2 (for "
                        "stream \"a\")"));
  EXPECT_THAT(run.Find().advice, HasSubstr("Let the part of \"fused\""));
}

TEST(StandstillTest, ConditionsThatHoldANode) {
  StillRun run(R"(
    input_stream: "x"
    node { name: "held" calculator: "TestLambda" input_stream: "x"
           output_stream: "y" condition { type: "CountCondition" options {
             [syncline.CountConditionOptions.ext] { count: 1 } } } }
    node { name: "join" calculator: "TestLambda" input_stream: "x"
           input_stream: "y" })");
  run.Queue("join", 0, 20);
  run.Queue("held", 0, 20);
  run.Node("held").is_held = true;
  run.Node("held").conditions = {ConditionResult::Wait("it was called once")};
  EXPECT_THAT(run.Cause(), HasSubstr("and \"held\", which sends it, is held by "
                                     "condition \"CountCondition\", which "
                                     "says WAIT (it was called once)"));
  EXPECT_THAT(run.Find().advice, HasSubstr("Let happen what the condition"));
  run.Node("held").conditions = {ConditionResult::WaitUntil(7, "a time")};
  EXPECT_EQ(run.Find().advice, "") << "the time will come";
}

TEST(StandstillTest, ATimeThatWillComeIsTheCauseOnlyIfThereIsNoOther) {
  StillRun run(R"(
    input_stream: "x" input_stream: "y"
    node { name: "beat" calculator: "TestLambda" input_stream: "x"
           output_stream: "z" condition { type: "CountCondition" options {
             [syncline.CountConditionOptions.ext] { count: 1 } } } }
    node { name: "reader" calculator: "TestLambda" input_stream: "x"
           input_stream: "z" }
    node { name: "join" calculator: "TestLambda" input_stream: "x"
           input_stream: "y" })");
  run.Queue("beat", 0, 20);
  run.Queue("reader", 0, 20);
  run.Node("beat").is_held = true;
  run.Node("beat").conditions = {ConditionResult::WaitUntil(7, "a time")};
  EXPECT_TRUE(run.Find().waits_for_time);
  run.Queue("join", 0, 20);
  EXPECT_FALSE(run.Find().waits_for_time);
  EXPECT_THAT(run.Cause(), HasSubstr("\"join\" waits for stream \"y\""));
}

constexpr char kSidePacket[] = R"(
  node { name: "maker" calculator: "TestLambda" output_stream: "a"
         output_side_packet: "side" }
  node { name: "user" calculator: "TestLambda" input_stream: "a"
         input_side_packet: "side" output_stream: "b" }
  node { name: "last" calculator: "TestLambda" input_stream: "a"
         input_stream: "b" })";

TEST(StandstillTest, ASidePacketThatIsNeverSet) {
  StillRun run(kSidePacket);
  run.Node("user").state = NodeState::kWaiting;
  run.Missing("user").side_packets = {run.plan().FindSidePacket("side")};
  EXPECT_EQ(run.Cause(),
            "\"user\" is not open, as it waits for side packet \"side\", which "
            "\"maker\" has not set");
  EXPECT_THAT(run.Find().advice, HasSubstr("Optional()"));
}

TEST(StandstillTest, AHeaderOfANodeThatIsNotOpen) {
  StillRun run(kSidePacket);
  run.Node("user").state = NodeState::kWaiting;
  run.Missing("user").side_packets = {run.plan().FindSidePacket("side")};
  run.Node("last").state = NodeState::kWaiting;
  run.Missing("last").streams = {run.plan().FindStream("b")};
  EXPECT_EQ(run.Find().chain[0],
            "\"last\" is not open, as it waits for the header of stream "
            "\"b\"");
  EXPECT_THAT(run.Cause(), HasSubstr("which \"maker\" has not set"));
}

// Nothing is missing: the run is on its way there.
TEST(StandstillTest, ANodeThatIsAboutToBeOpenedIsNoStandstill) {
  StillRun run(kSidePacket);
  run.Node("user").state = NodeState::kWaiting;
  EXPECT_EQ(run.Cause(), "\"user\" is about to be opened");
  EXPECT_TRUE(run.Find().may_be_device);
  EXPECT_THAT(run.Find().advice, Not(IsEmpty()));
}

TEST(StandstillTest, ASourceOfALaterLayer) {
  StillRun run(R"(
    node { name: "endless" calculator: "TestLambda" output_stream: "a" }
    node { name: "later" calculator: "TestLambda" output_stream: "b"
           source_layer: 1 })");
  run.Source("later").is_pending = true;
  EXPECT_EQ(run.Cause(),
            "\"later\" waits for the sources of a lower source_layer to end, "
            "and \"endless\" is one of them and goes on");
  run.Enter("endless");
  EXPECT_THAT(run.Cause(), HasSubstr("and \"endless\", which is one of them, "
                                     "has been in Process on thread 7"));
  run.Send("endless", 3);
  EXPECT_FALSE(run.Find().may_be_device) << "another source waits for its end";
}

// Two nodes wait for one cause, one for another.
TEST(StandstillTest, OfSeveralCausesTheOneThatMostNodesWaitFor) {
  StillRun run(R"(
    input_stream: "a" input_stream: "b" input_stream: "c"
    node { name: "one" calculator: "TestLambda" input_stream: "a"
           input_stream: "c" output_stream: "d" }
    node { name: "two" calculator: "TestLambda" input_stream: "a"
           input_stream: "d" }
    node { name: "three" calculator: "TestLambda" input_stream: "b"
           input_stream: "a" })");
  run.Queue("one", 0, 20);
  run.Queue("two", 0, 20);
  run.Queue("three", 0, 30);
  EXPECT_THAT(run.Cause(), HasSubstr("\"one\" waits for stream \"c\""));
}

TEST(StandstillTest, OfALongChainTheEndIsShown) {
  std::string config = "input_stream: 's0' input_stream: 'x'";
  for (int i = 0; i < 40; ++i) {
    absl::StrAppend(&config, "node { name: 'n", i,
                    "' calculator: 'TestLambda' input_stream: 's", i,
                    "' output_stream: 's", i + 1, "' }");
  }
  absl::StrAppend(&config,
                  "node { name: 'join' calculator: 'TestLambda' input_stream: "
                  "'x' input_stream: 's40' }");
  StillRun run(config);
  run.Queue("join", 0, 20);
  EXPECT_EQ(run.Find().chain.size(), 42);
  const std::string text = StandstillText(run.Find());
  EXPECT_THAT(text, HasSubstr("(26 more before these)"));
  EXPECT_THAT(text, HasSubstr("the application has not sent that"));
  EXPECT_THAT(text, Not(HasSubstr("\"n30\" waits")));
}

// It may wait for its next frame.
TEST(StandstillTest, ASourceThatHasSentMayWaitForADevice) {
  StillRun run(kDiamond);
  run.Enter("source");
  EXPECT_THAT(run.Cause(), HasSubstr("\"source\" has been in Process"));
  EXPECT_FALSE(run.Find().may_be_device) << "it has sent nothing yet";
  run.Send("source", 1);
  EXPECT_TRUE(run.Find().may_be_device);
  run.Node("left").calls_in_flight = 1;
  run.Enter("left");
  EXPECT_THAT(run.Cause(), HasSubstr("\"left\" has been in Process"))
      << "what is no device counts more";
  EXPECT_FALSE(run.Find().may_be_device);
}

TEST(StandstillTest, ARunThatIsPaused) {
  StillRun run(kDetector);
  run.Queue("tracker", 0, 20);
  run.view().is_paused = true;
  EXPECT_EQ(run.Cause(), "the application has paused the run with Pause()");
}

TEST(StandstillTest, ASourceThatNobodyCalls) {
  StillRun run(kDiamond);
  EXPECT_EQ(run.Cause(), "") << "nobody waits for the run";
  run.view().waiters = {{.what = WaitReason::For::kDone}};
  EXPECT_EQ(run.Cause(),
            "\"source\" is ready to be called, but no thread of the default "
            "executor runs it");
}

TEST(StandstillTest, WhoWaitsInACallOfTheGraph) {
  StillRun run(kDetector);
  run.view().inputs = {{.is_open = true}};
  const int tracks = run.plan().FindStream("tracks");
  run.view().waiters = {{.what = WaitReason::For::kPacket, .stream = tracks}};
  EXPECT_EQ(run.Find().chain[0],
            "the application waits in Next() for stream \"tracks\"");
  run.view().waiters = {{.what = WaitReason::For::kObservedOutput}};
  run.view().observed_streams = {tracks};
  EXPECT_EQ(run.Find().chain[0],
            "the application waits for observed stream \"tracks\"");
  run.view().waiters = {{.what = WaitReason::For::kIdle}};
  EXPECT_EQ(run.Cause(),
            "the run waits for the end of graph input \"frames\", and the "
            "application, which sends it, has not sent that, nor closed it");
  run.view().inputs[0].is_open = false;
  EXPECT_EQ(run.Cause(), "");
}

TEST(StandstillTest, WhoFeedsAGraphInputIsNamed) {
  StillRun run(kDetector);
  run.Queue("tracker", 0, 20);
  run.view().inputs = {{.is_open = true, .feeder = "--input=frames=pipe"}};
  EXPECT_THAT(run.Cause(),
              HasSubstr("and --input=frames=pipe, which sends it, has nothing "
                        "more so far, and has not ended"));
  EXPECT_FALSE(run.Find().may_be_device);
  run.view().inputs[0].has_fed = true;
  EXPECT_TRUE(run.Find().may_be_device);
}

TEST(StandstillTest, AnObserverThatNoCallOfANodeHasCalled) {
  StillRun run(kDetector);
  run.view().calls.push_back(
      {.thread = 7, .observed_stream = run.plan().FindStream("frames")});
  EXPECT_EQ(run.Cause(),
            "thread 7 is in an observer of stream \"frames\", which has not "
            "returned");
  run.view().observer_names = {
      {run.view().calls[0].observed_stream, "--output=frames=pipe"}};
  EXPECT_EQ(run.Cause(),
            "thread 7 is sending stream \"frames\" to --output=frames=pipe, "
            "which takes nothing more");
}

TEST(StandstillTest, AllWhoWaitAreNamed) {
  StillRun run(kDetector);
  EXPECT_EQ(WaitersText(run.plan(), run.view()), "");
  run.view().waiters = {{.what = WaitReason::For::kDone},
                        {.what = WaitReason::For::kDone},
                        {.what = WaitReason::For::kPacket,
                         .stream = run.plan().FindStream("tracks")}};
  EXPECT_EQ(WaitersText(run.plan(), run.view()),
            "Who waits for the run: Next() of a poller of \"tracks\", "
            "WaitUntilDone() (2 threads).\n");
}

// Its user knows nothing of WaitUntilDone().
TEST(StandstillTest, OfAProgramThatWaitsAnywayOnlyOtherWaitersAreNamed) {
  StillRun run(kDetector);
  run.view().program_waits = true;
  run.view().waiters = {{.what = WaitReason::For::kDone}};
  EXPECT_EQ(WaitersText(run.plan(), run.view()), "");
  // Who feeds an input in place of the application is no call of it either.
  run.view().inputs = {{.is_open = true, .feeder = "the pipe"}};
  run.view().waiters.push_back({.what = WaitReason::For::kRoom,
                                .stream = run.plan().FindStream("frames")});
  EXPECT_EQ(WaitersText(run.plan(), run.view()), "");
  run.view().waiters.push_back({.what = WaitReason::For::kIdle});
  EXPECT_EQ(WaitersText(run.plan(), run.view()),
            "Who waits for the run: WaitUntilIdle().\n");
  run.view().inputs[0].feeder.clear();
  EXPECT_THAT(WaitersText(run.plan(), run.view()),
              HasSubstr("AddPacketToInputStream() of \"frames\""));
}

TEST(StandstillTest, AProgramMayWaitThoughNoThreadDoes) {
  StillRun run(kDetector);
  run.view().inputs = {{.is_open = true, .feeder = "the pipe"}};
  EXPECT_EQ(run.Cause(), "");
  run.view().program_waits = true;
  EXPECT_EQ(run.Cause(),
            "the run waits for the end of graph input \"frames\", and the "
            "pipe, which sends it, has nothing more so far, and has not ended");
}

TEST(StandstillTest, HowLongACallLastsStandsAtTheEndOfTheCause) {
  EXPECT_EQ(
      StandstillText({.cause = "a", .lasting = " for 3.2 s", .chain = {"a"}}),
      "a for 3.2 s.\n");
}

TEST(StandstillTest, TheTextHasCauseChainAndAdvice) {
  EXPECT_EQ(StandstillText(
                {.cause = "a, and b", .chain = {"a", "b"}, .advice = "Do."}),
            "a, and b.\nWhat to do: Do.\n");
  EXPECT_EQ(StandstillText({.cause = "b, and c", .chain = {"a", "b", "c"}}),
            "b, and c.\nWhat waits for that:\n  a\n  b\n  c\n");
}

}  // namespace
}  // namespace syncline
