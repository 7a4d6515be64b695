// GpuStatisticsCalculator: sum, mean, least and greatest value of images or
// tensors, on the device.
//
//   node {
//     calculator: "GpuStatisticsCalculator"
//     input_stream: "IMAGE:images"         # GpuBuffer of bytes or floats; or
//                                          # TENSOR: gpu::DeviceTensor of uint8
//                                          # or float32
//     output_stream: "STATISTICS:values"   # gpu::Statistics
//     output_stream: "TENSOR:on_device"    # gpu::DeviceTensor: the same,
//                                          # float64 [4], in this order
//   }
//
// Either output may be left out. With STATISTICS the host waits for the device;
// TENSOR alone costs no wait. The order of the additions depends on the number
// of values only, so results are the same to the bit on every device, and exact
// for bytes. All channels count; bytes between rows do not. Without a value all
// numbers are 0.
//
// An empty input sends nothing; the bound passes through (timestamp offset 0).
//
// Thread rule: calls may overlap.
// Tested by tensor_calculators_test.
#include <cstddef>
#include <cstring>
#include <utility>

#include "calculators/gpu/tensor_node.h"
#include "framework/calculator_framework.h"
#include "gpu/device_tensor.h"
#include "gpu/gpu_buffer.h"
#include "gpu/kernels/tensor_kernels.h"
#include "gpu/kernels/tensor_plan.h"
#include "gpu/reduction_parts.h"

