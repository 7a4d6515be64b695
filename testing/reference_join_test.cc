// What each input stream handler does with a few packets, worked out by hand.
#include "testing/reference_join.h"

#include "absl/status/status.h"
#include "framework/packet/packet.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/reference_run.h"
#include "testing/reference_test_support.h"

namespace syncline {
namespace {

using testing::HasSubstr;

TEST(ReferenceJoinTest, DefaultJoinsWhatHasTheSameTime) {
  EXPECT_EQ(Text(RunGraph(Join("", kPortsAB),
                          InputsOf({{"a", {{T(10), 1}, {T(20), 2}}},
                                    {"b", {{T(10), 3}, {T(15), 4}}}})),
                 "out"),
            "10:1 3 | 15:- 4 | 20:2 - ||");
}

TEST(ReferenceJoinTest, DefaultWithBatchesGivesTheSame) {
  EXPECT_EQ(
      Text(RunGraph(Join("options { "
                         "[syncline.DefaultInputStreamHandlerOptions.ext] { "
                         "batch_size: 2 } }",
                         kPortsAB),
                    InputsOf({{"a", {{T(10), 1}, {T(20), 2}}},
                              {"b", {{T(10), 3}, {T(15), 4}}}})),
           "out"),
      "10:1 3 | 15:- 4 | 20:2 - ||");
}

TEST(ReferenceJoinTest, BoundsAreProcessedAtTheNewestSettledTime) {
  ReferenceInputs inputs = InputsOf({{"a", {{T(10), 1}}}});
  inputs.events.pop_back();
  inputs.events.push_back(GraphInputEvent::OfBound("b", T(30)));
  inputs.events.push_back(
      GraphInputEvent::OfPacket("b", MakePacket<int>(2).At(T(30))));
  // 29 is known, but all at once is there from the beginning.
  EXPECT_EQ(Text(RunGraph(Join("", kPortsAB, "bounds"), inputs), "out"),
            "10:1 - | 30:- 2 ||");
}

TEST(ReferenceJoinTest, SyncSetsDoNotWaitForEachOther) {
  EXPECT_EQ(
      Text(RunGraph(
               Join(R"(input_stream_handler: "SyncSetInputStreamHandler"
                       options {
                         [syncline.SyncSetInputStreamHandlerOptions.ext] {
                           sync_set { tag_index: ":0" tag_index: ":1" } } })",
                    R"(input_stream: "a" input_stream: "b" input_stream: "c")"),
               InputsOf({{"a", {{T(10), 1}}},
                         {"b", {{T(10), 2}, {T(30), 3}}},
                         {"c", {{T(20), 4}}}})),
           "out"),
      "10:1 2 - | 20:- - 4 | 30:- 3 - ||");
}

constexpr char kAlign[] =
    R"(input_stream_handler: "TimestampAlignInputStreamHandler"
       options { [syncline.TimestampAlignInputStreamHandlerOptions.ext] {
                   timestamp_base_tag_index: ":0" } })";

TEST(ReferenceJoinTest, TimestampAlignShiftsToTheBase) {
  EXPECT_EQ(
      Text(RunGraph(
               Join(kAlign, kPortsAB),
               InputsOf({{"a", {{T(20), 1}, {T(30), 2}, {T(40), 3}}},
                         {"b", {{T(5003), 4}, {T(5013), 5}, {T(5018), 6}}}})),
           "out"),
      "20:1 4 | 30:2 5 | 35:- 6 | 40:3 - ||");
}

TEST(ReferenceJoinTest, TimestampAlignGoesOnWithoutAStreamThatHasNothing) {
  EXPECT_EQ(
      Text(RunGraph(Join(kAlign, kPortsAB),
                    InputsOf({{"a", {{T(20), 1}, {T(30), 2}}}, {"b", {}}})),
           "out"),
      "20:1 - | 30:2 - ||");
}

TEST(ReferenceJoinTest, TimestampAlignShiftsFromMinToMax) {
  EXPECT_EQ(Text(RunGraph(Join(kAlign, kPortsAB),
                          InputsOf({{"a", {{T(7), 1}, {T(9), 2}}},
                                    {"b",
                                     {{Timestamp::Min(), 3},
                                      {Timestamp::Min() + 2, 4},
                                      {T(0), 5},
                                      {T(1), 6}}}})),
                 "out"),
            "7:1 3 | 9:2 4 | Timestamp::Max():- 5 ||");
}

TEST(ReferenceJoinTest, TimestampAlignHasNothingBeforeTheBase) {
  EXPECT_EQ(Text(RunGraph(Join(kAlign, kPortsAB),
                          InputsOf({{"a", {{T(20), 1}, {T(30), 2}}},
                                    {"b", {{Timestamp::PreStream(), 3}}}})),
                 "out"),
            "20:1 3 | 30:2 - ||");
  EXPECT_EQ(Text(RunGraph(Join(kAlign, kPortsAB),
                          InputsOf({{"a", {{Timestamp::PostStream(), 1}}},
                                    {"b", {{T(20), 2}, {T(30), 3}}}})),
                 "out"),
            "Timestamp::PostStream():1 2 ||");
}

constexpr char kBarrier[] =
    R"(input_stream_handler: "BarrierInputStreamHandler")";

TEST(ReferenceJoinTest, BarrierTakesOneOfEachWhateverTheTime) {
  // What is left of `a` is dropped.
  EXPECT_EQ(Text(RunGraph(Join(kBarrier, kPortsAB),
                          InputsOf({{"a", {{T(10), 1}, {T(20), 2}, {T(30), 3}}},
                                    {"b", {{T(7), 4}, {T(8), 5}}}})),
                 "out"),
            "7:1 4 | 8:2 5 ||");
}

constexpr char kMux[] = R"(input_stream_handler: "MuxInputStreamHandler")";
constexpr char kMuxPorts[] = R"(input_stream: "INPUT:0:a"
                                input_stream: "INPUT:1:b"
                                input_stream: "SELECT:c")";

TEST(ReferenceJoinTest, MuxTakesFromTheChosenStream) {
  EXPECT_EQ(
      Text(RunGraph(Join(kMux, kMuxPorts),
                    InputsOf({{"a", {{T(10), 1}, {T(20), 2}, {T(30), 3}}},
                              {"b", {{T(10), 4}, {T(15), 5}, {T(20), 6}}},
                              {"c", {{T(10), 0}, {T(20), 1}, {T(25), 1}}}})),
           "out"),
      "10:1 - 0 | 20:- 6 1 | 25:- - 1 ||");
}

TEST(ReferenceJoinTest, MuxFailsForAChoiceThatIsNotThere) {
  const auto result =
      RunGraph(Join(kMux, kMuxPorts), InputsOf({{"c", {{T(10), 2}}}}));
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_THAT(result->status.ToString(), HasSubstr("chooses stream 2"));
}

TEST(ReferenceJoinTest, HandlersThatDependOnArrivalAreUnimplemented) {
  EXPECT_EQ(
      RunGraph(Join(R"(input_stream_handler: "ImmediateInputStreamHandler")",
                    kPortsAB))
          .status()
          .code(),
      absl::StatusCode::kUnimplemented);
}

}  // namespace
}  // namespace syncline
