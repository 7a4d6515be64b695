#include "gpu/stand_in/stand_in_driver.h"

#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/misuse.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "gpu/stand_in/device_memory.h"
#include "gpu/stand_in/work_queues.h"

namespace syncline::gpu {

struct StandInDriver::Stream {
  Stream(WorkQueues* all_queues, StreamOptions stream_options)
      : queues(all_queues), options(stream_options) {}
  ~Stream() {
    if (queue != nullptr) queues->DropQueue(queue);
  }
  bool waits_for_default() const { return (options.flags & 1u) == 0; }

  WorkQueues* const queues;
  const StreamOptions options;
  WorkQueues::Queue* queue = nullptr;
  // Of stream-ordered memory whose end was submitted and has not come.
  std::atomic<std::size_t> returning_bytes{0};
};

// The end of stream-ordered memory. Comes also when the work is dropped: a
// device in error needs no memory.
struct StandInDriver::MemoryEnd {
  MemoryEnd(std::shared_ptr<Stream> of_stream,
            std::shared_ptr<StandInAccounts> all_accounts,
            std::shared_ptr<DeviceMemory> ended)
      : stream(std::move(of_stream)),
        accounts(std::move(all_accounts)),
        memory(std::move(ended)) {}
  ~MemoryEnd() {
    stream->returning_bytes.fetch_sub(memory->size());
    accounts->GiveBack(memory->device(), memory->size());
  }

  const std::shared_ptr<Stream> stream;
  const std::shared_ptr<StandInAccounts> accounts;
  const std::shared_ptr<DeviceMemory> memory;
};

namespace {

struct Event {
  const StandIn* stand_in;
  bool has_time;
  Mutex mutex;
  // The newest one; null before the first.
  std::shared_ptr<Recording> recording ABSL_GUARDED_BY(mutex);

  std::shared_ptr<Recording> Newest() {
    MutexLock lock(&mutex);
    return recording;
  }
};

// An address in memory that is open while the object exists.
class OpenPlace {
 public:
  OpenPlace(std::shared_ptr<DeviceMemory> memory, std::byte* address,
            bool may_write)
      : memory_(std::move(memory)), may_write_(may_write), address_(address) {
    if (memory_ == nullptr) return;
    const auto offset = static_cast<std::size_t>(address - memory_->data());
    address_ = memory_->OpenView(may_write_, offset);
  }
  ~OpenPlace() {
    if (memory_ != nullptr) memory_->CloseView(may_write_);
  }
  OpenPlace(OpenPlace&& other) noexcept
      : memory_(std::move(other.memory_)),
        may_write_(other.may_write_),
        address_(other.address_) {}
  OpenPlace& operator=(OpenPlace&&) = delete;

  std::byte* address() const { return address_; }

 private:
  std::shared_ptr<DeviceMemory> memory_;
  const bool may_write_;
  std::byte* address_;
};

// A launch with all that it points to.
struct OwnLaunch {
  Kernel kernel;
  std::int64_t count;
  std::vector<KernelBuffer> buffers;
  std::vector<std::shared_ptr<DeviceMemory>> memory;  // one for each buffer
  // Aligned for any struct of parameters.
  std::vector<std::max_align_t> parameters;
  std::size_t parameters_size;
};

void CallKernel(const OwnLaunch& own) {
  std::vector<OpenPlace> open;
  open.reserve(own.buffers.size());
  std::vector<KernelBuffer> buffers = own.buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    open.emplace_back(own.memory[i], static_cast<std::byte*>(buffers[i].data),
                      buffers[i].may_write);
    buffers[i].data = open.back().address();
  }
  KernelLaunch launch;
  launch.count = own.count;
  launch.buffers = buffers.data();
  launch.num_buffers = static_cast<int>(buffers.size());
  if (own.parameters_size > 0) launch.parameters = own.parameters.data();
  launch.parameters_size = own.parameters_size;
  own.kernel.stand_in(launch);
}

// Calls and destroys the function on the thread that runs the work.
struct HostFunction {
  std::function<void()> function;
};

}  // namespace

