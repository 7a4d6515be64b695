#include "gpu/allocate_buffer.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/packet/timestamp.h"
#include "gpu/device_memory.h"
#include "gpu/stream_core.h"
#include "gpu/work_owner.h"

namespace syncline::gpu {
namespace {

// The memory goes back to its allocator with the buffer that has it.
class AllocatorStore : public DeviceMemoryStore {
 public:
  explicit AllocatorStore(MemoryBuffer memory) : memory_(std::move(memory)) {}

  void TakeBack(Device&, const DriverMemory&,
                std::vector<PendingWork> pending) override {
    const auto* const source =
        static_cast<const DeviceMemorySource*>(memory_.source());
    memory_.set_pending(source->MakePending(std::move(pending)));
    memory_.Release();
  }
  bool HandsOutAgain() const override { return true; }

 private:
  MemoryBuffer memory_;
};

// `blur at 40 on stream a of stand_in:0, blurred`
std::string LabelOf(const StreamCore* stream, absl::string_view name) {
  const WorkOwner& owner = WorkOwnerScope::Current();
  std::string label;
  if (owner.node != nullptr) {
    label = *owner.node;
    if (owner.timestamp != Timestamp::Unset()) {
      absl::StrAppend(&label, " at ", owner.timestamp.DebugString());
    }
    absl::StrAppend(&label, stream == nullptr ? ", " : " ");
  }
  if (stream != nullptr) {
    absl::StrAppend(&label, "on stream ", stream->name(), " of ",
                    stream->device().name(), ", ");
  }
  absl::StrAppend(&label, name);
  return label;
}

absl::StatusOr<DeviceBuffer> MakeBuffer(MemoryBuffer memory,
                                        const Allocator& allocator,
                                        absl::string_view name,
                                        StreamCore* stream) {
  const auto* const source =
      dynamic_cast<const DeviceMemorySource*>(memory.source());
  const std::string who =
      absl::StrCat(WorkOwnerScope::Current().ToText(), " takes memory for \"",
                   name, "\" from allocator \"", allocator.name(), "\"");
  if (source == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        who, ", which gives ", MemoryStorageTypeName(memory.storage_type()),
        " memory of no device. Give it another storage_type."));
  }
  const std::shared_ptr<Device> device = source->device();
  if (stream != nullptr && &stream->device().group() != &device->group()) {
    return absl::InvalidArgumentError(absl::StrCat(
        who, " of ", device->name(), ", for ", stream->ToText(),
        ", and these are devices of two kinds or of two runs. Give the "
        "allocator the device that the graph runs on."));
  }
  const std::vector<PendingWork> pending = WorkOf(memory.pending().get());
  const DriverMemory taken = {.data = memory.data(),
                              .size = memory.size(),
                              .storage_type = memory.storage_type()};
  // Without a buffer the memory goes back as it came.
  auto store = std::make_shared<AllocatorStore>(std::move(memory));
  return DeviceBuffer::HandOut(device, std::move(store), taken, taken.size,
                               name, stream, pending);
}

}  // namespace

absl::StatusOr<DeviceBuffer> AllocateBuffer(const Stream& stream,
                                            Allocator& allocator,
                                            MemoryStorageType kind,
                                            std::size_t bytes,
                                            absl::string_view name) {
  SYNCLINE_ASSIGN_OR_RETURN(
      MemoryBuffer memory,
      allocator.AllocateFor(StreamUser(stream), bytes, kind,
                            LabelOf(&stream.core(), name)));
  return MakeBuffer(std::move(memory), allocator, name, &stream.core());
}

absl::StatusOr<DeviceBuffer> AllocateHostBuffer(Allocator& allocator,
                                                MemoryStorageType kind,
                                                std::size_t bytes,
                                                absl::string_view name) {
  SYNCLINE_ASSIGN_OR_RETURN(
      MemoryBuffer memory,
      allocator.Allocate(bytes, kind, LabelOf(nullptr, name)));
  return MakeBuffer(std::move(memory), allocator, name, nullptr);
}

}  // namespace syncline::gpu
