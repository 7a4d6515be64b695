// What FindStandstill names as the cause where nodes wait for a loop: one that
// nobody has started, one that has lost a packet, and one that keeps some.

#include <string>

#include "absl/strings/string_view.h"
#include "framework/node/node_snapshot.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/run_view.h"
#include "framework/report/standstill.h"
#include "framework/report/still_run_test_support.h"
#include "framework/scheduler/waiters.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

TEST(StandstillLoopTest, ABackEdgeThatNobodyStarts) {
  StillRun run(R"(
    input_stream: "in"
    node { name: "merge" calculator: "TestLambda" input_stream: "in"
           input_stream: "loop" output_stream: "merged"
           input_stream_info { tag_index: ":1" back_edge: true } }
    node { name: "state" calculator: "TestLambda" input_stream: "merged"
           output_stream: "loop" })");
  run.Queue("merge", 0, 20);
  EXPECT_EQ(run.Cause(),
            "\"merge\" waits for stream \"loop\" up to 20, a back edge, which "
            "nothing has started: \"state\" sends it only after \"merge\" has "
            "sent something");
  EXPECT_THAT(run.Find().advice, HasSubstr("let \"state\" send a first"));
}

constexpr char kLongLoop[] = R"(
  input_stream: "in"
  node { name: "limiter" calculator: "TestLambda" input_stream: "X:0:in"
         input_stream: "X:1:done" output_stream: "some"
         input_stream_info { tag_index: "X:1" back_edge: true } }
  node { name: "before" calculator: "TestLambda" input_stream: "some"
         output_stream: "mid" }
  node { name: "detector" calculator: "TestLambda" input_stream: "mid"
         output_stream: "done" })";

// A run of kLongLoop in which the limiter has taken three packets and sent one,
// at 5, and nobody has anything queued.
class LimiterRun : public StillRun {
 public:
  LimiterRun() : StillRun(kLongLoop) {
    view().inputs = {{.is_open = true, .has_fed = true, .feeder = "the pipe"}};
    view().waiters = {{.what = WaitReason::For::kDone}};
    Pass("limiter", 0, 3);
    Pass("before", 0, 1);
    Send("limiter", 1);
    Send("before", 1);
    Node("limiter").outputs[0].bound = Timestamp(6);
    Settle("limiter", 1, Timestamp(5));
    Send("detector", 0);
    Pass("detector", 0, 1);
  }
  // So many packets came there, and were taken.
  void Pass(absl::string_view name, int port, int packets) {
    Node(name).inputs[port].packets_added = packets;
  }
};

TEST(StandstillLoopTest, ALoopThatHasNotAnsweredANodeThatHoldsPacketsBack) {
  EXPECT_EQ(
      LimiterRun().Cause(),
      "\"limiter\" waits for stream \"done\", and \"detector\", which sends "
      "it, has taken 1 packet, and has sent none on \"done\"");
}

TEST(StandstillLoopTest, WhoHasNotAnsweredMayStandAnywhereInTheLoop) {
  LimiterRun run;
  run.Send("before", 0);
  run.Pass("detector", 0, 0);
  EXPECT_EQ(
      run.Cause(),
      "\"detector\" waits for stream \"mid\", and \"before\", which sends "
      "it, has taken 1 packet, and has sent none on \"mid\"");
}

// Then all waits for the next packet, which may be a device's.
TEST(StandstillLoopTest, ALoopIsNotWaitedForOnceItHasAnswered) {
  LimiterRun by_packet;
  by_packet.Pass("limiter", 1, 1);
  LimiterRun by_bound;
  by_bound.Settle("limiter", 1, Timestamp(6));
  LimiterRun all_sent;
  all_sent.Send("limiter", 3);
  all_sent.Pass("limiter", 0, 3);
  for (const LimiterRun* const run : {&by_packet, &by_bound, &all_sent}) {
    EXPECT_THAT(run->Cause(), HasSubstr("the pipe, which sends it, has nothing "
                                        "more so far"));
    EXPECT_TRUE(run->Find().may_be_device);
  }
}

