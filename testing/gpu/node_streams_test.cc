// Further streams of a node, streams handled by hand, and the pools that nodes
// have.

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/base/mutex.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_runner.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/call_streams.h"
#include "gpu/cuda_stream_pool.h"
#include "gpu/device_buffer.h"
#include "gpu/device_service.h"
#include "gpu/device_work.h"
#include "gpu/gpu_calculator_base.h"
#include "gpu/stand_in/noting_devices.h"
#include "gpu/stream.h"
#include "gpu/test_kernels.h"
#include "gtest/gtest.h"
#include "testing/gpu/device_graph.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class NodeStreamsTest : public DeviceGraphTest {
 protected:
  // Runs a node on one packet, whose stream is that of "upload".
  absl::Status RunNode(DeviceFunction process, absl::string_view options = "") {
    DeviceGraph graph(GetParam(), context_);
    graph.AddInput("in");
    graph.AddNode("upload", {"in"}, {"a"}, Upload());
    graph.AddNode("node", {"a"}, {"X:x", "Y:y"}, std::move(process), options);
    graph.AddNode(
        "reader", {"X:x", "Y:y"}, {},
        [this](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
          for (const char* const port : {"X", "Y"}) {
            SYNCLINE_ASSIGN_OR_RETURN(const auto found,
                                      streams.ReceiveCudaStreams(port));
            MutexLock lock(&mutex_);
            carried_.push_back(found[0].has_value() ? found[0]->name()
                                                    : "none");
          }
          return absl::OkStatus();
        });
    graph.Feed("in", {{7, 1}});
    return graph.Run();
  }
  // Sends two values.
  static absl::Status SendBoth(CallStreams& streams) {
    SYNCLINE_RETURN_IF_ERROR(streams.Send("X", 1));
    return streams.Send("Y", 2);
  }
  std::vector<std::string> carried() {
    MutexLock lock(&mutex_);
    return carried_;
  }

 private:
  Mutex mutex_;
  std::vector<std::string> carried_ ABSL_GUARDED_BY(mutex_);
};
SYNCLINE_TEST_WITH_THREADS(NodeStreamsTest);

// --- By name

TEST_P(NodeStreamsTest, AStreamByNameIsTheSameForTheName) {
  SYNCLINE_EXPECT_OK(RunNode([](CalculatorContext* cc,
                                CallStreams& streams) -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(const Stream copy,
                              streams.AllocateCudaStream("copy"));
    SYNCLINE_ASSIGN_OR_RETURN(const Stream again,
                              streams.AllocateCudaStream("copy"));
    SYNCLINE_ASSIGN_OR_RETURN(const Stream other,
                              streams.AllocateCudaStream("other"));
    SYNCLINE_ASSIGN_OR_RETURN(const Stream own, streams.ReceiveCudaStream());
    EXPECT_EQ(copy, again);
    EXPECT_FALSE(copy == other);
    EXPECT_FALSE(copy == own);
    return SendBoth(streams);
  }));
  EXPECT_THAT(carried(), ElementsAre("node/2", "node/2"));
}

TEST_P(NodeStreamsTest, OutputsDoNotCarryAStreamByNameUntilTheyAreTold) {
  SYNCLINE_EXPECT_OK(
      RunNode([](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_RETURN_IF_ERROR(streams.AllocateCudaStream("copy").status());
        return SendBoth(streams);
      }));
  EXPECT_THAT(carried(), ElementsAre("none", "none"));
}

TEST_P(NodeStreamsTest, AnExhaustedPoolNamesThoseWhoHoldItsStreams) {
  SYNCLINE_EXPECT_OK(RunNode(
      [](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_RETURN_IF_ERROR(streams.ReceiveCudaStream().status());
        SYNCLINE_RETURN_IF_ERROR(streams.AllocateCudaStream("copy").status());
        EXPECT_THAT(streams.AllocateCudaStream("more"),
                    StatusIs(absl::StatusCode::kResourceExhausted,
                             AllOf(HasSubstr("CudaStreamPool \"node\" of "
                                             "stand_in:0 has no stream for "
                                             "node \"node\" (\"more\")"),
                                   HasSubstr("max_size is 2"),
                                   HasSubstr("held by node \"node\", node "
                                             "\"node\" (\"copy\")"))));
        return SendBoth(streams);
      },
      "options { [syncline.CudaStreamPoolOptions.ext] { max_size: 2 } }"));
}

// --- Outputs

