#include "gpu/find_device.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"
#include "framework/base/status_macros.h"

namespace syncline::gpu {
namespace {

using Devices = std::vector<std::shared_ptr<Device>>;

// A kind, and its devices as long as somebody uses one.
struct KnownKind {
  explicit KnownKind(DeviceKind known) : kind(std::move(known)) {}

  const DeviceKind kind;
  // Held while the devices are made, so that they are made once.
  Mutex mutex;
  std::vector<std::weak_ptr<Device>> devices ABSL_GUARDED_BY(mutex);
};

class KindTable {
 public:
  void Add(DeviceKind kind) {
    auto known = std::make_shared<KnownKind>(std::move(kind));
    MutexLock lock(&mutex_);
    const auto after = std::find_if(
        kinds_.begin(), kinds_.end(),
        [&](const auto& other) { return other->kind.rank > known->kind.rank; });
    kinds_.insert(after, std::move(known));
  }
  void Remove(absl::string_view name) {
    MutexLock lock(&mutex_);
    std::erase_if(kinds_, [&](const auto& k) { return k->kind.name == name; });
  }
  // The preferred ones first.
  std::vector<std::shared_ptr<KnownKind>> All() const {
    MutexLock lock(&mutex_);
    return kinds_;
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::shared_ptr<KnownKind>> kinds_ ABSL_GUARDED_BY(mutex_);
};

KindTable& Kinds() {
  static NoDestructor<KindTable> table;
  return *table;
}

absl::StatusOr<Devices> DevicesOf(KnownKind* known) {
  MutexLock lock(&known->mutex);
  Devices devices;
  for (const std::weak_ptr<Device>& device : known->devices) {
    devices.push_back(device.lock());
  }
  // One is alive as long as all are.
  if (!devices.empty() && devices.front() != nullptr) return devices;
  SYNCLINE_ASSIGN_OR_RETURN(auto drivers, known->kind.open());
  devices = DeviceGroup::Make(std::move(drivers), known->kind.check_access);
  known->devices.assign(devices.begin(), devices.end());
  return devices;
}

std::string NamesText() {
  const std::vector<std::string> names = ListDeviceNames();
  if (names.empty()) return "There are no devices.";
  return absl::StrCat("Devices are: ", absl::StrJoin(names, ", "), ".");
}

std::string DeviceText(const Device& device) {
  return absl::StrCat("Device ", device.name(), " \"", device.info().name,
                      "\"");
}

absl::StatusOr<FoundDevice> FindDefault() {
  std::string reasons;
  for (const auto& known : Kinds().All()) {
    const absl::StatusOr<Devices> devices = DevicesOf(known.get());
    if (devices.ok() && !devices->empty()) {
      return FoundDevice{
          devices->front(),
          absl::StrCat(DeviceText(*devices->front()),
                       reasons.empty() ? ", the first choice" : reasons, ".")};
    }
    absl::StrAppend(
        &reasons, reasons.empty() ? ", since " : "; ", known->kind.name,
        " has none: ", devices.ok() ? "no device" : devices.status().message());
  }
  return absl::NotFoundError(
      absl::StrCat("There is no device", reasons,
                   reasons.empty() ? ": no kind of device is linked in" : ""));
}

}  // namespace

DeviceKindRegistration::DeviceKindRegistration(DeviceKind kind)
    : name_(kind.name) {
  Kinds().Add(std::move(kind));
}

DeviceKindRegistration::~DeviceKindRegistration() { Kinds().Remove(name_); }

absl::StatusOr<FoundDevice> FindDevice(absl::string_view name) {
  if (name.empty() || name == "auto") return FindDefault();
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(name, absl::MaxSplits(':', 1));
  const bool has_number = name.find(':') != absl::string_view::npos;
  int number = 0;
  if (has_number && (!absl::SimpleAtoi(parts.second, &number) || number < 0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", name, "\" is no name of a device: after \"",
                     parts.first, ":\" comes its number. ", NamesText()));
  }
  for (const auto& known : Kinds().All()) {
    if (known->kind.name != parts.first) continue;
    SYNCLINE_ASSIGN_OR_RETURN(
        const Devices devices, DevicesOf(known.get()),
        _.SetPrepend() << "Device \"" << name << "\" cannot be used: ");
    if (static_cast<std::size_t>(number) < devices.size()) {
      const auto& device = devices[static_cast<std::size_t>(number)];
      return FoundDevice{device,
                         absl::StrCat(DeviceText(*device), ", as asked for.")};
    }
  }
  return absl::NotFoundError(
      absl::StrCat("There is no device \"", name, "\". ", NamesText()));
}

std::vector<std::string> ListDeviceNames() {
  std::vector<std::string> names;
  for (const auto& known : Kinds().All()) {
    const absl::StatusOr<Devices> devices = DevicesOf(known.get());
    if (!devices.ok()) continue;
    for (const auto& device : *devices) names.emplace_back(device->name());
  }
  return names;
}

}  // namespace syncline::gpu
