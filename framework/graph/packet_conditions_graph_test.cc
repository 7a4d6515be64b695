// Conditions on packets that wait and on memory, in whole graphs: how many
// packets there are at a call, what becomes of the rest at the end, and that
// memory that was waited for is there.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/graph_clock.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/context.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/memory/allocator.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PacketConditionsGraphTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(PacketConditionsGraphTest);

constexpr std::int64_t kMs = 1'000'000;

std::string Condition(const std::string& type, const std::string& options) {
  return absl::StrCat(" condition { type: \"", type, "\" options { [syncline.",
                      type, "Options.ext] { ", options, " } } }");
}

// A node that writes down when each packet of "in" was processed.
class Timed {
 public:
  Timed(const Workers& workers, const std::string& condition)
      : graph_(workers,
               absl::StrCat("clock { type: \"SyntheticClock\" } "
                            "input_stream: \"in\" node { calculator: "
                            "\"TestLambdaOffset\" input_side_packet: "
                            "\"PROCESS:f\" input_stream: \"in\" output_stream: "
                            "\"out\"",
                            condition, " }")) {
    graph_.Give("f", [this](CalculatorContext* cc) {
      calls_.push_back(absl::StrCat(cc->InputTimestamp().Value(), "@",
                                    cc->Clock()->NowNs() / kMs));
      return absl::OkStatus();
    });
    graph_.Start();
  }

  void Add(std::int64_t timestamp) { graph_.Add("in", timestamp, 0); }
  void At(std::int64_t ms) {
    SYNCLINE_EXPECT_OK(graph_.graph().GetClock()->AdvanceTo(ms * kMs));
  }
  // What has been processed, once nothing else can be at this time.
  const std::vector<std::string>& Calls() {
    graph_.Idle();
    return calls_;
  }
  const std::vector<std::string>& CallsAtTheEnd() {
    graph_.Finish();
    return calls_;
  }

 private:
  TestGraph graph_;
  // Written by calls, which come one after the other.
  std::vector<std::string> calls_;
};

TEST_P(PacketConditionsGraphTest, ANodeWaitsForSoManyPackets) {
  Timed node(GetParam(), Condition("MessageAvailableCondition", "min_size: 3"));
  node.Add(1);
  node.Add(2);
  EXPECT_THAT(node.Calls(), ElementsAre());
  node.Add(3);
  EXPECT_THAT(node.Calls(), ElementsAre("1@0"));
  node.Add(4);
  EXPECT_THAT(node.Calls(), ElementsAre("1@0", "2@0"));
  EXPECT_THAT(node.CallsAtTheEnd(), ElementsAre("1@0", "2@0", "3@0", "4@0"));
}

TEST_P(PacketConditionsGraphTest, AStrictNodeLeavesTheRestAtTheEnd) {
  Timed node(GetParam(), Condition("MessageAvailableCondition",
                                   "min_size: 3 strict: true"));
  for (int i = 1; i <= 4; ++i) node.Add(i);
  EXPECT_THAT(node.Calls(), ElementsAre("1@0", "2@0"));
  EXPECT_THAT(node.CallsAtTheEnd(), ElementsAre("1@0", "2@0"));
}

TEST_P(PacketConditionsGraphTest, ThePacketsThatWaitMayExpire) {
  Timed node(GetParam(), Condition("ExpiringMessageAvailableCondition",
                                   "max_batch_size: 3 max_delay_ns: 10000000"));
  node.Add(1);
  EXPECT_THAT(node.Calls(), ElementsAre());
  node.At(5);
  node.Add(2);
  EXPECT_THAT(node.Calls(), ElementsAre());
  node.At(10);
  EXPECT_THAT(node.Calls(), ElementsAre("1@10"));
  node.At(14);
  EXPECT_THAT(node.Calls(), ElementsAre("1@10")) << "the second came at 5";
  node.At(15);
  EXPECT_THAT(node.Calls(), ElementsAre("1@10", "2@15"));
  for (int i = 3; i <= 5; ++i) node.Add(i);
  EXPECT_THAT(node.Calls(), ElementsAre("1@10", "2@15", "3@15"));
  EXPECT_THAT(node.CallsAtTheEnd(),
              ElementsAre("1@10", "2@15", "3@15", "4@15", "5@15"));
}

