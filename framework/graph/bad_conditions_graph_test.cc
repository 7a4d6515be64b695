// What is wrong with conditions: an error when the graph is initialised where
// it can be known, otherwise the error of the run, with node and condition.

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/graph_clock.h"
#include "framework/base/mutex.h"
#include "framework/calculator/context.h"
#include "framework/condition/asynchronous_condition.h"
#include "framework/condition/boolean_condition.h"
#include "framework/condition/condition.h"
#include "framework/condition/target_time_condition.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/conditions_test_support.h"
#include "framework/graph/graph_test_support.h"
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

// --- Known when the graph is initialised

absl::Status Initialize(const std::string& text) {
  CalculatorGraph graph;
  return graph.Initialize(TestConfig(text));
}

std::string Named(const std::string& type, const std::string& options) {
  return absl::StrCat(" condition { name: \"c\" type: \"", type,
                      "\" options { [syncline.", type, "Options.ext] { ",
                      options, " } } }");
}

struct BadCase {
  std::string type;
  std::string options;
  std::vector<std::string> fragments;
};

TEST(BadConditionsTest, WhatCannotBeIsRefusedWhenTheGraphIsInitialised) {
  const std::vector<BadCase> cases = {
      // Parameters that are missing.
      {"PeriodicCondition", "", {"recess_period", "a period is missing"}},
      {"ExpiringMessageAvailableCondition",
       "max_batch_size: 2",
       {"max_delay_ns is not set"}},
      {"MultiMessageAvailableCondition", "", {"min_sum is not set"}},
      {"MultiMessageAvailableTimeoutCondition",
       "min_sum: 1",
       {"execution_frequency", "a period is missing"}},
      {"MemoryAvailableCondition",
       "allocator: 'pool'",
       {"Neither min_bytes nor min_blocks"}},
      // Both of two that exclude each other.
      {"MemoryAvailableCondition",
       "allocator: 'pool' min_bytes: 1 min_blocks: 1",
       {"min_bytes and min_blocks are both set"}},
      {"MultiMessageAvailableCondition",
       "sampling_mode: PER_RECEIVER min_sum: 1 min_sizes: 1",
       {"min_sum is set, but the sampling_mode is PER_RECEIVER"}},
      // Periods that are none.
      {"PeriodicCondition", "recess_period: '-5ms'", {"cannot be negative"}},
      {"PeriodicCondition", "recess_period: '0s'", {"recess_period"}},
      {"PeriodicCondition", "recess_period: '1 week'", {"unit is none of"}},
      {"MultiMessageAvailableTimeoutCondition",
       "min_sum: 1 execution_frequency: '-1s'",
       {"cannot be negative"}},
      {"ExpiringMessageAvailableCondition",
       "max_batch_size: 2 max_delay_ns: -1",
       {"max_delay_ns is -1"}},
      // Ports that do not exist.
      {"MessageAvailableCondition",
       "receiver: 'IN'",
       {"no input stream \"IN\"", "\":0:in\""}},
      {"DownstreamMessageAffordableCondition",
       "transmitter: 'OUT'",
       {"no output stream \"OUT\"", "\":0:out\""}},
      {"MultiMessageAvailableCondition",
       "receivers: ['in', ':1'] min_sum: 1",
       {"no input stream \":1\""}},
      {"MemoryAvailableCondition",
       "allocator: 'pond' min_blocks: 1",
       {"no allocator \"pond\"", "\"pool\""}},
      // Streams of the wrong kind.
      {"MessageAvailableCondition",
       "receiver: 'out'",
       {"\"out\", which is an output stream"}},
      {"ExpiringMessageAvailableCondition",
       "receiver: 'out' max_batch_size: 2 max_delay_ns: 1",
       {"\"out\", which is an output stream"}},
      {"MultiMessageAvailableCondition",
       "receivers: ['in', 'out'] min_sum: 1",
       {"\"out\", which is an output stream"}},
      {"DownstreamMessageAffordableCondition",
       "transmitter: 'in'",
       {"\"in\", which is an input stream"}},
  };
  for (const BadCase& bad : cases) {
    SCOPED_TRACE(absl::StrCat(bad.type, " { ", bad.options, " }"));
    const absl::Status status = Initialize(absl::StrCat(
        R"(input_stream: "in"
           allocator { name: "pool" type: "BlockMemoryPool" options {
             [syncline.BlockMemoryPoolOptions.ext] {
               block_size: 100 num_blocks: 2 } } }
           node { name: "n" calculator: "TestLambdaOffset"
                  input_stream: "in" output_stream: "out")",
        Named(bad.type, bad.options), " }"));
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(),
                AllOf(HasSubstr("node \"n\" (TestLambdaOffset)"),
                      HasSubstr("condition \"c\" (" + bad.type + ")")));
    for (const std::string& fragment : bad.fragments) {
      EXPECT_THAT(status.message(), HasSubstr(fragment));
    }
  }
}

