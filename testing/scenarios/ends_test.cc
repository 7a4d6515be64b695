// The ends of runs and nodes: what still runs after an error, nodes that are
// opened and closed only, and what is sent last of all.
#include <atomic>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_stop.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/test_calculators.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Code = absl::StatusCode;

// Sends 1 at the time.
void SendAt(Timestamp time, CalculatorContext* cc) {
  cc->Outputs().Index(0).AddPacket(MakePacket<int>(1).At(time));
}

class EndsTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(EndsTest);

// --- Errors

// It was ready before anything went wrong.
TEST_P(EndsTest, WhatIsQueuedRunsAfterAnErrorAndWhatFollowsDoesNot) {
  if (GetParam().threads > 1 || GetParam().seed != 0) return;
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "LambdaCalculator"
                         input_side_packet: "PROCESS:note"
                         input_stream: "in"
                         output_stream: "noted"
                       }
                       node {
                         calculator: "LambdaCalculator"
                         input_side_packet: "PROCESS:fail"
                         input_stream: "in"
                       }
                       node {
                         calculator: "LambdaCalculator"
                         input_side_packet: "PROCESS:never"
                         input_stream: "noted"
                       })pb",
                     GetParam());
  std::atomic<int> noted{0};
  graph.SetFunction("note", [&](CalculatorContext* cc) {
    ++noted;
    SendAt(cc->InputTimestamp(), cc);
    return absl::OkStatus();
  });
  graph.SetFunction(
      "fail", [](CalculatorContext*) { return absl::DataLossError("lost"); });
  graph.SetFunction("never", [](CalculatorContext*) {
    ADD_FAILURE() << "became ready after the error";
    return absl::OkStatus();
  });
  SYNCLINE_ASSERT_OK(graph.Start());
  // All are open, and nothing runs while the packets arrive.
  graph.Idle();
  graph.graph().Pause();
  graph.Feed("in", {{0, 1}});
  graph.graph().Resume();
  EXPECT_THAT(graph.Finish(), StatusIs(Code::kDataLoss));
  EXPECT_EQ(noted, 1);
}

// --- Nodes without streams

TEST_P(EndsTest, ANodeWithoutStreamsIsOpenedAndClosedOnly) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "LambdaCalculator"
                         input_side_packet: "OPEN:open"
                         input_side_packet: "PROCESS:process"
                         input_side_packet: "CLOSE:close"
                       })pb",
                     GetParam());
  std::atomic<int> opened{0};
  std::atomic<int> closed{0};
  graph.SetFunction("open", [&](CalculatorContext*) {
    ++opened;
    return absl::OkStatus();
  });
  graph.SetFunction("process", [](CalculatorContext*) {
    ADD_FAILURE() << "it is no source";
    return tool::StatusStop();
  });
  graph.SetFunction("close", [&](CalculatorContext*) {
    ++closed;
    return absl::OkStatus();
  });
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Idle();
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(closed, 0) << "at the end of the run, not before";
  SYNCLINE_EXPECT_OK(graph.Finish());
  EXPECT_EQ(closed, 1);
}

// --- The very end

TEST_P(EndsTest, CloseMaySendAtPostStreamWhereNothingWasSent) {
  for (const bool has_sent : {false, true}) {
    GraphHarness graph(R"pb(
                         input_stream: "in"
                         node {
                           calculator: "LambdaCalculator"
                           name: "it"
                           input_side_packet: "PROCESS:process"
                           input_side_packet: "CLOSE:close"
                           input_stream: "in"
                           output_stream: "out"
                         })pb",
                       GetParam());
    graph.SetFunction("process", [&](CalculatorContext* cc) {
      if (has_sent) SendAt(cc->InputTimestamp(), cc);
      return absl::OkStatus();
    });
    graph.SetFunction("close", [](CalculatorContext* cc) {
      SendAt(Timestamp::PostStream(), cc);
      return absl::OkStatus();
    });
    graph.Feed("in", {{0, 1}, {1, 1}});
    const absl::Status status = graph.Run();
    if (has_sent) {
      EXPECT_THAT(status,
                  StatusIs(Code::kInvalidArgument,
                           AllOf(HasSubstr("\"it\""), HasSubstr("PostStream"),
                                 HasSubstr("only packet"))));
      graph.Expect("out", {{0, 1}, {1, 1}});
    } else {
      SYNCLINE_EXPECT_OK(status);
      graph.Expect("out", {{Timestamp::PostStream(), 1}});
    }
  }
}

