// No code of a user runs, and no packet is released, while its thread holds a
// lock of the engine.
//
// Here under each input stream handler and each way to end a run; the other
// without_locks tests have conditions, inputs, readers and kinds of nodes.

#include <atomic>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/allocator.h"
#include "framework/calculator_framework.h"
#include "framework/conditions.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "testing/scenarios/looking.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

std::atomic<int> calls_of_join{0};
// What the join returns at its calls from the third on.
std::atomic<int> code_of_join{0};

class TokenJoin : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.SetAny();
    return absl::OkStatus();
  }
  TokenJoin() { Look("a calculator's constructor"); }
  ~TokenJoin() override { Look("a calculator's destructor"); }
  absl::Status Open(CalculatorContext* cc) override {
    Look("Open");
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    Look("Process");
    calls_of_join.fetch_add(1);
    Packet packet = cc->Inputs().Index(0).Value();
    {
      // With max_in_flight, calls overlap. The packet that was kept until now
      // is released after the lock.
      std::lock_guard<std::mutex> lock(mutex_);
      std::swap(kept_, packet);
    }
    if (calls_.fetch_add(1) < 2) return absl::OkStatus();
    const auto code = static_cast<absl::StatusCode>(code_of_join.load());
    return code == absl::StatusCode::kOutOfRange ? tool::StatusStop()
                                                 : absl::Status(code, "asked");
  }
  absl::Status Close(CalculatorContext* cc) override {
    Look("Close");
    return absl::OkStatus();
  }

 private:
  std::atomic<int> calls_{0};
  std::mutex mutex_;
  Packet kept_;  // guarded by mutex_
};
REGISTER_CALCULATOR(TokenJoin);

class LookingCondition : public ConditionBase {
 public:
  absl::Status Initialize(ConditionSetup* setup) override {
    Look("a condition's Initialize");
    setup->WatchFront(0);
    setup->WatchArrivals(0);
    return absl::OkStatus();
  }
  absl::Status Start(const ConditionRun& run) override {
    Look("a condition's Start");
    return absl::OkStatus();
  }
  void Stop() override { Look("a condition's Stop"); }
  absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) override {
    Look("a condition's Check");
    return ConditionResult::Ready();
  }
  absl::StatusOr<bool> OnDispatch(const NodeFacts& facts,
                                  const ConditionResult& result) override {
    Look("a condition's OnDispatch");
    return true;
  }
  void OnDispatchUndone() override { Look("a condition's OnDispatchUndone"); }
  ~LookingCondition() override { Look("a condition's destructor"); }
};
REGISTER_CONDITION(LookingCondition);

std::string Handler(const std::string& name, const std::string& options = "") {
  return absl::StrCat(
      "input_stream_handler { input_stream_handler: \"", name,
      "InputStreamHandler\" ",
      options.empty()
          ? ""
          : absl::StrCat("options { [syncline.", name,
                         "InputStreamHandlerOptions.ext] { ", options, " } }"),
      " }");
}

std::string Policy(const std::string& policy) {
  return absl::StrCat(
      "input_stream_info { tag_index: \":0\" max_queue_size: 1 queue_policy: ",
      policy, " }");
}

// What is in the join's node besides its streams.
std::vector<std::string> Joins() {
  return {
      "",
      "max_in_flight: 3",
      Handler("Default", "batch_size: 3"),
      Handler("SyncSet", "sync_set { tag_index: \":0\" }"),
      Handler("Immediate"),
      Handler("ArrivalOrder"),
      Handler("FixedSize", "trigger_queue_size: 3 target_queue_size: 2"),
      Handler("TimestampAlign", "timestamp_base_tag_index: \":0\""),
      Handler("ApproximateTime"),
      Handler("ApproximateTime",
              "timestamp_base_tag_index: \":1\" close_enough: 1"),
      Handler("Latest", "main_tag_index: \":1\" max_age: 4"),
      Handler("Barrier"),
      Handler("EarlyClose"),
      Handler("Mux"),
      Handler("Timeout", "timeout_ns: 1"),
      "input_stream_info { tag_index: \":0\" idle_after { stream: \":1\" gap: "
      "1 } }",
      Policy("POP"),
      Policy("REJECT"),
      Policy("FAULT"),
      "condition { type: \"LookingCondition\" }",
      "condition { type: \"LookingCondition\" } " +
          Handler("Timeout", "timeout_ns: 1"),
      "condition { type: \"CountCondition\" options { "
      "[syncline.CountConditionOptions.ext] { count: 2 } } }",
      "condition { type: \"CountCondition\" options { "
      "[syncline.CountConditionOptions.ext] { count: 2 } } } " +
          Policy("REJECT"),
  };
}