StandInDriver::StandInDriver(std::shared_ptr<StandIn> stand_in, int device)
    : stand_in_(std::move(stand_in)),
      device_(device),
      name_(absl::StrCat("stand_in:", device)) {
  info_.index = device;
  info_.name = "stand-in on the host";
  info_.memory_bytes =
      static_cast<std::int64_t>(stand_in_->options().memory_bytes);
}

StandInDriver::~StandInDriver() {
  std::map<StreamHandle, std::shared_ptr<Stream>> streams;
  {
    MutexLock lock(&mutex_);
    streams.swap(streams_);
    if (default_stream_ != nullptr) {
      streams[nullptr] = std::move(default_stream_);
    }
  }
  for (const auto& [handle, stream] : streams) {
    stand_in_->queues().HostWaitFor(stream->queue).IgnoreError();
  }
}

// --- Memory

int StandInDriver::AccountOf(MemoryStorageType kind) const {
  return kind == MemoryStorageType::kHost ? StandInAccounts::kPinned : device_;
}

absl::StatusOr<DriverMemory> StandInDriver::MapMemory(MemoryStorageType kind,
                                                      std::size_t bytes,
                                                      absl::string_view name,
                                                      std::size_t returning) {
  const std::string text =
      absl::StrCat("buffer \"", name, "\" (", bytes, " bytes) of ", name_);
  SYNCLINE_RETURN_IF_ERROR(stand_in_->queues().Health(device_));
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->BeginCall(StandInCall::kTakeMemory));
  if (bytes == 0 || kind == MemoryStorageType::kSystem) {
    return absl::InvalidArgumentError(absl::StrCat(
        name_, " gives no ", MemoryStorageTypeName(kind), " memory for ", text,
        ": ask for host, device or managed memory, and for one byte or more"));
  }
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->Take(AccountOf(kind), bytes, returning))
          .SetPrepend()
      << "no memory for " << text << ": ";
  absl::StatusOr<std::shared_ptr<DeviceMemory>> memory =
      DeviceMemory::Make(kind, bytes, device_, text);
  if (!memory.ok()) {
    stand_in_->accounts()->GiveBack(AccountOf(kind), bytes);
    return memory.status();
  }
  MutexLock lock(&mutex_);
  memory_[(*memory)->data()] = *memory;
  return DriverMemory{(*memory)->data(), bytes, kind};
}

std::shared_ptr<DeviceMemory> StandInDriver::RemoveMemory(std::byte* data) {
  MutexLock lock(&mutex_);
  const auto found = memory_.find(data);
  if (found == memory_.end()) return nullptr;
  std::shared_ptr<DeviceMemory> removed = std::move(found->second);
  memory_.erase(found);
  removed->GiveBack();
  return removed;
}

absl::StatusOr<DriverMemory> StandInDriver::TakeMemory(MemoryStorageType kind,
                                                       std::size_t bytes,
                                                       absl::string_view name) {
  return MapMemory(kind, bytes, name, 0);
}

void StandInDriver::GiveMemoryBack(const DriverMemory& memory) {
  const std::shared_ptr<DeviceMemory> found = RemoveMemory(memory.data);
  if (found == nullptr) return;
  stand_in_->accounts()->GiveBack(AccountOf(found->kind()), found->size());
}

absl::StatusOr<DriverMemory> StandInDriver::TakeMemoryAsync(
    StreamHandle stream, std::size_t bytes, absl::string_view name) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<Stream> found,
                            FindStream(stream));
  return MapMemory(MemoryStorageType::kDevice, bytes, name,
                   found->returning_bytes.load());
}

absl::Status StandInDriver::GiveMemoryBackAsync(StreamHandle stream,
                                                const DriverMemory& memory) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<Stream> found_stream,
                            FindStream(stream));
  std::shared_ptr<DeviceMemory> found = RemoveMemory(memory.data);
  if (found == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        name_,
        ": memory is given back that is none of it, or was given back "
        "before"));
  }
  found_stream->returning_bytes.fetch_add(found->size());
  auto end = std::make_shared<MemoryEnd>(found_stream, stand_in_->accounts(),
                                         std::move(found));
  return Submit(stream, {.name = "free", .run = [end = std::move(end)] {
                           return absl::OkStatus();
                         }});
}