constexpr char kSummary[] = R"pb(
  input_stream: "in"
  node {
    calculator: "LambdaCalculator"
    input_side_packet: "PROCESS:pass"
    input_stream: "in"
    output_stream: "data"
  }
  node {
    calculator: "LambdaBoundsCalculator"
    input_side_packet: "PROCESS:sum"
    input_stream: "data"
    output_stream: "sum"
    input_stream_handler { input_stream_handler: "ImmediateInputStreamHandler" }
  })pb";

// A summary goes out at Max() when the input has ended, but not if it ended
// because something went wrong. That the input has ended may be seen together
// with its last packet, and is told once more at Max().
TEST_P(EndsTest, ASummaryIsSentAtMaxUnlessTheRunFails) {
  for (const bool fails : {false, true}) {
    GraphHarness graph(kSummary, GetParam());
    graph.SetFunction("pass", [&](CalculatorContext* cc) {
      if (fails && cc->InputTimestamp() == Timestamp(2)) {
        return absl::DataLossError("lost");
      }
      cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
      return absl::OkStatus();
    });
    graph.SetFunction("sum", [sum = 0](CalculatorContext* cc) mutable {
      EXPECT_LE(cc->InputTimestamp(), Timestamp::Max());
      const InputStream& in = cc->Inputs().Index(0);
      if (!in.IsEmpty()) sum += in.Get<int>();
      OutputStream& out = cc->Outputs().Index(0);
      if (!in.IsDone() || out.IsClosed()) return absl::OkStatus();
      out.AddPacket(MakePacket<int>(sum).At(Timestamp::Max()));
      out.Close();
      return absl::OkStatus();
    });
    graph.Feed("in", {{0, 1}, {1, 2}, {2, 4}});
    const absl::Status status = graph.Run();
    if (fails) {
      EXPECT_THAT(status, StatusIs(Code::kDataLoss));
      graph.Expect("sum", {});
    } else {
      SYNCLINE_EXPECT_OK(status);
      graph.Expect("sum", {{Timestamp::Max(), 7}});
    }
  }
}

// Sends what comes at its time, which its offset promises. Calls for bounds, if
// `kBounds`.
template <bool kBounds>
class PassAtOnceCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetTimestampOffset(TimestampDiff(0));
    cc->SetProcessTimestampBounds(kBounds);
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    for (const InputStream& input : cc->Inputs()) {
      if (!input.IsEmpty()) cc->Outputs().Index(0).AddPacket(input.Value());
    }
    return absl::OkStatus();
  }
};
using PassPacketsAtOnceCalculator = PassAtOnceCalculator<false>;
REGISTER_CALCULATOR(PassPacketsAtOnceCalculator);
using PassBoundsAtOnceCalculator = PassAtOnceCalculator<true>;
REGISTER_CALCULATOR(PassBoundsAtOnceCalculator);

// That an input has ended is told at Max(), which is not how far the others
// are.
TEST_P(EndsTest, TheEndOfOneInputDoesNotSettleWhatTheOthersSend) {
  for (const char* const type :
       {"PassPacketsAtOnceCalculator", "PassBoundsAtOnceCalculator"}) {
    SCOPED_TRACE(type);
    GraphHarness graph(
        absl::StrCat("input_stream: 'a' input_stream: 'b' node { "
                     "calculator: '",
                     type,
                     "' input_stream: 'a' input_stream: 'b' "
                     "output_stream: 'out' }"),
        GetParam());
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Close("a");
    graph.Idle();
    for (const int time : {10, 20}) {
      graph.Feed("b", {{time, time}});
      graph.Idle();
    }
    graph.Expect("out", {{10, 10}, {20, 20}});
    SYNCLINE_EXPECT_OK(graph.Finish());
  }
}

}  // namespace
}  // namespace syncline
