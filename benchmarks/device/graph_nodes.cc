// The nodes of the benchmark's graphs; each launches one kernel.
//
//   node { calculator: "MapRoundsCalculator" input_side_packet: "ROUNDS:rounds"
//          input_stream: "tensors" output_stream: "mixed" }  # DeviceTensor
//   node { calculator: "BeginRoundsCalculator"      # int64, the packet's
//   number
//          input_side_packet: "WORK:work" input_stream: "numbers"
//          output_stream: "k0" }                    # DeviceBuffer
//   node { calculator: "GoOnRoundsCalculator"       # changes it in place
//          input_side_packet: "WORK:work" input_stream: "k0"
//          output_stream: "k1" }
//
// The last two work on the stream in the side packet STREAM, where there is
// one.
//
// Thread rule: as any calculator.
// Tested by device_benchmark_test.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/device/rounds_kernels.h"
#include "benchmarks/device/workloads.h"
#include "calculators/gpu/device_node.h"
#include "framework/calculator_framework.h"
#include "gpu/buffer_cache.h"
#include "gpu/call_streams.h"
#include "gpu/cuda_stream_pool.pb.h"
#include "gpu/device_buffer.h"
#include "gpu/device_tensor.h"
#include "gpu/gpu_calculator_base.h"
#include "gpu/stream.h"

namespace syncline {
namespace {

constexpr MemoryStorageType kDeviceMemory = MemoryStorageType::kDevice;

// The node's own stream if it has options of a pool, else that of its input.
absl::StatusOr<gpu::Stream> StreamOfCall(CalculatorContext* cc,
                                         gpu::CallStreams& streams) {
  return streams.ReceiveCudaStream(
      "", {.allocate = cc->HasOptions<CudaStreamPoolOptions>()});
}

absl::Status DeclareChain(CalculatorContract* cc) {
  cc->InputSidePackets().Tag("WORK").Set<ChainWorkload>();
  if (cc->InputSidePackets().HasTag("STREAM")) {
    cc->InputSidePackets().Tag("STREAM").Set<gpu::Stream>();
  }
  cc->Outputs().Index(0).Set<gpu::DeviceBuffer>();
  cc->SetTimestampOffset(TimestampDiff(0));
  return gpu::GpuCalculatorBase::UseDevice(cc);
}

const ChainWorkload& WorkOf(CalculatorContext* cc) {
  return cc->InputSidePackets().Tag("WORK").Get<ChainWorkload>();
}

bool HasGivenStream(CalculatorContext* cc) {
  return cc->InputSidePackets().HasTag("STREAM");
}
const gpu::Stream& GivenStream(CalculatorContext* cc) {
  return cc->InputSidePackets().Tag("STREAM").Get<gpu::Stream>();
}

}  // namespace

class MapRoundsCalculator : public DeviceNode {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Tag("ROUNDS").Set<int>();
    cc->Inputs().Index(0).Set<gpu::DeviceTensor>();
    cc->Outputs().Index(0).Set<gpu::DeviceTensor>();
    return UseDevice(cc);
  }

 protected:
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               gpu::CallStreams& streams) override {
    SYNCLINE_ASSIGN_OR_RETURN(const gpu::Stream stream,
                              StreamOf(cc, streams, ""));
    const auto& in = cc->Inputs().Index(0).Get<gpu::DeviceTensor>();
    SYNCLINE_ASSIGN_OR_RETURN(gpu::DeviceBuffer out,
                              NewMemory(stream, in.bytes(), "mixed"));
    SYNCLINE_RETURN_IF_ERROR(stream.Launch(
        kMapRounds, in.num_elements(),
        RoundsParameters{cc->InputSidePackets().Tag("ROUNDS").Get<int>()},
        {Reads(in.memory()), Writes(out)}));
    SYNCLINE_ASSIGN_OR_RETURN(
        gpu::DeviceTensor mixed,
        gpu::DeviceTensor::Make(std::move(out), in.element(), in.shape()));
    return streams.Send("", std::move(mixed));
  }
};
REGISTER_CALCULATOR(MapRoundsCalculator);

class BeginRoundsCalculator : public gpu::GpuCalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<std::int64_t>();
    return DeclareChain(cc);
  }

 protected:
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               gpu::CallStreams& streams) override {
    gpu::Stream stream;
    if (HasGivenStream(cc)) {
      stream = GivenStream(cc);
    } else {
      SYNCLINE_ASSIGN_OR_RETURN(stream, streams.ReceiveCudaStream());
    }
    const ChainWorkload& work = WorkOf(cc);
    const std::size_t bytes =
        static_cast<std::size_t>(work.numbers) * sizeof(std::uint32_t);
    SYNCLINE_ASSIGN_OR_RETURN(gpu::DeviceBuffer numbers,
                              caches_.For(stream.device(), kDeviceMemory)
                                  ->TakeFor(stream, bytes, "numbers"));
    SYNCLINE_RETURN_IF_ERROR(stream.Launch(
        kBeginRounds, work.numbers,
        BeginRoundsParameters{cc->Inputs().Index(0).Get<std::int64_t>(),
                              work.rounds},
        {Writes(numbers)}));
    return streams.Send("", std::move(numbers));
  }

 private:
  gpu::BufferCaches caches_;
};
REGISTER_CALCULATOR(BeginRoundsCalculator);

class GoOnRoundsCalculator : public gpu::GpuCalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<gpu::DeviceBuffer>();
    return DeclareChain(cc);
  }

 protected:
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               gpu::CallStreams& streams) override {
    const auto& numbers = cc->Inputs().Index(0).Get<gpu::DeviceBuffer>();
    gpu::Stream stream;
    if (HasGivenStream(cc)) {
      stream = GivenStream(cc);
      SYNCLINE_RETURN_IF_ERROR(stream.WaitFor(Writes(numbers)));
    } else {
      SYNCLINE_ASSIGN_OR_RETURN(stream, StreamOfCall(cc, streams));
    }
    const ChainWorkload& work = WorkOf(cc);
    SYNCLINE_RETURN_IF_ERROR(stream.Launch(kGoOnRounds, work.numbers,
                                           RoundsParameters{work.rounds},
                                           {Writes(numbers)}));
    return streams.Send("", numbers);
  }
};
REGISTER_CALCULATOR(GoOnRoundsCalculator);

}  // namespace syncline
