// Conditions that calculators, threads and the application set in a running
// graph, and what ends a wait from outside.

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/graph_clock.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/context.h"
#include "framework/condition/asynchronous_condition.h"
#include "framework/condition/boolean_condition.h"
#include "framework/condition/target_time_condition.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/conditions_test_support.h"
#include "framework/graph/graph_test_support.h"
#include "framework/memory/allocator.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// --- Events

TEST_P(ConditionsGraphTest, ACalculatorSwitchesAnotherNodeOff) {
  TestGraph graph(GetParam(), R"(input_stream: "in"
    node { name: "switch" calculator: "TestLambda"
           input_side_packet: "PROCESS:switch" input_stream: "in"
           output_stream: "passed" }
    node { name: "inner" calculator: "TestLambdaOffset"
           input_side_packet: "PROCESS:f" input_stream: "passed"
           output_stream: "out")" +
                                  Boolean("") + "}");
  graph.Give("switch", [](CalculatorContext* cc) {
    if (cc->Inputs().Index(0).Get<int>() == 3) {
      cc->Condition<BooleanCondition>("inner/enabled")->disable_tick();
      return absl::OkStatus();
    }
    return SendSum(cc);
  });
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  for (int i = 1; i <= 4; ++i) {
    graph.Add("in", i, i);
    graph.Idle();
  }
  EXPECT_EQ(graph.Seen("out"), "1:1 2:2");
  graph.Finish();
}

TEST_P(ConditionsGraphTest, APausedNodeGoesOnWhereItWas) {
  TestGraph graph(GetParam(), Inner(Boolean("on_false: PAUSE")));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  const auto enabled =
      graph.graph().GetCondition<BooleanCondition>("inner/enabled");
  SYNCLINE_ASSERT_OK(enabled);
  graph.Add("in", 1, 1);
  graph.Idle();
  (*enabled)->disable_tick();
  graph.Add("in", 2, 2);
  graph.Add("in", 3, 3);
  EXPECT_EQ(graph.Seen("out"), "1:1");
  (*enabled)->enable_tick();
  graph.Idle();
  EXPECT_EQ(graph.Seen("out"), "1:1 2:2 3:3");
  graph.Finish();
}

TEST_P(ConditionsGraphTest, ARequestIsAnsweredByAThreadOfItsOwn) {
  std::vector<std::thread> threads;
  std::atomic<int> answered{0};
  TestGraph graph(GetParam(), Source(" condition { name: \"reply\" type: "
                                     "\"AsynchronousCondition\" }" +
                                     Count(4)));
  graph.Give("source", [&](CalculatorContext* cc) {
    const auto reply = cc->Condition<AsynchronousCondition>("reply");
    absl::Status status =
        reply->event_state(AsynchronousEventState::EVENT_WAITING);
    if (!status.ok()) return status;
    const int value = answered.load();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(value).At(Timestamp(value)));
    threads.emplace_back([&, reply] {
      absl::SleepFor(absl::Milliseconds(2));
      answered.fetch_add(1);
      // The last one comes after the end of the run, which is an error.
      reply->event_state(AsynchronousEventState::EVENT_DONE).IgnoreError();
    });
    return absl::OkStatus();
  });
  graph.Observe("out");
  SYNCLINE_EXPECT_OK(graph.Run());
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(graph.Seen("out"), "0:0 1:1 2:2 3:3");
}

TEST_P(ConditionsGraphTest, AnEventThatSaysNeverEndsTheNode) {
  std::thread thread;
  TestGraph graph(GetParam(), Source(" condition { name: \"reply\" type: "
                                     "\"AsynchronousCondition\" }"));
  graph.Give("source", [&](CalculatorContext* cc) {
    const auto reply = cc->Condition<AsynchronousCondition>("reply");
    absl::Status status =
        reply->event_state(AsynchronousEventState::EVENT_WAITING);
    if (!status.ok()) return status;
    thread = std::thread([reply] {
      absl::SleepFor(absl::Milliseconds(2));
      reply->event_state(AsynchronousEventState::EVENT_NEVER).IgnoreError();
    });
    return absl::OkStatus();
  });
  SYNCLINE_EXPECT_OK(graph.Run());
  thread.join();
}

