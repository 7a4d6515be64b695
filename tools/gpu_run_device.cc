// The devices of gpu/ for the flags of run_graph (run_device.h).
//
// Thread rule: one thread.
// Tested by run_graph_device_test and graph_run_test.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/registration.h"
#include "framework/base/status_macros.h"
#include "framework/graph/calculator_graph.h"
#include "gpu/device_memory.h"
#include "gpu/device_service.h"
#include "gpu/devices.h"
#include "gpu/find_device.h"
#include "tools/run_device.h"

namespace syncline {
namespace {

class GpuRunDevice : public RunDevice {
 public:
  explicit GpuRunDevice(std::shared_ptr<gpu::DeviceContext> context)
      : context_(std::move(context)) {}

  std::string name() const override {
    return std::string(context_->device()->name());
  }
  std::string text() const override { return context_->text(); }
  absl::Status GiveTo(CalculatorGraph* graph) const override {
    return graph->SetServiceObject(gpu::kDeviceService, context_);
  }

 private:
  const std::shared_ptr<gpu::DeviceContext> context_;
  const gpu::MemoryDevicesScope memory_{
      [context = context_](absl::optional<int> dev_id) {
        return context->DeviceOf(dev_id);
      }};
};

class GpuDeviceSupport : public DeviceSupport {
 public:
  std::string ListDevices() const override {
    std::string text;
    for (const std::string& name : gpu::ListDeviceNames()) {
      const absl::StatusOr<gpu::FoundDevice> found = gpu::FindDevice(name);
      absl::StrAppend(
          &text, "  ", name, "  \"",
          found.ok() ? found->device->info().name : found.status().ToString(),
          "\"\n");
    }
    return text;
  }

  std::string DescribeDevices() const override {
    return gpu::DescribeDevices();
  }

  absl::StatusOr<std::unique_ptr<RunDevice>> Open(
      absl::string_view name) const override {
    SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<gpu::DeviceContext> context,
                              gpu::DeviceContext::Create(name));
    return std::make_unique<GpuRunDevice>(std::move(context));
  }
};

REGISTER_FACTORY_FUNCTION_QUALIFIED(DeviceSupports, device_support,
                                    GpuDeviceSupport,
                                    std::make_unique<GpuDeviceSupport>);

}  // namespace
}  // namespace syncline
