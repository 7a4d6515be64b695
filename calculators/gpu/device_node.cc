#include "calculators/gpu/device_node.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "calculators/gpu/gpu_calculators.pb.h"
#include "gpu/allocate_buffer.h"
#include "gpu/cuda_stream_pool.pb.h"

namespace syncline {
namespace {

absl::Status NoDevice(CalculatorContext* cc) {
  return absl::FailedPreconditionError(absl::StrCat(
      Where(cc),
      "there is no device to work on; run_graph --device=help lists "
      "those that the program knows"));
}

}  // namespace

absl::Status DeviceNode::UseDevice(CalculatorContract* cc) {
  cc->SetTimestampOffset(TimestampDiff(0));
  return GpuCalculatorBase::UseDevice(cc);
}

absl::Status DeviceNode::OpenOnDevice(CalculatorContext* cc,
                                      gpu::CallStreams& /*streams*/) {
  const GpuMemoryOptions& options = cc->Options<GpuMemoryOptions>();
  if (!options.allocator().empty()) {
    SYNCLINE_ASSIGN_OR_RETURN(allocator_,
                              cc->FindAllocator(options.allocator()));
  }
  if (!options.host_allocator().empty()) {
    SYNCLINE_ASSIGN_OR_RETURN(host_allocator_,
                              cc->FindAllocator(options.host_allocator()));
  }
  return absl::OkStatus();
}

absl::StatusOr<gpu::Stream> DeviceNode::StreamOf(CalculatorContext* cc,
                                                 gpu::CallStreams& streams,
                                                 absl::string_view port) const {
  SYNCLINE_ASSIGN_OR_RETURN(
      gpu::Stream stream,
      streams.ReceiveCudaStream(
          port, {.allocate = cc->HasOptions<CudaStreamPoolOptions>()}));
  if (stream.is_null()) return NoDevice(cc);
  return stream;
}

absl::StatusOr<gpu::Stream> DeviceNode::OwnStream(
    CalculatorContext* cc, gpu::CallStreams& streams,
    absl::string_view port) const {
  SYNCLINE_ASSIGN_OR_RETURN(gpu::Stream stream,
                            streams.ReceiveCudaStream(port));
  if (stream.is_null()) return NoDevice(cc);
  return stream;
}

absl::StatusOr<gpu::DeviceBuffer> DeviceNode::NewMemory(
    const gpu::Stream& stream, std::size_t bytes, absl::string_view name) {
  constexpr MemoryStorageType kKind = MemoryStorageType::kDevice;
  if (allocator_ != nullptr) {
    return gpu::AllocateBuffer(stream, *allocator_, kKind, bytes, name);
  }
  return caches_.For(stream.device(), kKind)->TakeFor(stream, bytes, name);
}

absl::StatusOr<gpu::DeviceBuffer> DeviceNode::NewPinned(
    const gpu::Stream& stream, std::size_t bytes, absl::string_view name) {
  constexpr MemoryStorageType kKind = MemoryStorageType::kHost;
  if (host_allocator_ != nullptr) {
    return gpu::AllocateBuffer(stream, *host_allocator_, kKind, bytes, name);
  }
  return caches_.For(stream.device(), kKind)->TakeFor(stream, bytes, name);
}

absl::StatusOr<gpu::DeviceBuffer> DeviceNode::NewPinnedForHost(
    const gpu::Stream& stream, std::size_t bytes, absl::string_view name) {
  constexpr MemoryStorageType kKind = MemoryStorageType::kHost;
  if (host_allocator_ != nullptr) {
    return gpu::AllocateHostBuffer(*host_allocator_, kKind, bytes, name);
  }
  return caches_.For(stream.device(), kKind)->TakeForHost(bytes, name);
}

absl::StatusOr<GpuBuffer> DeviceNode::NewImage(const gpu::Stream& stream,
                                               ImageFormat::Format format,
                                               int width, int height,
                                               absl::string_view name) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::size_t bytes,
                            GpuBuffer::UsualBytes(format, width, height));
  gpu::DeviceBuffer memory;
  if (bytes > 0) {
    SYNCLINE_ASSIGN_OR_RETURN(memory, NewMemory(stream, bytes, name));
  }
  return GpuBuffer::Make(std::move(memory), format, width, height,
                         GpuBuffer::UsualRowStep(format, width));
}

std::string Where(CalculatorContext* cc) {
  return absl::StrCat("Node \"", cc->NodeName(), "\" at ",
                      cc->InputTimestamp().DebugString(), ": ");
}

// --- Images of bytes

absl::StatusOr<gpu::PixelOrder> PixelOrderOf(ImageFormat::Format format) {
  switch (format) {
    case ImageFormat::GRAY8:
      return gpu::PixelOrder::kGray;
    case ImageFormat::SRGB:
      return gpu::PixelOrder::kRgb;
    case ImageFormat::SRGBA:
      return gpu::PixelOrder::kRgba;
    case ImageFormat::SBGRA:
      return gpu::PixelOrder::kBgra;
    default:
      return absl::InvalidArgumentError(
          absl::StrCat("the format is ", ImageFormat::Format_Name(format),
                       "; it can be GRAY8, SRGB, SRGBA or SBGRA"));
  }
}

bool IsColorOrGray(ImageFormat::Format format) {
  return PixelOrderOf(format).ok();
}

gpu::PlacedImage PlaceOf(const GpuBuffer& image) {
  return {.layout = {.width = image.width(),
                     .height = image.height(),
                     .channels = image.channels(),
                     .pitch = static_cast<std::int64_t>(image.row_step()),
                     .offset = static_cast<std::int64_t>(image.offset())},
          .buffer_bytes = image.memory().is_null() ? 0 : image.memory().size()};
}

absl::Status CheckBytes(const GpuBuffer& image) {
  if (!image) {
    return absl::InvalidArgumentError(
        "the packet is a GpuBuffer without an image; "
        "ImageFrameToGpuBufferCalculator makes one of a frame");
  }
  if (IsColorOrGray(image.format())) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the image is ", image.ToText(),
      "; it can be GRAY8, SRGB, SRGBA or SBGRA: convert it on the host, before "
      "ImageFrameToGpuBufferCalculator"));
}

}  // namespace syncline
