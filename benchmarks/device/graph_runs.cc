#include "benchmarks/device/graph_runs.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/device/graph_texts.h"
#include "benchmarks/device/run_meter.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_macros.h"
#include "gpu/device_buffer.h"
#include "gpu/device_memory.h"
#include "gpu/device_service.h"
#include "gpu/device_tensor.h"
#include "gpu/device_work.h"
#include "gpu/stream.h"

namespace syncline {
namespace {

absl::Status StartGraph(const std::string& text, const char* output,
                        const std::shared_ptr<gpu::Device>& device,
                        const std::map<std::string, Packet>& side_packets,
                        Arrivals* arrivals, CalculatorGraph* graph) {
  SYNCLINE_RETURN_IF_ERROR(graph->SetErrorCallback(
      [arrivals](const absl::Status&) { arrivals->Fail(); }));
  SYNCLINE_RETURN_IF_ERROR(
      graph->Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(text)));
  SYNCLINE_RETURN_IF_ERROR(graph->SetServiceObject(
      gpu::kDeviceService, gpu::DeviceContext::Make({device})));
  SYNCLINE_RETURN_IF_ERROR(
      graph->ObserveOutputStream(output, [arrivals](const Packet& packet) {
        arrivals->Add(packet);
        return absl::OkStatus();
      }));
  return graph->StartRun(side_packets);
}

absl::Status EndGraph(CalculatorGraph* graph) {
  graph->CloseAllInputStreams().IgnoreError();
  return graph->WaitUntilDone();
}

// The error of a graph that told of one.
absl::Status ErrorOf(CalculatorGraph* graph) {
  SYNCLINE_RETURN_IF_ERROR(EndGraph(graph));
  return absl::InternalError("the graph told of an error and has none");
}

// Pinned memory with the inputs.
absl::StatusOr<std::vector<Packet>> MakeInputs(
    const std::shared_ptr<gpu::Device>& device, const TransferWorkload& work) {
  std::vector<Packet> inputs;
  for (int packet = 0; packet < work.in_flight; ++packet) {
    const std::size_t bytes =
        static_cast<std::size_t>(work.numbers) * sizeof(std::uint32_t);
    SYNCLINE_ASSIGN_OR_RETURN(
        gpu::DeviceBuffer memory,
        gpu::DeviceBuffer::Allocate(device, MemoryStorageType::kHost, bytes,
                                    "input"));
    {
      SYNCLINE_ASSIGN_OR_RETURN(const gpu::HostView view,
                                memory.ViewForWriting());
      auto* const numbers =
          reinterpret_cast<std::uint32_t*>(view.mutable_bytes().data());
      for (std::int64_t i = 0; i < work.numbers; ++i) {
        numbers[i] = TransferInput(work, packet, i);
      }
    }
    SYNCLINE_ASSIGN_OR_RETURN(
        gpu::DeviceTensor tensor,
        gpu::DeviceTensor::Make(std::move(memory), gpu::TensorElement::kUint32,
                                {work.numbers}));
    inputs.push_back(
        gpu::MakeDevicePacket<gpu::DeviceTensor>(std::move(tensor)));
  }
  return inputs;
}

// The numbers of the last packet, which is pinned memory.
absl::Status ReadTransfer(const Packet& packet, std::int64_t numbers,
                          DeviceRun* run) {
  const auto& tensor = packet.Get<gpu::DeviceTensor>();
  SYNCLINE_ASSIGN_OR_RETURN(const gpu::HostView view,
                            tensor.memory().ViewForReading());
  const auto* const values =
      reinterpret_cast<const std::uint32_t*>(view.bytes().data());
  run->first = values[0];
  run->last = values[numbers - 1];
  return absl::OkStatus();
}

// --- chain

int NumChanges(const std::vector<int>& streams) {
  int changes = 0;
  for (std::size_t k = 1; k < streams.size(); ++k) {
    if (streams[k] != streams[k - 1]) ++changes;
  }
  return changes;
}

absl::Status ReadChain(const gpu::DeviceBuffer& numbers,
                       std::int64_t num_numbers, DeviceRun* run) {
  SYNCLINE_ASSIGN_OR_RETURN(
      const gpu::Stream stream,
      gpu::Stream::Make(numbers.device(), {.flags = 1}, "read"));
  std::vector<std::uint32_t> values(static_cast<std::size_t>(num_numbers));
  SYNCLINE_RETURN_IF_ERROR(stream.CopyToHost(
      values.data(), Reads(numbers), values.size() * sizeof(values[0])));
  run->first = values.front();
  run->last = values.back();
  return absl::OkStatus();
}

absl::Status FeedChains(int from, int to, CalculatorGraph* graph) {
  for (int packet = from; packet < to; ++packet) {
    SYNCLINE_RETURN_IF_ERROR(graph->AddPacketToInputStream(
        "numbers", MakePacket<std::int64_t>(packet).At(Timestamp(packet))));
  }
  return graph->WaitUntilIdle();
}

}  // namespace