absl::StatusOr<StandInDriver::Place> StandInDriver::FindPlace(
    const void* address, std::size_t bytes, absl::string_view name) const {
  Place place;
  place.address = static_cast<std::byte*>(const_cast<void*>(address));
  place.memory = DeviceMemory::Find(address);
  if (place.memory == nullptr) return place;
  if (place.memory->is_given_back()) {
    return absl::InvalidArgumentError(
        absl::StrCat(name_, ": \"", name, "\" uses ", place.memory->text(),
                     ", which was given back"));
  }
  if (bytes > place.memory->size() - place.offset()) {
    return absl::InvalidArgumentError(absl::StrCat(
        name_, ": \"", name, "\" uses ", bytes, " bytes from byte ",
        place.offset(), " of ", place.memory->text(), ", which is shorter"));
  }
  return place;
}

// --- Streams

absl::StatusOr<std::shared_ptr<StandInDriver::Stream>> StandInDriver::AddStream(
    const StreamOptions& options) {
  auto stream = std::make_shared<Stream>(&stand_in_->queues(), options);
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->queues().AddQueue(device_, options.priority, &stream->queue));
  return stream;
}

absl::StatusOr<StreamHandle> StandInDriver::MakeStream(
    const StreamOptions& options) {
  SYNCLINE_RETURN_IF_ERROR(Health());
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->BeginCall(StandInCall::kMakeStream));
  SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<Stream> stream, AddStream(options));
  const StreamHandle handle = stream.get();
  MutexLock lock(&mutex_);
  streams_[handle] = std::move(stream);
  return handle;
}

void StandInDriver::DropStream(StreamHandle stream) {
  std::shared_ptr<Stream> dropped;
  MutexLock lock(&mutex_);
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return;
  dropped = std::move(found->second);
  streams_.erase(found);
}

absl::StatusOr<std::shared_ptr<StandInDriver::Stream>>
StandInDriver::DefaultStream() {
  {
    MutexLock lock(&mutex_);
    if (default_stream_ != nullptr) return default_stream_;
  }
  SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<Stream> stream, AddStream({}));
  MutexLock lock(&mutex_);
  if (default_stream_ == nullptr) default_stream_ = std::move(stream);
  return default_stream_;
}

absl::StatusOr<std::shared_ptr<StandInDriver::Stream>>
StandInDriver::FindStream(StreamHandle handle) {
  if (handle == nullptr) return DefaultStream();
  MutexLock lock(&mutex_);
  const auto found = streams_.find(handle);
  if (found != streams_.end()) return found->second;
  return absl::InvalidArgumentError(
      absl::StrCat(name_,
                   " has no such stream: it was destroyed, or is one "
                   "of another device"));
}

absl::Status StandInDriver::WaitForAllOf(Stream* waiter, Stream* other) {
  auto recording = std::make_shared<Recording>();
  SYNCLINE_RETURN_IF_ERROR(stand_in_->queues().Submit(
      other->queue, {.name = "record", .records = recording}));
  return stand_in_->queues().Submit(
      waiter->queue, {.name = "wait", .after = std::move(recording)});
}

absl::Status StandInDriver::FollowDefaultRule(
    const std::shared_ptr<Stream>& stream) {
  std::shared_ptr<Stream> default_stream;
  std::vector<std::shared_ptr<Stream>> others;
  {
    MutexLock lock(&mutex_);
    default_stream = default_stream_;
    for (const auto& [handle, other] : streams_) {
      if (stream == default_stream && other->waits_for_default()) {
        others.push_back(other);
      }
    }
  }
  if (default_stream == nullptr) return absl::OkStatus();
  if (stream != default_stream && stream->waits_for_default()) {
    return WaitForAllOf(stream.get(), default_stream.get());
  }
  for (const std::shared_ptr<Stream>& other : others) {
    SYNCLINE_RETURN_IF_ERROR(WaitForAllOf(stream.get(), other.get()));
  }
  return absl::OkStatus();
}

