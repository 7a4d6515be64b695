// GpuOverlayBoxesCalculator: draws boxes on images, on the device.
//
//   node {
//     calculator: "GpuOverlayBoxesCalculator"
//     input_stream: "IMAGE:images"            # GpuBuffer of GRAY8, SRGB,
//                                             # SRGBA or SBGRA
//     input_stream: "DETECTIONS:detections"   # std::vector<Detection>; or
//                                             # RECTS: std::vector<Rect>, or
//                                             # NORM_RECTS, or several
//     output_stream: "IMAGE:annotated"        # GpuBuffer of the same format
//     options { [syncline.GpuOverlayBoxesCalculatorOptions.ext] {
//       color { r: 255 } thickness: 3 } }
//   }
//
// The result is a new image; the input is not changed. Without a box it is the
// input itself. Boxes may reach out of the image; later ones cover earlier
// ones. Detections have a BOUNDING_BOX or a RELATIVE_BOUNDING_BOX.
//
// An empty IMAGE sends nothing; the bound passes through (timestamp offset 0).
// An empty input of boxes has no boxes.
//
// Thread rule: calls may overlap.
// Tested by overlay_boxes_test.
#include <cstring>
#include <vector>

#include "calculators/gpu/device_node.h"
#include "calculators/gpu/gpu_calculators.pb.h"
#include "calculators/gpu/overlay_boxes.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/rect.pb.h"
#include "gpu/kernels/color_plan.h"
#include "gpu/kernels/image_kernels.h"
#include "gpu/kernels/image_plan.h"

namespace syncline {

class GpuOverlayBoxesCalculator : public DeviceNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("IMAGE").Set<GpuBuffer>();
    cc->Inputs().Tag("DETECTIONS").Set<std::vector<Detection>>().Optional();
    cc->Inputs().Tag("RECTS").Set<std::vector<Rect>>().Optional();
    cc->Inputs()
        .Tag("NORM_RECTS")
        .Set<std::vector<NormalizedRect>>()
        .Optional();
    cc->Outputs().Tag("IMAGE").Set<GpuBuffer>();
    SYNCLINE_RETURN_IF_ERROR(
        BoxStyle(cc->Options<GpuOverlayBoxesCalculatorOptions>(),
                 ImageFormat::SRGB)
            .status())
            .SetPrepend()
        << "GpuOverlayBoxesCalculator, ";
    return UseDevice(cc);
  }

 protected:
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               gpu::CallStreams& streams) override {
    if (cc->Inputs().Tag("IMAGE").IsEmpty()) return absl::OkStatus();
    const auto& image = cc->Inputs().Tag("IMAGE").Get<GpuBuffer>();
    SYNCLINE_RETURN_IF_ERROR(CheckBytes(image)).SetPrepend() << Where(cc);
    SYNCLINE_ASSIGN_OR_RETURN(const std::vector<gpu::OverlayBox> boxes,
                              BoxesOf(cc, image), _.SetPrepend() << Where(cc));
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::Stream stream,
                              StreamOf(cc, streams, "IMAGE"));
    if (boxes.empty() || !image.has_pixels()) {
      return streams.Send("IMAGE", image);
    }
    SYNCLINE_ASSIGN_OR_RETURN(const GpuBuffer annotated,
                              Draw(stream, image, boxes),
                              _.SetPrepend() << Where(cc));
    return streams.Send("IMAGE", annotated);
  }

 private:
  template <typename T>
  static absl::Status AddBoxes(CalculatorContext* cc, const char* tag,
                               const gpu::OverlayBox& style,
                               const GpuBuffer& image,
                               std::vector<gpu::OverlayBox>* boxes) {
    if (!cc->Inputs().HasTag(tag) || cc->Inputs().Tag(tag).IsEmpty()) {
      return absl::OkStatus();
    }
    for (const T& item : cc->Inputs().Tag(tag).Get<std::vector<T>>()) {
      SYNCLINE_RETURN_IF_ERROR(
          AddBox(item, style, image.width(), image.height(), boxes));
    }
    return absl::OkStatus();
  }

  static absl::StatusOr<std::vector<gpu::OverlayBox>> BoxesOf(
      CalculatorContext* cc, const GpuBuffer& image) {
    SYNCLINE_ASSIGN_OR_RETURN(
        const gpu::OverlayBox style,
        BoxStyle(cc->Options<GpuOverlayBoxesCalculatorOptions>(),
                 image.format()));
    std::vector<gpu::OverlayBox> boxes;
    SYNCLINE_RETURN_IF_ERROR(
        AddBoxes<Detection>(cc, "DETECTIONS", style, image, &boxes));
    SYNCLINE_RETURN_IF_ERROR(AddBoxes<Rect>(cc, "RECTS", style, image, &boxes));
    SYNCLINE_RETURN_IF_ERROR(
        AddBoxes<NormalizedRect>(cc, "NORM_RECTS", style, image, &boxes));
    return boxes;
  }

  absl::StatusOr<GpuBuffer> Draw(const gpu::Stream& stream,
                                 const GpuBuffer& image,
                                 const std::vector<gpu::OverlayBox>& boxes) {
    SYNCLINE_ASSIGN_OR_RETURN(const GpuBuffer annotated,
                              NewImage(stream, image.format(), image.width(),
                                       image.height(), "annotated"));
    const gpu::PixelOrder order = *PixelOrderOf(image.format());
    SYNCLINE_RETURN_IF_ERROR(LaunchPlanned(
        stream,
        gpu::PlanConvertColor(PlaceOf(image), order, PlaceOf(annotated), order),
        {Reads(image.memory()), Writes(annotated.memory())}));
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::DeviceBuffer on_device,
                              SendBoxes(stream, boxes));
    SYNCLINE_RETURN_IF_ERROR(LaunchPlanned(
        stream,
        gpu::PlanOverlayBoxes(PlaceOf(annotated),
                              static_cast<std::int64_t>(boxes.size()),
                              on_device.size()),
        {Writes(annotated.memory()), Reads(on_device)}));
    return annotated;
  }

  absl::StatusOr<gpu::DeviceBuffer> SendBoxes(
      const gpu::Stream& stream, const std::vector<gpu::OverlayBox>& boxes) {
    const std::size_t bytes = boxes.size() * sizeof(gpu::OverlayBox);
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::DeviceBuffer staging,
                              NewPinnedForHost(stream, bytes, "boxes"));
    {
      SYNCLINE_ASSIGN_OR_RETURN(const gpu::HostView view,
                                staging.ViewForWriting());
      std::memcpy(view.mutable_bytes().data(), boxes.data(), bytes);
    }
    SYNCLINE_ASSIGN_OR_RETURN(gpu::DeviceBuffer on_device,
                              NewMemory(stream, bytes, "boxes"));
    SYNCLINE_RETURN_IF_ERROR(stream.Copy(Writes(on_device), Reads(staging)));
    return on_device;
  }
};
REGISTER_CALCULATOR(GpuOverlayBoxesCalculator);

}  // namespace syncline