// False: the graph is refused.
bool RunGraph(const Workers& workers, const std::string& join, End end,
              const std::string& settings) {
  code_of_join.store(
      static_cast<int>(end == End::kFails   ? absl::StatusCode::kInternal
                       : end == End::kStops ? absl::StatusCode::kOutOfRange
                                            : absl::StatusCode::kOk));
  const bool is_mux = join.find("Mux") != std::string::npos;
  WorkersGraph graph(workers);
  SYNCLINE_EXPECT_OK(graph.SetErrorCallback(
      [](const absl::Status&) { Look("the error callback"); }));
  const absl::Status status =
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(absl::StrCat(
          settings,
          R"pb(input_stream: "a"
               input_stream: "b"
               input_stream: "c"
               graph_input_info { stream: "c" bad_timestamps: DROP }
               node {
                 calculator: "TokenPass"
                 input_stream: "a"
                 output_stream: "a2"
               }
               node {
                 calculator: "TokenPass"
                 input_stream: "b"
                 output_stream: "b2"
               }
               node { calculator: "TokenJoin" input_stream: "a2"
                      input_stream: "b2"
                      input_stream: "c"
          )pb",
          join, " }")));
  if (!status.ok()) {
    ADD_FAILURE() << join << ": " << status;
    return false;
  }
  SYNCLINE_EXPECT_OK(graph.ObserveOutputStream("a2", [](const Packet&) {
    Look("an observer");
    return absl::OkStatus();
  }));
  absl::StatusOr<OutputStreamPoller> poller = graph.AddOutputStreamPoller("b2");
  SYNCLINE_EXPECT_OK(poller);
  SYNCLINE_EXPECT_OK(graph.StartRun({}));
  const auto add = [&](const char* stream, Packet packet) {
    graph.AddPacketToInputStream(stream, std::move(packet)).IgnoreError();
  };
  for (int i = 0; i < 12; ++i) {
    add("a", TokenAt(3 * i));
    add("b", TokenAt(2 * i));
    add("c", is_mux ? MakePacket<int>(i % 2).At(Timestamp(6 * i))
                    : TokenAt(i % 4 == 3 ? 0 : 6 * i));
    if (i % 4 == 0) graph.WaitUntilIdle().IgnoreError();
  }
  if (end == End::kDestroy) return true;
  if (end == End::kCancel) graph.Cancel();
  graph.CloseAllInputStreams().IgnoreError();
  graph.WaitUntilDone().IgnoreError();
  return true;
}

class WithoutLocksTest : public LooksTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(WithoutLocksTest);

TEST_P(WithoutLocksTest, UsersCodeAndPacketsAreOutsideOfAllLocks) {
  for (const std::string& join : Joins()) {
    const int calls_before = calls_of_join.load();
    for (const End end : kEnds) {
      const std::string settings =
          end == End::kStops ? "max_queue_bytes: 1000 " : "";
      ASSERT_TRUE(RunGraph(GetParam(), join, end, settings));
      ExpectNobodyWasCaught(
          absl::StrCat("\"", join, "\", end ", static_cast<int>(end)));
    }
    ASSERT_TRUE(RunGraph(GetParam(), join, End::kClose,
                         "scheduler { max_duration_ms: 1 } "));
    ExpectNobodyWasCaught(absl::StrCat("\"", join, "\", at the duration"));
    EXPECT_GT(calls_of_join.load(), calls_before) << join;
  }
}

// --- A pool that a condition of the same node watches

struct Frame {
  MemoryBuffer buffer;
};

class FrameSender : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<Frame>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    SYNCLINE_ASSIGN_OR_RETURN(auto pool, cc->FindAllocator("pool"));
    SYNCLINE_ASSIGN_OR_RETURN(MemoryBuffer buffer, pool->Allocate(16));
    cc->Outputs().Index(0).AddPacket(
        MakePacket<Frame>(Frame{std::move(buffer)}).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(FrameSender);

class FrameTaker : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<Frame>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(FrameTaker);

// Each packet that the closed node refuses gives its block back, and the pool
// tells the condition of that node.
TEST_P(WithoutLocksTest,
       ARefusedPacketGivesMemoryBackToAPoolThatItsNodeWatches) {
  WorkersGraph graph(GetParam());
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "in"
        allocator {
          name: "pool"
          type: "BlockMemoryPool"
          options {
            [syncline.BlockMemoryPoolOptions.ext] {
              block_size: 64
              num_blocks: 8
            }
          }
        }
        node {
          calculator: "FrameSender"
          input_stream: "in"
          output_stream: "frames"
        }
        node {
          calculator: "FrameTaker"
          input_stream: "frames"
          condition {
            type: "CountCondition"
            options {
              [syncline.CountConditionOptions.ext] { count: 1 }
            }
          }
          condition {
            type: "MemoryAvailableCondition"
            options {
              [syncline.MemoryAvailableConditionOptions.ext] {
                allocator: "pool"
                min_blocks: 1
              }
            }
          }
        })pb")));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  for (int i = 0; i < 20; ++i) {
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "in", MakePacket<int>(i).At(Timestamp(i))));
    SYNCLINE_ASSERT_OK(graph.WaitUntilIdle());
  }
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
}

}  // namespace
}  // namespace syncline
