// Which stream a call of a node gets, what that stream waits for, and what the
// outputs carry then.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/call_streams.h"
#include "gpu/cuda_stream_pool.h"
#include "gpu/device_buffer.h"
#include "gpu/device_service.h"
#include "gpu/device_work.h"
#include "gpu/stream.h"
#include "gpu/test_kernels.h"
#include "gtest/gtest.h"
#include "testing/gpu/device_graph.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ReceiveStreamTest : public DeviceGraphTest {
 protected:
  // Names of streams that the node got, in order.
  void Note(const Stream& stream) {
    MutexLock lock(&mutex_);
    names_.push_back(stream.is_null() ? "none" : stream.name());
  }
  std::vector<std::string> names() {
    MutexLock lock(&mutex_);
    return names_;
  }
  // Receives and notes; sends nothing.
  DeviceFunction ReceiveAndNote(std::string port, ReceiveOptions options = {}) {
    return [this, port, options](CalculatorContext* cc,
                                 CallStreams& streams) -> absl::Status {
      SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                streams.ReceiveCudaStream(port, options));
      Note(stream);
      return absl::OkStatus();
    };
  }

 private:
  Mutex mutex_;
  std::vector<std::string> names_ ABSL_GUARDED_BY(mutex_);
};
SYNCLINE_TEST_WITH_ALL_WORKERS(ReceiveStreamTest);

constexpr char kShareOne[] =
    "options { [syncline.CudaStreamPoolOptions.ext] "
    "{ name: \"one\" max_size: 1 } }";

TEST_P(ReceiveStreamTest, TheFirstCallTakesAStreamAndLaterOnesGetTheSame) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, Upload());
  graph.AddNode("node", {"a"}, {}, ReceiveAndNote(""));
  graph.Feed("in", {{0, 1}, {1, 2}, {2, 3}});
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(names(), ElementsAre("node/0", "node/0", "node/0"));
}

TEST_P(ReceiveStreamTest, TheStreamWaitsOnTheDeviceForWhatThePacketNeeds) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, Upload());
  graph.AddNode("add", {"a"}, {"b"}, AddOne());
  std::atomic<std::int64_t> host_waits{-1};
  graph.SetClose("add", [&](CalculatorContext*, CallStreams&) {
    host_waits = Counters().host_waits;
    return absl::OkStatus();
  });
  SYNCLINE_ASSERT_OK(
      graph.RunWithoutEarlyClose("in", {{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_THAT(graph.Numbers("b"),
              ElementsAre(UploadedNumber(1) + 1, UploadedNumber(2) + 1,
                          UploadedNumber(3) + 1));
  EXPECT_LE(host_waits, 1) << "only Close of \"upload\" waits";
  EXPECT_GE(Counters().waits_submitted, 1);
  EXPECT_LE(Counters().waits_submitted, 3);
}

TEST_P(ReceiveStreamTest, AllStreamsOfAMessageAreWaitedFor) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("x", {"in"}, {"a"}, Upload());
  graph.AddNode("y", {"in"}, {"b"}, Upload());
  graph.AddNode("pair", {"a", "b"}, {"both"},
                [](CalculatorContext* cc, CallStreams& streams) {
                  return streams.Send(
                      "", std::vector<DeviceBuffer>{
                              cc->Inputs().Index(0).Get<DeviceBuffer>(),
                              cc->Inputs().Index(1).Get<DeviceBuffer>()});
                });
  graph.AddNode(
      "mix", {"both"}, {"out"},
      [](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream());
        const auto& both =
            cc->Inputs().Index(0).Get<std::vector<DeviceBuffer>>();
        SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer out, NewBuffer(stream));
        SYNCLINE_RETURN_IF_ERROR(
            stream.Launch(kAddOne, kElements, NoParameters{},
                          {Reads(both[0]), Reads(both[1]), Writes(out)}));
        return streams.Send("", std::move(out));
      });
  graph.Feed("in", {{0, 1}, {1, 2}});
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(graph.Numbers("out"),
              ElementsAre(UploadedNumber(1) + 1, UploadedNumber(2) + 1));
}

