#include "gpu/call_streams.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/output_stream.h"
#include "framework/calculator/port_name.h"
#include "gpu/device_service.h"
#include "gpu/stream_core.h"

namespace syncline::gpu {
namespace {

// `TAG:1` has an index, `TAG` has none.
bool NamesOnePort(absl::string_view port) {
  return port.find(':') != absl::string_view::npos;
}

std::string StreamText(const Stream& stream) {
  return stream.is_null() ? "no stream" : stream.core().ToText();
}

}  // namespace

CallStreams::CallStreams(NodeStreams* node, CalculatorContext* cc)
    : node_(node),
      cc_(cc),
      range_(node->node() == nullptr ? nullptr : node->node()->c_str()),
      timer_(&node->times(), cc->environment().objects().device_times(),
             cc->NodeId(), cc->InputTimestamp()),
      owner_({node->node(), cc->InputTimestamp()}, timer_.watcher()) {
  if (node->pool() != nullptr) current_device_.Make(node->pool()->device());
}

CallStreams::~CallStreams() {
  MarkWhatIsSentOn();
  for (const CudaStreamPool::Managed& managed : borrowed_) {
    node_->NoteBorrowed(managed.stream.Now());
  }
}

void CallStreams::MarkWhatIsSentOn() const {
  if (device() == nullptr || !device()->check_access()) return;
  for (const OutputStream& output : cc_->Outputs()) {
    for (const Packet& packet : output.packets()) MarkAsSentOn(packet);
  }
}

std::string CallStreams::Where() const {
  return absl::StrCat("Node \"", cc_->NodeName(), "\" at ",
                      cc_->InputTimestamp().DebugString());
}

// --- Ports

absl::StatusOr<std::vector<CollectionItemId>> CallStreams::FindInputs(
    absl::string_view port) const {
  std::string tag;
  int index = 0;
  SYNCLINE_RETURN_IF_ERROR(tool::ParseTagIndex(port, &tag, &index));
  const InputStreamSet& inputs = cc_->Inputs();
  std::vector<CollectionItemId> ids;
  if (NamesOnePort(port)) {
    const CollectionItemId id = inputs.GetId(tag, index);
    if (id.IsValid()) ids.push_back(id);
  } else {
    for (CollectionItemId id = inputs.BeginId(tag); id < inputs.EndId(tag);
         ++id) {
      ids.push_back(id);
    }
  }
  if (!ids.empty()) return ids;
  return absl::InvalidArgumentError(
      absl::StrCat(Where(), " asks for the stream of input \"", port,
                   "\"; it has ", inputs.TagMap()->ShortDebugString()));
}

absl::StatusOr<CollectionItemId> CallStreams::FindOutput(
    absl::string_view output) const {
  std::string tag;
  int index = 0;
  SYNCLINE_RETURN_IF_ERROR(tool::ParseTagIndex(output, &tag, &index));
  const CollectionItemId id = cc_->Outputs().GetId(tag, index);
  if (id.IsValid()) return id;
  return absl::InvalidArgumentError(
      absl::StrCat(Where(), " names output \"", output, "\"; it has ",
                   cc_->Outputs().TagMap()->ShortDebugString()));
}

std::vector<CallStreams::Received> CallStreams::Receive(
    absl::Span<const CollectionItemId> inputs) const {
  std::vector<Received> received;
  for (const BatchedInputs& set : cc_->Batch()) {
    for (const CollectionItemId id : inputs) {
      received.push_back(
          {PendingWorkOf(set.Inputs().Get(id).Value()).PointsBeforeReading()});
    }
  }
  return received;
}

// --- The stream of the call

absl::StatusOr<Stream> CallStreams::ReceiveCudaStream(
    absl::string_view port, const ReceiveOptions& options) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::vector<CollectionItemId> inputs,
                            FindInputs(port));
  return ReceiveFrom(inputs, port, options);
}

