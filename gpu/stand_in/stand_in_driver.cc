#include "gpu/stand_in/stand_in_driver.h"

#include <cstring>
#include <map>
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
#include "gpu/kernel_check.h"
#include "gpu/stand_in/accounts.h"
#include "gpu/stand_in/device_memory.h"
#include "gpu/stand_in/kernel_call.h"
#include "gpu/stand_in/stand_in_stream.h"
#include "gpu/stand_in/work_queues.h"
#include "gpu/submission.h"

namespace syncline::gpu {

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

// Calls and destroys the function on the thread that runs the work.
struct HostFunction {
  std::function<void()> function;
};

// The error of work that failed. `given` says who gave it to which stream; ""
// if nobody knows.
absl::Status WorkError(absl::string_view work, absl::string_view given,
                       absl::string_view why) {
  std::string text = absl::StrCat(work, " failed");
  if (!why.empty()) absl::StrAppend(&text, ": ", why);
  if (!given.empty()) absl::StrAppend(&text, "; ", given);
  return absl::InternalError(text);
}

std::string GivenText() {
  const Submission* const submission = Submission::Current();
  return submission == nullptr ? "" : submission->ToText();
}

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
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->BeginCall(StandInCall::kGiveMemoryBackAsync));
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

absl::Status StandInDriver::CheckNear(const Place& place,
                                      absl::string_view kernel) const {
  if (place.memory == nullptr || place.memory->device() == device_ ||
      place.memory->kind() != MemoryStorageType::kDevice) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      name_, ": the kernel \"", kernel, "\" uses ", place.memory->text(),
      ", which is another device: copy it first"));
}

// --- Work

absl::Status StandInDriver::Copy(StreamHandle stream, void* to,
                                 const void* from, std::size_t bytes,
                                 absl::string_view name) {
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->BeginCall(StandInCall::kCopy));
  SYNCLINE_ASSIGN_OR_RETURN(Place target, FindPlace(to, bytes, name));
  SYNCLINE_ASSIGN_OR_RETURN(Place source, FindPlace(from, bytes, name));
  // As ReadsAtOnce() says.
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

// Memory that no stand-in gave is copied in the call, as CUDA does.
bool StandInDriver::ReadsAtOnce(const void* from) {
  return DeviceMemory::Find(from) == nullptr;
}

absl::Status StandInDriver::Fill(StreamHandle stream, void* to,
                                 std::uint8_t value, std::size_t bytes,
                                 absl::string_view name) {
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->BeginCall(StandInCall::kFill));
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
  SYNCLINE_RETURN_IF_ERROR(
      CheckLaunch(name_, kernel, kernel.stand_in != nullptr, launch));
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->BeginCall(StandInCall::kLaunch));
  std::vector<std::shared_ptr<DeviceMemory>> memory;
  for (int i = 0; i < launch.num_buffers; ++i) {
    const KernelBuffer& buffer = launch.buffers[i];
    SYNCLINE_ASSIGN_OR_RETURN(Place place,
                              FindPlace(buffer.data, buffer.size, kernel.name));
    SYNCLINE_RETURN_IF_ERROR(CheckNear(place, kernel.name));
    memory.push_back(std::move(place.memory));
  }
  auto call =
      std::make_shared<const KernelCall>(kernel, launch, std::move(memory));
  return Submit(
      stream,
      {.name = kernel.name,
       .run = [call = std::move(call), accounts = stand_in_->accounts(),
               work = absl::StrCat(name_, ": the kernel \"", kernel.name, "\""),
               given = GivenText()] {
         if (accounts->KernelFails()) return WorkError(work, given, "");
         const absl::Status status = CallUserCode([&] { call->Call(); });
         if (status.ok()) return status;
         return WorkError(work, given, status.message());
       }});
}

absl::Status StandInDriver::CallHost(StreamHandle stream,
                                     std::function<void()> function) {
  // The stream's work may be copied; the function is called at most once.
  auto own = std::make_shared<HostFunction>(HostFunction{std::move(function)});
  SYNCLINE_RETURN_IF_ERROR(
      stand_in_->accounts()->BeginCall(StandInCall::kCallHost));
  return Submit(stream, {.name = "host function",
                         .run =
                             [own = std::move(own),
                              work = absl::StrCat(name_, ": a host function"),
                              given = GivenText()] {
                               const absl::Status status =
                                   CallUserCode(own->function);
                               if (status.ok()) return status;
                               return WorkError(work, given, status.message());
                             },
                         .is_host_function = true});
}

}  // namespace syncline::gpu