TEST_P(ReceiveStreamTest, ATagMeansAllOfItsInputs) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("x", {"in"}, {"a"}, Upload());
  graph.AddNode("y", {"in"}, {"b"}, Upload());
  graph.AddNode(
      "node", {"IN:0:a", "IN:1:b"}, {},
      [this](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        // One of them does not stand for the other.
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream("IN:1"));
        const auto& a = cc->Inputs().Get("IN", 0).Get<DeviceBuffer>();
        const auto& b = cc->Inputs().Get("IN", 1).Get<DeviceBuffer>();
        const Access read_a = Reads(a);
        const Access read_b = Reads(b);
        SYNCLINE_EXPECT_OK(stream.Check("read", {&read_b, 1}));
        SYNCLINE_RETURN_IF_ERROR(streams.ReceiveCudaStream("IN").status());
        Note(stream);
        return stream.Check("read", {&read_a, 1});
      });
  graph.Feed("in", {{0, 1}});
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(names(), ElementsAre("node/0"));
}

TEST_P(ReceiveStreamTest, SeveralPortsGetOneStream) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("x", {"in"}, {"a"}, Upload());
  graph.AddNode("y", {"in"}, {"b"}, Upload());
  graph.AddNode("node", {"A:a", "B:b"}, {},
                [this](CalculatorContext* cc, CallStreams& streams) {
                  Note(*streams.ReceiveCudaStream("A"));
                  Note(*streams.ReceiveCudaStream("B"));
                  return absl::OkStatus();
                });
  graph.Feed("in", {{0, 1}, {1, 2}});
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(names(), ElementsAre("node/0", "node/0", "node/0", "node/0"));
}

TEST_P(ReceiveStreamTest, TheDefaultStreamComesAfterOnlyIfAskedTo) {
  const Stream default_stream = context_->DefaultStreamOf(devices_[0]);
  for (const bool sync_to_default : {false, true}) {
    DeviceGraph graph(GetParam(), context_);
    graph.AddInput("in");
    graph.AddNode("upload", {"in"}, {"a"}, Upload());
    graph.AddNode(
        "node", {"a"}, {},
        [&](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
          SYNCLINE_RETURN_IF_ERROR(
              streams.ReceiveCudaStream({.sync_to_default = sync_to_default})
                  .status());
          const Access read = Reads(cc->Inputs().Index(0).Get<DeviceBuffer>());
          return default_stream.Check("read", {&read, 1});
        });
    EXPECT_THAT(graph.RunWithoutEarlyClose("in", {{0, 1}}),
                sync_to_default
                    ? ::testing::Matcher<absl::Status>(IsOk())
                    : StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("stream \"default\" of stand_in:0")));
  }
}

// --- Without a stream of the node's own

TEST_P(ReceiveStreamTest, WithoutAllocateTheFirstStreamOfThePortIsTaken) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("x", {"in"}, {"a"}, Upload());
  graph.AddNode("y", {"in"}, {"b"}, Upload());
  graph.AddNode(
      "node", {"A:a", "B:b"}, {"out"},
      [this](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        // A later port gets the stream of the first, which waits for it.
        SYNCLINE_ASSIGN_OR_RETURN(
            const Stream stream,
            streams.ReceiveCudaStream("B", {.allocate = false}));
        SYNCLINE_ASSIGN_OR_RETURN(
            const Stream later,
            streams.ReceiveCudaStream("A", {.allocate = false}));
        EXPECT_EQ(later, stream);
        Note(stream);
        SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer out, NewBuffer(stream));
        SYNCLINE_RETURN_IF_ERROR(LaunchAddOne(
            stream, cc->Inputs().Tag("A").Get<DeviceBuffer>(), out));
        return streams.Send("", std::move(out));
      });
  graph.Feed("in", {{0, 1}, {1, 2}});
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(names(), ElementsAre("y/0", "y/0"));
  EXPECT_THAT(graph.Numbers("out"),
              ElementsAre(UploadedNumber(1) + 1, UploadedNumber(2) + 1));
}