absl::StatusOr<Stream> CallStreams::ReceiveCudaStream(
    const ReceiveOptions& options) {
  const InputStreamSet& inputs = cc_->Inputs();
  if (inputs.NumEntries() > 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        Where(), " asks for the stream of its input, and it has ",
        inputs.TagMap()->ShortDebugString(),
        ": call ReceiveCudaStream(PORT) for each that the call uses."));
  }
  if (inputs.NumEntries() == 0) return ReceiveFrom({}, "", options);
  return ReceiveFrom({inputs.BeginId()}, "", options);
}

absl::StatusOr<Stream> CallStreams::ReceiveFrom(
    absl::Span<const CollectionItemId> inputs, absl::string_view port,
    const ReceiveOptions& options) {
  SYNCLINE_RETURN_IF_ERROR(node_->CheckOpen());
  const std::vector<Received> received = Receive(inputs);
  SYNCLINE_RETURN_IF_ERROR(Choose(received, options.allocate)).SetPrepend()
      << Where() << ": ";
  if (stream_.is_null()) return stream_;
  current_device_.Make(stream_.device());
  SYNCLINE_RETURN_IF_ERROR(WaitForAll(received, port)).SetPrepend()
      << Where() << ", port \"" << port << "\": ";
  if (options.sync_to_default) {
    SYNCLINE_RETURN_IF_ERROR(SyncToDefault(stream_)).SetPrepend()
        << Where() << ": ";
  }
  return stream_;
}

absl::Status CallStreams::Choose(absl::Span<const Received> received,
                                 bool allocate) {
  if (!stream_.is_null() && !is_default_) return absl::OkStatus();
  const Stream before = std::exchange(stream_, node_->InternalStream());
  if (stream_.is_null() && allocate && node_->pool() != nullptr) {
    absl::StatusOr<Stream> own = node_->TakeInternalStream();
    if (own.ok()) {
      stream_ = *std::move(own);
    } else if (absl::IsResourceExhausted(own.status())) {
      node_->WarnOfExhaustion(own.status());
    } else {
      return own.status();
    }
  }
  is_default_ = stream_.is_null() && !AdoptFirst(received);
  if (is_default_ && !before.is_null()) {
    stream_ = before;
    return absl::OkStatus();
  }
  if (is_default_) return UseDefault(received);
  // Work of this call may be on the default stream already.
  return before.is_null() ? absl::OkStatus() : stream_.WaitFor(before.Now());
}

bool CallStreams::AdoptFirst(absl::Span<const Received> received) {
  for (const Received& packet : received) {
    for (const WorkPoint& point : packet.points) {
      absl::optional<CudaStreamPool::Managed> managed =
          CudaStreamPool::Find(*point.work().stream);
      if (!managed.has_value()) continue;
      stream_ = managed->stream;
      borrowed_.push_back(*std::move(managed));
      return true;
    }
  }
  return false;
}

absl::Status CallStreams::UseDefault(absl::Span<const Received> received) {
  std::shared_ptr<Device> device = node_->context().device();
  if (node_->pool() != nullptr) device = node_->pool()->device();
  for (const Received& packet : received) {
    if (device != nullptr || packet.points.empty()) continue;
    device = packet.points.front().device();
  }
  if (device == nullptr) return absl::OkStatus();
  stream_ = node_->context().DefaultStreamOf(device);
  borrowed_.push_back({stream_, nullptr});
  return absl::OkStatus();
}

absl::Status CallStreams::WaitForAll(absl::Span<const Received> received,
                                     absl::string_view port) const {
  for (const Received& packet : received) {
    for (const WorkPoint& point : packet.points) {
      if (node_->context().LeavesOut(
              {*node_->node(), port, cc_->InputTimestamp(), stream_, point})) {
        continue;
      }
      SYNCLINE_RETURN_IF_ERROR(stream_.WaitFor(point));
    }
  }
  return absl::OkStatus();
}

absl::Status CallStreams::SyncToDefault(const Stream& stream) {
  const Stream default_stream =
      node_->context().DefaultStreamOf(stream.device());
  if (default_stream == stream) return absl::OkStatus();
  return default_stream.WaitFor(stream.Now());
}

// --- By hand

