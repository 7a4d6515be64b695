#include "framework/trace/convert/test_trace.h"

#include "framework/port/status_matchers.h"
#include "framework/trace/trace.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(TestTraceTest, BuildsWhatWasNoted) {
  TestTrace made;
  EXPECT_EQ(made.AddNode("a", {"in"}, {"out"}), 0);
  EXPECT_EQ(made.AddNode("b", {"out", "in"}, {}), 1);
  made.AddThread("main", 7);
  made.Note(0, 10, TraceKind::kSent, made.Stream("in"), 5);
  made.Lose(0, 3);
  made.Note(0, 20, TraceKind::kDropped, made.Stream("out"), 5, 1);
  const Trace trace = made.Take();
  SYNCLINE_EXPECT_OK(CheckTrace(trace));
  EXPECT_EQ(trace.header.stream(made.Stream("in")).producer(), -1);
  EXPECT_EQ(trace.header.stream(made.Stream("out")).producer(), 0);
  EXPECT_EQ(trace.num_events(), 2);
  EXPECT_EQ(trace.num_lost(), 3);
  EXPECT_EQ(trace.Ns(10), TestTrace::kSteadyNs + 10);
  EXPECT_EQ(trace.UnixNs(10), TestTrace::kUnixNs + 10);
  EXPECT_EQ(made.Build().num_events(), 0);
}

}  // namespace
}  // namespace syncline
