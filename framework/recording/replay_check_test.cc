// Recordings made by hand, each compared with a run of a graph that sends what
// it is given.

#include "framework/recording/replay_check.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_bytes.h"
#include "framework/packet/timestamp.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/recording/recording_file.h"
#include "framework/recording/recording_reader.h"
#include "framework/recording/recording_test_support.h"
#include "framework/recording/recording_writer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class EchoCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Index(0));
    cc->SetTimestampOffset(0);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(EchoCalculator);

constexpr char kGraph[] = R"pb(
  input_stream: "a"
  input_stream: "b"
  input_stream: "c"
  node { calculator: "EchoCalculator" input_stream: "a" output_stream: "x" }
  node { calculator: "EchoCalculator" input_stream: "b" output_stream: "y" }
  node { calculator: "EchoCalculator" input_stream: "c" output_stream: "z" }
)pb";

// A packet of an int, a gap or a bound, in a stream of the recording.
struct Recorded {
  int stream;
  int timestamp;
  int value;
  int missing = 0;
  bool is_bound = false;
};

Recorded Gap(int stream, int packets) { return {stream, 0, 0, packets}; }
Recorded Bound(int stream, int timestamp) {
  return {stream, timestamp, 0, 0, true};
}

// A packet for an input of the graph.
struct Sent {
  std::string stream;
  int timestamp;
  Packet packet;
};

// Streams 0 to 3; "a" is the input.
std::vector<RecordedStream> FourStreams() {
  return {{"a", true, "int"},
          {"x", false, "int"},
          {"y", false, "int"},
          {"z", false, "int"}};
}

class ReplayCheckTest : public ::testing::Test {
 protected:
  ReplayCheckTest()
      : path_(NewPath(absl::StrCat(
            ::testing::UnitTest::GetInstance()->current_test_info()->name(),
            ".syncline"))) {}

  // `ended`: as Finish of RecordingWriter has it.
  void Record(const std::vector<RecordedStream>& streams,
              const std::vector<Recorded>& events,
              const std::string& ended = "OK") {
    RecordingHeader header;
    header.streams = streams;
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto writer,
                                  RecordingWriter::Create(path_, header));
    std::int64_t seq = 0;
    for (const Recorded& event : events) {
      ++seq;
      if (event.missing > 0) {
        SYNCLINE_ASSERT_OK(writer->AppendGap(seq, event.stream, event.missing));
        continue;
      }
      if (event.is_bound) {
        SYNCLINE_ASSERT_OK(writer->AppendBound(
            seq, event.stream, Timestamp(event.timestamp), seq));
        continue;
      }
      SYNCLINE_ASSERT_OK_AND_ASSIGN(
          const std::string bytes, BytesOfPacket(MakePacket<int>(event.value)));
      SYNCLINE_ASSERT_OK(writer->AppendPacket(
          seq, event.stream, Timestamp(event.timestamp), seq, bytes));
    }
    SYNCLINE_ASSERT_OK(writer->Finish(ended));
  }

  absl::Status Create(const RecordingRange& range = {}) {
    SYNCLINE_RETURN_IF_ERROR(
        graph_.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(kGraph)));
    SYNCLINE_ASSIGN_OR_RETURN(check_,
                              ReplayCheck::Create(&graph_, path_, range));
    return absl::OkStatus();
  }

  // The status of the run, or of Finish.
  absl::Status Run(const std::vector<Sent>& sent,
                   const RecordingRange& range = {}) {
    SYNCLINE_RETURN_IF_ERROR(Create(range));
    SYNCLINE_RETURN_IF_ERROR(graph_.StartRun({}));
    for (const Sent& one : sent) {
      // Its error is the run's.
      graph_
          .AddPacketToInputStream(one.stream,
                                  one.packet.At(Timestamp(one.timestamp)))
          .IgnoreError();
    }
    SYNCLINE_RETURN_IF_ERROR(graph_.CloseAllInputStreams());
    SYNCLINE_RETURN_IF_ERROR(graph_.WaitUntilDone());
    return check_->Finish();
  }

  const std::string path_;
  CalculatorGraph graph_;
  std::unique_ptr<ReplayCheck> check_;
};

