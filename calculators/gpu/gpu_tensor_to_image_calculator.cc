// GpuTensorToImageCalculator: makes images of tensors of floats, on the device:
// the way back from GpuImageToTensorCalculator.
//
//   node {
//     calculator: "GpuTensorToImageCalculator"
//     input_stream: "tensors"     # gpu::DeviceTensor, float32
//     output_stream: "images"     # GpuBuffer
//     options { [syncline.GpuTensorToImageCalculatorOptions.ext] {
//       order: CHW mean: [ 124, 116, 104 ] scale: 0.017 output_format: SRGB } }
//   }
//
// A byte is number / scale + mean, to the nearest, from 0 to 255; a NaN is 0.
// The tensor is of shape [1, height, width, channels] or without the 1, or,
// with CHW, [1, channels, height, width]; it may have gaps.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: calls may overlap.
// Tested by tensor_calculators_test.
#include "calculators/gpu/gpu_calculators.pb.h"
#include "calculators/gpu/tensor_node.h"
#include "framework/calculator_framework.h"
#include "gpu/device_tensor.h"
#include "gpu/gpu_buffer.h"
#include "gpu/kernels/color_plan.h"
#include "gpu/kernels/layout_check.h"
#include "gpu/kernels/tensor_plan.h"

namespace syncline {

class GpuTensorToImageCalculator : public TensorNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const auto& options = cc->Options<GpuTensorToImageCalculatorOptions>();
    if (options.has_output_format()) {
      SYNCLINE_RETURN_IF_ERROR(PixelOrderOf(options.output_format()).status())
              .SetPrepend()
          << "GpuTensorToImageCalculator, output_format: ";
    }
    cc->Inputs().Index(0).Set<gpu::DeviceTensor>();
    cc->Outputs().Index(0).Set<GpuBuffer>();
    return UseDevice(cc);
  }

 protected:
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               gpu::CallStreams& streams) override {
    if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
    const auto& tensor = cc->Inputs().Index(0).Get<gpu::DeviceTensor>();
    SYNCLINE_ASSIGN_OR_RETURN(
        const Shape shape,
        ShapeOf(tensor, cc->Options<GpuTensorToImageCalculatorOptions>()),
        _.SetPrepend() << Where(cc));
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::Stream stream,
                              StreamOf(cc, streams, ""));
    SYNCLINE_ASSIGN_OR_RETURN(const GpuBuffer image,
                              ImageOf(cc, stream, tensor, shape),
                              _.SetPrepend() << Where(cc));
    return streams.Send("", image);
  }

 private:
  struct Shape {
    ImageFormat::Format format = ImageFormat::UNKNOWN;
    int width = 0;
    int height = 0;
  };

  static ImageFormat::Format FormatOf(std::int64_t channels) {
    switch (channels) {
      case 1:
        return ImageFormat::GRAY8;
      case 3:
        return ImageFormat::SRGB;
      case 4:
        return ImageFormat::SRGBA;
      default:
        return ImageFormat::UNKNOWN;
    }
  }

  static absl::StatusOr<Shape> ShapeOf(
      const gpu::DeviceTensor& tensor,
      const GpuTensorToImageCalculatorOptions& options) {
    gpu::DeviceTensor::Sizes sizes = tensor.shape();
    if (sizes.size() == 4 && sizes[0] == 1) sizes.erase(sizes.begin());
    const bool is_float = tensor.element() == gpu::TensorElement::kFloat32;
    if (!is_float || sizes.size() != 3) return Refuse(tensor, options);
    const bool is_chw =
        options.order() == GpuImageToTensorCalculatorOptions::CHW;
    const std::int64_t channels = sizes[is_chw ? 0 : 2];
    const std::int64_t height = sizes[is_chw ? 1 : 0];
    const std::int64_t width = sizes[is_chw ? 2 : 1];
    const ImageFormat::Format format = options.has_output_format()
                                           ? options.output_format()
                                           : FormatOf(channels);
    if (format == ImageFormat::UNKNOWN || width > gpu::kMaxImageSide ||
        height > gpu::kMaxImageSide ||
        gpu::NumChannels(*PixelOrderOf(format)) != channels) {
      return Refuse(tensor, options);
    }
    return Shape{format, static_cast<int>(width), static_cast<int>(height)};
  }

  static absl::Status Refuse(const gpu::DeviceTensor& tensor,
                             const GpuTensorToImageCalculatorOptions& options) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the tensor is ", tensor.ToText(), ", and no image of ",
        options.has_output_format()
            ? ImageFormat::Format_Name(options.output_format())
            : "1, 3 or 4 channels",
        " with sides of up to 2^20 in the order ",
        GpuImageToTensorCalculatorOptions::Order_Name(options.order()),
        "; give a float32 tensor of that shape, or another order or format"));
  }

  absl::StatusOr<GpuBuffer> ImageOf(CalculatorContext* cc,
                                    const gpu::Stream& stream,
                                    const gpu::DeviceTensor& tensor,
                                    const Shape& shape) {
    const auto& options = cc->Options<GpuTensorToImageCalculatorOptions>();
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::DeviceTensor dense,
                              Dense(stream, tensor));
    SYNCLINE_ASSIGN_OR_RETURN(
        const GpuBuffer image,
        NewImage(stream, shape.format, shape.width, shape.height, "image"));
    SYNCLINE_RETURN_IF_ERROR(LaunchPlanned(
        stream,
        gpu::PlanDenormalize(OrderOf(options.order()), dense.bytes(),
                             PlaceOf(image), NumbersOr(options.mean(), 0),
                             NumbersOr(options.scale(), 1.0f / 255)),
        {Reads(dense.memory()), Writes(image.memory())}));
    return image;
  }
};
REGISTER_CALCULATOR(GpuTensorToImageCalculator);

}  // namespace syncline
