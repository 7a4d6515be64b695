// The bytes of buffers, images and tensors of devices, for recordings and for
// checks of replays. They are copied to the host (payload_copies.h), for which
// the host waits.
//
// A buffer is its bytes; no bytes are no buffer. An image is as an ImageFrame;
// no bytes are no image. A tensor is its element type and its number of
// dimensions, four bytes each, the sizes, eight bytes each, and its numbers
// without gaps. What is read comes to the device that the program uses
// (device_memory.h).
//
// Thread rule: pure functions.
// Tested by payload_bytes_test.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/status_macros.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/image_frame_bytes.h"
#include "framework/packet/packet.h"
#include "framework/packet/type_map.h"
#include "framework/packet/value_bytes.h"
#include "gpu/device_buffer.h"
#include "gpu/device_memory.h"
#include "gpu/device_tensor.h"
#include "gpu/device_work.h"
#include "gpu/gpu_buffer.h"
#include "gpu/image_transfer.h"
#include "gpu/kernels/tensor_kernels.h"
#include "gpu/payload_copies.h"
#include "gpu/stream.h"
#include "gpu/tensor_transfer.h"

namespace syncline::gpu {
namespace {

using packet_internal::AppendNumber;
using packet_internal::TakeNumber;

// The device that the program uses, with a stream for one value.
absl::StatusOr<Stream> ReplayStream() {
  SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<Device> device,
                            MemoryDevice(absl::nullopt));
  return Stream::Make(std::move(device), {}, "replay");
}

// --- Buffers

// Waits on the host. `copied` is pinned memory.
absl::Status AppendCopied(const DeviceBuffer& copied, std::size_t size,
                          std::string* bytes) {
  SYNCLINE_RETURN_IF_ERROR(copied.HostWait());
  SYNCLINE_ASSIGN_OR_RETURN(const HostView view, copied.ViewForReading());
  bytes->append(reinterpret_cast<const char*>(view.bytes().data()), size);
  return absl::OkStatus();
}

absl::Status WriteBuffer(const Packet& packet, std::string* bytes) {
  const auto& buffer = packet.Get<DeviceBuffer>();
  if (buffer.is_null()) return absl::OkStatus();
  const auto copies = PayloadCopies::Of(*buffer.device());
  SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, copies->StreamAfter(buffer));
  SYNCLINE_ASSIGN_OR_RETURN(const DeviceBuffer staging,
                            copies->TakeStaging(stream, buffer.size()));
  SYNCLINE_RETURN_IF_ERROR(stream.Copy(Writes(staging), Reads(buffer)));
  return AppendCopied(staging, buffer.size(), bytes);
}

// New memory of a stream with these bytes.
absl::StatusOr<DeviceBuffer> UploadBytes(absl::string_view bytes) {
  SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, ReplayStream());
  SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer memory,
                            stream.Allocate(bytes.size(), "replay"));
  SYNCLINE_RETURN_IF_ERROR(
      stream.CopyFromHost(Writes(memory), bytes.data(), bytes.size()));
  return memory;
}

absl::Status ReadBuffer(const std::string& bytes, Packet* packet) {
  DeviceBuffer memory;
  if (!bytes.empty()) {
    SYNCLINE_ASSIGN_OR_RETURN(memory, UploadBytes(bytes));
  }
  *packet = MakeDevicePacket<DeviceBuffer>(std::move(memory));
  return absl::OkStatus();
}

// --- Images

absl::Status WriteGpuBuffer(const Packet& packet, std::string* bytes) {
  const auto& image = packet.Get<GpuBuffer>();
  if (!image) return absl::OkStatus();
  Stream stream;
  DeviceBuffer staging;
  if (image.has_pixels()) {
    const auto copies = PayloadCopies::Of(*image.memory().device());
    SYNCLINE_ASSIGN_OR_RETURN(stream, copies->StreamAfter(image.memory()));
    SYNCLINE_ASSIGN_OR_RETURN(staging,
                              copies->TakeStaging(stream, StagingBytes(image)));
  }
  SYNCLINE_ASSIGN_OR_RETURN(const ImageFrame frame,
                            Download(stream, image, std::move(staging)));
  AppendImageFrameBytes(frame, bytes);
  return absl::OkStatus();
}