TEST(BadConditionsTest, ANodeWithoutStreamsOfTheKindIsRefused) {
  EXPECT_THAT(
      Initialize("node { name: \"n\" calculator: \"TestLambda\" "
                 "output_stream: \"out\"" +
                 Named("MessageAvailableCondition", "min_size: 2") + "}")
          .message(),
      AllOf(HasSubstr("node \"n\""), HasSubstr("it has no input streams")));
  EXPECT_THAT(
      Initialize("input_stream: \"in\" node { name: \"n\" calculator: "
                 "\"TestLambda\" input_stream: \"in\"" +
                 Named("DownstreamMessageAffordableCondition", "") + "}")
          .message(),
      AllOf(HasSubstr("node \"n\""), HasSubstr("it has no output streams")));
}

// --- Known in the run

class FailingCondition : public ConditionBase {
 public:
  absl::StatusOr<ConditionResult> Check(const NodeFacts&) override {
    return absl::DataLossError("no idea");
  }
};
REGISTER_CONDITION(FailingCondition);

TEST_P(ConditionsGraphTest, AnErrorOfAConditionNamesItAndItsNode) {
  TestGraph graph(GetParam(), Source(" condition { name: \"bad\" type: "
                                     "\"FailingCondition\" }"));
  graph.Give("source", CountForEver());
  const absl::Status status = graph.Run();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("\"source\""),
                    HasSubstr("condition \"bad\" (FailingCondition)"),
                    HasSubstr("no idea")));
}

TEST_P(ConditionsGraphTest, AConditionThatIsNotThereIsAnErrorOfTheCall) {
  TestGraph graph(GetParam(), Source(Count(1)));
  graph.Give("source", [](CalculatorContext* cc) {
    cc->Condition<BooleanCondition>("enabled")->enable_tick();
    return absl::OkStatus();
  });
  EXPECT_THAT(graph.Run().message(),
              AllOf(HasSubstr("has no condition \"enabled\""),
                    HasSubstr("\"CountCondition\"")));
}

TEST_P(ConditionsGraphTest, ATargetTimeThatGoesBackIsAnErrorOfCallAndRun) {
  for (const bool returns_it : {false, true}) {
    TestGraph graph(GetParam(),
                    kManual + Source(" condition { name: \"next\" type: "
                                     "\"TargetTimeCondition\" }"));
    graph.Give("source", [&](CalculatorContext* cc) {
      const auto next = cc->Condition<TargetTimeCondition>("next");
      if (cc->Clock()->NowNs() == 0) return next->SetNextTargetTime(10 * kMs);
      const absl::Status status = next->SetNextTargetTime(5 * kMs);
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
      return returns_it ? status : absl::OkStatus();
    });
    const absl::Status status = graph.Run();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(),
                AllOf(HasSubstr("\"source\""),
                      HasSubstr("5000000 ns is before 10000000 ns")));
    if (returns_it) continue;
    // The call did not care.
    EXPECT_THAT(status.message(),
                HasSubstr("condition \"next\" (TargetTimeCondition)"));
  }
}

TEST_P(ConditionsGraphTest, AnEventAfterTheEndIsAnErrorOfWhoeverSetsIt) {
  std::shared_ptr<AsynchronousCondition> reply;
  std::shared_ptr<TargetTimeCondition> next;
  const auto expect_refused = [&] {
    EXPECT_THAT(reply->event_state(AsynchronousEventState::EVENT_DONE),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("no run of the graph was going on")));
    EXPECT_THAT(next->SetNextTargetTime(kMs),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("no run of the graph was going on")));
  };
  {
    TestGraph graph(GetParam(), Source(R"(
      condition { name: "reply" type: "AsynchronousCondition" }
      condition { name: "next" type: "TargetTimeCondition" })" +
                                       Count(1)));
    graph.Give("source", CountForEver());
    graph.Observe("out");
    for (int run = 0; run < 2; ++run) {
      graph.Start();
      const auto its_reply =
          graph.graph().GetCondition<AsynchronousCondition>("source/reply");
      const auto its_next =
          graph.graph().GetCondition<TargetTimeCondition>("source/next");
      SYNCLINE_ASSERT_OK(its_reply);
      SYNCLINE_ASSERT_OK(its_next);
      SYNCLINE_EXPECT_OK(graph.FinishWithStatus());
      EXPECT_EQ(graph.Count("out"), 1);
      reply = *its_reply;
      next = *its_next;
      expect_refused();
    }
  }
  expect_refused();
}

// --- Conditions of one's own

// Writes down its hooks, and may fail in one of them.
class HookedCondition : public ConditionBase {
 public:
  // Set before a run.
  static std::string fails_in;
  static bool throws;

