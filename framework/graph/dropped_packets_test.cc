// No packet is lost without a trace: what reaches an input of a node and is
// seen by no call is counted there, with its cause, for as long as the run can
// be looked at.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "framework/base/name_registry.h"
#include "framework/base/source_location.h"
#include "framework/calculator/context.h"
#include "framework/calculator/input_stream.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/queue_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/input_policy_registry.h"
#include "framework/port/status_matchers.h"
#include "framework/stream/input_queue.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

// Wrong on purpose: takes the third packet of its first input, whatever waits
// before it or may still come on others.
class HastyPolicy final : public InputPolicy {
 public:
  explicit HastyPolicy(const PolicyPorts& ports) : queues_(ports.queues) {}
  void OnChange(int) override {}
  Readiness Evaluate() const override {
    const InputQueue& first = queues_[0];
    if (first.Done()) return {Readiness::State::kClose, Timestamp::Done()};
    if (first.size() < 3) return {Readiness::State::kWait, first.bound()};
    return {Readiness::State::kProcess, first.at(2).Timestamp()};
  }
  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    for (int port = 0; port < static_cast<int>(queues_.size()); ++port) {
      Packet packet = queues_[port].TakeAt(timestamp);
      inputs->Get(port).Fill(std::move(packet), queues_[port].Done());
    }
    return timestamp;
  }
  bool SeesEveryPacket() const override { return true; }
  bool DropsPackets() const override { return true; }

 private:
  const absl::Span<InputQueue> queues_;
};

const Unregister hasty(TokenOrReport(
    RegisterInputPolicyKind("test.HastyInputStreamHandler",
                            {.create =
                                 [](const PolicyPorts& ports) {
                                   return std::make_unique<HastyPolicy>(ports);
                                 }},
                            /*check=*/{}, SYNCLINE_LOC.ToString())));

// "join :0:a AT_END 3", one for each stream and cause.
std::string Drops(TestGraph* graph) {
  const absl::StatusOr<GraphRuntimeInfo> info =
      graph->graph().GetGraphRuntimeInfo();
  SYNCLINE_EXPECT_OK(info.status());
  if (!info.ok()) return "";
  std::vector<std::string> drops;
  for (const CalculatorRuntimeInfo& node : info->calculator_infos()) {
    for (const InputStreamRuntimeInfo& input : node.input_stream_infos()) {
      for (const DroppedPacketsInfo& dropped : input.dropped_packets()) {
        drops.push_back(
            absl::StrCat(node.calculator_name(), " ", input.stream_name(), " ",
                         DroppedPacketsInfo::Cause_Name(dropped.cause()), " ",
                         dropped.number_of_packets()));
      }
    }
  }
  return absl::StrJoin(drops, ", ");
}

class DroppedPacketsTest : public ::testing::TestWithParam<Workers> {
 protected:
  // A node "n" that passes on "a", with `fields`.
  static std::string OneNode(const std::string& fields) {
    return absl::StrCat(R"(input_stream: "a"
      node { calculator: "TestLambda" name: "n" input_side_packet: "PROCESS:f"
             input_stream: "a" output_stream: "out" )",
                        fields, "}");
  }
  // A node "n" that joins "a" and "b", with `handler`.
  static std::string Join(const std::string& handler) {
    return absl::StrCat(R"(input_stream: "a" input_stream: "b"
      node { calculator: "TestLambda" name: "n" input_side_packet: "PROCESS:f"
             input_stream: "a" input_stream: "b" output_stream: "out"
             input_stream_handler { input_stream_handler: ")",
                        handler, "\"} }");
  }
  static void AddAll(TestGraph* graph, const std::string& stream, int count) {
    for (int i = 0; i < count; ++i) graph->Add(stream, 10 * i, i);
  }
};
SYNCLINE_TEST_WITH_ALL_WORKERS(DroppedPacketsTest);

TEST_P(DroppedPacketsTest, WhatIsProcessedIsNotDropped) {
  TestGraph graph(GetParam(), Join("DefaultInputStreamHandler"));
  graph.Give("f", SendSum);
  graph.Start();
  AddAll(&graph, "a", 20);
  AddAll(&graph, "b", 5);
  graph.Finish();
  EXPECT_EQ(Drops(&graph), "");
}

TEST_P(DroppedPacketsTest, WhatWaitsWhenANodeClosesAndWhatComesLater) {
  TestGraph graph(GetParam(), Join("EarlyCloseInputStreamHandler"));
  graph.Give("f", SendSum);
  graph.Start();
  AddAll(&graph, "a", 3);
  graph.Idle();
  EXPECT_EQ(Drops(&graph), "") << "they wait";
  graph.Close("b");
  graph.Idle();
  EXPECT_EQ(Drops(&graph), "n :0:a AT_CLOSE 3");
  graph.Add("a", 100, 1);
  graph.Add("a", 110, 1);
  graph.Idle();
  EXPECT_EQ(Drops(&graph), "n :0:a AFTER_CLOSE 2, n :0:a AT_CLOSE 3");
  graph.Finish();
  EXPECT_EQ(Drops(&graph), "n :0:a AFTER_CLOSE 2, n :0:a AT_CLOSE 3");
}

TEST_P(DroppedPacketsTest, WhatThePolicyRemoves) {
  TestGraph graph(GetParam(), Join("FixedSizeInputStreamHandler"));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  AddAll(&graph, "a", 10);
  graph.Idle();
  EXPECT_EQ(Drops(&graph), "n :0:a BY_POLICY 9") << "nothing is ready yet";
  EXPECT_THAT(graph.graph().Explain(),
              HasSubstr("It has dropped 9 packets of \"a\" (9 removed by the "
                        "rule of the input stream handler)."));
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "90:9");
  EXPECT_EQ(Drops(&graph), "n :0:a BY_POLICY 9");
}

TEST_P(DroppedPacketsTest, WhatAnInputSetPassesOver) {
  TestGraph graph(GetParam(), Join("test.HastyInputStreamHandler"));
  graph.Give("f", SendSum);
  graph.Observe("out");
  graph.Start();
  graph.Add("b", 5, 7);
  AddAll(&graph, "a", 3);
  graph.Finish();
  EXPECT_EQ(graph.Seen("out"), "20:2");
  EXPECT_EQ(Drops(&graph), "n :0:a SKIPPED 2, n :1:b SKIPPED 1");
}

TEST_P(DroppedPacketsTest, WhatGoesBack) {
  TestGraph graph(GetParam(), Join("test.HastyInputStreamHandler"));
  graph.Give("f", SendSum);
  graph.Start();
  AddAll(&graph, "a", 3);
  graph.Idle();
  graph.Add("b", 5, 7);  // the node is past that
  const absl::Status status = graph.FinishWithStatus();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(Drops(&graph), HasSubstr("n :1:b GOES_BACK 1"));
}

// --- Runs that fail

TEST_P(DroppedPacketsTest, WhatWaitsWhenTheRunIsCancelled) {
  TestGraph graph(GetParam(), Join("DefaultInputStreamHandler"));
  graph.Give("f", SendSum);
  graph.Start();
  AddAll(&graph, "a", 3);
  graph.Idle();
  graph.graph().Cancel();
  EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(Drops(&graph), "n :0:a RUN_FAILED 3");
}

// While the graph is paused, calls are ready and do not begin: their input sets
// have left the queues, and not reached the calculator.
TEST_P(DroppedPacketsTest, WhatWasTakenForCallsThatNeverCame) {
  constexpr char kBatch[] = R"(input_stream_handler { options {
    [syncline.DefaultInputStreamHandlerOptions.ext] { batch_size: 4 } } })";
  constexpr char kTakesWhenCallStarts[] = R"(input_stream_handler {
    input_stream_handler: "FixedSizeInputStreamHandler" options {
    [syncline.FixedSizeInputStreamHandlerOptions.ext] {
      trigger_queue_size: 100 target_queue_size: 50 } } })";
  for (const char* const fields :
       {"", "max_in_flight: 3", kBatch, kTakesWhenCallStarts}) {
    TestGraph graph(GetParam(), OneNode(fields));
    graph.Give("f", SendSum);
    graph.Start();
    graph.Idle();  // the node is open
    graph.graph().Pause();
    AddAll(&graph, "a", 6);
    graph.graph().Cancel();
    EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kCancelled);
    EXPECT_EQ(Drops(&graph), "n :0:a RUN_FAILED 6") << fields;
  }
}