absl::Status ReadGpuBuffer(const std::string& bytes, Packet* packet) {
  *packet = MakeDevicePacket<GpuBuffer>(GpuBuffer());
  if (bytes.empty()) return absl::OkStatus();
  ImageFrame frame;
  SYNCLINE_RETURN_IF_ERROR(ImageFrameFromBytes(bytes, &frame));
  SYNCLINE_ASSIGN_OR_RETURN(
      const std::size_t size,
      GpuBuffer::UsualBytes(frame.Format(), frame.Width(), frame.Height()));
  Stream stream;
  DeviceBuffer memory;
  DeviceBuffer staging;
  if (size > 0) {
    SYNCLINE_ASSIGN_OR_RETURN(stream, ReplayStream());
    SYNCLINE_ASSIGN_OR_RETURN(memory, stream.Allocate(size, "replay"));
    SYNCLINE_ASSIGN_OR_RETURN(
        staging, PayloadCopies::Of(*stream.device())->TakeStagingForHost(size));
  }
  SYNCLINE_ASSIGN_OR_RETURN(
      const GpuBuffer image,
      GpuBuffer::Make(std::move(memory), frame.Format(), frame.Width(),
                      frame.Height(),
                      GpuBuffer::UsualRowStep(frame.Format(), frame.Width())));
  SYNCLINE_RETURN_IF_ERROR(Upload(stream, frame, staging, image));
  *packet = MakeDevicePacket<GpuBuffer>(image);
  return absl::OkStatus();
}

// --- Tensors

absl::Status WriteTensor(const Packet& packet, std::string* bytes) {
  const auto& tensor = packet.Get<DeviceTensor>();
  AppendNumber(static_cast<std::int32_t>(tensor.element()), bytes);
  AppendNumber(static_cast<std::int32_t>(tensor.shape().size()), bytes);
  for (const std::int64_t size : tensor.shape()) AppendNumber(size, bytes);
  if (tensor.num_elements() == 0) return absl::OkStatus();
  const auto copies = PayloadCopies::Of(*tensor.memory().device());
  SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                            copies->StreamAfter(tensor.memory()));
  SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer staging,
                            copies->TakeStaging(stream, tensor.bytes()));
  SYNCLINE_ASSIGN_OR_RETURN(
      const DeviceTensor dense,
      DeviceTensor::Make(std::move(staging), tensor.element(), tensor.shape()));
  SYNCLINE_RETURN_IF_ERROR(CopyTensor(stream, tensor, dense));
  return AppendCopied(dense.memory(), tensor.bytes(), bytes);
}

absl::Status NotATensor() {
  return absl::InvalidArgumentError(
      "these are not the bytes of a tensor of a device");
}

absl::Status ReadTensor(const std::string& text, Packet* packet) {
  absl::string_view bytes = text;
  std::int32_t number = 0;
  std::int32_t rank = 0;
  if (!TakeNumber(&bytes, &number) || !TakeNumber(&bytes, &rank) || rank < 0 ||
      number < 0 || number > static_cast<int>(TensorElement::kFloat64)) {
    return NotATensor();
  }
  const auto element = static_cast<TensorElement>(number);
  DeviceTensor::Sizes shape;
  for (std::int64_t size = 0; rank > 0; --rank) {
    if (!TakeNumber(&bytes, &size)) return NotATensor();
    shape.push_back(size);
  }
  if (element == TensorElement::kNone) {
    *packet = MakeDevicePacket<DeviceTensor>(DeviceTensor());
    return bytes.empty() ? absl::OkStatus() : NotATensor();
  }
  SYNCLINE_ASSIGN_OR_RETURN(const std::size_t size,
                            DeviceTensor::BytesOf(element, shape));
  if (bytes.size() != size) return NotATensor();
  DeviceBuffer memory;
  if (size > 0) {
    SYNCLINE_ASSIGN_OR_RETURN(memory, UploadBytes(bytes));
  }
  SYNCLINE_ASSIGN_OR_RETURN(
      DeviceTensor tensor,
      DeviceTensor::Make(std::move(memory), element, std::move(shape)));
  *packet = MakeDevicePacket<DeviceTensor>(std::move(tensor));
  return absl::OkStatus();
}

// --- Statistics

absl::Status WriteStatistics(const Packet& packet, std::string* bytes) {
  const auto& statistics = packet.Get<Statistics>();
  for (const double number : {statistics.sum, statistics.mean, statistics.least,
                              statistics.greatest}) {
    AppendNumber(number, bytes);
  }
  return absl::OkStatus();
}

absl::Status ReadStatistics(const std::string& text, Packet* packet) {
  absl::string_view bytes = text;
  Statistics statistics;
  for (double* const number : {&statistics.sum, &statistics.mean,
                               &statistics.least, &statistics.greatest}) {
    if (!TakeNumber(&bytes, number)) {
      return absl::InvalidArgumentError(
          "these are not the bytes of statistics");
    }
  }
  *packet = MakePacket<Statistics>(statistics);
  return absl::OkStatus();
}

SYNCLINE_REGISTER_TYPE(DeviceBuffer, "::syncline::gpu::DeviceBuffer",
                       WriteBuffer, ReadBuffer);
SYNCLINE_REGISTER_TYPE(GpuBuffer, "::syncline::GpuBuffer", WriteGpuBuffer,
                       ReadGpuBuffer);
SYNCLINE_REGISTER_TYPE(DeviceTensor, "::syncline::gpu::DeviceTensor",
                       WriteTensor, ReadTensor);
SYNCLINE_REGISTER_TYPE(Statistics, "::syncline::gpu::Statistics",
                       WriteStatistics, ReadStatistics);

}  // namespace
}  // namespace syncline::gpu
