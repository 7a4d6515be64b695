// Explorations of graphs with device nodes: orders of device work are found
// that change the result, and only those.

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
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gpu/allocate_buffer.h"
#include "gpu/call_streams.h"
#include "gpu/device_buffer.h"
#include "gpu/gpu_calculator_base.h"
#include "gpu/stream.h"
#include "gpu/test_kernels.h"
#include "gtest/gtest.h"
#include "testing/explore_schedules.h"
#include "testing/planted_defects/exploration_report.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::int64_t kElements = 16;
constexpr std::size_t kBytes = kElements * sizeof(std::uint32_t);

absl::StatusOr<DeviceBuffer> NewBuffer(const Stream& stream,
                                       MemoryStorageType type,
                                       absl::string_view name) {
  return DeviceBuffer::Allocate(stream.device(), type, kBytes, name);
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
  virtual absl::StatusOr<DeviceBuffer> BufferFor(const Stream& stream) {
    return NewBuffer(stream, MemoryStorageType::kDevice, "uploaded");
  }
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               CallStreams& streams) override {
    SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, streams.ReceiveCudaStream());
    SYNCLINE_ASSIGN_OR_RETURN(DeviceBuffer buffer, BufferFor(stream));
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
  absl::StatusOr<DeviceBuffer> BufferFor(const Stream& stream) override {
    if (kept_.is_null()) {
      SYNCLINE_ASSIGN_OR_RETURN(kept_, ExploreUpload::BufferFor(stream));
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

// How often the host functions of this run were called.
std::atomic<int> num_host_calls{0};

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
class ExploreUploadFromPool : public GpuCalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<DeviceBuffer>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return UseDevice(cc);
  }

 protected:
  absl::Status ProcessOnDevice(CalculatorContext* cc,
                               CallStreams& streams) override {
    SYNCLINE_ASSIGN_OR_RETURN(const Stream stream, streams.ReceiveCudaStream());
    SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<Allocator> allocator,
                              cc->FindAllocator("m"));
    SYNCLINE_ASSIGN_OR_RETURN(
        DeviceBuffer buffer,
        AllocateBuffer(stream, *allocator, MemoryStorageType::kDevice, kBytes,
                       "pooled"));
    const int value = cc->Inputs().Index(0).Get<int>();
    SYNCLINE_RETURN_IF_ERROR(
        stream.Fill(Writes(buffer), static_cast<std::uint8_t>(value)));
    return streams.Send("", std::move(buffer));
  }
};
REGISTER_CALCULATOR(ExploreUploadFromPool);

// --- Graphs

CalculatorGraphConfig Graph(absl::string_view text) {
  return ParseTextProtoOrDie<CalculatorGraphConfig>(std::string(text));
}

std::string Node(absl::string_view calculator, absl::string_view from,
                 absl::string_view to, absl::string_view more = "") {
  return absl::StrCat("node { calculator: '", calculator, "' name: '", to,
                      "_node' input_stream: '", from, "' output_stream: '", to,
                      "' ", more, " } ");
}

// "in" -> upload -> add one -> download -> "out", with other calculators for
// some of it.
std::string Chain(absl::string_view add, absl::string_view download,
                  absl::string_view more = "") {
  return absl::StrCat("input_stream: 'in' output_stream: 'out' ", more,
                      Node("ExploreUpload", "in", "a"), Node(add, "a", "b"),
                      Node(download, "b", "out"));
}

constexpr char kUnchecked[] = "check_device_access: false ";

ScheduleInputs Numbers(int count) {
  ScheduleInputs inputs;
  for (int i = 0; i < count; ++i) {
    inputs.streams["in"].push_back(MakePacket<int>(i + 1).At(Timestamp(i)));
  }
  return inputs;
}

std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

TEST(ExploreDevicesTest, FindsNothingWhereStreamsWait) {
  for (const std::string& more : {std::string(), std::string(kUnchecked)}) {
    SYNCLINE_EXPECT_OK(
        ExploreSchedules(Graph(Chain("ExploreAddOne", "ExploreDownload", more)),
                         Numbers(3), {.schedules = 100}));
  }
}

TEST(ExploreDevicesTest, AMissingWaitShowsInTheResultAndIsShrunk) {
  const absl::Status status = ExploreSchedules(
      Graph(Chain("ExploreHastyAddOne", "ExploreDownload", kUnchecked)),
      Numbers(3), {.schedules = 1000});
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(Message(status),
              AllOf(HasSubstr("of stream \"out\" is"), HasSubstr("and seed "),
                    HasSubstr("no device goes on with \"fill\""),
                    HasSubstr("two device streams")));
  EXPECT_THAT(ShrunkSteps(status), AllOf(::testing::Ge(1), ::testing::Le(6)))
      << status;
}

