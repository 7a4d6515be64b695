#include "gpu/stream_ordered_allocator.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/base/unread_options.h"
#include "framework/memory/allocator_registry.h"
#include "framework/memory/memory_size_text.h"
#include "glog/logging.h"
#include "gpu/device_allocators.pb.h"
#include "gpu/device_memory.h"
#include "gpu/stream_core.h"

namespace syncline::gpu {
namespace {

std::string AllocatorText(absl::string_view name) {
  return absl::StrCat("The StreamOrderedAllocator \"", name, "\"");
}

}  // namespace

// Takes and gives back; lives as long as its memory.
class StreamOrderedAllocator::Store : public MemoryStore {
 public:
  Store(Stream own, PoolHandle pool, std::size_t max)
      : own_(std::move(own)),
        pool_(pool),
        budget_(max),
        source_(own_.device(), MemoryStorageType::kDevice) {}
  ~Store() override { device()->driver().DropPool(pool_); }

  ByteBudget& budget() { return budget_; }
  const Stream& own() const { return own_; }
  const std::shared_ptr<Device>& device() const { return own_.device(); }

  absl::StatusOr<std::byte*> Take(const Stream& stream, std::size_t bytes,
                                  absl::string_view name) {
    DriverMemory memory;
    SYNCLINE_RETURN_IF_ERROR(stream.core().Submit(
        "allocate", {}, WorkReach::kOneDevice, [&]() -> absl::Status {
          SYNCLINE_ASSIGN_OR_RETURN(
              memory, device()->driver().TakeMemoryFrom(pool_, stream.handle(),
                                                        bytes, name));
          return absl::OkStatus();
        }));
    device()->Add(Device::Count::kAllocation);
    return memory.data;
  }

  void TakeBack(std::byte* data, std::size_t size) override {
    TakeBackPending(data, size, nullptr);
  }
  void TakeBackPending(std::byte* data, std::size_t size,
                       std::shared_ptr<PendingUse> pending) override {
    // Before the address is the device's again.
    budget_.Release(data);
    GiveToDevice(data, size, WorkOf(pending.get()));
    budget_.released().Notify();
  }
  void GiveToDevice(std::byte* data, std::size_t size,
                    std::vector<PendingWork> pending) {
    const DriverMemory memory = {
        .data = data, .size = size, .storage_type = MemoryStorageType::kDevice};
    {
      // The device orders who gets it next.
      DeviceGroup& group = device()->group();
      MutexLock lock(&group.mutex);
      group.pooled_uses.Take(data, size);
    }
    if (GiveBackOnStream(memory, pending).ok()) {
      return device()->Add(Device::Count::kFree);
    }
    // Its stream is gone, or the device failed.
    device()->TakeMemoryBack(memory, std::move(pending));
  }

  void TakeBackReserved(std::size_t bytes) override {
    budget_.Unreserve(bytes);
    budget_.released().Notify();
  }
  MemorySource* source() const override { return &source_; }
  std::shared_ptr<PendingUse> PendingOn(const Stream& stream) const {
    return source_.MakePending({stream.Now().work()});
  }

 private:
  absl::Status GiveBackOnStream(const DriverMemory& memory,
                                const std::vector<PendingWork>& pending) {
    // One of the streams that used it last, so that none waits for nothing.
    // Streams of other devices cannot give it back.
    const auto used = std::find_if(
        pending.begin(), pending.end(), [this](const PendingWork& work) {
          return work.stream->is_open() &&
                 &work.stream->device() == device().get();
        });
    StreamCore& stream = used == pending.end() ? own_.core() : *used->stream;
    for (const PendingWork& work : pending) {
      SYNCLINE_RETURN_IF_ERROR(stream.WaitFor(work.stream.get(), work.number));
    }
    return stream.Submit("free", {}, WorkReach::kOneDevice, [&] {
      return device()->driver().GiveMemoryBackAsync(stream.handle(), memory);
    });
  }

  const Stream own_;
  const PoolHandle pool_;
  ByteBudget budget_;
  mutable DeviceMemorySource source_;
};

absl::StatusOr<std::shared_ptr<Allocator>> StreamOrderedAllocator::Create(
    absl::string_view name, const SynclineOptions& options) {
  SYNCLINE_RETURN_IF_ERROR(CheckOptionsAreRead(
      options, {StreamOrderedAllocatorOptions::ext.number()}, "allocator"));
  const StreamOrderedAllocatorOptions& given =
      options.GetExtension(StreamOrderedAllocatorOptions::ext);
  const auto in_context = [&](StatusBuilder status) {
    return status.SetPrepend() << AllocatorText(name) << ": ";
  };
  std::string max = given.device_memory_max_size();
  if (given.has_device_max_memory_pool_size()) {
    if (given.has_device_memory_max_size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          AllocatorText(name),
          " has device_memory_max_size and device_max_memory_pool_size, which "
          "are the same. Leave the second one out."));
    }
    LOG(WARNING) << AllocatorText(name)
                 << ": device_max_memory_pool_size is called "
                    "device_memory_max_size; it is taken for that.";
    max = given.device_max_memory_pool_size();
  }
  SYNCLINE_ASSIGN_OR_RETURN(
      const PoolSizes sizes,
      PoolSizes::Parse("device_memory", given.device_memory_initial_size(),
                       max),
      in_context(std::move(_)));
  SYNCLINE_ASSIGN_OR_RETURN(
      const std::size_t release_threshold,
      ParseMemorySize("release_threshold", given.release_threshold()),
      in_context(std::move(_)));
  const absl::optional<int> dev_id =
      given.has_dev_id() ? absl::optional<int>(given.dev_id()) : absl::nullopt;
  SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<Device> device,
                            MemoryDevice(dev_id), in_context(std::move(_)));
  return Make(std::move(device), sizes, name, release_threshold);
}

