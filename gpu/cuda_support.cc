#include "gpu/cuda_support.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/name_registry.h"
#include "framework/base/no_destructor.h"
#include "framework/base/plugin.h"
#include "framework/base/registration.h"
#include "framework/base/status_macros.h"
#include "gpu/cuda_drivers.h"
#include "gpu/device_list.h"
#include "gpu/driver.h"
#include "gpu/known_names.h"
#include "gpu/nvtx.h"

namespace syncline::gpu {
namespace internal {
namespace {

// Null before any code runs.
std::atomic<const CudaSupport*> the_support;

const CudaSupport* WithNvtx() {
  const CudaSupport* const support = KnownCudaSupport();
  return support != nullptr && support->begin_nvtx_range != nullptr ? support
                                                                    : nullptr;
}

}  // namespace

RegistrationToken RegisterCudaSupport(const CudaSupport* support) {
  the_support.store(support, std::memory_order_release);
  RegistrationErrors::NoteNew();
  return TokenOrReport(RegistrationToken([support] {
    const CudaSupport* expected = support;
    the_support.compare_exchange_strong(expected, nullptr);
  }));
}

const CudaSupport* KnownCudaSupport() {
  return the_support.load(std::memory_order_acquire);
}

absl::Status OpenCudaPlugin(const std::string& plugin_folder) {
  if (KnownCudaSupport() != nullptr) return absl::OkStatus();
  const std::string plugin = InstalledPlugin(kCudaPlugin, plugin_folder);
  if (plugin.empty()) {
    return absl::UnimplementedError(absl::StrCat(
        "built without CUDA; to have it, install the package "
        "syncline-plugin-cuda, or build where the CUDA toolkit is under "
        "$CUDA_HOME or /usr/local/cuda"));
  }
  SYNCLINE_RETURN_IF_ERROR(LoadPlugin(plugin));
  if (KnownCudaSupport() != nullptr) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "plug-in \"", plugin,
      "\" has no CUDA in it: install the package syncline-plugin-cuda again"));
}

absl::StatusOr<const CudaSupport*> FindCudaSupport() {
  if (const CudaSupport* known = KnownCudaSupport()) return known;
  static const NoDestructor<absl::Status> opened(
      OpenCudaPlugin(PluginFolder()));
  if (const CudaSupport* known = KnownCudaSupport()) return known;
  if (!opened->ok()) return *opened;
  return absl::FailedPreconditionError("the plug-in with CUDA was closed");
}

bool BuiltWithCuda() { return FindCudaSupport().ok(); }

absl::StatusOr<DeviceList> QueryDevices() {
  SYNCLINE_ASSIGN_OR_RETURN(const CudaSupport* const support,
                            FindCudaSupport());
  return support->query_devices();
}

absl::StatusOr<std::vector<std::unique_ptr<DeviceDriver>>> MakeCudaDrivers() {
  SYNCLINE_ASSIGN_OR_RETURN(const CudaSupport* const support,
                            FindCudaSupport());
  return support->make_drivers();
}

}  // namespace internal

bool BuiltWithNvtx() { return internal::WithNvtx() != nullptr; }

void BeginNvtxRange(const char* name) {
  if (const auto* support = internal::WithNvtx()) {
    support->begin_nvtx_range(name);
  }
}

void EndNvtxRange() {
  if (const auto* support = internal::WithNvtx()) support->end_nvtx_range();
}

void NameStreamForNvtx(StreamHandle stream, const char* name) {
  if (const auto* support = internal::WithNvtx()) {
    support->name_stream(stream, name);
  }
}

}  // namespace syncline::gpu