TEST_P(NodeStreamsTest, TheStreamOfOneOutputOrOfSeveralIsSet) {
  SYNCLINE_EXPECT_OK(
      RunNode([](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_RETURN_IF_ERROR(streams.ReceiveCudaStream().status());
        SYNCLINE_ASSIGN_OR_RETURN(const Stream copy,
                                  streams.AllocateCudaStream("copy"));
        SYNCLINE_RETURN_IF_ERROR(streams.SetCudaStream(copy, "Y"));
        return SendBoth(streams);
      }));
  EXPECT_THAT(carried(), ElementsAre("node/0", "node/1"));
  SYNCLINE_EXPECT_OK(RunNode([](CalculatorContext* cc,
                                CallStreams& streams) -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(const Stream copy,
                              streams.AllocateCudaStream("copy"));
    SYNCLINE_RETURN_IF_ERROR(streams.SetCudaStreamOfOutputs(copy, {"X", "Y"}));
    return SendBoth(streams);
  }));
  EXPECT_THAT(carried(), ElementsAre("node/0", "node/1", "node/0", "node/0"));
}

TEST_P(NodeStreamsTest, AnOutputThatIsNotThereIsAnError) {
  EXPECT_THAT(
      RunNode([](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream());
        return streams.SetCudaStream(stream, "Z");
      }),
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(HasSubstr("Node \"node\" at 7"), HasSubstr("\"Z\""))));
}

TEST_P(NodeStreamsTest, OutputsDoNotCarryAForeignStream) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Stream foreign,
                                Stream::Make(devices_[0], {}, "foreign"));
  EXPECT_THAT(RunNode([&](CalculatorContext* cc, CallStreams& streams) {
                return streams.SetCudaStream(foreign, "X");
              }),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("Node \"node\" at 7"),
                             HasSubstr("stream \"foreign\" of stand_in:0"),
                             HasSubstr("WaitFor(stream.Now())"))));
}

TEST_P(NodeStreamsTest, TheDeviceOfAForeignStreamIsNotTold) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Stream foreign,
                                Stream::Make(devices_[1], {}, "foreign"));
  SYNCLINE_EXPECT_OK(RunNode(
      [&](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        EXPECT_THAT(streams.DeviceFromStream(foreign),
                    StatusIs(absl::StatusCode::kInvalidArgument,
                             HasSubstr("no CudaStreamPool")));
        EXPECT_THAT(streams.DeviceFromStream(Stream()),
                    StatusIs(absl::StatusCode::kInvalidArgument));
        SYNCLINE_ASSIGN_OR_RETURN(const Stream own,
                                  streams.ReceiveCudaStream());
        EXPECT_THAT(streams.DeviceFromStream(own), IsOkAndHolds(1));
        SYNCLINE_ASSIGN_OR_RETURN(const auto found,
                                  streams.ReceiveCudaStreams(""));
        EXPECT_THAT(streams.DeviceFromStream(*found.at(0)), IsOkAndHolds(0));
        return SendBoth(streams);
      },
      "options { [syncline.CudaStreamPoolOptions.ext] { dev_id: 1 } }"));
}

// --- By hand

TEST_P(NodeStreamsTest, ByHandNothingIsWaitedForTakenOrSent) {
  SYNCLINE_EXPECT_OK(RunNode([&](CalculatorContext* cc,
                                 CallStreams& streams) -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(const auto found, streams.ReceiveCudaStreams(""));
    EXPECT_EQ(found.size(), 1);
    EXPECT_EQ(found.at(0)->name(), "upload/0");
    return SendBoth(streams);
  }));
  EXPECT_THAT(carried(), ElementsAre("none", "none"));
  EXPECT_EQ(Counters().waits_submitted, 0);
}

TEST_P(NodeStreamsTest, SeveralStreamsAreSynchronizedToOne) {
  SYNCLINE_EXPECT_OK(RunNode([&](CalculatorContext* cc,
                                 CallStreams& streams) -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(const Stream a, streams.AllocateCudaStream("a"));
    SYNCLINE_ASSIGN_OR_RETURN(const Stream b, streams.AllocateCudaStream("b"));
    SYNCLINE_ASSIGN_OR_RETURN(const Stream target,
                              streams.AllocateCudaStream("target"));
    std::vector<DeviceBuffer> buffers;
    for (const Stream& stream : {a, b}) {
      SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer buffer, NewBuffer(stream));
      SYNCLINE_RETURN_IF_ERROR(FillWith(1, stream, buffer));
      buffers.push_back(std::move(buffer));
    }
    const Access reads[] = {Reads(buffers[0]), Reads(buffers[1])};
    EXPECT_THAT(target.Check("read", reads),
                StatusIs(absl::StatusCode::kFailedPrecondition));
    SYNCLINE_RETURN_IF_ERROR(streams.SynchronizeStreams(
        {a, absl::nullopt, target, b, Stream()}, target,
        /*sync_to_default=*/true));
    SYNCLINE_EXPECT_OK(target.Check("read", reads));
    SYNCLINE_EXPECT_OK(
        context_->DefaultStreamOf(devices_[0]).Check("read", reads));
    EXPECT_THAT(streams.SynchronizeStreams({a}, Stream()),
                StatusIs(absl::StatusCode::kInvalidArgument));
    return SendBoth(streams);
  }));
}

