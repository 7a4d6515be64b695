#include "gpu/device_memory.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"
#include "framework/base/status_macros.h"
#include "gpu/find_device.h"
#include "gpu/notice_thread.h"
#include "gpu/stream_core.h"

namespace syncline::gpu {
namespace {

// An error of a device is the end of its work; a refused event is not.
void HostWaitForAllOf(const std::vector<PendingWork>& works) {
  for (const PendingWork& work : works) {
    if (work.stream->HostWait(work.number).ok()) continue;
    work.stream->HostWaitForAll().IgnoreError();
  }
}

// Work that is pending on memory of a source.
class PendingWorks : public PendingUse {
 public:
  PendingWorks(std::shared_ptr<Device> device, std::shared_ptr<Notices> notices,
               std::vector<PendingWork> works)
      : device_(std::move(device)),
        notices_(std::move(notices)),
        works_(std::move(works)) {}

  const std::vector<PendingWork>& works() const { return works_; }

  bool IsOver(const MemoryUser* user) const override {
    const auto* const stream_user = dynamic_cast<const StreamUser*>(user);
    return std::all_of(
        works_.begin(), works_.end(), [&](const PendingWork& work) {
          return stream_user == nullptr ? work.stream->IsOver(work.number)
                                        : stream_user->stream().core().IsAfter(
                                              *work.stream, work.number);
        });
  }

  void HostWait() const override { HostWaitForAllOf(works_); }

  bool CallWhenOver(std::function<void()> over) const override {
    if (IsOver(nullptr)) return false;
    std::vector<WorkPoint> points;
    for (const PendingWork& work : works_) {
      points.emplace_back(
          std::shared_ptr<Device>(device_, &work.stream->device()), work);
    }
    if (notices_->CallWhenOver(points, over).ok()) return true;
    // The driver refuses a stream or an event, and whoever waits for memory
    // must hear of it all the same.
    NoticeThread::PostAfter(
        [device = device_, works = works_] { HostWaitForAllOf(works); },
        std::move(over));
    return true;
  }

  std::string ToText() const override {
    return absl::StrJoin(works_, " and ",
                         [](std::string* text, const PendingWork& work) {
                           absl::StrAppend(text, work.stream->ToText());
                         });
  }

 private:
  // Destroyed last: the streams are of its group.
  const std::shared_ptr<Device> device_;
  const std::shared_ptr<Notices> notices_;
  const std::vector<PendingWork> works_;
};

// The scopes, the innermost last.
struct Scopes {
  Mutex mutex;
  std::vector<std::pair<const MemoryDevicesScope*, FindMemoryDevice>> scopes
      ABSL_GUARDED_BY(mutex);
};

Scopes& TheScopes() {
  static NoDestructor<Scopes> scopes;
  return *scopes;
}

FindMemoryDevice ByPlace(std::vector<std::shared_ptr<Device>> devices) {
  return [devices = std::move(devices)](absl::optional<int> dev_id)
             -> absl::StatusOr<std::shared_ptr<Device>> {
    const int number = dev_id.value_or(0);
    const auto place = static_cast<std::size_t>(number);
    if (number >= 0 && place < devices.size()) return devices[place];
    return absl::NotFoundError(absl::StrCat(
        "there is no device ", number, " among the ", devices.size(),
        " of this program. Give dev_id the number of one of them."));
  };
}

absl::StatusOr<std::shared_ptr<Device>> FindByName(absl::optional<int> dev_id) {
  SYNCLINE_ASSIGN_OR_RETURN(FoundDevice found, FindDevice(""));
  if (!dev_id.has_value()) return found.device;
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(found.device->name(), absl::MaxSplits(':', 1));
  SYNCLINE_ASSIGN_OR_RETURN(
      FoundDevice other, FindDevice(absl::StrCat(parts.first, ":", *dev_id)));
  return other.device;
}

const DeviceMemorySourcesRegistration kDeviceMemory(
    [](MemoryStorageType type, absl::optional<int> dev_id)
        -> absl::StatusOr<std::shared_ptr<MemorySource>> {
      SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<Device> device,
                                MemoryDevice(dev_id));
      return std::make_shared<DeviceMemorySource>(std::move(device), type);
    });

}  // namespace

// --- Which device

MemoryDevicesScope::MemoryDevicesScope(FindMemoryDevice find) {
  MutexLock lock(&TheScopes().mutex);
  TheScopes().scopes.emplace_back(this, std::move(find));
}

MemoryDevicesScope::MemoryDevicesScope(
    std::vector<std::shared_ptr<Device>> devices)
    : MemoryDevicesScope(ByPlace(std::move(devices))) {}

MemoryDevicesScope::~MemoryDevicesScope() {
  FindMemoryDevice find;  // may have the last of the devices
  MutexLock lock(&TheScopes().mutex);
  auto& scopes = TheScopes().scopes;
  const auto at =
      std::find_if(scopes.begin(), scopes.end(),
                   [this](const auto& scope) { return scope.first == this; });
  find = std::move(at->second);
  scopes.erase(at);
}

absl::StatusOr<std::shared_ptr<Device>> MemoryDevice(
    absl::optional<int> dev_id) {
  FindMemoryDevice find = FindByName;
  {
    MutexLock lock(&TheScopes().mutex);
    if (!TheScopes().scopes.empty()) find = TheScopes().scopes.back().second;
  }
  return find(dev_id);
}

// --- DeviceMemorySource

absl::StatusOr<std::byte*> DeviceMemorySource::Take(std::size_t bytes,
                                                    absl::string_view name) {
  SYNCLINE_ASSIGN_OR_RETURN(const DriverMemory memory,
                            device_->TakeMemory(type_, bytes, name));
  return memory.data;
}

void DeviceMemorySource::GiveBack(std::byte* data, std::size_t bytes,
                                  std::shared_ptr<PendingUse> pending) {
  device_->TakeMemoryBack({.data = data, .size = bytes, .storage_type = type_},
                          WorkOf(pending.get()));
}

std::shared_ptr<PendingUse> DeviceMemorySource::MakePending(
    std::vector<PendingWork> pending) const {
  if (pending.empty()) return nullptr;
  return std::make_shared<PendingWorks>(device_, notices_, std::move(pending));
}

std::vector<PendingWork> WorkOf(const PendingUse* pending) {
  const auto* const works = dynamic_cast<const PendingWorks*>(pending);
  if (works == nullptr) return {};
  return works->works();
}

}  // namespace syncline::gpu
