#include "gpu/node_streams.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "glog/logging.h"
#include "gpu/cuda_stream_pool.pb.h"
#include "gpu/stream_core.h"

namespace syncline::gpu {

NodeStreams::~NodeStreams() { GiveStreamsBack(); }

absl::Status NodeStreams::UpdateContract(CalculatorContract* cc) {
  cc->UseService(kDeviceService);
  return CudaStreamPoolParameters::FromOptions(
             cc->Options<CudaStreamPoolOptions>())
      .status();
}

// --- Open and Close

absl::Status NodeStreams::Open(CalculatorContext* cc) {
  GiveStreamsBack();
  check_requests_.clear();
  // Of a run in which the node was not closed.
  times_.ReportLast(cc->NodeId(), {}, nullptr);
  {
    MutexLock lock(&mutex_);
    borrowed_.clear();
    has_warned_ = false;
  }
  node_ = std::make_shared<const std::string>(cc->NodeName());
  pool_ = nullptr;
  const auto service = cc->Service(kDeviceService);
  if (!service.IsAvailable()) {
    context_ = DeviceContext::MakeWithoutDevice(
        absl::FailedPreconditionError("the graph has no device service"));
    return absl::OkStatus();
  }
  context_ = service.GetObject().shared_from_this();
  if (context_->device() == nullptr) return absl::OkStatus();
  SYNCLINE_ASSIGN_OR_RETURN(
      pool_, context_->PoolOf(*node_, cc->Options<CudaStreamPoolOptions>()));
  RequestCheck(cc->environment().objects().check_device_access());
  return absl::OkStatus();
}

void NodeStreams::RequestCheck(absl::optional<bool> check) {
  if (!check.has_value()) return;
  check_requests_.emplace_back(pool_->device(), *check);
  // Without a stream of its pool a node works on this one.
  if (context_->device() == pool_->device()) return;
  check_requests_.emplace_back(context_->device(), *check);
}

std::vector<WorkPoint> NodeStreams::TakeWork() {
  MutexLock lock(&mutex_);
  std::vector<WorkPoint> work = std::exchange(borrowed_, {});
  if (!internal_.is_null()) work.push_back(internal_.Now());
  for (const auto& [name, stream] : named_) work.push_back(stream.Now());
  return work;
}

absl::Status NodeStreams::Close(CalculatorContext* cc) {
  absl::Status first_error;
  const std::vector<WorkPoint> work = TakeWork();
  for (const WorkPoint& point : work) {
    const absl::Status status = point.HostWait();
    if (status.ok() || !first_error.ok()) continue;
    first_error = absl::Status(
        status.code(), absl::StrCat("Node \"", cc->NodeName(), "\": work on ",
                                    point.work().stream->ToText(),
                                    " has failed: ", status.message()));
  }
  ReportLastTimes(*cc, work);
  check_requests_.clear();
  // The pool stays as long as this node: its streams may be those that nodes
  // after it work on.
  GiveStreamsBack();
  return first_error;
}

void NodeStreams::ReportLastTimes(const CalculatorContext& cc,
                                  absl::Span<const WorkPoint> waited_for) {
  std::vector<std::uint32_t> streams;
  for (const WorkPoint& point : waited_for) {
    streams.push_back(point.work().stream->number());
  }
  const std::int64_t num_left_out = times_.ReportLast(
      cc.NodeId(), streams, cc.environment().objects().device_times());
  if (num_left_out == 0) return;
  LOG(INFO) << "Node \"" << *node_ << "\": its device time is without that of "
            << num_left_out
            << " calls, which were too far ahead of the device, or whose work "
               "failed or had not ended when the node was closed.";
}

void NodeStreams::GiveStreamsBack() {
  MutexLock lock(&mutex_);
  const auto give_back = [this](const Stream& stream) {
    const absl::Status status = pool_->GiveBack(stream);
    LOG_IF(DFATAL, !status.ok()) << status;
  };
  if (!internal_.is_null()) give_back(internal_);
  for (const auto& [name, stream] : named_) give_back(stream);
  internal_ = Stream();
  named_.clear();
}

// --- Streams

absl::Status NodeStreams::CheckOpen() const {
  if (node_ != nullptr) return absl::OkStatus();
  return absl::FailedPreconditionError(
      "The streams of a node are used before NodeStreams::Open(): call it in "
      "Open(), or derive from GpuCalculatorBase.");
}

absl::StatusOr<Stream> NodeStreams::Take(absl::string_view purpose) const {
  if (pool_ == nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat("Node \"", *node_, "\" has no CudaStreamPool",
                     context_->device() == nullptr
                         ? absl::StrCat(", since there is no device: ",
                                        context_->reason().message())
                         : ": it is closed"));
  }
  return pool_->Take(absl::StrCat("node \"", *node_, "\"", purpose));
}

Stream NodeStreams::InternalStream() const {
  MutexLock lock(&mutex_);
  return internal_;
}

absl::StatusOr<Stream> NodeStreams::TakeInternalStream() {
  MutexLock lock(&mutex_);
  if (internal_.is_null()) {
    SYNCLINE_ASSIGN_OR_RETURN(internal_, Take(""));
  }
  return internal_;
}

absl::StatusOr<Stream> NodeStreams::TakeNamedStream(absl::string_view name) {
  MutexLock lock(&mutex_);
  const auto found = named_.find(name);
  if (found != named_.end()) return found->second;
  SYNCLINE_ASSIGN_OR_RETURN(Stream stream,
                            Take(absl::StrCat(" (\"", name, "\")")));
  named_.emplace(name, stream);
  return stream;
}

void NodeStreams::WarnOfExhaustion(const absl::Status& why) {
  {
    MutexLock lock(&mutex_);
    if (has_warned_) return;
    has_warned_ = true;
  }
  LOG(WARNING) << "Node \"" << *node_
               << "\" works on the streams of its inputs: " << why.message();
}

void NodeStreams::NoteBorrowed(const WorkPoint& point) {
  MutexLock lock(&mutex_);
  for (WorkPoint& other : borrowed_) {
    if (other.work().stream != point.work().stream) continue;
    if (other.work().number < point.work().number) other = point;
    return;
  }
  borrowed_.push_back(point);
}

}  // namespace syncline::gpu