TEST_P(ReceiveStreamTest, WithAnExhaustedPoolTheFirstStreamOfThePortIsTaken) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, Upload(), kShareOne);
  graph.AddNode("node", {"a"}, {}, ReceiveAndNote(""), kShareOne);
  graph.Feed("in", {{0, 1}, {1, 2}});
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(names(), ElementsAre("one/0", "one/0"));
}

TEST_P(ReceiveStreamTest, WithoutAStreamAnywhereItIsTheDefaultAndNoneIsSent) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode(
      "node", {"in"}, {"out"},
      [this](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(
            const Stream stream,
            streams.ReceiveCudaStream({.allocate = false}));
        Note(stream);
        EXPECT_EQ(stream.handle(), nullptr);
        // Works as any stream does.
        SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer buffer, NewBuffer(stream));
        SYNCLINE_RETURN_IF_ERROR(FillWith(1, stream, buffer));
        EXPECT_TRUE(streams.OutputPoint("")->work().stream == nullptr);
        return streams.Send("", 7);
      });
  graph.Feed("in", {{0, 1}});
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(names(), ElementsAre("default"));
  const std::vector<Packet> out = graph.Packets("out");
  ASSERT_EQ(out.size(), 1);
  EXPECT_EQ(out[0].Get<OnStream<int>>().value(), 7);
  EXPECT_TRUE(PendingWorkOf(out[0]).empty());
}

TEST_P(ReceiveStreamTest, WithoutAnyDeviceThereIsNoStream) {
  DeviceGraph graph(GetParam(), DeviceContext::MakeWithoutDevice(
                                    absl::NotFoundError("none plugged in")));
  graph.AddInput("in");
  graph.AddNode(
      "node", {"in"}, {"out"},
      [this](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream());
        Note(stream);
        EXPECT_EQ(streams.device(), nullptr);
        EXPECT_THAT(streams.AllocateCudaStream("more"),
                    StatusIs(absl::StatusCode::kFailedPrecondition,
                             AllOf(HasSubstr("\"node\""),
                                   HasSubstr("none plugged in"))));
        return streams.Send("", 7);
      });
  graph.Feed("in", {{0, 1}});
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(names(), ElementsAre("none"));
}

TEST_P(ReceiveStreamTest, WithoutADeviceWhatComesFromOutsideIsAdopted) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::shared_ptr<CudaStreamPool> pool,
      CudaStreamPool::Make(devices_[0], {}, "outside"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Stream stream, pool->Take("the test"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(DeviceBuffer buffer, NewBuffer(stream));
  SYNCLINE_ASSERT_OK(FillWith(1, stream, buffer));
  DeviceGraph graph(GetParam(), DeviceContext::MakeWithoutDevice(
                                    absl::NotFoundError("none plugged in")));
  graph.AddInput("in");
  graph.AddNode("node", {"in"}, {}, ReceiveAndNote(""));
  graph.harness().FeedPacket(
      "in", MakeDevicePacket(std::move(buffer)).At(Timestamp(0)));
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(names(), ElementsAre("outside/0"));
}

// --- Foreign streams, and several devices

TEST_P(ReceiveStreamTest, AForeignStreamIsWaitedForAndNeverAdopted) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Stream foreign,
                                Stream::Make(devices_[0], {}, "foreign"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(DeviceBuffer buffer, NewBuffer(foreign));
  SYNCLINE_ASSERT_OK(FillWith(1, foreign, buffer));
  for (const bool allocate : {false, true}) {
    DeviceGraph graph(GetParam(), context_);
    graph.AddInput("in");
    graph.AddNode(
        "node", {"in"}, {"out"},
        [&](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
          SYNCLINE_ASSIGN_OR_RETURN(const auto found,
                                    streams.ReceiveCudaStreams(""));
          EXPECT_FALSE(found.at(0).has_value());
          SYNCLINE_ASSIGN_OR_RETURN(
              const Stream stream,
              streams.ReceiveCudaStream({.allocate = allocate}));
          Note(stream);
          SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer out, NewBuffer(stream));
          SYNCLINE_RETURN_IF_ERROR(LaunchAddOne(
              stream, cc->Inputs().Index(0).Get<DeviceBuffer>(), out));
          return streams.Send("", std::move(out));
        });
    graph.harness().FeedPacket("in", MakeDevicePacket(buffer).At(Timestamp(0)));
    SYNCLINE_ASSERT_OK(graph.Run());
    EXPECT_THAT(graph.Numbers("out"), ElementsAre(UploadedNumber(1) + 1));
  }
  EXPECT_THAT(names(), ElementsAre("default", "node/0"));
}

