#include "testing/gpu/device_graph.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gpu/gpu_calculator_base.h"
#include "gpu/stream.h"
#include "gpu/test_kernels.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

// What the side packets OPEN, PROCESS and CLOSE say; each is optional.
class DeviceFunctionCalculator : public GpuCalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& input : cc->Inputs()) input.SetAny();
    for (PacketType& output : cc->Outputs()) output.SetAny();
    for (PacketType& side_packet : cc->InputSidePackets()) {
      side_packet.Set<DeviceFunction>();
    }
    return UseDevice(cc);
  }

 protected:
  absl::Status OpenOnDevice(CalculatorContext* cc,
                            CallStreams& streams) override {
    return Call("OPEN", cc, streams);
  }
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               CallStreams& streams) override {
    return Call("PROCESS", cc, streams);
  }
  absl::Status CloseOnDevice(CalculatorContext* cc,
                             CallStreams& streams) override {
    return Call("CLOSE", cc, streams);
  }

 private:
  static absl::Status Call(const char* tag, CalculatorContext* cc,
                           CallStreams& streams) {
    if (!cc->InputSidePackets().HasTag(tag)) return absl::OkStatus();
    return cc->InputSidePackets().Tag(tag).Get<DeviceFunction>()(cc, streams);
  }
};
REGISTER_CALCULATOR(DeviceFunctionCalculator);

}  // namespace

// --- DeviceGraph

DeviceGraph::DeviceGraph(Workers workers,
                         std::shared_ptr<DeviceContext> context)
    : workers_(workers), context_(std::move(context)) {}

void DeviceGraph::AddInput(absl::string_view stream) {
  AddText(absl::StrCat("input_stream: \"", stream, "\"\n"));
}

void DeviceGraph::AddNode(absl::string_view name,
                          const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs,
                          DeviceFunction process, absl::string_view more) {
  std::string text = absl::StrCat(
      "node { calculator: ", "\"DeviceFunctionCalculator\" name: \"", name,
      "\"\n");
  for (const std::string& input : inputs) {
    absl::StrAppend(&text, "  input_stream: \"", input, "\"\n");
  }
  for (const std::string& output : outputs) {
    absl::StrAppend(&text, "  output_stream: \"", output, "\"\n");
  }
  const auto no_function = [](CalculatorContext*, CallStreams&) {
    return absl::OkStatus();
  };
  for (const char* const tag : {"OPEN", "PROCESS", "CLOSE"}) {
    const std::string side_packet =
        absl::AsciiStrToLower(absl::StrCat(name, "_", tag));
    absl::StrAppend(&text, "  input_side_packet: \"", tag, ":", side_packet,
                    "\"\n");
    functions_[side_packet] = no_function;
  }
  functions_[absl::StrCat(name, "_process")] = std::move(process);
  absl::StrAppend(&text, "  ", more, "\n}\n");
  AddText(text);
}

void DeviceGraph::SetOpen(absl::string_view name, DeviceFunction open) {
  functions_[absl::StrCat(name, "_open")] = std::move(open);
}

void DeviceGraph::SetClose(absl::string_view name, DeviceFunction close) {
  functions_[absl::StrCat(name, "_close")] = std::move(close);
}

void DeviceGraph::AddText(absl::string_view text) {
  absl::StrAppend(&text_, text);
}

GraphHarness& DeviceGraph::harness() {
  if (harness_ != nullptr) return *harness_;
  harness_ = std::make_unique<GraphHarness>(text_, workers_);
  for (const auto& [name, function] : functions_) {
    harness_->SetSidePacket(name, MakePacket<DeviceFunction>(function));
  }
  if (context_ != nullptr) {
    SYNCLINE_EXPECT_OK(harness_->SetService(kDeviceService, context_));
  }
  return *harness_;
}

absl::Status DeviceGraph::RunWithoutEarlyClose(
    const std::string& stream, const LiteralStream<int>& packets) {
  SYNCLINE_RETURN_IF_ERROR(harness().Start());
  Feed(stream, packets);
  // An error comes from Finish, too.
  harness().graph().WaitUntilIdle().IgnoreError();
  return harness().Finish();
}