// The limiter has let four packets in, of which two are in a delay line, and
// has dropped two others, which came while it let none in.
class DelayLineRun : public LimiterRun {
 public:
  DelayLineRun() {
    Pass("limiter", 0, 6);
    Send("limiter", 4);
    Node("limiter").outputs[0].bound = Timestamp(10);
    Pass("before", 0, 4);
    Send("before", 4);
    Pass("detector", 0, 4);
    Send("detector", 2);
    Pass("limiter", 1, 2);
    Settle("limiter", 1, Timestamp(3));
  }
};

TEST(StandstillLoopTest,
     ADelayLineInALoopIsNotWaitedForOnceALimiterHasDropped) {
  DelayLineRun run;
  EXPECT_THAT(run.Cause(), HasSubstr("the pipe, which sends it, has nothing "
                                     "more so far"));
  EXPECT_TRUE(run.Find().may_be_device);
  run.view().pollers.push_back(
      {.stream = run.plan().FindStream("done"), .is_empty = true});
  EXPECT_EQ(run.Cause(),
            "\"limiter\" waits for stream \"in\", and the pipe, which sends "
            "it, has nothing more so far, and has not ended");
}

TEST(StandstillLoopTest, ADelayLineIsWaitedForWhileALimiterHoldsAPacket) {
  DelayLineRun run;
  run.Node("limiter").outputs[0].bound = Timestamp(9);
  EXPECT_EQ(
      run.Cause(),
      "\"limiter\" waits for stream \"done\", and \"detector\", which sends "
      "it, has taken 4 packets, and has sent 2 on \"done\"");
}

// One that keeps no queue has dropped what came since.
TEST(StandstillLoopTest,
     ALimiterThatHasDroppedAllWaitsForALoopWithoutAnAnswer) {
  LimiterRun run;
  run.Node("limiter").outputs[0].bound = Timestamp(10);
  EXPECT_THAT(run.Cause(), HasSubstr("\"detector\", which sends it, has taken "
                                     "1 packet, and has sent none"));
}

// A limiter that says itself whether it waits for its loop is asked, whatever
// it has taken and sent.
TEST(StandstillLoopTest, ALimiterThatSaysThatItWaitsIsBelieved) {
  DelayLineRun run;
  run.AwaitLoop("limiter", 1);
  EXPECT_EQ(
      run.Cause(),
      "\"limiter\" waits for stream \"done\", and \"detector\", which sends "
      "it, has taken 4 packets, and has sent 2 on \"done\"");
  run.AwaitLoop("limiter", -1);
  EXPECT_TRUE(run.Find().may_be_device);
  run.Node("limiter").outputs[0].bound = Timestamp(9);
  EXPECT_TRUE(run.Find().may_be_device) << "what it holds it lets in by itself";
}

// "join" needs what comes along with the frames, which the second camera has
// not sent so far.
TEST(StandstillLoopTest, ALimiterOfTwoStreamsWaitsForTheOtherOne) {
  StillRun run(R"(
    input_stream: "frames" input_stream: "poses"
    node { name: "limiter" calculator: "TestLambda" input_stream: "frames"
           input_stream: "poses" input_stream: "done"
           output_stream: "some" output_stream: "their"
           input_stream_info { tag_index: ":2" back_edge: true } }
    node { name: "join" calculator: "TestLambda" input_stream: "some"
           input_stream: "their" output_stream: "done" })");
  run.view().inputs = {
      {.is_open = true, .has_fed = true, .feeder = "the camera"},
      {.is_open = true, .has_fed = true, .feeder = "the other one"}};
  run.AwaitLoop("limiter", 2);
  run.Settle("limiter", 0, Timestamp(30));
  run.Settle("limiter", 1, Timestamp(20));
  run.Settle("limiter", 2, Timestamp(20));
  run.Queue("join", 0, 20);
  run.Settle("join", 1, Timestamp(20));
  EXPECT_EQ(run.Cause(),
            "\"limiter\" waits for stream \"poses\" up to 20, and the other "
            "one, which sends it, has nothing more so far, and has not ended");
  EXPECT_TRUE(run.Find().may_be_device);
}

