// GpuImageToTensorCalculator: makes tensors of floats of images, on the device,
// as inference reads them.
//
//   node {
//     calculator: "GpuImageToTensorCalculator"
//     input_stream: "images"      # GpuBuffer of GRAY8, SRGB, SRGBA or SBGRA
//     output_stream: "tensors"    # gpu::DeviceTensor, float32
//     options { [syncline.GpuImageToTensorCalculatorOptions.ext] {
//       order: CHW mean: [ 124, 116, 104 ] scale: 0.017 } }
//   }
//
// A number is (byte - mean) * scale, the same to the bit on every device. The
// shape is [1, height, width, channels], or, with CHW, [1, channels, height,
// width]; channels are in the order of the image's format.
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
#include "gpu/kernels/tensor_plan.h"

namespace syncline {

class GpuImageToTensorCalculator : public TensorNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<GpuBuffer>();
    cc->Outputs().Index(0).Set<gpu::DeviceTensor>();
    return UseDevice(cc);
  }

 protected:
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               gpu::CallStreams& streams) override {
    if (cc->Inputs().Index(0).IsEmpty()) return absl::OkStatus();
    const auto& image = cc->Inputs().Index(0).Get<GpuBuffer>();
    SYNCLINE_RETURN_IF_ERROR(CheckBytes(image)).SetPrepend() << Where(cc);
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::Stream stream,
                              StreamOf(cc, streams, ""));
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::DeviceTensor tensor,
                              TensorOf(cc, stream, image),
                              _.SetPrepend() << Where(cc));
    return streams.Send("", tensor);
  }

 private:
  absl::StatusOr<gpu::DeviceTensor> TensorOf(CalculatorContext* cc,
                                             const gpu::Stream& stream,
                                             const GpuBuffer& image) {
    const auto& options = cc->Options<GpuImageToTensorCalculatorOptions>();
    const gpu::TensorOrder order = OrderOf(options.order());
    const std::int64_t height = image.height();
    const std::int64_t width = image.width();
    const std::int64_t channels = image.channels();
    const gpu::DeviceTensor::Sizes shape =
        order == gpu::TensorOrder::kHwc
            ? gpu::DeviceTensor::Sizes{1, height, width, channels}
            : gpu::DeviceTensor::Sizes{1, channels, height, width};
    SYNCLINE_ASSIGN_OR_RETURN(
        const gpu::DeviceTensor tensor,
        NewTensor(stream, gpu::TensorElement::kFloat32, shape, "tensor"));
    SYNCLINE_RETURN_IF_ERROR(LaunchPlanned(
        stream,
        gpu::PlanNormalize(PlaceOf(image), order, tensor.bytes(),
                           NumbersOr(options.mean(), 0),
                           NumbersOr(options.scale(), 1.0f / 255)),
        {Reads(image.memory()), Writes(tensor.memory())}));
    return tensor;
  }
};
REGISTER_CALCULATOR(GpuImageToTensorCalculator);

}  // namespace syncline