std::vector<std::uint32_t> DeviceGraph::Numbers(const std::string& stream) {
  std::vector<std::uint32_t> numbers;
  for (const Packet& packet : Packets(stream)) {
    const absl::StatusOr<std::uint32_t> number =
        NumberOf(packet.Get<DeviceBuffer>());
    SYNCLINE_EXPECT_OK(number);
    numbers.push_back(number.value_or(0xdeadbeefu));
  }
  return numbers;
}

// --- What nodes do

absl::StatusOr<DeviceBuffer> NewBuffer(const Stream& stream,
                                       absl::string_view name) {
  return DeviceBuffer::Allocate(stream.device(), MemoryStorageType::kDevice,
                                kBufferBytes, name);
}

absl::Status FillWith(int value, const Stream& stream,
                      const DeviceBuffer& buffer) {
  return stream.Fill(Writes(buffer), static_cast<std::uint8_t>(value));
}

absl::Status LaunchAddOne(const Stream& stream, const DeviceBuffer& in,
                          const DeviceBuffer& out) {
  return stream.Launch(kAddOne, kElements, NoParameters{},
                       {Reads(in), Writes(out)});
}

absl::StatusOr<std::uint32_t> NumberOf(const DeviceBuffer& buffer) {
  SYNCLINE_RETURN_IF_ERROR(buffer.HostWait());
  SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                            Stream::Make(buffer.device(), {}, "reader"));
  std::vector<std::uint32_t> numbers(kElements);
  SYNCLINE_RETURN_IF_ERROR(
      stream.CopyToHost(numbers.data(), Reads(buffer), kBufferBytes));
  for (const std::uint32_t number : numbers) {
    if (number != numbers[0]) {
      return absl::InternalError(
          absl::StrCat("a buffer has ", numbers[0], " and ", number));
    }
  }
  return numbers[0];
}

DeviceFunction Upload(ReceiveOptions options) {
  return
      [options](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream(options));
        SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer buffer, NewBuffer(stream));
        SYNCLINE_RETURN_IF_ERROR(
            FillWith(cc->Inputs().Index(0).Get<int>(), stream, buffer));
        return streams.Send("", std::move(buffer));
      };
}

DeviceFunction AddOne(ReceiveOptions options) {
  return
      [options](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream("", options));
        SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer out, NewBuffer(stream));
        SYNCLINE_RETURN_IF_ERROR(LaunchAddOne(
            stream, cc->Inputs().Index(0).Get<DeviceBuffer>(), out));
        for (int i = 0; i < cc->Outputs().NumEntries(); ++i) {
          SYNCLINE_RETURN_IF_ERROR(streams.Send(absl::StrCat(":", i), out));
        }
        return absl::OkStatus();
      };
}

DeviceFunction Source(int count) {
  auto sent = std::make_shared<std::atomic<int>>(0);
  return [count, sent](CalculatorContext* cc,
                       CallStreams& streams) -> absl::Status {
    const int number = (*sent)++;
    if (number >= count) return tool::StatusStop();
    SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, streams.ReceiveCudaStream());
    SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer buffer, NewBuffer(stream));
    SYNCLINE_RETURN_IF_ERROR(FillWith(number, stream, buffer));
    cc->Outputs().Index(0).AddPacket(
        MakeDevicePacket(std::move(buffer)).At(Timestamp(number)));
    return absl::OkStatus();
  };
}

// --- DeviceGraphTest

DeviceGraphTest::DeviceGraphTest(StandInOptions options)
    : devices_(MakeStandInDevices(options)),
      context_(DeviceContext::Make(devices_.devices)) {}

void DeviceGraphTest::TearDown() {
  for (const std::shared_ptr<Device>& device : devices_.devices) {
    device->GiveEndedMemoryBack();
  }
  for (std::size_t i = 0; i < devices_.devices.size(); ++i) {
    EXPECT_EQ(devices_.stand_in->BytesInUse(static_cast<int>(i)), 0)
        << "buffers are left over";
  }
  EXPECT_EQ(devices_.stand_in->PinnedBytesInUse(), 0);
  WorkersTest::TearDown();
}

}  // namespace syncline::gpu
