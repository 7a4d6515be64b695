// GpuColorConvertCalculator: gives images another format, on the device.
//
//   node {
//     calculator: "GpuColorConvertCalculator"
//     input_stream: "images"      # GpuBuffer of GRAY8, SRGB, SRGBA or SBGRA,
//                                 # or YUVImage of the host
//     output_stream: "gray"       # GpuBuffer
//     options { [syncline.GpuColorConvertCalculatorOptions.ext] {
//       output_format: GRAY8 } }
//   }
//
// Gray is (9798 red + 19235 green + 3735 blue) / 2^15, rounded. Alpha is 255
// where the input has none. An image of the format already is passed on.
//
// A YUVImage, as cameras and decoders give it, is copied to the device through
// pinned memory, and its colours are computed there, in 2^16ths: I420, YV12,
// NV12 and NV21 of 8 bits (gpu/yuv_transfer.h).
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: calls may overlap.
// Tested by image_filter_calculators_test.
#include <utility>

#include "calculators/gpu/device_node.h"
#include "calculators/gpu/gpu_calculators.pb.h"
#include "calculators/gpu/image_filter.h"
#include "framework/calculator_framework.h"
#include "framework/formats/yuv_image.h"
#include "gpu/gpu_buffer.h"
#include "gpu/kernels/color_plan.h"
#include "gpu/yuv_transfer.h"

namespace syncline {

class GpuColorConvertCalculator : public DeviceImageFilter {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<GpuColorConvertCalculatorOptions>();
    SYNCLINE_RETURN_IF_ERROR(PixelOrderOf(options.output_format()).status())
            .SetPrepend()
        << "GpuColorConvertCalculator, output_format: ";
    cc->Inputs().Index(0).SetOneOf<GpuBuffer, YUVImage>();
    cc->Outputs().Index(0).Set<GpuBuffer>();
    return UseDevice(cc);
  }

 protected:
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               gpu::CallStreams& streams) override {
    const Packet& packet = cc->Inputs().Index(0).Value();
    if (packet.IsEmpty()) return absl::OkStatus();
    if (!packet.ValidateAsType<YUVImage>().ok()) {
      return DeviceImageFilter::ProcessOnDevice(cc, streams);
    }
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::Stream stream,
                              OwnStream(cc, streams, ""));
    SYNCLINE_ASSIGN_OR_RETURN(GpuBuffer converted,
                              ConvertYuv(cc, stream, packet.Get<YUVImage>()),
                              _.SetPrepend() << Where(cc));
    return streams.Send("", std::move(converted));
  }

  absl::StatusOr<GpuBuffer> Filter(CalculatorContext* cc,
                                   const gpu::Stream& stream,
                                   const GpuBuffer& image) override {
    const ImageFormat::Format format =
        cc->Options<GpuColorConvertCalculatorOptions>().output_format();
    if (image.format() == format) return image;
    SYNCLINE_ASSIGN_OR_RETURN(
        const GpuBuffer converted,
        NewImage(stream, format, image.width(), image.height(), "converted"));
    SYNCLINE_RETURN_IF_ERROR(LaunchPlanned(
        stream,
        gpu::PlanConvertColor(PlaceOf(image), *PixelOrderOf(image.format()),
                              PlaceOf(converted), *PixelOrderOf(format)),
        {Reads(image.memory()), Writes(converted.memory())}));
    return converted;
  }

 private:
  absl::StatusOr<GpuBuffer> ConvertYuv(CalculatorContext* cc,
                                       const gpu::Stream& stream,
                                       const YUVImage& image) {
    const ImageFormat::Format format =
        cc->Options<GpuColorConvertCalculatorOptions>().output_format();
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::YuvPlanes planes,
                              gpu::PlanYuvPlanes(image));
    SYNCLINE_ASSIGN_OR_RETURN(
        GpuBuffer converted,
        NewImage(stream, format, image.width(), image.height(), "converted"));
    if (planes.bytes == 0) return converted;
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::DeviceBuffer staging,
                              NewPinnedForHost(stream, planes.bytes, "upload"));
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::DeviceBuffer uploaded,
                              NewMemory(stream, planes.bytes, "planes"));
    SYNCLINE_RETURN_IF_ERROR(gpu::UploadYuv(stream, image, staging, uploaded));
    SYNCLINE_RETURN_IF_ERROR(LaunchPlanned(
        stream,
        gpu::PlanYuvToColor(planes.layout, planes.bytes, planes.coefficients,
                            PlaceOf(converted), *PixelOrderOf(format)),
        {Reads(uploaded), Writes(converted.memory())}));
    return converted;
  }
};
REGISTER_CALCULATOR(GpuColorConvertCalculator);

}  // namespace syncline
