// What the tests of traced graphs share: what a trace has of a node, and a
// graph of two nodes that send on what they get.
//
// Thread rule: free functions.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TRACE_GRAPH_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TRACE_GRAPH_TEST_SUPPORT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/calculator/context.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_event.h"
#include "gtest/gtest.h"

namespace syncline {

// "a 10 <- in@10 -> b@10" for each call of Process of the node, in the order of
// their begins; for Open and Close their names in place of the time.
inline std::vector<std::string> CallsOf(const Trace& trace,
                                        const std::string& node) {
  const TraceCalls calls(trace);
  const auto text = [&](const TracedPacket& packet) {
    return absl::StrCat(trace.header.stream(packet.stream).name(), "@",
                        packet.timestamp);
  };
  std::vector<std::string> lines;
  for (const TracedCall& call : calls.calls()) {
    if (trace.header.node(call.node).name() != node) continue;
    EXPECT_TRUE(call.begin_is_known);
    EXPECT_TRUE(call.end_is_known);
    EXPECT_LE(call.begin, call.end);
    std::vector<std::string> taken;
    for (const TracedPacket& packet : calls.Taken(call)) {
      taken.push_back(text(packet));
    }
    std::vector<std::string> sent;
    for (const TracedPacket& packet : calls.Sent(call)) {
      EXPECT_GE(packet.tick, call.end);
      sent.push_back(text(packet));
    }
    lines.push_back(absl::StrCat(
        call.kind == TraceKind::kOpenBegin    ? "Open"
        : call.kind == TraceKind::kCloseBegin ? "Close"
                                              : absl::StrCat(call.timestamp),
        taken.empty() ? "" : " <- ", absl::StrJoin(taken, " "),
        sent.empty() ? "" : " -> ", absl::StrJoin(sent, " "),
        call.status_code == 0 ? "" : absl::StrCat(" ! ", call.status_code)));
  }
  return lines;
}

inline int CountOf(const Trace& trace, TraceKind kind) {
  int count = 0;
  ForEachEvent(trace, [&](int, const TraceEvent& event) {
    if (event.kind() == kind) ++count;
  });
  return count;
}

inline absl::Status SendOn(CalculatorContext* cc) {
  cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
  return absl::OkStatus();
}

inline constexpr char kTwo[] = R"(
    input_stream: "in"
    node { name: "a" calculator: "TestLambda" input_stream: "in"
           output_stream: "x" input_side_packet: "PROCESS:f" }
    node { name: "b" calculator: "TestLambda" input_stream: "x"
           output_stream: "out" input_side_packet: "PROCESS:f" })";

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TRACE_GRAPH_TEST_SUPPORT_H_