absl::StatusOr<DeviceGraphRun> RunTransferGraph(
    const std::shared_ptr<gpu::Device>& device, const TransferWorkload& work) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::vector<Packet> inputs,
                            MakeInputs(device, work));
  const gpu::MemoryDevicesScope memory_of({device});
  Arrivals arrivals;
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(StartGraph(
      TransferGraphText(work), "arrived", device,
      {{"rounds", MakePacket<int>(work.rounds)}}, &arrivals, &graph));
  DeviceGraphRun result;
  RunMeter meter(device.get());
  const int end = work.warm_up + work.packets;
  for (int packet = 0; packet < end; ++packet) {
    if (packet == work.warm_up) {
      if (!arrivals.WaitFor(packet)) return ErrorOf(&graph);
      meter.Start();
    }
    if (!arrivals.WaitFor(packet + 1 - work.in_flight)) return ErrorOf(&graph);
    const Packet& input =
        inputs[static_cast<std::size_t>(packet % work.in_flight)];
    const absl::Status added =
        graph.AddPacketToInputStream("host", input.At(Timestamp(packet)));
    if (!added.ok()) {
      SYNCLINE_RETURN_IF_ERROR(EndGraph(&graph));
      return added;
    }
  }
  if (!arrivals.WaitFor(end)) return ErrorOf(&graph);
  meter.StopTime(&result);
  meter.StopCounting(&result);
  // Before the end of the graph, so that its pools get all memory back.
  const absl::Status read =
      ReadTransfer(arrivals.TakeNewest(), work.numbers, &result.run);
  SYNCLINE_RETURN_IF_ERROR(EndGraph(&graph));
  SYNCLINE_RETURN_IF_ERROR(read);
  return result;
}

absl::StatusOr<DeviceGraphRun> RunChainGraph(
    const std::shared_ptr<gpu::Device>& device, const ChainWorkload& work) {
  const bool has_given_streams = NumChanges(work.stream_of_kernel) > 1;
  std::map<std::string, Packet> side_packets = {
      {"work", MakePacket<ChainWorkload>(work)}};
  for (const char* const name : {"s0", "s1"}) {
    if (!has_given_streams) break;
    SYNCLINE_ASSIGN_OR_RETURN(gpu::Stream stream,
                              gpu::Stream::Make(device, {.flags = 1}, name));
    side_packets[name] = MakePacket<gpu::Stream>(std::move(stream));
  }
  const std::string output =
      absl::StrCat("k", work.stream_of_kernel.size() - 1);
  Arrivals arrivals;
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(StartGraph(ChainGraphText(work, has_given_streams),
                                      output.c_str(), device, side_packets,
                                      &arrivals, &graph));
  const auto wait_for_newest = [&arrivals] {
    return arrivals.newest().Get<gpu::DeviceBuffer>().HostWait();
  };
  DeviceGraphRun result;
  RunMeter meter(device.get());
  absl::Status status = FeedChains(0, work.warm_up, &graph);
  if (status.ok()) status = wait_for_newest();
  if (status.ok()) {
    meter.Start();
    status = FeedChains(work.warm_up, work.warm_up + work.packets, &graph);
    meter.StopCounting(&result);
  }
  if (status.ok()) {
    status = wait_for_newest();
    meter.StopTime(&result);
  }
  const absl::Status ended = EndGraph(&graph);
  SYNCLINE_RETURN_IF_ERROR(ended);
  SYNCLINE_RETURN_IF_ERROR(status);
  SYNCLINE_RETURN_IF_ERROR(ReadChain(arrivals.newest().Get<gpu::DeviceBuffer>(),
                                     work.numbers, &result.run));
  return result;
}

}  // namespace syncline
