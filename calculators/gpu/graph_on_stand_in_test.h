// GraphOnStandIn: runs a graph on a stand-in of a test's own.
//
// Thread rule: one thread.

#ifndef SYNCLINE_CALCULATORS_GPU_GRAPH_ON_STAND_IN_TEST_H_
#define SYNCLINE_CALCULATORS_GPU_GRAPH_ON_STAND_IN_TEST_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_macros.h"
#include "gpu/device.h"
#include "gpu/device_memory.h"
#include "gpu/device_service.h"
#include "gpu/stand_in/stand_in_devices.h"

namespace syncline {

class GraphOnStandIn {
 public:
  explicit GraphOnStandIn(gpu::StandInOptions options = {.num_devices = 2})
      : devices_(gpu::MakeStandInDevices(options)) {}

  // Runs the nodes from streams of the graph to "out", or until the first
  // error. Packets are added in the order of the map.
  absl::Status Run(const std::string& nodes,
                   const std::map<std::string, std::vector<Packet>>& inputs);
  // From "in", at 0, 1, 2, ...
  template <typename T>
  absl::Status Run(const std::string& nodes, std::vector<T> values) {
    std::vector<Packet> packets;
    for (T& value : values) {
      packets.push_back(MakePacket<T>(std::move(value))
                            .At(Timestamp(static_cast<int>(packets.size()))));
    }
    values.clear();
    return Run(nodes, {{"in", std::move(packets)}});
  }

  // What came out in the last run.
  const std::vector<Packet>& out() const { return out_; }
  std::vector<Packet> TakeOut() { return std::move(out_); }
  gpu::Device& device(int number = 0) { return *devices_[number]; }
  const gpu::StandInDevices& devices() const { return devices_; }

 private:
  const gpu::StandInDevices devices_;
  std::vector<Packet> out_;
};

inline absl::Status GraphOnStandIn::Run(
    const std::string& nodes,
    const std::map<std::string, std::vector<Packet>>& inputs) {
  std::string text = "output_stream: 'out' ";
  for (const auto& [name, packets] : inputs) {
    absl::StrAppend(&text, "input_stream: '", name, "' ");
  }
  out_.clear();
  const gpu::MemoryDevicesScope scope(devices_.devices);
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(
      ParseTextProtoOrDie<CalculatorGraphConfig>(text + nodes)));
  SYNCLINE_RETURN_IF_ERROR(graph.SetServiceObject(
      gpu::kDeviceService, gpu::DeviceContext::Make(devices_.devices)));
  SYNCLINE_RETURN_IF_ERROR(
      graph.ObserveOutputStream("out", [this](const Packet& packet) {
        out_.push_back(packet);
        return absl::OkStatus();
      }));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
  for (const auto& [name, packets] : inputs) {
    for (const Packet& packet : packets) {
      // The error of the run is what counts.
      if (!graph.AddPacketToInputStream(name, packet).ok()) break;
    }
  }
  // Nodes that close have nothing to wait for then.
  graph.WaitUntilIdle().IgnoreError();
  graph.CloseAllInputStreams().IgnoreError();
  return graph.WaitUntilDone();
}

// The text of a node from one stream to the next, which is called after it.
inline std::string GpuNode(const std::string& calculator,
                           const std::string& from, const std::string& to,
                           const std::string& options = "") {
  return absl::StrCat(
      "node { calculator: '", calculator, "' name: '", to,
      "_node' input_stream: '", from, "' output_stream: '", to, "'",
      options.empty() ? "" : absl::StrCat(" options { ", options, " }"), " } ");
}

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_GPU_GRAPH_ON_STAND_IN_TEST_H_
