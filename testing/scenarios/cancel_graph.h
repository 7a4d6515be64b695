// CancelGraph: a graph to be cancelled, and to be run again afterwards.
//
//   CancelGraph graph(GetParam());
//   graph.StartWithPacket();
//   graph.Cancel();
//   graph.ExpectCancelledAndRunsAgain();
//
// Its first node calls the functions "open", "process" and "close", which a
// test may replace; what it sends is summed up in stream "end".
//
// Thread rule: that of GraphHarness; Cancel is safe from any thread.

#ifndef SYNCLINE_TESTING_SCENARIOS_CANCEL_GRAPH_H_
#define SYNCLINE_TESTING_SCENARIOS_CANCEL_GRAPH_H_

#include "absl/status/status.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/test_calculators.h"
#include "testing/worker_counts.h"

namespace syncline {

MATCHER(IsCancelled, "") { return arg.code() == absl::StatusCode::kCancelled; }

class CancelGraph : public GraphHarness {
 public:
  explicit CancelGraph(const Workers& workers)
      : GraphHarness(R"pb(
                       max_queue_size: 2
                       input_stream: "in"
                       # Several threads send, in any order.
                       graph_input_info { stream: "in" bad_timestamps: REJECT }
                       node {
                         calculator: "LambdaCalculator"
                         name: "first"
                         input_side_packet: "OPEN:open"
                         input_side_packet: "PROCESS:process"
                         input_side_packet: "CLOSE:close"
                         input_stream: "in"
                         output_stream: "out"
                       }
                       node {
                         calculator: "SumCalculator"
                         input_stream: "out"
                         output_stream: "end"
                       })pb",
                     workers) {
    SetPlainFunctions();
  }

  // What "process" is unless a test replaces it.
  static absl::Status Pass(CalculatorContext* cc) {
    if (cc->Outputs().NumEntries() == 0 || cc->Inputs().Index(0).IsEmpty()) {
      return absl::OkStatus();
    }
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }
  // "process" passes the packet on once the latch is open.
  void SetProcessWaitsFor(Latch* latch) {
    SetFunction("process", [latch](CalculatorContext* cc) {
      latch->Wait();
      return Pass(cc);
    });
  }
  void SetProcessFails() {
    SetFunction("process", [](CalculatorContext*) {
      return absl::DataLossError("the first error");
    });
  }

  void StartWithPacket() {
    SYNCLINE_ASSERT_OK(Start());
    Feed("in", {{0, 1}});
  }
  void Cancel() { graph().Cancel(); }

  void ExpectCancelled() { EXPECT_THAT(Finish(), IsCancelled()); }
  // A run in which nobody cancels.
  void ExpectRunsWell() {
    SetPlainFunctions();
    SYNCLINE_ASSERT_OK(Start());
    Feed("in", {{0, 5}, {1, 6}});
    SYNCLINE_EXPECT_OK(Finish());
    Expect("end", {{0, 5}, {1, 6}});
  }
  void ExpectCancelledAndRunsAgain() {
    ExpectCancelled();
    ExpectRunsWell();
  }

 private:
  void SetPlainFunctions() {
    const auto nothing = [](CalculatorContext*) { return absl::OkStatus(); };
    SetFunction("open", nothing);
    SetFunction("process", Pass);
    SetFunction("close", nothing);
  }
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_SCENARIOS_CANCEL_GRAPH_H_
