// DeviceImageFilter: a calculator that makes one image of another, on the
// device. What is left to do is Filter().
//
// An empty input sends nothing; the bound passes through. Images without pixels
// come to Filter() like others: plans for them are no work.
//
// Thread rule: calls may overlap.
// Tested by image_filter_calculators_test.

#ifndef SYNCLINE_CALCULATORS_GPU_IMAGE_FILTER_H_
#define SYNCLINE_CALCULATORS_GPU_IMAGE_FILTER_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "calculators/gpu/device_node.h"
#include "framework/calculator_framework.h"
#include "gpu/gpu_buffer.h"
#include "gpu/stream.h"

namespace syncline {

class DeviceImageFilter : public DeviceNode {
 public:
  static absl::Status DeclareImages(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<GpuBuffer>();
    cc->Outputs().Index(0).Set<GpuBuffer>();
    return UseDevice(cc);
  }

 protected:
  // `image` is of one of the four formats of CheckBytes(). Returns an image on
  // which `stream` works, or `image`.
  virtual absl::StatusOr<GpuBuffer> Filter(CalculatorContext* cc,
                                           const gpu::Stream& stream,
                                           const GpuBuffer& image) = 0;

  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               gpu::CallStreams& streams) override {
    if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
    const auto& image = cc->Inputs().Index(0).Get<GpuBuffer>();
    SYNCLINE_RETURN_IF_ERROR(CheckBytes(image)).SetPrepend() << Where(cc);
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::Stream stream,
                              StreamOf(cc, streams, ""));
    SYNCLINE_ASSIGN_OR_RETURN(const GpuBuffer filtered,
                              Filter(cc, stream, image),
                              _.SetPrepend() << Where(cc));
    return streams.Send("", filtered);
  }
};

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_GPU_IMAGE_FILTER_H_