TEST(ExploreDevicesTest, ThatTheHostDoesNotWaitShowsInTheResult) {
  const absl::Status status = ExploreSchedules(
      Graph(Chain("ExploreAddOne", "ExploreHastyDownload", kUnchecked)),
      Numbers(3), {.schedules = 1000});
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(Message(status), HasSubstr("of stream \"out\" is"));
  EXPECT_LE(ShrunkSteps(status), 2) << status;
}

TEST(ExploreDevicesTest, OtherMistakesShowInTheResult) {
  const std::pair<std::string, std::string> mistakes[] = {
      {"early reuse", absl::StrCat(Node("ExploreReusingUpload", "in", "a"),
                                   Node("ExploreAddOne", "a", "b"))},
      {"a write beside a reader",
       absl::StrCat(Node("ExploreUpload", "in", "a"),
                    Node("ExploreAddOne", "a", "b"),
                    "node { calculator: 'ExploreChangeInput' input_stream: 'a' "
                    "} ")},
      {"a foreign stream",
       absl::StrCat(Node("ExploreUpload", "in", "a"),
                    Node("ExploreForeignAddOne", "a", "b"))},
  };
  for (const auto& [mistake, nodes] : mistakes) {
    const std::string text =
        absl::StrCat("input_stream: 'in' output_stream: 'out' ", nodes,
                     Node("ExploreDownload", "b", "out"));
    const absl::Status found =
        ExploreSchedules(Graph(kUnchecked + text), Numbers(3));
    EXPECT_THAT(found, StatusIs(absl::StatusCode::kFailedPrecondition,
                                HasSubstr("of stream \"out\" is")))
        << mistake;
    EXPECT_LT(ShrunkSteps(found), 20) << mistake;
    EXPECT_THAT(ExploreSchedules(Graph(text), Numbers(3)),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr("seed "), HasSubstr("WaitFor"))))
        << mistake;
  }
}

TEST(ExploreDevicesTest, TheCheckerSpeaksWithTheSeed) {
  // Whether the graph says so or nothing.
  for (const std::string& more :
       {std::string(), std::string("check_device_access: true ")}) {
    const absl::Status status = ExploreSchedules(
        Graph(Chain("ExploreHastyAddOne", "ExploreDownload", more)),
        Numbers(3));
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(Message(status),
                AllOf(HasSubstr("seed 0"), HasSubstr("\"b_node\" at 0"),
                      HasSubstr("\"a_node\" at 0"), HasSubstr("WaitFor")));
  }
}

TEST(ExploreDevicesTest, OneSeedIsOneOrderOfAllWork) {
  const auto explore = [](std::uint64_t seed) {
    return Message(ExploreSchedules(
        Graph(Chain("ExploreHastyAddOne", "ExploreDownload", kUnchecked)),
        Numbers(3), {.schedules = 200, .first_seed = seed}));
  };
  const std::string first = explore(1);
  EXPECT_EQ(first, explore(1));
  // The seed that is named is the one that shows it.
  const absl::Status again(absl::StatusCode::kFailedPrecondition, first);
  const int seed = DifferingSeed(again);
  ASSERT_GT(seed, 0);
  EXPECT_EQ(first, explore(static_cast<std::uint64_t>(seed)));
}

TEST(ExploreDevicesTest, ThreadsOfTheGraphDoNotMatter) {
  std::vector<std::string> messages;
  for (const int threads : {1, 2, 8}) {
    messages.push_back(Message(ExploreSchedules(
        Graph(Chain("ExploreHastyAddOne", "ExploreDownload",
                    absl::StrCat(kUnchecked, "num_threads: ", threads, " "))),
        Numbers(3), {.schedules = 200})));
    EXPECT_EQ(messages.back(), messages.front());
  }
  messages.push_back(Message(ExploreSchedules(
      Graph(Chain("ExploreHastyAddOne", "ExploreDownload",
                  absl::StrCat(kUnchecked,
                               "scheduler { type: 'EventBasedScheduler' "
                               "worker_thread_number: 3 } "))),
      Numbers(3), {.schedules = 200})));
  EXPECT_EQ(messages.back(), messages.front());
}

TEST(ExploreDevicesTest, SmallGraphsAreSearchedToTheEnd) {
  const auto explore = [](const char* add) {
    return Explore(Graph(absl::StrCat(
                       "input_stream: 'in' output_stream: 'b' ", kUnchecked,
                       Node("ExploreUpload", "in", "a"), Node(add, "a", "b"))),
                   Numbers(1), {.schedules = 100000, .exhaustive = true});
  };
  const absl::StatusOr<ExploreResult> right = explore("ExploreAddOne");
  SYNCLINE_ASSERT_OK(right.status());
  EXPECT_TRUE(right->is_complete);
  EXPECT_GT(right->schedules, 10);
  EXPECT_THAT(explore("ExploreHastyAddOne").status(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("of stream \"b\"")));
}

// --- Nodes that wait for devices

