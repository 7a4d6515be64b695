// A graph that is freed while other threads use it: their calls come back,
// whatever they were about to do.

#include "framework/c/graph_object.h"

#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/plan/graph_source.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(GraphObjectTest, ARunThatBeginsWhileItsGraphIsFreedEnds) {
  syncline_graph handle = nullptr;
  ASSERT_TRUE(CreateGraph(ReadGraphText("input_stream: \"in\""), &handle).ok());
  absl::StatusOr<GraphUse> use = GraphUse::Begin(handle);
  ASSERT_TRUE(use.ok());
  std::thread other([&] { EXPECT_TRUE(FreeGraph(handle).ok()); });
  // The handle is gone, and the graph was told to end.
  while (GraphUse::Begin(handle).ok()) absl::SleepFor(absl::Milliseconds(1));
  absl::SleepFor(absl::Milliseconds(50));
  EXPECT_TRUE((*use)->StartRun({}).ok());
  // Its input stays open: without an end from outside this would never return.
  EXPECT_EQ((*use)->WaitUntilDone().code(), absl::StatusCode::kCancelled);
  { const GraphUse gone = *std::move(use); }
  other.join();
}

}  // namespace
}  // namespace syncline
