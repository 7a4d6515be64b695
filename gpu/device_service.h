// The device on which a graph runs, as a service of the graph.
//
//   cc->UseService(kDeviceService);                       in GetContract
//   cc->Service(kDeviceService).GetObject().device()      in Open, Process ...
//
// An application that does not choose has the first device that there is, and
// the log says which; see find_device.h. To choose:
//
//   SYNCLINE_ASSIGN_OR_RETURN(const auto context,
//                             DeviceContext::Create("stand_in:1"));
//   graph.SetServiceObject(kDeviceService, context);
//
// Calculators seldom ask for it themselves: NodeStreams and GpuCalculatorBase
// do.
//
// Thread rule: any thread.
// Tested by device_service_test.

#ifndef SYNCLINE_GPU_DEVICE_SERVICE_H_
#define SYNCLINE_GPU_DEVICE_SERVICE_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/mutex.h"
#include "framework/calculator/service.h"
#include "framework/packet/timestamp.h"
#include "gpu/cuda_stream_pool.h"
#include "gpu/device.h"
#include "gpu/known_names.h"
#include "gpu/stream.h"
#include "gpu/work_point.h"

namespace syncline::gpu {

// A wait of a node for what came in on a port.
struct NodeWait {
  absl::string_view node;
  absl::string_view port;
  Timestamp timestamp;
  // Who waits, and for what.
  const Stream& stream;
  const WorkPoint& point;
};

class DeviceContext : public std::enable_shared_from_this<DeviceContext> {
 public:
  // The first device that there is, or none, with the reason in the log.
  static absl::StatusOr<std::shared_ptr<DeviceContext>> Create();
  // As FindDevice(), with its errors; "" is the first device that there is.
  static absl::StatusOr<std::shared_ptr<DeviceContext>> Create(
      absl::string_view device_name);
  // For devices that the application has, by their places here: the graph runs
  // on the first. REQUIRES: there is one.
  static std::shared_ptr<DeviceContext> Make(
      std::vector<std::shared_ptr<Device>> devices);
  // As on a machine without a device. `reason` is not OK.
  static std::shared_ptr<DeviceContext> MakeWithoutDevice(absl::Status reason);

  DeviceContext(const DeviceContext&) = delete;
  DeviceContext& operator=(const DeviceContext&) = delete;

  // Null if there is none.
  const std::shared_ptr<Device>& device() const { return device_; }
  // OK if there is a device; else why there is none.
  const absl::Status& reason() const { return reason_; }
  // For the log: which device, and why.
  const std::string& text() const { return text_; }

  // The device of this number, of the same kind; without one, device().
  absl::StatusOr<std::shared_ptr<Device>> DeviceOf(
      absl::optional<int> dev_id) const;

  // The pool of a node: the one in common of the name that its options give, or
  // a new one. FAILED_PRECONDITION without a device; INVALID_ARGUMENT if
  // another node gives other options with the name; errors name the node.
  absl::StatusOr<std::shared_ptr<CudaStreamPool>> PoolOf(
      absl::string_view node, const CudaStreamPoolOptions& options);

  // The default stream of a device, which is foreign.
  Stream DefaultStreamOf(const std::shared_ptr<Device>& device);

  // For tests: waits for which it returns true are left out. Set before a run.
  using WaitFilter = std::function<bool(const NodeWait&)>;
  void SetWaitFilterForTest(WaitFilter leave_out) {
    leave_out_ = std::move(leave_out);
  }
  bool LeavesOut(const NodeWait& wait) const {
    return leave_out_ != nullptr && leave_out_(wait);
  }

 private:
  struct SharedPool {
    std::string first_node;
    CudaStreamPoolParameters parameters;
    std::weak_ptr<CudaStreamPool> pool;
  };
  using Finder = std::function<absl::StatusOr<std::shared_ptr<Device>>(int)>;

  DeviceContext(std::shared_ptr<Device> device, absl::Status reason,
                std::string text, Finder find);
  absl::StatusOr<std::shared_ptr<CudaStreamPool>> MakePool(
      absl::string_view name, const CudaStreamPoolParameters& parameters) const;

  const std::shared_ptr<Device> device_;
  const absl::Status reason_;
  const std::string text_;
  const Finder find_;
  WaitFilter leave_out_;

  Mutex mutex_;
  // Held while a pool is made, so that it is made once.
  std::map<std::string, SharedPool> pools_ ABSL_GUARDED_BY(mutex_);
  std::vector<Stream> default_streams_ ABSL_GUARDED_BY(mutex_);
};

inline constexpr GraphService<DeviceContext> kDeviceService(
    kDeviceServiceKey, GraphServiceBase::kAllowDefaultInitialization);

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_DEVICE_SERVICE_H_