TEST_P(PacketConditionsGraphTest, ANodeIsCalledAtLeastSoOften) {
  Timed node(GetParam(),
             Condition("MultiMessageAvailableTimeoutCondition",
                       "min_sum: 3 execution_frequency: \"100Hz\""));
  for (int i = 1; i <= 3; ++i) node.Add(i);
  EXPECT_THAT(node.Calls(), ElementsAre("1@0"));
  node.At(9);
  EXPECT_THAT(node.Calls(), ElementsAre("1@0"));
  node.At(12);
  EXPECT_THAT(node.Calls(), ElementsAre("1@0", "2@12"));
  node.At(22);
  EXPECT_THAT(node.Calls(), ElementsAre("1@0", "2@12", "3@22"));
  node.At(40);
  node.Add(4);
  EXPECT_THAT(node.Calls(), ElementsAre("1@0", "2@12", "3@22", "4@40"));
}

// Of two inputs: the timestamps of the calls, as packets come. `rest` is what
// the node has besides its streams.
std::vector<std::int64_t> CallsOfTwoWith(
    const Workers& workers, const std::string& rest,
    const std::vector<std::pair<std::string, int>>& packets, int* at_the_end) {
  TestGraph graph(
      workers,
      absl::StrCat("input_stream: \"a\" input_stream: \"b\" node { calculator: "
                   "\"TestLambdaOffset\" input_side_packet: \"PROCESS:f\" "
                   "input_stream: \"a\" input_stream: \"b\" output_stream: "
                   "\"out\"",
                   rest, "}"));
  std::vector<std::int64_t> calls;
  graph.Give("f", [&](CalculatorContext* cc) {
    calls.push_back(cc->InputTimestamp().Value());
    return absl::OkStatus();
  });
  graph.Start();
  for (const auto& [stream, timestamp] : packets) {
    graph.Add(stream, timestamp, 0);
    graph.Idle();
  }
  std::vector<std::int64_t> so_far = calls;
  graph.Finish();
  *at_the_end = static_cast<int>(calls.size() - so_far.size());
  return so_far;
}

std::vector<std::int64_t> CallsOfTwo(
    const Workers& workers, const std::string& options,
    const std::vector<std::pair<std::string, int>>& packets, int* at_the_end) {
  return CallsOfTwoWith(workers,
                        Condition("MultiMessageAvailableCondition", options),
                        packets, at_the_end);
}

TEST_P(PacketConditionsGraphTest, APortMayHaveNoDefaultCondition) {
  int at_the_end = 0;
  const std::string defaults =
      "gxf_defaults: true input_stream_handler { input_stream_handler: "
      "\"ImmediateInputStreamHandler\" }";
  EXPECT_THAT(
      CallsOfTwoWith(GetParam(), defaults, {{"a", 1}, {"a", 2}}, &at_the_end),
      ElementsAre());
  EXPECT_EQ(at_the_end, 2);
  EXPECT_THAT(
      CallsOfTwoWith(
          GetParam(),
          absl::StrCat(defaults, Condition("NoneCondition", "receivers: 'b'")),
          {{"a", 1}, {"a", 2}}, &at_the_end),
      ElementsAre(1, 2));
}

TEST_P(PacketConditionsGraphTest, ANodeWaitsForSoManyPacketsOfAllItsInputs) {
  int at_the_end = 0;
  // Two of 1 are too few; a third one lets them go, and is alone then.
  EXPECT_THAT(CallsOfTwo(GetParam(), "min_sum: 3",
                         {{"a", 1}, {"b", 1}, {"a", 2}}, &at_the_end),
              ElementsAre(1));
  EXPECT_EQ(at_the_end, 1);
}