// --- From outside

TEST_P(ConditionsGraphTest, CancelEndsEveryWait) {
  TestGraph graph(GetParam(),
                  R"(
    node { name: "t" calculator: "TestLambda" output_stream: "t"
           input_side_packet: "PROCESS:source")" +
                      Periodic("1000s") + R"( }
    node { name: "e" calculator: "TestLambda" output_stream: "e"
           input_side_packet: "PROCESS:source")" +
                      Boolean("enable_tick: false on_false: PAUSE") + R"( })");
  graph.Give("source", CountForEver());
  graph.Observe("t");
  graph.Start();
  std::thread canceller([&] {
    absl::SleepFor(absl::Milliseconds(5));
    graph.graph().Cancel();
  });
  EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kCancelled);
  canceller.join();
}

// Nodes that wait, each for something else, once they have been called as often
// as they can. "tree" and those of messages are not called at all.
std::string WaitsOfAllKinds() {
  const auto source = [](const std::string& name, const std::string& function,
                         const std::string& conditions) {
    return absl::StrCat("node { name: \"", name,
                        "\" calculator: \"TestLambda\" output_stream: \"", name,
                        "\" input_side_packet: \"PROCESS:", function, "\"",
                        conditions, "}");
  };
  const auto reader = [](const std::string& name, const std::string& input,
                         const std::string& conditions) {
    return absl::StrCat("node { name: \"", name,
                        "\" calculator: \"TestLambda\" input_stream: \"", input,
                        "\" input_side_packet: \"PROCESS:nothing\"", conditions,
                        "}");
  };
  const auto condition = [](const std::string& type,
                            const std::string& options) {
    return absl::StrCat(" condition { type: \"", type,
                        "\" options { [syncline.", type, "Options.ext] { ",
                        options, " } } }");
  };
  return absl::StrCat(
      R"(max_queue_size: 3 input_stream: "in"
         allocator { name: "pool" type: "BlockMemoryPool" options {
           [syncline.BlockMemoryPoolOptions.ext] {
             block_size: 10 num_blocks: 1 } } })",
      source("time", "time", Periodic("1000s")),
      source("switch", "switch", Boolean("enable_tick: false on_false: PAUSE")),
      source("event", "ask", " condition { type: \"AsynchronousCondition\" }"),
      source("target", "far", " condition { type: \"TargetTimeCondition\" }"),
      source("memory", "take",
             condition("MemoryAvailableCondition",
                       "allocator: \"pool\" min_blocks: 1")),
      source("tree", "tree", " condition { type: \"BehaviorCondition\" }"),
      source("room", "room",
             condition("DownstreamMessageAffordableCondition", "min_size: 2")),
      reader("full", "room", Boolean("enable_tick: false on_false: PAUSE")),
      reader("messages", "in",
             condition("MessageAvailableCondition", "min_size: 2")),
      reader("expiring", "in",
             condition("ExpiringMessageAvailableCondition",
                       "max_batch_size: 2 max_delay_ns: 1000000000000")),
      reader("sum", "in",
             condition("MultiMessageAvailableCondition", "min_sum: 2")),
      reader("often", "in",
             condition("MultiMessageAvailableTimeoutCondition",
                       "min_sum: 2 execution_frequency: \"1000s\"")),
      reader("batch", "in",
             " batch { max_size: 2 max_delay_ns: 1000000000000 }"),
      reader("either", "in", R"( any_of {
        condition { name: "later" type: "MessageAvailableCondition" options {
          [syncline.MessageAvailableConditionOptions.ext] { min_size: 2 } } }
        condition { name: "root" type: "BehaviorCondition" } })"));
}

// Every node that has conditions waits for one of them.
bool EverybodyWaits(const GraphRuntimeInfo& info) {
  for (const auto& node : info.calculator_infos()) {
    bool waits = node.condition_infos().empty();
    for (const auto& condition : node.condition_infos()) {
      if (absl::StartsWith(condition.state(), "WAIT")) waits = true;
    }
    if (!waits) return false;
  }
  return true;
}

