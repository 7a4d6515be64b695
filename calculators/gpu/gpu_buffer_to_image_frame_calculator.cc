// GpuBufferToImageFrameCalculator: copies images of the device to frames.
//
//   node {
//     calculator: "GpuBufferToImageFrameCalculator"
//     input_stream: "images"      # GpuBuffer; or ImageFrame, passed on
//     output_stream: "frames"     # ImageFrame
//   }
//
// Here the host waits until the device has done all that the image depends on.
// A frame is pinned memory, which goes back when the frame is destroyed: so
// nothing is copied twice, and nodes that keep many frames keep much of it.
//
// GpuMemoryOptions name an allocator for that memory (host_allocator).
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: calls may overlap.
// Tested by transfer_calculators_test.
#include <memory>
#include <utility>

#include "calculators/gpu/device_node.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "gpu/gpu_buffer.h"
#include "gpu/image_transfer.h"

namespace syncline {

class GpuBufferToImageFrameCalculator : public DeviceNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetOneOf<GpuBuffer, ImageFrame>();
    cc->Outputs().Index(0).Set<ImageFrame>();
    return UseDevice(cc);
  }

 protected:
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               gpu::CallStreams& streams) override {
    const Packet& packet = cc->Inputs().Index(0).Value();
    if (packet.IsEmpty()) return absl::OkStatus();
    if (packet.ValidateAsType<ImageFrame>().ok()) {
      cc->Outputs().Index(0).AddPacket(packet);
      return absl::OkStatus();
    }
    SYNCLINE_ASSIGN_OR_RETURN(
        ImageFrame frame,
        FrameOf(cc, streams, cc->Inputs().Index(0).Get<GpuBuffer>()),
        _.SetPrepend() << Where(cc));
    cc->Outputs().Index(0).AddPacket(
        MakePacket<ImageFrame>(std::move(frame)).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<ImageFrame> FrameOf(CalculatorContext* cc,
                                     gpu::CallStreams& streams,
                                     const GpuBuffer& image) {
    if (!image.has_pixels()) return gpu::Download(gpu::Stream(), image, {});
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::Stream stream,
                              StreamOf(cc, streams, ""));
    SYNCLINE_ASSIGN_OR_RETURN(
        gpu::DeviceBuffer staging,
        NewPinned(stream, gpu::StagingBytes(image), "frame"));
    return gpu::Download(stream, image, std::move(staging));
  }
};
REGISTER_CALCULATOR(GpuBufferToImageFrameCalculator);

}  // namespace syncline