constexpr char kOnDevice1[] =
    "options { [syncline.CudaStreamPoolOptions.ext] { dev_id: 1 } }";

TEST_P(ReceiveStreamTest, StreamsOfSeveralDevicesAreWaitedFor) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("x", {"in"}, {"a"}, Upload());
  graph.AddNode("y", {"in"}, {"b"}, Upload(), kOnDevice1);
  for (const bool allocate : {true, false}) {
    graph.AddNode(
        allocate ? "own" : "adopted", {"A:a", "B:b"},
        {allocate ? "out" : "out2"},
        [this, allocate](CalculatorContext* cc,
                         CallStreams& streams) -> absl::Status {
          SYNCLINE_ASSIGN_OR_RETURN(
              Stream stream,
              streams.ReceiveCudaStream("A", {.allocate = allocate}));
          SYNCLINE_RETURN_IF_ERROR(streams.ReceiveCudaStream("B").status());
          if (allocate) Note(stream);
          EXPECT_EQ(streams.DeviceFromStream(stream).value_or(-1), 0);
          SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer copy, NewBuffer(stream));
          SYNCLINE_RETURN_IF_ERROR(stream.Copy(
              Writes(copy), Reads(cc->Inputs().Tag("B").Get<DeviceBuffer>())));
          SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer out, NewBuffer(stream));
          SYNCLINE_RETURN_IF_ERROR(stream.Launch(
              kAddOne, kElements, NoParameters{},
              {Reads(copy), Reads(cc->Inputs().Tag("A").Get<DeviceBuffer>()),
               Writes(out)}));
          return streams.Send("", std::move(out));
        });
  }
  graph.Feed("in", {{0, 1}, {1, 2}});
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(names(), ElementsAre("own/0", "own/0"));
  EXPECT_THAT(graph.Numbers("out"),
              ElementsAre(UploadedNumber(1) + 1, UploadedNumber(2) + 1));
  EXPECT_THAT(graph.Numbers("out2"),
              ElementsAre(UploadedNumber(1) + 1, UploadedNumber(2) + 1));
}

TEST_P(ReceiveStreamTest, PacketsOfOtherDevicesOrOfAnotherRunAreAnError) {
  const StandInDevices others = MakeStandInDevices({});
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Stream other,
                                Stream::Make(others[0], {}, "other"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(DeviceBuffer buffer, NewBuffer(other));
  SYNCLINE_ASSERT_OK(FillWith(1, other, buffer));
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("node", {"in"}, {}, ReceiveAndNote(""));
  graph.harness().FeedPacket("in", MakeDevicePacket(buffer).At(Timestamp(5)));
  EXPECT_THAT(graph.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                    AllOf(HasSubstr("Node \"node\" at 5"),
                                          HasSubstr("another run"))));
}

// --- What outputs carry