TEST_P(ConditionsGraphTest, CancelEndsTheWaitOfEveryCondition) {
  MemoryBuffer taken;
  TestGraph graph(GetParam(), WaitsOfAllKinds());
  for (const char* name : {"time", "switch", "tree", "room"}) {
    graph.Give(name, CountForEver());
  }
  graph.Give("nothing", [](CalculatorContext*) { return absl::OkStatus(); });
  graph.Give("ask", [](CalculatorContext* cc) {
    return cc->Condition<AsynchronousCondition>("AsynchronousCondition")
        ->event_state(AsynchronousEventState::EVENT_WAITING);
  });
  graph.Give("far", [](CalculatorContext* cc) {
    return cc->Condition<TargetTimeCondition>("TargetTimeCondition")
        ->SetNextTargetTime(cc->Clock()->NowNs() + 1'000'000 * kMs);
  });
  graph.Give("take", [&](CalculatorContext* cc) -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(const auto pool, cc->FindAllocator("pool"));
    SYNCLINE_ASSIGN_OR_RETURN(
        taken, pool->Allocate(10, MemoryStorageType::kSystem, "memory"));
    return absl::OkStatus();
  });
  for (int run = 0; run < 2; ++run) {
    graph.Start();
    graph.Add("in", 1, 1);
    bool all_wait = false;
    std::thread canceller([&] {
      for (int i = 0; i < 5'000 && !all_wait; ++i) {
        absl::SleepFor(absl::Milliseconds(1));
        const auto info = graph.graph().GetGraphRuntimeInfo();
        all_wait = info.ok() && EverybodyWaits(*info);
      }
      EXPECT_TRUE(all_wait)
          << graph.graph().GetGraphRuntimeInfo()->DebugString();
      graph.graph().Cancel();
    });
    // The input is still open.
    EXPECT_EQ(graph.graph().WaitUntilDone().code(),
              absl::StatusCode::kCancelled);
    canceller.join();
    taken = MemoryBuffer();
  }
}

TEST_P(ConditionsGraphTest, AnErrorEndsEveryWait) {
  TestGraph graph(GetParam(), R"(input_stream: "in"
    node { name: "t" calculator: "TestLambda" output_stream: "t"
           input_side_packet: "PROCESS:source")" +
                                  Periodic("1000s") + R"( }
    node { calculator: "TestLambda" input_stream: "in"
           input_side_packet: "PROCESS:fail" })");
  graph.Give("source", CountForEver());
  graph.Give("fail",
             [](CalculatorContext*) { return absl::AbortedError("enough"); });
  graph.Start();
  graph.Add("in", 1, 1);
  EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kAborted);
}

TEST_P(ConditionsGraphTest, StoppingTheSourcesEndsOneThatWaits) {
  std::atomic<bool> is_closed{false};
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" output_stream: "out"
           input_side_packet: "PROCESS:source"
           input_side_packet: "CLOSE:close")" +
                                  Periodic("1000s") + " }");
  graph.Give("source", CountForEver());
  graph.Give("close", [&](CalculatorContext*) {
    is_closed = true;
    return absl::OkStatus();
  });
  graph.Observe("out");
  graph.Start();
  SYNCLINE_EXPECT_OK(graph.graph().CloseAllPacketSources());
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilDone());
  EXPECT_TRUE(is_closed);
}

TEST_P(ConditionsGraphTest, AGraphThatWaitsCanBeDestroyed) {
  TestGraph graph(GetParam(), Source(Periodic("1000s")));
  graph.Give("source", CountForEver());
  graph.Start();
  graph.Destroy();
}

TEST_P(ConditionsGraphTest, AConditionOutlivesItsRunAndChangesNothing) {
  absl::StatusOr<std::shared_ptr<BooleanCondition>> enabled;
  {
    TestGraph graph(GetParam(), Source(Count(1) + Boolean("")));
    graph.Give("source", CountForEver());
    graph.Start();
    enabled = graph.graph().GetCondition<BooleanCondition>("source/enabled");
    SYNCLINE_ASSERT_OK(enabled);
    SYNCLINE_EXPECT_OK(graph.FinishWithStatus());
    (*enabled)->disable_tick();
  }
  (*enabled)->enable_tick();
}

}  // namespace
}  // namespace syncline