  // In order, each once in a row. Without the questions, which come whenever
  // something may have changed.
  static void Add(const std::string& hook) {
    MutexLock lock(&mutex);
    if (called.empty() || called.back() != hook) called.push_back(hook);
  }
  static std::vector<std::string> TakeCalled() {
    MutexLock lock(&mutex);
    return std::exchange(called, {});
  }

  absl::Status Initialize(ConditionSetup*) override {
    return Call("Initialize");
  }
  absl::Status Start(const ConditionRun& run) override {
    EXPECT_NE(run.clock, nullptr);
    return Call("Start");
  }
  absl::Status UpdateState(const NodeFacts&) override {
    has_state_ = true;
    return MaybeFail("UpdateState");
  }
  absl::StatusOr<ConditionResult> Check(const NodeFacts&) override {
    EXPECT_TRUE(has_state_) << "UpdateState comes before each Check";
    has_state_ = false;
    const absl::Status status = MaybeFail("Check");
    if (!status.ok()) return status;
    return ConditionResult::Ready();
  }
  absl::StatusOr<bool> OnDispatch(const NodeFacts&,
                                  const ConditionResult&) override {
    const absl::Status status = Call("OnDispatch");
    if (!status.ok()) return status;
    return true;
  }
  void BeforeExecute() override { Call("BeforeExecute").IgnoreError(); }
  absl::Status OnExecute(std::int64_t) override { return Call("OnExecute"); }
  void Stop() override { Add("Stop"); }

 private:
  static absl::Status MaybeFail(const std::string& hook) {
    if (hook != fails_in) return absl::OkStatus();
    if (throws) throw std::runtime_error("no idea in " + hook);
    return absl::DataLossError("no idea in " + hook);
  }
  static absl::Status Call(const std::string& hook) {
    Add(hook);
    return MaybeFail(hook);
  }

  static Mutex mutex;
  static std::vector<std::string> called ABSL_GUARDED_BY(mutex);

  bool has_state_ = false;
};
std::string HookedCondition::fails_in;
bool HookedCondition::throws = false;
Mutex HookedCondition::mutex;
std::vector<std::string> HookedCondition::called;
REGISTER_CONDITION(HookedCondition);

constexpr char kHooked[] =
    " condition { name: \"hooked\" type: \"HookedCondition\" }";

TEST_P(ConditionsGraphTest, TheHooksOfAConditionComeInTheirOrder) {
  HookedCondition::fails_in.clear();
  TestGraph graph(GetParam(), Source(kHooked + Count(1)));
  graph.Give("source", [](CalculatorContext* cc) {
    HookedCondition::Add("Process");
    cc->Outputs().Index(0).AddPacket(MakePacket<int>(1).At(Timestamp(1)));
    return absl::OkStatus();
  });
  SYNCLINE_ASSERT_OK(
      graph.graph().ObserveOutputStream("out", [](const Packet&) {
        HookedCondition::Add("a packet");
        return absl::OkStatus();
      }));
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_THAT(HookedCondition::TakeCalled(),
              ElementsAre("Initialize", "Start", "OnDispatch", "BeforeExecute",
                          "Process", "OnExecute", "a packet", "Stop"));
}

TEST_P(ConditionsGraphTest, AnErrorOfAnyHookNamesItsConditionAndTheNode) {
  for (const std::string hook : {"Start", "UpdateState", "Check", "OnDispatch",
                                 "BeforeExecute", "OnExecute"}) {
    for (const bool throws : {false, true}) {
      // This one has nothing to return.
      if (hook == "BeforeExecute" && !throws) continue;
      SCOPED_TRACE(absl::StrCat(hook, throws ? " throws" : " fails"));
      HookedCondition::fails_in = hook;
      HookedCondition::throws = throws;
      TestGraph graph(GetParam(), Source(kHooked + Count(1)));
      graph.Give("source", CountForEver());
      EXPECT_THAT(graph.Run().message(),
                  AllOf(HasSubstr("\"source\""),
                        HasSubstr("condition \"hooked\" (HookedCondition)"),
                        HasSubstr("no idea in " + hook)));
      EXPECT_EQ(HookedCondition::TakeCalled().back(), "Stop");
    }
  }
}

TEST(BadConditionsTest, AnErrorOfInitializeIsThatOfTheGraph) {
  HookedCondition::fails_in = "Initialize";
  for (const bool throws : {false, true}) {
    HookedCondition::throws = throws;
    EXPECT_THAT(Initialize("node { name: \"n\" calculator: \"TestLambda\" "
                           "output_stream: \"out\"" +
                           std::string(kHooked) + "}")
                    .message(),
                AllOf(HasSubstr("node \"n\""),
                      HasSubstr("condition \"hooked\" (HookedCondition)"),
                      HasSubstr("no idea in Initialize")));
  }
  HookedCondition::fails_in.clear();
  HookedCondition::TakeCalled();
}

}  // namespace
}  // namespace syncline
