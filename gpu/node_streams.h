// NodeStreams: the device streams of a node, for all its calls.
//
//   class BlurCalculator : public CalculatorBase {
//    public:
//     static absl::Status GetContract(CalculatorContract* cc) {
//       ...
//       return gpu::NodeStreams::UpdateContract(cc);
//     }
//     absl::Status Open(CalculatorContext* cc) override {
//       return streams_.Open(cc);
//     }
//     absl::Status Process(CalculatorContext* cc) override {
//       gpu::CallStreams streams(&streams_, cc);          // call_streams.h
//       ...
//     }
//     absl::Status Close(CalculatorContext* cc) override {
//       return streams_.Close(cc);
//     }
//
//    private:
//     gpu::NodeStreams streams_;
//   };
//
// GpuCalculatorBase does all of this. The node has a pool: what its options say
// (CudaStreamPoolOptions), else one of its own without a limit. Where there is
// no device it has none.
//
// Close() waits on the host until the device has done what the node gave it, so
// that the end of a run is the end of its work, and an error of that work is
// the error of the run. Nothing else here makes the host wait.
//
// From Open to Close the devices of the node are checked as the graph's
// check_device_access says, and what they take for the node is measured if the
// graph's runtime information or a trace wants it (call_timer.h).
//
// Thread rule: Open and Close like those of the node; the rest from the node's
// calls, which may overlap.
// Tested by node_streams_test and receive_stream_test.

#ifndef SYNCLINE_GPU_NODE_STREAMS_H_
#define SYNCLINE_GPU_NODE_STREAMS_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "gpu/access_check_request.h"
#include "gpu/cuda_stream_pool.h"
#include "gpu/device_service.h"
#include "gpu/node_times.h"
#include "gpu/stream.h"
#include "gpu/work_owner.h"
#include "gpu/work_point.h"

namespace syncline::gpu {

class NodeStreams {
 public:
  NodeStreams() = default;
  // Gives the streams back, without waiting.
  ~NodeStreams();
  NodeStreams(const NodeStreams&) = delete;
  NodeStreams& operator=(const NodeStreams&) = delete;

  // Asks for the device, and checks the options of the pool.
  static absl::Status UpdateContract(CalculatorContract* cc);

  // Makes the pool. Errors of the device, with the node's name.
  absl::Status Open(CalculatorContext* cc);
  // Waits for the node's work and gives the streams back. The first error of
  // that work, with node, stream and device.
  absl::Status Close(CalculatorContext* cc);

  // --- For CallStreams. Errors before Open().

  absl::Status CheckOpen() const;
  const std::shared_ptr<const std::string>& node() const { return node_; }
  DeviceContext& context() const { return *context_; }
  // Null without a device.
  const std::shared_ptr<CudaStreamPool>& pool() const { return pool_; }
  NodeTimes& times() { return times_; }

  // The node's own stream; null if it was not taken so far.
  Stream InternalStream() const;
  // The same, taken now if need be. RESOURCE_EXHAUSTED if the pool has none,
  // FAILED_PRECONDITION without a pool.
  absl::StatusOr<Stream> TakeInternalStream();
  absl::StatusOr<Stream> TakeNamedStream(absl::string_view name);
  // Says in the log, once, that the node does without a stream of its own.
  void WarnOfExhaustion(const absl::Status& why);

  // The node gave work to a stream that is not its own, up to this point.
  void NoteBorrowed(const WorkPoint& point);

 private:
  absl::StatusOr<Stream> Take(absl::string_view purpose) const;
  // Of all streams that the node used; forgets them.
  std::vector<WorkPoint> TakeWork();
  void GiveStreamsBack();
  void RequestCheck(absl::optional<bool> check);
  // The times of work on the streams of `waited_for`.
  void ReportLastTimes(const CalculatorContext& cc,
                       absl::Span<const WorkPoint> waited_for);

  std::shared_ptr<const std::string> node_;
  std::shared_ptr<DeviceContext> context_;
  std::shared_ptr<CudaStreamPool> pool_;
  std::vector<AccessCheckRequest> check_requests_;
  NodeTimes times_;

  mutable Mutex mutex_;
  Stream internal_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, Stream, std::less<>> named_ ABSL_GUARDED_BY(mutex_);
  // The newest work of each stream.
  std::vector<WorkPoint> borrowed_ ABSL_GUARDED_BY(mutex_);
  bool has_warned_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_NODE_STREAMS_H_
