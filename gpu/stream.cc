#include "gpu/stream.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "gpu/access_check.h"
#include "gpu/access_history.h"
#include "gpu/work_owner.h"

namespace syncline::gpu {
namespace {

// Memory that goes back on a stream.
class StreamItself : public DeviceMemoryStore {
 public:
  explicit StreamItself(std::shared_ptr<StreamCore> stream)
      : stream_(std::move(stream)) {}

  void TakeBack(Device& device, const DriverMemory& memory,
                std::vector<PendingWork> pending) override {
    if (!GiveBackOnStream(device, memory, pending).ok()) {
      // The stream is gone, or its device failed.
      device.TakeMemoryBack(memory, std::move(pending));
    }
  }

 private:
  absl::Status GiveBackOnStream(Device& device, const DriverMemory& memory,
                                const std::vector<PendingWork>& pending) {
    // Whose handle dies last does not work on this stream: nobody watches.
    const WorkOwnerScope unwatched(WorkOwnerScope::Current());
    for (const PendingWork& work : pending) {
      SYNCLINE_RETURN_IF_ERROR(
          stream_->WaitFor(work.stream.get(), work.number));
    }
    return stream_->Submit("free", {}, WorkReach::kOneDevice, [&] {
      return device.driver().GiveMemoryBackAsync(stream_->handle(), memory);
    });
  }

  const std::shared_ptr<StreamCore> stream_;
};

absl::Status SizeError(const Stream& stream, absl::string_view what,
                       std::size_t bytes, std::size_t offset,
                       const BufferState& buffer) {
  return absl::InvalidArgumentError(
      absl::StrCat(WorkOwnerScope::Current().ToText(), ": a ", what, " on ",
                   stream.core().ToText(), " of ", bytes, " bytes at byte ",
                   offset, " of ", buffer.ToText(), ", which is smaller"));
}

// Null buffers are found by the checks of accesses.
bool Fits(std::size_t bytes, std::size_t offset, const Access& access) {
  if (access.buffer == nullptr) return true;
  const std::size_t size = access.buffer->size;
  return offset <= size && bytes <= size - offset;
}

// For a copy by a stream of `device`.
void UsePeerOf(const Access& access, Device& device) {
  if (access.buffer == nullptr || !device.has_siblings()) return;
  const Device& other = *access.buffer->device;
  if (&other == &device) return;
  device.driver().UsePeer(other.info().index);
}

std::byte* AddressOf(const Access& access) {
  return access.buffer->memory.data;
}

// The accesses of a copy to or from memory of the host that has no handle here.
// If it is that of a buffer, the checker sees that, too.
absl::InlinedVector<Access, 2> WithOwnerOf(const void* host_memory,
                                           bool writes_host, Access access,
                                           DeviceGroup* group) {
  absl::InlinedVector<Access, 2> accesses = {std::move(access)};
  std::shared_ptr<BufferState> owner;
  {
    MutexLock lock(&group->mutex);
    owner = group->host_addresses.Find(host_memory);
  }
  if (owner != nullptr) {
    accesses.push_back({.buffer = std::move(owner),
                        .writes = writes_host,
                        .host_waits = true});
  }
  return accesses;
}

}  // namespace

absl::StatusOr<Stream> Stream::Make(std::shared_ptr<Device> device,
                                    const StreamOptions& options,
                                    absl::string_view name) {
  device->GiveEndedMemoryBack();
  SYNCLINE_ASSIGN_OR_RETURN(const StreamHandle handle,
                            device->driver().MakeStream(options),
                            _.SetPrepend() << "Stream \"" << name << "\" of "
                                           << device->name() << ": ");
  device->driver().NameStream(handle, std::string(name).c_str());
  auto core = std::make_shared<StreamCore>(device.get(), handle,
                                           /*is_owned=*/true, name);
  Stream stream;
  stream.shared_ = std::shared_ptr<const Shared>(
      new Shared{std::move(device), std::move(core), options});
  return stream;
}

Stream Stream::Adopt(std::shared_ptr<Device> device, StreamHandle handle,
                     absl::string_view name) {
  auto core = std::make_shared<StreamCore>(device.get(), handle,
                                           /*is_owned=*/false, name);
  Stream stream;
  stream.shared_ = std::shared_ptr<const Shared>(
      new Shared{std::move(device), std::move(core), {}});
  return stream;
}

// --- Work

absl::Status Stream::LaunchBytes(const Kernel& kernel, std::int64_t count,
                                 const void* parameters,
                                 std::size_t parameters_size,
                                 absl::Span<const Access> accesses) const {
  if (count < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("Kernel \"", kernel.name, "\" on ", core().ToText(),
                     " is launched for ", count, " elements"));
  }
  return core().Submit(kernel.name, accesses, WorkReach::kOneDevice, [&] {
    absl::InlinedVector<KernelBuffer, 8> buffers;
    for (const Access& access : accesses) {
      buffers.push_back({.data = AddressOf(access),
                         .size = access.buffer->size,
                         .may_write = access.writes});
    }
    return device()->driver().Launch(
        handle(), kernel,
        {.count = count,
         .buffers = buffers.data(),
         .num_buffers = static_cast<int>(buffers.size()),
         .parameters = parameters,
         .parameters_size = parameters_size});
  });
}

