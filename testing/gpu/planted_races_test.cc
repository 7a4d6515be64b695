// Mistakes that users of devices make, planted in graphs: each is an error that
// names who made it and what is missing, whatever the order of the calls.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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
using ::testing::AnyOf;
using ::testing::HasSubstr;

// Work runs when the run ends, at the latest: nothing is in order by chance.
class PlantedRacesTest : public DeviceGraphTest {
 protected:
  PlantedRacesTest()
      : DeviceGraphTest(
            {.num_devices = 2, .has_threads = false, .step_seed = 41}) {}

  // "in" -> upload -> "a" -> node, which may send to "out".
  absl::Status RunMistake(DeviceFunction node, absl::string_view more = "") {
    DeviceGraph graph(GetParam(), context_);
    graph.AddInput("in");
    graph.AddNode("upload", {"in"}, {"a"}, Upload());
    graph.AddNode("node", {"a"}, {"out"}, std::move(node), more);
    return graph.RunWithoutEarlyClose("in", {{40, 1}});
  }
  static const DeviceBuffer& Input(CalculatorContext* cc) {
    return cc->Inputs().Index(0).Get<DeviceBuffer>();
  }
};
SYNCLINE_TEST_WITH_ALL_WORKERS(PlantedRacesTest);

TEST_P(PlantedRacesTest, AMissingWait) {
  EXPECT_THAT(
      RunMistake([](CalculatorContext* cc,
                    CallStreams& streams) -> absl::Status {
        // Takes a stream, and not the one that comes after its input.
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.AllocateCudaStream("mine"));
        SYNCLINE_ASSIGN_OR_RETURN(const DeviceBuffer out, NewBuffer(stream));
        return LaunchAddOne(stream, Input(cc), out);
      }),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("node \"node\" at 40 reads buffer \"b\""),
                     HasSubstr("\"add one\" on stream \"node/0\""),
                     HasSubstr("node \"upload\" at 40, which writes it"),
                     HasSubstr("on stream \"upload/0\" of stand_in:0"),
                     HasSubstr("WaitFor(Reads(b))"))));
}

TEST_P(PlantedRacesTest, EarlyReuse) {
  // A buffer that the node keeps and writes again for each packet.
  auto kept = std::make_shared<DeviceBuffer>();
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode(
      "upload", {"in"}, {"a"},
      [kept](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream());
        if (kept->is_null()) {
          SYNCLINE_ASSIGN_OR_RETURN(*kept, NewBuffer(stream, "kept"));
        }
        SYNCLINE_RETURN_IF_ERROR(FillWith(1, stream, *kept));
        return streams.Send("", *kept);
      });
  graph.AddNode("add", {"a"}, {"out"}, AddOne());
  SYNCLINE_ASSERT_OK(graph.harness().Start());
  graph.Feed("in", {{40, 1}});
  graph.harness().Idle();
  graph.Feed("in", {{41, 1}});
  EXPECT_THAT(
      graph.harness().Finish(),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("node \"upload\" at 41 writes buffer \"kept\""),
                     HasSubstr("node \"add\" at 40, which reads it"),
                     HasSubstr("WaitFor(Writes(kept))"))));
  *kept = {};
}

TEST_P(PlantedRacesTest, AReadOnTheHost) {
  EXPECT_THAT(
      RunMistake([](CalculatorContext* cc, CallStreams& streams) {
        return Input(cc).ViewForReading().status();
      }),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("node \"node\" at 40 reads buffer \"b\""),
                     HasSubstr("on the host"), HasSubstr("CopyToHost()"))));
  EXPECT_THAT(
      RunMistake([](CalculatorContext* cc,
                    CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream());
        SYNCLINE_ASSIGN_OR_RETURN(
            const DeviceBuffer pinned,
            DeviceBuffer::Allocate(stream.device(), MemoryStorageType::kHost,
                                   kBufferBytes, "pinned"));
        SYNCLINE_RETURN_IF_ERROR(stream.Copy(Writes(pinned), Reads(Input(cc))));
        return pinned.ViewForReading().status();
      }),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("the host has not waited"),
                     HasSubstr("HostWait()"))));
}

TEST_P(PlantedRacesTest, TheWrongDevice) {
  EXPECT_THAT(
      RunMistake(
          [](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
            SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                      streams.ReceiveCudaStream());
            SYNCLINE_ASSIGN_OR_RETURN(const DeviceBuffer out,
                                      NewBuffer(stream));
            return LaunchAddOne(stream, Input(cc), out);
          },
          "options { [syncline.CudaStreamPoolOptions.ext] { dev_id: 1 } }"),
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(HasSubstr("node \"node\" at 40"), HasSubstr("stand_in:1"),
                     HasSubstr("memory of stand_in:0"))));
}