TEST_F(ReplayCheckTest, EveryPacketOfEveryStreamIsCounted) {
  Record(FourStreams(), {{0, 1, 7}, {1, 1, 7}, {1, 2, 8}, {3, 5, 9}});
  SYNCLINE_EXPECT_OK(Run({{"a", 1, MakePacket<int>(7)},
                          {"a", 2, MakePacket<int>(8)},
                          {"c", 5, MakePacket<int>(9)}}));
  EXPECT_EQ(check_->packets(), 3);
  EXPECT_EQ(check_->skipped(), 0);
}

TEST_F(ReplayCheckTest, TheDifferenceOfTheEarliestTimestampIsShown) {
  Record(FourStreams(), {{0, 3, 70}, {1, 9, 1}, {2, 4, 2}, {3, 6, 3}});
  const absl::Status status = Run({{"a", 9, MakePacket<int>(0)},
                                   {"b", 4, MakePacket<int>(0)},
                                   {"c", 6, MakePacket<int>(0)}});
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(
      status.message(),
      AllOf(HasSubstr("stream \"y\" differs from the recording at its packet "
                      "1, timestamp 4: another value"),
            HasSubstr("inputs of the graph around it:"), HasSubstr("a: 70"),
            HasSubstr("\n2 more of the recorded streams differ")));
  EXPECT_EQ(check_->packets(), 0);
}

TEST_F(ReplayCheckTest, BoundsAreNotCompared) {
  Record(FourStreams(), {Bound(1, 1), {1, 1, 1}, Bound(1, 5), {1, 5, 5}});
  SYNCLINE_EXPECT_OK(
      Run({{"a", 1, MakePacket<int>(1)}, {"a", 5, MakePacket<int>(5)}}));
  EXPECT_EQ(check_->packets(), 2);
}

TEST_F(ReplayCheckTest, OfEqualTimestampsTheFirstStreamIsShown) {
  Record(FourStreams(), {{1, 1, 1}, {2, 1, 1}});
  EXPECT_THAT(Run({{"a", 1, MakePacket<int>(0)}, {"b", 1, MakePacket<int>(0)}})
                  .message(),
              HasSubstr("stream \"x\" differs"));
}

TEST_F(ReplayCheckTest, OtherStreamsThatDifferAreCounted) {
  Record(FourStreams(), {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}});
  const absl::Status status = Run({{"a", 1, MakePacket<int>(0)},
                                   {"b", 2, MakePacket<int>(0)},
                                   {"c", 3, MakePacket<int>(3)}});
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("stream \"x\" differs"),
                    HasSubstr("\n1 more of the recorded streams differs")));
}

TEST_F(ReplayCheckTest, OneStreamThatDiffersIsAlone) {
  Record(FourStreams(), {{1, 1, 1}, {2, 2, 2}});
  const absl::Status status =
      Run({{"a", 1, MakePacket<int>(1)}, {"b", 2, MakePacket<int>(0)}});
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("stream \"y\" differs"),
                    Not(HasSubstr("more of the recorded streams"))));
}

TEST_F(ReplayCheckTest, OnlyTheRangeIsCompared) {
  Record(FourStreams(), {{1, 1, 1}, {1, 2, 2}, {1, 3, 3}, {1, 4, 4}});
  RecordingRange range;
  range.from = Timestamp(2);
  range.to = Timestamp(3);
  SYNCLINE_EXPECT_OK(Run({{"a", 1, MakePacket<int>(0)},
                          {"a", 2, MakePacket<int>(2)},
                          {"a", 3, MakePacket<int>(3)},
                          {"a", 4, MakePacket<int>(0)}},
                         range));
  EXPECT_EQ(check_->packets(), 2);
}

TEST_F(ReplayCheckTest, BothEndsOfTheRangeAreCompared) {
  Record(FourStreams(), {{1, 2, 2}, {2, 3, 3}});
  RecordingRange range;
  range.from = Timestamp(2);
  range.to = Timestamp(3);
  EXPECT_THAT(
      Run({{"a", 2, MakePacket<int>(0)}, {"b", 3, MakePacket<int>(0)}}, range)
          .message(),
      AllOf(HasSubstr("stream \"x\" differs"), HasSubstr("\n1 more")));
}

