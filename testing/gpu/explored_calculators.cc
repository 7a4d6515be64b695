#include "testing/gpu/explored_calculators.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/allocator.h"
#include "framework/calculator_framework.h"
#include "gpu/allocate_buffer.h"
#include "gpu/call_streams.h"
#include "gpu/device_buffer.h"
#include "gpu/gpu_calculator_base.h"
#include "gpu/stream.h"
#include "gpu/test_kernels.h"

namespace syncline::gpu {

std::atomic<int> num_host_calls{0};

namespace {

constexpr std::int64_t kElements = kExploredBytes / sizeof(std::uint32_t);

absl::StatusOr<DeviceBuffer> NewBuffer(const Stream& stream,
                                       MemoryStorageType type,
                                       absl::string_view name) {
  return DeviceBuffer::Allocate(stream.device(), type, kExploredBytes, name);
}

absl::StatusOr<int> FirstNumber(const DeviceBuffer& pinned) {
  SYNCLINE_ASSIGN_OR_RETURN(const HostView view, pinned.ViewForReading());
  return static_cast<int>(
      *reinterpret_cast<const std::uint32_t*>(view.bytes().data()));
}

// --- Nodes

// From an int to a buffer of bytes of that value.
class ExploreUpload : public GpuCalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<DeviceBuffer>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return UseDevice(cc);
  }

 protected:
  virtual absl::StatusOr<DeviceBuffer> BufferFor(CalculatorContext* cc,
                                                 const Stream& stream) {
    return NewBuffer(stream, MemoryStorageType::kDevice, "uploaded");
  }
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               CallStreams& streams) override {
    SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, streams.ReceiveCudaStream());
    SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer buffer, BufferFor(cc, stream));
    const int value = cc->Inputs().Index(0).Get<int>();
    SYNCLINE_RETURN_IF_ERROR(
        stream.Fill(Writes(buffer), static_cast<std::uint8_t>(value)));
    return streams.Send("", std::move(buffer));
  }
};
REGISTER_CALCULATOR(ExploreUpload);

// Adds one, on a stream of its own.
class ExploreAddOne : public GpuCalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<DeviceBuffer>();
    cc->Outputs().Index(0).Set<DeviceBuffer>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return UseDevice(cc);
  }

 protected:
  virtual absl::StatusOr<Stream> StreamFor(CallStreams& streams) {
    return streams.ReceiveCudaStream();
  }
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               CallStreams& streams) override {
    SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, StreamFor(streams));
    SYNCLINE_ASSIGN_OR_RETURN(
        DeviceBuffer out, NewBuffer(stream, MemoryStorageType::kDevice, "sum"));
    SYNCLINE_RETURN_IF_ERROR(stream.Launch(
        kAddOne, kElements, NoParameters{},
        {Reads(cc->Inputs().Index(0).Get<DeviceBuffer>()), Writes(out)}));
    return streams.Send("", std::move(out));
  }
};
REGISTER_CALCULATOR(ExploreAddOne);

// Planted: its stream does not wait for the input.
class ExploreHastyAddOne : public ExploreAddOne {
 protected:
  absl::StatusOr<Stream> StreamFor(CallStreams& streams) override {
    return streams.AllocateCudaStream("hasty");
  }
};
REGISTER_CALCULATOR(ExploreHastyAddOne);

// Planted: a stream that waits for nothing, and that no pool knows.
class ExploreForeignAddOne : public ExploreAddOne {
 protected:
  absl::StatusOr<Stream> StreamFor(CallStreams& streams) override {
    SYNCLINE_RETURN_IF_ERROR(streams.ReceiveCudaStream().status());
    return Stream::Make(streams.device(), {}, "foreign");
  }
};
REGISTER_CALCULATOR(ExploreForeignAddOne);

