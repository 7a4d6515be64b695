// For tests of device calculators: what their kernels do, written plainly for
// the host, and graphs on a stand-in.
//
// Thread rule: one thread.

#ifndef SYNCLINE_CALCULATORS_GPU_GPU_TEST_SUPPORT_H_
#define SYNCLINE_CALCULATORS_GPU_GPU_TEST_SUPPORT_H_

#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "gpu/device.h"
#include "gpu/stand_in/stand_in_devices.h"

namespace syncline {

// --- Images on the host. Of bytes; results have rows as usual.

// Of random bytes.
ImageFrame RandomFrame(std::mt19937& random, ImageFormat::Format format,
                       int width, int height);
// One of GRAY8, SRGB, SRGBA and SBGRA, with sides from 0 to 40.
ImageFrame RandomFrame(std::mt19937& random);
ImageFormat::Format RandomFormat(std::mt19937& random);

ImageFrame HostConvert(const ImageFrame& frame, ImageFormat::Format format);
ImageFrame HostResize(const ImageFrame& frame, int width, int height,
                      bool nearest);
ImageFrame HostThreshold(const ImageFrame& frame, int threshold, int above,
                         int not_above);
// Of any colour; |x| + |y| with `sum_of_sides`.
ImageFrame HostEdges(const ImageFrame& frame, bool sum_of_sides);

// A frame of colour by channels, `thickness` pixels inwards, without opacity.
struct HostBox {
  int left;
  int top;
  int right;
  int bottom;
};
ImageFrame HostBoxes(const ImageFrame& frame, const std::vector<HostBox>& boxes,
                     int thickness, const std::vector<int>& color);

// Fails the test if format, size or pixels differ.
void ExpectSameImage(const ImageFrame& actual, const ImageFrame& expected);

// --- Graphs

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

// The text of a node from one stream to the next, which is called after it.
std::string GpuNode(const std::string& calculator, const std::string& from,
                    const std::string& to, const std::string& options = "");

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_GPU_GPU_TEST_SUPPORT_H_