TEST_P(PacketConditionsGraphTest, ANodeWaitsForSoManyPacketsOfEachInput) {
  int at_the_end = 0;
  const std::string options =
      "sampling_mode: PER_RECEIVER receivers: ['a', 'b'] min_sizes: [1, 2]";
  EXPECT_THAT(CallsOfTwo(GetParam(), options,
                         {{"a", 1}, {"b", 1}, {"a", 2}, {"a", 3}}, &at_the_end),
              ElementsAre());
  EXPECT_EQ(at_the_end, 3);
  EXPECT_THAT(CallsOfTwo(GetParam(), options,
                         {{"a", 1}, {"b", 1}, {"a", 2}, {"b", 2}}, &at_the_end),
              ElementsAre(1));
  EXPECT_EQ(at_the_end, 1);
}

// --- Memory

// Buffers on their way from a source to whoever gives them back.
class Buffers {
 public:
  // A source of these. Process gets a block for certain.
  TestFunction Source() {
    return [this, next = std::make_shared<int>(0)](
               CalculatorContext* cc) -> absl::Status {
      SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<Allocator> pool,
                                cc->FindAllocator("pool"));
      SYNCLINE_ASSIGN_OR_RETURN(
          MemoryBuffer buffer,
          pool->Allocate(10, MemoryStorageType::kSystem, "source"));
      {
        MutexLock lock(&mutex_);
        buffers_.push_back(std::move(buffer));
        most_ = std::max(most_, buffers_.size());
      }
      const int value = (*next)++;
      cc->Outputs().Index(0).AddPacket(
          MakePacket<int>(value).At(Timestamp(value)));
      return absl::OkStatus();
    };
  }
  // Gives back the oldest.
  void GiveBack() {
    MemoryBuffer oldest;
    MutexLock lock(&mutex_);
    oldest = std::move(buffers_.front());
    buffers_.pop_front();
  }
  std::size_t most() {
    MutexLock lock(&mutex_);
    return most_;
  }

 private:
  Mutex mutex_;
  std::deque<MemoryBuffer> buffers_ ABSL_GUARDED_BY(mutex_);
  std::size_t most_ ABSL_GUARDED_BY(mutex_) = 0;
};

std::string SourceWithPool(const std::string& conditions) {
  return absl::StrCat(
      "allocator { name: \"pool\" type: \"BlockMemoryPool\" options { "
      "[syncline.BlockMemoryPoolOptions.ext] { block_size: 100 num_blocks: 2 } "
      "} } node { name: \"source\" calculator: \"TestLambda\" "
      "input_side_packet: \"PROCESS:source\" output_stream: \"out\"",
      conditions, " }");
}

TEST_P(PacketConditionsGraphTest, ASourceRunsAsFastAsBuffersComeBack) {
  Buffers buffers;
  TestGraph graph(
      GetParam(),
      SourceWithPool(Condition("CountCondition", "count: 50") +
                     Condition("MemoryAvailableCondition",
                               "allocator: \"pool\" min_blocks: 1")) +
          R"( node { calculator: "TestLambdaOffset" input_stream: "out"
                     output_stream: "done" input_side_packet: "PROCESS:f" })");
  graph.Give("source", buffers.Source());
  graph.Give("f", [&](CalculatorContext* cc) {
    buffers.GiveBack();
    return SendSum(cc);
  });
  graph.Observe("done");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Count("done"), 50);
  EXPECT_LE(buffers.most(), 2);
}