absl::StatusOr<std::shared_ptr<StreamOrderedAllocator>>
StreamOrderedAllocator::Make(std::shared_ptr<Device> device,
                             const PoolSizes& sizes, absl::string_view name,
                             std::size_t release_threshold) {
  SYNCLINE_ASSIGN_OR_RETURN(Stream own,
                            Stream::Make(std::move(device), {.flags = 1}, name),
                            _.SetPrepend() << AllocatorText(name) << ": ");
  SYNCLINE_ASSIGN_OR_RETURN(const PoolHandle pool,
                            own.device()->driver().MakePool(
                                std::max(release_threshold, sizes.initial)),
                            _.SetPrepend() << AllocatorText(name) << ": ");
  auto store = std::make_shared<Store>(std::move(own), pool, sizes.max);
  if (sizes.initial > 0) {
    // The device has it then, and keeps it.
    SYNCLINE_ASSIGN_OR_RETURN(
        std::byte* const data, store->Take(store->own(), sizes.initial, name),
        _.SetPrepend() << AllocatorText(name) << " is to begin with "
                       << sizes.initial << " bytes: ");
    store->GiveToDevice(data, sizes.initial, {});
  }
  return std::shared_ptr<StreamOrderedAllocator>(
      new StreamOrderedAllocator(name, std::move(store)));
}

StreamOrderedAllocator::StreamOrderedAllocator(absl::string_view name,
                                               std::shared_ptr<Store> store)
    : Allocator(name), store_(std::move(store)) {}

absl::StatusOr<MemoryBuffer> StreamOrderedAllocator::Allocate(
    std::size_t bytes, MemoryStorageType storage_type,
    absl::string_view label) {
  SYNCLINE_ASSIGN_OR_RETURN(MemoryBuffer buffer,
                            Take(store_->own(), bytes, storage_type, label));
  SYNCLINE_RETURN_IF_ERROR(store_->own().Synchronize());
  buffer.set_pending(nullptr);
  return buffer;
}

absl::StatusOr<MemoryBuffer> StreamOrderedAllocator::AllocateFor(
    const MemoryUser& user, std::size_t bytes, MemoryStorageType storage_type,
    absl::string_view label) {
  const auto* const stream_user = dynamic_cast<const StreamUser*>(&user);
  if (stream_user == nullptr) return Allocate(bytes, storage_type, label);
  const Stream& stream = stream_user->stream();
  if (stream.device() != store_->device()) {
    return absl::InvalidArgumentError(absl::StrCat(
        AllocatorText(name()), " of ", store_->device()->name(),
        " is asked by \"", label, "\" for ", stream.core().ToText(),
        ". Set dev_id to the device of the stream."));
  }
  return Take(stream, bytes, storage_type, label);
}

absl::StatusOr<MemoryBuffer> StreamOrderedAllocator::Take(
    const Stream& stream, std::size_t bytes, MemoryStorageType kind,
    absl::string_view label) {
  const std::string who = absl::StrCat(
      "\"", label, "\" asks ", AllocatorText(name()), " for ", bytes, " bytes");
  if (kind != MemoryStorageType::kDevice || bytes == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(who, " of ", MemoryStorageTypeName(kind),
                     " memory. It gives device memory, at least 1 byte."));
  }
  SYNCLINE_RETURN_IF_ERROR(store_->budget().Take(
      who, bytes, ReservationScope::TakeUnits(store_.get(), bytes)));
  absl::StatusOr<std::byte*> data = store_->Take(stream, bytes, label);
  if (!data.ok()) {
    store_->budget().Untake(bytes);
    return StatusBuilder(data.status(), SYNCLINE_LOC).SetPrepend()
           << who << ": ";
  }
  store_->budget().Hold(*data, bytes, label);
  MemoryBuffer buffer(store_, *data, bytes, kind);
  // It is there for work after this, and goes back after this if not used.
  buffer.set_pending(store_->PendingOn(stream));
  return buffer;
}

bool StreamOrderedAllocator::IsAvailable(std::size_t bytes) const {
  return store_->budget().IsAvailable(bytes);
}

bool StreamOrderedAllocator::TryReserve(std::size_t bytes,
                                        MemoryReservation* reservation) {
  if (!store_->budget().Reserve(bytes)) return false;
  *reservation = MemoryReservation(store_, bytes);
  return true;
}

absl::optional<std::size_t> StreamOrderedAllocator::capacity_bytes() const {
  return store_->budget().max();
}

std::string StreamOrderedAllocator::UseText() const {
  return store_->budget().UseText();
}

Listener StreamOrderedAllocator::AddReleaseListener(
    std::function<void()> released) {
  return store_->budget().released().Add(std::move(released));
}

REGISTER_ALLOCATOR(StreamOrderedAllocator);

}  // namespace syncline::gpu
