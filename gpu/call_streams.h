// CallStreams: what one call of a node does with device streams.
//
//   absl::Status ProcessOnDevice(CalculatorContext* cc,
//                                gpu::CallStreams& streams) override {
//     SYNCLINE_ASSIGN_OR_RETURN(const gpu::Stream stream,
//                               streams.ReceiveCudaStream("IN"));
//     const auto& in = cc->Inputs().Tag("IN").Get<gpu::DeviceBuffer>();
//     SYNCLINE_ASSIGN_OR_RETURN(gpu::DeviceBuffer out, ...);
//     SYNCLINE_RETURN_IF_ERROR(
//         stream.Launch(kBlur, n, params, {Reads(in), Writes(out)}));
//     return streams.Send("OUT", std::move(out));
//   }
//
// Inputs come while devices still work on them. ReceiveCudaStream() gives the
// stream for the call, which comes, on the device, after all that the port's
// packets wait for. Outputs are sent while the device still works on them, too,
// and say so to whom they reach: buffers know who writes them, and other values
// are sent as OnStream<T>.
//
// WHICH STREAM a call gets, the first that there is:
//   1. the one that the call has already, for another port
//   2. the node's own, of its pool; taken at the first call, if `allocate`
//   3. without a pool, with an exhausted one, or without `allocate`: the first
//      managed stream that is found on the port
//   4. the default stream of the device; then outputs carry none
//   5. no stream, where there is no device at all
//
// PORTS are "TAG" for all inputs of a tag, "TAG:1" for one of them, "" and ":1"
// for inputs without a tag. Of a call with a batch all its input sets count.
//
// Work of the thread is that of the node and its timestamp as long as the
// object exists: for what errors say (work_owner.h), for what is measured
// (call_timer.h), and in NVIDIA's profilers (nvtx.h).
//
// Code of the call that calls CUDA itself finds the device of its stream as the
// current one; where the machine has one device, that is so anyway.
//
// Thread rule: belongs to one call.
// Tested by receive_stream_test and node_streams_test.

#ifndef SYNCLINE_GPU_CALL_STREAMS_H_
#define SYNCLINE_GPU_CALL_STREAMS_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/context.h"
#include "framework/packet/packet.h"
#include "gpu/call_timer.h"
#include "gpu/cuda_stream_pool.h"
#include "gpu/current_device.h"
#include "gpu/device.h"
#include "gpu/device_work.h"
#include "gpu/node_streams.h"
#include "gpu/nvtx.h"
#include "gpu/stream.h"
#include "gpu/work_owner.h"
#include "gpu/work_point.h"

namespace syncline::gpu {

struct ReceiveOptions {
  // Whether the node takes a stream of its own from its pool.
  bool allocate = true;
  // Whether work that others give to the default stream of the device from now
  // on also comes after what the port waits for.
  bool sync_to_default = false;
};

class CallStreams {
 public:
  // Both outlive this object.
  CallStreams(NodeStreams* node, CalculatorContext* cc);
  ~CallStreams();
  CallStreams(const CallStreams&) = delete;
  CallStreams& operator=(const CallStreams&) = delete;

  // The stream for the call, which comes after what the packets of the port
  // wait for, and which all outputs carry from now on. Errors name the node and
  // the timestamp: INVALID_ARGUMENT for a port that is not there and for
  // packets of other devices or of another run; those of the devices.
  absl::StatusOr<Stream> ReceiveCudaStream(absl::string_view port,
                                           const ReceiveOptions& options = {});
  // For the only input, or for a node without inputs. INVALID_ARGUMENT for
  // several.
  absl::StatusOr<Stream> ReceiveCudaStream(const ReceiveOptions& options = {});

  // By hand: the stream of each packet of the port, in order, and nothing where
  // there is no packet or it has none that is managed. Waits for nothing, takes
  // none, and outputs carry none.
  absl::StatusOr<std::vector<absl::optional<Stream>>> ReceiveCudaStreams(
      absl::string_view port);

