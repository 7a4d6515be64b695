// The traces of random graphs say what the reference run says: which call took
// which packets, and what it sent. And the times that a packet spends at nodes
// and in calls on its way add up to its latency.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/call.h"
#include "framework/calculator_graph.h"
#include "framework/config/calculator.pb.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/latency/latency.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_event.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/oracle_comparison.h"
#include "testing/random_graph.h"
#include "testing/reference_run.h"

namespace syncline {
namespace {

// "a 10 <- 0:in@10 -> out@10": a call of Process that took or sent packets. The
// others say nothing, and how many there are depends on the schedule.
using CallTexts = std::map<std::string, int>;

void AddText(std::string text, bool has_packets, CallTexts* texts) {
  if (has_packets) ++(*texts)[std::move(text)];
}

CallTexts OfReference(const GraphPlan& plan, const ReferenceResult& result) {
  CallTexts texts;
  for (const ReferenceResult::Call& call : result.calls) {
    if (call.phase != CallPhase::kProcess) continue;
    const PlanNode& node = plan.nodes()[call.node];
    std::string text =
        absl::StrCat(node.name, " ", call.timestamp.Value(), " <-");
    for (const ReferenceResult::CallPacket& packet : call.taken) {
      absl::StrAppend(&text, " ", packet.port, ":",
                      plan.streams()[node.inputs[packet.port].stream].name, "@",
                      packet.timestamp.Value());
    }
    absl::StrAppend(&text, " ->");
    for (const ReferenceResult::CallPacket& packet : call.sent) {
      absl::StrAppend(&text, " ",
                      plan.streams()[node.outputs[packet.port].stream].name,
                      "@", packet.timestamp.Value());
    }
    AddText(std::move(text), !call.taken.empty() || !call.sent.empty(), &texts);
  }
  return texts;
}

CallTexts OfTrace(const Trace& trace, const TraceCalls& calls) {
  CallTexts texts;
  for (const TracedCall& call : calls.calls()) {
    if (call.kind != TraceKind::kProcessBegin) continue;
    EXPECT_TRUE(call.begin_is_known && call.end_is_known);
    std::string text = absl::StrCat(trace.header.node(call.node).name(), " ",
                                    call.timestamp, " <-");
    for (const TracedPacket& packet : calls.Taken(call)) {
      absl::StrAppend(&text, " ", packet.port, ":",
                      trace.header.stream(packet.stream).name(), "@",
                      packet.timestamp);
    }
    absl::StrAppend(&text, " ->");
    // By port, as the reference run has them.
    std::vector<std::pair<std::int32_t, TracedPacket>> sent;
    for (const TracedPacket& packet : calls.Sent(call)) {
      const auto& outputs = trace.header.node(call.node).output_stream();
      const auto port =
          std::find(outputs.begin(), outputs.end(), packet.stream) -
          outputs.begin();
      sent.emplace_back(static_cast<std::int32_t>(port), packet);
    }
    std::stable_sort(
        sent.begin(), sent.end(),
        [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [port, packet] : sent) {
      absl::StrAppend(&text, " ", trace.header.stream(packet.stream).name(),
                      "@", packet.timestamp);
    }
    AddText(std::move(text), call.num_taken > 0 || call.num_sent > 0, &texts);
  }
  return texts;
}

// The parts of each message's way add up to the time that it took.
void ExpectExactLatencies(const Trace& trace, const TraceCalls& calls,
                          int* num_messages) {
  const Latencies latencies = ComputeLatencies(trace, calls, {});
  for (const LatencyPath& path : latencies.paths) {
    for (std::size_t i = 0; i < path.messages.size(); ++i) {
      std::int64_t sum = 0;
      for (const std::int64_t ticks : path.TicksOf(i)) {
        EXPECT_GE(ticks, 0) << path.name;
        sum += ticks;
      }
      EXPECT_EQ(sum, path.messages[i].ticks()) << path.name;
      ++*num_messages;
    }
  }
}

class TraceOracleTest : public testing::TestWithParam<int> {};

TEST_P(TraceOracleTest, ATraceSaysWhichPacketWentWhere) {
  int num_compared = 0;
  int num_messages = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const RandomCase random_case = MakeRandomCase(seed);
    CompileOptions options;
    options.log_warnings = false;
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphPlan plan,
                                  Compile(random_case.graph(), options));
    const ReferenceInputs inputs = InputsOf(random_case);
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const ReferenceResult reference,
                                  RunReference(plan, inputs));
    // After an error, how far the run comes depends on the schedule.
    if (!reference.errors.empty()) continue;
    Trace trace;
    SYNCLINE_ASSERT_OK_AND_ASSIGN(
        const EngineResult engine,
        RunOnEngine(
            random_case.graph(), inputs, GetParam(),
            absl::StrCat("Traced seed ", seed),
            [](CalculatorGraph& graph) { return graph.EnableFlightRecorder(); },
            [&](CalculatorGraph& graph) { trace = graph.TakeTrace(); }));
    SYNCLINE_EXPECT_OK(engine.status);
    SYNCLINE_EXPECT_OK(CheckTrace(trace));
    EXPECT_EQ(trace.num_lost(), 0);
    const TraceCalls calls(trace);
    EXPECT_THAT(OfTrace(trace, calls),
                testing::ContainerEq(OfReference(plan, reference)))
        << "seed " << seed;
    ExpectExactLatencies(trace, calls, &num_messages);
    ++num_compared;
    if (HasFailure()) return;
  }
  EXPECT_GT(num_compared, 50);
  EXPECT_GT(num_messages, 500);
}

INSTANTIATE_TEST_SUITE_P(Threads, TraceOracleTest, testing::Values(0, 1, 2, 8));

}  // namespace
}  // namespace syncline