TEST_P(PlantedRacesTest, AForeignStream) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Stream foreign,
                                Stream::Make(devices_[0], {}, "foreign"));
  EXPECT_THAT(RunMistake([&](CalculatorContext* cc,
                             CallStreams& streams) -> absl::Status {
                SYNCLINE_RETURN_IF_ERROR(streams.ReceiveCudaStream().status());
                // The node's stream waits, and this one does not.
                SYNCLINE_ASSIGN_OR_RETURN(const DeviceBuffer out,
                                          NewBuffer(foreign));
                return LaunchAddOne(foreign, Input(cc), out);
              }),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("on stream \"foreign\" of stand_in:0"),
                             HasSubstr("node \"upload\" at 40"))));
}

TEST_P(PlantedRacesTest, AStreamOfADestroyedPool) {
  Stream old;
  {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(
        const std::shared_ptr<CudaStreamPool> pool,
        CudaStreamPool::Make(devices_[0], {}, "gone"));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(old, pool->Take("the test"));
  }
  EXPECT_THAT(
      RunMistake(
          [&](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
            EXPECT_THAT(streams.DeviceFromStream(old),
                        StatusIs(absl::StatusCode::kInvalidArgument,
                                 HasSubstr("one that is gone")));
            SYNCLINE_ASSIGN_OR_RETURN(const DeviceBuffer out, NewBuffer(old));
            return LaunchAddOne(old, Input(cc), out);
          }),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("node \"node\" at 40"),
                     HasSubstr("stream \"gone/0\" of stand_in:0"),
                     HasSubstr("was destroyed"))));
}

TEST_P(PlantedRacesTest, AWriteBesideAReader) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, Upload());
  graph.AddNode("reader", {"a"}, {"out"}, AddOne());
  // Comes after the reader, and its stream does not.
  graph.AddNode(
      "writer", {"A:a", "B:out"}, {},
      [](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream("A"));
        return stream.Launch(
            kAddOne, kElements, NoParameters{},
            {Writes(cc->Inputs().Tag("A").Get<DeviceBuffer>())});
      });
  EXPECT_THAT(
      graph.RunWithoutEarlyClose("in", {{40, 1}}),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("node \"writer\" at 40 writes buffer \"b\""),
                     HasSubstr("node \"reader\" at 40, which reads it"))));
}

// Adds one in place, and sends the buffer on.
absl::Status AddOneInPlace(CalculatorContext* cc, CallStreams& streams) {
  SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, streams.ReceiveCudaStream());
  const auto& buffer = cc->Inputs().Index(0).Get<DeviceBuffer>();
  SYNCLINE_RETURN_IF_ERROR(
      stream.Launch(kAddOne, kElements, NoParameters{}, {Writes(buffer)}));
  return streams.Send("", buffer);
}

TEST_P(PlantedRacesTest, AWriteInPlaceBeforeAnotherReader) {
  for (const bool reads_by_copy : {false, true}) {
    DeviceGraph graph(GetParam(), context_);
    graph.AddInput("in");
    graph.AddNode("upload", {"in"}, {"a"}, Upload());
    graph.AddNode("writer", {"a"}, {"b"}, AddOneInPlace);
    // Its stream comes after the writer's, which is no help.
    graph.AddNode(
        "reader", {"A:a", "B:b"}, {},
        [=](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
          SYNCLINE_RETURN_IF_ERROR(streams.ReceiveCudaStream("A").status());
          SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                    streams.ReceiveCudaStream("B"));
          const auto& in = cc->Inputs().Tag("A").Get<DeviceBuffer>();
          SYNCLINE_ASSIGN_OR_RETURN(const DeviceBuffer out, NewBuffer(stream));
          return reads_by_copy ? stream.Copy(Writes(out), Reads(in))
                               : LaunchAddOne(stream, in, out);
        });
    EXPECT_THAT(
        graph.RunWithoutEarlyClose("in", {{40, 1}}),
        StatusIs(absl::StatusCode::kFailedPrecondition,
                 AllOf(HasSubstr("node \"reader\" at 40 reads buffer \"b\""),
                       HasSubstr("it is not what was sent: node \"writer\" at "
                                 "40 has changed it in place, by \"add one\""),
                       HasSubstr("the only reader of the packet"))))
        << reads_by_copy;
  }
}

TEST_P(PlantedRacesTest, TwoWritersOfOnePacket) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, Upload());
  graph.AddNode("first", {"a"}, {"b"}, AddOneInPlace);
  graph.AddNode("second", {"a"}, {"c"}, AddOneInPlace);
  EXPECT_THAT(graph.RunWithoutEarlyClose("in", {{40, 1}}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       // By which order the threads had.
                       AnyOf(HasSubstr("it is not what was sent: node \""),
                             HasSubstr("and nothing orders this after"))));
}

// No mistakes.
TEST_P(PlantedRacesTest, AChainMayChangeABufferInPlace) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, Upload());
  graph.AddNode("first", {"a"}, {"b"}, AddOneInPlace);
  graph.AddNode("second", {"b"}, {"c"}, AddOneInPlace);
  graph.AddNode("reader", {"c"}, {"out"}, AddOne());
  SYNCLINE_EXPECT_OK(graph.RunWithoutEarlyClose("in", {{40, 1}, {41, 2}}));
  EXPECT_EQ(graph.Numbers("out"),
            (std::vector<std::uint32_t>{UploadedNumber(1) + 3,
                                        UploadedNumber(2) + 3}));
}