  // A further stream of the node, the same for the same name.
  // RESOURCE_EXHAUSTED if the pool has none, FAILED_PRECONDITION without a
  // pool. Outputs carry it only after SetCudaStream().
  absl::StatusOr<Stream> AllocateCudaStream(absl::string_view name);

  // `target` comes after all that these were given. `target` itself and what is
  // no stream is passed over. With `sync_to_default` the default stream of the
  // target's device comes after them, too.
  absl::Status SynchronizeStreams(
      absl::Span<const absl::optional<Stream>> streams, const Stream& target,
      bool sync_to_default = false);

  // The number of the device. INVALID_ARGUMENT for a foreign stream.
  absl::StatusOr<int> DeviceFromStream(const Stream& stream) const;

  // What is sent on the output after this carries `stream`. INVALID_ARGUMENT
  // for a foreign stream, and for an output that is not there.
  absl::Status SetCudaStream(const Stream& stream, absl::string_view output);
  absl::Status SetCudaStreamOfOutputs(
      const Stream& stream, absl::Span<const absl::string_view> outputs);

  // Sends a value at the input timestamp: what knows its work (DeviceBuffer and
  // the like) as a T, any other as an OnStream<T>, which is ready when the
  // output's stream has done what it was given until now.
  template <typename T>
  absl::Status Send(absl::string_view output, T value) {
    SYNCLINE_ASSIGN_OR_RETURN(const CollectionItemId id, FindOutput(output));
    cc_->Outputs().Get(id).AddPacket(
        MakePacketFor(id, std::move(value)).At(cc_->InputTimestamp()));
    return absl::OkStatus();
  }

  // The device of the node's pool; null without one.
  std::shared_ptr<Device> device() const;
  // The work that is to be waited for before what is sent on the output may be
  // used. No work if it carries no stream.
  absl::StatusOr<WorkPoint> OutputPoint(absl::string_view output) const;

 private:
  // A packet that came in, and what it waits for.
  struct Received {
    std::vector<WorkPoint> points;
  };

  template <typename T>
  Packet MakePacketFor(CollectionItemId output, T value) {
    if constexpr (HasDeviceWork<T>) {
      return MakeDevicePacket<T>(std::move(value));
    } else {
      return MakeDevicePacket<OnStream<T>>(
          OnStream<T>(std::move(value), PointOf(output)));
    }
  }

  absl::StatusOr<std::vector<CollectionItemId>> FindInputs(
      absl::string_view port) const;
  absl::StatusOr<CollectionItemId> FindOutput(absl::string_view output) const;
  std::vector<Received> Receive(
      absl::Span<const CollectionItemId> inputs) const;
  absl::StatusOr<Stream> ReceiveFrom(absl::Span<const CollectionItemId> inputs,
                                     absl::string_view port,
                                     const ReceiveOptions& options);
  // Decides the stream of the call.
  absl::Status Choose(absl::Span<const Received> received, bool allocate);
  bool AdoptFirst(absl::Span<const Received> received);
  absl::Status UseDefault(absl::Span<const Received> received);
  absl::Status WaitForAll(absl::Span<const Received> received,
                          absl::string_view port) const;
  absl::Status SyncToDefault(const Stream& stream);
  absl::Status CheckManaged(const Stream& stream, absl::string_view what) const;
  // The packets that are sent as they came in have what this call made of them.
  void MarkWhatIsSentOn() const;
  WorkPoint PointOf(CollectionItemId output) const;
  // `Node "blur" at 40`
  std::string Where() const;

  NodeStreams* const node_;
  CalculatorContext* const cc_;
  const NvtxRange range_;
  CallTimer timer_;
  const WorkOwnerScope owner_;
  CurrentDevice current_device_;

  // The stream of the call, once there is one.
  Stream stream_;
  bool is_default_ = false;
  // Streams that are not the node's, and what keeps them from ending.
  std::vector<CudaStreamPool::Managed> borrowed_;
  std::vector<std::pair<CollectionItemId, Stream>> output_streams_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_CALL_STREAMS_H_
