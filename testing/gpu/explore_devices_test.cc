// Explorations of graphs with device nodes: orders of device work are found
// that change the result, and only those.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/calculator_framework.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/explore_schedules.h"
#include "testing/gpu/explored_calculators.h"
#include "testing/planted_defects/exploration_report.h"

namespace syncline::gpu {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

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
    EXPECT_THAT(
        ExploreSchedules(Graph(text), Numbers(3)),
        StatusIs(absl::StatusCode::kFailedPrecondition,
                 AllOf(HasSubstr("seed "), HasSubstr("buffer \"uploaded\""))))
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
      kExploredBytes, " num_blocks: 1 } } } ",
      Node("ExploreUploadFromPool", "in", "a",
           absl::StrCat("condition { type: 'MemoryAvailableCondition' options "
                        "{ [syncline.MemoryAvailableConditionOptions.ext] { "
                        "allocator: 'm' min_bytes: ",
                        kExploredBytes, " } } }")),
      next);
}

TEST(ExploreDevicesTest, MemoryComesBackWhenTheDeviceIsDoneWithIt) {
  SYNCLINE_EXPECT_OK(ExploreSchedules(
      Graph(absl::StrCat("output_stream: 'out' ",
                         WithPool(Node("ExploreDownload", "a", "out")))),
      Numbers(4), {.schedules = 100}));
}

// From frames to the sums of their gray values, by calculators that take pinned
// memory from `allocator` "h".
std::string FramesWithPinnedMemory(absl::string_view allocator,
                                   absl::string_view more_of_upload) {
  const std::string memory =
      "options { [syncline.GpuMemoryOptions.ext] { host_allocator: 'h' } } ";
  return absl::StrCat(
      "input_stream: 'in' output_stream: 'out' allocator { name: 'h' ",
      allocator, " } ", Node("ExploreMakeFrame", "in", "image"),
      Node("ImageFrameToGpuBufferCalculator", "image", "gpu",
           absl::StrCat(memory, more_of_upload)),
      Node("GpuColorConvertCalculator", "gpu", "gray",
           "options { [syncline.GpuColorConvertCalculatorOptions.ext] { "
           "output_format: GRAY8 } }"),
      Node("GpuBufferToImageFrameCalculator", "gray", "frame",
           "condition { type: 'CudaStreamCondition' }"),
      Node("ExploreFrameSum", "frame", "out"));
}

// A block is free as soon as somebody has seen the end of its copy, also when
// the stream has newer work by the time that the block is taken.
TEST(ExploreDevicesTest, PinnedMemoryOfAPoolGivesNoFalseAlarm) {
  const std::string waits =
      "condition { type: 'MemoryAvailableCondition' options { "
      "[syncline.MemoryAvailableConditionOptions.ext] { allocator: 'h' "
      "min_bytes: 9216 } } } ";
  for (const int num_blocks : {1, 2}) {
    SYNCLINE_EXPECT_OK(ExploreSchedules(
        Graph(FramesWithPinnedMemory(
            absl::StrCat("type: 'BlockMemoryPool' options { "
                         "[syncline.BlockMemoryPoolOptions.ext] { "
                         "storage_type: HOST block_size_text: '16KB' "
                         "num_blocks: ",
                         num_blocks, " } }"),
            waits)),
        Numbers(5), {.schedules = 60}))
        << num_blocks;
  }
  SYNCLINE_EXPECT_OK(ExploreSchedules(
      Graph(FramesWithPinnedMemory(
          "type: 'RMMAllocator' options { [syncline.RMMAllocatorOptions.ext] { "
          "device_memory_initial_size: '1KB' host_memory_initial_size: '32KB' "
          "} }",
          "")),
      Numbers(5), {.schedules = 60}));
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
