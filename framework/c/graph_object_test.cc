// A graph is freed while other threads use it: their calls return, whatever
// they were doing.

#include "framework/c/graph_object.h"

#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/c/packet_object.h"
#include "framework/c/syncline.h"
#include "framework/graph_text/graph_source.h"
#include "framework/packet/packet.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(GraphObjectTest, ARunThatBeginsWhileItsGraphIsFreedEnds) {
  syncline_graph handle = nullptr;
  ASSERT_TRUE(CreateGraph(ReadGraphText("input_stream: \"in\""), &handle).ok());
  absl::StatusOr<GraphUse> use = GraphUse::Begin(handle);
  ASSERT_TRUE(use.ok());
  std::thread other([&] { EXPECT_TRUE(FreeGraph(handle).ok()); });
  // When the handle is gone, FreeGraph is about to cancel the graph.
  while (GraphUse::Begin(handle).ok()) absl::SleepFor(absl::Milliseconds(1));
  absl::SleepFor(absl::Milliseconds(50));
  EXPECT_TRUE((*use)->StartRun({}).ok());
  // Input "in" is still open, so WaitUntilDone returns only because of the
  // Cancel.
  EXPECT_EQ((*use)->WaitUntilDone().code(), absl::StatusCode::kCancelled);
  { const GraphUse gone = *std::move(use); }
  other.join();
}

// Its destructor uses the graph whose side packet it was.
class LooksAtItsGraph {
 public:
  LooksAtItsGraph(syncline_graph graph, int* looks)
      : graph_(graph), looks_(looks) {}
  LooksAtItsGraph(const LooksAtItsGraph&) = delete;
  LooksAtItsGraph& operator=(const LooksAtItsGraph&) = delete;
  ~LooksAtItsGraph() {
    if (GraphUse::Begin(graph_).ok()) ++*looks_;
  }

 private:
  const syncline_graph graph_;
  int* const looks_;
};

TEST(GraphObjectTest, ASidePacketThatIsReplacedIsReleasedWithoutALock) {
  syncline_graph handle = nullptr;
  ASSERT_TRUE(
      CreateGraph(ReadGraphText("input_side_packet: \"s\""), &handle).ok());
  int looks = 0;
  const auto set = [&](Packet packet) {
    const syncline_packet given = NewPacket(std::move(packet));
    EXPECT_EQ(syncline_graph_set_side_packet(handle, "s", given), SYNCLINE_OK);
    EXPECT_EQ(syncline_packet_free(given), SYNCLINE_OK);
  };
  set(MakePacket<LooksAtItsGraph>(handle, &looks));
  EXPECT_EQ(looks, 0);
  set(MakePacket<LooksAtItsGraph>(handle, &looks));
  EXPECT_EQ(looks, 1);
  EXPECT_EQ(syncline_graph_set_side_packet(handle, "s", nullptr), SYNCLINE_OK);
  EXPECT_EQ(looks, 2);
  EXPECT_EQ(syncline_graph_set_side_packet(handle, "s", nullptr), SYNCLINE_OK);
  EXPECT_TRUE(FreeGraph(handle).ok());
}

}  // namespace
}  // namespace syncline
