#include "gpu/dlpack.h"

#include <dlpack/dlpack.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/base/status_macros.h"
#include "gpu/device_buffer.h"
#include "gpu/dlpack_elements.h"
#include "gpu/notices.h"
#include "gpu/tensor_transfer.h"
#include "gpu/work_point.h"

namespace syncline::gpu {
namespace {

bool IsCuda(const Device& device) {
  return absl::StartsWith(device.name(), "cuda:");
}

DLDevice PlaceOf(const Device& device, MemoryStorageType kind) {
  if (kind == MemoryStorageType::kDevice) {
    return {IsCuda(device) ? kDLCUDA : kDLExtDev, device.info().index};
  }
  if (!IsCuda(device)) return {kDLCPU, 0};
  return {kind == MemoryStorageType::kHost ? kDLCUDAHost : kDLCUDAManaged, 0};
}

// --- Export

// What an exported tensor keeps until its deleter is called.
struct Exported {
  DLManagedTensor managed;
  DeviceTensor tensor;
  Stream consumer;
};

void DeleteExported(DLManagedTensor* managed) {
  auto* const exported = static_cast<Exported*>(managed->manager_ctx);
  // The consumer's work so far may use the memory; all of its work, if the
  // stream was destroyed before.
  if (!exported->tensor.memory().is_null()) {
    const Access access = Writes(exported->tensor.memory());
    exported->consumer.Note("DLPack consumer", {&access, 1});
  }
  delete exported;
}

DlpackTensor Export(DeviceTensor tensor, const Stream& consumer) {
  // What the library does there is noted by the deleter.
  consumer.core().Lend();
  auto* const exported = new Exported{{}, std::move(tensor), consumer};
  const DeviceTensor& kept = exported->tensor;
  DLTensor& out = exported->managed.dl_tensor;
  const bool has_memory = !kept.memory().is_null();
  out.data = has_memory ? kept.memory().address() : nullptr;
  out.device =
      PlaceOf(*consumer.device(),
              has_memory ? kept.memory().kind() : MemoryStorageType::kDevice);
  if (has_memory) {
    out.device = PlaceOf(*kept.memory().device(), kept.memory().kind());
  }
  out.ndim = static_cast<int>(kept.shape().size());
  out.dtype = internal::DlpackTypeOf(kept.element());
  // The library reads them only, but DLPack has no const.
  out.shape = const_cast<std::int64_t*>(kept.shape().data());
  out.strides = const_cast<std::int64_t*>(kept.strides().data());
  out.byte_offset = kept.byte_offset();
  exported->managed.manager_ctx = exported;
  exported->managed.deleter = DeleteExported;
  return DlpackTensor(&exported->managed);
}

// --- Import

// Keeps a library's tensor until nobody uses its memory.
class ForeignMemory : public DeviceMemoryStore {
 public:
  ForeignMemory(std::shared_ptr<Device> device, DlpackTensor managed)
      : device_(std::move(device)), managed_(std::move(managed)) {}

  void TakeBack(Device& /*device*/, const DriverMemory& /*memory*/,
                std::vector<PendingWork> pending) override {
    // A function that may be called can be copied.
    auto managed = std::make_shared<DlpackTensor>(std::move(managed_));
    if (pending.empty()) return;
    std::vector<WorkPoint> points;
    for (const PendingWork& work : pending) {
      // Any device of the group keeps all of them.
      points.emplace_back(
          std::shared_ptr<Device>(device_, &work.stream->device()), work);
    }
    const auto let_go = [managed] { managed->reset(); };
    if (Notices::Of(*device_)->CallWhenOver(points, let_go).ok()) return;
    // The driver refused a stream, say, or the device is in error.
    device_->CallWhenSeenOver(std::move(pending), let_go);
    device_->GiveEndedMemoryBack();
  }

