#include "gpu/device_service.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "glog/logging.h"
#include "gpu/cuda_stream_pool.pb.h"
#include "gpu/find_device.h"

namespace syncline::gpu {
namespace {

// Of "stand_in:1", "stand_in".
std::string KindOf(const Device& device) {
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(device.name(), absl::MaxSplits(':', 1));
  return parts.first;
}

}  // namespace

DeviceContext::DeviceContext(std::shared_ptr<Device> device,
                             absl::Status reason, std::string text, Finder find)
    : device_(std::move(device)),
      reason_(std::move(reason)),
      text_(std::move(text)),
      find_(std::move(find)) {}

absl::StatusOr<std::shared_ptr<DeviceContext>> DeviceContext::Create() {
  absl::StatusOr<std::shared_ptr<DeviceContext>> context = Create("");
  if (absl::IsNotFound(context.status())) {
    context = MakeWithoutDevice(context.status());
  }
  if (context.ok()) LOG(INFO) << (*context)->text();
  return context;
}

absl::StatusOr<std::shared_ptr<DeviceContext>> DeviceContext::Create(
    absl::string_view device_name) {
  SYNCLINE_ASSIGN_OR_RETURN(FoundDevice found, FindDevice(device_name));
  const auto find = [kind = KindOf(*found.device)](
                        int number) -> absl::StatusOr<std::shared_ptr<Device>> {
    SYNCLINE_ASSIGN_OR_RETURN(FoundDevice other,
                              FindDevice(absl::StrCat(kind, ":", number)));
    return other.device;
  };
  return std::shared_ptr<DeviceContext>(new DeviceContext(
      std::move(found.device), absl::OkStatus(), std::move(found.text), find));
}

std::shared_ptr<DeviceContext> DeviceContext::Make(
    std::vector<std::shared_ptr<Device>> devices) {
  std::shared_ptr<Device> first = devices.at(0);
  std::string text = absl::StrCat("Device ", first->name(), " \"",
                                  first->info().name, "\", as given.");
  const auto find = [devices = std::move(devices)](
                        int number) -> absl::StatusOr<std::shared_ptr<Device>> {
    const auto place = static_cast<std::size_t>(number);
    if (number >= 0 && place < devices.size()) return devices[place];
    return absl::NotFoundError(absl::StrCat("There is no device ", number,
                                            " among the ", devices.size(),
                                            " that this graph was given."));
  };
  return std::shared_ptr<DeviceContext>(new DeviceContext(
      std::move(first), absl::OkStatus(), std::move(text), find));
}

std::shared_ptr<DeviceContext> DeviceContext::MakeWithoutDevice(
    absl::Status reason) {
  std::string text = absl::StrCat("No device: ", reason.message());
  return std::shared_ptr<DeviceContext>(
      new DeviceContext(nullptr, std::move(reason), std::move(text), nullptr));
}

absl::StatusOr<std::shared_ptr<Device>> DeviceContext::DeviceOf(
    absl::optional<int> dev_id) const {
  if (device_ == nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat("there is no device: ", reason_.message()));
  }
  if (!dev_id.has_value()) return device_;
  return find_(*dev_id);
}

absl::StatusOr<std::shared_ptr<CudaStreamPool>> DeviceContext::MakePool(
    absl::string_view name, const CudaStreamPoolParameters& parameters) const {
  SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<Device> device,
                            DeviceOf(parameters.dev_id));
  return CudaStreamPool::Make(device, parameters, name);
}

absl::StatusOr<std::shared_ptr<CudaStreamPool>> DeviceContext::PoolOf(
    absl::string_view node, const CudaStreamPoolOptions& options) {
  SYNCLINE_ASSIGN_OR_RETURN(const CudaStreamPoolParameters parameters,
                            CudaStreamPoolParameters::FromOptions(options),
                            _.SetPrepend() << "Node \"" << node << "\": ");
  if (options.name().empty()) {
    SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<CudaStreamPool> pool,
                              MakePool(node, parameters),
                              _.SetPrepend() << "Node \"" << node << "\": ");
    return pool;
  }
  MutexLock lock(&mutex_);
  SharedPool& shared = pools_[options.name()];
  std::shared_ptr<CudaStreamPool> pool = shared.pool.lock();
  if (pool == nullptr) {
    SYNCLINE_ASSIGN_OR_RETURN(pool, MakePool(options.name(), parameters),
                              _.SetPrepend() << "Node \"" << node << "\": ");
    shared = {std::string(node), parameters, pool};
    return pool;
  }
  if (shared.parameters == parameters) return pool;
  return absl::InvalidArgumentError(absl::StrCat(
      "Node \"", node, "\" and node \"", shared.first_node,
      "\" share CudaStreamPool \"", options.name(),
      "\" and give it different options: give both the same, or two names."));
}

Stream DeviceContext::DefaultStreamOf(const std::shared_ptr<Device>& device) {
  MutexLock lock(&mutex_);
  for (const Stream& stream : default_streams_) {
    if (stream.device() == device) return stream;
  }
  default_streams_.push_back(Stream::Adopt(device, nullptr, "default"));
  return default_streams_.back();
}

}  // namespace syncline::gpu