// The batch is larger than what the limiter lets in.
TEST(StandstillLoopTest, ABatchInALoopThatIsNotFullIsNamed) {
  LimiterRun run;
  run.AwaitLoop("limiter", 1);
  run.Node("detector").batched_sets = 1;
  EXPECT_EQ(run.Cause(),
            "\"limiter\" waits for stream \"done\", and \"detector\", which "
            "sends it, has collected 1 input set for a batch that is not full, "
            "and gets no more before it has answered");
  EXPECT_THAT(run.Find().advice, HasSubstr("no larger than what \"limiter\" "
                                           "lets in"));
}

// A filter says by its bound that a packet has no result.
TEST(StandstillLoopTest, WhoHasSaidThatAPacketHasNoResultOwesNoAnswer) {
  LimiterRun run;
  run.AwaitLoop("limiter", 1);
  run.Pass("before", 0, 5);
  run.Send("before", 4);
  run.Pass("detector", 0, 4);
  run.Settle("detector", 0, Timestamp(5));
  run.Send("detector", 3);
  run.Node("detector").outputs[0].bound = Timestamp(5);
  EXPECT_EQ(
      run.Cause(),
      "\"detector\" waits for stream \"mid\", and \"before\", which sends "
      "it, has taken 5 packets, and has sent 4 on \"mid\"");
}

// A limiter that counts packets is not helped by bounds.
TEST(StandstillLoopTest, AFilterOwesAnAnswerToALimiterThatGoesOnForNoBound) {
  LimiterRun run;
  run.AwaitLoop("limiter", 1);
  run.Settle("limiter", 1, Timestamp(6));
  run.Node("detector").outputs[0].bound = Timestamp(6);
  run.Settle("detector", 0, Timestamp(6));
  EXPECT_EQ(
      run.Cause(),
      "\"limiter\" waits for stream \"done\", and \"detector\", which sends "
      "it, has taken 1 packet, and has sent none on \"done\"");
}

TEST(StandstillLoopTest, ACameraThatPausesHidesNoLoopThatOwesAnAnswer) {
  StillRun run(R"(
    node { name: "camera" calculator: "TestLambda" output_stream: "frames" }
    node { name: "limiter" calculator: "TestLambda" input_stream: "frames"
           input_stream: "done" output_stream: "some"
           input_stream_info { tag_index: ":1" back_edge: true } }
    node { name: "detector" calculator: "TestLambda" input_stream: "some"
           output_stream: "done" })");
  run.Enter("camera");
  run.Send("camera", 4);
  run.Send("detector", 2);
  run.Node("detector").inputs[0].packets_added = 3;
  run.AwaitLoop("limiter", -1);
  EXPECT_THAT(run.Cause(), HasSubstr("\"camera\" has been in Process"));
  EXPECT_TRUE(run.Find().may_be_device);
  run.AwaitLoop("limiter", 1);
  EXPECT_EQ(
      run.Cause(),
      "\"limiter\" waits for stream \"done\", and \"detector\", which sends "
      "it, has taken 3 packets, and has sent 2 on \"done\"");
  EXPECT_FALSE(run.Find().may_be_device);
}

// "join" has taken more of the positions, which come from outside, than it has
// sent; it waits for one that a device may yet have.
TEST(StandstillLoopTest, AJoinInALoopThatWaitsForADeviceOwesNoAnswer) {
  StillRun run(R"(
    input_stream: "frames" input_stream: "positions"
    node { name: "limiter" calculator: "TestLambda" input_stream: "frames"
           input_stream: "done" output_stream: "some"
           input_stream_info { tag_index: ":1" back_edge: true } }
    node { name: "join" calculator: "TestLambda" input_stream: "some"
           input_stream: "positions" output_stream: "done" })");
  run.view().inputs = {
      {.is_open = true, .has_fed = true, .feeder = "the camera"},
      {.is_open = true, .has_fed = true, .feeder = "the receiver"}};
  run.AwaitLoop("limiter", 1);
  run.Queue("join", 0, 20);
  run.Node("join").inputs[0].packets_added = 4;
  run.Node("join").inputs[1].packets_added = 7;
  run.Send("join", 3);
  EXPECT_EQ(run.Cause(),
            "\"join\" waits for stream \"positions\" up to 20, and the "
            "receiver, which sends it, has nothing more so far, and has not "
            "ended");
  EXPECT_TRUE(run.Find().may_be_device);
}

