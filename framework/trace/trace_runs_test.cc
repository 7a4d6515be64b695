#include "framework/trace/trace_runs.h"

#include "framework/trace/trace.h"
#include "framework/trace/trace_builder.h"
#include "framework/trace/trace_calls.h"
#include "framework/trace/trace_event.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(TraceRunsTest, ATraceOfOneRunHasRunZero) {
  TraceBuilder builder;
  const int a = builder.AddNode("a");
  const int b = builder.AddNode("b");
  builder.At(10).Begin(a, 0, TraceKind::kOpenBegin);
  builder.At(11).End(a, 0, TraceKind::kOpenEnd);
  builder.At(12).Begin(b, 0, TraceKind::kOpenBegin);
  builder.At(13).End(b, 0, TraceKind::kOpenEnd);
  builder.At(20).Begin(a, 5);
  builder.At(30).End(a, 5);
  const Trace trace = builder.Build();
  const TraceCalls calls(trace);
  const TraceRuns runs(calls);
  EXPECT_EQ(runs.At(0), 0);
  EXPECT_EQ(runs.At(20), 0);
  EXPECT_EQ(runs.At(1000), 0);
}

TEST(TraceRunsTest, ARunBeginsAfterTheLastCallOfTheOneBefore) {
  TraceBuilder builder;
  const int in = builder.AddInput("in");
  const int a = builder.AddNode("a", {in});
  const int b = builder.AddNode("b", {in});
  for (int run = 0; run < 3; ++run) {
    const int start = 100 * run;
    builder.On(0).At(start + 5).Sent(in, 7);
    builder.At(start + 10).Begin(a, 0, TraceKind::kOpenBegin);
    builder.At(start + 11).End(a, 0, TraceKind::kOpenEnd);
    // Another thread opens the other node at the same time.
    builder.On(1).At(start + 10).Begin(b, 0, TraceKind::kOpenBegin);
    builder.At(start + 12).End(b, 0, TraceKind::kOpenEnd);
    builder.On(0).At(start + 20).Begin(a, 7).Taken(in, 7, 0);
    builder.At(start + 50).End(a, 7);
  }
  const Trace trace = builder.Build();
  const TraceCalls calls(trace);
  const TraceRuns runs(calls);
  for (int run = 0; run < 3; ++run) {
    // What the application sends before the first node is opened is of the run.
    EXPECT_EQ(runs.At(100 * run + 5), run);
    EXPECT_EQ(runs.At(100 * run + 11), run);
    EXPECT_EQ(runs.At(100 * run + 50), run);
  }
}

// The first events are lost.
TEST(TraceRunsTest, AnOpenAfterACallOfTheNodeBeginsARun) {
  TraceBuilder builder;
  const int a = builder.AddNode("a");
  builder.At(20).Begin(a, 5);
  builder.At(30).End(a, 5);
  builder.At(40).Begin(a, 0, TraceKind::kOpenBegin);
  builder.At(41).End(a, 0, TraceKind::kOpenEnd);
  const Trace trace = builder.Build();
  const TraceCalls calls(trace);
  const TraceRuns runs(calls);
  EXPECT_EQ(runs.At(30), 0);
  EXPECT_EQ(runs.At(31), 1);
}

}  // namespace
}  // namespace syncline