absl::StatusOr<std::vector<absl::optional<Stream>>>
CallStreams::ReceiveCudaStreams(absl::string_view port) {
  SYNCLINE_RETURN_IF_ERROR(node_->CheckOpen());
  SYNCLINE_ASSIGN_OR_RETURN(const std::vector<CollectionItemId> inputs,
                            FindInputs(port));
  std::vector<absl::optional<Stream>> streams;
  for (const Received& packet : Receive(inputs)) {
    streams.emplace_back();
    for (const WorkPoint& point : packet.points) {
      absl::optional<CudaStreamPool::Managed> managed =
          CudaStreamPool::Find(*point.work().stream);
      if (!managed.has_value()) continue;
      streams.back() = managed->stream;
      borrowed_.push_back(*std::move(managed));
      break;
    }
  }
  return streams;
}

absl::StatusOr<Stream> CallStreams::AllocateCudaStream(absl::string_view name) {
  SYNCLINE_RETURN_IF_ERROR(node_->CheckOpen());
  return node_->TakeNamedStream(name);
}

absl::Status CallStreams::SynchronizeStreams(
    absl::Span<const absl::optional<Stream>> streams, const Stream& target,
    bool sync_to_default) {
  SYNCLINE_RETURN_IF_ERROR(node_->CheckOpen());
  if (target.is_null()) {
    return absl::InvalidArgumentError(absl::StrCat(
        Where(), " synchronizes streams with a target that is no stream"));
  }
  for (const absl::optional<Stream>& stream : streams) {
    if (!stream.has_value() || stream->is_null() || *stream == target) continue;
    SYNCLINE_RETURN_IF_ERROR(target.WaitFor(stream->Now())).SetPrepend()
        << Where() << ": ";
  }
  return sync_to_default ? SyncToDefault(target) : absl::OkStatus();
}

absl::Status CallStreams::CheckManaged(const Stream& stream,
                                       absl::string_view what) const {
  if (!stream.is_null() && CudaStreamPool::Find(stream.core()).has_value()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      Where(), " ", what, " ", StreamText(stream),
      ", which is of no CudaStreamPool, or of one that is gone. Use a stream "
      "that ReceiveCudaStream(), ReceiveCudaStreams() or AllocateCudaStream() "
      "returned in this run, and let it wait for that stream: "
      "WaitFor(stream.Now())."));
}

absl::StatusOr<int> CallStreams::DeviceFromStream(const Stream& stream) const {
  SYNCLINE_RETURN_IF_ERROR(CheckManaged(stream, "asks for the device of"));
  return stream.device()->info().index;
}

absl::Status CallStreams::SetCudaStream(const Stream& stream,
                                        absl::string_view output) {
  return SetCudaStreamOfOutputs(stream, {&output, 1});
}

absl::Status CallStreams::SetCudaStreamOfOutputs(
    const Stream& stream, absl::Span<const absl::string_view> outputs) {
  SYNCLINE_RETURN_IF_ERROR(CheckManaged(stream, "gives to its outputs"));
  for (const absl::string_view output : outputs) {
    SYNCLINE_ASSIGN_OR_RETURN(const CollectionItemId id, FindOutput(output));
    output_streams_.emplace_back(id, stream);
  }
  return absl::OkStatus();
}

// --- Outputs

WorkPoint CallStreams::PointOf(CollectionItemId output) const {
  // The last one that was set.
  for (auto set = output_streams_.rbegin(); set != output_streams_.rend();
       ++set) {
    if (set->first == output) return set->second.Now();
  }
  if (stream_.is_null() || is_default_) return WorkPoint();
  return stream_.Now();
}

absl::StatusOr<WorkPoint> CallStreams::OutputPoint(
    absl::string_view output) const {
  SYNCLINE_ASSIGN_OR_RETURN(const CollectionItemId id, FindOutput(output));
  return PointOf(id);
}

std::shared_ptr<Device> CallStreams::device() const {
  return node_->pool() == nullptr ? nullptr : node_->pool()->device();
}

}  // namespace syncline::gpu