TEST_P(ReceiveStreamTest, EachOutputCarriesTheStreamThatWasReceived) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, Upload());
  graph.AddNode(
      "node", {"a"}, {"X:x", "Y:y"},
      [](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_RETURN_IF_ERROR(streams.ReceiveCudaStream().status());
        SYNCLINE_RETURN_IF_ERROR(streams.Send("X", 1));
        return streams.Send("Y", std::string("two"));
      });
  graph.AddNode(
      "reader", {"X:x", "Y:y"}, {},
      [this](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        for (const char* const port : {"X", "Y"}) {
          SYNCLINE_ASSIGN_OR_RETURN(const auto found,
                                    streams.ReceiveCudaStreams(port));
          Note(found.at(0).value_or(Stream()));
        }
        EXPECT_EQ(cc->Inputs().Tag("Y").Get<OnStream<std::string>>().value(),
                  "two");
        return absl::OkStatus();
      });
  graph.Feed("in", {{0, 1}});
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(names(), ElementsAre("node/0", "node/0"));
}

TEST_P(ReceiveStreamTest, WhoReadsAnOnStreamComesAfterIt) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  // What the value stands for is not in the packet.
  auto buffer = std::make_shared<DeviceBuffer>();
  graph.AddNode(
      "writer", {"in"}, {"ready"},
      [buffer](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream());
        SYNCLINE_ASSIGN_OR_RETURN(*buffer, NewBuffer(stream));
        SYNCLINE_RETURN_IF_ERROR(FillWith(1, stream, *buffer));
        return streams.Send("", true);
      });
  graph.AddNode(
      "reader", {"ready"}, {"out"},
      [buffer](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream());
        SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer out, NewBuffer(stream));
        SYNCLINE_RETURN_IF_ERROR(
            LaunchAddOne(stream, std::exchange(*buffer, {}), out));
        return streams.Send("", std::move(out));
      });
  graph.Feed("in", {{0, 1}});
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(graph.Numbers("out"), ElementsAre(UploadedNumber(1) + 1));
}

// --- Ports

TEST_P(ReceiveStreamTest, APortThatIsNotThereIsAnErrorThatListsThePorts) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("node", {"IMAGE:in"}, {}, ReceiveAndNote("IMGE"));
  graph.Feed("in", {{3, 1}});
  EXPECT_THAT(graph.Run(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("Node \"node\" at 3"),
                             HasSubstr("\"IMGE\""), HasSubstr("IMAGE"))));
}

TEST_P(ReceiveStreamTest, WithoutAPortThereMustBeOnlyOne) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("node", {"A:in", "B:in"}, {},
                [](CalculatorContext* cc, CallStreams& streams) {
                  return streams.ReceiveCudaStream().status();
                });
  graph.Feed("in", {{3, 1}});
  EXPECT_THAT(graph.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                    HasSubstr("ReceiveCudaStream(PORT)")));
}

TEST_P(ReceiveStreamTest, APortWithoutAPacketHasNothingToWaitFor) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddInput("other");
  graph.AddNode("upload", {"in"}, {"a"}, Upload());
  graph.AddNode("node", {"A:a", "B:other"}, {}, ReceiveAndNote("B"));
  graph.Feed("in", {{0, 1}});
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(names(), ElementsAre("node/0"));
  EXPECT_EQ(Counters().waits_submitted, 0);
}

TEST_P(ReceiveStreamTest, OfABatchAllInputSetsCount) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddNode("source", {}, {"a"}, Source(6));
  graph.AddNode(
      "node", {"a"}, {},
      [this](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream(""));
        SYNCLINE_ASSIGN_OR_RETURN(const auto found,
                                  streams.ReceiveCudaStreams(""));
        EXPECT_EQ(found.size(), cc->Batch().size());
        for (const BatchedInputs& set : cc->Batch()) {
          const Access read = Reads(set.Inputs().Index(0).Get<DeviceBuffer>());
          SYNCLINE_RETURN_IF_ERROR(stream.Check("read", {&read, 1}));
        }
        for (const auto& one : found) Note(one.value_or(Stream()));
        return absl::OkStatus();
      },
      "batch { max_size: 3 }");
  SYNCLINE_ASSERT_OK(graph.Run());
  EXPECT_THAT(names(), ::testing::SizeIs(6));
  EXPECT_THAT(names(), ::testing::Each("source/0"));
}

}  // namespace
}  // namespace syncline::gpu