TEST_P(DroppedPacketsTest, WhatABatchStillHadWhenACallFailed) {
  TestGraph graph(GetParam(), OneNode(R"(input_stream_handler { options {
    [syncline.DefaultInputStreamHandlerOptions.ext] { batch_size: 4 } } })"));
  graph.Give("f", [](CalculatorContext* cc) {
    return cc->InputTimestamp() == Timestamp(10)
               ? absl::InternalError("no more")
               : absl::OkStatus();
  });
  graph.Start();
  AddAll(&graph, "a", 3);
  graph.Idle();
  (void)graph.AddWithStatus("a", 100, 1);  // the batch is full
  EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(Drops(&graph), "n :0:a RUN_FAILED 2");
}

TEST_P(DroppedPacketsTest, WhatCameBeforeOpenFailed) {
  TestGraph graph(GetParam(), R"(input_stream: "a"
      node { calculator: "TestLambda" name: "n" input_side_packet: "OPEN:f"
             input_stream: "a" })");
  LongCall long_call;
  graph.Give("f", [&long_call](CalculatorContext* cc) {
    (void)long_call.Function()(cc);
    return absl::InternalError("not today");
  });
  if (GetParam().is_application_thread())
    long_call.End();  // nothing runs before it is waited for
  graph.Start();
  AddAll(&graph, "a", 2);
  long_call.End();
  EXPECT_EQ(graph.FinishWithStatus().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(Drops(&graph), "n :0:a RUN_FAILED 2");
}

// --- What is, and what is not

TEST_P(DroppedPacketsTest, EachRunCountsAnew) {
  TestGraph graph(GetParam(), Join("EarlyCloseInputStreamHandler"));
  graph.Give("f", SendSum);
  for (int run = 0; run < 2; ++run) {
    graph.Start();
    EXPECT_EQ(Drops(&graph), "");
    AddAll(&graph, "a", 3);
    graph.Idle();
    graph.Close("b");
    graph.Finish();
    EXPECT_EQ(Drops(&graph), "n :0:a AT_CLOSE 3");
  }
}

// Who adds it is told, and has it still.
TEST_P(DroppedPacketsTest, WhatAGraphInputRefusesIsNotCounted) {
  TestGraph graph(
      GetParam(),
      OneNode("") +
          R"(graph_input_info { stream: "a" bad_timestamps: REJECT })");
  graph.Give("f", SendSum);
  graph.Start();
  graph.Add("a", 10, 1);
  EXPECT_FALSE(graph.AddWithStatus("a", 5, 1).ok());
  graph.Close("a");
  EXPECT_FALSE(graph.AddWithStatus("a", 20, 1).ok());
  graph.Finish();
  EXPECT_EQ(Drops(&graph), "");
}

}  // namespace
}  // namespace syncline