namespace syncline {

class GpuStatisticsCalculator : public TensorNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    if (cc->Inputs().HasTag("IMAGE") == cc->Inputs().HasTag("TENSOR")) {
      return absl::InvalidArgumentError(
          "GpuStatisticsCalculator has one input, IMAGE or TENSOR");
    }
    cc->Inputs().Tag("IMAGE").Set<GpuBuffer>().Optional();
    cc->Inputs().Tag("TENSOR").Set<gpu::DeviceTensor>().Optional();
    cc->Outputs().Tag("STATISTICS").Set<gpu::Statistics>().Optional();
    cc->Outputs().Tag("TENSOR").Set<gpu::DeviceTensor>().Optional();
    return UseDevice(cc);
  }

 protected:
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               gpu::CallStreams& streams) override {
    const char* const tag = cc->Inputs().HasTag("IMAGE") ? "IMAGE" : "TENSOR";
    if (cc->Inputs().Tag(tag).IsEmpty()) return absl::OkStatus();
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::Stream stream,
                              StreamOf(cc, streams, tag));
    SYNCLINE_ASSIGN_OR_RETURN(const Values values, ValuesOf(cc, stream),
                              _.SetPrepend() << Where(cc));
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::DeviceTensor result,
                              Reduce(stream, values),
                              _.SetPrepend() << Where(cc));
    if (cc->Outputs().HasTag("STATISTICS")) {
      SYNCLINE_ASSIGN_OR_RETURN(const gpu::Statistics statistics,
                                Download(stream, result),
                                _.SetPrepend() << Where(cc));
      cc->Outputs()
          .Tag("STATISTICS")
          .AddPacket(
              MakePacket<gpu::Statistics>(statistics).At(cc->InputTimestamp()));
    }
    if (!cc->Outputs().HasTag("TENSOR")) return absl::OkStatus();
    return streams.Send("TENSOR", result);
  }

 private:
  // Rows of elements in memory; offsets are in elements.
  struct Values {
    gpu::StatisticsElement element = gpu::StatisticsElement::kByte;
    std::int64_t rows = 0;
    std::int64_t row_length = 0;
    std::int64_t pitch = 0;
    std::int64_t offset = 0;
    gpu::DeviceBuffer memory;
  };

  absl::StatusOr<Values> ValuesOf(CalculatorContext* cc,
                                  const gpu::Stream& stream) {
    if (cc->Inputs().HasTag("IMAGE")) {
      return ValuesOf(cc->Inputs().Tag("IMAGE").Get<GpuBuffer>());
    }
    const auto& tensor = cc->Inputs().Tag("TENSOR").Get<gpu::DeviceTensor>();
    const bool is_byte = tensor.element() == gpu::TensorElement::kUint8;
    if (!is_byte && tensor.element() != gpu::TensorElement::kFloat32) {
      return absl::InvalidArgumentError(
          absl::StrCat("the tensor is ", tensor.ToText(),
                       "; its elements can be uint8 or float32"));
    }
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::DeviceTensor dense,
                              Dense(stream, tensor));
    const std::int64_t count = dense.num_elements();
    return Values{is_byte ? gpu::StatisticsElement::kByte
                          : gpu::StatisticsElement::kFloat,
                  1,
                  count,
                  count,
                  0,
                  dense.memory()};
  }

  static absl::StatusOr<Values> ValuesOf(const GpuBuffer& image) {
    const bool is_float = image.format() == ImageFormat::VEC32F1 ||
                          image.format() == ImageFormat::VEC32F2 ||
                          image.format() == ImageFormat::VEC32F4;
    const std::int64_t bytes = image.channel_bytes();
    const std::int64_t step = static_cast<std::int64_t>(image.row_step());
    const std::int64_t offset = static_cast<std::int64_t>(image.offset());
    if ((!is_float && bytes != 1) || step % bytes != 0 || offset % bytes != 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the image is ", image.ToText(),
          "; its values can be bytes or floats, with rows that begin at whole "
          "values"));
    }
    return Values{is_float ? gpu::StatisticsElement::kFloat
                           : gpu::StatisticsElement::kByte,
                  image.height(),
                  std::int64_t{image.width()} * image.channels(),
                  step / bytes,
                  offset / bytes,
                  image.memory()};
  }

  absl::StatusOr<gpu::DeviceTensor> Reduce(const gpu::Stream& stream,
                                           const Values& values) {
    static_assert(sizeof(gpu::Statistics) == 4 * sizeof(double));
    SYNCLINE_ASSIGN_OR_RETURN(
        const gpu::DeviceTensor result,
        NewTensor(stream, gpu::TensorElement::kFloat64, {4}, "statistics"));
    if (values.memory.is_null()) {
      SYNCLINE_RETURN_IF_ERROR(stream.Fill(Writes(result.memory()), 0));
      return result;
    }
    SYNCLINE_ASSIGN_OR_RETURN(
        const gpu::DeviceBuffer parts,
        NewMemory(stream, gpu::ReductionPartsBytes<gpu::StatisticsPart>(),
                  "parts"));
    SYNCLINE_RETURN_IF_ERROR(LaunchPlanned(
        stream,
        gpu::PlanStatistics(values.element, values.rows, values.row_length,
                            values.pitch, values.offset, values.memory.size(),
                            parts.size(), result.memory().size()),
        {Reads(values.memory), Writes(parts), Writes(result.memory())}));
    return result;
  }

  absl::StatusOr<gpu::Statistics> Download(const gpu::Stream& stream,
                                           const gpu::DeviceTensor& result) {
    SYNCLINE_ASSIGN_OR_RETURN(
        const gpu::DeviceBuffer staging,
        NewPinned(stream, sizeof(gpu::Statistics), "statistics"));
    SYNCLINE_RETURN_IF_ERROR(stream.Copy(Writes(staging),
                                         Reads(result.memory()),
                                         {.bytes = sizeof(gpu::Statistics)}));
    SYNCLINE_RETURN_IF_ERROR(stream.Synchronize());
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::HostView view,
                              staging.ViewForReading());
    gpu::Statistics statistics;
    std::memcpy(&statistics, view.bytes().data(), sizeof(statistics));
    return statistics;
  }
};
REGISTER_CALCULATOR(GpuStatisticsCalculator);

}  // namespace syncline
