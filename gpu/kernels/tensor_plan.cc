#include "gpu/kernels/tensor_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gpu/kernels/image_layout.h"
#include "gpu/kernels/layout_check.h"
#include "gpu/kernels/tensor_kernels.h"
#include "gpu/reduction_parts.h"

namespace syncline::gpu {
namespace {

constexpr std::int64_t kMaxElements = std::numeric_limits<std::uint32_t>::max();

// --- Normalize

absl::Status SpreadOverChannels(absl::string_view kernel,
                                absl::string_view what, int channels,
                                absl::Span<const float> values, float* out) {
  if (values.size() != 1 &&
      values.size() != static_cast<std::size_t>(channels)) {
    return absl::InvalidArgumentError(
        absl::StrCat(kernel, ": ", values.size(), " numbers of ", what, " for ",
                     channels, " channels; give one for each or one for all"));
  }
  for (int c = 0; c < channels; ++c) {
    out[c] = values.size() == 1 ? values[0] : values[c];
  }
  return absl::OkStatus();
}

absl::StatusOr<NormalizeParameters> ParametersOf(
    absl::string_view kernel, absl::string_view image_role,
    const PlacedImage& image, TensorOrder order, std::size_t tensor_bytes,
    absl::Span<const float> mean, absl::Span<const float> scale) {
  const ImageLayout& layout = image.layout;
  absl::Status status = CheckImage(kernel, image_role, image);
  NormalizeParameters parameters = {.image = layout};
  if (status.ok()) {
    status = SpreadOverChannels(kernel, "the mean", layout.channels, mean,
                                parameters.mean);
  }
  if (status.ok()) {
    status = SpreadOverChannels(kernel, "the scale", layout.channels, scale,
                                parameters.scale);
  }
  if (!status.ok()) return status;
  const std::size_t needed = static_cast<std::size_t>(NumPixels(layout)) *
                             layout.channels * sizeof(float);
  if (tensor_bytes < needed) {
    return absl::InvalidArgumentError(
        absl::StrCat(kernel, ": the tensor of ", layout.height, " x ",
                     layout.width, " x ", layout.channels, " floats takes ",
                     needed, " bytes, and its buffer has ", tensor_bytes));
  }
  const bool is_hwc = order == TensorOrder::kHwc;
  parameters.stride_channel = is_hwc ? 1 : NumPixels(layout);
  parameters.stride_x = is_hwc ? layout.channels : 1;
  parameters.stride_y = parameters.stride_x * layout.width;
  return parameters;
}

// --- Strided copies

struct CopyDimension {
  std::int64_t length;
  std::int64_t from_stride;
  std::int64_t to_stride;
};

// The dimensions that count, with those joined that lie behind one another.
std::vector<CopyDimension> JoinDimensions(absl::Span<const std::int64_t> shape,
                                          const StridedTensor& from,
                                          const StridedTensor& to) {
  std::vector<CopyDimension> joined;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    const CopyDimension next = {shape[d], from.strides[d], to.strides[d]};
    if (!joined.empty() &&
        joined.back().from_stride == next.length * next.from_stride &&
        joined.back().to_stride == next.length * next.to_stride) {
      joined.back() = {joined.back().length * next.length, next.from_stride,
                       next.to_stride};
    } else {
      joined.push_back(next);
    }
  }
  return joined;
}

// Whether all elements lie inside of the buffer; nothing overflows.
absl::Status CheckReach(absl::string_view kernel, absl::string_view role,
                        int element_bytes, absl::Span<const std::int64_t> shape,
                        const StridedTensor& tensor) {
  // 2^32 elements, 2^48 apart, and a sum of 64 such distances would fit.
  __int128 least = tensor.offset;
  __int128 most = tensor.offset;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const __int128 reach =
        static_cast<__int128>(shape[d] - 1) * tensor.strides[d];
    (reach < 0 ? least : most) += reach;
  }
  if (least >= 0 &&
      most < static_cast<__int128>(tensor.buffer_bytes / element_bytes)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      kernel, ": the ", role, " of shape [", absl::StrJoin(shape, ", "),
      "], strides [", absl::StrJoin(tensor.strides, ", "), "] and offset ",
      tensor.offset, " reaches out of its buffer of ",
      tensor.buffer_bytes / element_bytes, " elements of ", element_bytes,
      " bytes"));
}

const Kernel* CopyOf(int element_bytes) {
  switch (element_bytes) {
    case 1:
      return &kStridedCopy1;
    case 2:
      return &kStridedCopy2;
    case 4:
      return &kStridedCopy4;
    case 8:
      return &kStridedCopy8;
    default:
      return nullptr;
  }
}

// The number of elements; -1 if it is too large or negative.
std::int64_t NumElements(absl::Span<const std::int64_t> shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::int64_t count = 1;
  for (std::int64_t length : shape) {
    if (length < 0 || length > kMaxElements / count) return -1;
    count *= length;
  }
  return count;
}