absl::Status Stream::Copy(const Access& to, const Access& from,
                          const CopyRange& range) const {
  std::size_t bytes = range.bytes.value_or(0);
  if (!range.bytes.has_value() && from.buffer != nullptr) {
    bytes = from.buffer->size - std::min(range.from_offset, from.buffer->size);
  }
  if (!Fits(bytes, range.from_offset, from)) {
    return SizeError(*this, "copy", bytes, range.from_offset, *from.buffer);
  }
  if (!Fits(bytes, range.to_offset, to)) {
    return SizeError(*this, "copy", bytes, range.to_offset, *to.buffer);
  }
  const Access accesses[] = {{from.buffer, false, from.sent_version},
                             {to.buffer, true}};
  for (const Access& access : accesses) UsePeerOf(access, *device());
  return core().Submit("copy", accesses, WorkReach::kAnyDevice, [&] {
    return device()->driver().Copy(handle(), AddressOf(to) + range.to_offset,
                                   AddressOf(from) + range.from_offset, bytes,
                                   "copy");
  });
}

absl::Status Stream::Fill(const Access& to, std::uint8_t value) const {
  const Access access = {to.buffer, true};
  return core().Submit("fill", {&access, 1}, WorkReach::kOneDevice, [&] {
    return device()->driver().Fill(handle(), AddressOf(to), value,
                                   to.buffer->size, "fill");
  });
}

absl::Status Stream::CopyFromHost(const Access& to, const void* from,
                                  std::size_t bytes) const {
  if (!Fits(bytes, 0, to)) {
    return SizeError(*this, "copy", bytes, 0, *to.buffer);
  }
  const bool reads_at_once = device()->driver().ReadsAtOnce(from);
  SYNCLINE_RETURN_IF_ERROR(core().Submit(
      "copy from the host",
      WithOwnerOf(from, /*writes_host=*/false, {to.buffer, true},
                  &device()->group()),
      WorkReach::kAnyDevice, [&] {
        return device()->driver().Copy(handle(), AddressOf(to), from, bytes,
                                       "copy from the host");
      }));
  if (reads_at_once) return absl::OkStatus();
  absl::Status is_read = Synchronize();
  // The device was refused an event, or has failed: it may read there until its
  // stream is done.
  if (!is_read.ok()) core().HostWaitForAll().IgnoreError();
  return is_read;
}

absl::Status Stream::CopyToHost(void* to, const Access& from,
                                std::size_t bytes) const {
  if (!Fits(bytes, 0, from)) {
    return SizeError(*this, "copy", bytes, 0, *from.buffer);
  }
  SYNCLINE_RETURN_IF_ERROR(core().Submit(
      "copy to the host",
      WithOwnerOf(to, /*writes_host=*/true,
                  {from.buffer, false, from.sent_version}, &device()->group()),
      WorkReach::kAnyDevice, [&] {
        return device()->driver().Copy(handle(), to, AddressOf(from), bytes,
                                       "copy to the host");
      }));
  absl::Status is_there = Synchronize();
  if (!is_there.ok()) {
    // The device was refused an event, or has failed while the copy ran: it may
    // write there until its stream is done.
    core().HostWaitForAll().IgnoreError();
  }
  return is_there;
}

absl::Status Stream::CallHost(std::function<void()> function) const {
  // What a function holds may use this stream as it is destroyed. So the driver
  // gets a reference, and one that it refuses is destroyed here, after the
  // stream's lock.
  const auto own = std::make_shared<std::function<void()>>(std::move(function));
  return core().Submit("host function", {}, WorkReach::kOneDevice, [&] {
    return device()->driver().CallHost(
        handle(), [own] { std::exchange(*own, nullptr)(); });
  });
}

absl::Status Stream::Check(const char* work,
                           absl::Span<const Access> accesses) const {
  return core().Check(work, accesses, WorkReach::kOneDevice);
}

void Stream::Note(const char* work, absl::Span<const Access> accesses) const {
  core().Note(work, accesses);
}

// --- Order

WorkPoint Stream::Now() const {
  return WorkPoint(shared_->device, {shared_->core, core().Now()});
}

absl::Status Stream::WaitFor(const WorkPoint& point) const {
  if (point.work().stream == nullptr) return absl::OkStatus();
  return core().WaitFor(point.work().stream.get(), point.work().number);
}

absl::Status Stream::WaitFor(const Access& access) const {
  SYNCLINE_RETURN_IF_ERROR(
      CheckReach({&core(), "wait"}, access, WorkReach::kAnyDevice));
  std::vector<PendingWork> pending;
  {
    MutexLock lock(&access.buffer->device->group().mutex);
    for (const AccessNote& note : access.buffer->history.notes()) {
      if (!access.writes && !note.writes) continue;
      pending.push_back({note.stream, note.at.number});
    }
  }
  for (const PendingWork& work : pending) {
    SYNCLINE_RETURN_IF_ERROR(core().WaitFor(work.stream.get(), work.number));
  }
  return absl::OkStatus();
}

absl::StatusOr<DeviceBuffer> Stream::Allocate(std::size_t bytes,
                                              absl::string_view name) const {
  // To be given memory is no work: nobody watches.
  const WorkOwnerScope unwatched(WorkOwnerScope::Current());
  DriverMemory memory;
  SYNCLINE_RETURN_IF_ERROR(core().Submit(
      "allocate", {}, WorkReach::kOneDevice, [&]() -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(
            memory, device()->driver().TakeMemoryAsync(handle(), bytes, name));
        return absl::OkStatus();
      }));
  device()->Add(Device::Count::kAllocation);
  return DeviceBuffer::HandOut(device(),
                               std::make_shared<StreamItself>(shared_->core),
                               memory, bytes, name, &core(), {});
}

}  // namespace syncline::gpu