TEST_F(ReplayCheckTest, APacketOfAnotherTypeEndsTheRun) {
  Record(FourStreams(), {{1, 1, 1}, {1, 2, 2}});
  // The bytes are the same.
  const absl::Status status = Run(
      {{"a", 1, MakePacket<int>(1)}, {"a", 2, MakePacket<std::uint32_t>(2)}});
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(
      status.message(),
      HasSubstr("stream \"x\" differs from the recording at 2: it has packets "
                "of type \"unsigned int\", where the recording has \"int\""));
}

TEST_F(ReplayCheckTest, AStreamWithoutPacketsHasNoTypeToCompare) {
  Record({{"x", false, ""}}, {});
  EXPECT_THAT(
      Run({{"a", 1, MakePacket<int>(1)}}).message(),
      AllOf(HasSubstr("stream \"x\" differs"), HasSubstr("a packet more")));
}

TEST_F(ReplayCheckTest, APacketWithoutBytesEndsTheRun) {
  struct Opaque {};
  Record({{"x", false, ""}}, {{0, 1, 1}});
  EXPECT_EQ(Run({{"a", 1, MakePacket<Opaque>()}}).code(),
            absl::StatusCode::kUnimplemented);
}

TEST_F(ReplayCheckTest, ARecordingThatEndedWellEndsEveryStream) {
  Record(FourStreams(), {{1, 1, 1}});
  EXPECT_THAT(
      Run({{"a", 1, MakePacket<int>(1)}, {"a", 2, MakePacket<int>(2)}})
          .message(),
      AllOf(HasSubstr("stream \"x\" differs"), HasSubstr("a packet more")));
}

TEST_F(ReplayCheckTest, ARecordingOfAFailureIsComparedUpToItsEnd) {
  Record(FourStreams(), {{1, 1, 1}}, "INTERNAL: it failed");
  SYNCLINE_EXPECT_OK(
      Run({{"a", 1, MakePacket<int>(1)}, {"a", 2, MakePacket<int>(2)}}));
  EXPECT_EQ(check_->packets(), 1);
}

TEST_F(ReplayCheckTest, WhatIsMissingInAnInputMattersToEveryStream) {
  Record(FourStreams(), {Gap(/*stream=*/0, /*packets=*/4), {1, 1, 1}});
  const absl::Status status = Create();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("4 packets of the graph input \"a\" are missing"),
                    HasSubstr("(--record_when_full=block).")));
}

TEST_F(ReplayCheckTest, WhatIsMissingInAStreamIsSkipped) {
  Record(FourStreams(), {Gap(/*stream=*/1, /*packets=*/2), {1, 3, 3}});
  SYNCLINE_EXPECT_OK(Run({{"a", 1, MakePacket<int>(0)},
                          {"a", 2, MakePacket<int>(0)},
                          {"a", 3, MakePacket<int>(3)}}));
  EXPECT_EQ(check_->packets(), 1);
  EXPECT_EQ(check_->skipped(), 2);
}

TEST_F(ReplayCheckTest, WhereAGapIsInARangeIsUnknown) {
  Record(FourStreams(), {Gap(/*stream=*/1, /*packets=*/2), {1, 3, 3}});
  for (const bool has_from : {true, false}) {
    RecordingRange range;
    (has_from ? range.from : range.to) = Timestamp(3);
    CalculatorGraph graph;
    SYNCLINE_ASSERT_OK(
        graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(kGraph)));
    const absl::Status status =
        ReplayCheck::Create(&graph, path_, range).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(status.message(),
                AllOf(HasSubstr("2 packets of stream \"x\" are missing"),
                      HasSubstr("without --from and --to.")));
  }
}

TEST_F(ReplayCheckTest, ARecordingOfInputsHasNothingToCompare) {
  Record({{"a", true, "int"}}, {{0, 1, 1}});
  const absl::Status status = Create();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(),
              HasSubstr("has inputs of the graph only, so there is nothing to "
                        "compare: record outputs too (--record_streams)"));
}

TEST_F(ReplayCheckTest, ARecordingOfAnotherGraphIsRefused) {
  Record({{"x", false, "int"}, {"w", false, "int"}}, {});
  const absl::Status status = Create();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(),
              HasSubstr("has the stream \"w\", which the graph does not have"));
}

TEST_F(ReplayCheckTest, ARecordingThatIsNotThereIsNotFound) {
  EXPECT_EQ(Create().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace syncline