 private:
  const std::shared_ptr<Device> device_;
  DlpackTensor managed_;
};

absl::StatusOr<MemoryStorageType> KindOf(const DLDevice& place,
                                         const Device& device) {
  for (const MemoryStorageType kind :
       {MemoryStorageType::kDevice, MemoryStorageType::kHost,
        MemoryStorageType::kManaged}) {
    const DLDevice own = PlaceOf(device, kind);
    if (own.device_type != place.device_type || place.device_type == kDLCPU) {
      continue;
    }
    if (kind != MemoryStorageType::kDevice ||
        own.device_id == place.device_id) {
      return kind;
    }
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "a DLPack tensor is of device type ", static_cast<int>(place.device_type),
      ", number ", place.device_id, ", and not of ", device.name(),
      "; give that device, or copy the tensor of the host to it"));
}

// The bytes that the elements reach over, from `data`.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

Range RangeOf(const DLTensor& tensor, const DeviceTensor::Sizes& strides,
              std::int64_t element_bytes) {
  Range range;
  for (int d = 0; d < tensor.ndim; ++d) {
    const std::int64_t reach =
        (tensor.shape[d] - 1) * strides[d] * element_bytes;
    (reach < 0 ? range.begin : range.end) += reach;
  }
  range.end += element_bytes;
  return range;
}

}  // namespace

void DlpackDeleter::operator()(DLManagedTensor* managed) const {
  if (managed->deleter != nullptr) managed->deleter(managed);
}

absl::StatusOr<DlpackTensor> ToDlpack(DeviceTensor tensor,
                                      const Stream& consumer) {
  if (!tensor) {
    return absl::InvalidArgumentError("No tensor cannot be exported to DLPack");
  }
  if (tensor.memory().is_null()) return Export(std::move(tensor), consumer);
  if (tensor.memory().state().use_count() == 1) {
    SYNCLINE_RETURN_IF_ERROR(consumer.WaitFor(Writes(tensor.memory())));
    return Export(std::move(tensor), consumer);
  }
  SYNCLINE_RETURN_IF_ERROR(consumer.WaitFor(Reads(tensor.memory())));
  SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer memory,
                            consumer.Allocate(tensor.bytes(), "DLPack"));
  SYNCLINE_ASSIGN_OR_RETURN(
      DeviceTensor copy,
      DeviceTensor::Make(std::move(memory), tensor.element(), tensor.shape()));
  SYNCLINE_RETURN_IF_ERROR(CopyTensor(consumer, tensor, copy));
  return Export(std::move(copy), consumer);
}

absl::StatusOr<DlpackTensor> ToDlpack(Packet packet, const Stream& consumer) {
  SYNCLINE_RETURN_IF_ERROR(packet.ValidateAsType<DeviceTensor>());
  absl::StatusOr<std::unique_ptr<DeviceTensor>> own =
      packet.Consume<DeviceTensor>();
  if (own.ok()) return ToDlpack(std::move(**own), consumer);
  return ToDlpack(packet.Get<DeviceTensor>(), consumer);
}

absl::StatusOr<DeviceTensor> FromDlpack(DlpackTensor managed,
                                        const std::shared_ptr<Device>& device,
                                        const Stream& producer) {
  if (managed == nullptr) return internal::NoTensorError();
  const DLTensor& tensor = managed->dl_tensor;
  SYNCLINE_ASSIGN_OR_RETURN(const TensorElement element,
                            internal::ElementOf(tensor.dtype));
  SYNCLINE_ASSIGN_OR_RETURN(const MemoryStorageType kind,
                            KindOf(tensor.device, *device));
  SYNCLINE_ASSIGN_OR_RETURN(const internal::DlpackLayout layout,
                            internal::LayoutOf(tensor));
  if (!layout.has_elements) {
    return DeviceTensor::Make({}, element, layout.shape);
  }
  // Before there is a buffer: more elements than a tensor may have.
  SYNCLINE_RETURN_IF_ERROR(
      DeviceTensor::BytesOf(element, layout.shape).status());
  const std::int64_t element_bytes =
      static_cast<std::int64_t>(ElementBytes(element));
  const Range range = RangeOf(tensor, layout.strides, element_bytes);
  const DriverMemory memory = {
      .data = static_cast<std::byte*>(tensor.data) + tensor.byte_offset +
              range.begin,
      .size = static_cast<std::size_t>(range.end - range.begin),
      .storage_type = kind};
  SYNCLINE_ASSIGN_OR_RETURN(
      DeviceBuffer buffer,
      DeviceBuffer::HandOut(
          device, std::make_shared<ForeignMemory>(device, std::move(managed)),
          memory, memory.size, "DLPack", &producer.core(), {}));
  return DeviceTensor::Make(std::move(buffer), element, layout.shape,
                            layout.strides,
                            static_cast<std::size_t>(-range.begin));
}

}  // namespace syncline::gpu