TEST(ExploreDevicesTest, ConditionsOnDeviceWorkComeTrue) {
  for (const char* const condition :
       {"CudaStreamCondition", "CudaBufferAvailableCondition"}) {
    SYNCLINE_EXPECT_OK(ExploreSchedules(
        Graph(absl::StrCat(
            "input_stream: 'in' output_stream: 'out' max_queue_size: 1 ",
            Node("ExploreUpload", "in", "a"),
            Node("ExploreAddOne", "a", "b",
                 absl::StrCat("condition { type: '", condition, "' }")),
            Node("ExploreDownload", "b", "out",
                 absl::StrCat("condition { type: '", condition, "' }")))),
        Numbers(4), {.schedules = 100}))
        << condition;
  }
}

TEST(ExploreDevicesTest, WhenTheNewsOfADeviceComesIsExplored) {
  // A packet overtakes the one that waits for its device, or does not.
  const absl::Status status = ExploreSchedules(
      Graph(
          absl::StrCat("input_stream: 'in' output_stream: 'text' ",
                       Node("ExploreUpload", "in", "a"),
                       Node("PassThroughCalculator", "a", "b",
                            "condition { type: 'CudaStreamCondition' }"),
                       "node { calculator: 'ExploreArrivals' input_stream: 'a' "
                       "input_stream: 'b' output_stream: 'text' }")),
      Numbers(2), {.schedules = 1000});
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("stream \"text\"")));
}

TEST(ExploreDevicesTest, HostFunctionsRunBetweenCalls) {
  // A node that does not wait for what a host function does.
  const absl::Status status = ExploreSchedules(
      Graph(absl::StrCat("input_stream: 'in' output_stream: 'out' ",
                         Node("ExploreCallHost", "in", "a"),
                         Node("ExploreHostCalls", "a", "out"))),
      Numbers(1),
      {.schedules = 1000, .before_run = [] { num_host_calls = 0; }});
  EXPECT_THAT(status,
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("packet 0 of stream \"out\" is 1 at 0 "
                                 "in the one and 0 at 0 in the other")));
}

std::string WithPool(absl::string_view next) {
  return absl::StrCat(
      "input_stream: 'in' "
      "allocator { name: 'm' type: 'BlockMemoryPool' options { "
      "[syncline.BlockMemoryPoolOptions.ext] { storage_type: DEVICE "
      "block_size: ",
      kBytes, " num_blocks: 1 } } } ",
      Node("ExploreUploadFromPool", "in", "a",
           absl::StrCat("condition { type: 'MemoryAvailableCondition' options "
                        "{ [syncline.MemoryAvailableConditionOptions.ext] { "
                        "allocator: 'm' min_bytes: ",
                        kBytes, " } } }")),
      next);
}

TEST(ExploreDevicesTest, MemoryComesBackWhenTheDeviceIsDoneWithIt) {
  SYNCLINE_EXPECT_OK(ExploreSchedules(
      Graph(absl::StrCat("output_stream: 'out' ",
                         WithPool(Node("ExploreDownload", "a", "out")))),
      Numbers(4), {.schedules = 100}));
}

TEST(ExploreDevicesTest, ADeadlockIsToldWithTheSeed) {
  EXPECT_THAT(
      ExploreSchedules(
          Graph(WithPool(
              "node { calculator: 'ExploreKeeper' input_stream: 'a' }")),
          Numbers(3), {.schedules = 10}),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("seed 0"), HasSubstr("deadlock"),
                     HasSubstr("a_node"))));
}

// --- What is compared

TEST(ExploreDevicesTest, ValuesOnADeviceAreComparedWithoutHidingARace) {
  // The buffers themselves are the result. They are read in the end: to read
  // the first one before the second is made would put its work in order.
  const auto explore = [](const char* add) {
    return ExploreSchedules(
        Graph(absl::StrCat("input_stream: 'in' output_stream: 'a' "
                           "output_stream: 'b' ",
                           kUnchecked, Node("ExploreUpload", "in", "a"),
                           Node(add, "a", "b"))),
        Numbers(3), {.schedules = 200});
  };
  SYNCLINE_EXPECT_OK(explore("ExploreAddOne"));
  EXPECT_THAT(explore("ExploreHastyAddOne"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("of stream \"b\""),
                             HasSubstr("DeviceBuffer of 64 bytes"))));
}

TEST(ExploreDevicesTest, AValueThatCannotBeComparedIsNamed) {
  EXPECT_THAT(
      ExploreSchedules(
          Graph(absl::StrCat("input_stream: 'in' output_stream: 'a' ",
                             Node("ExploreUpload", "in", "a"))),
          Numbers(1),
          {.print = [](const Packet& packet) -> absl::StatusOr<std::string> {
            return absl::UnimplementedError("what is this?");
          }}),
      StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("what is this?")));
}

}  // namespace
}  // namespace syncline::gpu