TEST_P(PlantedRacesTest, ANodeMayChangeAPacketAndSendItOn) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode("upload", {"in"}, {"a"}, Upload());
  graph.AddNode(
      "writer", {"a"}, {"b"},
      [](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream());
        SYNCLINE_RETURN_IF_ERROR(stream.Launch(
            kAddOne, kElements, NoParameters{}, {Writes(Input(cc))}));
        // Not a new packet of the buffer.
        cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
        return absl::OkStatus();
      });
  graph.AddNode("reader", {"b"}, {"out"}, AddOne());
  SYNCLINE_EXPECT_OK(graph.RunWithoutEarlyClose("in", {{40, 1}}));
  EXPECT_EQ(graph.Numbers("out"),
            (std::vector<std::uint32_t>{UploadedNumber(1) + 2}));
}

TEST_P(PlantedRacesTest, ACallMaySendABufferBeforeItFillsIt) {
  DeviceGraph graph(GetParam(), context_);
  graph.AddInput("in");
  graph.AddNode(
      "upload", {"in"}, {"a"},
      [](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream());
        SYNCLINE_ASSIGN_OR_RETURN(const DeviceBuffer buffer, NewBuffer(stream));
        SYNCLINE_RETURN_IF_ERROR(streams.Send("", buffer));
        return FillWith(cc->Inputs().Index(0).Get<int>(), stream, buffer);
      });
  graph.AddNode("reader", {"a"}, {"out"}, AddOne());
  SYNCLINE_EXPECT_OK(graph.RunWithoutEarlyClose("in", {{40, 1}}));
  EXPECT_EQ(graph.Numbers("out"),
            (std::vector<std::uint32_t>{UploadedNumber(1) + 1}));
}

TEST_P(PlantedRacesTest, ReuseAfterCancel) {
  DeviceBuffer kept;
  {
    DeviceGraph graph(GetParam(), context_);
    graph.AddInput("in");
    graph.AddNode("upload", {"in"}, {"a"}, Upload());
    graph.SetClose("upload", [&](CalculatorContext*, CallStreams&) {
      DeviceBuffer released = kept;
      return released.Release();
    });
    GraphHarness& harness = graph.harness();
    SYNCLINE_ASSERT_OK(harness.Start());
    graph.Feed("in", {{40, 1}});
    harness.Idle();
    kept = graph.Packets("a").at(0).Get<DeviceBuffer>();
    harness.graph().Cancel();
    EXPECT_THAT(harness.Finish(), StatusIs(absl::StatusCode::kCancelled));
  }
  EXPECT_THAT(
      RunMistake([&](CalculatorContext* cc,
                     CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream());
        SYNCLINE_ASSIGN_OR_RETURN(const DeviceBuffer out, NewBuffer(stream));
        return LaunchAddOne(stream, kept, out);
      }),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("node \"node\" at 40"),
                     HasSubstr("whose memory went back when node \"upload\""),
                     HasSubstr("released it"))));
}

TEST_P(PlantedRacesTest, AnEventOfAnotherRun) {
  // The other run had devices of its own.
  WorkPoint old;
  {
    const StandInDevices others = MakeStandInDevices({.has_threads = false});
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const Stream stream,
                                  Stream::Make(others[0], {}, "other"));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const DeviceBuffer b, NewBuffer(stream));
    SYNCLINE_ASSERT_OK(FillWith(1, stream, b));
    old = stream.Now();
  }
  EXPECT_THAT(
      RunMistake(
          [&](CalculatorContext* cc, CallStreams& streams) -> absl::Status {
            SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                      streams.ReceiveCudaStream());
            return stream.WaitFor(old);
          }),
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(HasSubstr("stream \"node/0\" of stand_in:0 cannot wait"),
                     HasSubstr("of another run"))));
}

TEST_P(PlantedRacesTest, ACopyFromFreedMemory) {
  EXPECT_THAT(
      RunMistake([](CalculatorContext* cc,
                    CallStreams& streams) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const Stream stream,
                                  streams.ReceiveCudaStream());
        SYNCLINE_ASSIGN_OR_RETURN(const DeviceBuffer out, NewBuffer(stream));
        SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer scratch,
                                  NewBuffer(stream, "scratch"));
        SYNCLINE_RETURN_IF_ERROR(FillWith(1, stream, scratch));
        const DeviceBuffer copy = scratch;
        SYNCLINE_RETURN_IF_ERROR(scratch.Release());
        return stream.Copy(Writes(out), Reads(copy));
      }),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("node \"node\" at 40 reads buffer \"scratch\""),
                     HasSubstr("released it"))));
}

}  // namespace
}  // namespace syncline::gpu
