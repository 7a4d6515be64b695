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
#include "framework/report/report_test_support.h"
#include "framework/report/run_view.h"
#include "framework/scheduler/waiters.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A run whose nodes are open, have come as far as 10, and wait for nothing.
class StillRun {
 public:
  explicit StillRun(absl::string_view config)
      : plan_(TestPlan(std::string(config))) {
    for (const PlanNode& node : plan_.nodes()) {
      view_.nodes.push_back(
          OpenNode(static_cast<int>(node.inputs.size()), Timestamp(10)));
    }
    view_.missing.resize(view_.nodes.size());
    view_.sources.resize(plan_.sources().size());
  }

  int Id(absl::string_view name) const {
    for (const PlanNode& node : plan_.nodes()) {
      if (node.name == name) return node.id;
    }
    ADD_FAILURE() << "no node " << name;
    return 0;
  }
  NodeSnapshot& Node(absl::string_view name) { return view_.nodes[Id(name)]; }
  MissingToOpen& Missing(absl::string_view name) {
    return view_.missing[Id(name)];
  }
  RunView::Source& Source(absl::string_view name) {
    return view_.sources[plan_.nodes()[Id(name)].sources.position];
  }
  RunView& view() { return view_; }
  const GraphPlan& plan() const { return plan_; }

  // Packets wait there, the first of them at `time`.
  void Queue(absl::string_view name, int port, int time, int size = 1) {
    NodeSnapshot::Input& input = Node(name).inputs[port];
    input.queue_size = size;
    input.min_timestamp_or_bound = Timestamp(time);
    input.bound = Timestamp(time + size);
  }
  // All that came has been processed, up to before `bound`.
  void Settle(absl::string_view name, int port, Timestamp bound) {
    NodeSnapshot::Input& input = Node(name).inputs[port];
    input.bound = input.min_timestamp_or_bound = bound;
  }

  // A thread is in a call of the node.
  void Enter(absl::string_view name) {
    const void* const call = &Node(name);
    Node(name).calls = {call};
    view_.calls.push_back(
        {.call = call, .timestamp = Timestamp(20), .thread = 7});
  }
  // The node has sent so many packets on its first output.
  void Send(absl::string_view name, int packets) {
    Node(name).outputs.resize(1);
    Node(name).outputs[0].packets_added = packets;
  }

  Standstill Find() const { return FindStandstill(plan_, view_); }
  std::string Cause() const { return Find().cause; }

 private:
  const GraphPlan plan_;
  RunView view_;
};

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

TEST(StandstillTest, ALoopThatHasNotAnsweredANodeThatHoldsPacketsBack) {
  EXPECT_EQ(
      LimiterRun().Cause(),
      "\"limiter\" waits for stream \"done\", and \"detector\", which sends "
      "it, has taken 1 packet, and has sent none on \"done\"");
}

TEST(StandstillTest, WhoHasNotAnsweredMayStandAnywhereInTheLoop) {
  LimiterRun run;
  run.Send("before", 0);
  run.Pass("detector", 0, 0);
  EXPECT_EQ(
      run.Cause(),
      "\"detector\" waits for stream \"mid\", and \"before\", which sends "
      "it, has taken 1 packet, and has sent none on \"mid\"");
}

