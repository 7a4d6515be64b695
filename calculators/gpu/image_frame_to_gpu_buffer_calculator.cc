// ImageFrameToGpuBufferCalculator: copies frames to the device.
//
//   node {
//     calculator: "ImageFrameToGpuBufferCalculator"
//     input_stream: "frames"      # ImageFrame, or Image
//     output_stream: "images"     # GpuBuffer
//   }
//
// Frames may have any format and size. The host copies the frame to pinned
// memory, which the device reads while the graph goes on; nobody waits, unless
// eight such copies wait for the device.
//
// The node has a stream of its own. GpuMemoryOptions name allocators.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: calls may overlap.
// Tested by transfer_calculators_test.
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "calculators/gpu/device_node.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "gpu/gpu_buffer.h"
#include "gpu/image_transfer.h"

namespace syncline {

class ImageFrameToGpuBufferCalculator : public DeviceNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetOneOf<ImageFrame, Image>();
    cc->Outputs().Index(0).Set<GpuBuffer>();
    return UseDevice(cc);
  }

 protected:
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               gpu::CallStreams& streams) override {
    const Packet& packet = cc->Inputs().Index(0).Value();
    if (packet.IsEmpty()) return absl::OkStatus();
    if (!packet.ValidateAsType<Image>().ok()) {
      return Send(cc, streams, packet.Get<ImageFrame>());
    }
    const auto& image = packet.Get<Image>();
    if (!image) {
      return absl::InvalidArgumentError(absl::StrCat(
          Where(cc), "the packet is an Image without pixels; give it a frame"));
    }
    // Nobody changes the pixels until they are in pinned memory.
    const PixelReadLock lock(image);
    return Send(cc, streams, *image.GetImageFrameSharedPtr());
  }

 private:
  absl::Status Send(CalculatorContext* cc, gpu::CallStreams& streams,
                    const ImageFrame& frame) {
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::Stream stream,
                              OwnStream(cc, streams, ""));
    SYNCLINE_ASSIGN_OR_RETURN(const GpuBuffer image,
                              NewImage(stream, frame.Format(), frame.Width(),
                                       frame.Height(), "image"),
                              _.SetPrepend() << Where(cc));
    if (image.has_pixels()) {
      SYNCLINE_ASSIGN_OR_RETURN(
          const gpu::DeviceBuffer staging,
          NewPinnedForHost(stream, gpu::StagingBytes(image), "upload"),
          _.SetPrepend() << Where(cc));
      SYNCLINE_RETURN_IF_ERROR(gpu::Upload(stream, frame, staging, image))
              .SetPrepend()
          << Where(cc);
    }
    return streams.Send("", image);
  }
};
REGISTER_CALCULATOR(ImageFrameToGpuBufferCalculator);

}  // namespace syncline
