// Random graphs that ran, in Perfetto's form: the file breaks no rule, and each
// flow leads where the reference run says that the packet went.

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/calculator/call.h"
#include "framework/calculator_graph.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/convert/perfetto_form.h"
#include "framework/trace/trace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/oracle_comparison.h"
#include "testing/perfetto_checker.h"
#include "testing/random_graph.h"
#include "testing/reference_run.h"

namespace syncline {
namespace {

using ::testing::IsEmpty;

// "a@10, b@10, in@10": who sent a packet and who took it, in the order of these
// texts; and how many packets have gone there.
using FlowTexts = std::map<std::string, int>;

std::string CallEnd(const PlanNode& node, const ReferenceResult::Call& call) {
  switch (call.phase) {
    case CallPhase::kOpen:
      return absl::StrCat(node.name, " Open()");
    case CallPhase::kClose:
      return absl::StrCat(node.name, " Close()");
    default:
      return absl::StrCat(node.name, "@", call.timestamp.Value());
  }
}

// What has two ends or more. Each end of a packet is there once: a call that
// takes it at two ports is one of them.
FlowTexts FlowsOfReference(const GraphPlan& plan, const ReferenceInputs& inputs,
                           const ReferenceResult& result) {
  // By stream and time. Calls are told apart by their numbers.
  std::map<std::pair<int, std::int64_t>, std::map<int, std::string>> ends;
  std::map<std::string, int> streams;
  for (const PlanStream& stream : plan.streams()) {
    streams.emplace(stream.name, static_cast<int>(streams.size()));
  }
  for (const GraphInputEvent& event : inputs.events) {
    if (event.kind != GraphInputEvent::Kind::kPacket) continue;
    const std::int64_t time = event.packet.Timestamp().Value();
    ends[{streams.at(event.stream), time}][-1] =
        absl::StrCat(event.stream, "@", time);
  }
  int number = 0;
  for (const ReferenceResult::Call& call : result.calls) {
    const PlanNode& node = plan.nodes()[call.node];
    const std::string end = CallEnd(node, call);
    for (const ReferenceResult::CallPacket& packet : call.taken) {
      ends[{node.inputs[packet.port].stream, packet.timestamp.Value()}]
          [number] = end;
    }
    for (const ReferenceResult::CallPacket& packet : call.sent) {
      ends[{node.outputs[packet.port].stream, packet.timestamp.Value()}]
          [number] = end;
    }
    ++number;
  }
  FlowTexts flows;
  for (const auto& [packet, of_packet] : ends) {
    if (of_packet.size() < 2) continue;
    std::vector<std::string> texts;
    for (const auto& [call, text] : of_packet) texts.push_back(text);
    std::sort(texts.begin(), texts.end());
    ++flows[absl::StrJoin(texts, ", ")];
  }
  return flows;
}

// The same of the file. What a queue gave up when its node was closed, and so
// where a packet was dropped, depends on the schedule.
FlowTexts FlowsOfFile(const PerfettoContent& content) {
  FlowTexts flows;
  for (const auto& [flow, positions] : content.flows) {
    std::vector<std::string> texts;
    for (const std::size_t position : positions) {
      const PerfettoContent::Event& event = content.events[position];
      if (absl::StartsWith(event.name, "dropped ")) continue;
      const auto timestamp = event.annotations.find("timestamp");
      texts.push_back(timestamp == event.annotations.end()
                          ? event.name
                          : absl::StrCat(event.name, "@", timestamp->second));
    }
    if (texts.size() < 2) continue;
    std::sort(texts.begin(), texts.end());
    ++flows[absl::StrJoin(texts, ", ")];
  }
  return flows;
}

PerfettoContent InPerfettosForm(const Trace& trace) {
  std::string file;
  SYNCLINE_EXPECT_OK(WritePerfetto(trace, [&file](absl::string_view piece) {
    file.append(piece.data(), piece.size());
    return absl::OkStatus();
  }));
  return ReadPerfetto(file);
}

class PerfettoOracleTest : public testing::TestWithParam<int> {};

TEST_P(PerfettoOracleTest, FlowsOfRunsAreTheWaysOfTheReference) {
  int num_compared = 0;
  std::size_t num_flows = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const RandomCase random_case = MakeRandomCase(seed);
    CompileOptions options;
    options.log_warnings = false;
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphPlan plan,
                                  Compile(random_case.graph(), options));
    const ReferenceInputs inputs = InputsOf(random_case);
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const ReferenceResult reference,
                                  RunReference(plan, inputs));
    // After an error, how far the run comes depends on the schedule; the file
    // has to be in order all the same.
    const bool has_errors = !reference.errors.empty();
    Trace trace;
    SYNCLINE_ASSERT_OK_AND_ASSIGN(
        const EngineResult engine,
        RunOnEngine(
            random_case.graph(), inputs, GetParam(),
            absl::StrCat("Perfetto seed ", seed),
            [](CalculatorGraph& graph) { return graph.EnableFlightRecorder(); },
            [&](CalculatorGraph& graph) { trace = graph.TakeTrace(); }));
    EXPECT_EQ(trace.num_lost(), 0);
    const PerfettoContent content = InPerfettosForm(trace);
    ASSERT_THAT(content.violations, IsEmpty());
    if (has_errors) continue;
    SYNCLINE_EXPECT_OK(engine.status);
    ASSERT_THAT(FlowsOfFile(content), testing::ContainerEq(FlowsOfReference(
                                          plan, inputs, reference)));
    num_flows += content.flows.size();
    ++num_compared;
  }
  EXPECT_GT(num_compared, 50);
  EXPECT_GT(num_flows, 1500u);
}

INSTANTIATE_TEST_SUITE_P(Threads, PerfettoOracleTest,
                         testing::Values(0, 1, 2, 8));

}  // namespace
}  // namespace syncline