// Then all waits for the next packet, which may be a device's.
TEST(StandstillTest, ALoopIsNotWaitedForOnceItHasAnswered) {
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

TEST(StandstillTest, ADelayLineInALoopIsNotWaitedForOnceALimiterHasDropped) {
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

TEST(StandstillTest, ADelayLineIsWaitedForWhileALimiterHoldsAPacket) {
  DelayLineRun run;
  run.Node("limiter").outputs[0].bound = Timestamp(9);
  EXPECT_EQ(
      run.Cause(),
      "\"limiter\" waits for stream \"done\", and \"detector\", which sends "
      "it, has taken 4 packets, and has sent 2 on \"done\"");
}

// One that keeps no queue has dropped what came since.
TEST(StandstillTest, ALimiterThatHasDroppedAllWaitsForALoopWithoutAnAnswer) {
  LimiterRun run;
  run.Node("limiter").outputs[0].bound = Timestamp(10);
  EXPECT_THAT(run.Cause(), HasSubstr("\"detector\", which sends it, has taken "
                                     "1 packet, and has sent none"));
}

// A limiter that says itself whether it waits for its loop is asked, whatever
// it has taken and sent.
TEST(StandstillTest, ALimiterThatSaysThatItWaitsIsBelieved) {
  DelayLineRun run;
  run.Node("limiter").awaited_loop_input = 1;
  EXPECT_EQ(
      run.Cause(),
      "\"limiter\" waits for stream \"done\", and \"detector\", which sends "
      "it, has taken 4 packets, and has sent 2 on \"done\"");
  for (const int none : {-1, 2, -7}) {
    run.Node("limiter").awaited_loop_input = none;
    EXPECT_TRUE(run.Find().may_be_device) << none;
  }
  run.Node("limiter").outputs[0].bound = Timestamp(9);
  EXPECT_TRUE(run.Find().may_be_device) << "what it holds it lets in by itself";
}

// A filter says by its bound that a packet has no result.
TEST(StandstillTest, WhoHasSaidThatAPacketHasNoResultOwesNoAnswer) {
  LimiterRun run;
  run.Node("limiter").awaited_loop_input = 1;
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
TEST(StandstillTest, AFilterOwesAnAnswerToALimiterThatGoesOnForNoBound) {
  LimiterRun run;
  run.Node("limiter").awaited_loop_input = 1;
  run.Settle("limiter", 1, Timestamp(6));
  run.Node("detector").outputs[0].bound = Timestamp(6);
  run.Settle("detector", 0, Timestamp(6));
  EXPECT_EQ(
      run.Cause(),
      "\"limiter\" waits for stream \"done\", and \"detector\", which sends "
      "it, has taken 1 packet, and has sent none on \"done\"");
}

TEST(StandstillTest, ACameraThatPausesHidesNoLoopThatOwesAnAnswer) {
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
  run.Node("limiter").awaited_loop_input = -1;
  EXPECT_THAT(run.Cause(), HasSubstr("\"camera\" has been in Process"));
  EXPECT_TRUE(run.Find().may_be_device);
  run.Node("limiter").awaited_loop_input = 1;
  EXPECT_EQ(
      run.Cause(),
      "\"limiter\" waits for stream \"done\", and \"detector\", which sends "
      "it, has taken 3 packets, and has sent 2 on \"done\"");
  EXPECT_FALSE(run.Find().may_be_device);
}

// "join" has taken more of the positions, which come from outside, than it has
// sent; it waits for one that a device may yet have.
TEST(StandstillTest, AJoinInALoopThatWaitsForADeviceOwesNoAnswer) {
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
  run.Node("limiter").awaited_loop_input = 1;
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

TEST(StandstillTest, ALoopThatOwesAsMuchAsBeforeIsTheSameStandstill) {
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
TEST(StandstillTest, PacketsThatALimiterGetsFromLoopsAreNoneThatItHoldsBack) {
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

TEST(StandstillTest, ABackEdgeThatNobodyStarts) {
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

constexpr char kLimiter[] = R"(
  input_stream: "in"
  node { name: "limiter" calculator: "TestLambda" input_stream: "in"
         input_stream: "done" output_stream: "some"
         input_stream_info { tag_index: ":1" back_edge: true } }
  node { name: "detector" calculator: "TestLambda" input_stream: "some"
         output_stream: "done" })";

TEST(StandstillTest, ALoopThatWasStartedEndsWhereAPacketWasLost) {
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
  run.view().waiters.push_back({.what = WaitReason::For::kIdle});
  EXPECT_EQ(WaitersText(run.plan(), run.view()),
            "Who waits for the run: WaitUntilIdle().\n");
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