absl::Status StandInDriver::Submit(StreamHandle handle, Work work) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<Stream> stream,
                            FindStream(handle));
  SYNCLINE_RETURN_IF_ERROR(FollowDefaultRule(stream));
  return stand_in_->queues().Submit(stream->queue, std::move(work));
}

// --- Work

absl::Status StandInDriver::Copy(StreamHandle stream, void* to,
                                 const void* from, std::size_t bytes,
                                 absl::string_view name) {
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->BeginCall(StandInCall::kCopy));
  SYNCLINE_ASSIGN_OR_RETURN(Place target, FindPlace(to, bytes, name));
  SYNCLINE_ASSIGN_OR_RETURN(Place source, FindPlace(from, bytes, name));
  // Memory of the host is the caller's again when this returns.
  std::shared_ptr<std::vector<std::byte>> staged;
  if (source.memory == nullptr) {
    staged = std::make_shared<std::vector<std::byte>>(source.address,
                                                      source.address + bytes);
    source.address = staged->data();
  }
  return Submit(
      stream,
      {.name = std::string(name), .run = [target, source, bytes, staged] {
         const OpenPlace in(source.memory, source.address, false);
         const OpenPlace out(target.memory, target.address, true);
         std::memmove(out.address(), in.address(), bytes);
         return absl::OkStatus();
       }});
}

absl::Status StandInDriver::Fill(StreamHandle stream, void* to,
                                 std::uint8_t value, std::size_t bytes,
                                 absl::string_view name) {
  SYNCLINE_ASSIGN_OR_RETURN(Place target, FindPlace(to, bytes, name));
  return Submit(stream,
                {.name = std::string(name), .run = [target, value, bytes] {
                   const OpenPlace out(target.memory, target.address, true);
                   std::memset(out.address(), value, bytes);
                   return absl::OkStatus();
                 }});
}

absl::Status StandInDriver::Launch(StreamHandle stream, const Kernel& kernel,
                                   const KernelLaunch& launch) {
  if (kernel.stand_in == nullptr) {
    return absl::UnimplementedError(
        absl::StrCat(name_, ": the kernel \"", kernel.name,
                     "\" has no form for the stand-in"));
  }
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->BeginCall(StandInCall::kLaunch));
  auto own = std::make_shared<OwnLaunch>();
  own->kernel = kernel;
  own->count = launch.count;
  own->buffers.assign(launch.buffers, launch.buffers + launch.num_buffers);
  for (const KernelBuffer& buffer : own->buffers) {
    SYNCLINE_ASSIGN_OR_RETURN(Place place,
                              FindPlace(buffer.data, buffer.size, kernel.name));
    if (place.memory != nullptr &&
        place.memory->kind() == MemoryStorageType::kDevice &&
        place.memory->device() != device_) {
      return absl::InvalidArgumentError(absl::StrCat(
          name_, ": the kernel \"", kernel.name, "\" uses ",
          place.memory->text(), ", which is another device: copy it first"));
    }
    own->memory.push_back(std::move(place.memory));
  }
  own->parameters_size = launch.parameters_size;
  own->parameters.resize(launch.parameters_size / sizeof(std::max_align_t) + 1);
  if (launch.parameters_size > 0) {
    std::memcpy(own->parameters.data(), launch.parameters,
                launch.parameters_size);
  }
  return Submit(
      stream, {.name = kernel.name,
               .run = [own = std::move(own), accounts = stand_in_->accounts(),
                       name = name_] {
                 if (accounts->KernelFails()) {
                   return absl::InternalError(absl::StrCat(
                       name, ": the kernel \"", own->kernel.name, "\" failed"));
                 }
                 const absl::Status status =
                     CallUserCode([&] { CallKernel(*own); });
                 if (status.ok()) return status;
                 return absl::InternalError(
                     absl::StrCat(name, ": the kernel \"", own->kernel.name,
                                  "\" failed: ", status.message()));
               }});
}