absl::Status CheckShape(absl::string_view kernel,
                        absl::Span<const std::int64_t> shape,
                        const StridedTensor& from, const StridedTensor& to) {
  if (from.strides.size() != shape.size() ||
      to.strides.size() != shape.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(kernel, ": ", shape.size(), " dimensions, and ",
                     from.strides.size(), " strides of the input and ",
                     to.strides.size(), " of the output; give as many"));
  }
  if (NumElements(shape) < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(kernel, ": the shape [", absl::StrJoin(shape, ", "),
                     "] has 2^32 elements or more, or a negative length; copy "
                     "it in parts"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LaunchPlan<NormalizeParameters>> PlanNormalize(
    const PlacedImage& from, TensorOrder to_order, std::size_t to_bytes,
    absl::Span<const float> mean, absl::Span<const float> scale) {
  absl::StatusOr<NormalizeParameters> parameters = ParametersOf(
      kNormalize.name, "input", from, to_order, to_bytes, mean, scale);
  if (!parameters.ok()) return parameters.status();
  return LaunchPlan<NormalizeParameters>{&kNormalize, NumPixels(from.layout),
                                         *parameters};
}

absl::StatusOr<LaunchPlan<NormalizeParameters>> PlanDenormalize(
    TensorOrder from_order, std::size_t from_bytes, const PlacedImage& to,
    absl::Span<const float> mean, absl::Span<const float> scale) {
  absl::StatusOr<NormalizeParameters> parameters = ParametersOf(
      kDenormalize.name, "output", to, from_order, from_bytes, mean, scale);
  if (!parameters.ok()) return parameters.status();
  for (int c = 0; c < to.layout.channels; ++c) {
    if (parameters->scale[c] == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(kDenormalize.name, ": the scale of channel ", c,
                       " is 0, and nothing leads back from that"));
    }
    parameters->scale[c] = 1 / parameters->scale[c];
  }
  return LaunchPlan<NormalizeParameters>{&kDenormalize, NumPixels(to.layout),
                                         *parameters};
}

absl::StatusOr<LaunchPlan<StridedCopyParameters>> PlanStridedCopy(
    int element_bytes, absl::Span<const std::int64_t> shape,
    const StridedTensor& from, const StridedTensor& to) {
  const Kernel* kernel = CopyOf(element_bytes);
  if (kernel == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("StridedCopy: elements of ", element_bytes,
                     " bytes; there are kernels for 1, 2, 4 and 8"));
  }
  absl::Status status = CheckShape(kernel->name, shape, from, to);
  if (!status.ok()) return status;
  const std::int64_t count = NumElements(shape);
  LaunchPlan<StridedCopyParameters> plan = {kernel, count, {}};
  if (count == 0) return plan;
  status = CheckReach(kernel->name, "input", element_bytes, shape, from);
  if (status.ok()) {
    status = CheckReach(kernel->name, "output", element_bytes, shape, to);
  }
  if (!status.ok()) return status;
  const std::vector<CopyDimension> dimensions = JoinDimensions(shape, from, to);
  if (dimensions.size() > kMaxCopyRank) {
    return absl::InvalidArgumentError(absl::StrCat(
        kernel->name, ": ", dimensions.size(), " dimensions; at most ",
        kMaxCopyRank, " can be copied at a time"));
  }
  StridedCopyParameters& parameters = plan.parameters;
  parameters.rank = static_cast<std::int32_t>(dimensions.size());
  parameters.from_offset = from.offset;
  parameters.to_offset = to.offset;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    if (dimensions[d].to_stride == 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          kernel->name, ": a stride of the output is 0, so that ",
          dimensions[d].length, " elements would be written to one place"));
    }
    parameters.shape[d] = static_cast<std::uint32_t>(dimensions[d].length);
    parameters.from_strides[d] = dimensions[d].from_stride;
    parameters.to_strides[d] = dimensions[d].to_stride;
  }
  return plan;
}

absl::StatusOr<LaunchPlan<StatisticsParameters>> PlanStatistics(
    StatisticsElement element, std::int64_t rows, std::int64_t row_length,
    std::int64_t pitch, std::int64_t offset, std::size_t from_bytes,
    std::size_t parts_bytes, std::size_t to_bytes) {
  const bool is_byte = element == StatisticsElement::kByte;
  const Kernel& kernel = is_byte ? kStatisticsOfBytes : kStatisticsOfFloats;
  const std::int64_t size = is_byte ? 1 : sizeof(float);
  const std::int64_t count = NumElements({rows, row_length});
  if (count < 0 || rows < 0 || row_length < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(kernel.name, ": ", rows, " rows of ", row_length,
                     " elements; there may be less than 2^32 in all"));
  }
  // Far beyond any buffer, and times `size` still a number.
  constexpr std::int64_t kFar = std::int64_t{1} << 50;
  const auto bytes = [&](std::int64_t elements) {
    return std::clamp(elements, -kFar, kFar) * size;
  };
  absl::Status status =
      CheckRows(kernel.name, "input", bytes(offset), count == 0 ? 0 : rows,
                row_length * size, bytes(pitch), from_bytes);
  if (!status.ok()) return status;
  if (parts_bytes < ReductionPartsBytes<StatisticsPart>() ||
      to_bytes < sizeof(Statistics)) {
    return absl::InvalidArgumentError(absl::StrCat(
        kernel.name, ": buffers of ", parts_bytes, " and ", to_bytes,
        " bytes for the parts and for the result; give ",
        ReductionPartsBytes<StatisticsPart>(), " and ", sizeof(Statistics)));
  }
  return LaunchPlan<StatisticsParameters>{
      &kernel, count, {static_cast<std::uint32_t>(row_length), pitch, offset}};
}

}  // namespace syncline::gpu