// --- Pools

constexpr char kOfTwo[] =
    "options { [syncline.CudaStreamPoolOptions.ext] "
    "{ name: \"shared\" max_size: 2 } }";

TEST_P(NodeStreamsTest, NodesThatGiveOneNameShareThePool) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  Mutex mutex;
  std::vector<std::string> names;
  const DeviceFunction note = [&](CalculatorContext* cc,
                                  CallStreams& streams) -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, streams.ReceiveCudaStream());
    MutexLock lock(&mutex);
    names.push_back(stream.name());
    return absl::OkStatus();
  };
  graph.AddNode("x", {"in"}, {}, note, kOfTwo);
  graph.AddNode("y", {"in"}, {}, note, kOfTwo);
  GraphHarness& harness = graph.harness();
  SYNCLINE_ASSERT_OK(harness.Start());
  graph.Feed("in", {{0, 1}});
  // A node that is closed has given its stream back.
  harness.Idle();
  SYNCLINE_ASSERT_OK(harness.Finish());
  MutexLock lock(&mutex);
  EXPECT_THAT(names, UnorderedElementsAre("shared/0", "shared/1"));
}

TEST_P(NodeStreamsTest, OneNameWithOtherOptionsIsAnErrorThatNamesBothNodes) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("x", {"in"}, {"a"}, Upload(), kOfTwo);
  graph.AddNode("y", {"in"}, {"b"}, Upload(),
                "options { [syncline.CudaStreamPoolOptions.ext] "
                "{ name: \"shared\" max_size: 3 } }");
  EXPECT_THAT(graph.Run(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"x\""), HasSubstr("\"y\""),
                             HasSubstr("CudaStreamPool \"shared\""))));
}

TEST_P(NodeStreamsTest, AnUnknownDeviceIsAnErrorThatNamesTheNode) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("x", {"in"}, {"a"}, Upload(),
                "options { [syncline.CudaStreamPoolOptions.ext] "
                "{ dev_id: 7 } }");
  EXPECT_THAT(graph.Run(), StatusIs(absl::StatusCode::kNotFound,
                                    AllOf(HasSubstr("Node \"x\""),
                                          HasSubstr("no device 7"))));
}

TEST_P(NodeStreamsTest, UnknownFlagsAreAnErrorOfTheGraph) {
  DeviceGraph graph(GetParam(), nullptr);
  graph.AddInput("in");
  graph.AddNode("x", {"in"}, {"a"}, Upload(),
                "options { [syncline.CudaStreamPoolOptions.ext] "
                "{ stream_flags: 2 } }");
  EXPECT_THAT(graph.harness().Initialize(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("stream_flags: 2")));
}

TEST_P(NodeStreamsTest, AStreamThatCannotBeMadeIsAnErrorOfOpen) {
  devices_.stand_in->FailCall(StandInCall::kMakeStream, 1,
                              absl::ResourceExhaustedError("no more streams"));
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("x", {"in"}, {"a"}, Upload());
  EXPECT_THAT(graph.Run(), StatusIs(absl::StatusCode::kResourceExhausted,
                                    AllOf(HasSubstr("Node \"x\""),
                                          HasSubstr("no more streams"))));
}

TEST_P(NodeStreamsTest, StreamsAreThoseOfTheNextRunToo) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("x", {"in"}, {"a"}, Upload(), kOfTwo);
  graph.AddNode("y", {"a"}, {"b"}, AddOne(), kOfTwo);
  graph.Feed("in", {{0, 1}});
  for (int run = 0; run < 3; ++run) {
    SYNCLINE_ASSERT_OK(graph.Run());
    EXPECT_THAT(graph.Numbers("b"), ElementsAre(UploadedNumber(1) + 1));
  }
}

// --- Without a graph of one's own, and without the base class

class BareStreamsCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<DeviceBuffer>();
    return NodeStreams::UpdateContract(cc);
  }
  absl::Status Open(CalculatorContext* cc) override {
    return streams_.Open(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    CallStreams streams(&streams_, cc);
    return Upload()(cc, streams);
  }
  absl::Status Close(CalculatorContext* cc) override {
    return streams_.Close(cc);
  }

 private:
  NodeStreams streams_;
};
REGISTER_CALCULATOR(BareStreamsCalculator);

class NeverOpenedStreamsCalculator : public BareStreamsCalculator {
 public:
  absl::Status Open(CalculatorContext* cc) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(NeverOpenedStreamsCalculator);

TEST(NodeStreamsWithoutBaseTest, ACalculatorOfAnyBaseHasStreams) {
  const StandInDevices devices = MakeStandInDevices({});
  CalculatorRunner runner(
      "calculator: \"BareStreamsCalculator\" input_stream: \"in\" "
      "output_stream: \"out\"");
  SYNCLINE_ASSERT_OK(runner.SetServiceObject(
      kDeviceService, DeviceContext::Make(devices.devices)));
  runner.MutableInputs()->Index(0).packets = {
      MakePacket<int>(1).At(Timestamp(0))};
  SYNCLINE_ASSERT_OK(runner.Run());
  const std::vector<Packet>& out = runner.Outputs().Index(0).packets;
  ASSERT_EQ(out.size(), 1);
  EXPECT_THAT(NumberOf(out[0].Get<DeviceBuffer>()),
              IsOkAndHolds(UploadedNumber(1)));
}

TEST(NodeStreamsWithoutBaseTest, StreamsThatWereNeverOpenedAreAnError) {
  CalculatorRunner runner(
      "calculator: \"NeverOpenedStreamsCalculator\" input_stream: \"in\" "
      "output_stream: \"out\"");
  runner.MutableInputs()->Index(0).packets = {
      MakePacket<int>(1).At(Timestamp(0))};
  EXPECT_THAT(runner.Run(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                     HasSubstr("NodeStreams::Open()")));
}

TEST(NodeStreamsWithoutBaseTest, AGraphThatIsGivenNoDeviceFindsOne) {
  CalculatorRunner runner(
      "calculator: \"BareStreamsCalculator\" input_stream: \"in\" "
      "output_stream: \"out\"");
  runner.MutableInputs()->Index(0).packets = {
      MakePacket<int>(1).At(Timestamp(0))};
  SYNCLINE_ASSERT_OK(runner.Run());
  const std::vector<Packet>& out = runner.Outputs().Index(0).packets;
  ASSERT_EQ(out.size(), 1);
  EXPECT_THAT(NumberOf(out[0].Get<DeviceBuffer>()),
              IsOkAndHolds(UploadedNumber(1)));
}

// --- The current device

TEST_P(NodeStreamsTest, TheDeviceOfThePoolIsCurrentInTheCallsOfTheNode) {
  NotingDevices devices(2);
  DeviceGraph graph(GetParam(), DeviceContext::Make(devices.devices()));
  graph.AddInput("in");
  graph.AddNode(
      "node", {"in"}, {},
      [&](CalculatorContext*, CallStreams&) {
        EXPECT_THAT(devices.TakeNotes(), Contains("1: current"));
        return absl::OkStatus();
      },
      "options { [syncline.CudaStreamPoolOptions.ext] { dev_id: 1 } }");
  graph.Feed("in", {{7, 1}});
  SYNCLINE_ASSERT_OK(graph.Run());
  // Of Process and of Close.
  EXPECT_THAT(devices.TakeNotes(),
              ElementsAre("1: put back 0", "1: current", "1: put back 0"));
}

TEST_P(NodeStreamsTest, ANodeOnTheStreamOfItsInputHasTheDeviceOfThatStream) {
  NotingDevices devices(2);
  DeviceGraph graph(GetParam(), DeviceContext::Make(devices.devices()));
  graph.AddInput("in");
  graph.AddNode(
      "upload", {"in"}, {"a"}, Upload(),
      "options { [syncline.CudaStreamPoolOptions.ext] { dev_id: 1 } }");
  graph.AddNode("node", {"a"}, {},
                [&](CalculatorContext*, CallStreams& streams) -> absl::Status {
                  devices.TakeNotes();
                  SYNCLINE_ASSIGN_OR_RETURN(
                      const Stream stream,
                      streams.ReceiveCudaStream({.allocate = false}));
                  EXPECT_THAT(devices.TakeNotes(), ElementsAre("1: current"));
                  return absl::OkStatus();
                });
  SYNCLINE_ASSERT_OK(graph.RunWithoutEarlyClose("in", {{7, 1}}));
}

}  // namespace
}  // namespace syncline::gpu