absl::Status StandInDriver::CallHost(StreamHandle stream,
                                     std::function<void()> function) {
  // The stream's work may be copied; the function is called at most once.
  auto own = std::make_shared<HostFunction>(HostFunction{std::move(function)});
  return Submit(stream,
                {.name = "host function", .run = [own = std::move(own)] {
                   return CallUserCode(own->function);
                 }});
}

// --- Events

absl::StatusOr<EventHandle> StandInDriver::MakeEvent(bool has_time) {
  SYNCLINE_RETURN_IF_ERROR(Health());
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->BeginCall(StandInCall::kMakeEvent));
  auto* const event = new Event;
  event->stand_in = stand_in_.get();
  event->has_time = has_time;
  return static_cast<EventHandle>(event);
}

void StandInDriver::DropEvent(EventHandle event) {
  delete static_cast<Event*>(event);
}

absl::Status StandInDriver::Record(EventHandle event, StreamHandle stream) {
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->BeginCall(StandInCall::kRecord));
  auto recording = std::make_shared<Recording>();
  SYNCLINE_RETURN_IF_ERROR(
      Submit(stream, {.name = "record", .records = recording}));
  auto* const recorded = static_cast<Event*>(event);
  MutexLock lock(&recorded->mutex);
  recorded->recording = std::move(recording);
  return absl::OkStatus();
}

absl::Status StandInDriver::WaitFor(StreamHandle stream, EventHandle event) {
  auto* const awaited = static_cast<Event*>(event);
  if (awaited->stand_in != stand_in_.get()) {
    return absl::InvalidArgumentError(
        absl::StrCat(name_, ": the event is one of other devices"));
  }
  std::shared_ptr<Recording> recording = awaited->Newest();
  if (recording == nullptr) return absl::OkStatus();
  return Submit(stream, {.name = "wait", .after = std::move(recording)});
}

absl::StatusOr<bool> StandInDriver::HasEnded(EventHandle event) {
  const std::shared_ptr<Recording> recording =
      static_cast<Event*>(event)->Newest();
  if (recording == nullptr) return true;
  bool has_ended = false;
  SYNCLINE_RETURN_IF_ERROR(stand_in_->queues().HasEnded(recording, &has_ended));
  return has_ended;
}

absl::StatusOr<std::int64_t> StandInDriver::NanosecondsBetween(
    EventHandle begin, EventHandle end) {
  auto* const first = static_cast<Event*>(begin);
  auto* const second = static_cast<Event*>(end);
  SYNCLINE_ASSIGN_OR_RETURN(const bool has_begun, HasEnded(begin));
  SYNCLINE_ASSIGN_OR_RETURN(const bool has_ended, HasEnded(end));
  const std::shared_ptr<Recording> from = first->Newest();
  const std::shared_ptr<Recording> to = second->Newest();
  if (!first->has_time || !second->has_time || !has_begun || !has_ended ||
      from == nullptr || to == nullptr) {
    return absl::FailedPreconditionError(absl::StrCat(
        name_,
        ": no time between these events: both have to be made with "
        "has_time, recorded and ended"));
  }
  return WorkQueues::Nanoseconds(*from, *to);
}

absl::Status StandInDriver::HostWaitForEvent(EventHandle event) {
  const std::shared_ptr<Recording> recording =
      static_cast<Event*>(event)->Newest();
  if (recording == nullptr) return absl::OkStatus();
  return stand_in_->queues().HostWaitFor(recording);
}

absl::Status StandInDriver::HostWaitForStream(StreamHandle stream) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<Stream> found,
                            FindStream(stream));
  return stand_in_->queues().HostWaitFor(found->queue);
}

absl::Status StandInDriver::Health() {
  return stand_in_->queues().Health(device_);
}

}  // namespace syncline::gpu