// Planted: writes one buffer again and again, whoever still reads it.
class ExploreReusingUpload : public ExploreUpload {
 protected:
  absl::StatusOr<DeviceBuffer> BufferFor(CalculatorContext* cc,
                                         const Stream& stream) override {
    if (kept_.is_null()) {
      SYNCLINE_ASSIGN_OR_RETURN(kept_, ExploreUpload::BufferFor(cc, stream));
    }
    return kept_;
  }
  absl::Status CloseOnDevice(CalculatorContext* cc,
                             CallStreams& streams) override {
    kept_ = DeviceBuffer();
    return absl::OkStatus();
  }

 private:
  DeviceBuffer kept_;
};
REGISTER_CALCULATOR(ExploreReusingUpload);

// Planted: changes its input, which others read.
class ExploreChangeInput : public GpuCalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<DeviceBuffer>();
    return UseDevice(cc);
  }

 protected:
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               CallStreams& streams) override {
    SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, streams.ReceiveCudaStream());
    return stream.Launch(kAddOne, kElements, NoParameters{},
                         {Writes(cc->Inputs().Index(0).Get<DeviceBuffer>())});
  }
};
REGISTER_CALCULATOR(ExploreChangeInput);

// From a buffer to its first number; waits on the host.
class ExploreDownload : public GpuCalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<DeviceBuffer>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return UseDevice(cc);
  }

 protected:
  virtual absl::Status WaitFor(const DeviceBuffer& pinned) {
    return pinned.HostWait();
  }
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               CallStreams& streams) override {
    SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, streams.ReceiveCudaStream());
    SYNCLINE_ASSIGN_OR_RETURN(
        const DeviceBuffer pinned,
        NewBuffer(stream, MemoryStorageType::kHost, "pinned"));
    SYNCLINE_RETURN_IF_ERROR(stream.Copy(
        Writes(pinned), Reads(cc->Inputs().Index(0).Get<DeviceBuffer>())));
    SYNCLINE_RETURN_IF_ERROR(WaitFor(pinned));
    SYNCLINE_ASSIGN_OR_RETURN(const int number, FirstNumber(pinned));
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(number).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ExploreDownload);

// Planted: the host does not wait.
class ExploreHastyDownload : public ExploreDownload {
 protected:
  absl::Status WaitFor(const DeviceBuffer& /*pinned*/) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ExploreHastyDownload);

// Writes down which input comes when; has nothing to do with devices.
class ExploreArrivals : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.SetAny();
    cc->Outputs().Index(0).Set<std::string>();
    cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    int port = 0;
    for (const auto& input : cc->Inputs()) {
      if (!input.IsEmpty()) absl::StrAppend(&text_, port);
      ++port;
    }
    return absl::OkStatus();
  }
  absl::Status Close(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::string>(text_).At(Timestamp(0)));
    return absl::OkStatus();
  }

 private:
  std::string text_;
};
REGISTER_CALCULATOR(ExploreArrivals);

// Passes its input on, and calls a host function.
class ExploreCallHost : public GpuCalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return UseDevice(cc);
  }

 protected:
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               CallStreams& streams) override {
    SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, streams.ReceiveCudaStream());
    SYNCLINE_RETURN_IF_ERROR(stream.CallHost([] { ++num_host_calls; }));
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ExploreCallHost);

// Sends how many there were.
class ExploreHostCalls : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(num_host_calls).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ExploreHostCalls);

// Keeps all that it gets; sends nothing.
class ExploreKeeper : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    kept_.push_back(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }

 private:
  std::vector<Packet> kept_;
};
REGISTER_CALCULATOR(ExploreKeeper);

// Takes its buffers from the allocator "m".
class ExploreUploadFromPool : public ExploreUpload {
 protected:
  absl::StatusOr<DeviceBuffer> BufferFor(CalculatorContext* cc,
                                         const Stream& stream) override {
    SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<Allocator> allocator,
                              cc->FindAllocator("m"));
    return AllocateBuffer(stream, *allocator, MemoryStorageType::kDevice,
                          kExploredBytes, "pooled");
  }
};
REGISTER_CALCULATOR(ExploreUploadFromPool);

}  // namespace
}  // namespace syncline::gpu