TEST(StandstillLoopTest, ALoopThatOwesAsMuchAsBeforeIsTheSameStandstill) {
  DelayLineRun before;
  DelayLineRun same;
  DelayLineRun worse;
  for (DelayLineRun* const run : {&before, &same, &worse}) {
    run->Node("limiter").outputs[0].bound = Timestamp(9);
  }
  same.Pass("detector", 0, 5);
  same.Send("detector", 3);
  worse.Pass("detector", 0, 5);
  EXPECT_NE(same.Cause(), before.Cause());
  EXPECT_EQ(same.Find().told_as, before.Find().told_as);
  EXPECT_NE(worse.Find().told_as, before.Find().told_as);
  EXPECT_FALSE(before.Find().is_new_once_moved);
}

// All of the first input were let in. The second loop ticks.
TEST(StandstillLoopTest,
     PacketsThatALimiterGetsFromLoopsAreNoneThatItHoldsBack) {
  StillRun run(R"(
    input_stream: "in"
    node { name: "limiter" calculator: "TestLambda" input_stream: "X:0:in"
           input_stream: "X:1:done" input_stream: "X:2:tick"
           output_stream: "some"
           input_stream_info { tag_index: "X:1" back_edge: true }
           input_stream_info { tag_index: "X:2" back_edge: true } }
    node { name: "detector" calculator: "TestLambda" input_stream: "some"
           output_stream: "done" output_stream: "tick" })");
  run.view().inputs = {
      {.is_open = true, .has_fed = true, .feeder = "the pipe"}};
  run.view().waiters = {{.what = WaitReason::For::kDone}};
  run.Send("limiter", 1);
  run.Node("limiter").outputs[0].bound = Timestamp(6);
  run.Node("limiter").inputs[0].packets_added = 1;
  run.Node("limiter").inputs[2].packets_added = 5;
  run.Settle("limiter", 1, Timestamp(5));
  run.Send("detector", 0);
  run.Node("detector").inputs[0].packets_added = 1;
  EXPECT_THAT(run.Cause(), HasSubstr("the pipe, which sends it, has nothing "
                                     "more so far"));
  run.Node("limiter").inputs[0].packets_added = 2;
  EXPECT_THAT(run.Cause(), HasSubstr("\"detector\", which sends it, has taken "
                                     "1 packet, and has sent none"));
}

constexpr char kLimiter[] = R"(
  input_stream: "in"
  node { name: "limiter" calculator: "TestLambda" input_stream: "in"
         input_stream: "done" output_stream: "some"
         input_stream_info { tag_index: ":1" back_edge: true } }
  node { name: "detector" calculator: "TestLambda" input_stream: "some"
         output_stream: "done" })";

TEST(StandstillLoopTest, ALoopThatWasStartedEndsWhereAPacketWasLost) {
  StillRun run(kLimiter);
  run.Settle("limiter", 1, Timestamp(5));
  run.view().pollers.push_back(
      {.stream = run.plan().FindStream("done"), .is_empty = true});
  run.Send("detector", 0);
  run.Send("limiter", 1);
  run.Node("limiter").inputs[0].packets_added = 2;
  run.Node("limiter").outputs[0].bound = Timestamp(6);
  run.Node("detector").inputs[0].packets_added = 1;
  EXPECT_EQ(run.Cause(),
            "\"limiter\" waits for stream \"done\", and \"detector\", which "
            "sends it, has taken 1 packet, and has sent none on \"done\"");
  EXPECT_THAT(run.Find().advice, HasSubstr("Let \"detector\" send a packet"));
  run.Send("detector", 1);
  run.Node("detector").outputs[0].bound = Timestamp(5);
  EXPECT_THAT(run.Cause(), HasSubstr("\"detector\", which sends it, has taken "
                                     "1 packet, and has not come as far on "
                                     "\"done\", only up to 4"))
      << "the packet has another time";
  run.Node("detector").outputs[0].bound = Timestamp(10);
  EXPECT_THAT(run.Cause(), HasSubstr("a back edge, which nothing has started"))
      << "every packet went round";
}

}  // namespace
}  // namespace syncline
