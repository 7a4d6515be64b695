// Loops that stand still in runs that go on: FindStillLoops.

#include <string>
#include <utility>
#include <vector>

#include "framework/condition/condition_result.h"
#include "framework/node/node_snapshot.h"
#include "framework/packet/timestamp.h"
#include "framework/report/standstill.h"
#include "framework/report/still_run_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// A limiter that waits for its loop, in which two nodes have had all packets
// that it let in, and have sent them. Nothing is queued.
class StillLoopTest : public ::testing::Test {
 protected:
  explicit StillLoopTest(const std::string& last = "")
      : run_(R"(
          input_stream: "in" input_stream: "tick"
          allocator { name: "blocks" type: "BlockMemoryPool" options {
            [syncline.BlockMemoryPoolOptions.ext] {
              block_size: 64 num_blocks: 3 } } }
          node { name: "limiter" calculator: "TestLambda" input_stream: "in"
                 input_stream: "done" output_stream: "some"
                 input_stream_info { tag_index: ":1" back_edge: true } }
          node { name: "first" calculator: "TestLambda" input_stream: "some"
                 output_stream: "mid" }
          node { name: "last" calculator: "TestLambda" input_stream: "mid"
                 output_stream: "done" )" +
             last + "}") {
    run_.AwaitLoop("limiter", 1);
    Pass("limiter", 4, 4);
    Pass("first", 4, 4);
    Pass("last", 4, 4);
  }

  void Pass(const std::string& name, int taken, int sent) {
    run_.Node(name).inputs[0].packets_added = taken;
    run_.Send(name, sent);
    run_.Node(name).outputs[0].bound = Timestamp(10);
  }
  void LoseOneAt(const std::string& name) {
    run_.Send(name, 3);
    run_.Node(name).outputs[0].bound = Timestamp(9);
  }
  void HoldWith(const std::string& name, ConditionResult result) {
    run_.Node(name).is_held = true;
    run_.Node(name).conditions = {result};
  }
  std::vector<StillLoop> Find() {
    return FindStillLoops(run_.plan(), run_.view());
  }

  StillRun run_;
};

TEST_F(StillLoopTest, ANodeThatHasSentLessThanItTookOwesTheAnswer) {
  LoseOneAt("last");
  const std::vector<StillLoop> loops = Find();
  ASSERT_THAT(loops, SizeIs(1));
  EXPECT_EQ(loops[0].gate, run_.Id("limiter"));
  EXPECT_EQ(loops[0].standstill.last_node, run_.Id("last"));
  EXPECT_EQ(loops[0].in_vain_after, 1);
}

TEST_F(StillLoopTest, ACallThatTakesLongIsNamedLater) {
  run_.Enter("first");
  const std::vector<StillLoop> loops = Find();
  ASSERT_THAT(loops, SizeIs(1));
  EXPECT_EQ(loops[0].standstill.cause,
            "\"last\" waits for stream \"mid\", and \"first\", which sends it, "
            "has been in Process at 20 on thread 7");
  EXPECT_GE(loops[0].in_vain_after, 10);
  EXPECT_TRUE(loops[0].standstill.is_new_if_longer);
}

// The call may yet lead to the answer.
TEST_F(StillLoopTest, WhileACallGoesOnNobodyElseIsNamed) {
  LoseOneAt("last");
  run_.Enter("first");
  EXPECT_THAT(Find(), IsEmpty());
}

class HeldLoopTest : public StillLoopTest {
 protected:
  HeldLoopTest()
      : StillLoopTest(R"(condition { name: "on" type: "BooleanCondition" })") {}
};

TEST_F(HeldLoopTest, ANodeThatIsSwitchedOffIsNamed) {
  Pass("last", 3, 3);
  run_.Queue("last", 0, 9);
  HoldWith("last", ConditionResult::WaitForEvent("enable_tick"));
  const std::vector<StillLoop> loops = Find();
  ASSERT_THAT(loops, SizeIs(1));
  EXPECT_EQ(loops[0].standstill.last_node, run_.Id("last"));
  EXPECT_EQ(loops[0].in_vain_after, 1);
}

class MemoryLoopTest : public StillLoopTest {
 protected:
  MemoryLoopTest()
      : StillLoopTest(R"(condition { name: "memory"
                          type: "MemoryAvailableCondition" options {
          [syncline.MemoryAvailableConditionOptions.ext] {
            allocator: "blocks" min_blocks: 1 } } })") {}
};

// Somebody may be in a call with the packets that hold it.
TEST_F(MemoryLoopTest, ANodeThatWaitsForMemoryIsNamedLater) {
  Pass("last", 3, 3);
  run_.Queue("last", 0, 9);
  HoldWith("last", ConditionResult::WaitForEvent("memory"));
  const std::vector<StillLoop> loops = Find();
  ASSERT_THAT(loops, SizeIs(1));
  EXPECT_GE(loops[0].in_vain_after, 10);
}

TEST_F(HeldLoopTest, ATimeOrAnEventFromOutsideEndsAWait) {
  Pass("last", 3, 3);
  run_.Queue("last", 0, 9);
  HoldWith("last", ConditionResult::WaitUntil(5, "a time"));
  EXPECT_THAT(Find(), IsEmpty());
  ConditionResult from_outside = ConditionResult::WaitForEvent("EVENT_DONE");
  from_outside.holds_time = true;
  HoldWith("last", from_outside);
  EXPECT_THAT(Find(), IsEmpty());
}

// "last" is called for each packet by itself, and the next one of "tick" may be
// what it answers at.
class TickedLoopTest : public StillLoopTest {
 protected:
  TickedLoopTest()
      : StillLoopTest(R"(input_stream: "tick" input_stream_handler {
          input_stream_handler: "ImmediateInputStreamHandler" })") {
    LoseOneAt("last");
  }
};

TEST_F(TickedLoopTest, WhoMayBeAnsweredByAnInputFromOutsideIsNotNamed) {
  EXPECT_THAT(Find(), IsEmpty());
  run_.Settle("last", 1, Timestamp::Done());
  EXPECT_THAT(Find(), SizeIs(1));
}

}  // namespace
}  // namespace syncline