TEST_P(PacketConditionsGraphTest, TwoSourcesShareAPool) {
  Buffers buffers;
  const std::string memory = Condition("MemoryAvailableCondition",
                                       "allocator: \"pool\" min_bytes: 10") +
                             Condition("CountCondition", "count: 30");
  TestGraph graph(
      GetParam(),
      SourceWithPool(memory) +
          R"( node { calculator: "TestLambda" output_stream: "out2"
                     input_side_packet: "PROCESS:source2" )" +
          memory + "} " +
          R"( node { calculator: "TestLambdaOffset" input_stream: "out"
                     output_stream: "done" input_side_packet: "PROCESS:f" }
              node { calculator: "TestLambdaOffset" input_stream: "out2"
                     output_stream: "done2" input_side_packet: "PROCESS:f" })");
  graph.Give("source", buffers.Source());
  graph.Give("source2", buffers.Source());
  graph.Give("f", [&](CalculatorContext* cc) {
    buffers.GiveBack();
    return SendSum(cc);
  });
  graph.Observe("done");
  graph.Observe("done2");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Count("done"), 30);
  EXPECT_EQ(graph.Count("done2"), 30);
  EXPECT_LE(buffers.most(), 2);
}

// Each is ready when it is asked; there is no memory for their sum.
TEST_P(PacketConditionsGraphTest,
       ConditionsOfANodeForOnePoolMeanTheSameMemory) {
  const auto memory = [](const std::string& name, int blocks) {
    return absl::StrCat(
        " condition { name: \"", name,
        "\" type: \"MemoryAvailableCondition\" options { "
        "[syncline.MemoryAvailableConditionOptions.ext] { allocator: \"pool\" "
        "min_blocks: ",
        blocks, " } } }");
  };
  for (const std::string& conditions :
       {memory("a", 1) + memory("b", 2), memory("a", 2) + memory("b", 1),
        absl::StrCat(" any_of { all_of {", memory("a", 2), memory("b", 1), " }",
                     memory("c", 2), " }")}) {
    Buffers buffers;
    TestGraph graph(
        GetParam(),
        SourceWithPool(Condition("CountCondition", "count: 20") + conditions) +
            R"( node { calculator: "TestLambdaOffset" input_stream: "out"
                     output_stream: "done" input_side_packet: "PROCESS:f" })");
    graph.Give("source", buffers.Source());
    graph.Give("f", [&](CalculatorContext* cc) {
      buffers.GiveBack();
      return SendSum(cc);
    });
    graph.Observe("done");
    SYNCLINE_EXPECT_OK(graph.Run());
    EXPECT_EQ(graph.Count("done"), 20);
    EXPECT_EQ(buffers.most(), 1);
  }
}

TEST_P(PacketConditionsGraphTest, ARunWaitsForAnApplicationThatHoldsBuffers) {
  // There, nothing runs while the application is busy with its buffers.
  if (GetParam().is_application_thread()) GTEST_SKIP();
  Buffers buffers;
  TestGraph graph(GetParam(),
                  SourceWithPool(Condition("CountCondition", "count: 6") +
                                 Condition("MemoryAvailableCondition",
                                           "allocator: \"pool\" min_blocks: "
                                           "1")));
  graph.Give("source", buffers.Source());
  graph.Observe("out");
  graph.Start();
  const auto wait_for = [&](int count) {
    for (int i = 0; i < 10'000 && graph.Count("out") < count; ++i) {
      absl::SleepFor(absl::Milliseconds(1));
    }
    EXPECT_EQ(graph.Count("out"), count);
  };
  wait_for(2);
  for (int given_back = 1; given_back <= 4; ++given_back) {
    buffers.GiveBack();
    wait_for(2 + given_back);
  }
  graph.Finish();
}

TEST_P(PacketConditionsGraphTest, MoreMemoryThanThereIsIsAnErrorOfTheStart) {
  Buffers buffers;
  TestGraph graph(GetParam(),
                  SourceWithPool(Condition("MemoryAvailableCondition",
                                           "allocator: \"pool\" min_blocks: "
                                           "3")));
  graph.Give("source", buffers.Source());
  EXPECT_THAT(graph.Run(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"source\""),
                             HasSubstr("MemoryAvailableCondition"),
                             HasSubstr("never has more than 200 bytes"))));
}

}  // namespace
}  // namespace syncline
