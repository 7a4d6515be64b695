// Makes the texts of devices.h.

#include "gpu/devices.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "gpu/device_list.h"

namespace syncline::gpu {
namespace {

std::string VersionText(int version) {
  return absl::StrCat(version / 1000, ".", version % 1000 / 10);
}

std::string DeviceText(const DeviceInfo& device) {
  constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;
  return absl::StrFormat("%d \"%s\" (compute %d.%d, %.1f GiB)", device.index,
                         device.name, device.compute_major,
                         device.compute_minor,
                         static_cast<double>(device.memory_bytes) / kGibibyte);
}

}  // namespace

bool BuiltWithCuda() { return internal::BuiltWithCuda(); }

absl::StatusOr<DeviceList> ListDevices() { return internal::QueryDevices(); }

std::string DescribeDevices() { return DescribeDevices(ListDevices()); }

std::string DescribeDevices(const absl::StatusOr<DeviceList>& list) {
  if (!list.ok()) {
    return absl::StrCat("no CUDA device: ", list.status().message());
  }
  const auto text = [](std::string* out, const DeviceInfo& device) {
    out->append(DeviceText(device));
  };
  const size_t count = list->devices.size();
  return absl::StrCat(count, count == 1 ? " CUDA device: " : " CUDA devices: ",
                      absl::StrJoin(list->devices, ", ", text),
                      "; CUDA runtime ", VersionText(list->runtime_version),
                      ", driver ", VersionText(list->driver_version));
}

}  // namespace syncline::gpu
