// DeviceGraph: a graph of nodes that use devices, each a function of the test.
//
//   DeviceGraph graph(GetParam(), context);
//   graph.AddInput("in");
//   graph.AddNode("upload", {"in"}, {"a"}, Upload());
//   graph.AddNode("add", {"a"}, {"b"}, AddOne());
//   graph.Feed("in", {{0, 1}, {1, 2}});
//   SYNCLINE_ASSERT_OK(graph.Run());
//   EXPECT_EQ(graph.Numbers("b"), ...);
//
// Ports are as in a graph file: "in", "A:in", "A:1:in". The packets of these
// nodes are buffers of kElements numbers of 32 bits, all the same number.
//
// Thread rule: for the thread of the test; functions run where the node does.

#ifndef SYNCLINE_TESTING_GPU_DEVICE_GRAPH_H_
#define SYNCLINE_TESTING_GPU_DEVICE_GRAPH_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/calculator_framework.h"
#include "gpu/call_streams.h"
#include "gpu/device_buffer.h"
#include "gpu/device_service.h"
#include "gpu/stand_in/stand_in_devices.h"
#include "testing/graph_harness.h"
#include "testing/worker_counts.h"

namespace syncline::gpu {

inline constexpr std::int64_t kElements = 64;
inline constexpr std::size_t kBufferBytes = kElements * sizeof(std::uint32_t);

using DeviceFunction =
    std::function<absl::Status(CalculatorContext*, CallStreams&)>;

class DeviceGraph {
 public:
  // `context` may be null: the graph has no device service of the test.
  DeviceGraph(Workers workers, std::shared_ptr<DeviceContext> context);

  void AddInput(absl::string_view stream);
  // `more` are further fields of the node, such as `max_in_flight: 2`.
  void AddNode(absl::string_view name, const std::vector<std::string>& inputs,
               const std::vector<std::string>& outputs, DeviceFunction process,
               absl::string_view more = "");
  // Of a node that has been added.
  void SetOpen(absl::string_view name, DeviceFunction open);
  void SetClose(absl::string_view name, DeviceFunction close);
  // Any text of a graph.
  void AddText(absl::string_view text);

  // Made when first used; nothing is added after that.
  GraphHarness& harness();

  void Feed(const std::string& stream, const LiteralStream<int>& packets) {
    harness().Feed(stream, packets);
  }
  absl::Status Run() { return harness().Run(); }
  // Runs on these packets, and closes no node before all calls are done: Close
  // waits on the host, and then much is in order.
  absl::Status RunWithoutEarlyClose(const std::string& stream,
                                    const LiteralStream<int>& packets);
  std::vector<Packet> Packets(const std::string& stream) {
    return harness().Packets(stream);
  }
  // The numbers of the buffers of a stream, once the device has made them.
  std::vector<std::uint32_t> Numbers(const std::string& stream);

 private:
  const Workers workers_;
  const std::shared_ptr<DeviceContext> context_;
  std::string text_;
  std::map<std::string, DeviceFunction> functions_;
  std::unique_ptr<GraphHarness> harness_;
};

// --- What nodes do

// Takes an int; sends a buffer of Number(int).
DeviceFunction Upload(ReceiveOptions options = {});
inline std::uint32_t UploadedNumber(int value) {
  return static_cast<std::uint32_t>(value) * 0x01010101u;
}
// Sends one more than the sum of the first inputs that have a packet, on all
// outputs the same buffer.
DeviceFunction AddOne(ReceiveOptions options = {});
// A source that sends `count` buffers of the numbers 0, 1, ...
DeviceFunction Source(int count);

// A new buffer on the device of the node's pool, else that of the stream.
absl::StatusOr<DeviceBuffer> NewBuffer(const Stream& stream,
                                       absl::string_view name = "b");
// Fills a buffer with UploadedNumber(value).
absl::Status FillWith(int value, const Stream& stream,
                      const DeviceBuffer& buffer);
// out = in + 1
absl::Status LaunchAddOne(const Stream& stream, const DeviceBuffer& in,
                          const DeviceBuffer& out);
// Reads it; waits on the host.
absl::StatusOr<std::uint32_t> NumberOf(const DeviceBuffer& buffer);

// A fixture with two devices of a stand-in, of which nothing is left behind.
class DeviceGraphTest : public WorkersTest {
 protected:
  explicit DeviceGraphTest(StandInOptions options = {.num_devices = 2,
                                                     .delay_seed = 41});
  void TearDown() override;

  DeviceCounters Counters(std::size_t device = 0) const {
    return devices_[device]->counters();
  }

  StandInDevices devices_;
  std::shared_ptr<DeviceContext> context_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_TESTING_GPU_DEVICE_GRAPH_H_
